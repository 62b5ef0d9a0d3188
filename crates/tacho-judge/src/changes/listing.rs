//! Which provisional changes are worth a maintainer's look before more points settle them.

use tacho_model::Effect;

/// So many series that move at once are no chance,
const MANY_SERIES: usize = 3;
/// where they are also this share of all: among a thousand quiet series three move at one commit now and then.
const MANY_SHARE: f64 = 0.01;
/// Alone a change counts where it is at least so large, as a fraction,
const LARGE: f64 = 0.05;
/// and so many standard deviations.
const LARGE_SIGMAS: f64 = 6.0;

/// Returns the size of an effect as a fraction of the smaller of the levels about it, without a sign; infinite from or to a level of 0.
pub fn size(effect: Effect, levels: (f64, f64)) -> f64 {
    match effect {
        Effect::Ratio { value, .. } => value.max(1.0 / value) - 1.0,
        Effect::Difference { value, .. } => value.abs() / levels.0.abs().min(levels.1.abs()),
    }
}

/// Returns true where so many of a machine's series, of which there are `n_series`, move at once that chance cannot be it.
pub fn is_crowd(n_moving: usize, n_series: usize) -> bool {
    n_moving >= MANY_SERIES && n_moving as f64 >= MANY_SHARE * n_series as f64
}

/// Returns true for a change of a size that counts though no other series moves. Without `sigmas`, of an exact metric, any does.
pub fn is_large(size: f64, sigmas: Option<f64>) -> bool {
    sigmas.is_none_or(|sigmas| size >= LARGE && sigmas >= LARGE_SIGMAS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_three_and_one_in_a_hundred() {
        for (n_moving, n_series, expected) in
            [(2, 2, false), (3, 3, true), (3, 300, true), (3, 301, false), (10, 1000, true)]
        {
            assert_eq!(is_crowd(n_moving, n_series), expected, "{n_moving} of {n_series}");
        }
    }

    #[test]
    fn what_is_large_is_so_in_both_ways() {
        let ratio = |value: f64| size(Effect::Ratio { value, interval: None }, (1.0, value));
        assert!(is_large(ratio(1.05), Some(6.0)) && is_large(ratio(0.9), Some(7.0)) && is_large(ratio(1.001), None));
        assert!(!is_large(ratio(1.04), Some(60.0)) && !is_large(ratio(1.5), Some(5.0)));
        assert_eq!(size(Effect::Difference { value: -2.0, interval: None }, (4.0, 2.0)), 1.0);
        assert!(is_large(size(Effect::Difference { value: 2.0, interval: None }, (0.0, 2.0)), Some(9.0)));
    }
}
