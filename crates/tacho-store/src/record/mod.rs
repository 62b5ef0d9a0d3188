//! Records: one file per run, JSON Lines, written round by round and sealed at the end.

mod reader;
mod reopened;
mod writer;

use std::path::{Path, PathBuf};

use crate::{StoreError, wire};

pub use reader::Record;
pub(crate) use reader::{Header, is_sealed, read, read_header};
pub use reopened::Reopened;
pub(crate) use reopened::{clear_up, reopen};
pub(crate) use writer::Draft;
pub use writer::{RecordWriter, as_kept};

/// How a record is kept, by the end of its name.
///
/// The order is from least to most certain: where a record is there in two forms, the last counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// Lines may still be added, or the run was interrupted.
    Open,
    /// Sealed lines that nobody compressed, or that somebody unpacked.
    Plain,
    /// Sealed and compressed.
    Compressed,
}

impl Form {
    const ALL: [Form; 3] = [Form::Open, Form::Plain, Form::Compressed];

    /// Returns the form that a file's name tells; `None` where it is not the name of a record.
    pub(crate) fn of(path: &Path) -> Option<Form> {
        Form::split(path).map(|(_, form)| form)
    }

    /// Returns a record's name without its ending, and its form; `None` where it is not the name of a record.
    pub(crate) fn split(path: &Path) -> Option<(&str, Form)> {
        let name = path.file_name()?.to_str().filter(|name| !name.starts_with('.'))?;
        Form::ALL.into_iter().find_map(|form| Some((name.strip_suffix(form.ending())?, form)))
    }

    fn ending(self) -> &'static str {
        match self {
            Form::Open => ".jsonl.open",
            Form::Plain => ".jsonl",
            Form::Compressed => ".jsonl.zst",
        }
    }
}

/// Returns the path of the compressed form of an open record.
pub(crate) fn compressed_path(open: &Path) -> PathBuf {
    open.with_extension("zst")
}

/// Refuses a schema that this version does not read; `family` is the schema without its version.
pub(crate) fn check_schema(
    path: &Path,
    kind: &'static str,
    found: &str,
    known: &'static str,
) -> Result<(), StoreError> {
    let (family, known_version) = known.split_once('/').unwrap_or((known, "1"));
    let version = found.strip_prefix(family).and_then(|rest| rest.strip_prefix('/'));
    let number: Option<u64> = version.and_then(|version| version.parse().ok());
    match (number, known_version.parse().ok()) {
        _ if found == known => Ok(()),
        (Some(found_number), Some(known_number)) if found_number > known_number => {
            Err(StoreError::Newer { path: path.to_owned(), found: found.to_owned(), known })
        }
        _ => Err(StoreError::NotOurs {
            path: path.to_owned(),
            kind,
            why: format!("its schema is `{found}` and not `{known}`"),
        }),
    }
}

/// Refuses a record whose schema this version does not read.
fn check_record_schema(path: &Path, found: &str) -> Result<(), StoreError> {
    check_schema(path, "record", found, wire::RECORD_SCHEMA)
}
