//! Tests of the page about a checked suite.

use insta::assert_snapshot;
use tacho_model::Case;

use super::*;
use crate::fixture::{NARROW, WIDE, benchmark, planned};

fn suite() -> Vec<Planned> {
    let norms: &[(&str, &[&str])] = &[("n", &["1", "2", "3"])];
    vec![planned(benchmark("linalg.Norms.time_norm", norms)), planned(benchmark("core.time_plain", &[]))]
}

fn rehearsal(case: Case, state: State, phase: Option<Phase>, message: &str) -> Rehearsal {
    let detail = (state.is_failure()).then(|| format!("Traceback:\n  {message}"));
    let message = (!message.is_empty()).then(|| message.to_owned());
    Rehearsal { case, state, phase, message, detail, duration_ns: 1_500_000 }
}

fn remark(level: Level, text: &str) -> Remark {
    Remark {
        level,
        module: "core".into(),
        name: "core.time_plain".into(),
        place: Some("benchmarks/core.py:3".into()),
        text: text.into(),
    }
}

pub(crate) fn case(plan: &Planned, index: usize) -> Case {
    plan.benchmark.case(index).unwrap()
}

/// Returns one of everything.
fn rehearsals(suite: &[Planned]) -> Vec<Rehearsal> {
    let setup = Some(Phase::SetUp);
    vec![
        rehearsal(case(&suite[0], 0), State::Failed, setup, "ValueError: no \u{1b}[31mdata"),
        rehearsal(case(&suite[0], 1), State::Failed, setup, "ValueError: no \u{1b}[31mdata"),
        rehearsal(case(&suite[0], 2), State::Skipped, None, "too large"),
        rehearsal(case(&suite[1], 0), State::Measured, None, ""),
    ]
}

#[test]
fn everything_is_told_part_by_part() {
    let suite = suite();
    let problem = Problem {
        module: "broken".into(),
        benchmark: None,
        place: Some("benchmarks/broken.py:3".into()),
        error: "SyntaxError: invalid syntax".into(),
        traceback: "Traceback of it".into(),
    };
    let declared = Problem {
        benchmark: Some("core.time_plain".into()),
        place: None,
        error: "its timeout is 'soon'".into(),
        ..problem.clone()
    };
    let checked = Checked {
        planned: &suite,
        problems: &[problem, declared],
        remarks: &[remark(Level::Error, "its rounds is 0, less than 1"), remark(Level::Note, "it has a `yield`")],
        rehearsals: &rehearsals(&suite),
    };
    assert!(!checked.is_fine());
    assert_snapshot!(check(&checked, false).terminal(&WIDE));
    assert_snapshot!(check(&checked, true).terminal(&NARROW));
    assert_snapshot!(crate::json::check(&checked));
}

#[test]
fn a_suite_that_is_fine_is_one_line() {
    let suite = suite();
    let ready: Vec<Rehearsal> =
        rehearsals(&suite).into_iter().map(|one| rehearsal(one.case, State::Measured, None, "")).collect();
    let checked = Checked { planned: &suite, problems: &[], remarks: &[], rehearsals: &ready };
    assert!(checked.is_fine());
    assert_snapshot!(check(&checked, true).terminal(&WIDE), @"2 benchmarks, 4 cases: 4 ready");
}

#[test]
fn notes_and_skips_break_nothing_and_what_is_missing_is_counted() {
    let suite = suite();
    let skipped = [rehearsal(case(&suite[0], 0), State::Skipped, None, "")];
    let notes = [remark(Level::Note, "it has a `yield`")];
    let checked = Checked { planned: &suite, problems: &[], remarks: &notes, rehearsals: &skipped };
    assert!(checked.is_fine());
    assert_snapshot!(check(&checked, false).terminal(&WIDE));
}

#[test]
fn every_way_to_fail_has_its_words() {
    let suite = suite();
    let told = |state, phase, message: &str| reason(&rehearsal(case(&suite[1], 0), state, phase, message));
    let arguments = "`time_x(n)` is called without arguments: missing a required argument: 'n'";
    assert_eq!(told(State::Failed, Some(Phase::Arguments), arguments), arguments);
    assert_eq!(told(State::Failed, Some(Phase::TearDown), "OSError"), "teardown failed: OSError");
    assert_eq!(told(State::Failed, None, "setup_cache: OSError"), "failed: setup_cache: OSError");
    assert_eq!(told(State::TimedOut, None, "ran longer than 1 s"), "timed out: ran longer than 1 s");
    assert_eq!(told(State::Killed, None, ""), "killed");
}
