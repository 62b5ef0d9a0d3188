//! The fold from rounds to outcomes: what each case says about each of its metrics.

use std::collections::HashMap;

use tacho_model::{Benchmark, Case, Metric, Outcome, Round, Run, Samples, State};

use crate::quantile::median;
use crate::{median_interval, quantile};

#[cfg(test)]
mod tests;

/// The confidence of the interval that every outcome carries, as asv's `ci_99`.
const CONFIDENCE: f64 = 0.99;

/// Returns one outcome for each planned case and metric, in the order of the plan.
///
/// Rounds of cases that were not planned are left out. A case with at least one measured round and
/// no worse one is measured even where fewer rounds were run than planned: `n_rounds` tells.
pub fn outcomes(run: &Run) -> Vec<Outcome> {
    let rounds = rounds_by_case(&run.rounds);
    let mut found = Vec::new();
    for planned in &run.planned {
        let of_benchmark = rounds.get(planned.benchmark.name.as_str());
        for case in planned.cases.iter().filter_map(|index| planned.benchmark.case(*index)) {
            let texts = case.texts();
            let of_case = of_benchmark.and_then(|cases| cases.get(texts.as_slice()));
            found.extend(case_outcomes(&planned.benchmark, &case, of_case.map_or(&[], Vec::as_slice)));
        }
    }
    found
}

type RoundsByCase<'a> = HashMap<&'a str, HashMap<&'a [String], Vec<&'a Round>>>;

fn rounds_by_case(rounds: &[Round]) -> RoundsByCase<'_> {
    let mut by_case = RoundsByCase::new();
    for round in rounds {
        let cases = by_case.entry(&round.benchmark).or_default();
        cases.entry(round.parameters.as_slice()).or_default().push(round);
    }
    by_case
}

/// Returns one outcome for each metric of `benchmark`, folded from the rounds of one case of it.
///
/// The state is the worst round's, and so are message and detail (of the first round that bad). A
/// case whose rounds were measured but gave no reading of a metric has failed for that metric.
pub fn case_outcomes(benchmark: &Benchmark, case: &Case, rounds: &[&Round]) -> Vec<Outcome> {
    let mut ordered = rounds.to_vec();
    ordered.sort_by_key(|round| round.round);
    benchmark.metrics.iter().map(|metric| outcome(benchmark, case, metric, &ordered)).collect()
}

fn outcome(benchmark: &Benchmark, case: &Case, metric: &Metric, rounds: &[&Round]) -> Outcome {
    let readings: Vec<&Samples> = rounds.iter().filter_map(|round| round.samples.get(&metric.name)).collect();
    let samples: Vec<f64> = readings.iter().flat_map(|samples| samples.values()).collect();
    let verdict = verdict(metric, rounds, !samples.is_empty());
    let summary = (verdict.state == State::Measured).then(|| summary(&samples)).flatten();
    Outcome {
        case: case.clone(),
        metric: metric.clone(),
        version: Some(benchmark.version.clone()),
        state: verdict.state,
        value: summary.map(|summary| summary.median),
        spread: summary.map(|summary| summary.quartiles.1 / 2.0 - summary.quartiles.0 / 2.0),
        quartiles: summary.map(|summary| summary.quartiles),
        interval: summary.and_then(|summary| summary.interval),
        n_samples: samples.len(),
        round_values: readings.iter().filter_map(|samples| median(samples.values())).collect(),
        samples,
        number: common_number(&readings),
        n_rounds: rounds.len(),
        duration_ns: rounds.iter().map(|round| round.duration_ns).sum(),
        method: method(metric, rounds),
        message: verdict.message,
        detail: verdict.detail,
    }
}

struct Verdict {
    state: State,
    message: Option<String>,
    detail: Option<String>,
}

fn verdict(metric: &Metric, rounds: &[&Round], has_samples: bool) -> Verdict {
    // `max_by_key` would give the last of equally bad rounds; the first is where trouble began.
    let Some(worst) = rounds.iter().rev().max_by_key(|round| round.state) else {
        return Verdict { state: State::NotRun, message: None, detail: None };
    };
    if worst.state == State::Measured && !has_samples {
        let message = Some(format!("no reading of `{}`", metric.name));
        return Verdict { state: State::Failed, message, detail: None };
    }
    Verdict { state: worst.state, message: worst.message.clone(), detail: worst.detail.clone() }
}

#[derive(Clone, Copy)]
struct Summary {
    median: f64,
    quartiles: (f64, f64),
    interval: Option<(f64, f64)>,
}

fn summary(samples: &[f64]) -> Option<Summary> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(Summary {
        median: quantile(&sorted, 0.5)?,
        quartiles: (quantile(&sorted, 0.25)?, quantile(&sorted, 0.75)?),
        interval: median_interval(&sorted, CONFIDENCE),
    })
}

/// Returns the calls in each sample where all rounds agree on them.
fn common_number(readings: &[&Samples]) -> Option<u64> {
    let mut numbers = readings.iter().map(|samples| match samples {
        Samples::Loops { number, .. } => Some(*number),
        Samples::Values(_) => None,
    });
    let first = numbers.next()??;
    numbers.all(|number| number == Some(first)).then_some(first)
}

fn method(metric: &Metric, rounds: &[&Round]) -> Option<String> {
    let measured = rounds.iter().find(|round| round.samples.contains_key(&metric.name))?;
    Some(measured.method.clone())
}
