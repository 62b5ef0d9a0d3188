//! Series made by hand, from points to what is said of them.

use tacho_model::ChangeState::{Confirmed, Provisional, Weak};

use super::*;
use crate::fixture::Random;

/// Returns points at positions 0, 1, … about the level of each, with 1 % of noise.
fn noisy(levels: &[(usize, f64)], seed: u64) -> Vec<Point> {
    let mut random = Random(seed);
    let values = levels.iter().flat_map(|(n, level)| std::iter::repeat_n(*level, *n));
    let noisy: Vec<f64> = values.map(|level| level * (1.0 + 0.01 * random.normal())).collect();
    points(&noisy)
}

fn points(values: &[f64]) -> Vec<Point> {
    let point = |(position, value): (u64, &f64)| Point { position, value: *value, is_cut: false };
    (0..).zip(values).map(point).collect()
}

fn search(points: &[Point]) -> History {
    change_points(points, &Options::default())
}

fn check(points: &[Point], expected: &[(usize, tacho_model::ChangeState)]) {
    let found: Vec<_> = search(points).change_points.iter().map(|point| (point.at, point.state)).collect();
    assert_eq!(found, expected);
}

fn ratio(effect: Effect) -> (f64, Option<(f64, f64)>) {
    match effect {
        Effect::Ratio { value, interval } => (value, interval),
        Effect::Difference { .. } => panic!("not a ratio: {effect:?}"),
    }
}

#[test]
fn a_step_is_confirmed_with_its_size_and_place() {
    let history = search(&noisy(&[(40, 2.0), (30, 2.2)], 1));
    assert_eq!(history.change_points.len(), 1);
    let point = history.change_points[0];
    let (value, interval) = ratio(point.effect);
    let (low, high) = interval.unwrap();
    assert!((value - 1.1).abs() < 0.01 && low < 1.1 && 1.1 < high && high - low < 0.03, "{point:?}");
    assert_eq!((point.at, point.earliest, point.latest, point.state), (40, 40, 40, Confirmed));
    assert!(point.p < 1e-4 && (6.0..14.0).contains(&point.sigmas.unwrap()), "{point:?}");
    let segments: Vec<(usize, usize)> = history.segments.iter().map(|segment| (segment.first, segment.last)).collect();
    assert_eq!(segments, [(0, 39), (40, 69)]);
    assert!((history.segments[1].level - 2.2).abs() < 0.02);
}

#[test]
fn small_losses_are_seen_one_by_one() {
    check(&noisy(&[(40, 1.0), (40, 1.04), (40, 1.08)], 2), &[(40, Confirmed), (80, Confirmed)]);
}

#[test]
fn nothing_is_found_where_there_is_nothing() {
    check(&[], &[]);
    check(&points(&[1.0]), &[]);
    check(&points(&[1.0; 50]), &[]);
    check(&points(&[0.0; 50]), &[]);
    check(&noisy(&[(100, 1.0)], 3), &[]);
    assert_eq!(search(&points(&[1.0, 1.0])).segments, [Segment { first: 0, last: 1, level: 1.0, drift: None }]);
    assert_eq!(search(&[]), History::default());
}

#[test]
fn a_few_new_points_are_provisional_until_more_confirm_them() {
    for (n, state) in [(3, Provisional), (5, Provisional), (15, Confirmed)] {
        check(&noisy(&[(60, 1.0), (n, 1.1)], 4), &[(60, state)]);
    }
    check(&noisy(&[(60, 1.0), (2, 1.1)], 4), &[]);
}

#[test]
fn few_new_points_that_are_split_themselves_are_one_level() {
    let series = noisy(&[(27, 1.0), (3, 0.80), (3, 0.77)], 16);
    check(&series, &[(27, Provisional)]);
}

#[test]
fn what_a_stricter_level_refuses_is_weak() {
    let series = noisy(&[(60, 1.0), (8, 1.02)], 9);
    let found = change_points(&series, &Options { alpha: 1e-12, weak_alpha: 1e-3, is_exact: false });
    let states: Vec<_> = found.change_points.iter().map(|point| (point.at.abs_diff(60) <= 1, point.state)).collect();
    assert_eq!(states, [(true, Weak)]);
    assert_eq!(found.segments.len(), 1);
}

#[test]
fn a_spike_is_none_of_them() {
    let mut series = noisy(&[(60, 1.0)], 5);
    series[20].value = 3.0;
    series[40].value = 0.5;
    series[41].value = 0.4;
    let history = search(&series);
    assert_eq!(history.change_points, []);
    let spikes: Vec<(usize, usize)> = history.spikes.iter().map(|spike| (spike.first, spike.last)).collect();
    assert_eq!(spikes, [(20, 20), (40, 41)]);
    assert!((ratio(history.spikes[1].effect).0 - 0.4).abs() < 0.01);
    assert!(history.spikes[0].sigmas.unwrap() > 50.0);
}

#[test]
fn a_slow_rise_is_a_drift() {
    let mut random = Random(6);
    let values: Vec<f64> = (0..200).map(|at| 1.0 + f64::from(at) * 0.001 + 0.01 * random.normal()).collect();
    let history = search(&points(&values));
    assert_eq!(history.change_points, []);
    let [segment] = history.segments[..] else { panic!("one segment: {history:?}") };
    assert!((ratio(segment.drift.unwrap()).0 - 1.199).abs() < 0.02, "{segment:?}");
    assert_eq!(search(&noisy(&[(200, 1.0)], 6)).segments[0].drift, None);
}

#[test]
fn nothing_is_seen_across_an_event() {
    let mut series = noisy(&[(40, 1.0), (40, 2.0), (40, 2.2)], 7);
    series[40].is_cut = true;
    check(&series, &[(80, Confirmed)]);
    let history = search(&series);
    assert_eq!(history.segments.iter().map(|segment| segment.first).collect::<Vec<_>>(), [0, 40, 80]);
    // A cut at a point without a value cuts all the same.
    series[40].value = f64::NAN;
    check(&series, &[(80, Confirmed)]);
    assert_eq!(search(&series).segments[1].first, 41);
}

#[test]
fn commits_that_were_not_measured_can_be_to_blame() {
    let mut series = noisy(&[(40, 1.0), (40, 1.2)], 8);
    series.iter_mut().for_each(|point| point.position = point.position * 10 + 3);
    let point = search(&series).change_points[0];
    assert_eq!((point.at, point.earliest, point.latest), (40, 394, 403));
}

#[test]
fn a_step_of_the_size_of_the_noise_has_many_candidates() {
    let series = noisy(&[(100, 1.0), (100, 1.015)], 10);
    let point = search(&series).change_points[0];
    assert!(point.earliest <= 100 && 100 <= point.latest && point.latest - point.earliest >= 3, "{point:?}");
}

#[test]
fn a_larger_change_that_is_not_verified_is_not_to_blame() {
    let series = noisy(&[(4, 1.5), (30, 1.0), (4, 1.1)], 17);
    let point = *search(&series).change_points.last().unwrap();
    assert_eq!((point.at, point.earliest, point.latest, point.state), (34, 34, 34, Provisional));
}

#[test]
fn values_that_are_not_positive_have_differences() {
    let mut random = Random(12);
    let values: Vec<f64> = (0..80).map(|at| if at < 40 { -1.0 } else { 3.0 } + 0.1 * random.normal()).collect();
    let point = search(&points(&values)).change_points[0];
    let Effect::Difference { value, interval: Some((low, high)) } = point.effect else { panic!("{point:?}") };
    assert!((value - 4.0).abs() < 0.1 && low < value && value < high, "{point:?}");
}

#[test]
fn any_change_of_an_exact_metric_that_stays_is_real() {
    let options = Options { is_exact: true, ..Options::default() };
    let values = [100.0, 100.0, 100.0, 101.0, 101.0, 101.0, 900.0, 101.0, 101.0, 101.0, 99.0, 99.0];
    let history = change_points(&points(&values), &options);
    let found: Vec<_> = history.change_points.iter().map(|point| (point.at, point.state)).collect();
    assert_eq!(found, [(3, Confirmed), (10, Provisional)]);
    let (value, interval) = ratio(history.change_points[0].effect);
    assert!((value - 1.01).abs() < 1e-12 && interval == Some((value, value)));
    assert_eq!((history.change_points[0].sigmas, history.change_points[0].p), (None, 0.0));
    assert_eq!(history.spikes.iter().map(|spike| (spike.first, spike.last)).collect::<Vec<_>>(), [(6, 6)]);
    assert_eq!(history.segments.len(), 3);
    // What never repeats is judged like any other metric.
    let noise = noisy(&[(40, 1.0), (40, 1.2)], 13);
    assert_eq!(change_points(&noise, &options), search(&noise));
}

#[test]
fn huge_tiny_and_missing_values_do_no_harm() {
    let wild = [f64::MAX, -f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.0, f64::INFINITY, f64::NAN, -f64::INFINITY, 1.0];
    let mut random = Random(14);
    for _ in 0..300 {
        let n = (random.next() % 40) as usize;
        let mut value = || wild[(random.next() % wild.len() as u64) as usize];
        let values: Vec<f64> = (0..n).map(|_| value()).collect();
        let history = search(&points(&values));
        let covered: usize = history.segments.iter().map(|segment| segment.last + 1 - segment.first).sum();
        assert!(covered <= n && history.change_points.iter().all(|point| point.p.is_finite()), "{values:?}");
    }
}

#[test]
fn the_unit_does_not_matter() {
    let series = noisy(&[(50, 1.0), (50, 1.08), (50, 1.0)], 15);
    let mut scaled = series.clone();
    // A power of two: no rounding of values, hardly any of logarithms.
    scaled.iter_mut().for_each(|point| point.value *= 1024.0);
    let places = |points: &[Point]| search(points).change_points.iter().map(|point| point.at).collect::<Vec<_>>();
    assert_eq!(places(&series), [50, 100]);
    assert_eq!(places(&scaled), [50, 100]);
}

#[test]
fn a_level_far_away_is_believed_though_neighbours_resemble_each_other() {
    // Ranks alone cannot: of thirty points on either side z is 6.7 at most, and resemblance takes half of it.
    let noise = [0.0, -0.6, 0.2, 0.9, 0.6, 0.5, -0.1, -0.8, -0.4];
    let level = |at: usize| if at < 30 { 1.0 } else { 1.2 };
    let values: Vec<f64> = (0..60).map(|at| level(at) * (1.0 + noise[at % 9] / 1000.0)).collect();
    check(&points(&values), &[(30, Confirmed)]);
}
