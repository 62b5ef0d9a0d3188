//! Aggregates over numbers. What is no number counts as absent; of nothing comes NULL.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::Result;
use rusqlite::ffi;
use rusqlite::functions::{Aggregate, Context};
use rusqlite::types::ValueRef;

fn number(context: &Context<'_>, argument: usize) -> Option<f64> {
    match context.get_raw(argument) {
        ValueRef::Integer(whole) => Some(whole as f64),
        ValueRef::Real(number) => Some(number),
        ValueRef::Null | ValueRef::Text(_) | ValueRef::Blob(_) => None,
    }
}

/// What aggregates of one connection may keep together, in bytes: SQLite does not know of it.
const MOST_BYTES: usize = 1 << 30;

/// The room that aggregates which keep every value share.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    n_bytes: Arc<AtomicUsize>,
    most_bytes: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room { n_bytes: Arc::default(), most_bytes: MOST_BYTES }
    }
}

impl Room {
    fn push<T>(&self, values: &mut Vec<T>, value: T) -> Result<()> {
        if self.n_bytes.fetch_add(size_of::<T>(), Ordering::Relaxed) >= self.most_bytes {
            return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_NOMEM), None));
        }
        values.push(value);
        Ok(())
    }

    fn is_free_of<T>(&self, values: &[T]) {
        self.n_bytes.fetch_sub(size_of_val(values), Ordering::Relaxed);
    }
}

/// `median(x)`, and `quantile(x, q)` with `q` from 0 to 1, linear between neighbours (type 7 of Hyndman and Fan 1996).
pub(crate) struct Quantile(pub(crate) Room);

impl Aggregate<(Vec<f64>, f64), Option<f64>> for Quantile {
    fn init(&self, _: &mut Context<'_>) -> Result<(Vec<f64>, f64)> {
        Ok((Vec::new(), 0.5))
    }

    fn step(&self, context: &mut Context<'_>, (values, q): &mut (Vec<f64>, f64)) -> Result<()> {
        if context.len() == 2 {
            let asked = number(context, 1).filter(|q| (0.0..=1.0).contains(q));
            *q = asked.ok_or_else(|| {
                rusqlite::Error::UserFunctionError("the second argument of quantile() is a number from 0 to 1".into())
            })?;
        }
        number(context, 0).map_or(Ok(()), |value| self.0.push(values, value))
    }

    fn finalize(&self, _: &mut Context<'_>, state: Option<(Vec<f64>, f64)>) -> Result<Option<f64>> {
        let (mut values, q) = state.unwrap_or_default();
        self.0.is_free_of(&values);
        values.sort_by(f64::total_cmp);
        let Some(last) = values.len().checked_sub(1) else { return Ok(None) };
        let place = q * last as f64;
        let (low, high) = (values[place.floor() as usize], values[place.ceil() as usize]);
        Ok(Some(if low == high { low } else { low + (high - low) * place.fract() }))
    }
}

/// `geomean(x)`: the geometric mean; NULL where a value is not above zero.
pub(crate) struct GeometricMean;

impl Aggregate<(f64, u64, bool), Option<f64>> for GeometricMean {
    fn init(&self, _: &mut Context<'_>) -> Result<(f64, u64, bool)> {
        Ok((0.0, 0, true))
    }

    fn step(&self, context: &mut Context<'_>, (sum, n, is_defined): &mut (f64, u64, bool)) -> Result<()> {
        if let Some(value) = number(context, 0) {
            *is_defined &= value > 0.0;
            *sum += value.ln();
            *n += 1;
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, state: Option<(f64, u64, bool)>) -> Result<Option<f64>> {
        let (sum, n, is_defined) = state.unwrap_or_default();
        Ok((is_defined && n > 0).then(|| (sum / n as f64).exp()))
    }
}

/// `stddev(x)`: the standard deviation of a sample (by n - 1), as Welford 1962 adds it up; NULL of fewer than two.
pub(crate) struct StandardDeviation;

impl Aggregate<(u64, f64, f64), Option<f64>> for StandardDeviation {
    fn init(&self, _: &mut Context<'_>) -> Result<(u64, f64, f64)> {
        Ok((0, 0.0, 0.0))
    }

    fn step(&self, context: &mut Context<'_>, (n, mean, squares): &mut (u64, f64, f64)) -> Result<()> {
        if let Some(value) = number(context, 0) {
            *n += 1;
            let off = value - *mean;
            *mean += off / *n as f64;
            *squares += off * (value - *mean);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, state: Option<(u64, f64, f64)>) -> Result<Option<f64>> {
        let (n, _, squares) = state.unwrap_or_default();
        Ok((n > 1).then(|| (squares / (n - 1) as f64).sqrt()))
    }
}

/// `slope(y, x)`: of the line of least squares; `loglog_slope(y, x)`: the same of logarithms, the exponent of a power law.
/// Pairs that lack a number, or a logarithm, count as absent. NULL unless two places differ.
pub(crate) struct Fit {
    pub(crate) logarithmic: bool,
    pub(crate) room: Room,
}

impl Aggregate<Vec<(f64, f64)>, Option<f64>> for Fit {
    fn init(&self, _: &mut Context<'_>) -> Result<Vec<(f64, f64)>> {
        Ok(Vec::new())
    }

    fn step(&self, context: &mut Context<'_>, pairs: &mut Vec<(f64, f64)>) -> Result<()> {
        let of = |argument| match number(context, argument) {
            Some(value) if self.logarithmic => (value > 0.0).then(|| value.ln()),
            value => value,
        };
        of(1).zip(of(0)).map_or(Ok(()), |pair| self.room.push(pairs, pair))
    }

    fn finalize(&self, _: &mut Context<'_>, pairs: Option<Vec<(f64, f64)>>) -> Result<Option<f64>> {
        let pairs = pairs.unwrap_or_default();
        self.room.is_free_of(&pairs);
        let n = pairs.len() as f64;
        let mean_x = pairs.iter().map(|(x, _)| x).sum::<f64>() / n;
        let mean_y = pairs.iter().map(|(_, y)| y).sum::<f64>() / n;
        let spread: f64 = pairs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let common: f64 = pairs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        Ok((spread > 0.0).then(|| common / spread))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

    use rusqlite::functions::FunctionFlags;
    use rusqlite::{Connection, ErrorCode};

    use super::*;

    #[test]
    fn aggregates_share_their_room_and_give_it_back() {
        let connection = Connection::open_in_memory().unwrap();
        let room = Room { most_bytes: 800, ..Room::default() };
        let flags = FunctionFlags::SQLITE_UTF8;
        connection.create_aggregate_function("median", 1, flags, Quantile(room.clone())).unwrap();
        connection.create_aggregate_function("slope", 2, flags, Fit { logarithmic: false, room }).unwrap();
        let ask = |what: &str, n: u32| {
            let sql =
                format!("WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT {n}) SELECT {what}");
            connection.query_row(&sql, [], |row| row.get::<_, f64>(0))
        };
        let code = |result: rusqlite::Result<f64>| result.unwrap_err().sqlite_error_code();
        for _ in 0..3 {
            assert_eq!(ask("median(x) FROM r", 99), Ok(50.0));
            assert_eq!(ask("slope(x, x) FROM r", 50), Ok(1.0));
        }
        assert_eq!(code(ask("median(x) + median(x + 1) FROM r", 99)), Some(ErrorCode::OutOfMemory));
    }
}
