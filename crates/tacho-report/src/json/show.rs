//! `tacho.show/1`.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::{BenchmarkTime, Completeness, Outcome, Resumption, Round, Run, State};

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
    /// Unknown of what asv kept.
    complete: Option<bool>,
    resumptions: Vec<ResumptionTwin>,
    counts: Counts,
    results: Vec<OutcomeTwin<'a>>,
    benchmark_times: Vec<TimeTwin<'a>>,
    problems: Vec<ProblemTwin<'a>>,
}

impl Show<'_> {
    fn of<'a>(shown: &Shown<'a>, samples: bool) -> Show<'a> {
        let Run { provenance, planned: _, problems, rounds, completeness } = shown.run;
        Show {
            provenance: ProvenanceTwin::of(provenance),
            complete: (!shown.by_asv).then_some(*completeness == Completeness::Sealed),
            resumptions: rounds.iter().filter_map(ResumptionTwin::of).collect(),
            counts: Counts::of(shown.counts),
            results: shown.outcomes.iter().map(|outcome| OutcomeTwin::of(outcome, shown, samples)).collect(),
            benchmark_times: shown.times.iter().map(TimeTwin::of).collect(),
            problems: problems.iter().map(ProblemTwin::of).collect(),
        }
    }
}

/// When a benchmark was measured, or how long asv took for what is none.
#[derive(Serialize)]
struct TimeTwin<'a> {
    name: &'a str,
    started_at: Option<String>,
    duration_s: Option<f64>,
}

impl TimeTwin<'_> {
    fn of(time: &BenchmarkTime) -> TimeTwin<'_> {
        let BenchmarkTime { name, started_at, duration_ns } = time;
        TimeTwin { name, started_at: started_at.and_then(rfc3339), duration_s: duration_ns.map(seconds) }
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
    n_rounds: Option<usize>,
    duration_s: Option<f64>,
    method: Option<&'a str>,
    message: Option<&'a str>,
    detail: Option<&'a str>,
}

impl OutcomeTwin<'_> {
    fn of<'a>(outcome: &'a Outcome, shown: &Shown<'a>, with_samples: bool) -> OutcomeTwin<'a> {
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
            n_samples,
            round_values: _,
            number,
            n_rounds,
            duration_ns,
            method,
            message,
            detail,
        } = outcome;
        let provenance = &shown.run.provenance;
        OutcomeTwin {
            series: SeriesTwin::of(case, metric, &provenance.machine.name, &provenance.environment.axes),
            version: version.as_deref(),
            state: state.word(),
            value: finite(*value),
            spread: finite(*spread),
            quartiles: *quartiles,
            interval_99: *interval,
            n_samples: *n_samples,
            samples: with_samples.then_some(samples),
            number: *number,
            n_rounds: (!shown.by_asv).then_some(*n_rounds),
            duration_s: (!shown.by_asv || *duration_ns > 0).then(|| seconds(*duration_ns)),
            method: method.as_deref(),
            message: message.as_deref(),
            detail: detail.as_deref(),
        }
    }
}
