//! From the row of a benchmark to the outcomes of its cases.

use tacho_model::{Case, Metric, Outcome, Parameter, State};

use super::definitions::Definitions;
use super::figure::{Figure, Listed};
use super::row::{Row, Statistics};

/// What the outcomes of one file may take in memory. A few kilobytes of text can describe millions of cases.
const MOST_BYTES: usize = 256 << 20;

/// Turns rows into outcomes, as long as there is room for them.
#[derive(Debug)]
pub(super) struct Outcomes<'a> {
    definitions: &'a Definitions,
    n_bytes: usize,
    found: Vec<Outcome>,
}

/// The cases of one benchmark: the product of its parameters, the last one fastest.
struct Cases {
    benchmark: String,
    names: Vec<String>,
    axes: Vec<Vec<String>>,
}

impl<'a> Outcomes<'a> {
    /// Returns no outcomes yet; `definitions` tell what benchmarks count.
    pub(super) fn new(definitions: &'a Definitions) -> Outcomes<'a> {
        Outcomes { definitions, n_bytes: 0, found: Vec::new() }
    }

    /// Adds one outcome for each case that the row speaks of; fails with the reason where there is no room.
    ///
    /// Those are the cases that have a value, null or NaN in the list of results, or all cases where null stands
    /// for the whole list. Values past the last case have no parameters and are left out.
    pub(super) fn push(&mut self, benchmark: String, mut row: Row) -> Result<(), String> {
        let axes = std::mem::take(&mut row.params);
        let names = self.definitions.parameter_names(&benchmark, axes.len());
        let cases = Cases { benchmark, names, axes };
        let n_told = row.result.as_ref().map_or(usize::MAX, Vec::len);
        let n = cases.count().min(n_told);
        let metric = self.definitions.metric(&cases.benchmark);
        self.n_bytes = self.n_bytes.saturating_add(n.saturating_mul(cases.bytes_of_one(&metric)));
        if self.n_bytes > MOST_BYTES {
            return Err(format!("with the {n} cases of `{}` it would fill the memory", cases.benchmark));
        }
        self.found.extend((0..n).map(|index| outcome(&cases, index, &metric, &row, n)));
        Ok(())
    }

    /// Returns the outcomes in the order in which they were added.
    pub(super) fn finish(self) -> Vec<Outcome> {
        self.found
    }
}

impl Cases {
    fn count(&self) -> usize {
        self.axes.iter().fold(1, |n, axis| n.saturating_mul(axis.len()))
    }

    // Only called for an index below the count, so that no axis is empty.
    fn case(&self, index: usize) -> Case {
        let mut rest = index;
        let mut parameters: Vec<Parameter> = Vec::with_capacity(self.axes.len());
        for (name, axis) in self.names.iter().zip(&self.axes).rev() {
            parameters.push(Parameter { name: name.clone(), text: axis[rest % axis.len()].clone() });
            rest /= axis.len();
        }
        parameters.reverse();
        Case { benchmark: self.benchmark.clone(), index, parameters }
    }

    fn bytes_of_one(&self, metric: &Metric) -> usize {
        let longest = |axis: &Vec<String>| axis.iter().map(String::len).max().unwrap_or(0);
        let texts: usize = self.axes.iter().map(longest).sum();
        let names: usize = self.names.iter().map(String::len).sum();
        let fixed = size_of::<Outcome>() + self.axes.len() * size_of::<Parameter>();
        fixed + self.benchmark.len() + metric.name.len() + metric.unit.len() + texts + names
    }
}

fn outcome(cases: &Cases, index: usize, metric: &Metric, row: &Row, n: usize) -> Outcome {
    let (state, value, message) = match row.result.as_ref().map_or(Figure::Null, |list| at(list, index)) {
        Figure::Null => (State::Failed, None, None),
        Figure::NotANumber => (State::Skipped, None, None),
        Figure::Number(value) if value.is_finite() => (State::Measured, Some(value), None),
        Figure::Number(_) => (State::Failed, None, Some("its value is infinite")),
        Figure::Other => (State::Failed, None, Some("its value is not a number")),
    };
    let bare = Outcome {
        case: cases.case(index),
        metric: metric.clone(),
        version: row.version.clone(),
        state,
        value,
        spread: None,
        quartiles: None,
        interval: None,
        samples: Vec::new(),
        n_samples: 0,
        round_values: Vec::new(),
        number: None,
        n_rounds: 0,
        // asv keeps one duration for all cases together.
        duration_ns: (row.duration_s.unwrap_or(0.0) * 1e9 / n as f64) as u64,
        method: None,
        message: message.map(str::to_owned),
        detail: None,
    };
    if state == State::Measured { with_statistics(bare, row, index) } else { bare }
}

fn with_statistics(bare: Outcome, row: &Row, index: usize) -> Outcome {
    let Statistics { interval_low, interval_high, q_25, q_75, number, repeat } = &row.statistics;
    let samples: Vec<f64> = match row.samples.get(index) {
        Some(Listed(Some(list))) => list.iter().filter_map(|figure| figure.finite()).collect(),
        _ => Vec::new(),
    };
    let quartiles = ends(q_25, q_75, index);
    Outcome {
        // asv's displayed error.
        spread: quartiles.map(|(low, high)| high / 2.0 - low / 2.0),
        quartiles,
        interval: ends(interval_low, interval_high, index),
        n_samples: count(repeat, index).map_or(samples.len(), |n| n as usize),
        samples,
        number: count(number, index),
        ..bare
    }
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
