//! Student's t distribution.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Returns the half-width factor of a two-sided interval at `confidence` with `n_degrees` of freedom; infinite
/// without any.
pub(crate) fn two_sided_t(confidence: f64, n_degrees: usize) -> f64 {
    let t = StudentsT::new(0.0, 1.0, n_degrees as f64);
    t.map_or(f64::INFINITY, |t| t.inverse_cdf(0.5 + confidence / 2.0))
}

/// Returns the chance that a variable of Student's t with `n_degrees` of freedom lies farther from 0 than `t`, on either side; 1
/// without any.
///
/// The regularised incomplete beta function of `ν / (ν + t²)` at ν/2 and 1/2 (M. Abramowitz and I. A. Stegun, "Handbook of
/// Mathematical Functions", 26.7.1), by libm: the same on every platform.
pub(crate) fn two_sided_p(t: f64, n_degrees: f64) -> f64 {
    if n_degrees <= 0.0 || t.is_nan() {
        return 1.0;
    }
    let x = n_degrees / (n_degrees + t * t);
    let (a, b) = (n_degrees / 2.0, 0.5);
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else if x < (a + 1.0) / (a + b + 2.0) {
        incomplete_beta(x, a, b)
    } else {
        1.0 - incomplete_beta(1.0 - x, b, a)
    }
}

/// The continued fraction 26.5.8 of the same book, by the method of W. J. Lentz, "Generating Bessel functions in Mie scattering
/// calculations", Applied Optics 15 (1976) 668-671. It converges quickly for `x` below `(a + 1) / (a + b + 2)`.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    let beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - beta) / a;
    let (mut numerator, mut denominator, mut value) = (1.0, 0.0, 1.0);
    for step in 0..200 {
        let m = f64::from(step / 2);
        let term = if step == 0 {
            1.0
        } else if step % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        denominator = 1.0 / (1.0 + term * denominator);
        numerator = 1.0 + term / numerator;
        let factor: f64 = numerator * denominator;
        value *= factor;
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * (value - 1.0)
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

    fn check_tail(t: f64, n_degrees: f64, expected: f64) {
        let p = two_sided_p(t, n_degrees);
        assert!((p - expected).abs() < 1e-8 * expected, "{t} with {n_degrees}: {p}, not {expected}");
    }

    /// The figures are the finite sums 26.7.3 and 26.7.4 of Abramowitz and Stegun, in Python.
    #[test]
    fn tails_are_those_of_the_finite_sums() {
        check_tail(1.0, 1.0, 5.0000000000e-01);
        check_tail(12.7062, 1.0, 5.0000018561e-02);
        check_tail(3.0, 2.0, 9.5465966267e-02);
        check_tail(0.5, 7.0, 6.3240713569e-01);
        check_tail(3.4995, 7.0, 9.9997749615e-03);
        check_tail(4.5, 30.0, 9.5193593921e-05);
        check_tail(6.0, 41.0, 4.3266158101e-07);
        check_tail(2.0, 58.0, 5.0190468041e-02);
        assert_eq!(two_sided_p(f64::INFINITY, 5.0), 0.0);
        assert_eq!(two_sided_p(3.0, 0.0), 1.0);
    }
}
