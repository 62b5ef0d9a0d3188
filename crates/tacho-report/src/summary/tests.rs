//! Tests of a run's last lines.

use insta::assert_snapshot;

use super::*;
use crate::fixture::{NARROW, WIDE, counts, measured, outcomes, unmeasured};

fn next() -> NextSteps {
    NextSteps { show: Some("tacho show".into()), again: Some("tacho run speed.py".into()) }
}

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
    assert_snapshot!(run_summary(&outcomes, &counts(&outcomes), 200.0, &next(), &WIDE), @r"
    10 cases: 5 measured, 1 skipped, 1 failed, 1 timed out, 1 killed, 1 not run; took 3 min 20 s
      core.time_crash                                     killed: signal 11 (SIGSEGV)
      linalg.Norms.time_norm(1000, 'l1')                  failed: ValueError: operands could not be bro…
      linalg.Norms.time_norm(1000, 'l2')                  timed out: no answer within 60 s
    hint: tacho show
    hint: tacho run speed.py -b '^core\.time_crash$' --show-stderr
    ");
}

#[test]
fn a_good_run_only_says_how_to_look_at_it() {
    let outcomes = [measured("m.f", &[], 0.5)];
    assert_snapshot!(run_summary(&outcomes, &counts(&outcomes), 0.42, &next(), &NARROW), @r"
    1 case: 1 measured; took 0.4 s
    hint: tacho show
    ");
}

#[test]
fn of_many_failures_ten_are_listed() {
    let fail = |i: usize| unmeasured("m.f", &[i.to_string().as_str()], State::Failed, "ValueError: x");
    let outcomes: Vec<Outcome> = (0..24).map(fail).collect();
    let text = run_summary(&outcomes, &counts(&outcomes), 1.0, &next(), &NARROW);
    assert_eq!(text.lines().filter(|line| line.contains("ValueError")).count(), 10);
    assert!(text.contains("\n  and 14 more\nhint: tacho run speed.py -b '^m\\.f$' --show-stderr\n"), "{text}");
}

/// Checks the hint for a benchmark that failed; `None` where there shall be none.
fn check_again(again: &str, benchmark: &str, expected: Option<&str>) {
    let outcomes = [unmeasured(benchmark, &["1"], State::Failed, "x"), measured(benchmark, &["2"], 0.5)];
    let next = NextSteps { show: None, again: Some(again.into()) };
    let text = run_summary(&outcomes, &counts(&outcomes), 1.0, &next, &WIDE);
    let hints: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("hint: ")).collect();
    assert_eq!(hints, Vec::from_iter(expected));
}

#[test]
fn the_command_that_measures_again_is_the_users_own() {
    let again = "tacho --config 'my  project' run --python 3.12";
    check_again(again, "m.f", Some(r"tacho --config 'my  project' run --python 3.12 -b '^m\.f$' --show-stderr"));
    check_again("tacho run \u{1b}[2J.py", "m.f", None);
}

#[test]
fn one_benchmark_is_selected_whatever_its_name() {
    check_again("tacho run", "m.C.größe", Some(r"tacho run -b '^m\.C\.größe$' --show-stderr"));
    check_again("tacho run", "m.a  b", Some(r"tacho run -b '^m\.a  b$' --show-stderr"));
    check_again("tacho run", "m.$(x)[*]", Some(r"tacho run -b '^m\.\$\(x\)\[\*\]$' --show-stderr"));
    check_again("tacho run", "f'; rm x; '", Some(r"tacho run -b '^f'\''; rm x; '\''$' --show-stderr"));
    check_again("tacho run", r"a\b|c{2}?+^", Some(r"tacho run -b '^a\\b\|c\{2\}\?\+\^$' --show-stderr"));
}

#[test]
fn a_name_that_cannot_be_copied_gives_no_command() {
    for name in ["m.f\n", "m.\u{1b}[31m", "m.\0", "m.\u{202e}f", "m.\u{200b}f"] {
        check_again("tacho run", name, None);
    }
}

#[test]
fn where_nothing_was_kept_nothing_can_be_shown() {
    let outcomes = outcomes();
    let text = run_summary(&outcomes, &counts(&outcomes), 1.0, &NextSteps::default(), &WIDE);
    assert!(!text.contains("hint:"), "{text}");
}
