//! `machine.json`: the machine whose results lie beside it.

use std::path::Path;

use serde_json::Value;
use tacho_model::Machine;

use super::{exported, python_json};
use crate::StoreError;
use crate::machines::asv_facts;

/// Reads the file; `None` where there is none. A machine whose entry has no name gets none.
pub(super) fn read(path: &Path) -> Result<Option<Machine>, StoreError> {
    let bytes = match python_json::read(path) {
        Err(error) if error.is_not_found() => return Ok(None),
        result => result?,
    };
    let value: Value =
        serde_json::from_slice(&bytes).map_err(|source| StoreError::BadJson { path: path.to_owned(), source })?;
    let Value::Object(mut fields) = value else {
        let why = "it is no object".to_owned();
        return Err(StoreError::NotOurs { path: path.to_owned(), kind: "machine file of asv", why });
    };
    fields.remove(exported::KEY);
    match fields.remove("version").map(|version| version.as_u64()) {
        Some(Some(version)) if version > 1 => {
            let found = format!("version {version} of asv's machine file");
            Err(StoreError::Newer { path: path.to_owned(), found, known: "version 1" })
        }
        _ => {
            let name = fields.get("machine").and_then(Value::as_str).unwrap_or_default().to_owned();
            Ok(Some(Machine { name, facts: asv_facts(fields) }))
        }
    }
}
