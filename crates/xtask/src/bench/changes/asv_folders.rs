//! Values of asv's result folders, for their noise: no more of the format than that takes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

/// A series as asv keeps it: machine, environment, benchmark, version, and the number of the parameter combination.
type Key = (String, String, String, String, usize);

/// Returns the values of each series with at least `least` of them, oldest first; nothing where there is no such folder.
///
/// # Errors
/// The folder cannot be listed.
pub(in crate::bench) fn series(folder: &Path, least: usize) -> Result<Vec<Vec<f64>>> {
    let mut found: BTreeMap<Key, Vec<(i64, f64)>> = BTreeMap::new();
    for machine in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        for file in entries(&machine)? {
            take_in(&file, &mut found);
        }
    }
    let values = |mut dated: Vec<(i64, f64)>| {
        dated.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        dated.into_iter().map(|(_, value)| value).collect::<Vec<f64>>()
    };
    Ok(found.into_values().filter(|dated| dated.len() >= least).map(values).collect())
}

/// Returns what is in a folder, by name; nothing where there is none.
///
/// # Errors
/// It cannot be listed.
pub(in crate::bench) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let Ok(read) = fs::read_dir(folder) else { return Ok(vec![]) };
    let paths = read.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>();
    let mut paths = paths.with_context(|| format!("cannot list `{}`", folder.display()))?;
    paths.sort();
    Ok(paths)
}

/// What cannot be read has no noise to give.
fn take_in(file: &Path, found: &mut BTreeMap<Key, Vec<(i64, f64)>>) {
    let Some(document) = document(file) else { return };
    let (Some(date), Some(results)) = (document["date"].as_i64(), document["results"].as_object()) else { return };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let machine = text(&document["params"]["machine"]);
    for (benchmark, row) in results {
        // A list is a row of columns, an object one of the older format; a bare number is one value.
        let (values, version) = match row {
            Value::Array(columns) => (columns.first(), columns.get(2).map(text)),
            Value::Object(fields) => (fields.get("result"), None),
            _ => (Some(row), None),
        };
        let version = version.unwrap_or_else(|| text(&document["benchmark_version"][benchmark]));
        let values =
            values.map_or(&[][..], |values| values.as_array().map_or(std::slice::from_ref(values), Vec::as_slice));
        for (index, value) in values.iter().enumerate() {
            let Some(value) = value.as_f64().filter(|value| value.is_finite()) else { continue };
            let key = (machine.clone(), text(&document["env_name"]), benchmark.clone(), version.clone(), index);
            found.entry(key).or_default().push((date, value));
        }
    }
}

fn document(file: &Path) -> Option<Value> {
    let text = fs::read_to_string(file).ok()?;
    // What asv writes for numbers that are none is no JSON.
    let text = ["-Infinity", "Infinity", "NaN"].iter().fold(text, |text, word| text.replace(word, "null"));
    serde_json::from_str(&text).ok()
}
