//! What a row is made of, read from the tables below the view: far faster, and with moments in full.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use ::parquet::data_type::ByteArray;
use rusqlite::{Connection, Result, Row};

/// A series, with the texts that it shares with others held once.
pub(super) struct Series {
    pub(super) id: i64,
    pub(super) benchmark: ByteArray,
    /// The texts of the parameters, as JSON.
    pub(super) texts: Box<str>,
    pub(super) parameters: ByteArray,
    pub(super) metric: ByteArray,
    pub(super) direction: ByteArray,
    pub(super) machine: ByteArray,
    pub(super) environment: ByteArray,
    pub(super) n_points: u64,
}

/// A subject at a place: what all rows of one run share.
pub(super) struct Cell {
    pub(super) is_commit: bool,
    pub(super) kind: ByteArray,
    pub(super) subject: ByteArray,
    pub(super) date_us: Option<i64>,
    pub(super) position: Option<i64>,
    pub(super) on_line: Option<bool>,
    pub(super) record: Option<ByteArray>,
    pub(super) source: ByteArray,
    pub(super) n_runs: i64,
    pub(super) started_us: i64,
    pub(super) project: ByteArray,
    pub(super) branch: Option<ByteArray>,
    pub(super) environment_label: ByteArray,
    pub(super) machine_facts: ByteArray,
    pub(super) packages: ByteArray,
    pub(super) setup: ByteArray,
    pub(super) tool_version: ByteArray,
    pub(super) quick: bool,
    pub(super) complete: bool,
}

/// What a series was declared to be at the time.
pub(super) struct Definition {
    id: i64,
    pub(super) case_index: i64,
    pub(super) unit: ByteArray,
    pub(super) version: Option<ByteArray>,
    pub(super) method: Option<ByteArray>,
}

/// What was measured. No number is NaN.
pub(super) struct Point {
    /// The place of its series in the export.
    pub(super) series: usize,
    pub(super) cell: usize,
    /// The place of its definition among those that were read with it.
    pub(super) definition: usize,
    pub(super) state: u8,
    pub(super) n_samples: u32,
    pub(super) value: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) spread: f64,
    pub(super) message: Option<Box<str>>,
}

/// All that a row tells.
pub(super) struct Line<'a> {
    pub(super) series: &'a Series,
    /// Series are numbered as they lie in the data set: the same results make the same file.
    pub(super) series_number: i64,
    pub(super) cell: &'a Cell,
    pub(super) definition: &'a Definition,
    pub(super) point: &'a Point,
}

/// Every text once: rows share what they have in common.
#[derive(Default)]
struct Texts(HashSet<Shared>);

struct Shared(ByteArray);

impl Borrow<[u8]> for Shared {
    fn borrow(&self) -> &[u8] {
        self.0.data()
    }
}

impl Hash for Shared {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.data().hash(state);
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Shared) -> bool {
        self.0.data() == other.0.data()
    }
}

impl Eq for Shared {}

impl Texts {
    fn get(&mut self, row: &Row<'_>, at: usize) -> Result<ByteArray> {
        Ok(self.get_any(row, at)?.unwrap_or_else(|| ByteArray::from("")))
    }

    /// Returns `None` for NULL.
    fn get_any(&mut self, row: &Row<'_>, at: usize) -> Result<Option<ByteArray>> {
        let Some(text) = row.get_ref(at)?.as_bytes_or_null().map_err(rusqlite::Error::from)? else { return Ok(None) };
        if let Some(Shared(known)) = self.0.get(text) {
            return Ok(Some(known.clone()));
        }
        let new = ByteArray::from(text);
        self.0.insert(Shared(new.clone()));
        Ok(Some(new))
    }
}

/// Returns every series, in the order of the data set.
pub(super) fn all_series(connection: &Connection) -> Result<Vec<Series>> {
    let mut counts = connection.prepare("SELECT series_id, count(*) FROM points GROUP BY series_id")?;
    let counts = counts.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<HashMap<i64, u64>>>()?;
    let sql = "SELECT s.id, s.benchmark, s.parameter_texts, n.parameters, s.metric, n.direction, w.machine, w.environment \
               FROM series s JOIN places w ON w.id = s.place_id JOIN definitions n ON n.id = s.definition_id \
               ORDER BY s.benchmark, n.parameters, s.metric, w.machine, w.environment, s.parameter_texts";
    let mut texts = Texts::default();
    let mut statement = connection.prepare(sql)?;
    let series = statement.query_map([], |row| {
        let id = row.get(0)?;
        Ok(Series {
            id,
            benchmark: texts.get(row, 1)?,
            texts: row.get(2)?,
            parameters: texts.get(row, 3)?,
            metric: texts.get(row, 4)?,
            direction: texts.get(row, 5)?,
            machine: texts.get(row, 6)?,
            environment: texts.get(row, 7)?,
            n_points: counts.get(&id).copied().unwrap_or(0),
        })
    })?;
    series.filter(|series| series.as_ref().map_or(true, |series| series.n_points > 0)).collect()
}

/// Every cell, and where it stands among them by its number.
pub(super) struct Cells {
    pub(super) all: Vec<Cell>,
    by_id: HashMap<i64, usize>,
}

/// Returns every cell.
pub(super) fn cells(connection: &Connection) -> Result<Cells> {
    let sql = "SELECT c.id, j.kind, \
               CASE j.kind WHEN 'date' THEN strftime('%Y-%m-%dT%H:%M:%SZ', j.date_us / 1000000, 'unixepoch') ELSE j.subject END, \
               c.record, c.source, c.project, c.branch, c.environment_label, c.machine_facts, c.packages, c.tool_version, \
               j.kind = 'commit', j.date_us, j.position, j.on_line, c.n_runs, c.started_us, c.quick, c.complete, c.setup \
               FROM cells c JOIN subjects j ON j.id = c.subject_id ORDER BY c.id";
    let mut texts = Texts::default();
    let mut cells = Cells { all: vec![], by_id: HashMap::new() };
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        cells.by_id.insert(row.get(0)?, cells.all.len());
        cells.all.push(cell(row, &mut texts)?);
    }
    Ok(cells)
}

fn cell(row: &Row<'_>, texts: &mut Texts) -> Result<Cell> {
    Ok(Cell {
        kind: texts.get(row, 1)?,
        subject: texts.get(row, 2)?,
        record: texts.get_any(row, 3)?,
        source: texts.get(row, 4)?,
        project: texts.get(row, 5)?,
        branch: texts.get_any(row, 6)?,
        environment_label: texts.get(row, 7)?,
        machine_facts: texts.get(row, 8)?,
        packages: texts.get(row, 9)?,
        setup: texts.get(row, 19)?,
        tool_version: texts.get(row, 10)?,
        is_commit: row.get(11)?,
        date_us: row.get(12)?,
        position: row.get(13)?,
        on_line: row.get(14)?,
        n_runs: row.get(15)?,
        started_us: row.get(16)?,
        quick: row.get(17)?,
        complete: row.get(18)?,
    })
}

/// Points that are waiting to be written, with the definitions that they are of.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) points: Vec<Point>,
    pub(super) definitions: Vec<Definition>,
}

impl Batch {
    /// Adds the points of a series, in the order of history.
    pub(super) fn add(&mut self, connection: &Connection, cells: &Cells, id: i64, series: usize) -> Result<()> {
        let n_definitions = self.definitions.len();
        self.definitions.extend(definitions(connection, id)?);
        let known = &self.definitions[n_definitions..];
        let sql = "SELECT cell_id, definition_id, state, n_samples, value, lower, upper, spread, message \
                   FROM points WHERE series_id = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([id])?;
        let n_points = self.points.len();
        while let Some(row) = rows.next()? {
            let (cell, definition): (i64, i64) = (row.get(0)?, row.get(1)?);
            let definition = known.iter().position(|known| known.id == definition);
            // The view joins them, too: a point without either is no row.
            let (Some(cell), Some(definition)) = (cells.by_id.get(&cell), definition) else { continue };
            self.points.push(point(row, series, *cell, n_definitions + definition)?);
        }
        self.points[n_points..].sort_by_key(|point| (cells.all[point.cell].position, point.cell));
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.definitions.clear();
    }
}

fn definitions(connection: &Connection, series: i64) -> Result<Vec<Definition>> {
    let sql = "SELECT id, case_index, unit, version, method FROM definitions WHERE series_id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let text = |row: &Row<'_>, at| Ok::<_, rusqlite::Error>(ByteArray::from(row.get_ref(at)?.as_str()?));
    let some = |text: ByteArray| Some(text).filter(|text| !text.is_empty());
    let definitions = statement.query_map([series], |row| {
        Ok(Definition {
            id: row.get(0)?,
            case_index: row.get(1)?,
            unit: text(row, 2)?,
            version: some(text(row, 3)?),
            method: some(text(row, 4)?),
        })
    })?;
    definitions.collect()
}

fn point(row: &Row<'_>, series: usize, cell: usize, definition: usize) -> Result<Point> {
    let real = |at| Ok::<_, rusqlite::Error>(row.get::<_, Option<f64>>(at)?.unwrap_or(f64::NAN));
    Ok(Point {
        series,
        cell,
        definition,
        state: row.get(2)?,
        n_samples: row.get(3)?,
        value: real(4)?,
        lower: real(5)?,
        upper: real(6)?,
        spread: real(7)?,
        message: row.get(8)?,
    })
}
