//! Tests of shown runs: in full, narrow, with details, as Markdown, and with hostile texts.

use insta::assert_snapshot;
use tacho_model::{Completeness, Metric};

use super::*;
use crate::Screen;
use crate::fixture::{NARROW, WIDE, build, counts, measured, outcomes, resumed_round, run, tree, unbuilt_run};

fn page(run: &Run, outcomes: &[Outcome], details: bool) -> Page {
    show(&Shown { run, outcomes, counts: &counts(outcomes), times: &[], by_asv: false }, &ShowOptions { details })
}

#[test]
fn a_run_is_shown_on_a_wide_terminal() {
    assert_snapshot!(page(&run(), &outcomes(), false).terminal(&WIDE));
}

#[test]
fn a_run_is_shown_on_a_narrow_terminal() {
    assert_snapshot!(page(&run(), &outcomes(), false).terminal(&NARROW));
}

#[test]
fn a_run_is_shown_as_markdown() {
    assert_snapshot!(page(&run(), &outcomes(), false).markdown());
}

#[test]
fn details_tell_everything() {
    assert_snapshot!(page(&run(), &outcomes(), true).terminal(&Screen { width: 120, ..WIDE }));
}

#[test]
fn details_stand_below_each_other_where_the_terminal_is_narrow() {
    assert_snapshot!(page(&run(), &outcomes()[3..6], true).terminal(&NARROW));
}

#[test]
fn a_partial_quick_run_of_a_dirty_tree_says_so() {
    let mut run = run();
    run.provenance.subject = tree();
    run.provenance.settings.quick = true;
    run.completeness = Completeness::Interrupted;
    run.problems.clear();
    run.planned.iter_mut().for_each(|planned| planned.rounds = 1);
    assert_snapshot!(page(&run, &[], false).terminal(&WIDE));
}

#[test]
fn several_metrics_are_columns_of_a_table_and_rows_without_parameters() {
    let both = |name: &str, parameters: &[&str]| {
        let mut memory = measured(name, parameters, 4e6);
        memory.metric = Metric::new("peak_memory", "bytes", None);
        [measured(name, parameters, 0.5), memory]
    };
    let outcomes = [both("a.f", &[]), both("b.g", &["1"]), both("b.g", &["2"])].concat();
    let mut run = run();
    run.problems.clear();
    let text = page(&run, &outcomes, false).terminal(&NARROW);
    assert_snapshot!(text.split("\n\n").skip(1).take(2).collect::<Vec<_>>().join("\n\n"));
}

#[test]
fn long_parameters_are_shortened_and_many_cases_are_rows() {
    let text =
        |i: usize| format!("array([{i}, {}, 3.14159, 2.71828],\n      dtype=float64, order='C', copy={i})", i + 1);
    let outcomes: Vec<Outcome> = (0..720).map(|i| measured("m.f", &[&text(i), "'x'"], 0.5 + i as f64)).collect();
    let shown = page(&run(), &outcomes, false);
    let terminal = shown.terminal(&NARROW);
    assert_eq!(terminal.lines().filter(|line| line.contains("array([")).count(), 720);
    assert!(terminal.lines().all(|line| line.chars().count() <= NARROW.width));
    assert_eq!(shown.markdown().lines().filter(|line| line.contains("array([")).count(), 720);
    assert_snapshot!(terminal.lines().skip(7).take(6).collect::<Vec<_>>().join("\n"));
}

#[test]
fn hostile_texts_neither_reach_the_terminal_nor_leave_their_place_in_markdown() {
    let hostile = "\u{1b}]0;x\u{7}`|<img src=x>\n# @everyone";
    let mut run = run();
    run.provenance.project = hostile.into();
    run.provenance.machine.facts.insert(hostile.into(), hostile.into());
    run.problems[0].error = hostile.into();
    run.problems[0].traceback = format!("```\n{hostile}");
    let mut odd = measured(hostile, &[hostile], 0.5);
    odd.metric = Metric::new(hostile, hostile, None);
    let failed = crate::fixture::unmeasured(hostile, &[hostile], State::Failed, hostile);
    for details in [false, true] {
        let page = page(&run, &[odd.clone(), failed.clone()], details);
        let terminal = page.terminal(&NARROW);
        assert!(!terminal.contains(|c: char| c.is_control() && c != '\n'), "{terminal:?}");
        assert!(!terminal.lines().any(|line| line.starts_with("# ")), "{terminal}");
        let outside = without_blocks(&page.markdown());
        assert!(!outside.contains("<img"), "{outside}");
        assert!(!outside.lines().any(|line| line.starts_with("# ")), "{outside}");
        assert!(!outside.contains("@everyone"), "{outside}");
    }
}

/// Returns what stands outside of fenced blocks.
fn without_blocks(markdown: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut out = String::new();
    for line in markdown.lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = line.strip_suffix("text"),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

#[test]
fn a_resumed_run_says_when() {
    let mut run = run();
    let measured = |run: &Run, details: bool| {
        let text = page(run, &[], details).terminal(&WIDE);
        let told: Vec<&str> = text.lines().filter(|line| line.contains("resumed")).map(str::trim).collect();
        told.join("\n")
    };
    assert_eq!(measured(&run, true), "");
    run.rounds = vec![resumed_round(3)];
    assert_snapshot!(measured(&run, false), @"measured     2024-05-01 13:00 UTC on bench1, resumed 2024-05-01 12:00 UTC");
    run.rounds.push(resumed_round(7));
    assert_snapshot!(measured(&run, true), @"
    measured     2024-05-01 13:00 UTC on bench1, resumed 2 times, last 2024-05-01 12:00 UTC
    resumed      2024-05-01T12:00:00Z after 3 rounds, load before 0.500 1.00 2.25
    resumed      2024-05-01T12:00:00Z after 7 rounds, load before 0.500 1.00 2.25
    ");
}

#[test]
fn what_could_not_be_built_says_why_and_how_its_log_ends() {
    assert_snapshot!(page(&unbuilt_run(), &[], false).terminal(&NARROW));
}

#[test]
fn details_of_a_failed_build_are_all_of_its_log_and_how_it_was_tried() {
    let text = page(&unbuilt_run(), &[], true).terminal(&WIDE);
    let (_, build) = text.split_once("\nBuild\n").unwrap();
    assert_snapshot!(build);
}

#[test]
fn details_of_a_build_are_its_commands_compilers_wheel_and_what_was_installed() {
    let mut run = run();
    run.problems.clear();
    run.provenance.build = Some(build());
    let text = page(&run, &outcomes()[..1], true).terminal(&WIDE);
    let (_, build) = text.split_once("\nBuild\n").unwrap();
    assert_snapshot!(build.split("\n\n").next().unwrap());
}

#[test]
fn a_build_writes_nothing_into_a_terminal_or_into_markdown() {
    let hostile = "\u{1b}]0;x\u{7}`|<img src=x>\n# @everyone";
    let mut run = unbuilt_run();
    let build = run.provenance.build.as_mut().unwrap();
    build.failure = Some(hostile.into());
    build.log_tail = format!("```\n{hostile}");
    build.commands = vec![hostile.into()];
    build.compilers.insert(hostile.into(), hostile.into());
    for details in [false, true] {
        let page = page(&run, &[], details);
        let terminal = page.terminal(&NARROW);
        assert!(!terminal.contains(|c: char| c.is_control() && c != '\n'), "{terminal:?}");
        let outside = without_blocks(&page.markdown());
        assert!(!outside.contains("<img") && !outside.contains("@everyone"), "{outside}");
    }
}
