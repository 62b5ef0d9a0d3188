//! Tests with known answers.

use tacho_model::Metric;

use super::*;
use crate::fixture::outcome;

fn sampled(samples: &[f64]) -> Outcome {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let value = crate::quantile(&sorted, 0.5).unwrap();
    Outcome { samples: samples.to_vec(), n_samples: samples.len(), ..outcome("b", value, &[]) }
}

/// p values of asv 0.6.6's `mann_whitney_u` (and of R's wilcox.test where there are no ties).
fn check_p(x: &[f64], y: &[f64], expected: f64) {
    let p = p_value(x, y);
    assert!((p - expected).abs() < 1e-9, "{p}, not {expected}");
}

#[test]
fn p_is_that_of_asv() {
    check_p(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.1);
    check_p(&[1.0, 2.0, 3.0, 4.0], &[3.0, 4.0, 5.0, 6.0], 0.2);
    check_p(&[1.0, 1.0, 1.0], &[1.0, 1.0, 1.0], 1.0);
    check_p(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.5, 2.5, 7.0, 8.0, 9.0, 10.0], 0.177_489_177_489_177_42);
    let many: Vec<f64> = (0..25).map(f64::from).collect();
    let shifted: Vec<f64> = many.iter().map(|value| value + 8.5).collect();
    check_p(&many, &shifted, 0.000_615_698_348_940_255_3);
}

#[test]
fn p_is_largest_among_the_ways_to_break_ties() {
    let ties = p_value(&[1.0, 2.0, 2.0, 3.0], &[2.0, 4.0, 5.0, 6.0]);
    let broken = p_value(&[1.0, 2.1, 2.2, 3.0], &[2.0, 4.0, 5.0, 6.0]);
    assert!((ties - broken).abs() < 1e-12, "{ties} {broken}");
}

fn check(before: &Outcome, after: &Outcome, expected: Verdict) {
    assert_eq!(judge(before, after, 1.1, true).unwrap().verdict, expected);
}

#[test]
fn the_factor_alone_decides_where_there_are_no_samples() {
    check(&outcome("b", 1.0, &[]), &outcome("b", 1.11, &[]), Verdict::Slower);
    check(&outcome("b", 1.0, &[]), &outcome("b", 1.09, &[]), Verdict::Unchanged);
    check(&outcome("b", 1.0, &[]), &outcome("b", 0.90, &[]), Verdict::Faster);
}

#[test]
fn samples_must_differ_too() {
    let fast: Vec<f64> = (0..10).map(|i| 1.0 + 0.001 * f64::from(i)).collect();
    let slow: Vec<f64> = fast.iter().map(|value| value * 1.5).collect();
    let wild: Vec<f64> = (0..10).map(|i| if i % 2 == 0 { 0.5 } else { 2.1 }).collect();
    check(&sampled(&fast), &sampled(&slow), Verdict::Slower);
    check(&sampled(&slow), &sampled(&fast), Verdict::Faster);
    check(&sampled(&fast), &sampled(&wild), Verdict::Inconclusive);
    assert_eq!(judge(&sampled(&fast), &sampled(&wild), 1.1, false).unwrap().verdict, Verdict::Slower);
}

#[test]
fn intervals_decide_where_samples_are_too_few_or_were_not_kept() {
    let kept =
        |value: f64, interval: Option<(f64, f64)>| Outcome { n_samples: 10, interval, ..outcome("b", value, &[]) };
    let before = kept(1.0, Some((0.9, 1.1)));
    check(&before, &kept(1.5, Some((1.2, 1.8))), Verdict::Slower);
    check(&before, &kept(1.5, Some((1.05, 1.8))), Verdict::Inconclusive);
    check(&before, &kept(1.5, None), Verdict::Inconclusive);
}

#[test]
fn a_rate_that_falls_is_slower() {
    let rate = |value: f64| Outcome { metric: Metric::new("value", "GFLOP/s", None), ..outcome("b", value, &[]) };
    check(&rate(10.0), &rate(8.0), Verdict::Slower);
}
