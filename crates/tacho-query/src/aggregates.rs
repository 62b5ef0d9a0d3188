//! Aggregates over numbers. What is no number counts as absent; of nothing comes NULL.

use rusqlite::Result;
use rusqlite::functions::{Aggregate, Context};
use rusqlite::types::ValueRef;

fn number(context: &Context<'_>, argument: usize) -> Option<f64> {
    match context.get_raw(argument) {
        ValueRef::Integer(whole) => Some(whole as f64),
        ValueRef::Real(number) => Some(number),
        ValueRef::Null | ValueRef::Text(_) | ValueRef::Blob(_) => None,
    }
}

/// `median(x)`, and `quantile(x, q)` with `q` from 0 to 1, linear between neighbours (type 7 of Hyndman and Fan 1996).
pub(crate) struct Quantile;

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
        values.extend(number(context, 0));
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, state: Option<(Vec<f64>, f64)>) -> Result<Option<f64>> {
        let (mut values, q) = state.unwrap_or_default();
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
        pairs.extend(of(1).zip(of(0)));
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, pairs: Option<Vec<(f64, f64)>>) -> Result<Option<f64>> {
        let pairs = pairs.unwrap_or_default();
        let n = pairs.len() as f64;
        let mean_x = pairs.iter().map(|(x, _)| x).sum::<f64>() / n;
        let mean_y = pairs.iter().map(|(_, y)| y).sum::<f64>() / n;
        let spread: f64 = pairs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let common: f64 = pairs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        Ok((spread > 0.0).then(|| common / spread))
    }
}
