//! Tests with known answers.

use tacho_model::Metric;

use super::*;
use crate::fixture::{self, outcome};

const BAND: f64 = 0.02;

fn noise(sigma: f64) -> Option<Noise> {
    Some(Noise { sigma, spike: 0.0, n_differences: 50 })
}

fn check(before: f64, after: f64, sigma: f64, expected: Verdict) {
    let judged = judge(&outcome("b", before, &[]), &outcome("b", after, &[]), noise(sigma), BAND).unwrap();
    assert_eq!(judged.verdict, expected, "{before} -> {after} with {sigma}: {judged:?}");
    assert_eq!(judged.basis, Basis::History { n_differences: 50 });
}

#[test]
fn a_difference_is_held_against_the_noise_between_runs() {
    check(1.0, 1.10, 0.01, Verdict::Slower);
    check(1.0, 0.90, 0.01, Verdict::Faster);
    check(1.0, 1.10, 0.10, Verdict::Inconclusive);
    check(1.0, 1.01, 0.001, Verdict::Unchanged);
    check(1.0, 1.001, 0.001, Verdict::Unchanged);
    // Real, too small to matter, and not surely inside the band.
    check(1.0, 1.019, 0.002, Verdict::Inconclusive);
    // A value that never varies.
    check(1.0, 1.0, 0.0, Verdict::Unchanged);
    check(1.0, 1.5, 0.0, Verdict::Slower);
}

#[test]
fn the_interval_is_that_of_students_t() {
    let judged = judge(&outcome("b", 2.0, &[]), &outcome("b", 3.0, &[]), noise(0.01), BAND).unwrap();
    let Effect::Ratio { value, interval: Some((low, high)) } = judged.effect else { panic!("{judged:?}") };
    // t(49) at 99 % is 2.68.
    let expected = (1.5 * (-0.0268_f64).exp(), 1.5 * 0.0268_f64.exp());
    assert!((value - 1.5).abs() < 1e-12 && (low - expected.0).abs() < 1e-4 && (high - expected.1).abs() < 1e-4);
}

#[test]
fn more_is_better_where_the_unit_says_so() {
    let rate =
        |value: f64| tacho_model::Outcome { metric: Metric::new("value", "GFLOP/s", None), ..outcome("b", value, &[]) };
    assert_eq!(judge(&rate(100.0), &rate(80.0), noise(0.01), BAND).unwrap().verdict, Verdict::Slower);
    assert_eq!(judge(&rate(80.0), &rate(100.0), noise(0.01), BAND).unwrap().verdict, Verdict::Faster);
    let neither = |value: f64| tacho_model::Outcome {
        metric: Metric::new("value", "", Some(Direction::None)),
        ..outcome("b", value, &[])
    };
    assert_eq!(judge(&neither(80.0), &neither(100.0), noise(0.01), BAND).unwrap().verdict, Verdict::Inconclusive);
}

#[test]
fn values_that_are_not_positive_are_subtracted() {
    let judged = judge(&outcome("b", 0.0, &[]), &outcome("b", 3.0, &[]), noise(0.1), BAND).unwrap();
    assert!(matches!(judged.effect, Effect::Difference { value, .. } if value == 3.0), "{judged:?}");
    assert_eq!(judged.verdict, Verdict::Slower);
    check(0.0, 0.0, 0.0, Verdict::Unchanged);
    check(-10.0, -10.1, 0.01, Verdict::Unchanged);
}

#[test]
fn without_a_past_five_processes_a_side_are_one_experiment() {
    let before = outcome("b", 1.0, &[1.00, 1.01, 0.99, 1.02, 0.98]);
    let after = outcome("b", 1.2, &[1.20, 1.21, 1.19, 1.22, 1.18]);
    let judged = judge(&before, &after, None, BAND).unwrap();
    assert_eq!(judged.verdict, Verdict::Slower);
    assert_eq!(judged.basis, Basis::Processes { n_before: 5, n_after: 5 });
    assert_eq!(judge(&after, &before, None, BAND).unwrap().verdict, Verdict::Faster);
    assert_eq!(judge(&before, &before, None, BAND).unwrap().verdict, Verdict::Inconclusive);
}

#[test]
fn processes_that_read_nothing_are_subtracted() {
    let before = outcome("b", 3.0, &[0.0, 3.0, 3.0, 3.0, 3.0, 3.0]);
    let after = outcome("b", 9.0, &[9.0; 6]);
    let judged = judge(&before, &after, None, BAND).unwrap();
    assert_eq!(judged.basis, Basis::Processes { n_before: 6, n_after: 6 });
    let Effect::Difference { value, interval: Some((low, _)) } = judged.effect else { panic!("{judged:?}") };
    assert_eq!((value, low, judged.verdict), (6.0, 6.0, Verdict::Slower));
}

#[test]
fn fewer_say_nothing_and_how_many_there_were() {
    let judged = judge(&outcome("b", 1.0, &[1.0; 4]), &outcome("b", 9.0, &[9.0; 5]), None, BAND).unwrap();
    assert_eq!(judged.verdict, Verdict::Inconclusive);
    assert_eq!(judged.basis, Basis::TooLittle { n_before: 4, n_after: 5 });
    assert_eq!(judged.effect, Effect::Ratio { value: libm::exp(libm::log(9.0)), interval: None });
}

#[test]
fn many_processes_on_one_side_make_up_for_none_on_the_other() {
    // The rank-sum test alone would reach its level with 4 and 6, or with 1 and 200.
    for (n_before, n_after) in [(4, 6), (1, 200), (200, 4)] {
        let (before, after) = (outcome("b", 1.0, &vec![1.0; n_before]), outcome("b", 2.0, &vec![2.0; n_after]));
        let judged = judge(&before, &after, None, BAND).unwrap();
        assert_eq!(judged.basis, Basis::TooLittle { n_before, n_after });
        assert_eq!(judged.verdict, Verdict::Inconclusive);
    }
}

#[test]
fn any_difference_of_an_exact_metric_is_real() {
    let exact = |value: f64, rounds: &[f64]| {
        let mut outcome = outcome("b", value, rounds);
        outcome.metric.exact = true;
        outcome
    };
    let judged = judge(&exact(1000.0, &[1000.0; 2]), &exact(1001.0, &[1001.0; 2]), None, BAND).unwrap();
    assert_eq!((judged.verdict, judged.basis, judged.within_band), (Verdict::Slower, Basis::Exact, true));
    let judged = judge(&exact(1000.0, &[1000.0; 2]), &exact(1000.0, &[1000.0; 2]), None, BAND).unwrap();
    assert_eq!(judged.verdict, Verdict::Unchanged);
    let unsettled = judge(&exact(1000.0, &[1000.0, 1002.0]), &exact(1001.0, &[1001.0; 2]), None, BAND).unwrap();
    assert!(matches!(unsettled.basis, Basis::TooLittle { .. }));
}

/// The share of unchanged series that are called faster or slower, over a past of 50 differences.
fn false_share(n: usize, mut value: impl FnMut() -> f64) -> f64 {
    let mut wrong = 0;
    for _ in 0..n {
        let past: Vec<f64> = (0..51).map(|_| value()).collect();
        let differences: Vec<f64> = past.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let found = Noise::of_differences(&differences);
        let (a, b) = (value().exp(), value().exp());
        // No band: what is tested is the level of the interval.
        let judged = judge(&outcome("b", a, &[]), &outcome("b", b, &[]), found, 0.0).unwrap();
        wrong += usize::from(matches!(judged.verdict, Verdict::Faster | Verdict::Slower));
    }
    wrong as f64 / n as f64
}

#[test]
fn unchanged_series_are_flagged_once_in_a_hundred() {
    let mut seed = fixture::Random(1);
    let gaussian = false_share(10_000, || 0.02 * seed.normal());
    assert!(gaussian < 0.013, "{gaussian}");
    let mut seed = fixture::Random(2);
    let heavy = false_share(10_000, || {
        let spike = if seed.normal() > 1.645 { 1.0 } else { 0.0 };
        0.01 * seed.normal() + spike * 0.3
    });
    // Ten in a hundred of these differences hold a spike.
    assert!(heavy < 0.04, "{heavy}");
}

#[test]
fn processes_of_unchanged_code_are_flagged_once_in_a_hundred() {
    let mut seed = fixture::Random(3);
    let n = 4000;
    let mut side = || -> Vec<f64> { (0..6).map(|_| (0.05 * seed.normal()).exp()).collect() };
    let wrong = (0..n)
        .filter(|_| {
            let judged = judge(&outcome("b", 1.0, &side()), &outcome("b", 1.0, &side()), None, 0.0).unwrap();
            matches!(judged.verdict, Verdict::Faster | Verdict::Slower)
        })
        .count();
    assert!(wrong as f64 / n as f64 <= 0.013, "{wrong} of {n}");
}
