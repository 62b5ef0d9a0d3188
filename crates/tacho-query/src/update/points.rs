//! Points, written in the order in which they lie: held in memory while they are few, and else in a file of sorted runs.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Result, params};
use tacho_model::{Outcome, Reading, State};

use super::CellId;
use super::runs::Runs;

/// How many are held before they are sorted and put aside: some 80 MB.
const MANY: usize = 1_000_000;

/// The longest message that is kept; the whole is in the record.
const LONGEST_MESSAGE: usize = 500;

/// The numbers of an outcome's series and definition.
pub(super) type Ids = (i64, i64);

/// A point; what is no number is absent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Point {
    pub(super) series: i64,
    pub(super) cell: i64,
    pub(super) definition: i64,
    pub(super) state: u8,
    pub(super) n_samples: u32,
    /// Value, spread, and the ends of the interval.
    pub(super) numbers: [f64; 4],
    pub(super) message: Option<Box<str>>,
}

impl Point {
    /// Returns what points lie by.
    pub(super) fn place(&self) -> (i64, i64) {
        (self.series, self.cell)
    }
}

/// Points that are not written yet.
#[derive(Debug)]
pub(super) struct Points {
    waiting: Vec<Point>,
    runs: Runs,
    /// How many more there are in the index than before.
    n_more: i64,
}

/// Returns the point that an outcome makes.
pub(super) fn of_outcome(ids: Ids, cell: CellId, outcome: &Outcome) -> Point {
    let numbers = numbers(outcome.value, outcome.spread, outcome.interval);
    point(ids, cell, outcome.state, outcome.n_samples, numbers, outcome.message.as_deref())
}

/// Returns the point that a case of a sheet makes.
pub(super) fn of_reading(ids: Ids, cell: CellId, reading: &Reading) -> Point {
    let numbers = numbers(reading.value, reading.spread, reading.interval);
    point(ids, cell, reading.state, reading.n_samples, numbers, reading.message)
}

/// SQLite keeps what is no number as NULL.
fn numbers(value: Option<f64>, spread: Option<f64>, interval: Option<(f64, f64)>) -> [f64; 4] {
    let (lower, upper) = interval.unwrap_or((f64::NAN, f64::NAN));
    [value.unwrap_or(f64::NAN), spread.unwrap_or(f64::NAN), lower, upper]
}

fn point(
    (series, definition): Ids,
    cell: CellId,
    state: State,
    n_samples: usize,
    numbers: [f64; 4],
    message: Option<&str>,
) -> Point {
    let shortened = |text: &str| text.chars().take(LONGEST_MESSAGE).collect::<String>().into_boxed_str();
    Point {
        series,
        cell: cell.0,
        definition,
        state: State::ALL.iter().position(|one| *one == state).unwrap_or(0) as u8,
        n_samples: u32::try_from(n_samples).unwrap_or(u32::MAX),
        numbers,
        message: message.map(shortened),
    }
}

impl Points {
    /// Returns none; what does not fit into memory goes to a file in that folder.
    pub(super) fn in_folder(folder: Option<&Path>) -> Points {
        Points {
            waiting: Vec::new(),
            runs: Runs::in_folder(folder.map_or_else(PathBuf::new, Path::to_owned)),
            n_more: 0,
        }
    }

    pub(super) fn push(&mut self, point: Point) {
        self.waiting.push(point);
    }

    /// Puts what waits aside where it is much.
    pub(super) fn flush_if_many(&mut self, connection: &Connection) -> Result<()> {
        if self.waiting.len() < MANY {
            return Ok(());
        }
        self.waiting.sort_by_key(Point::place);
        // Where nothing can be put aside it is written at once, which is slower.
        if self.runs.put_aside(&self.waiting).is_ok() {
            self.waiting.clear();
            return Ok(());
        }
        self.flush(connection)
    }

    /// Writes what waits and what was put aside.
    pub(super) fn flush(&mut self, connection: &Connection) -> Result<()> {
        self.waiting.sort_by_key(Point::place);
        let sql = "INSERT OR REPLACE INTO points VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let mut statement = connection.prepare_cached(sql)?;
        let mut last = None;
        self.runs.merged(std::mem::take(&mut self.waiting), |point| {
            // Of equal ones the later stays.
            self.n_more += i64::from(last.replace(point.place()) != Some(point.place()));
            let Point { series, cell, definition, state, n_samples, numbers, message } = point;
            let [value, spread, lower, upper] = numbers;
            let message = message.as_deref();
            statement
                .execute(params![series, cell, definition, state, n_samples, value, spread, lower, upper, message])?;
            Ok(())
        })
    }
}

impl Points {
    /// Returns how many more there are in the index by now than there were.
    pub(super) fn n_more(&self) -> i64 {
        self.n_more
    }

    /// Removes the points of a cell; returns the series they were of, with their definitions.
    pub(super) fn remove_of(&mut self, connection: &Connection, cell: CellId) -> Result<Vec<Ids>> {
        self.flush(connection)?;
        let find = "SELECT p.series_id, p.definition_id FROM cells c CROSS JOIN series s ON s.place_id = c.place_id \
                    CROSS JOIN points p ON p.series_id = s.id AND p.cell_id = c.id WHERE c.id = ?1";
        let mut find = connection.prepare_cached(find)?;
        let found: Vec<Ids> = find.query_map([cell.0], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_>>()?;
        let mut remove = connection.prepare_cached("DELETE FROM points WHERE series_id = ?1 AND cell_id = ?2")?;
        for (series, _) in &found {
            remove.execute(params![series, cell.0])?;
        }
        self.n_more -= found.len() as i64;
        Ok(found)
    }
}
