//! The newest points alone: too few for ranks, and yet a maintainer wants to know.

use super::autocorrelation::Inflation;
use super::scale::{self, middle};
use super::verify;

/// The most points of a provisional level; more can be confirmed.
const MOST_POINTS: usize = 20;
/// The fewest points that a provisional level is held against.
const LEAST_BEFORE: usize = 5;
/// The least shift, in standard deviations.
const LEAST_SIGMAS: f64 = 3.5;

/// A shift that only the newest points show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tail {
    /// The first point of the new level.
    pub(super) start: usize,
    /// The chance of it by Student's t.
    pub(super) p: f64,
}

/// Tells whether the last segment, which begins at `start` after one that begins at `first`, is a provisional new level: 3 to 20
/// points that all lie on one side of the level before, by more than 3.5 `sigma` and with a `p` of Student's t below `alpha`.
pub(super) fn provisional(values: &[f64], first: usize, start: usize, noise: Noise, alpha: f64) -> Option<Tail> {
    let (before, after) = verify::around(values, first, start, values.len());
    if before.len() < LEAST_BEFORE || !(super::segment::LEAST_POINTS..=MOST_POINTS).contains(&(values.len() - start)) {
        return None;
    }
    let level = middle(&mut before.to_vec());
    let shift = middle(&mut after.to_vec()) - level;
    let is_on_one_side = after.iter().all(|value| (value - level) * shift > 0.0);
    let share = 1.0 / before.len() as f64 + 1.0 / after.len() as f64;
    let t = shift.abs() / (noise.sigma * (noise.inflation.of_means * share).sqrt());
    let p = crate::student::two_sided_p(t, (before.len() + after.len() - 2) as f64);
    (is_on_one_side && shift.abs() > LEAST_SIGMAS * noise.sigma && p < alpha).then_some(Tail { start, p })
}

/// How many times farther than one point the median of three in a row strays, now and then, where nothing but noise moves them.
const STRAY_SIGMAS: f64 = 3.0;

/// Returns what the size of a provisional shift is a multiple of: `sigma`, or more where points before it, which begin at `first`, have strayed
/// from their level for a while before. A series that does so now and then says less when it does so again.
pub(super) fn unit(values: &[f64], first: usize, start: usize, sigma: f64) -> f64 {
    let before = &values[first..start];
    let level = middle(&mut before.to_vec());
    sigma.max(scale::stray(before, level) / STRAY_SIGMAS)
}

/// How far points scatter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noise {
    /// The standard deviation of one point.
    pub(super) sigma: f64,
    /// How much less points say than that tells.
    pub(super) inflation: Inflation,
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOISE: Noise = Noise { sigma: 1.0, inflation: Inflation::NONE };

    /// Ten points about 0, and these.
    fn check(newest: &[f64], noise: Noise, expected: bool) {
        let mut values = vec![-1.0, 1.0, -0.5, 0.5, 0.0, 0.0, 1.0, -1.0, 0.5, -0.5];
        values.extend_from_slice(newest);
        assert_eq!(provisional(&values, 0, 10, noise, 1e-4).is_some(), expected, "{newest:?}");
    }

    #[test]
    fn three_points_far_on_one_side_are_enough() {
        check(&[5.0, 6.0, 4.5], NOISE, true);
        check(&[-5.0, -6.0, -4.5], NOISE, true);
        check(&[5.0, 6.0], NOISE, false);
        check(&[3.4, 3.4, 3.4], NOISE, false);
        check(&[5.0, 6.0, -0.1, 7.0], NOISE, false);
        check(&[5.0; 20], NOISE, true);
        check(&[5.0; 21], NOISE, false);
    }

    #[test]
    fn noise_that_resembles_itself_says_less() {
        check(&[5.0, 6.0, 4.5], Noise { inflation: Inflation { of_means: 4.0, of_ranks: 1.0 }, ..NOISE }, false);
        check(&[5.0, 6.0, 4.5], Noise { sigma: 2.0, ..NOISE }, false);
    }

    #[test]
    fn what_has_strayed_before_counts_for_less() {
        let mut values = vec![0.0; 20];
        assert_eq!(unit(&values, 0, 20, 1.0), 1.0);
        values[5..8].fill(9.0);
        assert_eq!(unit(&values, 0, 20, 1.0), 3.0);
        assert_eq!(unit(&values, 8, 20, 1.0), 1.0);
        // One wild point is a spike.
        values[6..8].fill(0.0);
        assert_eq!(unit(&values, 0, 20, 1.0), 1.0);
    }

    #[test]
    fn there_must_be_something_before() {
        assert_eq!(provisional(&[0.0, 0.1, -0.1, 0.0, 9.0, 9.0, 9.0], 0, 4, NOISE, 1e-4), None);
    }
}
