//! A file as it was: whether it is still the same is told without reading it.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A file by its path, size and time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStamp {
    /// Its path, links followed.
    pub(super) path: PathBuf,
    size_bytes: u64,
    modified_s: i64,
    modified_ns: i64,
}

impl FileStamp {
    /// Returns the stamp of the file behind all links; `None` where there is none.
    pub(super) fn of(path: &Path) -> Option<FileStamp> {
        let path = path.canonicalize().ok()?;
        let meta = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
        Some(FileStamp { size_bytes: meta.size(), modified_s: meta.mtime(), modified_ns: meta.mtime_nsec(), path })
    }

    /// Returns true where the file is there, unchanged.
    pub(super) fn holds(&self) -> bool {
        FileStamp::of(&self.path).as_ref() == Some(self)
    }

    /// Returns it as a part of a key.
    pub(super) fn words(&self) -> String {
        let FileStamp { path, size_bytes, modified_s, modified_ns } = self;
        format!("{} {size_bytes} {modified_s}.{modified_ns}", path.display())
    }
}
