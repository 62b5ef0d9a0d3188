//! Plans as people and programs read them.

use std::collections::BTreeMap;

use tacho_model::Subject;

use super::*;
use crate::fixture::{NARROW, WIDE, commit, tree};

pub(crate) fn sample() -> Agenda {
    let axes =
        |value: &str| BTreeMap::from([("req.numpy".to_owned(), "2.1".to_owned()), ("threads".into(), value.into())]);
    let run = |subject: Subject, threads: &str, build| PlannedRun {
        subject: Some(subject),
        environment_label: "uv-py3.12-numpy2.1".into(),
        axes: axes(threads),
        build,
        n_cases: Some(120),
        estimate_s: Some(93.0),
        state: PlannedState::Measured,
        left_out: vec![],
    };
    let version = Subject::Version { package: "bottleneck".into(), version: "1.4.0".into() };
    Agenda {
        runs: vec![
            run(commit(), "1", PlannedBuild::Needed(Some(12.5))),
            PlannedRun {
                left_out: vec!["a.time_x".into(), "b|c`.time_y\u{1b}[31m".into()],
                ..run(commit(), "2", PlannedBuild::Shared)
            },
            PlannedRun { n_cases: None, estimate_s: None, ..run(tree(), "1", PlannedBuild::Needed(None)) },
            PlannedRun { state: PlannedState::Exists, ..run(version.clone(), "1", PlannedBuild::Ready) },
            PlannedRun {
                state: PlannedState::Unbuildable("`uv build` exited with status 1".into()),
                ..run(version.clone(), "1", PlannedBuild::Needed(None))
            },
            PlannedRun { state: PlannedState::LeftOut, ..run(version, "2", PlannedBuild::Ready) },
        ],
        budget_s: Some(600.0),
    }
}

#[test]
fn a_plan_for_a_terminal() {
    insta::assert_snapshot!(agenda(&sample()).terminal(&WIDE));
}

#[test]
fn a_plan_for_a_narrow_terminal() {
    insta::assert_snapshot!(agenda(&sample()).terminal(&NARROW));
}

#[test]
fn a_plan_in_markdown() {
    insta::assert_snapshot!(agenda(&sample()).markdown());
}

#[test]
fn nothing_to_measure_is_said() {
    let runs = sample().runs.into_iter().filter(|run| run.state != PlannedState::Measured).collect();
    let page = agenda(&Agenda { runs, budget_s: None }).terminal(&WIDE);
    assert!(page.contains("Nothing to measure"), "{page}");
}
