//! Lasting shifts in a series: differences that are no noise.
//!
//! This is the least that the noise between runs needs: to leave out the differences that a shift made. Where a shift is
//! found is not told to anybody.

use crate::quantile::{MAD_TO_SD, median};

/// How many points on either side must agree.
const NEIGHBOURS: usize = 3;
/// How many standard deviations of a single point lie between the two sides at least: a shift of five mostly leaves three.
const GAP: f64 = 3.0;

/// Returns the positions at which a new level begins: between the three points from there on and the three before lies a
/// gap that noise hardly leaves.
pub(super) fn steps(values: &[f64]) -> Vec<usize> {
    let least = GAP * scale(values);
    let begins = |at: &usize| {
        let (before, after) = (&values[at - NEIGHBOURS..*at], &values[*at..at + NEIGHBOURS]);
        (min(after) - max(before)).max(min(before) - max(after)) > least
    };
    (NEIGHBOURS..(values.len() + 1).saturating_sub(NEIGHBOURS)).filter(begins).collect()
}

/// The standard deviation of one point, from differences between neighbours, which shifts hardly touch; for values that mostly
/// repeat, half the smallest change there is.
fn scale(values: &[f64]) -> f64 {
    let sizes: Vec<f64> = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let smallest = sizes.iter().copied().filter(|size| *size > 0.0).fold(f64::INFINITY, f64::min);
    let robust = MAD_TO_SD * median(sizes).unwrap_or(0.0) / std::f64::consts::SQRT_2;
    // So that a single smallest change is a gap, and rounding none.
    let floor = if smallest.is_finite() { smallest / 2.0 / GAP } else { 0.0 };
    robust.max(floor)
}

fn max(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn min(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Random;

    fn check(values: &[f64], expected: &[usize]) {
        assert_eq!(steps(values), expected, "{values:?}");
    }

    #[test]
    fn a_level_that_lasts_is_a_step() {
        check(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0], &[3]);
        check(&[1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0], &[4, 7]);
        check(&[1.0, 1.1, 0.9, 1.0, 1.1, 0.9, 5.0, 5.1, 4.9, 5.0], &[6]);
    }

    #[test]
    fn a_spike_is_none_and_neither_is_the_end() {
        check(&[1.0, 1.0, 1.0, 9.0, 1.0, 1.0, 1.0], &[]);
        check(&[1.0, 1.0, 1.0, 9.0, 9.0, 1.0, 1.0], &[]);
        check(&[1.0, 1.0, 1.0, 1.0, 9.0, 9.0], &[]);
        check(&[], &[]);
        check(&[1.0, 1.0], &[]);
    }

    #[test]
    fn noise_alone_hardly_ever_makes_one() {
        let mut noise = Random(7);
        let found: usize = (0..1000).map(|_| steps(&(0..60).map(|_| noise.normal()).collect::<Vec<_>>()).len()).sum();
        assert!(found < 10, "{found} in 1000 series of 60 points");
    }

    #[test]
    fn steps_of_ten_deviations_are_found_where_they_are() {
        let mut noise = Random(8);
        let found = (0..200).filter(|_| {
            let values: Vec<f64> = (0..40).map(|i| noise.normal() + if i < 25 { 0.0 } else { 10.0 }).collect();
            steps(&values) == [25]
        });
        let found = found.count();
        assert!(found >= 190, "{found} of 200");
    }
}
