//! The folder that a run works in: removed at its end, and by a later run where it could not be.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::TempDir;

use crate::error::Result;

const PREFIX: &str = "tacho-run-";
const LOCK: &str = "in-use";

/// An empty folder. Whoever cannot take its lock leaves it alone.
pub(crate) struct Scratch {
    path: PathBuf,
    _folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes a folder, and removes those of runs that were killed.
    pub(crate) fn new() -> Result<Scratch> {
        let parent = std::env::temp_dir();
        sweep(&parent);
        Ok(made(&parent).with_context(|| format!("cannot make a scratch folder in `{}`", parent.display()))?)
    }

    /// Returns the folder's path, links followed: programs tell it so.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn made(parent: &Path) -> std::io::Result<Scratch> {
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
    let lock = File::create_new(folder.path().join(LOCK))?;
    lock.lock()?;
    Ok(Scratch { path: folder.path().canonicalize()?, _folder: folder, _lock: lock })
}

/// The system lets go of a lock with its process, whatever ended that, in whatever container it was.
fn sweep(parent: &Path) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX)
            && let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
