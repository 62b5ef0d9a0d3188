//! The folder that a run works in: removed at its end, and by the next run where it could not be.

use std::path::Path;

use anyhow::Context;
use tempfile::TempDir;

use crate::error::Result;

const PREFIX: &str = "tacho-run-";

/// Makes an empty folder, and removes those of runs that were killed.
pub(crate) fn folder() -> Result<TempDir> {
    let parent = std::env::temp_dir();
    sweep(&parent);
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let made = tempfile::Builder::new().prefix(&prefix).tempdir_in(&parent);
    Ok(made.with_context(|| format!("cannot make a scratch folder in `{}`", parent.display()))?)
}

/// Another user's folders cannot be removed, which is as it should be.
fn sweep(parent: &Path) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        let is_gone = process.is_some_and(|process| !Path::new(&format!("/proc/{process}")).exists());
        if is_gone && Path::new("/proc/self").exists() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
