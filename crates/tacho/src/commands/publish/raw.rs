//! The raw files: records, and what asv wrote, at addresses that stay the same.

use std::path::Path;

use tacho_store::{AsvResults, StagedSite};

use super::told;
use crate::context::Context;
use crate::error::Result;
use crate::settings::Settings;

/// Copies records and asv's result files. A record that is still being written is left out: it will have another name.
pub(super) fn copy(settings: &Settings, context: &Context<'_>, staged: &mut StagedSite<'_>) -> Result<()> {
    let store = context.store(Some(settings));
    let (records, _) = store.files()?;
    let root = store.root().join("records");
    for record in records.iter().filter(|path| path.extension().is_some_and(|end| end != "open")) {
        copy_one(record, &root, "raw/records", Some("tacho.record/1"), staged)?;
    }
    let folder =
        settings.asv_results.value.as_ref().map(|folder| settings.path(folder)).filter(|folder| folder.is_dir());
    let Some(folder) = folder else { return Ok(()) };
    let files = AsvResults::open(&folder)?.files()?;
    for file in &files {
        copy_one(&file.path, &folder, "raw/asv", None, staged)?;
    }
    let mut beside: Vec<_> = files.iter().filter_map(|file| Some(file.path.parent()?.join("machine.json"))).collect();
    beside.sort();
    beside.dedup();
    beside.push(folder.join("benchmarks.json"));
    beside.iter().filter(|path| path.is_file()).try_for_each(|path| copy_one(path, &folder, "raw/asv", None, staged))
}

fn copy_one(path: &Path, root: &Path, below: &str, schema: Option<&str>, staged: &mut StagedSite<'_>) -> Result<()> {
    // What lies elsewhere, or has a name that is no text, has no address.
    let Some(inner) = path.strip_prefix(root).ok().and_then(Path::to_str) else { return Ok(()) };
    staged.copy(&format!("{below}/{inner}"), path, schema).map_err(told)
}
