//! Steps in a series as asv finds them: for teams that compare, and for what asv's pages show.
//!
//! The answer is asv 0.6's to the last step on the same input; what `change_points` says is another matter. A
//! piecewise constant function is fitted with least absolute deviations and a price for each jump (F. Friedrich, A. Kempe, V. Liebscher and
//! G. Winkler, "Complexity Penalized M-Estimation: Fast Computation", Journal of Computational and Graphical Statistics 17
//! (2008) 201-224); the price is the one that an information criterion likes best. Constants, search steps and the treatment of ties are asv's.

mod criterion;
mod fit;
mod golden;
mod levels;

use levels::Levels;

/// A stretch on one level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Its first value: an index into the input.
    pub first: usize,
    /// One past its last value; values that are missing after it belong to no step.
    pub end: usize,
    /// The weighted median of its values.
    pub level: f64,
    /// Its smallest value.
    pub least: f64,
    /// The mean absolute deviation from the level, as asv estimates its error.
    pub error: f64,
}

/// Returns the steps of a series; `None` and what is not finite is missing.
///
/// `weights` are relative: an empty list weighs all values alike, a missing weight is the median of the others, and a value with a weight of
/// zero or less is missing.
pub fn asv_steps(values: &[Option<f64>], weights: &[Option<f64>]) -> Vec<Step> {
    let weight = |at: usize| weights.get(at).copied().flatten().filter(|weight| !weight.is_nan());
    let value = |at: usize| values[at].filter(|value| value.is_finite() && weight(at).is_none_or(|w| w > 0.0));
    let measured: Vec<(usize, f64)> = (0..values.len()).filter_map(|at| Some((at, value(at)?))).collect();
    let typical = typical((0..values.len()).filter_map(weight).collect());
    let weigh = |at: usize| weight(at).map_or(1.0, |weight| weight / typical);
    let points = measured.iter().map(|(at, value)| (*value, weigh(*at))).collect();
    let mut levels = Levels::new(points);
    let ends = criterion::best_ends(&mut levels);
    let step = |range: std::ops::Range<usize>| {
        let level = levels.of(range.clone());
        let least = measured[range.clone()].iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min);
        let error = (level.distance / range.len() as f64).abs();
        let (first, end) = (measured[range.start].0, measured[range.end - 1].0 + 1);
        Step { first, end, level: level.median, least, error }
    };
    fit::ranges(&ends).map(step).collect()
}

/// The median of the weights: half the sum of the two in the middle, rounded as in Python.
fn typical(mut weights: Vec<f64>) -> f64 {
    weights.sort_by(f64::total_cmp);
    let Some(last) = weights.len().checked_sub(1) else { return 1.0 };
    let (low, high) = (weights[last / 2], weights[weights.len() / 2]);
    let median = if last % 2 == 0 { low } else { (low + high) / 2.0 };
    if median == 0.0 { 1.0 } else { median }
}

#[cfg(test)]
mod tests;
