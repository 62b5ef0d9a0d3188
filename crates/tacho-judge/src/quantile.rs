//! Quantiles by linear interpolation between order statistics.

/// Returns the quantile `q` (from 0 to 1) of ascending `sorted`, `None` where there are no values.
///
/// Linear interpolation at position `(n - 1) q`: definition 7 of R. J. Hyndman and Y. Fan, "Sample
/// Quantiles in Statistical Packages", The American Statistician 50 (1996) 361-365, which is the
/// default of numpy and of R. The median is `quantile(sorted, 0.5)`.
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = last as f64 * q.clamp(0.0, 1.0);
    let below = (position.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(between(sorted[below], sorted[above], position - below as f64))
}

/// What makes the median absolute deviation of normal noise its standard deviation.
pub(crate) const MAD_TO_SD: f64 = 1.4826;

/// Returns the median of values in any order, `None` where there are none.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5)
}

fn between(low: f64, high: f64, share: f64) -> f64 {
    let distance = high - low;
    // As numpy: counted from the nearer end, so that the result never leaves [low, high].
    if distance.is_infinite() {
        low * (1.0 - share) + high * share
    } else if share < 0.5 {
        low + distance * share
    } else {
        high - distance * (1.0 - share)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The figures are `numpy.quantile(values, q)` of numpy 2.
    fn check(sorted: &[f64], q: f64, expected: f64) {
        assert_eq!(quantile(sorted, q), Some(expected), "{q} of {sorted:?}");
    }

    #[test]
    fn quartiles_are_those_of_numpy() {
        check(&[1.0, 2.0, 3.0, 4.0], 0.25, 1.75);
        check(&[1.0, 2.0, 3.0, 4.0], 0.5, 2.5);
        check(&[1.0, 2.0, 3.0, 4.0], 0.75, 3.25);
        check(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0], 0.25, 2.5);
        check(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0], 0.75, 14.0);
        check(&[1.1, 2.2, 3.3, 5.5, 9.9], 0.25, 2.2);
        check(&[0.1, 0.2, 0.7], 0.25, 0.15000000000000002);
        check(&[0.1, 0.2, 0.7], 0.75, 0.44999999999999996);
        check(&[7.0], 0.25, 7.0);
        check(&[-1.7e308, 1.7e308], 0.5, 0.0);
    }

    #[test]
    fn nothing_has_no_quantiles() {
        assert_eq!(quantile(&[], 0.5), None);
    }

    proptest! {
        #[test]
        fn a_quantile_lies_within_the_values_and_grows_with_q(
            mut values in prop::collection::vec(-1e300f64..1e300, 1..40), a in 0.0f64..=1.0, b in 0.0f64..=1.0,
        ) {
            values.sort_by(f64::total_cmp);
            let low = quantile(&values, a.min(b)).unwrap();
            let high = quantile(&values, a.max(b)).unwrap();
            // Two roundings may part values that are equal in theory.
            prop_assert!(low <= high || (low - high).abs() <= 1e-12 * low.abs());
            prop_assert!(values[0] <= low && high <= values[values.len() - 1]);
        }

        #[test]
        fn the_median_is_the_middle_value_or_the_middle_of_two(
            mut values in prop::collection::vec(-1e6f64..1e6, 1..40),
        ) {
            values.sort_by(f64::total_cmp);
            let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
            let median = quantile(&values, 0.5).unwrap();
            prop_assert!((median - (low + high) / 2.0).abs() <= 1e-9);
        }
    }
}
