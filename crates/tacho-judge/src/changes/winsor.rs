//! Values pulled in to where their neighbours are, so that squares do not overrate a wild one.

use super::scale::middle;

/// How many points a running median looks at on either side.
const REACH: usize = 4;
/// How far from the running median a value may stay, in standard deviations.
pub(super) const FARTHEST: f64 = 2.5;

/// Returns the values, none of them farther than 2.5 `sigma` from the median of the nine around it.
pub(super) fn winsorised(values: &[f64], sigma: f64) -> Vec<f64> {
    let reach = FARTHEST * sigma;
    let pulled = |(value, median): (&f64, f64)| value.clamp(median - reach, median + reach);
    values.iter().zip(running_median(values)).map(pulled).collect()
}

/// Returns the median of each value and up to four on either side: fewer at the ends.
fn running_median(values: &[f64]) -> Vec<f64> {
    let mut window = Vec::with_capacity(2 * REACH + 1);
    let median_at = |at: usize| {
        window.clear();
        window.extend_from_slice(&values[at.saturating_sub(REACH)..(at + REACH + 1).min(values.len())]);
        middle(&mut window)
    };
    (0..values.len()).map(median_at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wild_value_comes_within_reach_and_a_level_stays() {
        let mut values = vec![0.0; 10];
        values.extend([9.0; 10]);
        values[3] = 100.0;
        let mut expected = values.clone();
        expected[3] = 2.5;
        assert_eq!(winsorised(&values, 1.0), expected);
    }

    #[test]
    fn the_last_points_of_a_new_level_are_believed_from_three_on() {
        let values = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 9.0];
        // The medians of 7, 6 and 5 points.
        assert_eq!(winsorised(&values, 1.0)[6..], [2.5, 7.0, 9.0]);
        assert_eq!(winsorised(&values[..8], 1.0)[6..], [2.5, 2.5]);
        assert!(winsorised(&[], 1.0).is_empty());
    }
}
