//! How far one point of a series scatters, whatever its level does.

use crate::quantile::MAD_TO_SD;

/// The least noise there can be beside the range of the values: below it, sums of squares lose their digits.
const LEAST_SHARE: f64 = 1e-9;

/// Returns the standard deviation of one point, from differences between neighbours, which shifts hardly touch; 0 where all
/// values are equal.
///
/// 1.4826 times the median absolute deviation of the differences, over √2. A series of few distinct values mostly repeats and
/// would have none: half its smallest change is the least.
pub(super) fn sigma(values: &[f64]) -> f64 {
    let mut differences: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let smallest = differences.iter().map(|d| d.abs()).filter(|size| *size > 0.0).fold(f64::INFINITY, f64::min);
    if !smallest.is_finite() {
        return 0.0;
    }
    let centre = middle(&mut differences);
    let mut deviations: Vec<f64> = differences.iter().map(|difference| (difference - centre).abs()).collect();
    let robust = MAD_TO_SD * middle(&mut deviations) / std::f64::consts::SQRT_2;
    robust.max(smallest / 2.0).max(LEAST_SHARE * range(values))
}

/// Returns the median of values in any order, without sorting them; 0 where there are none.
pub(super) fn middle(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let is_even = values.len().is_multiple_of(2);
    let (below, upper, _) = values.select_nth_unstable_by(values.len() / 2, f64::total_cmp);
    let lower = if is_even { below.iter().copied().fold(f64::NEG_INFINITY, f64::max) } else { *upper };
    // Not half the sum, which may be too large for a number.
    lower + (*upper - lower) / 2.0
}

/// Returns how far from a level values have strayed for a while: the farthest median of three in a row.
pub(super) fn stray(values: &[f64], level: f64) -> f64 {
    let stray = |three: &[f64]| (middle(&mut three.to_vec()) - level).abs();
    values.windows(3).map(stray).fold(0.0, f64::max)
}

fn range(values: &[f64]) -> f64 {
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
    high - low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[f64], expected: f64) {
        let found = sigma(values);
        assert!((found - expected).abs() <= 1e-12 * expected, "{found}, not {expected}: {values:?}");
    }

    #[test]
    fn the_scale_is_that_of_differences_between_neighbours() {
        // Differences 1 -2 3 -4: median -0.5, deviations 1.5 1.5 3.5 3.5, median 2.5.
        check(&[0.0, 1.0, -1.0, 2.0, -2.0], 1.4826 * 2.5 / 2.0_f64.sqrt());
        // A step is one difference of many: 1 -1 1 -1 9 -1 1 -1 1, of which four are 2 from the median of 1.
        check(&[0.0, 1.0, 0.0, 1.0, 0.0, 9.0, 8.0, 9.0, 8.0, 9.0], 1.4826 * 2.0 / 2.0_f64.sqrt());
    }

    #[test]
    fn values_that_mostly_repeat_have_half_their_smallest_change() {
        check(&[5.0, 5.0, 5.0, 5.0, 5.5, 5.5, 5.5, 7.0], 0.25);
        check(&[5.0, 5.0, 5.0], 0.0);
        check(&[5.0], 0.0);
        check(&[], 0.0);
        // Rounding is no change beside a range of nine digits more.
        check(&[0.0, 1e-14, 0.0, 1e-14, 1.0, 1.0, 1.0], 1e-9);
    }

    #[test]
    fn the_middle_is_the_median() {
        for n in 0..9_u8 {
            let values: Vec<f64> = (0..n).map(|i| f64::from(i * 5 % n)).collect();
            let expected = crate::quantile::median(values.clone()).unwrap_or(0.0);
            assert_eq!(middle(&mut values.clone()), expected, "{values:?}");
        }
    }
}
