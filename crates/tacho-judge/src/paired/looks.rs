//! When a paired experiment is looked at, and how much of its level each look may spend.

/// The rounds after which an experiment is looked at.
pub const LOOKS: [usize; 8] = [10, 14, 18, 24, 32, 48, 64, 96];

/// A look at an experiment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Rounds so far.
    pub n: usize,
    /// The two-sided level that this look may ask at; `None` where `n` rounds cannot reach what is left for it.
    pub level: Option<f64>,
}

/// Returns the looks at an experiment whose two-sided level is `alpha` as a whole.
///
/// A look gets what may be spent until it less what earlier looks have spent, and one that cannot reach its level
/// (below `2 / 2ⁿ`) leaves it to the next. The levels add up to `alpha` at most, so the experiment errs with
/// probability `alpha` at most, however its looks depend on one another.
pub fn looks(alpha: f64) -> Vec<Look> {
    let mut used = 0.0;
    let look = |n: usize| {
        let share = spent(alpha, n) - used;
        let reached = share >= 2.0 * (-(n as f64)).exp2();
        used += if reached { share } else { 0.0 };
        Look { n, level: reached.then_some(share) }
    };
    LOOKS.into_iter().map(look).collect()
}

/// Returns how much of `alpha` may be spent until `n` rounds: `alpha · ln(1 + (e - 1) t)` at the share
/// `t = n / 96` of all rounds.
///
/// K. K. G. Lan and D. L. DeMets, "Discrete Sequential Boundaries for Clinical Trials", Biometrika 70 (1983)
/// 659-663: the function that spends evenly, as Pocock's boundaries do.
pub fn spent(alpha: f64, n: usize) -> f64 {
    let share = n as f64 / LOOKS[LOOKS.len() - 1] as f64;
    alpha * libm::log1p((std::f64::consts::E - 1.0) * share.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spending_is_the_formula_and_ends_at_all_of_it() {
        // Python: 0.01 * math.log(1 + (math.e - 1) * n / 96).
        for (n, expected) in [(10, 0.0016465618084295528), (48, 0.006201145069582776), (96, 0.01), (200, 0.01)] {
            assert!((spent(0.01, n) - expected).abs() < 1e-16, "{n}");
        }
    }

    #[test]
    fn ten_rounds_cannot_reach_their_share_of_one_percent_and_leave_it_to_fourteen() {
        let looks = looks(0.01);
        assert_eq!(looks[0], Look { n: 10, level: None });
        assert!((looks[1].level.unwrap() - 0.002236096559907678).abs() < 1e-15, "{looks:?}");
        let total: f64 = looks.iter().filter_map(|look| look.level).sum();
        assert!((total - 0.01).abs() < 1e-15);
    }

    #[test]
    fn a_share_for_each_of_many_benchmarks_is_reached_later() {
        let first = |alpha: f64| looks(alpha).iter().find(|look| look.level.is_some()).map(|look| look.n);
        assert_eq!(first(0.05), Some(10));
        assert_eq!(first(0.01), Some(14));
        assert_eq!(first(0.01 / 200.0), Some(18));
    }
}
