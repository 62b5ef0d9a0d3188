//! The machines a user measures on: the user's own file, asv's, and the copy beside the records.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tacho_model::{Machine, RAM_FACT, ram_text};

use crate::record::check_schema;
use crate::{StoreError, atomic};

const MACHINES_SCHEMA: &str = "tacho.machines/1";
const MACHINE_SCHEMA: &str = "tacho.machine/1";

/// The user's machines by name, as they stand in `machines.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Machines {
    by_name: BTreeMap<String, Machine>,
}

/// The user's machines: `machines.json` in the user's configuration folder.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct MachinesFile {
    /// The format and its version: `tacho.machines/1`.
    schema: String,
    /// The facts of each machine, as texts, by the machine's name.
    machines: BTreeMap<String, BTreeMap<String, String>>,
}

/// One machine: `machine.json` beside its records.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct MachineFile {
    /// The format and its version: `tacho.machine/1`.
    schema: String,
    /// The machine's declared name.
    name: String,
    /// Its facts by name, as texts.
    facts: BTreeMap<String, String>,
}

impl Machines {
    /// Reads the user's machines; a file that does not exist holds none.
    pub fn load(path: &Path) -> Result<Machines, StoreError> {
        let Some(file) = read_json::<MachinesFile>(path, MACHINES_SCHEMA)? else {
            return Ok(Machines::default());
        };
        let MachinesFile { schema: _, machines } = file;
        let machine = |(name, facts): (String, _)| (name.clone(), Machine { name, facts });
        Ok(Machines { by_name: machines.into_iter().map(machine).collect() })
    }

    /// Returns the machine of that name.
    pub fn get(&self, name: &str) -> Option<&Machine> {
        self.by_name.get(name)
    }

    /// Returns all machines by name.
    pub fn iter(&self) -> impl Iterator<Item = &Machine> {
        self.by_name.values()
    }

    /// Adds a machine, or replaces the one of that name.
    pub fn insert(&mut self, machine: Machine) {
        self.by_name.insert(machine.name.clone(), machine);
    }

    /// Writes the user's machines, whole or not at all; makes the folder where it is missing.
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        if let Some(folder) = path.parent() {
            atomic::create_folder(folder)?;
        }
        let facts = |machine: &Machine| {
            let Machine { name, facts } = machine;
            (name.clone(), facts.clone())
        };
        let machines = self.iter().map(facts).collect();
        atomic::replace(path, &json_of(&MachinesFile { schema: MACHINES_SCHEMA.to_owned(), machines })?)
    }
}

/// Returns what asv's machine file (`~/.asv-machine.json`) says of this host: the entry of its name, or
/// the only entry where no other name fits (asv's rule); `None` without a file or a fitting entry.
pub fn asv_machine(path: &Path, host_name: &str) -> Result<Option<Machine>, StoreError> {
    let Some(text) = read_text(path)? else { return Ok(None) };
    let foreign = |why: String| StoreError::NotOurs { path: path.to_owned(), kind: "machine file of asv", why };
    let mut file: BTreeMap<String, Value> = serde_json::from_str(&text).map_err(|error| foreign(error.to_string()))?;
    match file.remove("version") {
        Some(version) if version == 1 => {}
        Some(version) => return Err(foreign(format!("its version is {version} and not 1"))),
        None => return Err(foreign("it names no version".to_owned())),
    }
    let only = if file.len() == 1 { file.keys().next().cloned() } else { None };
    let name = if file.contains_key(host_name) { Some(host_name.to_owned()) } else { only };
    let Some((name, entry)) = name.and_then(|name| file.remove_entry(&name)) else { return Ok(None) };
    match entry {
        Value::Object(fields) => Ok(Some(Machine { facts: asv_facts(fields), name })),
        _ => Err(foreign(format!("its entry `{name}` is no object"))),
    }
}

/// Writes one machine's file, unless it says the same already.
pub(crate) fn write_machine(path: &Path, machine: &Machine) -> Result<(), StoreError> {
    let Machine { name, facts } = machine;
    let file = MachineFile { schema: MACHINE_SCHEMA.to_owned(), name: name.clone(), facts: facts.clone() };
    let bytes = json_of(&file)?;
    if fs::read(path).is_ok_and(|found| found == bytes) { Ok(()) } else { atomic::replace(path, &bytes) }
}

/// Reads one machine's file; `None` where there is none.
pub(crate) fn read_machine(path: &Path) -> Result<Option<Machine>, StoreError> {
    let file = read_json::<MachineFile>(path, MACHINE_SCHEMA)?;
    Ok(file.map(|MachineFile { schema: _, name, facts }| Machine { name, facts }))
}

// Old versions of asv wrote the kilobytes that Linux tells. In bytes it would be less than any machine that
// measures has; in kilobytes it is up to 256 GiB.
const LEAST_RAM_BYTES: u64 = 1 << 28;

/// Returns what asv says of a machine as facts. An empty text is how asv writes that it does not know.
pub(crate) fn asv_facts(fields: serde_json::Map<String, Value>) -> BTreeMap<String, String> {
    let fact = |(name, value): (String, Value)| {
        let text = match value {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let text = if name == RAM_FACT { asv_ram_text(&text) } else { text };
        (name != "machine" && !text.is_empty()).then_some((name, text))
    };
    fields.into_iter().filter_map(fact).collect()
}

fn asv_ram_text(raw: &str) -> String {
    match raw.trim().parse::<u64>() {
        Ok(kilobytes) if kilobytes < LEAST_RAM_BYTES => ram_text(&(kilobytes * 1024).to_string()),
        _ => ram_text(raw),
    }
}

fn read_json<T: DeserializeOwned>(path: &Path, schema: &'static str) -> Result<Option<T>, StoreError> {
    let Some(text) = read_text(path)? else { return Ok(None) };
    let foreign = |why: String| StoreError::NotOurs { path: path.to_owned(), kind: "machine file", why };
    let value: Value = serde_json::from_str(&text).map_err(|error| foreign(error.to_string()))?;
    match value.get("schema").and_then(Value::as_str) {
        Some(found) => check_schema(path, "machine file", found, schema)?,
        None => return Err(foreign("it names no schema".to_owned())),
    }
    serde_json::from_value(value).map(Some).map_err(|error| foreign(error.to_string()))
}

fn read_text(path: &Path) -> Result<Option<String>, StoreError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io("read", path)(error)),
    }
}

fn json_of(file: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    let text = serde_json::to_string_pretty(file);
    let mut text = text.map_err(|error| StoreError::Refused { what: format!("a machine file: {error}") })?;
    text.push('\n');
    Ok(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expected: &str) {
        assert_eq!(asv_ram_text(raw), expected, "{raw}");
    }

    #[test]
    fn the_kilobytes_of_old_asv_are_not_taken_for_bytes() {
        check("16364592", "17GB");
        check("7110624", "7GB");
        check("134807384064", "135GB");
        check("1073741824", "1GB");
        check("16GB", "16GB");
        check("", "");
    }
}
