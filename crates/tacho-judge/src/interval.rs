//! The interval of the median that needs no assumption on the distribution.

/// Returns an interval that holds the true median with at least `confidence`, from ascending
/// `sorted` samples; `None` where there are too few of them to bound it (fewer than 8 for 99 %).
///
/// For independent samples of a continuous distribution the number of samples below the true median
/// is binomial with p = 1/2, so `P(x[r] <= median <= x[n + 1 - r]) >= 1 - 2 P(K <= r - 1)` for the
/// order statistics `x[1] ≤ … ≤ x[n]`; `r` is the largest rank whose tail stays within half of
/// `1 - confidence`. See H. A. David and H. N. Nagaraja, "Order Statistics", 3rd edition (Wiley,
/// 2003), section 7.1. asv uses the same ranks where they exist.
pub fn median_interval(sorted: &[f64], confidence: f64) -> Option<(f64, f64)> {
    let rank = lower_rank(sorted.len(), (1.0 - confidence) / 2.0);
    let below = rank.checked_sub(1)?;
    Some((sorted[below], sorted[sorted.len() - rank]))
}

/// Returns the largest `r` with `P(K <= r - 1) <= tail` for K binomial(n, 1/2); 0 where there is none.
fn lower_rank(n: usize, tail: f64) -> usize {
    // Logarithms: 2^-n underflows from n = 1075 on. A tail equal to the bound counts as within it,
    // whatever the rounding of the sum.
    let bound = tail * (1.0 + 1e-9);
    let mut ln_probability = -(n as f64) * std::f64::consts::LN_2;
    let mut cumulated = 0.0;
    for k in 0..n / 2 {
        cumulated += ln_probability.exp();
        if cumulated > bound {
            return k;
        }
        ln_probability += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    n / 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The ranks are those of exact integer tails in Python (`sum(comb(n, j)) / 2**n <= 1/200`), and of
    /// scipy's `binom.cdf`.
    fn check(n: usize, expected: usize) {
        assert_eq!(lower_rank(n, 0.005), expected, "{n} samples");
    }

    #[test]
    fn ranks_are_those_of_exact_tails() {
        for (n, rank) in [(0, 0), (1, 0), (7, 0), (8, 1), (11, 1), (12, 2), (15, 3), (20, 4), (30, 8), (50, 16)] {
            check(n, rank);
        }
        for (n, rank) in [(100, 37), (1000, 459), (2000, 942), (10_000, 4871)] {
            check(n, rank);
        }
    }

    #[test]
    fn eight_samples_give_their_range_and_seven_nothing() {
        let samples = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        assert_eq!(median_interval(&samples, 0.99), Some((1.0, 8.0)));
        assert_eq!(median_interval(&samples[1..], 0.99), None);
        assert_eq!(median_interval(&samples[1..], 0.95), Some((2.0, 8.0)));
    }

    #[test]
    fn a_million_samples_are_no_trouble() {
        let rank = lower_rank(1_000_000, 0.005);
        // The normal approximation: n / 2 - 2.5758 sqrt(n) / 2.
        assert!((498_710..=498_714).contains(&rank), "{rank}");
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_sample_median(mut values in prop::collection::vec(-1e9f64..1e9, 8..200)) {
            values.sort_by(f64::total_cmp);
            let (low, high) = median_interval(&values, 0.99).unwrap();
            let median = crate::quantile(&values, 0.5).unwrap();
            prop_assert!(low <= median && median <= high);
        }

        #[test]
        fn more_confidence_is_never_narrower(
            mut values in prop::collection::vec(-1e9f64..1e9, 20..200), a in 0.5f64..0.9999, b in 0.5f64..0.9999,
        ) {
            values.sort_by(f64::total_cmp);
            let narrow = median_interval(&values, a.min(b)).unwrap();
            if let Some(wide) = median_interval(&values, a.max(b)) {
                prop_assert!(wide.0 <= narrow.0 && narrow.1 <= wide.1);
            }
        }
    }
}
