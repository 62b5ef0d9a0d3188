//! Tests of a run's last lines.

use insta::assert_snapshot;

use super::*;
use crate::fixture::{NARROW, WIDE, counts, measured, outcomes, unmeasured};

fn check(counts: &[(State, usize)], expected: &str) {
    assert_eq!(counts_text(&counts.iter().copied().collect()), expected);
}

#[test]
fn counts_are_told_where_there_are_any() {
    let all = [(State::TimedOut, 1), (State::Measured, 400), (State::Failed, 2), (State::Skipped, 9)];
    check(&all, "412 cases: 400 measured, 9 skipped, 2 failed, 1 timed out");
    check(&[(State::Measured, 1), (State::Killed, 0)], "1 case: 1 measured");
    check(&[], "0 cases");
}

#[test]
fn a_run_ends_with_what_failed_and_what_to_do_next() {
    let outcomes = outcomes();
    assert_snapshot!(run_summary(&outcomes, &counts(&outcomes), 200.0, "tacho show", &WIDE), @r"
    10 cases: 5 measured, 1 skipped, 1 failed, 1 timed out, 1 killed, 1 not run; took 3 min 20 s
      core.time_crash                                     killed: signal 11 (SIGSEGV)
      linalg.Norms.time_norm(1000, 'l1')                  failed: ValueError: operands could not be bro…
      linalg.Norms.time_norm(1000, 'l2')                  timed out: no answer within 60 s
    hint: tacho show
    hint: tacho run -b 'core.time_crash' --show-stderr
    ");
}

#[test]
fn a_good_run_only_says_how_to_look_at_it() {
    let outcomes = [measured("m.f", &[], 0.5)];
    assert_snapshot!(run_summary(&outcomes, &counts(&outcomes), 0.42, "tacho show", &NARROW), @r"
    1 case: 1 measured; took 0.4 s
    hint: tacho show
    ");
}

#[test]
fn of_many_failures_ten_are_listed() {
    let fail = |i: usize| unmeasured("m.f", &[i.to_string().as_str()], State::Failed, "ValueError: x");
    let outcomes: Vec<Outcome> = (0..24).map(fail).collect();
    let text = run_summary(&outcomes, &counts(&outcomes), 1.0, "tacho show", &NARROW);
    assert_eq!(text.lines().filter(|line| line.contains("ValueError")).count(), 10);
    assert!(text.contains("\n  and 14 more\nhint: tacho run -b 'm.f' --show-stderr\n"), "{text}");
}

#[test]
fn a_name_that_a_shell_would_take_apart_gives_no_command() {
    for name in ["m.f'; rm -rf ~; '", "m.$(x)", "m.a b"] {
        assert_eq!(again(name), None);
    }
    assert_eq!(again("m.C.f").as_deref(), Some("tacho run -b 'm.C.f' --show-stderr"));
}
