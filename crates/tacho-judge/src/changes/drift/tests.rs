//! Lines against stairs and levels.

use super::*;
use crate::fixture::Random;

fn noisy(n: usize, level: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut random = Random(21);
    (0..n).map(|at| level(at) + random.normal()).collect()
}

fn check(values: &[f64], starts: &[usize], expected_starts: &[usize], expected_lines: &[bool]) {
    let shape = shape(values, starts, 1.0);
    let lines: Vec<bool> = shape.rises.iter().map(Option::is_some).collect();
    assert_eq!((&shape.starts[..], &lines[..]), (expected_starts, expected_lines));
}

#[test]
fn stairs_on_a_slope_are_one_line() {
    let slope = noisy(200, |at| at as f64 / 20.0);
    check(&slope, &[60, 130], &[], &[true]);
    let rise = shape(&slope, &[60, 130], 1.0).rises[0].unwrap();
    assert!((rise - 9.95).abs() < 0.8, "{rise}");
    // A level before the slope stays one.
    let bent = noisy(300, |at| at.saturating_sub(100) as f64 / 10.0 - if at < 100 { 20.0 } else { 0.0 });
    check(&bent, &[100], &[100], &[false, true]);
}

#[test]
fn clear_steps_stay_steps() {
    check(&noisy(200, |at| if at < 60 { 0.0 } else { 8.0 }), &[60], &[60], &[false, false]);
    let stairs = noisy(210, |at| (at / 70) as f64 * 6.0);
    check(&stairs, &[70, 140], &[70, 140], &[false, false, false]);
    let up_and_down = noisy(210, |at| if at / 70 == 1 { 6.0 } else { 0.0 });
    check(&up_and_down, &[70, 140], &[70, 140], &[false, false, false]);
}

#[test]
fn what_rises_and_falls_is_two_lines() {
    let roof = noisy(400, |at| if at < 200 { at as f64 / 10.0 } else { 40.0 - at as f64 / 10.0 });
    let shape = shape(&roof, &[60, 120, 180, 220, 280, 340], 1.0);
    let signs: Vec<f64> = shape.rises.iter().map(|rise| rise.unwrap_or(0.0).signum()).collect();
    assert_eq!((shape.starts, signs), (vec![220], vec![1.0, -1.0]));
}

#[test]
fn noise_is_no_line() {
    let mut random = Random(22);
    let is_line = |_: &usize| {
        let values: Vec<f64> = (0..100).map(|_| random.normal()).collect();
        shape(&values, &[], 1.0).rises[0].is_some()
    };
    // Where the level is right the criterion prefers a line by ten in about one of 7,000.
    let n_lines = (0..2000).filter(is_line).count();
    assert!(n_lines <= 3, "{n_lines}");
}

#[test]
fn residuals_are_from_the_line_or_the_median() {
    assert_eq!(residuals(&[1.0, 2.0, 9.0], None), [-1.0, 0.0, 7.0]);
    assert_eq!(residuals(&[1.0, 2.0, 9.0, 4.0, 5.0], Some(4.0)), [0.0, 0.0, 6.0, 0.0, 0.0]);
    assert_eq!(residuals(&[3.0], Some(1.0)), [0.0]);
}
