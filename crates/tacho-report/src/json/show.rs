//! `tacho.show/1`.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::{Completeness, Outcome, Resumption, Round, Run, State};

use super::nouns::{ProblemTwin, SeriesTwin};
use super::provenance::{LoadTwin, ProvenanceTwin};
use super::{finite, seconds};
use crate::{Shown, rfc3339};

#[derive(Serialize)]
pub(super) struct Shows<'a> {
    runs: Vec<Show<'a>>,
}

impl Shows<'_> {
    pub(super) fn of<'a>(shown: &[Shown<'a>], samples: bool) -> Shows<'a> {
        Shows { runs: shown.iter().map(|shown| Show::of(shown, samples)).collect() }
    }
}

#[derive(Serialize)]
struct Show<'a> {
    provenance: ProvenanceTwin<'a>,
    complete: bool,
    resumptions: Vec<ResumptionTwin>,
    counts: Counts,
    results: Vec<OutcomeTwin<'a>>,
    problems: Vec<ProblemTwin<'a>>,
}

impl Show<'_> {
    fn of<'a>(shown: &Shown<'a>, samples: bool) -> Show<'a> {
        let Run { provenance, planned: _, problems, rounds, completeness } = shown.run;
        Show {
            provenance: ProvenanceTwin::of(provenance),
            complete: *completeness == Completeness::Sealed,
            resumptions: rounds.iter().filter_map(ResumptionTwin::of).collect(),
            counts: Counts::of(shown.counts),
            results: shown.outcomes.iter().map(|outcome| OutcomeTwin::of(outcome, shown.run, samples)).collect(),
            problems: problems.iter().map(ProblemTwin::of).collect(),
        }
    }
}

/// That the run was interrupted and taken up again.
#[derive(Serialize)]
struct ResumptionTwin {
    at: Option<String>,
    /// The position, in the order of everything that was run, of the first round after it.
    slot: u64,
    load: Option<LoadTwin>,
}

impl ResumptionTwin {
    fn of(round: &Round) -> Option<ResumptionTwin> {
        let Resumption { at, load } = round.resumed?;
        Some(ResumptionTwin { at: rfc3339(at), slot: round.slot, load: load.as_ref().map(LoadTwin::of) })
    }
}

/// The number of cases by state, every state named.
#[derive(Serialize)]
struct Counts {
    cases: usize,
    #[serde(flatten)]
    states: BTreeMap<&'static str, usize>,
}

impl Counts {
    fn of(counts: &BTreeMap<State, usize>) -> Counts {
        let states = State::ALL.map(|state| (state.word(), counts.get(&state).copied().unwrap_or(0)));
        Counts { cases: counts.values().sum(), states: BTreeMap::from(states) }
    }
}

/// One case and metric: its series first, then what it says.
#[derive(Serialize)]
struct OutcomeTwin<'a> {
    #[serde(flatten)]
    series: SeriesTwin<'a>,
    version: Option<&'a str>,
    state: &'static str,
    value: Option<f64>,
    spread: Option<f64>,
    quartiles: Option<(f64, f64)>,
    interval_99: Option<(f64, f64)>,
    n_samples: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<&'a [f64]>,
    number: Option<u64>,
    n_rounds: usize,
    duration_s: f64,
    method: Option<&'a str>,
    message: Option<&'a str>,
    detail: Option<&'a str>,
}

impl OutcomeTwin<'_> {
    fn of<'a>(outcome: &'a Outcome, run: &'a Run, with_samples: bool) -> OutcomeTwin<'a> {
        let Outcome {
            case,
            metric,
            version,
            state,
            value,
            spread,
            quartiles,
            interval,
            samples,
            n_samples: _,
            round_values: _,
            number,
            n_rounds,
            duration_ns,
            method,
            message,
            detail,
        } = outcome;
        OutcomeTwin {
            series: SeriesTwin::of(case, metric, &run.provenance.machine.name, &run.provenance.environment.axes),
            version: version.as_deref(),
            state: state.word(),
            value: finite(*value),
            spread: finite(*spread),
            quartiles: *quartiles,
            interval_99: *interval,
            n_samples: samples.len(),
            samples: with_samples.then_some(samples),
            number: *number,
            n_rounds: *n_rounds,
            duration_s: seconds(*duration_ns),
            method: method.as_deref(),
            message: message.as_deref(),
            detail: detail.as_deref(),
        }
    }
}
