//! Known answers.

use proptest::prelude::*;

use super::*;

fn paired(differences: &[f64]) -> (Paired, SignedRank) {
    (Paired::of(differences).unwrap(), SignedRank::new(differences.len()))
}

/// The depression scale factors of Hollander, Wolfe and Chicken, table 3.1, which R's `wilcox.test` has as its
/// example: V = 40, p = 0.03906, pseudo-median 0.46, 95 % interval from 0.01 to 0.786.
const DEPRESSION: [f64; 9] = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01];

#[test]
fn a_published_example_is_reproduced() {
    let (paired, null) = paired(&DEPRESSION);
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    close(paired.effect(), 0.46);
    close(paired.p_value(&null, 0.0), 0.0390625);
    let (low, high) = paired.interval(&null, 0.05).unwrap();
    close(low, 0.01);
    close(high, 0.786);
}

#[test]
fn the_effect_is_the_median_of_pairwise_averages() {
    let check = |differences: &[f64], expected: f64| assert_eq!(paired(differences).0.effect(), expected);
    check(&[3.0], 3.0);
    check(&[1.0, 2.0], 1.5);
    // Averages 0 0.5 1 2 2.5 4: between 1 and 2.
    check(&[4.0, 0.0, 1.0], 1.5);
    check(&[0.0, 0.0, 0.0, 0.0, 1e9], 0.0);
}

#[test]
fn ten_rounds_of_one_sign_are_just_significant_at_a_fifth_of_a_percent() {
    let rising: Vec<f64> = (1..=10).map(f64::from).collect();
    let (paired, null) = paired(&rising);
    assert_eq!(paired.p_value(&null, 0.0), 2.0 / 1024.0);
    assert_eq!(paired.interval(&null, 2.0 / 1024.0), Some((1.0, 10.0)));
    // The critical value of 1 % is 3: the fourth average from each end (1, 1.5, 2, 2).
    assert_eq!(paired.interval(&null, 0.01), Some((2.0, 9.0)));
}

#[test]
fn a_level_out_of_reach_has_no_interval() {
    let (paired, null) = paired(&[1.0; 7]);
    assert_eq!(paired.interval(&null, 0.01), None);
    assert_eq!(paired.detectable(&null, 0.01), None);
    assert!(paired.interval(&null, 0.05).is_some());
}

#[test]
fn zeros_and_ties_count_for_both_sides() {
    let nothing = [0.0; 10];
    let (paired, null) = paired(&nothing);
    assert_eq!(paired.p_value(&null, 0.0), 1.0);
    assert_eq!(paired.interval(&null, 0.01), Some((0.0, 0.0)));
    assert_eq!(paired.detectable(&null, 0.01), Some(0.0));
    assert_eq!(paired.scale(), 0.0);
    // Two zeros among ten: only averages above zero speak against it, and three are not (two zeros and their average).
    let (paired, null) = super::tests::paired(&[0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(paired.p_value(&null, 0.0), null.two_sided(3));
}

#[test]
fn the_smallest_detectable_effect_is_the_formula() {
    let (paired, null) = paired(&(1..=10).map(f64::from).collect::<Vec<_>>());
    // Half of 9 - 2, times 1 + 0.8416 / 2.5758.
    let expected = 3.5 * (1.0 + 0.8416212335729142 / 2.5758293035489);
    assert!((paired.detectable(&null, 0.01).unwrap() - expected).abs() < 1e-12);
}

#[test]
fn what_is_no_difference_is_refused() {
    assert!(Paired::of(&[]).is_none());
    assert!(Paired::of(&[1.0, f64::NAN]).is_none());
    assert_eq!(log_differences(&[1.0, 2.0], &[2.0, 2.0]), Some(vec![std::f64::consts::LN_2, 0.0]));
    assert_eq!(log_differences(&[0.0], &[1.0]), None);
    assert_eq!(log_differences(&[1.0], &[f64::INFINITY]), None);
    assert_eq!(log_differences(&[1.0], &[]), None);
}

/// The test by its definition: the sum of the ranks of positive differences, without ties and zeros.
fn rank_sum_p_value(differences: &[f64]) -> f64 {
    let mut by_size = differences.to_vec();
    by_size.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let sum: usize = by_size.iter().enumerate().filter(|(_, value)| **value > 0.0).map(|(at, _)| at + 1).sum();
    let mirrored = differences.len() * (differences.len() + 1) / 2 - sum;
    SignedRank::new(differences.len()).two_sided(sum.min(mirrored))
}

proptest! {
    #[test]
    fn averages_above_zero_are_the_rank_sum(differences in prop::collection::vec(-1e3f64..1e3, 1..30)) {
        let (paired, null) = paired(&differences);
        prop_assert!((paired.p_value(&null, 0.0) - rank_sum_p_value(&differences)).abs() < 1e-12);
    }

    #[test]
    fn intervals_hold_the_effect_and_grow_with_confidence(
        differences in prop::collection::vec(-10i8..10, 8..40), a in 0.01f64..0.9, b in 0.01f64..0.9,
    ) {
        let differences: Vec<f64> = differences.into_iter().map(f64::from).collect();
        let (paired, null) = paired(&differences);
        let narrow = paired.interval(&null, a.max(b)).unwrap();
        let wide = paired.interval(&null, a.min(b)).unwrap();
        prop_assert!(narrow.0 <= paired.effect() && paired.effect() <= narrow.1);
        prop_assert!(wide.0 <= narrow.0 && narrow.1 <= wide.1);
    }

    #[test]
    fn a_centre_is_outside_exactly_where_its_p_value_is_within_the_level(
        differences in prop::collection::vec(-10i8..10, 8..30), centre in -10i8..10, alpha in 0.01f64..0.5,
    ) {
        let differences: Vec<f64> = differences.into_iter().map(f64::from).collect();
        let centre = f64::from(centre) / 2.0;
        let (paired, null) = paired(&differences);
        let (low, high) = paired.interval(&null, alpha).unwrap();
        let outside = centre < low || high < centre;
        prop_assert_eq!(outside, paired.p_value(&null, centre) <= alpha);
    }

    #[test]
    fn swapped_sides_say_the_opposite(differences in prop::collection::vec(-1e3f64..1e3, 8..30)) {
        let (one, null) = paired(&differences);
        let (other, _) = paired(&differences.iter().map(|difference| -difference).collect::<Vec<_>>());
        let (low, high) = one.interval(&null, 0.05).unwrap();
        prop_assert_eq!(other.interval(&null, 0.05), Some((-high, -low)));
        prop_assert!((one.effect() + other.effect()).abs() < 1e-9);
        prop_assert!((one.scale() - other.scale()).abs() < 1e-9);
    }
}
