//! Quantiles of the standard normal distribution.

/// Returns the `z` that a standard normal variable exceeds with probability `tail`, from 0 to 1/2;
/// infinite for a tail of 0.
///
/// Solved for by bisection: the tail at `z` is `erfc(z / √2) / 2`, which falls steadily, and is below the smallest
/// number from `z` = 39 on.
pub fn normal_upper(tail: f64) -> f64 {
    if tail <= 0.0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, 39.0);
    // Each step gives a bit, and a float has no more than 64.
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if libm::erfc(middle * std::f64::consts::FRAC_1_SQRT_2) / 2.0 > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures are those of Python's `statistics.NormalDist().inv_cdf(1 - tail)`.
    fn check(tail: f64, expected: f64) {
        let found = normal_upper(tail);
        assert!((found - expected).abs() <= 1e-12 * expected.max(1.0), "{tail}: {found}");
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        check(0.5, 0.0);
        check(0.2, 0.8416212335729144);
        check(0.05, 1.6448536269514715);
        check(0.025, 1.9599639845400536);
        check(0.005, 2.5758293035489);
        check(0.0005, 3.2905267314918945);
    }

    #[test]
    fn the_ends_are_no_trouble() {
        assert_eq!(normal_upper(0.0), f64::INFINITY);
        assert!(normal_upper(1e-300) > 37.0 && normal_upper(1e-300) < 37.1);
        assert!(normal_upper(0.9) <= 1e-15);
    }
}
