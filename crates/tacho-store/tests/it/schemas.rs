//! The published schemas are those of the types; `TACHO_UPDATE_SCHEMAS=1` writes them anew.

use std::path::Path;

use tacho_store::{machine_schema, machines_schema, record_schema};

fn check(name: &str, schema: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats").join(name);
    if std::env::var_os("TACHO_UPDATE_SCHEMAS").is_some_and(|value| value == "1") {
        std::fs::write(&path, schema).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(published, schema, "docs/formats/{name} is not that of the types: set TACHO_UPDATE_SCHEMAS=1");
}

#[test]
fn published_schemas_are_those_of_the_types() {
    check("record.schema.json", &record_schema());
    check("machine.schema.json", &machine_schema());
    check("machines.schema.json", &machines_schema());
}
