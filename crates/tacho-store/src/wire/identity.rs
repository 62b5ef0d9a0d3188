//! Keeps private texts out of a line, and what identifies a series the same for all who measure it.

use serde_json::{Map, Value};

use crate::Prefixes;

/// The fields whose texts identify a series, with all that is below them; `*` is each item of a list.
const IDENTIFYING: [&[&str]; 12] = [
    &["run", "project"],
    &["run", "machine", "name"],
    &["run", "environment", "axes"],
    &["plan", "benchmarks", "*", "definition", "name"],
    &["plan", "benchmarks", "*", "definition", "module"],
    &["plan", "benchmarks", "*", "definition", "metrics"],
    &["plan", "benchmarks", "*", "definition", "parameters"],
    &["plan", "problems", "*", "module"],
    &["plan", "problems", "*", "benchmark"],
    &["round", "benchmark"],
    &["round", "parameters"],
    &["round", "samples"],
];

/// Returns a line with every text in it as it may be stored, names of fields included, so that no field
/// can be forgotten.
pub(crate) fn without_private(line: Value, prefixes: &Prefixes) -> Value {
    replaced(line, &IDENTIFYING, prefixes)
}

fn replaced(value: Value, identifying: &[&[&str]], prefixes: &Prefixes) -> Value {
    if identifying.iter().any(|path| path.is_empty()) {
        return identity(value, prefixes);
    }
    match value {
        Value::String(text) => Value::String(prefixes.replace(&text)),
        Value::Array(items) => {
            let inner = below(identifying, "*");
            items.into_iter().map(|item| replaced(item, &inner, prefixes)).collect()
        }
        Value::Object(fields) => {
            let field = |(name, value): (String, Value)| {
                (prefixes.replace(&name), replaced(value, &below(identifying, &name), prefixes))
            };
            Value::Object(fields.into_iter().map(field).collect())
        }
        other => other,
    }
}

fn identity(value: Value, prefixes: &Prefixes) -> Value {
    match value {
        Value::String(text) => Value::String(prefixes.replace_identity(&text)),
        Value::Array(items) => items.into_iter().map(|item| identity(item, prefixes)).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (String, Value)| (prefixes.replace_identity(&name), identity(value, prefixes));
            Value::Object(fields.into_iter().map(field).collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// Returns what is left of the paths that begin with `name`.
fn below<'a>(paths: &[&'a [&'a str]], name: &str) -> Vec<&'a [&'a str]> {
    paths
        .iter()
        .filter_map(|path| path.split_first().filter(|(first, _)| **first == name).map(|(_, rest)| rest))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn check(line: &str, expected: &str) {
        let prefixes = Prefixes::default().env(Path::new("/no-such/usr")).tmp(Path::new("/no-such/tmp"));
        let line = serde_json::from_str(line).expect("the line is JSON");
        assert_eq!(without_private(line, &prefixes).to_string(), expected);
    }

    #[test]
    fn texts_are_replaced_names_included() {
        check(r#"{"x":{"/no-such/tmp/a":["/no-such/usr/b",1,null]}}"#, r#"{"x":{"{tmp}/a":["{env}/b",1,null]}}"#);
    }

    #[test]
    fn what_identifies_does_not_tell_the_environment() {
        check(
            r#"{"round":{"message":"/no-such/usr/b","parameters":["/no-such/usr/b","/no-such/tmp/a"]}}"#,
            r#"{"round":{"message":"{env}/b","parameters":["/no-such/usr/b","{tmp}/a"]}}"#,
        );
        check(
            r#"{"run":{"environment":{"axes":{"/no-such/usr/b":"/no-such/usr/b"}}}}"#,
            r#"{"run":{"environment":{"axes":{"/no-such/usr/b":"/no-such/usr/b"}}}}"#,
        );
        // Of the same names elsewhere.
        check(r#"{"plan":{"parameters":"/no-such/usr/b"}}"#, r#"{"plan":{"parameters":"{env}/b"}}"#);
    }
}
