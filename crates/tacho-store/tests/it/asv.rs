//! Results of asv for tests: a folder of its own, and the text of a result file.

use std::path::{Path, PathBuf};

use tacho_model::Results;
use tacho_store::{AsvResults, StoreError, read_asv_file};

/// The columns that asv 0.6 writes.
pub(crate) const COLUMNS: &str = r#"["result", "params", "version", "started_at", "duration", "stats_ci_99_a",
    "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"]"#;

/// A results folder, which goes away with this.
pub(crate) struct AsvFolder {
    folder: tempfile::TempDir,
}

impl AsvFolder {
    pub(crate) fn new() -> AsvFolder {
        AsvFolder { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Puts a file into the folder, with the folders above it.
    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn open(&self) -> AsvResults {
        AsvResults::open(self.root()).unwrap()
    }

    /// Returns the error and its causes with this folder as `[root]`.
    pub(crate) fn text_of(&self, error: &StoreError) -> String {
        error.line().replace(self.root().to_str().unwrap(), "[root]")
    }
}

/// Returns a file of format version 2 with these results, an object by benchmark.
pub(crate) fn version_2(results: &str) -> String {
    format!(
        r#"{{"commit_hash": "0123abcd0123abcd0123abcd0123abcd0123abcd", "env_name": "virtualenv-py3.11",
            "date": 1700000000000, "params": {{"machine": "m", "python": "3.11"}}, "python": "3.11",
            "requirements": {{}}, "env_vars": {{}}, "result_columns": {COLUMNS}, "results": {results},
            "durations": {{}}, "version": 2}}"#
    )
}

/// Reads the text of a result file that lies alone.
pub(crate) fn read_text(text: &str) -> Result<Results, StoreError> {
    let folder = AsvFolder::new();
    read_asv_file(&folder.put("m/0123abcd-virtualenv-py3.11.json", text), "example")
}

/// Reads a file of format version 2 with these results.
pub(crate) fn read_results(results: &str) -> Results {
    read_text(&version_2(results)).unwrap()
}
