//! Whole series out of the index, one at a time: for who searches or draws them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Result as Sqlite, Row};
use serde_json::{Map, Value};
use tacho_model::{Case, Direction, Metric, Parameter, SeriesKey, State, Subject, Timestamp};

use crate::{CellId, QueryError, guard, place, schema};

/// A reader of the index. Several may read at a time.
#[derive(Debug)]
pub struct HistoryReader {
    connection: Connection,
    path: PathBuf,
    /// What SQLite counts: another number when another process has written.
    version: i64,
}

/// A series, by its number in this index.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesEntry {
    /// Its number.
    pub id: i64,
    /// What it is of.
    pub key: SeriesKey,
}

/// What was measured of a subject at a place, as far as all its points share it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The subject.
    pub subject: Subject,
    /// When it was measured last.
    pub began: Timestamp,
    /// Its place in the order of history.
    pub position: u64,
    /// True for a commit that the repository knows off the first-parent line: no part of the history that is searched.
    pub is_aside: bool,
    /// Whether it was a quick look.
    pub quick: bool,
    /// The machine's name.
    pub machine: String,
    /// The declared axes of the environment.
    pub axes: BTreeMap<String, String>,
    /// The environment's label.
    pub environment_label: String,
    /// Observed facts of the machine.
    pub machine_facts: BTreeMap<String, String>,
    /// What was installed.
    pub packages: BTreeMap<String, String>,
    /// In what else it was measured.
    pub setup: BTreeMap<String, String>,
}

/// What a series was declared to be and how it was measured at some of its points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The unit of the values.
    pub unit: String,
    /// The benchmark's version.
    pub version: Option<String>,
    /// The measuring method.
    pub method: Option<String>,
}

/// One measured value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredPoint {
    /// Where it was measured, and of what.
    pub cell: CellId,
    /// Which of the series' definitions it is of: an index.
    pub definition: usize,
    /// The value, in the definition's unit.
    pub value: f64,
}

/// The measured points of a series, in no order of history.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredSeries {
    /// What it was declared to be.
    pub definitions: Vec<Definition>,
    /// What was measured.
    pub points: Vec<StoredPoint>,
}

impl HistoryReader {
    /// Opens an index for reading.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn open(path: &Path) -> Result<HistoryReader, QueryError> {
        let connection = guard::reader(path).map_err(QueryError::index(path))?;
        let version = version(&connection).map_err(QueryError::index(path))?;
        Ok(HistoryReader { connection, path: path.to_owned(), version })
    }

    /// Returns true where the index is whole, and nobody has written to it since it was opened: all that was read meanwhile, by
    /// other readers too, belongs together.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn is_unchanged(&self) -> Result<bool, QueryError> {
        let read = || {
            // Who makes the index anew empties it first.
            let is_whole = schema::fact(&self.connection, schema::LINE)?.is_some();
            Ok(is_whole && version(&self.connection)? == self.version)
        };
        read().map_err(QueryError::index(&self.path))
    }

    /// Returns all series: benchmarks by name, cases as they are declared, then metrics, machines and axes.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn series(&self) -> Result<Vec<SeriesEntry>, QueryError> {
        let read = || {
            let sql = "SELECT s.id, s.benchmark, s.metric, d.case_index, d.parameters, d.unit, d.direction, d.exact, w.machine, w.environment \
                       FROM series s JOIN definitions d ON d.id = s.definition_id JOIN places w ON w.id = s.place_id \
                       ORDER BY s.benchmark, d.case_index, s.parameter_texts, s.metric, w.machine, w.environment";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([], series_entry)?;
            rows.collect::<Sqlite<Vec<SeriesEntry>>>()
        };
        read().map_err(QueryError::index(&self.path))
    }

    /// Returns all cells.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn cells(&self) -> Result<HashMap<CellId, Cell>, QueryError> {
        let read = || {
            let sql = "SELECT c.id, j.kind, j.subject, j.date_us, c.started_us, j.position, j.on_line, c.quick, w.machine, w.environment, \
                       c.environment_label, c.machine_facts, c.packages, c.setup \
                       FROM cells c JOIN subjects j ON j.id = c.subject_id JOIN places w ON w.id = c.place_id";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((CellId(row.get(0)?), cell(row)?)))?;
            rows.collect::<Sqlite<HashMap<CellId, Cell>>>()
        };
        read().map_err(QueryError::index(&self.path))
    }

    /// Returns how the newest attempt to measure each series ended, by the series' number. Quick looks and commits beside the first-parent line are
    /// no attempts.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn newest_states(&self) -> Result<HashMap<i64, State>, QueryError> {
        let read = || {
            // Beside `max` SQLite gives the other columns of the row that has it.
            let sql = "SELECT p.series_id, p.state, max(j.position) FROM points p JOIN cells c ON c.id = p.cell_id \
                       JOIN subjects j ON j.id = c.subject_id WHERE NOT c.quick AND j.on_line IS NOT 0 GROUP BY p.series_id";
            let mut statement = self.connection.prepare(sql)?;
            // As the view has it: an unknown state is the worst.
            let state = |number: usize| State::ALL[number.min(State::ALL.len() - 1)];
            let rows = statement.query_map([], |row| Ok((row.get(0)?, state(row.get(1)?))))?;
            rows.collect::<Sqlite<HashMap<i64, State>>>()
        };
        read().map_err(QueryError::index(&self.path))
    }

    /// Returns the measured points of a series; none for a number that is that of no series.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn points(&self, series: i64) -> Result<StoredSeries, QueryError> {
        self.stored(series).map_err(QueryError::index(&self.path))
    }

    fn stored(&self, series: i64) -> Sqlite<StoredSeries> {
        let mut found = StoredSeries::default();
        let mut by_id: HashMap<i64, usize> = HashMap::new();
        let sql = "SELECT id, unit, version, method FROM definitions WHERE series_id = ?1";
        let mut definitions = self.connection.prepare_cached(sql)?;
        let mut rows = definitions.query([series])?;
        while let Some(row) = rows.next()? {
            let known = |at| row.get::<_, String>(at).map(|text| Some(text).filter(|text| !text.is_empty()));
            by_id.insert(row.get(0)?, found.definitions.len());
            found.definitions.push(Definition { unit: row.get(1)?, version: known(2)?, method: known(3)? });
        }
        let sql = "SELECT cell_id, definition_id, value FROM points WHERE series_id = ?1 AND value IS NOT NULL";
        let mut points = self.connection.prepare_cached(sql)?;
        let mut rows = points.query([series])?;
        while let Some(row) = rows.next()? {
            if let Some(definition) = by_id.get(&row.get(1)?) {
                let (cell, value) = (CellId(row.get(0)?), row.get(2)?);
                found.points.push(StoredPoint { cell, definition: *definition, value });
            }
        }
        Ok(found)
    }
}

fn version(connection: &Connection) -> Sqlite<i64> {
    connection.query_row("PRAGMA data_version", [], |row| row.get(0))
}

fn series_entry(row: &Row<'_>) -> Sqlite<SeriesEntry> {
    let parameters: Map<String, Value> = json(&row.get::<_, String>(4)?);
    let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let parameters = parameters.into_iter().map(|(name, value)| Parameter { name, text: text(value) });
    let index = usize::try_from(row.get::<_, i64>(3)?).unwrap_or_default();
    let case = Case { benchmark: row.get(1)?, index, parameters: parameters.collect() };
    let direction = Direction::parse(&row.get::<_, String>(6)?).unwrap_or(Direction::None);
    let metric = Metric {
        name: row.get(2)?,
        unit: row.get(5)?,
        direction,
        // Who asks for a history is not asked to declare anything.
        direction_assumed: false,
        exact: row.get(7)?,
    };
    let axes = json(&row.get::<_, String>(9)?);
    Ok(SeriesEntry { id: row.get(0)?, key: SeriesKey { case, metric, machine: row.get(8)?, axes } })
}

fn cell(row: &Row<'_>) -> Sqlite<Cell> {
    let began = Timestamp { unix_us: row.get(4)? };
    let date = row.get::<_, Option<i64>>(3)?.map(|unix_us| Timestamp { unix_us });
    let kind: String = row.get(1)?;
    let texts = |at| row.get::<_, String>(at).map(|text| json(&text));
    Ok(Cell {
        subject: place::subject_of(&kind, row.get(2)?, date, began),
        began,
        position: u64::try_from(row.get::<_, Option<i64>>(5)?.unwrap_or_default()).unwrap_or_default(),
        is_aside: row.get::<_, Option<bool>>(6)? == Some(false),
        quick: row.get(7)?,
        machine: row.get(8)?,
        axes: texts(9)?,
        environment_label: row.get(10)?,
        machine_facts: texts(11)?,
        packages: texts(12)?,
        setup: texts(13)?,
    })
}

/// Reads what the index itself has written.
fn json<T: serde::de::DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests;
