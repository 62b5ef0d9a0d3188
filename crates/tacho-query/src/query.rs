//! Questions: one read-only statement, its rows one at a time.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{Error, ErrorCode, Row};
use tacho_model::Datum;

use crate::{QueryError, guard, sql_text};

/// How far an answer may go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// How long it may take, in seconds; `None` without a limit.
    pub seconds: Option<f64>,
    /// How many rows; `None` without a limit.
    pub rows: Option<usize>,
}

/// Answers a question from the index at `path`. `columns` is called once with the names of the columns, then `row` for each
/// row. Returns true where there were more rows than the limit.
///
/// # Errors
/// The statement is none, is not understood, would write, takes too long or too much memory; or the receiver failed.
pub fn query(
    path: &Path,
    sql: &str,
    limits: &Limits,
    columns: impl FnOnce(Vec<String>) -> std::io::Result<()>,
    mut row: impl FnMut(Vec<Datum>) -> std::io::Result<()>,
) -> Result<bool, QueryError> {
    let mut connection = guard::reader(path).map_err(QueryError::index(path))?;
    let limit = limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    if let Some(deadline) = limit.and_then(|limit| Instant::now().checked_add(limit)) {
        guard::end_at(&mut connection, deadline).map_err(QueryError::index(path))?;
    }
    let question = Question { sql, quoted: sql_text::quoted(sql), seconds: limits.seconds.unwrap_or_default(), path };
    let mut statement = connection.prepare(&question.quoted.sql).map_err(|error| question.told(error))?;
    if !statement.readonly() || statement.column_count() == 0 {
        return Err(QueryError::Refused);
    }
    let n_columns = statement.column_count();
    columns(statement.column_names().map(str::to_owned).collect())?;
    let mut rows = statement.raw_query();
    let mut n_rows = 0;
    while let Some(found) = rows.next().map_err(|error| question.told(error))? {
        if limits.rows.is_some_and(|limit| n_rows >= limit) {
            return Ok(true);
        }
        n_rows += 1;
        row(data(found, n_columns).map_err(|error| question.told(error))?)?;
    }
    Ok(false)
}

struct Question<'a> {
    sql: &'a str,
    quoted: sql_text::Quoted,
    seconds: f64,
    path: &'a Path,
}

impl Question<'_> {
    fn told(&self, error: Error) -> QueryError {
        match error {
            Error::MultipleStatement => QueryError::Several,
            Error::SqlInputError { error, msg, offset, .. }
                if error.code != ErrorCode::AuthorizationForStatementDenied =>
            {
                let offset = usize::try_from(offset).ok().map(|offset| self.quoted.original(offset));
                QueryError::Sql { message: msg, sql: self.sql.to_owned(), offset }
            }
            error => self.of_code(error),
        }
    }

    fn of_code(&self, error: Error) -> QueryError {
        let message = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => QueryError::TooSlow { seconds: self.seconds },
            Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => QueryError::Refused,
            Some(ErrorCode::OutOfMemory | ErrorCode::TooBig) => QueryError::TooLarge { message },
            _ if message.starts_with("SQL is empty") => QueryError::Nothing,
            Some(ErrorCode::Unknown) | None => QueryError::Sql { message, sql: self.sql.to_owned(), offset: None },
            Some(_) => QueryError::index(self.path)(error),
        }
    }
}

fn data(row: &Row<'_>, n_columns: usize) -> rusqlite::Result<Vec<Datum>> {
    (0..n_columns).map(|at| row.get_ref(at).map(datum)).collect()
}

fn datum(value: ValueRef<'_>) -> Datum {
    match value {
        ValueRef::Null => Datum::Null,
        ValueRef::Integer(whole) => Datum::Integer(whole),
        ValueRef::Real(number) => Datum::Real(number),
        ValueRef::Text(text) => Datum::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Datum::Bytes(bytes.to_vec()),
    }
}
