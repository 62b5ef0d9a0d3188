//! `tacho.check/1`.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::{Phase, Rehearsal, Remark, State};

use super::nouns::{ParameterTwin, ProblemTwin, parameters};
use super::seconds;
use crate::Checked;

#[derive(Serialize)]
pub(super) struct CheckDocument<'a> {
    fine: bool,
    complete: bool,
    counts: BTreeMap<&'static str, usize>,
    problems: Vec<ProblemTwin<'a>>,
    remarks: Vec<RemarkTwin<'a>>,
    cases: Vec<RehearsalTwin<'a>>,
}

impl CheckDocument<'_> {
    pub(super) fn of<'a>(checked: &Checked<'a>) -> CheckDocument<'a> {
        let Checked { planned, problems, remarks, rehearsals } = *checked;
        let n_cases: usize = planned.iter().map(|plan| plan.cases.len()).sum();
        let mut counts = BTreeMap::from([("benchmarks", planned.len()), ("cases", n_cases)]);
        counts.extend(checked.counts().into_iter().map(|(state, count)| (word(state), count)));
        CheckDocument {
            fine: checked.is_fine(),
            complete: rehearsals.len() == n_cases,
            counts,
            problems: problems.iter().map(ProblemTwin::of).collect(),
            remarks: remarks.iter().map(RemarkTwin::of).collect(),
            cases: rehearsals.iter().map(RehearsalTwin::of).collect(),
        }
    }
}

/// A case that can be measured is not measured yet.
fn word(state: State) -> &'static str {
    match state {
        State::Measured => "ready",
        other => other.word(),
    }
}

#[derive(Serialize)]
struct RemarkTwin<'a> {
    level: &'static str,
    module: &'a str,
    name: &'a str,
    place: Option<&'a str>,
    text: &'a str,
}

impl RemarkTwin<'_> {
    fn of(remark: &Remark) -> RemarkTwin<'_> {
        let Remark { level, module, name, place, text } = remark;
        RemarkTwin { level: level.word(), module, name, place: place.as_deref(), text }
    }
}

#[derive(Serialize)]
struct RehearsalTwin<'a> {
    benchmark: &'a str,
    parameters: Vec<ParameterTwin<'a>>,
    state: &'static str,
    phase: Option<&'static str>,
    message: Option<&'a str>,
    detail: Option<&'a str>,
    duration_s: f64,
}

impl RehearsalTwin<'_> {
    fn of(rehearsal: &Rehearsal) -> RehearsalTwin<'_> {
        let Rehearsal { case, state, phase, message, detail, duration_ns } = rehearsal;
        RehearsalTwin {
            benchmark: &case.benchmark,
            parameters: parameters(case),
            state: word(*state),
            phase: phase.map(Phase::word),
            message: message.as_deref(),
            detail: detail.as_deref(),
            duration_s: seconds(*duration_ns),
        }
    }
}
