//! `machine.json` beside the results.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value, json};
use tacho_model::Machine;

use super::Owner;
use crate::StoreError;
use crate::asv_results::exported::KEY;

/// The facts that asv knows. Others would part its graphs.
pub(super) const FACTS: [&str; 5] = ["arch", "cpu", "num_cpu", "os", "ram"];

/// Returns the file's bytes.
pub(super) fn bytes(machine: &Machine) -> Result<Vec<u8>, StoreError> {
    let mut file: BTreeMap<String, Value> = facts(machine).collect();
    file.insert("machine".into(), Value::from(machine.name.as_str()));
    file.insert("version".into(), json!(1));
    file.insert(KEY.into(), json!({}));
    pretty(&file)
}

/// Returns asv's facts of the machine; an empty text is how asv says that it does not know.
pub(super) fn facts(machine: &Machine) -> impl Iterator<Item = (String, Value)> + '_ {
    FACTS.into_iter().map(|name| (name.to_owned(), Value::from(machine.facts.get(name).map_or("", String::as_str))))
}

/// Tells whether the file is somebody else's, and about the machine of that name.
pub(super) fn is_of(path: &Path, machine: &str) -> bool {
    owner(path) == Owner::SomebodyElse
        && read(path).is_some_and(|file| file.get("machine").and_then(Value::as_str) == Some(machine))
}

/// Returns whose the file is.
pub(super) fn owner(path: &Path) -> Owner {
    match read(path) {
        Some(file) if file.contains_key(KEY) => Owner::Ours,
        None if !path.exists() => Owner::Nobody,
        _ => Owner::SomebodyElse,
    }
}

fn read(path: &Path) -> Option<Map<String, Value>> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Writes an object as asv does where people may read it: entries by name, four spaces deep.
pub(super) fn pretty(entries: &BTreeMap<String, Value>) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    let written = entries.serialize(&mut serializer);
    written.map_err(|error| StoreError::Refused { what: format!("a file of asv's: {error}") })?;
    Ok(bytes)
}
