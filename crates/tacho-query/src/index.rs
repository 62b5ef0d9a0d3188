//! The file: opened, made anew where it has to be, and compared with the files it was made from.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Row, TransactionBehavior};

use crate::{FileStamp, QueryError, Unread, Update};
use crate::{guard, schema};

/// How long a process waits for another one that writes: a first index of a large history takes some seconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the index was when it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It was there.
    Kept,
    /// There was none.
    New,
    /// Another version of this program had made it, so it was emptied.
    OtherVersion {
        /// Whether that version is a later one.
        is_newer: bool,
    },
    /// It was made with other settings, so it was emptied.
    OtherRecipe,
    /// It was no index, or a damaged one, and was replaced.
    Damaged,
}

/// What of the files is not in the index as it is now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pending {
    /// New files, and those that have changed.
    pub changed: Vec<FileStamp>,
    /// Files that have gone.
    pub vanished: Vec<String>,
}

impl Pending {
    /// Returns true where the index is up to date.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.vanished.is_empty()
    }
}

/// How much there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files that were read.
    pub n_files: u64,
    /// Series.
    pub n_series: u64,
    /// Points of all series: rows of `results`.
    pub n_points: u64,
}

/// The index of a project's results.
#[derive(Debug)]
pub struct Index {
    connection: Connection,
    path: PathBuf,
}

impl Index {
    /// Opens the index, and empties it where it was not made by this version from this `recipe`: a text that tells
    /// everything beside the files that goes into it.
    ///
    /// # Errors
    /// The file cannot be made or read, or another process writes to it for too long.
    pub fn open(path: &Path, recipe: &str) -> Result<(Index, Freshness), QueryError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(QueryError::io(folder))?;
        let is_new = !path.exists();
        match Index::opened(path, recipe) {
            Err(error) if is_damage(&error) => {
                Ok((Index::replaced(path, recipe, true).map_err(QueryError::index(path))?, Freshness::Damaged))
            }
            Ok((index, _)) if is_new => Ok((index, Freshness::New)),
            result => result.map_err(QueryError::index(path)),
        }
    }

    fn opened(path: &Path, recipe: &str) -> rusqlite::Result<(Index, Freshness)> {
        let mut connection = connected(path)?;
        let found = schema::version(&connection)?;
        let mut freshness = Freshness::Kept;
        if found != schema::VERSION || !schema::is_of(&connection, recipe)? {
            freshness = match found {
                schema::VERSION => Freshness::OtherRecipe,
                0 => Freshness::New,
                _ => Freshness::OtherVersion { is_newer: found > schema::VERSION },
            };
            reset(&mut connection, recipe, false)?;
        }
        Ok((Index { connection, path: path.to_owned() }, freshness))
    }

    /// Empties the index.
    ///
    /// # Errors
    /// The file cannot be written, or another process writes to it for too long.
    pub fn clear(&mut self, recipe: &str) -> Result<(), QueryError> {
        match reset(&mut self.connection, recipe, true) {
            Err(error) if is_damage(&error) => {
                self.connection = Connection::open_in_memory().map_err(QueryError::index(&self.path))?;
                *self = Index::replaced(&self.path, recipe, false).map_err(QueryError::index(&self.path))?;
                Ok(())
            }
            result => result.map_err(QueryError::index(&self.path)),
        }
    }

    /// Puts an empty index in the place of a file that is none, or a damaged one. One process at a time: what another has made
    /// meanwhile stays where `opens_if_made` (that a file opens does not tell that all of it is whole).
    fn replaced(path: &Path, recipe: &str, opens_if_made: bool) -> rusqlite::Result<Index> {
        let beside = |ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let _lock = File::create(beside(".lock")).and_then(|file| file.lock().map(|()| file));
        if opens_if_made && let Ok((index, _)) = Index::opened(path, recipe) {
            return Ok(index);
        }
        for ending in ["-journal", "-wal", "-shm", ""] {
            // What cannot be removed cannot be opened either, and is told then.
            let _ = fs::remove_file(beside(ending));
        }
        Index::opened(path, recipe).map(|(index, _)| index)
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns which of these files, all there are, the index does not have as they are; `runs` are the runs whose records are
    /// there, so that what one that has gone hid is read again, and what one that has come hides.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn pending(&self, files: &[FileStamp], runs: &HashSet<String>) -> Result<Pending, QueryError> {
        pending(&self.connection, files, runs).map_err(QueryError::index(&self.path))
    }

    /// Returns what the first-parent line was when subjects were placed last.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn line(&self) -> Result<Option<String>, QueryError> {
        schema::fact(&self.connection, schema::LINE).map_err(QueryError::index(&self.path))
    }

    /// Begins to change the index. Nothing is changed for others until [`Update::commit`].
    ///
    /// # Errors
    /// Another process writes to the index for too long.
    pub fn update(&mut self) -> Result<Update<'_>, QueryError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        Ok(Update::new(transaction.map_err(QueryError::index(&self.path))?, &self.path))
    }

    /// Returns the files that could not be read when they were looked at last.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn unread(&self) -> Result<Vec<Unread>, QueryError> {
        let read = || {
            let sql = "SELECT path, reason FROM sources WHERE reason IS NOT NULL ORDER BY path";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok(Unread { path: row.get(0)?, reason: row.get(1)? }))?;
            rows.collect::<rusqlite::Result<Vec<Unread>>>()
        };
        read().map_err(QueryError::index(&self.path))
    }

    /// Returns how many commits with results the repository does not know; none where there was no repository.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn n_unknown_commits(&self) -> Result<u64, QueryError> {
        if self.line()?.is_none_or(|line| line.is_empty()) {
            return Ok(0);
        }
        let sql = "SELECT count(*) FROM subjects WHERE kind = 'commit' AND on_line IS NULL";
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(QueryError::index(&self.path))
    }

    /// Returns how much there is.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn totals(&self) -> Result<Totals, QueryError> {
        let sql = "SELECT (SELECT count(*) FROM sources WHERE cell_id IS NOT NULL), (SELECT count(*) FROM series)";
        let n_points = schema::n_points(&self.connection).map(|n| u64::try_from(n).unwrap_or_default());
        let totals = n_points.and_then(|n_points| {
            let of_row = |row: &Row<'_>| Ok(Totals { n_files: row.get(0)?, n_series: row.get(1)?, n_points });
            self.connection.query_row(sql, [], of_row)
        });
        totals.map_err(QueryError::index(&self.path))
    }
}

fn connected(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    // A journal beside the file, not a log shared in memory: project folders lie on network file systems too.
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    // Rows are removed in an order of their own, and what is left over at the end is cleaned.
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "cache_size", -128 * 1024)?;
    connection.set_prepared_statement_cache_capacity(64);
    guard::plan_once(&connection)?;
    Ok(connection)
}

fn reset(connection: &mut Connection, recipe: &str, always: bool) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    if always
        || !schema::version(&transaction).is_ok_and(|version| version == schema::VERSION)
        || !schema::is_of(&transaction, recipe)?
    {
        schema::create(&transaction, recipe)?;
    }
    transaction.commit()
}

pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    // A file of the right version that lacks our tables gives a plain error.
    matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown))
}

/// What the index knows of a file.
struct Known {
    path: String,
    stamp: (u64, i64, i64),
    hidden_by: Option<String>,
    /// As a JSON list.
    exported_from: Option<String>,
}

impl Known {
    /// Returns true where a record that hid the file has gone, or one that hides it has come.
    fn is_hidden_otherwise(&self, runs: &HashSet<String>) -> bool {
        let exported_from = self.exported_from.as_deref().map(serde_json::from_str::<Vec<String>>);
        self.hidden_by.as_ref().is_some_and(|run| !runs.contains(run))
            || exported_from.is_some_and(|ids| ids.is_ok_and(|ids| ids.iter().any(|run| runs.contains(run))))
    }
}

pub(crate) fn pending(
    connection: &Connection,
    files: &[FileStamp],
    runs: &HashSet<String>,
) -> rusqlite::Result<Pending> {
    let mut statement =
        connection.prepare("SELECT path, n_bytes, mtime_ns, beside, hidden_by, exported_from FROM sources")?;
    let known = statement.query_map([], |row| {
        let stamp = (row.get(1)?, row.get(2)?, row.get(3)?);
        Ok(Known { path: row.get(0)?, stamp, hidden_by: row.get(4)?, exported_from: row.get(5)? })
    })?;
    let known: HashMap<String, Known> =
        known.map(|known| known.map(|known| (known.path.clone(), known))).collect::<rusqlite::Result<_>>()?;
    let there: BTreeMap<&str, &FileStamp> = files.iter().map(|file| (file.path.as_str(), file)).collect();
    let is_known = |file: &FileStamp, known: &Known| {
        known.stamp == (file.n_bytes, file.mtime_ns, file.beside) && !known.is_hidden_otherwise(runs)
    };
    let is_changed = |file: &&FileStamp| !known.get(&file.path).is_some_and(|known| is_known(file, known));
    let mut vanished: Vec<String> = known.keys().filter(|path| !there.contains_key(path.as_str())).cloned().collect();
    vanished.sort();
    Ok(Pending { changed: there.into_values().filter(is_changed).cloned().collect(), vanished })
}
