//! What an index was made from, in one word: where it is the same, so are all answers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use rusqlite::Connection;

use crate::{QueryError, guard};

/// Returns a digest of all files that the index was made from, as they were, and of the order of history.
///
/// # Errors
/// The index cannot be read.
pub fn made_from(path: &Path) -> Result<String, QueryError> {
    let read = || {
        let connection = guard::snapshot(path)?;
        let mut hasher = DefaultHasher::new();
        hash(
            &connection,
            "SELECT path, n_bytes || ' ' || mtime_ns || ' ' || beside FROM sources ORDER BY path",
            &mut hasher,
        )?;
        hash(&connection, "SELECT name, value FROM facts_of_index ORDER BY name", &mut hasher)?;
        Ok(format!("{:016x}", hasher.finish()))
    };
    read().map_err(QueryError::index(path))
}

fn hash(connection: &Connection, sql: &str, hasher: &mut DefaultHasher) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        row.get_ref(0)?.as_str().unwrap_or_default().hash(hasher);
        row.get_ref(1)?.as_str().unwrap_or_default().hash(hasher);
    }
    Ok(())
}
