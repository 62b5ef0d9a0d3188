//! `tacho.compare/1`.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::{Basis, Comparison, Completeness, Disagreement, Effect, Judgement, Outcome, Results, Standing};

use super::finite;
use super::nouns::{MachineTwin, SeriesTwin, SubjectTwin};
use crate::compare::Group;
use crate::{Compared, NoiseOrigin, Side, rfc3339};

#[derive(Serialize)]
pub(super) struct CompareTwin<'a> {
    before: SideTwin<'a>,
    after: SideTwin<'a>,
    counts: BTreeMap<String, usize>,
    comparisons: Vec<ComparisonTwin<'a>>,
    noise: Vec<NoiseTwin<'a>>,
}

impl CompareTwin<'_> {
    pub(super) fn of<'a>(compared: &Compared<'a>) -> CompareTwin<'a> {
        let Compared { before, after, comparisons, noise } = compared;
        let mut counts: BTreeMap<String, usize> = Group::ALL.map(|group| (word(group), 0)).into();
        for comparison in *comparisons {
            *counts.entry(word(Group::of(comparison))).or_default() += 1;
        }
        CompareTwin {
            before: SideTwin::of(before),
            after: SideTwin::of(after),
            counts,
            comparisons: comparisons.iter().map(ComparisonTwin::of).collect(),
            noise: noise.iter().map(NoiseTwin::of).collect(),
        }
    }
}

/// Where the noise of a machine and environment was learnt.
#[derive(Serialize)]
struct NoiseTwin<'a> {
    machine: &'a str,
    environment: &'a BTreeMap<String, String>,
    source: &'static str,
    n_subjects: usize,
}

impl NoiseTwin<'_> {
    fn of(origin: &NoiseOrigin) -> NoiseTwin<'_> {
        let NoiseOrigin { machine, axes, is_index: _, n_subjects } = origin;
        NoiseTwin { machine, environment: axes, source: origin.source(), n_subjects: *n_subjects }
    }
}

/// Returns the group's words as a JSON name: `newly_failing`.
fn word(group: Group) -> String {
    group.words().replace(' ', "_")
}

#[derive(Serialize)]
struct SideTwin<'a> {
    word: &'a str,
    runs: Vec<RunTwin<'a>>,
}

impl SideTwin<'_> {
    fn of<'a>(side: &Side<'a>) -> SideTwin<'a> {
        let Side { word, results } = side;
        SideTwin { word, runs: results.iter().map(RunTwin::of).collect() }
    }
}

/// Enough to find the run again: `tacho show RUN_ID --json` tells the rest.
#[derive(Serialize)]
struct RunTwin<'a> {
    run_id: &'a str,
    subject: SubjectTwin<'a>,
    machine: MachineTwin<'a>,
    environment: &'a BTreeMap<String, String>,
    environment_label: &'a str,
    method: &'a str,
    runner: &'a str,
    started_at: Option<String>,
    quick: bool,
    complete: bool,
}

impl RunTwin<'_> {
    fn of(results: &Results) -> RunTwin<'_> {
        let Results { provenance, outcomes: _, completeness } = results;
        RunTwin {
            run_id: &provenance.run_id,
            subject: SubjectTwin::of(&provenance.subject),
            machine: MachineTwin::of(&provenance.machine),
            environment: &provenance.environment.axes,
            environment_label: &provenance.environment.label,
            method: &provenance.method,
            runner: &provenance.runner,
            started_at: rfc3339(provenance.started_at),
            quick: provenance.settings.quick,
            complete: *completeness == Completeness::Sealed,
        }
    }
}

/// One case and metric: its series first, then what is said of it.
#[derive(Serialize)]
struct ComparisonTwin<'a> {
    #[serde(flatten)]
    series: SeriesTwin<'a>,
    standing: String,
    verdict: Option<&'static str>,
    within_band: Option<bool>,
    ratio: Option<f64>,
    ratio_interval_99: Option<(f64, f64)>,
    difference: Option<f64>,
    difference_interval_99: Option<(f64, f64)>,
    basis: Option<BasisTwin>,
    before: Option<OutcomeTwin<'a>>,
    after: Option<OutcomeTwin<'a>>,
    disagreements: Vec<DisagreementTwin<'a>>,
}

impl ComparisonTwin<'_> {
    fn of(comparison: &Comparison) -> ComparisonTwin<'_> {
        let Comparison { case, metric, machine, axes, before, after, standing } = comparison;
        let (judgement, disagreements) = match standing {
            Standing::Judged(judgement) => (Some(judgement), &[][..]),
            Standing::Incomparable(fields) => (None, &fields[..]),
            _ => (None, &[][..]),
        };
        let effect = EffectTwin::of(judgement);
        ComparisonTwin {
            series: SeriesTwin::of(case, metric, machine, axes),
            standing: judgement.map_or_else(|| word(Group::of(comparison)), |_| "judged".to_owned()),
            verdict: judgement.map(|judgement| judgement.verdict.word()),
            within_band: judgement.map(|judgement| judgement.within_band),
            ratio: effect.ratio,
            ratio_interval_99: effect.ratio_interval,
            difference: effect.difference,
            difference_interval_99: effect.difference_interval,
            basis: judgement.map(|judgement| BasisTwin::of(judgement.basis)),
            before: before.as_ref().map(OutcomeTwin::of),
            after: after.as_ref().map(OutcomeTwin::of),
            disagreements: disagreements.iter().map(DisagreementTwin::of).collect(),
        }
    }
}

#[derive(Default)]
struct EffectTwin {
    ratio: Option<f64>,
    ratio_interval: Option<(f64, f64)>,
    difference: Option<f64>,
    difference_interval: Option<(f64, f64)>,
}

impl EffectTwin {
    fn of(judgement: Option<&Judgement>) -> EffectTwin {
        match judgement.map(|judgement| judgement.effect) {
            Some(Effect::Ratio { value, interval }) => EffectTwin {
                ratio: finite(Some(value)),
                ratio_interval: finite_pair(interval),
                ..EffectTwin::default()
            },
            Some(Effect::Difference { value, interval }) => EffectTwin {
                difference: finite(Some(value)),
                difference_interval: finite_pair(interval),
                ..EffectTwin::default()
            },
            None => EffectTwin::default(),
        }
    }
}

fn finite_pair(interval: Option<(f64, f64)>) -> Option<(f64, f64)> {
    interval.filter(|(low, high)| low.is_finite() && high.is_finite())
}

#[derive(Serialize)]
struct BasisTwin {
    kind: &'static str,
    n_differences: Option<usize>,
    n_processes: Option<(usize, usize)>,
}

impl BasisTwin {
    fn of(basis: Basis) -> BasisTwin {
        let bare = |kind| BasisTwin { kind, n_differences: None, n_processes: None };
        match basis {
            Basis::History { n_differences } => BasisTwin { n_differences: Some(n_differences), ..bare("history") },
            Basis::Processes { n_before, n_after } => {
                BasisTwin { n_processes: Some((n_before, n_after)), ..bare("processes") }
            }
            Basis::Exact => bare("exact"),
            Basis::Asv => bare("asv"),
            Basis::TooLittle { n_before, n_after } => {
                BasisTwin { n_processes: Some((n_before, n_after)), ..bare("too_little") }
            }
        }
    }
}

#[derive(Serialize)]
struct OutcomeTwin<'a> {
    state: &'static str,
    value: Option<f64>,
    spread: Option<f64>,
    interval_99: Option<(f64, f64)>,
    n_samples: usize,
    n_processes: usize,
    version: Option<&'a str>,
    method: Option<&'a str>,
    message: Option<&'a str>,
}

impl OutcomeTwin<'_> {
    fn of(outcome: &Outcome) -> OutcomeTwin<'_> {
        // The series says case and metric; `tacho show` tells the rest.
        let Outcome {
            case: _,
            metric: _,
            version,
            state,
            value,
            spread,
            quartiles: _,
            interval,
            samples: _,
            n_samples,
            round_values,
            number: _,
            n_rounds: _,
            duration_ns: _,
            method,
            message,
            detail: _,
        } = outcome;
        OutcomeTwin {
            state: state.word(),
            value: finite(*value),
            spread: finite(*spread),
            interval_99: finite_pair(*interval),
            n_samples: *n_samples,
            n_processes: round_values.len(),
            version: version.as_deref(),
            method: method.as_deref(),
            message: message.as_deref(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct DisagreementTwin<'a> {
    field: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

impl DisagreementTwin<'_> {
    pub(super) fn of(disagreement: &Disagreement) -> DisagreementTwin<'_> {
        let Disagreement { field, before, after } = disagreement;
        DisagreementTwin { field, before: before.as_deref(), after: after.as_deref() }
    }
}
