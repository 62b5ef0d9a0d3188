//! The tables, and the version that says which tables they are.

use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::{Connection, Result, params};

/// Raised with every change of the tables or of what stands in them: an index of another version is made anew.
pub(crate) const VERSION: i64 = 5;

const TABLES: &str = include_str!("schema.sql");

/// Who wants an index to be of this recipe asks for the same text again.
const RECIPE: &str = "recipe";

/// What the first-parent line was when subjects were placed.
pub(crate) const LINE: &str = "line";

/// How many points there are: to count them is to read half of the file.
const N_POINTS: &str = "n_points";

/// How many files there were when the planner was told of the tables.
const ANALYZED: &str = "analyzed_files";

/// Returns the version of an index; 0 for an empty file.
pub(crate) fn version(connection: &Connection) -> Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Returns a text that was kept under a name.
pub(crate) fn fact(connection: &Connection, name: &str) -> Result<Option<String>> {
    let mut statement = connection.prepare("SELECT value FROM facts_of_index WHERE name = ?1")?;
    let mut rows = statement.query([name])?;
    rows.next()?.map(|row| row.get(0)).transpose()
}

/// Keeps a text under a name.
pub(crate) fn set_fact(connection: &Connection, name: &str, value: &str) -> Result<()> {
    connection.execute("INSERT OR REPLACE INTO facts_of_index VALUES (?1, ?2)", params![name, value])?;
    Ok(())
}

/// Returns how many points there are.
pub(crate) fn n_points(connection: &Connection) -> Result<i64> {
    Ok(fact(connection, N_POINTS)?.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// Keeps that there are so many points more, or fewer.
pub(crate) fn count_points(connection: &Connection, n_more: i64) -> Result<()> {
    let n_points = n_points(connection)? + n_more;
    set_fact(connection, N_POINTS, &n_points.to_string())
}

/// Tells the planner what it has to know to begin with the smaller table, unless it knows it of an index half to twice as large.
pub(crate) fn analyze_if_grown(connection: &Connection) -> Result<()> {
    let n_files: i64 = connection.query_row("SELECT count(*) FROM sources", [], |row| row.get(0))?;
    let known = fact(connection, ANALYZED)?.and_then(|text| text.parse::<i64>().ok());
    if known.is_some_and(|known| (known / 2..=known.saturating_mul(2)).contains(&n_files)) {
        return Ok(());
    }
    connection.execute_batch("PRAGMA analysis_limit = 400; ANALYZE;")?;
    set_fact(connection, ANALYZED, &n_files.to_string())
}

/// Returns whether the index was made by this version, by this recipe.
pub(crate) fn is_of(connection: &Connection, recipe: &str) -> Result<bool> {
    Ok(version(connection)? == VERSION && fact(connection, RECIPE)? == Some(with_tables(recipe)))
}

/// Returns the recipe with what tells our tables apart from those of a version in the making.
fn with_tables(recipe: &str) -> String {
    let mut hasher = DefaultHasher::new();
    TABLES.hash(&mut hasher);
    format!("{recipe} {:016x}", hasher.finish())
}

/// Empties the file and makes the tables, within the transaction that is open.
pub(crate) fn create(connection: &Connection, recipe: &str) -> Result<()> {
    for kind in ["view", "trigger", "index", "table"] {
        let sql = "SELECT name FROM sqlite_master WHERE type = ?1 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
        let mut statement = connection.prepare(sql)?;
        let names: Vec<String> = statement.query_map([kind], |row| row.get(0))?.collect::<Result<_>>()?;
        for name in names {
            connection.execute_batch(&format!("DROP {kind} IF EXISTS \"{}\"", name.replace('"', "\"\"")))?;
        }
    }
    connection.execute_batch(TABLES)?;
    set_fact(connection, RECIPE, &with_tables(recipe))?;
    connection.pragma_update(None, "user_version", VERSION)
}
