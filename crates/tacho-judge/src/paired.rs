//! The paired analysis: two sides measured in turn, and what the differences of their rounds say.
//!
//! One difference a round: the logarithm of the later side's value over the earlier's where both are
//! positive. The effect is the Hodges-Lehmann estimate of the differences' centre, and intervals invert the exact
//! signed-rank test. That supposes differences that are independent and symmetric about their centre; where nothing has
//! changed the sides can be exchanged, so symmetry needs no shape of the noise.

mod looks;
mod scale;

pub use looks::{LOOKS, Look, looks, spent};
pub use scale::{LEAST_ROUNDS, reachable_effect, rounds_needed};

use crate::normal::normal_upper;
use crate::quantile;
use crate::signed_rank::SignedRank;

/// How often a change as large as the smallest detectable one is found.
pub const POWER: f64 = 0.8;

/// Paired differences, sorted out for questions.
#[derive(Debug, Clone)]
pub struct Paired {
    /// Ascending.
    differences: Vec<f64>,
    /// The averages of all pairs, each difference with itself included, ascending.
    averages: Vec<f64>,
}

impl Paired {
    /// Takes differences in any order; `None` where there are none, or one is not finite.
    pub fn of(differences: &[f64]) -> Option<Paired> {
        if differences.is_empty() || differences.iter().any(|difference| !difference.is_finite()) {
            return None;
        }
        let mut differences = differences.to_vec();
        differences.sort_unstable_by(f64::total_cmp);
        let with_later = |(at, first): (usize, &f64)| {
            let first = *first;
            differences[at..].iter().map(move |second| first / 2.0 + second / 2.0).collect::<Vec<f64>>()
        };
        let mut averages: Vec<f64> = differences.iter().enumerate().flat_map(with_later).collect();
        averages.sort_unstable_by(f64::total_cmp);
        Some(Paired { differences, averages })
    }

    /// Returns how many differences there are.
    pub fn n(&self) -> usize {
        self.differences.len()
    }

    /// Returns the Hodges-Lehmann estimate of the centre: the median of the averages of all pairs.
    ///
    /// J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank Tests", The Annals of Mathematical
    /// Statistics 34 (1963) 598-611. For normal noise it needs 5 % more rounds than the mean, and up to 29 % of the
    /// differences may be wild.
    pub fn effect(&self) -> f64 {
        // There is an average for every difference.
        quantile(&self.averages, 0.5).unwrap_or(0.0)
    }

    /// Returns the interval that misses the true centre with probability `alpha` at most; `None` where this
    /// many differences cannot reach that level (it is infinite then).
    ///
    /// `null` is the distribution for as many differences. The ends are averages of pairs, found by inverting
    /// the signed-rank test (Hollander, Wolfe and Chicken, section 3.3), and belong to the interval. That makes it
    /// conservative where differences are tied or zero: breaking ties by an arbitrarily small symmetric noise
    /// moves no average from outside an end to beyond it, and without ties the level is exact.
    pub fn interval(&self, null: &SignedRank, alpha: f64) -> Option<(f64, f64)> {
        debug_assert_eq!(null.n(), self.n());
        let rank = null.rank(alpha)?;
        Some((self.averages[rank - 1], self.averages[self.averages.len() - rank]))
    }

    /// Returns the level at which `centre` is just outside the interval: the p-value of the two-sided test.
    ///
    /// Averages equal to `centre` count for both sides, as they do in [`Paired::interval`].
    pub fn p_value(&self, null: &SignedRank, centre: f64) -> f64 {
        debug_assert_eq!(null.n(), self.n());
        let below_or_at = self.averages.partition_point(|average| *average <= centre);
        let below = self.averages.partition_point(|average| *average < centre);
        let at_or_above = self.averages.len() - below;
        null.two_sided(below_or_at.min(at_or_above))
    }

    /// Returns the smallest true effect that would be found with probability [`POWER`] by an experiment like
    /// this one that asks at level `alpha`; `None` where its interval is infinite.
    ///
    /// An interval of level `alpha` is about `z(alpha / 2)` standard errors wide to each side, and an effect is
    /// found that often if it lies `z(alpha / 2) + z(1 - POWER)` of them from zero: half the interval's width times
    /// `1 + z(1 - POWER) / z(alpha / 2)`, where `z(0.2)` = 0.84.
    pub fn detectable(&self, null: &SignedRank, alpha: f64) -> Option<f64> {
        let (low, high) = self.interval(null, alpha)?;
        Some((high - low) / 2.0 * (1.0 + normal_upper(1.0 - POWER) / normal_upper(alpha / 2.0)))
    }

    /// Returns the robust standard deviation of the differences; 0 for a single one.
    pub fn scale(&self) -> f64 {
        scale::robust(&self.differences)
    }
}

/// Returns the logarithms of `after` over `before`, pair by pair; `None` where a value is not positive and
/// finite, or the sides are not of one length.
pub fn log_differences(before: &[f64], after: &[f64]) -> Option<Vec<f64>> {
    if before.len() != after.len() {
        return None;
    }
    let difference = |(before, after): (&f64, &f64)| {
        let usable = |value: f64| value > 0.0 && value.is_finite();
        (usable(*before) && usable(*after)).then(|| libm::log(*after) - libm::log(*before))
    };
    before.iter().zip(after).map(difference).collect()
}

#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests;
