//! Tests of the fold: data in, text out.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::counts;
use crate::fixture::{benchmark, measured, round, run};

/// Renders what the fold gives for benchmark `b` with two cases.
fn check(rounds: Vec<Round>, expected: &[&str]) {
    let found: Vec<String> = outcomes(&run(vec![benchmark("b", 2)], rounds)).iter().map(line).collect();
    assert_eq!(found, expected);
}

fn line(outcome: &Outcome) -> String {
    let ns = |seconds: Option<f64>| seconds.map_or("-".into(), |seconds| format!("{:.1}", seconds * 1e9));
    format!(
        "{} {} {} ± {} of {} in {} rounds, {} ns{}",
        outcome.case.full_name(),
        outcome.state.word(),
        ns(outcome.value),
        ns(outcome.spread),
        outcome.samples.len(),
        outcome.n_rounds,
        outcome.duration_ns,
        outcome.message.as_ref().map_or(String::new(), |message| format!(": {message}"))
    )
}

#[test]
fn samples_of_all_rounds_are_pooled() {
    check(
        vec![measured("b", "0", 1, &[6, 8]), measured("b", "0", 0, &[2, 4]), measured("b", "1", 0, &[20])],
        &["b(0) measured 2.5 ± 0.8 of 4 in 2 rounds, 10 ns", "b(1) measured 10.0 ± 0.0 of 1 in 1 rounds, 5 ns"],
    );
}

#[test]
fn samples_stand_in_the_order_of_the_rounds() {
    let rounds = vec![measured("b", "0", 1, &[6, 8]), measured("b", "0", 0, &[2, 4])];
    let found = outcomes(&run(vec![benchmark("b", 1)], rounds));
    assert_eq!(found[0].samples, [1e-9, 2e-9, 3e-9, 4e-9]);
    assert_eq!(found[0].number, Some(2));
    assert_eq!(found[0].method.as_deref(), Some("asv/2"));
}

#[test]
fn a_case_is_as_bad_as_its_worst_round_and_says_what_the_first_of_those_said() {
    check(
        vec![
            measured("b", "0", 0, &[2]),
            round("b", "0", 1, State::TimedOut),
            round("b", "0", 2, State::TimedOut),
            round("b", "0", 3, State::Failed),
        ],
        &[
            "b(0) timed_out - ± - of 1 in 4 rounds, 20 ns: timed_out in round 1",
            "b(1) not_run - ± - of 0 in 0 rounds, 0 ns",
        ],
    );
}

#[test]
fn a_measured_round_without_a_reading_of_the_metric_is_a_failure() {
    check(
        vec![round("b", "0", 0, State::Measured), round("other", "1", 0, State::Failed)],
        &[
            "b(0) failed - ± - of 0 in 1 rounds, 5 ns: no reading of `time`",
            "b(1) not_run - ± - of 0 in 0 rounds, 0 ns",
        ],
    );
}

#[test]
fn only_planned_cases_have_outcomes() {
    let mut run = run(vec![benchmark("b", 3)], vec![]);
    run.planned[0].cases = vec![2];
    assert_eq!(outcomes(&run).len(), 1);
    assert_eq!(outcomes(&run)[0].case.full_name(), "b(2)");
}

#[test]
fn a_case_with_two_metrics_counts_once() {
    let mut two = benchmark("b", 2);
    two.metrics.push(Metric::new("memory", "bytes", None));
    let found = outcomes(&run(vec![two], vec![measured("b", "0", 0, &[2])]));
    assert_eq!(found.len(), 4);
    assert_eq!(counts(&found), BTreeMap::from([(State::Failed, 1), (State::NotRun, 1)]));
}

#[test]
fn a_hundred_thousand_rounds_are_no_trouble() {
    let rounds: Vec<Round> = (0..100_000).map(|i| measured("b", &(i / 2).to_string(), i % 2, &[2, 4])).collect();
    let run = run(vec![benchmark("b", 50_000)], rounds);
    // 0.3 s unoptimised; a quadratic fold would take minutes here.
    assert!(outcomes(&run).iter().all(|outcome| outcome.value.is_some()));
}

fn any_round() -> impl Strategy<Value = Round> {
    (0usize..2, 0u32..4, 0usize..State::ALL.len(), prop::collection::vec(1u64..1_000_000, 1..6)).prop_map(
        |(case, number, state, loop_ns)| match State::ALL[state] {
            State::Measured => measured("b", &case.to_string(), number, &loop_ns),
            bad => round("b", &case.to_string(), number, bad),
        },
    )
}

proptest! {
    #[test]
    fn the_order_of_the_record_does_not_matter(
        rounds in prop::collection::vec(any_round(), 0..8), seed in any::<prop::sample::Index>(),
    ) {
        // One round per case and number, as in a record; equal numbers keep the order they stand in.
        let mut unique: Vec<Round> = Vec::new();
        for round in rounds {
            if !unique.iter().any(|known| (&known.parameters, known.round) == (&round.parameters, round.round)) {
                unique.push(round);
            }
        }
        let mut turned = unique.clone();
        if !turned.is_empty() {
            let by = seed.index(turned.len());
            turned.rotate_left(by);
        }
        let fold = |rounds| outcomes(&run(vec![benchmark("b", 2)], rounds));
        prop_assert_eq!(fold(unique), fold(turned));
    }

    #[test]
    fn what_is_measured_has_a_value_within_its_samples_and_nothing_else_has(
        rounds in prop::collection::vec(any_round(), 0..8),
    ) {
        for outcome in outcomes(&run(vec![benchmark("b", 2)], rounds)) {
            prop_assert_eq!(outcome.value.is_some(), outcome.state == State::Measured);
            if let (Some(value), Some((low, high))) = (outcome.value, outcome.quartiles) {
                prop_assert!(low <= value && value <= high);
                prop_assert!(outcome.spread.unwrap() >= 0.0);
                prop_assert!(outcome.samples.iter().any(|sample| *sample <= value));
                prop_assert!(outcome.samples.iter().any(|sample| *sample >= value));
            }
        }
    }
}
