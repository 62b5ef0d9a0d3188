//! Points that stand out alone, or two by two.

use std::ops::Range;

/// How far from its segment a spike is, in standard deviations.
const LEAST_SIGMAS: f64 = 5.0;
/// The most points of a spike; more would be a level.
const MOST_POINTS: usize = 2;

/// Returns the spikes among the residuals of one segment: stretches of at most two points that lie farther out than 5 `sigma`.
pub(super) fn spikes(residuals: &[f64], sigma: f64) -> Vec<Range<usize>> {
    let is_far = |residual: &f64| residual.abs() > LEAST_SIGMAS * sigma;
    let mut found = Vec::new();
    let mut first = 0;
    for stretch in residuals.chunk_by(|a, b| is_far(a) == is_far(b)) {
        if is_far(&stretch[0]) && stretch.len() <= MOST_POINTS {
            found.push(first..first + stretch.len());
        }
        first += stretch.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_two_points_are_a_spike_and_three_are_none() {
        let residuals = [9.0, 0.0, 5.1, -5.1, 4.9, 6.0, 6.0, 6.0, 0.0, -7.0];
        assert_eq!(spikes(&residuals, 1.0), [0..1, 2..4, 9..10]);
        assert_eq!(spikes(&residuals, 2.0), []);
        assert_eq!(spikes(&[], 1.0), []);
    }
}
