//! Runs of what could not be built: shown, listed and compared as what they are.

use tacho_model::{Subject, Timestamp};

use crate::env::TestEnv;
use crate::written::Written;

const REASON: &str = "`uv build` exited with status 1: error: unknown type name 'npy_intp'";
const AXES: [(&str, &str); 1] = [("python", "3.12")];

fn subject(digit: &str) -> Subject {
    Subject::Commit { hash: digit.repeat(40), date: Some(Timestamp { unix_us: 1_767_323_045_000_000 }) }
}

fn project() -> TestEnv {
    let env = TestEnv::new();
    env.write("tacho.toml", "[project]\nname = \"demo\"\n");
    env
}

fn unbuilt(digit: &str, axes: &[(&'static str, &str)]) -> Written {
    Written::unbuilt(subject(digit), axes, REASON, "cc -c a.c\n\u{1b}[31ma.c:1: error\u{1b}[0m\nninja: stopped\n")
}

/// A project whose only run could not be built; returns the run's id, too.
fn unbuilt_project() -> (TestEnv, String) {
    let env = project();
    let run = unbuilt("a", &AXES).keep(&env);
    (env, run)
}

fn check(said: &str, run: &str, name: &str) {
    let said = said.replace(run, "[RUN]").replace(&run[..8], "[SHORT]");
    insta::assert_snapshot!(name, said);
}

#[test]
fn why_it_was_not_built_is_shown_with_the_end_of_its_log() {
    let (env, run) = unbuilt_project();
    check(&env.tacho(&["show"]).all(), &run, "shown");
    check(&env.tacho(&["show", "aaaaaaaa", "--markdown"]).all(), &run, "shown_as_markdown");
    check(&env.tacho(&["show", "--list"]).all(), &run, "listed");
    let details = env.tacho(&["show", "--details"]).with_code(0);
    assert!(details.contains("command    uv build --wheel\n"), "{details}");
}

#[test]
fn programs_are_told_the_same() {
    let (env, run) = unbuilt_project();
    let shown = env.tacho(&["show", &run, "--json"]).json(0);
    assert_eq!(shown["runs"][0]["provenance"]["build"]["failure"], REASON);
    assert_eq!(shown["runs"][0]["counts"]["cases"], 0);
    assert_eq!(shown["runs"][0]["complete"], true);
    let listed = env.tacho(&["show", "--list", "--json"]).json(0);
    assert_eq!(listed["records"][0]["build_failure"], REASON);
    let durations = env.tacho(&["show", "--durations", "--json"]).json(0);
    assert_eq!(durations["total_s"], 0.0);
}

#[test]
fn who_asks_for_a_benchmark_is_told_why_there_is_none() {
    let (env, _) = unbuilt_project();
    let said = env.tacho(&["show", "-b", "time_sum"]).with_code(0);
    assert!(said.contains("not built: `uv build` exited with status 1"), "{said}");
}

#[test]
fn a_build_that_failed_later_hides_nothing_that_was_measured() {
    let env = project();
    let measured = Written::new(subject("a"), &AXES, 1e-3).keep(&env);
    Written { minutes: 5, ..unbuilt("a", &AXES) }.keep(&env);
    let shown = env.tacho(&["show", "aaaaaaaa", "--json"]).json(0);
    assert_eq!(shown["runs"].as_array().unwrap().len(), 1);
    assert_eq!(shown["runs"][0]["provenance"]["run_id"], measured.as_str());
}

#[test]
fn a_side_that_was_not_built_is_no_side_without_results() {
    let (env, run) = unbuilt_project();
    Written::new(subject("b"), &AXES, 1e-3).keep(&env);
    check(&env.tacho(&["compare", "bbbbbbbb", "aaaaaaaa"]).all(), &run, "compared");
    let code = env.tacho(&["compare", "aaaaaaaa", "bbbbbbbb", "--fail-on", "slower"]).code;
    assert_eq!(code, Some(2));
}

#[test]
fn what_was_built_of_a_side_is_compared_and_the_rest_is_told() {
    let env = project();
    let other = [("python", "3.13")];
    for digit in ["a", "b"] {
        Written::new(subject(digit), &AXES, 1e-3).keep(&env);
    }
    Written::new(subject("a"), &other, 1e-3).keep(&env);
    unbuilt("b", &other).keep(&env);
    let said = env.tacho(&["compare", "aaaaaaaa", "bbbbbbbb", "--json"]);
    let told = "`bbbbbbbb` was not built with machine=lab,python=3.13: `uv build` exited with status 1";
    assert!(said.stderr.contains(told), "{}", said.all());
    let document = said.json(0);
    assert_eq!(document["after"]["runs"].as_array().unwrap().len(), 1);
    assert_eq!(document["counts"]["only_before"], 1);
}

#[test]
fn machines_are_held_at_a_commit_that_both_have_built() {
    let env = project();
    Written::new(subject("a"), &AXES, 1e-3).keep(&env);
    Written::new(subject("a"), &[("python", "3.13")], 1e-3).keep(&env);
    unbuilt("b", &AXES).keep(&env);
    unbuilt("b", &[("python", "3.13")]).keep(&env);
    let compared = env.tacho(&["compare", "python=3.12", "python=3.13", "--json"]).json(0);
    assert_eq!(compared["before"]["runs"][0]["subject"]["id"], "a".repeat(40));
}
