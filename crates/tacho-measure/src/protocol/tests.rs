//! The golden transcripts, read as this side reads and writes them.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::*;

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol/golden");
    let entries = std::fs::read_dir(folder).expect("the transcripts are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    assert!(paths.len() >= 6, "{paths:?}");
    paths
}

/// Returns the lines of a transcript as (who, line).
fn lines(path: &Path) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(path).expect("readable");
    let parsed = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("one JSON object a line"));
    let said = parsed.filter(|line| line.get("from").is_some());
    said.map(|line| (line["from"].as_str().expect("a word").to_owned(), line["line"].clone())).collect()
}

/// Puts something of the right kind in the place of what differs between machines.
fn filled(value: Value, key: &str) -> Value {
    match value {
        Value::String(text) if text == "$ANY" => stand_in(key),
        Value::Array(items) => Value::Array(items.into_iter().map(|item| filled(item, key)).collect()),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name.clone(), filled(value, &name))).collect(),
        other => other,
    }
}

fn stand_in(key: &str) -> Value {
    let is_number =
        ["_ns", "_s", "_bytes"].iter().any(|unit| key.ends_with(unit)) || ["pid", "line", "number"].contains(&key);
    match key {
        "packages" | "build" | "observed" => serde_json::json!({}),
        "problems" | "reasons" => serde_json::json!([]),
        "values" => serde_json::json!(1.5),
        "safe" => serde_json::json!(true),
        _ if is_number => serde_json::json!(1),
        _ => serde_json::json!("any"),
    }
}

#[test]
fn every_request_is_written_exactly_so() {
    let mut n_requests = 0;
    for path in transcripts() {
        for (_, line) in lines(&path).into_iter().filter(|(from, _)| from == "tacho") {
            // Transcripts also hold what no tacho would send, to pin the answer.
            let Ok(request) = serde_json::from_value::<Request>(line.clone()) else { continue };
            let written = serde_json::to_value(&request).expect("writes");
            assert_eq!(written, line, "{}", path.display());
            n_requests += 1;
        }
    }
    assert!(n_requests > 20, "{n_requests} requests");
}

#[test]
fn every_reply_is_read_whole() {
    let mut kinds = std::collections::BTreeSet::new();
    for path in transcripts() {
        for (_, line) in lines(&path).into_iter().filter(|(from, _)| from == "runner") {
            let line = filled(line, "");
            let reply: Reply = serde_json::from_value(line.clone())
                .unwrap_or_else(|error| panic!("{}: {error} in {line}", path.display()));
            kinds.insert(reply.word());
            let again = serde_json::to_value(&reply).expect("writes");
            for (name, value) in line.as_object().expect("an object") {
                assert!(same(&again[name], value), "{}: `{name}` is lost from {line}", path.display());
            }
        }
    }
    assert_eq!(kinds.len(), 12, "all kinds of reply occur: {kinds:?}");
}

/// Equal, with 1 and 1.0 the same number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, value)| b.get(name).is_some_and(|b| same(value, b)))
        }
        _ => a == b,
    }
}
