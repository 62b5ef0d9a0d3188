//! What can go wrong with files that are kept, each with the path and what is wrong there.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// What can go wrong when something is kept or found.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {verb} `{}`", path.display())]
    Io {
        /// What was tried: `read`, `write`, `create`, …
        verb: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it was refused.
        source: io::Error,
    },
    /// The file is something else.
    #[error("`{}` is not a {kind}: {why}", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What it should be: `record`, `machine file`, …
        kind: &'static str,
        /// What gives it away.
        why: String,
    },
    /// A newer version of Tachograph wrote the file.
    #[error("`{}` is written in `{found}`, and this version of tacho reads up to `{known}`: update tacho", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The schema it names.
        found: String,
        /// The newest schema that can be read.
        known: &'static str,
    },
    /// The file ends too early, and its name says that it should not.
    #[error("`{}` is cut short: it ends {place}", path.display())]
    CutShort {
        /// The file.
        path: PathBuf,
        /// Where it ends.
        place: &'static str,
    },
    /// A line is no line of a record.
    #[error("cannot read line {line} of `{}`", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong in it.
        source: serde_json::Error,
    },
    /// The file is damaged, or was cut short: no JSON. The cause has the line and the column.
    #[error("cannot read `{}`", path.display())]
    BadJson {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: serde_json::Error,
    },
    /// A small file describes more than fits into memory.
    #[error("`{}` is refused: {what}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What would not fit.
        what: String,
    },
    /// A line can be read and makes no sense.
    #[error("line {line} of `{}` makes no sense: {what}", path.display())]
    Misfit {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The number of rounds is not the one that was sealed.
    #[error("`{}` was changed after it was sealed: {found} rounds instead of {sealed}", path.display())]
    WrongCount {
        /// The file.
        path: PathBuf,
        /// The number in the seal.
        sealed: u64,
        /// The number of round lines.
        found: u64,
    },
    /// The bytes are not those that were sealed.
    #[error("`{}` was changed after it was sealed: SHA-256 is `{found}` instead of `{sealed}`", path.display())]
    WrongDigest {
        /// The file.
        path: PathBuf,
        /// The digest in the seal.
        sealed: String,
        /// The digest of the bytes before the seal.
        found: String,
    },
    /// There is a record of that name already; it is left alone.
    #[error("`{}` exists already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file says what a record says that is at hand.
    #[error("`{}` was exported from the run {run_id}, whose record is here", path.display())]
    Exported {
        /// The file.
        path: PathBuf,
        /// The run.
        run_id: String,
    },
    /// Somebody else is writing the record.
    #[error("`{}` is being written by another process", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The value must not be stored.
    #[error("cannot store {what}")]
    Refused {
        /// The value and why.
        what: String,
    },
}

impl StoreError {
    /// Returns the error and its causes as one line, for lists of unreadable files.
    pub fn line(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text.push_str(&format!(": {error}"));
            cause = error.source();
        }
        text
    }

    /// Returns true where the file is nothing that was ever meant to be read here, or says nothing new: callers may leave it out.
    pub fn is_foreign(&self) -> bool {
        matches!(self, StoreError::NotOurs { .. } | StoreError::Exported { .. })
    }

    /// Returns true where there is no such file.
    pub(crate) fn is_not_found(&self) -> bool {
        matches!(self, StoreError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// Returns a closure for `map_err` that says what was tried with which file.
    pub(crate) fn io(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Io { verb, path, source }
    }
}

/// A value that does not fit its twin in a file or its noun; the caller adds where it stands.
#[derive(Debug)]
pub(crate) struct Misfit(pub(crate) String);

impl From<Misfit> for StoreError {
    fn from(misfit: Misfit) -> StoreError {
        StoreError::Refused { what: misfit.0 }
    }
}
