//! Who meets whom, and what is said of it.

use super::*;
use crate::fixture::{outcome, results};

fn options(across: &[&str]) -> CompareOptions<'static> {
    CompareOptions {
        rule: Rule::Own,
        across: across.iter().map(|field| (*field).to_owned()).collect(),
        band: &|_| 0.02,
    }
}

fn on(machine: &str, python: &str, mut results: Results) -> Results {
    results.provenance.machine.name = machine.into();
    results.provenance.environment.axes = [("python".to_owned(), python.to_owned())].into();
    results
}

fn standings(before: &[Results], after: &[Results], across: &[&str]) -> Vec<Standing> {
    let compared = compare(before, after, &History::default(), &options(across));
    compared.into_iter().map(|comparison| comparison.standing).collect()
}

fn fields(standing: &Standing) -> Vec<&str> {
    match standing {
        Standing::Incomparable(fields) => fields.iter().map(|one| one.field.as_str()).collect(),
        other => panic!("{other:?}"),
    }
}

fn in_state(state: State) -> Outcome {
    Outcome { state, value: None, ..outcome("b", 1.0, &[]) }
}

/// What is said of one benchmark in these states before and after; `None` is absence.
fn check_states(before: Option<State>, after: Option<State>, expected: &Standing) {
    let side = |state: Option<State>| {
        let outcomes = state.map(|state| match state {
            State::Measured => outcome("b", 1.0, &[]),
            other => in_state(other),
        });
        [results("c", outcomes.into_iter().collect())]
    };
    assert_eq!(standings(&side(before), &side(after), &[])[0], *expected, "{before:?} -> {after:?}");
}

#[test]
fn failures_and_fixes_are_told_apart() {
    use State::{Failed, Killed, Measured, NotRun, Skipped, TimedOut};
    check_states(Some(Measured), Some(Failed), &Standing::NewlyFailing);
    check_states(Some(Skipped), Some(TimedOut), &Standing::NewlyFailing);
    check_states(None, Some(Killed), &Standing::NewlyFailing);
    check_states(Some(Failed), Some(Measured), &Standing::Fixed);
    check_states(Some(Failed), Some(Killed), &Standing::StillFailing);
    check_states(Some(Failed), Some(Skipped), &Standing::NotMeasured);
    check_states(Some(Failed), None, &Standing::OnlyBefore);
    check_states(Some(Measured), Some(Skipped), &Standing::NotMeasured);
    check_states(Some(Measured), Some(NotRun), &Standing::OnlyBefore);
    check_states(Some(Measured), None, &Standing::OnlyBefore);
    check_states(None, Some(Measured), &Standing::OnlyAfter);
}

#[test]
fn what_is_not_of_one_kind_is_not_judged() {
    let before = [results("a", vec![outcome("b", 1.0, &[])])];
    let mut after = before.clone();
    after[0].outcomes[0].version = Some("2".into());
    after[0].outcomes[0].method = Some("asv/1".into());
    assert_eq!(fields(&standings(&before, &after, &[])[0]), ["version", "method"]);
    assert_eq!(fields(&standings(&before, &after, &["version"])[0]), ["method"]);
    assert!(matches!(standings(&before, &after, &["version", "method"])[0], Standing::Judged(_)));
    after[0].outcomes[0].version = None;
    after[0].outcomes[0].method = None;
    assert!(matches!(standings(&before, &after, &[])[0], Standing::Judged(_)), "unknown is no difference");
}

#[test]
fn machines_and_environments_meet_their_like() {
    let run = || results("a", vec![outcome("b", 1.0, &[])]);
    let before = [on("m1", "3.11", run()), on("m2", "3.11", run())];
    let after = [on("m2", "3.11", run()), on("m1", "3.12", run()), on("m1", "3.11", run())];
    let compared = compare(&before, &after, &History::default(), &options(&[]));
    let told: Vec<(&str, &str, bool)> = compared
        .iter()
        .map(|one| {
            let judged = matches!(one.standing, Standing::Judged(_));
            (one.machine.as_str(), one.axes["python"].as_str(), judged)
        })
        .collect();
    assert_eq!(told, [("m1", "3.11", true), ("m2", "3.11", true), ("m1", "3.12", false)]);
    assert_eq!(compared[2].standing, Standing::OnlyAfter);
}

#[test]
fn across_declares_what_may_differ() {
    let run = || results("a", vec![outcome("b", 1.0, &[])]);
    let (before, after) = ([on("m1", "3.11", run())], [on("m2", "3.12", run())]);
    assert_eq!(fields(&standings(&before, &after, &[])[0]), ["machine", "python"]);
    assert_eq!(fields(&standings(&before, &after, &["machine"])[0]), ["python"]);
    assert!(matches!(standings(&before, &after, &["machine", "python"])[0], Standing::Judged(_)));
}

#[test]
fn a_quick_run_is_not_held_against_a_full_one() {
    let before = [results("a", vec![outcome("b", 1.0, &[])])];
    let mut after = before.clone();
    after[0].provenance.settings.quick = true;
    assert_eq!(fields(&standings(&before, &after, &[])[0]), ["quick"]);
}

#[test]
fn what_fails_elsewhere_has_not_begun_to_fail() {
    let side = |machine: &str, state: State| [on(machine, "3.12", results("a", vec![in_state(state)]))];
    let works = [on("m1", "3.12", results("a", vec![outcome("b", 1.0, &[])]))];
    let fails = side("m2", State::Failed);
    assert_eq!(fields(&standings(&works, &fails, &[])[0]), ["machine"]);
    assert_eq!(fields(&standings(&fails, &works, &[])[0]), ["machine"]);
    assert_eq!(fields(&standings(&side("m1", State::Killed), &fails, &[])[0]), ["machine"]);
    assert_eq!(standings(&works, &fails, &["machine"])[0], Standing::NewlyFailing);
    let mut quick = side("m1", State::Failed);
    quick[0].provenance.settings.quick = true;
    assert_eq!(standings(&works, &quick, &[])[0], Standing::NewlyFailing, "one sample is enough to fail");
}

#[test]
fn values_however_far_apart_are_judged() {
    let side = |value: f64| [results("a", vec![outcome("b", value, &[])])];
    for (before, after) in [(1e-300, 1e300), (1e308, 1e-308), (5e-324, 1.7e308)] {
        let standing = standings(&side(before), &side(after), &[]).remove(0);
        assert!(matches!(standing, Standing::Judged(_)), "{before} -> {after}: {standing:?}");
    }
}

#[test]
fn metrics_and_parameters_make_rows_of_their_own() {
    let case = |index: usize, text: &str, metric: &str| {
        let mut one = outcome("b", 1.0, &[]);
        one.case.index = index;
        one.case.parameters[0].text = text.into();
        one.metric.name = metric.into();
        one
    };
    // The value 20 moved from the second place to the third: it is found by its text.
    let before = [results("a", vec![case(0, "10", "time"), case(1, "20", "time")])];
    let after = [results("b", vec![case(1, "15", "time"), case(2, "20", "time"), case(2, "20", "memory")])];
    let compared = compare(&before, &after, &History::default(), &options(&[]));
    let told: Vec<(String, &str, bool, bool)> = compared
        .iter()
        .map(|one| (one.case.full_name(), one.metric.name.as_str(), one.before.is_some(), one.after.is_some()))
        .collect();
    let expected = [
        ("b(10)".to_owned(), "time", true, false),
        ("b(15)".to_owned(), "time", false, true),
        ("b(20)".to_owned(), "time", true, true),
        ("b(20)".to_owned(), "memory", false, true),
    ];
    assert_eq!(told, expected);
}
