//! Parameter values: from a Python literal to a number or a string, and back.

/// What a parameter's text stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number, for axes and sorting.
    Number(f64),
    /// Anything else, unquoted where the text was a quoted string.
    Text(String),
}

impl Value {
    /// Reads a Python literal: numbers (underscores allowed) become numbers, quoted strings lose
    /// their quotes and escapes, everything else stays as it is.
    pub fn of_literal(text: &str) -> Value {
        let trimmed = text.trim();
        if let Some(number) = number(trimmed) {
            return Value::Number(number);
        }
        Value::Text(unquoted(trimmed).unwrap_or_else(|| trimmed.to_owned()))
    }
}

fn number(text: &str) -> Option<f64> {
    // Rust would read `inf` and `nan`, which are names in Python and no numbers on an axis.
    let first = text.trim_start_matches(['-', '+']).chars().next()?;
    if !(first.is_ascii_digit() || first == '.') {
        return None;
    }
    text.replace('_', "").parse().ok().filter(|value: &f64| value.is_finite())
}

fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| *c == '\'' || *c == '"')?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push_str(&escape(chars.next()?)),
            c if c == quote => return None,
            c => out.push(c),
        }
    }
    Some(out)
}

fn escape(c: char) -> String {
    match c {
        'n' => "\n".into(),
        't' => "\t".into(),
        'r' => "\r".into(),
        '\\' | '\'' | '"' => c.into(),
        other => format!("\\{other}"),
    }
}

/// Returns a value from another harness as the Python literal that asv would have written for it.
pub fn literal_text(value: &Value) -> String {
    match value {
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e16 => format!("{number:.0}"),
        Value::Number(number) => python_float(*number),
        Value::Text(text) => quoted(text),
    }
}

fn python_float(number: f64) -> String {
    let exponent = number.abs().log10().floor();
    if !(-4.0..16.0).contains(&exponent) {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        return format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
    format!("{number}")
}

fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_number(text: &str, expected: f64) {
        assert_eq!(Value::of_literal(text), Value::Number(expected), "{text:?}");
    }

    fn check_text(text: &str, expected: &str) {
        assert_eq!(Value::of_literal(text), Value::Text(expected.into()), "{text:?}");
    }

    #[test]
    fn numbers_are_read_as_python_writes_them() {
        check_number("100", 100.0);
        check_number("-1e-05", -1e-5);
        check_number("1_000", 1000.0);
        check_number(".5", 0.5);
    }

    #[test]
    fn everything_else_is_text_without_its_quotes() {
        check_text("'s'", "s");
        check_text("\"it's\"", "it's");
        check_text(r"'a\'b\\c\n'", "a'b\\c\n");
        check_text("<function f>", "<function f>");
        check_text("nan", "nan");
        check_text("(1, 2)", "(1, 2)");
        check_text("'a' (0)", "'a' (0)");
        check_text("", "");
    }

    #[test]
    fn literals_round_trip() {
        for text in ["100", "1e-05", "'s'", "\"it's\"", "0.25", "1.5e+20", r"'a\nb'"] {
            assert_eq!(literal_text(&Value::of_literal(text)), text);
        }
    }
}
