//! How much less a stretch of points says because neighbours resemble each other.

/// The closest resemblance that is believed: beyond, nothing could be found any more.
const CLOSEST: f64 = 0.95;

/// By how much less points say than as many independent ones would.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Inflation {
    /// By how much the variance of a mean is larger than `sigma` alone tells, at least 1: `v·(1 + ρ)/(1 - ρ)`, where ρ is the
    /// correlation of neighbouring residuals and `v` their variance over that of `sigma`, both of them at least as large as
    /// for independent residuals.
    pub(super) of_means: f64,
    /// The same of a rank sum: `v^(3/4)·(1 + ρ)/(1 - ρ)`. `v` is large where tails are heavier than `sigma` tells, which ranks do not mind, or where
    /// points resemble each other for longer than neighbours tell, which they do. Nothing tells the two apart; three quarters of its logarithm keep false points as rare as they should be.
    pub(super) of_ranks: f64,
}

impl Inflation {
    /// That of independent points.
    pub(super) const NONE: Inflation = Inflation { of_means: 1.0, of_ranks: 1.0 };
}

/// Returns by how much less the values say.
///
/// `starts` are the indices at which a new level begins. The factor is that of an autoregressive process of first order: G. E. P. Box,
/// G. M. Jenkins, G. C. Reinsel and G. M. Ljung, "Time Series Analysis", 5th edition (Wiley, 2015), section 2.1.
pub(super) fn inflation(values: &[f64], starts: &[usize], sigma: f64) -> Inflation {
    let residuals = residuals(values, starts);
    let squares: f64 = residuals.iter().map(|residual| residual * residual).sum();
    if squares <= 0.0 {
        return Inflation::NONE;
    }
    let products: f64 = residuals.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let rho = (products / squares).clamp(0.0, CLOSEST);
    let freedom = values.len().saturating_sub(starts.len() + 1).max(1);
    let variance = (squares / freedom as f64 / (sigma * sigma)).max(1.0);
    let resemblance = (1.0 + rho) / (1.0 - rho);
    Inflation { of_means: variance * resemblance, of_ranks: variance.sqrt() * variance.sqrt().sqrt() * resemblance }
}

/// Returns how far each value is from the mean of its segment.
fn residuals(values: &[f64], starts: &[usize]) -> Vec<f64> {
    let mut residuals = Vec::with_capacity(values.len());
    for range in super::segment::ranges(starts, values.len()) {
        let segment = &values[range];
        let mean = segment.iter().sum::<f64>() / segment.len() as f64;
        residuals.extend(segment.iter().map(|value| value - mean));
    }
    residuals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Random;

    /// A long autoregressive series of first order with innovations of variance 1.
    fn series(rho: f64, seed: u64) -> Vec<f64> {
        let mut random = Random(seed);
        let mut last = 0.0;
        let mut next = || {
            last = rho * last + random.normal();
            last
        };
        (0..20_000).map(|_| next()).collect()
    }

    fn check(rho: f64, sigma: f64, variance: f64, resemblance: f64) {
        let found = inflation(&series(rho, 3), &[], sigma);
        let is_near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.05;
        assert!(is_near(found.of_means, variance * resemblance), "{found:?}");
        assert!(is_near(found.of_ranks, variance.powf(0.75) * resemblance), "{found:?}");
    }

    #[test]
    fn the_factor_is_that_of_the_process() {
        check(0.0, 1.0, 1.0, 1.0);
        // The variance is 1 / (1 - 0.25), of which the scale knows 1.
        check(0.5, 1.0, 4.0 / 3.0, 3.0);
        // Neighbours that repel each other, or a scale too large, take nothing off.
        check(-0.5, 2.0, 1.0, 1.0);
        check(0.5, 10.0, 1.0, 3.0);
    }

    #[test]
    fn levels_are_no_resemblance() {
        let mut values = series(0.0, 4);
        values[10_000..].iter_mut().for_each(|value| *value += 10.0);
        assert!(inflation(&values, &[10_000], 1.0).of_means < 1.05);
        assert!(inflation(&values, &[], 1.0).of_means > 100.0);
        assert_eq!(inflation(&[1.0, 1.0, 1.0], &[], 1.0), Inflation::NONE);
    }
}
