//! Where a change can have begun: not only at the place that fits best.

use std::ops::RangeInclusive;

use super::segment::prefix_sums;

/// How much less likely than the best a place may be, as a difference of log-likelihoods.
const LEEWAY: f64 = 3.0;

/// Returns the indices at which the new level may begin when there is one change in `values`: from the first to the last
/// that is within three units of log-likelihood of the best.
///
/// `variance` is that of one value. Both sides keep at least one.
pub(super) fn candidates(values: &[f64], variance: f64) -> RangeInclusive<usize> {
    let sums = prefix_sums(values.iter().copied());
    let (n, total) = (values.len(), sums[values.len()]);
    // What a split takes off the sum of squares, but for a constant.
    let gain = |at: usize| {
        let (before, after) = (sums[at], total - sums[at]);
        before * before / at as f64 + after * after / (n - at) as f64
    };
    let gains: Vec<f64> = (1..n).map(gain).collect();
    let best = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_near = |gain: &f64| best - gain <= 2.0 * LEEWAY * variance;
    let first = gains.iter().position(is_near).map_or(0, |index| index + 1);
    first..=gains.iter().rposition(is_near).map_or(0, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_step_began_at_one_place() {
        assert_eq!(candidates(&[0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 9.0], 1.0), 4..=4);
    }

    #[test]
    fn a_step_of_the_size_of_the_noise_may_have_begun_nearby() {
        // 2.5 units are lost where five points of a step of 1 lie on the wrong side, and a bit less as means move along.
        let mut values = vec![0.0; 40];
        values.extend([1.0; 40]);
        let found = candidates(&values, 1.0);
        assert!((33..=35).contains(found.start()) && (45..=47).contains(found.end()), "{found:?}");
        assert_eq!(found.start() + found.end(), 80);
    }
}
