//! Single files that the user names: a record, or a result file of asv's.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use tacho_model::Results;
use tacho_store::StoreError;

use super::{Library, Whole};
use crate::error::{CommandError, Result};

impl Library<'_> {
    /// Reads a file that the user named.
    pub(crate) fn read_file(&self, path: &Path) -> Result<Results> {
        if is_json(path) {
            let read = tacho_store::read_asv_file(path, self.project());
            return Ok(self.declared(read.map_err(|error| unreadable(&error))?));
        }
        Ok(self.results_of(self.read_record(path)?))
    }

    /// Reads a file that the user named, to be shown.
    pub(crate) fn whole_file(&self, path: &Path) -> Result<Whole> {
        if is_json(path) {
            let read = tacho_store::read_asv_file_timed(path, self.project());
            return Ok(self.whole_of_asv(read.map_err(|error| unreadable(&error))?));
        }
        let run = self.read_record(path)?;
        let (outcomes, times) = (tacho_judge::outcomes(&run), tacho_judge::benchmark_times(&run));
        Ok(Whole { run, outcomes, times, by_asv: false })
    }
}

impl Library<'_> {
    /// Returns how many files there are.
    pub(crate) fn n_files(&self) -> usize {
        self.entries.len() + self.asv_files.len()
    }

    /// Returns the project's index, which need not be there.
    pub(crate) fn index(&self) -> PathBuf {
        self.store.root().join("cache").join("index").join("index.sqlite")
    }

    /// Tells whether a file, named from the project's folder, still has this size and time.
    pub(crate) fn is_unchanged(&self, name: &str, n_bytes: u64, mtime_ns: i64) -> bool {
        let path = self.settings.map_or_else(|| PathBuf::from(name), |settings| settings.root.join(name));
        let Ok(metadata) = path.metadata() else { return false };
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let time_ns = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default();
        (metadata.len(), time_ns) == (n_bytes, mtime_ns)
    }
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// The error for a file that the user named.
fn unreadable(error: &StoreError) -> CommandError {
    if error.is_foreign() {
        return CommandError::new(error.line())
            .hint("a file is a record (`.jsonl`, `.jsonl.zst`, `.jsonl.open`) or a result file of asv's (`.json`)");
    }
    CommandError::of_record(error)
}
