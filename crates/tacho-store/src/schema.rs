//! The JSON Schemas of what is kept, made from the types that read and write it.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use crate::machines::{MachineFile, MachinesFile};
use crate::wire::{Header, Line};

/// One line of a record: the header, or any later line.
#[derive(JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "tacho.record/1")]
#[allow(dead_code, clippy::large_enum_variant, reason = "only its schema is used")]
enum AnyLine {
    Header(Header),
    Line(Line),
}

/// Returns the JSON Schema of a line of a record.
pub fn record_schema() -> String {
    text::<AnyLine>()
}

/// Returns the JSON Schema of `machine.json`.
pub fn machine_schema() -> String {
    text::<MachineFile>()
}

/// Returns the JSON Schema of `machines.json`.
pub fn machines_schema() -> String {
    text::<MachinesFile>()
}

fn text<T: JsonSchema>() -> String {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    format!("{:#}\n", schema.as_value())
}
