//! The rank test against counts by hand, and the merging of segments.

use super::*;

fn check_p(before: &[f64], after: &[f64], inflation: f64, z: f64) {
    let expected = erfc(z / std::f64::consts::SQRT_2);
    let found = p_value(before, after, inflation);
    assert!((found - expected).abs() <= 1e-12 * expected, "{found}, not {expected}");
}

#[test]
fn the_test_counts_who_is_larger() {
    let (low, high) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0]);
    // All 20 pairs: 20 against 10, and a variance of 4 · 5 · 10 / 12.
    check_p(&low, &high, 1.0, 10.0 / (200.0 / 12.0_f64).sqrt());
    check_p(&high, &low, 1.0, 10.0 / (200.0 / 12.0_f64).sqrt());
    check_p(&low, &high, 4.0, 5.0 / (200.0 / 12.0_f64).sqrt());
    // 1.5 of 4 pairs; a group of two among four: 4 / 12 · (5 - 6 / 12).
    check_p(&[1.0, 3.0], &[1.0, 2.0], 1.0, 0.5 / 1.5_f64.sqrt());
    check_p(&[1.0, 1.0], &[1.0, 1.0], 1.0, 0.0);
}

#[test]
fn the_level_is_reached_from_six_against_forty_on() {
    let (before, after): (Vec<f64>, Vec<f64>) = ((0..40).map(f64::from).collect(), (40..46).map(f64::from).collect());
    assert!(p_value(&before, &after, 1.0) < 1e-4);
    assert!(p_value(&before, &after[..5], 1.0) > 1e-4);
}

#[test]
fn the_least_certain_boundary_goes_first_and_gives_its_points_away() {
    // Two levels of 10; boundaries at 4 and at 14 alone are noise.
    let values: Vec<f64> = (0..20).map(|at| f64::from(at * 7 % 10) + if at < 10 { 0.0 } else { 20.0 }).collect();
    // Points may be as far apart as they like: no gap is one.
    let kept = verified(&values, &[4, 10, 14], noise(1e6, 1.0), 1e-3);
    let p = p_value(&values[..10], &values[10..], 1.0);
    assert_eq!(kept, [(10, p)]);
    assert!(p < 1e-3 && p > 1e-4, "{p}");
    assert_eq!(verified(&values, &[4, 10, 14], noise(1e6, 1.0), 1e-4), []);
    assert_eq!(verified(&values, &[4, 10, 14], noise(1e6, 4.0), 1e-3), []);
    assert_eq!(verified(&[], &[], noise(1e6, 1.0), 1e-3), []);
}

#[test]
fn no_more_than_sixty_points_a_side_are_looked_at() {
    let values: Vec<f64> = (0..200).map(f64::from).collect();
    let (before, after) = around(&values, 10, 100, 200);
    assert_eq!((before[0], before.len(), after.len()), (40.0, 60, 60));
    let (before, after) = around(&values, 90, 100, 105);
    assert_eq!((before.len(), after.len()), (10, 5));
}

#[test]
fn the_shift_is_that_of_the_comparison_and_its_interval_no_narrower() {
    let before: Vec<f64> = (0..12).map(|at| f64::from(at * 5 % 12)).collect();
    let after: Vec<f64> = (0..9).map(|at| f64::from(at * 4 % 9) * 1.5 + 20.0).collect();
    let ours = shift(&before, &after, 1.0);
    let (value, exact) = crate::rank_sum::shift(&before, &after, 0.99).unwrap();
    let ((low, high), (exact_low, exact_high)) = (ours.interval.unwrap(), exact.unwrap());
    assert_eq!(ours.value, value);
    assert!(low <= exact_low && exact_high <= high, "{low} {exact_low} {exact_high} {high}");
    let (wider_low, wider_high) = shift(&before, &after, 1.5).interval.unwrap();
    assert!(wider_low < low && high < wider_high);
}

#[test]
fn few_points_have_no_interval() {
    assert_eq!(shift(&[1.0, 2.0, 3.0], &[11.0, 12.0, 13.0], 1.0), Shift { value: 10.0, interval: None });
}

#[test]
fn a_gap_is_wider_than_all_that_points_do() {
    let wide = noise(1.0, 4.0);
    let side = |level: f64| (0..12).map(|at| level + f64::from(at % 3)).collect::<Vec<f64>>();
    let p = |gap: f64| p_of_gap(&side(0.0), &side(gap), wide);
    assert!(p(20.0) < 1e-6);
    assert_eq!(p(2.9), 1.0);
    assert_eq!(p_of_gap(&side(0.0)[..9], &side(20.0), wide), 1.0);
    // It has been there before.
    let mut before = side(0.0);
    before[3..6].fill(20.0);
    assert_eq!(p_of_gap(&before, &side(20.0), wide), 1.0);
}

fn noise(sigma: f64, inflation: f64) -> Noise {
    Noise { sigma, inflation: crate::changes::autocorrelation::Inflation { of_means: inflation, of_ranks: inflation } }
}
