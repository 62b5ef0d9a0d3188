//! Student's t distribution.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Returns the half-width factor of a two-sided interval at `confidence` with `n_degrees` of freedom; infinite
/// without any.
pub(crate) fn two_sided_t(confidence: f64, n_degrees: usize) -> f64 {
    let t = StudentsT::new(0.0, 1.0, n_degrees as f64);
    t.map_or(f64::INFINITY, |t| t.inverse_cdf(0.5 + confidence / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the usual tables of t.
    fn check(confidence: f64, n_degrees: usize, expected: f64) {
        let t = two_sided_t(confidence, n_degrees);
        assert!((t - expected).abs() < 6e-4, "{confidence} with {n_degrees}: {t}, not {expected}");
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        check(0.95, 1, 12.7062);
        check(0.99, 7, 3.4995);
        check(0.99, 49, 2.6800);
        check(0.99, 1000, 2.5808);
        assert!(two_sided_t(0.99, 0).is_infinite());
    }
}
