//! Sparklines: the course of a series in a few numbers.

/// How many values a sparkline has at most.
const MOST: usize = 60;

/// Returns the course of a series: its points shared out by position into at most sixty equal stretches of `0..n_positions`, the median of each,
/// and all of it between 0 and 1. A stretch without points is `None`. Three digits are kept.
pub fn spark(points: &[(u64, f64)], n_positions: u64) -> Vec<Option<f64>> {
    let n = n_positions.clamp(1, MOST as u64);
    let mut stretches: Vec<Vec<f64>> = vec![vec![]; n as usize];
    for (position, value) in points.iter().filter(|(_, value)| value.is_finite()) {
        let at = u128::from(*position) * u128::from(n) / u128::from(n_positions.max(1));
        stretches[(at as usize).min(n as usize - 1)].push(*value);
    }
    let middles: Vec<Option<f64>> = stretches.into_iter().map(middle).collect();
    let known = || middles.iter().flatten().copied();
    let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    // The difference of two finite numbers may be none.
    let scaled = |value: f64| (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    let place = |value: f64| if high > low { rounded(scaled(value)) } else { 0.5 };
    middles.into_iter().map(|value| value.map(place)).collect()
}

fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_is_between_0_and_1() {
        assert_eq!(spark(&[(0, 2.0), (1, 4.0), (3, 3.0)], 4), [Some(0.0), Some(1.0), None, Some(0.5)]);
        assert_eq!(spark(&[(0, 2.0)], 2), [Some(0.5), None]);
        assert_eq!(spark(&[], 2), [None, None]);
        assert_eq!(spark(&[(9, f64::NAN)], 0), [None]);
        assert_eq!(spark(&[(0, -f64::MAX), (1, f64::MAX)], 2), [Some(0.0), Some(1.0)]);
    }

    #[test]
    fn a_long_one_is_sixty_values_long() {
        let points: Vec<(u64, f64)> = (0..600).map(|at| (at, at as f64)).collect();
        let spark = spark(&points, 600);
        assert_eq!(spark.len(), 60);
        assert!(spark.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
