//! asv's rule for two results: a factor, and a test of whether they differ at all.
//!
//! What is reproduced is the decision of `asv compare` 0.6: the later value is below the earlier one divided by the factor
//! (or the reverse), and, where both sides have more than one sample, a two-sided rank-sum test on the samples gives p <
//! 0.002, or, without enough samples, the 99 % intervals are disjoint.

use tacho_model::{Basis, Effect, Judgement, Outcome, Verdict};

use crate::rank_sum::{normal_tail, null_distribution};

/// The p that asv calls different.
const LEVEL: f64 = 0.002;
/// The sample size up to which asv computes p exactly.
const EXACT_UP_TO: usize = 20;

/// Judges as asv does; `None` without two values.
///
/// asv takes lower for better. Here the metric's direction decides what is better; which rows are marked is the same.
pub(super) fn judge(before: &Outcome, after: &Outcome, factor: f64, use_stats: bool) -> Option<Judgement> {
    let (a, b) = (before.value?, after.value?);
    let is_real = !use_stats || !has_stats(before) || !has_stats(after) || is_different(before, after);
    let verdict = match (b < a / factor, a < b / factor) {
        (false, false) => Verdict::Unchanged,
        _ if !is_real => Verdict::Inconclusive,
        (is_lower, _) => super::worded(after.metric.direction, is_lower),
    };
    let effect = if a > 0.0 && b > 0.0 {
        Effect::Ratio { value: b / a, interval: None }
    } else {
        Effect::Difference { value: b - a, interval: None }
    };
    Some(Judgement { verdict, effect, basis: Basis::Asv, within_band: false })
}

/// asv leaves a single sample to the factor alone.
fn has_stats(outcome: &Outcome) -> bool {
    outcome.n_samples > 1
}

fn is_different(before: &Outcome, after: &Outcome) -> bool {
    let (x, y) = (&before.samples, &after.samples);
    if 1.0 / arrangements(x.len(), y.len()) < LEVEL {
        return p_value(x, y) < LEVEL;
    }
    match (before.interval, after.interval) {
        (Some(a), Some(b)) => a.1 < b.0 || b.1 < a.0,
        // An interval without bounds overlaps with every other.
        _ => false,
    }
}

/// The number of ways in which two samples can be interleaved.
fn arrangements(m: usize, n: usize) -> f64 {
    let (few, all) = (m.min(n), m + n);
    (1..=few).map(|k| (all + 1 - k) as f64 / k as f64).product()
}

/// Two-sided p of the rank-sum test; ties are broken so that p is largest.
fn p_value(x: &[f64], y: &[f64]) -> f64 {
    let (m, n) = (x.len(), y.len());
    let (all, half) = (m * n, m * n / 2);
    let u = least_significant(x, y);
    if m.max(n) > EXACT_UP_TO {
        return 2.0 * normal_tail(m, n, u as f64);
    }
    let distribution = null_distribution(m, n);
    let up_to = |last: usize| distribution[..=last].iter().sum::<f64>();
    up_to(u) + 1.0 - up_to(half.max((all - u).saturating_sub(1)))
}

/// Returns min(U, mn - U) with ties broken towards the middle.
fn least_significant(x: &[f64], y: &[f64]) -> usize {
    let mut sorted = y.to_vec();
    sorted.sort_by(f64::total_cmp);
    let below = |value: f64| sorted.partition_point(|other| *other < value);
    let not_above = |value: f64| sorted.partition_point(|other| *other <= value);
    let fewest: usize = x.iter().map(|value| below(*value)).sum();
    let most: usize = x.iter().map(|value| not_above(*value)).sum();
    let (all, half) = (x.len() * y.len(), x.len() * y.len() / 2);
    let most = if fewest <= half && half <= most { half } else { most };
    fewest.min(all - fewest).max(most.min(all - most))
}

#[cfg(test)]
mod tests;
