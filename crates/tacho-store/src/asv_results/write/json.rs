//! JSON as Python's writer makes it: `NaN` and `Infinity` bare, everything but ASCII escaped.

use serde_json::Value;

/// A JSON value whose floats may be anything.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    /// In the order in which it is written.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns the text of a value.
    pub(super) fn text(text: &str) -> Json {
        Json::Text(text.to_owned())
    }

    /// Returns the float, or null.
    pub(super) fn float(value: Option<f64>) -> Json {
        value.map_or(Json::Null, Json::Float)
    }

    /// Writes the value at the end of `out`.
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Integer(value) => out.push_str(&value.to_string()),
            Json::Float(value) => write_float(*value, out),
            Json::Text(text) => write_text(text, out),
            Json::List(items) => write_all('[', items, ']', out, Json::write),
            Json::Object(entries) => write_all('{', entries, '}', out, |(name, value), out| {
                write_text(name, out);
                out.push_str(": ");
                value.write(out);
            }),
        }
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Json {
        match value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Integer(value.into()),
            Value::Number(number) => match number.as_i64() {
                Some(integer) => Json::Integer(integer),
                None => Json::float(number.as_f64()),
            },
            Value::String(text) => Json::Text(text),
            Value::Array(items) => Json::List(items.into_iter().map(Json::from).collect()),
            Value::Object(map) => Json::Object(map.into_iter().map(|(name, value)| (name, value.into())).collect()),
        }
    }
}

fn write_all<T>(open: char, items: &[T], close: char, out: &mut String, write: impl Fn(&T, &mut String)) {
    out.push(open);
    for (n, item) in items.iter().enumerate() {
        if n > 0 {
            out.push_str(", ");
        }
        write(item, out);
    }
    out.push(close);
}

fn write_float(value: f64, out: &mut String) {
    match value {
        _ if value.is_nan() => out.push_str("NaN"),
        f64::INFINITY => out.push_str("Infinity"),
        f64::NEG_INFINITY => out.push_str("-Infinity"),
        // The shortest digits that read back as the same number.
        _ => out.push_str(&format!("{value:?}")),
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: Json, expected: &str) {
        let mut out = String::new();
        value.write(&mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn values_are_written_as_python_does() {
        check(Json::Null, "null");
        check(Json::Integer(-3), "-3");
        check(Json::Float(1e-7), "1e-7");
        check(Json::Float(3.0), "3.0");
        check(Json::Float(5e-324), "5e-324");
        check(Json::Float(f64::NAN), "NaN");
        check(
            Json::List(vec![Json::Float(f64::NEG_INFINITY), Json::Float(f64::INFINITY), Json::float(None)]),
            "[-Infinity, Infinity, null]",
        );
        check(
            Json::Object(vec![("a".into(), Json::List(vec![])), ("b".into(), Json::text("x"))]),
            r#"{"a": [], "b": "x"}"#,
        );
    }

    #[test]
    fn texts_are_escaped_to_ascii() {
        check(Json::text("\"\\ä\u{7f}\n\u{1f600}"), r#""\"\\\u00e4\u007f\u000a\ud83d\ude00""#);
    }
}
