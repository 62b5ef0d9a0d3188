//! Where a change can have begun: not only at the place that fits best.

use std::ops::RangeInclusive;

use super::scale::middle;
use super::segment::{LEAST_POINTS, prefix_sums};
use super::winsor;

/// How many points a place may be off that was found in winsorised values: half of the window of their medians.
const MOST_OFF: usize = 4;

/// How many points on either side of a boundary tell the levels.
const NEAR: usize = 60;

/// What a split of values takes off the sum of squares, but for a constant.
struct Gain {
    sums: Vec<f64>,
}

impl Gain {
    fn of(values: &[f64]) -> Gain {
        Gain { sums: prefix_sums(values.iter().copied()) }
    }

    /// Both sides of the split keep at least one value.
    fn at(&self, at: usize) -> f64 {
        let n = self.sums.len() - 1;
        let (before, after) = (self.sums[at], self.sums[n] - self.sums[at]);
        before * before / at as f64 + after * after / (n - at) as f64
    }
}

/// Returns values on both sides of `at`, winsorised but for those that are near one of the two levels.
///
/// Just beside a shift the median of the neighbours is that of the other level as soon as one of them is wild.
pub(super) fn mended(values: &[f64], tame: &[f64], at: usize) -> Vec<f64> {
    let levels = [middle(&mut values[..at].to_vec()), middle(&mut values[at..].to_vec())];
    let is_near = |value: f64| levels.iter().any(|level| (value - level).abs() <= winsor::FARTHEST);
    values.iter().zip(tame).map(|(value, tame)| if is_near(*value) { *value } else { *tame }).collect()
}

/// Returns places that were found in winsorised values where they are best with the values themselves. Both are in standard deviations.
pub(super) fn settled(values: &[f64], tame: &[f64], starts: &[usize]) -> Vec<usize> {
    let mut settled: Vec<usize> = Vec::with_capacity(starts.len());
    for (index, &at) in starts.iter().enumerate() {
        let first = settled.last().copied().unwrap_or(0);
        let end = starts.get(index + 1).copied().unwrap_or(values.len());
        let (first_place, last_place) = (first + LEAST_POINTS, end - LEAST_POINTS);
        // Levels are those of the nearest points: a long segment takes no longer.
        let (from, to) = (first.max(at.saturating_sub(NEAR)), end.min(at + NEAR));
        let gain = Gain::of(&mended(&values[from..to], &tame[from..to], at - from));
        let better =
            |best: usize, place: usize| if gain.at(place - from) > gain.at(best - from) { place } else { best };
        let places = first_place.max(at.saturating_sub(MOST_OFF))..=last_place.min(at + MOST_OFF);
        settled.push(places.fold(at, better));
    }
    settled
}

/// How much less likely than the chosen place another may be, as a difference of log-likelihoods.
const LEEWAY: f64 = 3.0;

/// Returns the indices at which the new level that was found at `at` may begin: from the first to the last at which a
/// split of `values` is within three units of log-likelihood of the split there.
///
/// `variance` is that of one value. Both sides of a split keep at least one.
pub(super) fn candidates(values: &[f64], at: usize, variance: f64) -> RangeInclusive<usize> {
    let gain = Gain::of(values);
    let least = gain.at(at) - 2.0 * LEEWAY * variance;
    let is_near = |at: &usize| gain.at(*at) >= least;
    let first = (1..at).find(is_near).unwrap_or(at);
    first..=(at + 1..values.len()).rev().find(is_near).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wild_value_before_a_shift_does_not_draw_it_near() {
        // Of the nine points about the last one of the old level one is wild and four are new: their median is a new one.
        let mut values: Vec<f64> = (0..40).map(|i: i32| f64::from(i * 7 % 5 - 2) / 2.0).collect();
        values[20..].iter_mut().for_each(|value| *value += 12.0);
        values[16] = 40.0;
        let tame = winsor::winsorised(&values, 1.0);
        assert!(tame[19] > 6.0, "{tame:?}");
        assert_eq!(settled(&values, &tame, &[19]), [20]);
        assert_eq!(settled(&values, &tame, &[20]), [20]);
        let mended = mended(&values, &tame, 20);
        assert_eq!((mended[19], candidates(&mended, 20, 1.0)), (values[19], 20..=20));
        // The wild one itself stays tame.
        assert!(mended[16] < 15.0, "{mended:?}");
    }

    #[test]
    fn places_stay_apart() {
        let values: Vec<f64> = [0.0; 5].into_iter().chain([9.0; 3]).chain([0.0; 5]).collect();
        assert_eq!(settled(&values, &values, &[4, 7]), [4, 8]);
        assert_eq!(settled(&values, &values, &[5, 8]), [5, 8]);
    }

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
