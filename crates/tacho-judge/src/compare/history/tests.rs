//! Tests with known answers.

use tacho_model::{Parameter, Reading, Sheet};

use super::*;
use crate::fixture::{outcome, results};

const NOBODY: [&str; 2] = ["-", "-"];

fn history(values: &[(&str, f64)]) -> History {
    let mut history = History::default();
    for (commit, value) in values {
        history.push(&results(commit, vec![outcome("b", *value, &[])]));
    }
    history
}

fn noise_of(history: &History, outcome: &Outcome, pair: [&str; 2]) -> Option<Noise> {
    let place = Place::of(&results("x", vec![]).provenance);
    history.noise(&place, outcome, pair, Scale::Logarithmic)
}

/// Ten commits whose values go up and down by a factor `e^step`.
fn saw(step: f64) -> Vec<(&'static str, f64)> {
    let commits = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"];
    commits.iter().enumerate().map(|(i, commit)| (*commit, if i % 2 == 0 { 1.0 } else { step.exp() })).collect()
}

#[test]
fn noise_is_that_of_differences_between_neighbours() {
    let noise = noise_of(&history(&saw(0.01)), &outcome("b", 1.0, &[]), NOBODY).unwrap();
    // Nine differences of ± 0.01 around their mean of 0.01 / 9; their median deviation is smaller than the ordinary one.
    assert_eq!(noise.n_differences, 9);
    let mean = 0.01 / 9.0;
    let expected = ((5.0 * (0.01_f64 - mean).powi(2) + 4.0 * (0.01 + mean).powi(2)) / 8.0).sqrt();
    assert!(noise.sigma >= expected - 1e-15, "{} for {expected}", noise.sigma);
    assert!(noise.sigma < 0.03, "{}", noise.sigma);
}

#[test]
fn a_spike_in_the_past_may_come_again_and_a_step_is_past() {
    let with = |values: &[f64]| {
        let commits = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"];
        let series: Vec<(&str, f64)> = commits.iter().copied().zip(values.iter().copied()).collect();
        noise_of(&history(&series), &outcome("b", 1.0, &[]), NOBODY).unwrap().spike
    };
    assert!((with(&[1.0, 1.0, 1.0, 1.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]) - 1.5_f64.ln()).abs() < 1e-12);
    assert!(with(&[1.0, 1.0, 1.0, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]).abs() < 1e-12);
}

#[test]
fn seven_differences_say_nothing() {
    let series = saw(0.01);
    assert!(noise_of(&history(&series[..8]), &outcome("b", 1.0, &[]), NOBODY).is_none());
    assert!(noise_of(&history(&series[..9]), &outcome("b", 1.0, &[]), NOBODY).is_some());
    assert!(noise_of(&history(&series), &outcome("other", 1.0, &[]), NOBODY).is_none());
}

#[test]
fn the_pair_itself_is_left_out() {
    let mut series = saw(0.0);
    series[9].1 = 2.0;
    let history = history(&series);
    assert!(noise_of(&history, &outcome("b", 1.0, &[]), NOBODY).unwrap().sigma > 0.2);
    assert_eq!(noise_of(&history, &outcome("b", 1.0, &[]), ["c8", "c9"]).unwrap().sigma, 0.0);
}

#[test]
fn what_happened_between_the_two_is_left_out_where_the_rest_says_enough() {
    let mut series: Vec<(String, f64)> = (0..12).map(|i| (format!("c{i}"), 1.0)).collect();
    series[11].1 = 10.0;
    let mut history = History::default();
    for (commit, value) in &series {
        history.push(&results(commit, vec![outcome("b", *value, &[])]));
    }
    let noise = |pair: [&str; 2]| noise_of(&history, &outcome("b", 1.0, &[]), pair).unwrap();
    // A shift at the tip, which is too young to be told from a spike, is what was asked for.
    assert_eq!((noise(["c8", "c11"]).sigma, noise(["c8", "c11"]).n_differences), (0.0, 8));
    assert_eq!((noise(["c11", "c8"]).sigma, noise(["c11", "c8"]).n_differences), (0.0, 8));
    // Seven would say nothing, so that all have to.
    assert_eq!(noise(["c7", "c11"]).n_differences, 11);
    assert_eq!(noise(["c8", "elsewhere"]).n_differences, 11);
}

#[test]
fn another_version_begins_a_new_past() {
    let mut history = history(&saw(0.5));
    let newer = |value: f64| Outcome { version: Some("2".into()), ..outcome("b", value, &[]) };
    for (commit, value) in saw(0.01) {
        history.push(&results(&format!("d{commit}"), vec![newer(value)]));
    }
    assert!(noise_of(&history, &newer(1.0), NOBODY).unwrap().sigma < 0.02);
    assert!(noise_of(&history, &outcome("b", 1.0, &[]), NOBODY).unwrap().sigma > 0.4);
    let unknown = Outcome { version: None, ..newer(1.0) };
    assert_eq!(noise_of(&history, &unknown, NOBODY).unwrap().n_differences, 9, "what is unknown cuts nothing");
}

#[test]
fn several_runs_of_one_commit_are_one_point() {
    let mut history = history(&saw(0.0));
    for value in [1.0, 9.0, 1.0] {
        history.push(&results("last", vec![outcome("b", value, &[])]));
    }
    let noise = noise_of(&history, &outcome("b", 1.0, &[]), NOBODY).unwrap();
    assert_eq!((noise.n_differences, noise.sigma), (10, 0.0));
}

#[test]
fn only_the_newest_fifty_differences_count() {
    let mut history = History::default();
    let mut push = |commit: String, value: f64| history.push(&results(&commit, vec![outcome("b", value, &[])]));
    for i in 0..40 {
        push(format!("wild{i}"), if i % 2 == 0 { 1.0 } else { 3.0 });
    }
    for i in 0..51 {
        push(format!("calm{i}"), 1.0);
    }
    let noise = noise_of(&history, &outcome("b", 1.0, &[]), NOBODY).unwrap();
    assert_eq!((noise.n_differences, noise.sigma), (50, 0.0));
}

#[test]
fn sheets_tell_what_outcomes_do() {
    let outcomes = |value: f64| {
        let mut of_two = outcome("b", value * value, &[]);
        of_two.case.parameters = vec![Parameter { name: "n".into(), text: "2".into() }];
        vec![outcome("b", value, &[]), of_two]
    };
    let sheet = |value: f64| {
        let like = outcome("b", value, &[]);
        let bare =
            Reading { state: like.state, value: None, spread: None, interval: None, n_samples: 0, message: None };
        Sheet {
            benchmark: "b".into(),
            metric: like.metric,
            version: like.version,
            method: like.method,
            names: vec!["n".into()],
            axes: vec![vec!["0".into(), "2".into()]],
            readings: [value, value * value].map(|value| Reading { value: Some(value), ..bare }).into(),
        }
    };
    let (mut by_outcomes, mut by_sheets) = (History::default(), History::default());
    for (commit, value) in saw(0.01).into_iter().chain([("c9", 1.5), ("c10", 1.0)]) {
        let run = results(commit, outcomes(value));
        by_sheets.push_sheets(&run.provenance, &[sheet(value)]);
        by_outcomes.push(&run);
    }
    for asked in outcomes(1.0) {
        let told = noise_of(&by_sheets, &asked, NOBODY).unwrap();
        assert_eq!((Some(told), told.n_differences), (noise_of(&by_outcomes, &asked, NOBODY), 10));
    }
}
