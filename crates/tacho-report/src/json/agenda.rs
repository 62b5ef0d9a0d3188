//! `tacho.plan/1`: what a run would do.

use std::collections::BTreeMap;

use serde::Serialize;

use super::finite;
use super::nouns::SubjectTwin;
use crate::agenda::Estimate;
use crate::{Agenda, PlannedBuild, PlannedRun, PlannedState};

#[derive(Serialize)]
pub(super) struct Plan<'a> {
    runs: Vec<RunTwin<'a>>,
    budget_s: Option<f64>,
    estimate_s: f64,
    n_unknown_durations: usize,
}

impl Plan<'_> {
    pub(super) fn of(agenda: &Agenda) -> Plan<'_> {
        let Estimate { known_s, n_unknown } = agenda.estimate();
        let Agenda { runs, budget_s } = agenda;
        Plan {
            runs: runs.iter().map(RunTwin::of).collect(),
            budget_s: finite(*budget_s),
            estimate_s: known_s,
            n_unknown_durations: n_unknown,
        }
    }
}

#[derive(Serialize)]
struct RunTwin<'a> {
    subject: Option<SubjectTwin<'a>>,
    environment_label: &'a str,
    environment: &'a BTreeMap<String, String>,
    build: &'static str,
    build_estimate_s: Option<f64>,
    n_cases: Option<usize>,
    estimate_s: Option<f64>,
    state: &'static str,
    reason: Option<&'a str>,
    left_out: &'a [String],
}

impl RunTwin<'_> {
    fn of(run: &PlannedRun) -> RunTwin<'_> {
        let PlannedRun { subject, environment_label, axes, build, n_cases, estimate_s, state, left_out } = run;
        let (build, build_estimate_s) = match build {
            PlannedBuild::None => ("none", None),
            PlannedBuild::Ready => ("ready", None),
            PlannedBuild::Shared => ("shared", None),
            PlannedBuild::Needed(estimate) => ("needed", *estimate),
        };
        let (state, reason) = match state {
            PlannedState::Measured => ("measure", None),
            PlannedState::Exists => ("exists", None),
            PlannedState::Unbuildable(why) => ("unbuildable", Some(why.as_str())),
            PlannedState::LeftOut => ("left_out", None),
        };
        RunTwin {
            subject: subject.as_ref().map(SubjectTwin::of),
            environment_label,
            environment: axes,
            build,
            build_estimate_s: finite(build_estimate_s),
            n_cases: *n_cases,
            estimate_s: finite(*estimate_s),
            state,
            reason,
            left_out,
        }
    }
}
