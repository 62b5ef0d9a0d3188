//! Where a change can have begun: not only at the place that fits best.

use std::ops::RangeInclusive;

use super::segment::prefix_sums;

/// How much less likely than the chosen place another may be, as a difference of log-likelihoods.
const LEEWAY: f64 = 3.0;

/// Returns the indices at which the new level that was found at `at` may begin: from the first to the last at which a
/// split of `values` is within three units of log-likelihood of the split there.
///
/// `variance` is that of one value. Both sides of a split keep at least one.
pub(super) fn candidates(values: &[f64], at: usize, variance: f64) -> RangeInclusive<usize> {
    let sums = prefix_sums(values.iter().copied());
    let (n, total) = (values.len(), sums[values.len()]);
    // What a split takes off the sum of squares, but for a constant.
    let gain = |at: usize| {
        let (before, after) = (sums[at], total - sums[at]);
        before * before / at as f64 + after * after / (n - at) as f64
    };
    let least = gain(at) - 2.0 * LEEWAY * variance;
    let is_near = |at: &usize| gain(*at) >= least;
    let first = (1..at).find(is_near).unwrap_or(at);
    first..=(at + 1..n).rev().find(is_near).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_step_began_at_one_place() {
        assert_eq!(candidates(&[0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 9.0], 4, 1.0), 4..=4);
    }

    #[test]
    fn a_step_of_the_size_of_the_noise_may_have_begun_nearby() {
        // 2.5 units are lost where five points of a step of 1 lie on the wrong side, and a bit less as means move along.
        let mut values = vec![0.0; 40];
        values.extend([1.0; 40]);
        let found = candidates(&values, 40, 1.0);
        assert!((33..=35).contains(found.start()) && (45..=47).contains(found.end()), "{found:?}");
        assert_eq!(found.start() + found.end(), 80);
    }
}
