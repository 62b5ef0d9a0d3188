//! What can go wrong with the index or with a question.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// What can go wrong with the index, or with a question to it.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The file cannot be made, read or written.
    #[error("cannot use the index `{}`", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// Why not.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process writes to the index, and went on for too long.
    #[error("the index `{}` is being written by another process", path.display())]
    InUse {
        /// The index.
        path: PathBuf,
    },
    /// SQLite does not understand the question.
    #[error("{message}{}", pointed(sql, *offset))]
    Sql {
        /// SQLite's words.
        message: String,
        /// The question.
        sql: String,
        /// The byte where the trouble is, where SQLite tells.
        offset: Option<usize>,
    },
    /// The question would change something.
    #[error("the statement does more than read the index")]
    Refused,
    /// There is more than one statement.
    #[error("one statement is answered at a time")]
    Several,
    /// There is nothing but white space and comments.
    #[error("there is no statement to answer")]
    Nothing,
    /// It took too long.
    #[error("no answer within {seconds} s")]
    TooSlow {
        /// The limit.
        seconds: f64,
    },
    /// It took too much memory, or gave a text that is too long.
    #[error("the answer takes more memory than is allowed: {message}")]
    TooLarge {
        /// SQLite's words.
        message: String,
    },
    /// The receiver of the rows could not go on.
    #[error(transparent)]
    Receiver(#[from] std::io::Error),
}

impl QueryError {
    /// Returns true where the place of the index cannot be written at all.
    pub fn is_unwritable(&self) -> bool {
        let QueryError::Index { source, .. } = self else { return false };
        if let Some(error) = source.downcast_ref::<std::io::Error>() {
            use std::io::ErrorKind::{AlreadyExists, NotADirectory, PermissionDenied, ReadOnlyFilesystem};
            return matches!(error.kind(), AlreadyExists | NotADirectory | PermissionDenied | ReadOnlyFilesystem);
        }
        let error = source.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code);
        matches!(error, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied))
    }

    /// Returns true where the index is found damaged.
    pub fn is_damage(&self) -> bool {
        let QueryError::Index { source, .. } = self else { return false };
        source.downcast_ref::<rusqlite::Error>().is_some_and(crate::index::is_damage)
    }

    pub(crate) fn index(path: &Path) -> impl Fn(rusqlite::Error) -> QueryError {
        let path = path.to_owned();
        move |error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => QueryError::InUse { path: path.clone() },
            _ => QueryError::Index { path: path.clone(), source: error.into() },
        }
    }

    pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> QueryError {
        let path = path.to_owned();
        move |error| QueryError::Index { path: path.clone(), source: error.into() }
    }
}

/// Returns the line of the question that the trouble is in, with a mark below the place.
fn pointed(sql: &str, offset: Option<usize>) -> String {
    let Some(offset) = offset.filter(|offset| sql.is_char_boundary(*offset)) else { return String::new() };
    let start = sql[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = sql[start..].lines().next().unwrap_or_default();
    let before = sql[start..offset].chars().count();
    format!("\n    {line}\n    {}^", " ".repeat(before))
}
