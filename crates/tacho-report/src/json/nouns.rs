//! Twins of small nouns that several documents share.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::{Case, Machine, Metric, Parameter, Problem, Subject};

use crate::rfc3339;

#[derive(Serialize)]
pub(super) struct MachineTwin<'a> {
    name: &'a str,
    facts: &'a BTreeMap<String, String>,
}

impl MachineTwin<'_> {
    pub(super) fn of(machine: &Machine) -> MachineTwin<'_> {
        let Machine { name, facts } = machine;
        MachineTwin { name, facts }
    }
}

#[derive(Serialize)]
pub(super) struct ParameterTwin<'a> {
    name: &'a str,
    value: &'a str,
}

/// What a series is, with which way its metric gets better: the beginning of whatever is said of one.
#[derive(Serialize)]
pub(super) struct SeriesTwin<'a> {
    benchmark: &'a str,
    parameters: Vec<ParameterTwin<'a>>,
    metric: &'a str,
    unit: &'a str,
    machine: &'a str,
    environment: &'a BTreeMap<String, String>,
    direction: &'static str,
    direction_assumed: bool,
    exact: bool,
}

impl SeriesTwin<'_> {
    pub(super) fn of<'a>(
        case: &'a Case,
        metric: &'a Metric,
        machine: &'a str,
        axes: &'a BTreeMap<String, String>,
    ) -> SeriesTwin<'a> {
        let Metric { name, unit, direction, direction_assumed, exact } = metric;
        SeriesTwin {
            benchmark: &case.benchmark,
            parameters: parameters(case),
            metric: name,
            unit,
            machine,
            environment: axes,
            direction: direction.word(),
            direction_assumed: *direction_assumed,
            exact: *exact,
        }
    }
}

/// Returns the parameters of a case.
pub(super) fn parameters(case: &Case) -> Vec<ParameterTwin<'_>> {
    let Case { benchmark: _, index: _, parameters } = case;
    parameters.iter().map(|Parameter { name, text }| ParameterTwin { name, value: text }).collect()
}

#[derive(Serialize)]
pub(super) struct MetricTwin<'a> {
    name: &'a str,
    unit: &'a str,
    direction: &'static str,
    direction_assumed: bool,
    exact: bool,
}

impl MetricTwin<'_> {
    pub(super) fn of(metric: &Metric) -> MetricTwin<'_> {
        let Metric { name, unit, direction, direction_assumed, exact } = metric;
        MetricTwin { name, unit, direction: direction.word(), direction_assumed: *direction_assumed, exact: *exact }
    }
}

#[derive(Serialize)]
pub(super) struct ProblemTwin<'a> {
    module: &'a str,
    benchmark: Option<&'a str>,
    place: Option<&'a str>,
    error: &'a str,
    traceback: &'a str,
}

impl ProblemTwin<'_> {
    pub(super) fn of(problem: &Problem) -> ProblemTwin<'_> {
        let Problem { module, benchmark, place, error, traceback } = problem;
        ProblemTwin { module, benchmark: benchmark.as_deref(), place: place.as_deref(), error, traceback }
    }
}

/// A subject: its kind, the text that identifies it, and what its kind has beside that.
#[derive(Serialize)]
pub(super) struct SubjectTwin<'a> {
    kind: &'static str,
    id: String,
    date: Option<String>,
    parent: Option<&'a str>,
    package: Option<&'a str>,
    version: Option<&'a str>,
    local_only: bool,
}

impl SubjectTwin<'_> {
    pub(super) fn of(subject: &Subject) -> SubjectTwin<'_> {
        let bare = SubjectTwin {
            kind: subject.kind(),
            id: subject.id(),
            date: None,
            parent: None,
            package: None,
            version: None,
            local_only: !subject.enters_history(),
        };
        match subject {
            Subject::Commit { hash: _, date } => SubjectTwin { date: date.and_then(rfc3339), ..bare },
            Subject::Tree { tree: _, parent } => SubjectTwin { parent: parent.as_deref(), ..bare },
            Subject::Version { package, version } => {
                SubjectTwin { package: Some(package), version: Some(version), ..bare }
            }
            // Microseconds since 1970 identify a date in the index; JSON has dates as RFC 3339.
            Subject::Date { date } => {
                let text = rfc3339(*date);
                SubjectTwin { id: text.clone().unwrap_or(bare.id), date: text, ..bare }
            }
        }
    }
}
