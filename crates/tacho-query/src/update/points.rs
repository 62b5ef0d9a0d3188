//! Points, written many at a time in the order in which they lie.

use rusqlite::{Connection, Result, params};
use tacho_model::{Outcome, State};

use super::CellId;

/// How many are held before they are written: enough that those of a series come together.
const MANY: usize = 500_000;

/// The longest message that is kept; the whole is in the record.
const LONGEST_MESSAGE: usize = 500;

#[derive(Debug)]
pub(super) struct Point {
    series: i64,
    cell: i64,
    definition: i64,
    state: u8,
    n_samples: u32,
    value: f64,
    spread: f64,
    lower: f64,
    upper: f64,
    message: Option<Box<str>>,
}

/// Points that are not written yet.
#[derive(Debug, Default)]
pub(super) struct Points {
    waiting: Vec<Point>,
}

/// Returns the point that an outcome makes. SQLite keeps what is no number as NULL.
pub(super) fn point(series: i64, cell: CellId, definition: i64, outcome: &Outcome) -> Point {
    let (lower, upper) = outcome.interval.unwrap_or((f64::NAN, f64::NAN));
    let message = outcome.message.as_ref().map(|text| text.chars().take(LONGEST_MESSAGE).collect::<String>());
    Point {
        series,
        cell: cell.0,
        definition,
        state: State::ALL.iter().position(|state| *state == outcome.state).unwrap_or(0) as u8,
        n_samples: u32::try_from(outcome.n_samples).unwrap_or(u32::MAX),
        value: outcome.value.unwrap_or(f64::NAN),
        spread: outcome.spread.unwrap_or(f64::NAN),
        lower,
        upper,
        message: message.map(String::into_boxed_str),
    }
}

impl Points {
    pub(super) fn push(&mut self, point: Point) {
        self.waiting.push(point);
    }

    pub(super) fn flush_if_many(&mut self, connection: &Connection) -> Result<()> {
        if self.waiting.len() < MANY { Ok(()) } else { self.flush(connection) }
    }

    /// Writes what waits.
    pub(super) fn flush(&mut self, connection: &Connection) -> Result<()> {
        self.waiting.sort_by_key(|point| (point.series, point.cell));
        let sql = "INSERT OR REPLACE INTO points VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let mut statement = connection.prepare_cached(sql)?;
        for point in self.waiting.drain(..) {
            let Point { series, cell, definition, state, n_samples, value, spread, lower, upper, message } = point;
            let message = message.as_deref();
            statement
                .execute(params![series, cell, definition, state, n_samples, value, spread, lower, upper, message])?;
        }
        Ok(())
    }
}

/// Removes the points of a cell; returns the series they were of.
pub(super) fn remove_of(connection: &Connection, cell: CellId) -> Result<Vec<i64>> {
    let find = "SELECT p.series_id FROM cells c CROSS JOIN series s ON s.place_id = c.place_id \
                CROSS JOIN points p ON p.series_id = s.id AND p.cell_id = c.id WHERE c.id = ?1";
    let found: Vec<i64> =
        connection.prepare_cached(find)?.query_map([cell.0], |row| row.get(0))?.collect::<Result<_>>()?;
    let mut remove = connection.prepare_cached("DELETE FROM points WHERE series_id = ?1 AND cell_id = ?2")?;
    for series in &found {
        remove.execute(params![series, cell.0])?;
    }
    Ok(found)
}
