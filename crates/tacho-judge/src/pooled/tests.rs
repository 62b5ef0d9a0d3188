//! Tests of pooling: which rounds are kept, in which order and with which numbers.

use tacho_model::{Benchmark, Problem};

use super::*;
use crate::fixture::{benchmark, measured, run};
use crate::outcomes;

fn of_version(name: &str, version: &str) -> Benchmark {
    Benchmark { version: version.into(), ..benchmark(name, 2) }
}

/// Checks `benchmark(text) round` of all rounds of the pool.
fn check(runs: Vec<Run>, expected: &[&str]) {
    let line = |round: &Round| format!("{}({}) {}", round.benchmark, round.parameters.join(", "), round.round);
    let pool = pooled(runs).expect("there is a run");
    assert_eq!(pool.rounds.iter().map(line).collect::<Vec<_>>(), expected);
}

#[test]
fn without_a_run_there_is_none() {
    assert_eq!(pooled(vec![]), None);
}

#[test]
fn one_run_stays_as_it_is() {
    let only = run(vec![benchmark("b", 1)], vec![measured("b", "0", 0, &[2]), measured("not planned", "0", 0, &[2])]);
    assert_eq!(pooled(vec![only.clone()]), Some(only));
}

#[test]
fn rounds_stand_in_the_order_of_the_runs_and_are_numbered_on() {
    let of = |numbers: &[u32]| {
        let rounds = numbers.iter().map(|number| measured("b", "0", *number, &[2])).collect();
        run(vec![benchmark("b", 1)], rounds)
    };
    check(
        vec![of(&[1, 0]), of(&[]), of(&[0, 1, 2]), of(&[0])],
        &["b(0) 1", "b(0) 0", "b(0) 2", "b(0) 3", "b(0) 4", "b(0) 5"],
    );
    check(vec![of(&[u32::MAX]), of(&[0])], &["b(0) 4294967295", "b(0) 4294967295"]);
}

#[test]
fn rounds_of_other_versions_and_of_what_is_planned_no_more_are_left_out() {
    let oldest = run(
        vec![of_version("changed", "1"), of_version("same", "1"), of_version("gone", "1")],
        ["changed", "same", "gone", "never planned"].map(|name| measured(name, "0", 0, &[2])).to_vec(),
    );
    let older = run(vec![of_version("changed", "2")], vec![measured("changed", "0", 0, &[2])]);
    let newest = run(
        vec![of_version("changed", "2"), of_version("same", "1"), of_version("never planned", "1")],
        vec![measured("changed", "0", 0, &[2])],
    );
    check(vec![oldest, older, newest], &["same(0) 0", "changed(0) 1", "changed(0) 2"]);
}

#[test]
fn all_else_is_the_newest_runs() {
    let mut older = run(vec![benchmark("b", 2)], vec![]);
    let problem = |module: &str| Problem {
        module: module.into(),
        benchmark: None,
        place: None,
        error: "E".into(),
        traceback: String::new(),
    };
    older.problems = vec![problem("old")];
    let mut newest = run(vec![benchmark("b", 1)], vec![]);
    newest.provenance.run_id = "1".repeat(16);
    newest.problems = vec![problem("new")];
    assert_eq!(pooled(vec![older, newest.clone()]), Some(newest));
}

#[test]
fn one_interrupted_run_makes_the_whole_interrupted() {
    let of = |completeness| Run { completeness, ..run(vec![], vec![]) };
    let (sealed, interrupted) = (Completeness::Sealed, Completeness::Interrupted);
    for (older, newest, expected) in
        [(sealed, sealed, sealed), (interrupted, sealed, interrupted), (sealed, interrupted, interrupted)]
    {
        let pool = pooled(vec![of(older), of(newest)]).expect("there are two");
        assert_eq!(pool.completeness, expected);
    }
}

#[test]
fn a_large_pool_is_no_trouble() {
    let names: Vec<String> = (0..5_000).map(|i| format!("b{i}")).collect();
    let one = || {
        let rounds = (0..50_000).map(|i| measured(&names[i % 5_000], "0", (i / 5_000) as u32, &[2])).collect();
        run(names.iter().map(|name| benchmark(name, 1)).collect(), rounds)
    };
    // Half a second unoptimised; a search through the plan for each round would take minutes here.
    let pool = pooled(vec![one(), one(), one()]).expect("there are three");
    assert_eq!(pool.rounds.len(), 150_000);
    assert!(outcomes(&pool).iter().all(|outcome| outcome.samples.len() == 30));
}

#[test]
fn merging_keeps_what_only_an_older_run_planned() {
    let older = run(
        vec![benchmark("a", 1), of_version("b", "1"), benchmark("c", 2)],
        vec![measured("a", "0", 0, &[2]), measured("b", "0", 0, &[2]), measured("c", "1", 0, &[2])],
    );
    let mut newer = run(vec![of_version("b", "2"), benchmark("c", 2)], vec![measured("c", "0", 0, &[4])]);
    newer.planned[1].cases = vec![0];
    let merged = merged(vec![older, newer]).unwrap();
    let plans: Vec<(&str, &str, &[usize])> = merged
        .planned
        .iter()
        .map(|plan| (plan.benchmark.name.as_str(), plan.benchmark.version.as_str(), plan.cases.as_slice()))
        .collect();
    assert_eq!(plans, [("b", "2", &[0, 1][..]), ("c", "1", &[0, 1]), ("a", "1", &[0])]);
    let rounds: Vec<&str> = merged.rounds.iter().map(|round| round.benchmark.as_str()).collect();
    assert_eq!(rounds, ["a", "c", "c"]);
}
