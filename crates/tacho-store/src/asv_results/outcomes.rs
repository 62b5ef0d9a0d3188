//! From the row of a benchmark to the outcomes of its cases.

use tacho_model::{Metric, Outcome, Parameter, Reading, Sheet, State};

use super::definitions::Definitions;
use super::figure::{Figure, Listed};
use super::row::{Row, Statistics};

/// What the outcomes of one file may take in memory. A few kilobytes of text can describe millions of cases.
const MOST_BYTES: usize = 256 << 20;

/// Turns rows into sheets, and those into outcomes, as long as there is room for them.
#[derive(Debug)]
pub(super) struct Sheets<'a> {
    definitions: &'a Definitions,
    n_bytes: usize,
}

impl<'a> Sheets<'a> {
    /// Begins with no sheets; `definitions` tell what benchmarks count.
    pub(super) fn new(definitions: &'a Definitions) -> Sheets<'a> {
        Sheets { definitions, n_bytes: 0 }
    }

    /// Returns what the row says of each case that it speaks of; fails with the reason where there is no room.
    ///
    /// Those are the cases that have a value, null or NaN in the list of results, or all cases where null stands
    /// for the whole list. Values past the last case have no parameters and are left out.
    pub(super) fn next(&mut self, benchmark: String, row: &mut Row) -> Result<Sheet, String> {
        let axes = std::mem::take(&mut row.params);
        let names = self.definitions.parameter_names(&benchmark, axes.len());
        let metric = self.definitions.metric(&benchmark);
        let version = row.version.take();
        let mut sheet = Sheet { benchmark, metric, version, method: None, names, axes, readings: Vec::new() };
        let n_told = row.result.as_ref().map_or(usize::MAX, Vec::len);
        let n = sheet.n_cases().min(n_told);
        self.n_bytes = self.n_bytes.saturating_add(n.saturating_mul(bytes_of_one(&sheet)));
        if self.n_bytes > MOST_BYTES {
            return Err(format!("with the {n} cases of `{}` it would fill the memory", sheet.benchmark));
        }
        sheet.readings.extend((0..n).map(|index| reading(row, index)));
        Ok(sheet)
    }
}

fn bytes_of_one(sheet: &Sheet) -> usize {
    let Sheet { benchmark, metric, names, axes, .. } = sheet;
    let longest = |axis: &Vec<String>| axis.iter().map(String::len).max().unwrap_or(0);
    let texts: usize = axes.iter().map(longest).sum();
    let names: usize = names.iter().map(String::len).sum();
    let fixed = size_of::<Outcome>() + axes.len() * size_of::<Parameter>();
    fixed + benchmark.len() + metric.name.len() + metric.unit.len() + texts + names
}

fn reading(row: &Row, index: usize) -> Reading {
    let (state, value, message) = match row.result.as_ref().map_or(Figure::Null, |list| at(list, index)) {
        Figure::Null => (State::Failed, None, None),
        Figure::NotANumber => (State::Skipped, None, None),
        Figure::Number(value) if value.is_finite() => (State::Measured, Some(value), None),
        Figure::Number(_) => (State::Failed, None, Some("its value is infinite")),
        Figure::Other => (State::Failed, None, Some("its value is not a number")),
    };
    let bare = Reading { state, value, spread: None, interval: None, n_samples: 0, message };
    if state != State::Measured {
        return bare;
    }
    let Statistics { interval_low, interval_high, repeat, .. } = &row.statistics;
    Reading {
        // asv's displayed error.
        spread: quartiles(row, index).map(|(low, high)| high / 2.0 - low / 2.0),
        interval: ends(interval_low, interval_high, index),
        n_samples: count(repeat, index).map_or_else(|| samples(row, index).count(), |n| n as usize),
        ..bare
    }
}

/// Returns the outcomes of a sheet, which was made of that row.
pub(super) fn outcomes(sheet: &Sheet, row: &Row) -> impl Iterator<Item = Outcome> {
    let metric: &Metric = &sheet.metric;
    let n = sheet.readings.len();
    // asv keeps one duration for all cases together.
    let duration_ns = (row.duration_s.unwrap_or(0.0) * 1e9 / n as f64) as u64;
    sheet.readings.iter().enumerate().map(move |(index, reading)| {
        let is_measured = reading.state == State::Measured;
        Outcome {
            case: sheet.case(index),
            metric: metric.clone(),
            version: sheet.version.clone(),
            state: reading.state,
            value: reading.value,
            spread: reading.spread,
            quartiles: quartiles(row, index).filter(|_| is_measured),
            interval: reading.interval,
            samples: if is_measured { samples(row, index).collect() } else { Vec::new() },
            n_samples: reading.n_samples,
            round_values: Vec::new(),
            number: count(&row.statistics.number, index).filter(|_| is_measured),
            n_rounds: 0,
            duration_ns,
            method: None,
            message: reading.message.map(str::to_owned),
            detail: None,
        }
    })
}

fn quartiles(row: &Row, index: usize) -> Option<(f64, f64)> {
    ends(&row.statistics.q_25, &row.statistics.q_75, index)
}

fn samples(row: &Row, index: usize) -> impl Iterator<Item = f64> {
    let list = match row.samples.get(index) {
        Some(Listed(Some(list))) => list.as_slice(),
        _ => &[],
    };
    list.iter().filter_map(|figure| figure.finite())
}

fn at(list: &[Figure], index: usize) -> Figure {
    list.get(index).copied().unwrap_or(Figure::Null)
}

/// Returns both ends where both are finite and in order. Infinite ends mean too few samples.
fn ends(low: &[Figure], high: &[Figure], index: usize) -> Option<(f64, f64)> {
    let ends = (at(low, index).finite()?, at(high, index).finite()?);
    (ends.0 <= ends.1).then_some(ends)
}

fn count(list: &[Figure], index: usize) -> Option<u64> {
    at(list, index).finite().filter(|n| *n >= 1.0).map(|n| n as u64)
}
