//! What a question may do: read, for a while, with so much memory.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, Result};

use crate::functions;

/// What all of a question's work may take of memory, in bytes; what it sorts beyond goes to files.
const MOST_MEMORY_BYTES: i64 = 2 << 30;

/// The longest text or blob.
const LONGEST_BYTES: i32 = 64 << 20;

/// How long a question waits for a process that is just writing.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many steps of SQLite's machine pass between two looks at the clock: below a millisecond's worth.
const STEPS: i32 = 5_000;

/// Pragmas that only tell of the tables, and of whether somebody wrote to them.
const TELLING: [&str; 5] = ["table_info", "table_xinfo", "table_list", "index_list", "data_version"];

/// Opens an index so that nothing but reading is possible.
pub(crate) fn reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    plan_once(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cache_size", -64 * 1024)?;
    connection.query_row(&format!("PRAGMA hard_heap_limit = {MOST_MEMORY_BYTES}"), [], |_| Ok(()))?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_BYTES)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    functions::add(&connection)?;
    connection.authorizer(Some(permission))?;
    Ok(connection)
}

/// Opens an index for questions of our own, which are known to read only. Nobody who writes is waited for.
pub(crate) fn reader_of_ours(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::ZERO)?;
    plan_once(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Opens an index as it is now: what is read belongs together, and others that write wait until the connection is closed.
pub(crate) fn snapshot(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    plan_once(&connection)?;
    connection.pragma_update(None, "cache_size", -16 * 1024)?;
    connection.execute_batch("BEGIN")?;
    Ok(connection)
}

/// Keeps the plan of a statement, which SQLite else makes anew for other values of its parameters.
pub(crate) fn plan_once(connection: &Connection) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

fn permission(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Recursive | AuthAction::Read { .. } => Authorization::Allow,
        AuthAction::Function { function_name } if function_name != "load_extension" => Authorization::Allow,
        AuthAction::Pragma { pragma_name, .. } if TELLING.contains(&pragma_name) => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

/// Lets whatever the connection does end at a moment.
pub(crate) fn end_at(connection: &mut Connection, deadline: Instant) -> Result<()> {
    connection.progress_handler(STEPS, Some(move || Instant::now() >= deadline))
}
