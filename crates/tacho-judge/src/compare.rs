//! Two sides of stored results, case by case.

mod asv;
mod history;
mod own;
mod sides;
mod steps;

use std::collections::BTreeSet;

use tacho_model::{Comparison, Direction, Disagreement, Judgement, Outcome, Results, Standing, State, Verdict};

pub use history::History;
use history::{Noise, Scale};
use sides::{Place, PlacePair};

/// By which rule two measured outcomes are judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// The series' own noise, or the processes of the two sides.
    Own,
    /// asv's: a factor, with a test on the samples or without.
    Asv {
        /// How many times larger a value must be to count.
        factor: f64,
        /// Whether the samples must differ too.
        use_stats: bool,
    },
}

/// How to compare.
pub struct CompareOptions<'a> {
    /// The rule.
    pub rule: Rule,
    /// Fields that may differ: the comparison is across them.
    pub across: BTreeSet<String>,
    /// The band of a benchmark, by its name: the fraction by which a value may differ without mattering (0.02).
    pub band: &'a dyn Fn(&str) -> f64,
}

/// Compares two sides, each with at most one run for each machine and environment.
///
/// Comparisons come in the order of benchmarks and cases; at one case, in that of the sides' places.
pub fn compare(
    before: &[Results],
    after: &[Results],
    history: &History,
    options: &CompareOptions<'_>,
) -> Vec<Comparison> {
    let pairs = sides::place_pairs(before, after, &options.across);
    let mut comparisons: Vec<Comparison> = pairs.iter().flat_map(|pair| compared(pair, history, options)).collect();
    // Stable: the places of one case keep their order.
    comparisons.sort_by(|a, b| a.case.benchmark.cmp(&b.case.benchmark).then_with(|| a.case.index.cmp(&b.case.index)));
    comparisons
}

fn compared(pair: &PlacePair<'_>, history: &History, options: &CompareOptions<'_>) -> Vec<Comparison> {
    let Some(place) = pair.after.or(pair.before).map(|run| Place::of(&run.provenance)) else { return vec![] };
    let cases = sides::case_pairs(pair).into_iter();
    let comparison = |(before, after): (Option<&Outcome>, Option<&Outcome>)| {
        let either = after.or(before)?;
        Some(Comparison {
            case: either.case.clone(),
            metric: either.metric.clone(),
            machine: place.machine.clone(),
            axes: place.axes.clone(),
            before: before.cloned(),
            after: after.cloned(),
            standing: standing(before, after, pair, history, options),
        })
    };
    cases.filter_map(comparison).collect()
}

fn standing(
    before: Option<&Outcome>,
    after: Option<&Outcome>,
    pair: &PlacePair<'_>,
    history: &History,
    options: &CompareOptions<'_>,
) -> Standing {
    // What was not run is as good as absent.
    let present = |outcome: Option<&Outcome>| outcome.map(|outcome| outcome.state).filter(|s| *s != State::NotRun);
    let fails = |state: Option<State>| state.is_some_and(State::is_failure);
    match (present(before), present(after)) {
        (None, None) => Standing::NotMeasured,
        // What fails on one machine and works on another has neither broken nor been mended.
        (Some(a), Some(b)) if pair.has_moved() && (a.is_failure() || b.is_failure()) => {
            Standing::Incomparable(pair.disagreements.clone())
        }
        (a, b) if fails(a) && fails(b) => Standing::StillFailing,
        (_, b) if fails(b) => Standing::NewlyFailing,
        (_, None) => Standing::OnlyBefore,
        (None, _) => Standing::OnlyAfter,
        (a, Some(State::Measured)) if fails(a) => Standing::Fixed,
        (Some(State::Measured), Some(State::Measured)) => measured(before, after, pair, history, options),
        _ => Standing::NotMeasured,
    }
}

fn measured(
    before: Option<&Outcome>,
    after: Option<&Outcome>,
    pair: &PlacePair<'_>,
    history: &History,
    options: &CompareOptions<'_>,
) -> Standing {
    let (Some(before), Some(after)) = (before, after) else { return Standing::NotMeasured };
    let mut fields: Vec<Disagreement> = pair.disagreements.clone();
    let of_outcomes = sides::outcome_disagreements(before, after).into_iter();
    fields.extend(of_outcomes.filter(|one| !options.across.contains(&one.field)));
    if !fields.is_empty() {
        return Standing::Incomparable(fields);
    }
    judged(before, after, pair, history, options).map_or(Standing::NotMeasured, Standing::Judged)
}

fn judged(
    before: &Outcome,
    after: &Outcome,
    pair: &PlacePair<'_>,
    history: &History,
    options: &CompareOptions<'_>,
) -> Option<Judgement> {
    match options.rule {
        Rule::Asv { factor, use_stats } => asv::judge(before, after, factor, use_stats),
        Rule::Own => {
            let noise = noise(before, after, pair, history);
            own::judge(before, after, noise, (options.band)(&after.case.benchmark))
        }
    }
}

/// Returns the noise of a difference between the two runs, where both series have a past.
fn noise(before: &Outcome, after: &Outcome, pair: &PlacePair<'_>, history: &History) -> Option<Noise> {
    let (a, b) = (&pair.before?.provenance, &pair.after?.provenance);
    // First calls are no part of the history that full runs make.
    if a.settings.quick || b.settings.quick {
        return None;
    }
    let scale = Scale::of(before.value?, after.value?);
    let subjects = (a.subject.id(), b.subject.id());
    let subjects = [subjects.0.as_str(), subjects.1.as_str()];
    let (there, here) = (Place::of(a), Place::of(b));
    let noise_here = history.noise(&here, after, subjects, scale)?;
    if there == here {
        return Some(noise_here);
    }
    Some(Noise::between(history.noise(&there, before, subjects, scale)?, noise_here))
}

/// Returns the word for a real change, by the direction in which the metric gets better. Without a direction a change is
/// neither better nor worse, and no word says so.
fn worded(direction: Direction, is_lower: bool) -> Verdict {
    match (direction, is_lower) {
        (Direction::Lower, true) | (Direction::Higher, false) => Verdict::Faster,
        (Direction::Lower, false) | (Direction::Higher, true) => Verdict::Slower,
        (Direction::None, _) => Verdict::Inconclusive,
    }
}

#[cfg(test)]
mod tests;
