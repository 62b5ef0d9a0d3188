//! asv's 99 % interval of a median, which has ends for few samples too.
//!
//! What asv 0.6 writes beside a result: the interval of order statistics, and where there are too few samples for one (fewer
//! than 8) that of a posterior distribution, taken only as far as it reaches beyond the samples. Nothing here is judged
//! by it; it is for files that asv shall read.

use crate::interval::median_interval;
use crate::quantile;

/// The confidence that asv asks for.
const CONFIDENCE: f64 = 0.99;

/// Returns the interval that asv gives for the median of samples in any order; `None` for fewer than two, where asv's has no
/// ends.
pub fn asv_interval(samples: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    if sorted.len() < 2 {
        return None;
    }
    median_interval(&sorted, CONFIDENCE).or_else(|| {
        let tail = (1.0 - CONFIDENCE) / 2.0;
        let posterior = Posterior::new(&sorted)?;
        Some((posterior.quantile(tail).min(first), posterior.quantile(1.0 - tail).max(last)))
    })
}

/// The posterior of a location under Laplace noise of unknown scale: `p(b) ∝ (Σ |y_j - b|)^-(ν + 1)` with `ν = n - 1`.
///
/// That is `p(y | b, s) ∝ s^-n exp(-Σ |y_j - b| / s)` with the prior `p(s) ∝ 1 / s`, and s integrated out.
struct Posterior {
    median: f64,
    scale: f64,
    /// Ascending, less the median, divided by the scale so that powers neither overflow nor vanish.
    scaled: Vec<f64>,
    n_degrees: f64,
    /// The mass below each of the samples, and all of it; not normed.
    masses: Vec<f64>,
}

impl Posterior {
    /// Returns the posterior for at least two ascending samples.
    fn new(sorted: &[f64]) -> Option<Posterior> {
        let median = quantile(sorted, 0.5)?;
        let n_degrees = sorted.len() as f64 - 1.0;
        let distances: f64 = sorted.iter().map(|y| (y - median).abs()).sum();
        let scale = distances * libm::pow(n_degrees, 1.0 / (n_degrees + 1.0));
        let scaled = sorted.iter().map(|y| if scale > 0.0 { (y - median) / scale } else { 0.0 }).collect();
        let mut posterior = Posterior { median, scale, scaled, n_degrees, masses: Vec::new() };
        let mut mass = 0.0;
        for k in 0..=sorted.len() {
            mass += posterior.mass_of_piece(k).max(0.0);
            posterior.masses.push(mass);
        }
        Some(posterior)
    }

    /// Between sample `k - 1` and sample `k` the sum of distances is `slope * b + offset`.
    fn line(&self, k: usize) -> (f64, f64) {
        let above: f64 = self.scaled[k..].iter().sum();
        let below: f64 = self.scaled[..k].iter().sum();
        (2.0 * k as f64 - self.scaled.len() as f64, above - below)
    }

    fn mass_of_piece(&self, k: usize) -> f64 {
        let (slope, offset) = self.line(k);
        let low = k.checked_sub(1).map_or(f64::NEG_INFINITY, |below| self.scaled[below]);
        let high = self.scaled.get(k).copied().unwrap_or(f64::INFINITY);
        if slope == 0.0 {
            return (high - low) / libm::pow(offset, self.n_degrees + 1.0);
        }
        let power = |b: f64| libm::pow(slope * b + offset, -self.n_degrees);
        (power(low) - power(high)) / (self.n_degrees * slope)
    }

    fn quantile(&self, q: f64) -> f64 {
        if self.scale <= 0.0 {
            return self.median;
        }
        let all = self.masses[self.scaled.len()];
        let wanted = (q * all).min(all);
        let k = self.masses.iter().position(|mass| wanted <= *mass).unwrap_or(self.scaled.len());
        let within = self.within_piece(k, wanted - k.checked_sub(1).map_or(0.0, |below| self.masses[below]));
        let within = self.scaled.get(k).map_or(within, |high| within.min(*high));
        within * self.scale + self.median
    }

    /// Inverts the mass from the lower end of piece `k`.
    fn within_piece(&self, k: usize, mass: f64) -> f64 {
        let (slope, offset) = self.line(k);
        let low = k.checked_sub(1).map(|below| self.scaled[below]);
        if let (Some(low), true) = (low, slope == 0.0) {
            return low + mass * libm::pow(offset, self.n_degrees + 1.0);
        }
        let at_low = low.map_or(0.0, |low| libm::pow(slope * low + offset, -self.n_degrees));
        let power = at_low - self.n_degrees * slope * mass;
        if power > 0.0 {
            (libm::pow(power, -1.0 / self.n_degrees) - offset) / slope
        } else if k == 0 {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The figures are those of `asv_runner.statistics.compute_stats` (asv_runner 0.3.2, which asv 0.6.6 uses).
    fn check(samples: &[f64], median: f64, quartiles: (f64, f64), interval: (f64, f64)) {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let of = |q: f64| quantile(&sorted, q).unwrap();
        let found = asv_interval(samples).unwrap();
        let pairs = [
            (of(0.5), median),
            (of(0.25), quartiles.0),
            (of(0.75), quartiles.1),
            (found.0, interval.0),
            (found.1, interval.1),
        ];
        for (found, expected) in pairs {
            assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} instead of {expected} for {samples:?}");
        }
    }

    #[test]
    fn statistics_are_those_of_asv() {
        check(&[1.0, 2.0], 1.5, (1.25, 1.75), (-23.5, 26.49999999999998));
        check(&[2.0, 1.0, 4.0], 2.0, (1.5, 3.0), (-4.60458979802627, 9.27125646469301));
        check(&[0.1, 0.2, 0.7], 0.2, (0.15, 0.45), (-1.0924092527106486, 1.7590759193773167));
        check(&[1.0, 1.0, 2.0], 1.0, (1.0, 1.5), (-1.1864298200615147, 3.8530964867281923));
        check(&[-1.0, 0.0, 5.0], 0.0, (-0.5, 2.5), (-12.924092527106483, 15.590759193773206));
        check(&[1.1, 2.2, 3.3, 5.5], 2.75, (1.925, 3.85), (-1.4340829940380653, 7.484082994038027));
        check(
            &[1e-07, 1.02e-07, 1.01e-07, 1.5e-07, 9.9e-08],
            1.01e-07,
            (1e-07, 1.02e-07),
            (8.085083299065767e-08, 1.5e-07),
        );
        check(&[5.0, 4.0, 3.0, 2.0, 1.0, 9.0], 3.5, (2.25, 4.75), (0.09421267229002028, 9.0));
        check(&[10.0, 10.5, 10.25, 11.0, 10.75, 12.0, 9.0], 10.5, (10.125, 10.875), (9.0, 12.0));
    }

    #[test]
    fn from_eight_samples_on_it_is_the_interval_of_order_statistics() {
        check(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], 4.5, (2.75, 6.25), (1.0, 8.0));
        let squares: Vec<f64> = (0..12).map(|i| f64::from(i * i)).collect();
        check(&squares, 30.5, (7.75, 68.25), (1.0, 100.0));
    }

    #[test]
    fn equal_samples_have_no_width_and_large_ones_no_trouble() {
        check(&[3.0, 3.0, 3.0], 3.0, (3.0, 3.0), (3.0, 3.0));
        check(&[0.0, 0.0], 0.0, (0.0, 0.0), (0.0, 0.0));
        check(&[1e300, 1.5e300], 1.25e300, (1.125e300, 1.375e300), (-1.125e301, 1.375e301));
    }

    #[test]
    fn one_sample_bounds_nothing() {
        assert_eq!(asv_interval(&[1.0]), None);
        assert_eq!(asv_interval(&[]), None);
    }

    proptest! {
        #[test]
        fn the_interval_of_few_samples_holds_all_of_them(values in prop::collection::vec(-1e9f64..1e9, 2..8)) {
            let (low, high) = asv_interval(&values).unwrap();
            prop_assert!(values.iter().all(|value| low <= *value && *value <= high), "{low} {high}");
        }
    }
}
