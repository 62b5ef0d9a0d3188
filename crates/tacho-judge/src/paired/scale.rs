//! How far paired differences scatter, and how many rounds an effect needs.

/// The fewest rounds that are planned.
pub const LEAST_ROUNDS: u64 = 10;

/// Rounds for an effect of one robust standard deviation.
///
/// `(z + 0.84)² · π / 3` for the efficiency of the Hodges-Lehmann estimate, at the z = 3.2 of a typical look of an
/// experiment of 1 %.
const ROUNDS_PER_SQUARE: f64 = 17.0;

/// Returns how many rounds find an effect, given the robust standard deviation of the differences.
///
/// At least [`LEAST_ROUNDS`]; `None` for an effect of nothing.
pub fn rounds_needed(scale: f64, effect: f64) -> Option<u64> {
    let rounds = (ROUNDS_PER_SQUARE * (scale / effect).powi(2)).ceil();
    rounds.is_finite().then(|| (rounds as u64).max(LEAST_ROUNDS))
}

/// Returns the effect that `n_rounds` find: the inverse of [`rounds_needed`].
pub fn reachable_effect(scale: f64, n_rounds: u64) -> f64 {
    scale * (ROUNDS_PER_SQUARE / n_rounds as f64).sqrt()
}

/// Returns the estimator Qn of the standard deviation, from ascending values; 0 for a single value.
///
/// The k-th smallest distance between two values, where k is the number of pairs in a little over half of the
/// values, times a factor that makes it the standard deviation of normal values. P. J. Rousseeuw and C. Croux,
/// "Alternatives to the Median Absolute Deviation", Journal of the American Statistical Association 88 (1993)
/// 1273-1283. Nearly half of the values may be wild, and it is twice as sharp as the median absolute deviation, which
/// matters for ten values.
pub(super) fn robust(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    let mut distances: Vec<f64> =
        (1..n).flat_map(|at| sorted[..at].iter().map(move |lower| sorted[at] - lower)).collect();
    let half = n / 2 + 1;
    let Some(index) = (half * (half - 1) / 2).checked_sub(1).filter(|index| *index < distances.len()) else {
        return 0.0;
    };
    let (_, distance, _) = distances.select_nth_unstable_by(index, f64::total_cmp);
    2.2219 * small_sample_factor(n) * *distance
}

/// Returns the factor that makes the estimate true on average for few values (Croux and Rousseeuw, 1992).
fn small_sample_factor(n: usize) -> f64 {
    const FIRST: [f64; 8] = [0.399, 0.994, 0.512, 0.844, 0.611, 0.857, 0.669, 0.872];
    let count = n as f64;
    match n {
        2..=9 => FIRST[n - 2],
        _ if n % 2 == 1 => count / (count + 1.4),
        _ => count / (count + 3.8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_a_distance_of_a_quarter_of_the_pairs() {
        // Distances 1 2 3 4 6 7; three pairs among three values: the third.
        assert_eq!(robust(&[0.0, 1.0, 3.0, 7.0]), 2.2219 * 0.512 * 3.0);
        // One value of ten that is wild changes nothing.
        let mut values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];
        let before = robust(&values);
        values[9] = 1e9;
        assert_eq!(robust(&values), before);
        assert_eq!(robust(&[]), 0.0);
        assert_eq!(robust(&[5.0]), 0.0);
        assert_eq!(robust(&[5.0, 5.0, 5.0]), 0.0);
    }

    #[test]
    fn rounds_grow_with_the_square_of_the_noise() {
        assert_eq!(rounds_needed(0.02, 0.01), Some(68));
        assert_eq!(rounds_needed(0.001, 0.01), Some(10));
        assert_eq!(rounds_needed(0.0, 0.01), Some(10));
        assert_eq!(rounds_needed(0.02, 0.0), None);
        assert!((reachable_effect(0.02, 68) - 0.01).abs() < 1e-12);
    }
}
