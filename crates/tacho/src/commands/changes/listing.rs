//! What of all that was found is listed, and in which groups.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use tacho_judge::changes::{FALSE_POINTS_PER_1000, Place, grouped, moved_as_one};
use tacho_model::{Change, ChangeGroup, ChangeState, Effect, Outlook};
use tacho_report::{Changes, Hidden};

use super::ChangesArgs;
use super::bound::Bounds;
use super::collect::Found;

/// A provisional change counts where so many series move at once,
const MANY_SERIES: usize = 3;
/// or where it is at least so large, as a fraction,
const LARGE: f64 = 0.05;
/// and so many standard deviations.
const LARGE_SIGMAS: f64 = 6.0;

/// Returns what is listed, the newest first.
pub(super) fn listed(found: Vec<Found>, args: &ChangesArgs, bounds: &Bounds) -> Changes {
    let n_events: usize = found.iter().map(|one| one.n_events).sum();
    let n_points: usize = found.iter().map(|one| one.n_points).sum();
    let spans: Vec<(String, (u64, u64))> =
        found.iter().filter_map(|one| Some((one.machine.clone(), one.span?))).collect();
    let mut hidden = Hidden { n_small: found.iter().map(|one| one.n_small).sum(), ..Hidden::default() };
    let n_series = found.len();
    let (mut all, mut drifts) = (Vec::new(), Vec::new());
    for one in found {
        all.extend(one.changes);
        drifts.extend(one.drift);
    }
    // Groups are made of everything, so that a filter does not change what belongs together.
    let places: Vec<Place> = all.iter().map(place).collect();
    let mut all: Vec<Option<Change>> = all.into_iter().map(Some).collect();
    let mut groups: Vec<ChangeGroup> = Vec::new();
    for members in grouped(&places) {
        let changes: Vec<Change> = members.into_iter().filter_map(|at| all[at].take()).collect();
        let moved_as_one = machines_that_moved(&changes, &spans);
        let mut changes = wanted(changes, args, bounds, &mut hidden);
        changes.sort_by(worst_first);
        if !changes.is_empty() {
            groups.push(ChangeGroup { changes, moved_as_one, title: None, n_candidates: None });
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.range().1));
    drifts.retain(|drift| is_way_wanted(drift.is_worse, args));
    let expected_false = n_points as f64 / 1000.0 * FALSE_POINTS_PER_1000;
    Changes { groups, drifts, hidden, n_series, n_points, n_events, expected_false, n_more: 0, repository: false }
}

fn place(change: &Change) -> Place {
    Place { at: change.position, earliest: change.range.0, latest: change.range.1 }
}

/// Losses first, then gains, then what is neither; the largest of each first.
fn worst_first(a: &Change, b: &Change) -> Ordering {
    let rank = |change: &Change| match change.is_worse {
        Some(true) => 0,
        Some(false) => 1,
        None => 2,
    };
    rank(a).cmp(&rank(b)).then_with(|| size(b).total_cmp(&size(a))).then_with(|| a.series.cmp(&b.series))
}

fn size(change: &Change) -> f64 {
    match change.effect {
        Effect::Ratio { value, .. } => value.max(1.0 / value) - 1.0,
        Effect::Difference { value, .. } => value.abs() / change.levels.0.abs().min(change.levels.1.abs()),
    }
}

/// Returns the changes that a reader wants to see, and counts the others.
fn wanted(changes: Vec<Change>, args: &ChangesArgs, bounds: &Bounds, hidden: &mut Hidden) -> Vec<Change> {
    let series: BTreeSet<String> = changes.iter().map(|change| change.id.clone()).collect();
    let is_crowd = series.len() >= MANY_SERIES;
    let mut kept = Vec::new();
    for change in changes.into_iter().filter(|change| bounds.have(change) && is_way_wanted(change.is_worse, args)) {
        let is_doubtful = change.state == ChangeState::Provisional && !is_crowd && !is_large(&change);
        match (args.all, change.outlook) {
            (true, _) => kept.push(change),
            (false, Outlook::Undone) => hidden.n_undone += 1,
            (false, Outlook::Ended) => hidden.n_ended += 1,
            (false, Outlook::Holds) if is_doubtful => hidden.n_provisional += 1,
            (false, Outlook::Holds) => kept.push(change),
        }
    }
    kept
}

fn is_way_wanted(is_worse: Option<bool>, args: &ChangesArgs) -> bool {
    (!args.regressions || is_worse == Some(true)) && (!args.improvements || is_worse == Some(false))
}

fn is_large(change: &Change) -> bool {
    change.series.metric.exact || (size(change) >= LARGE && change.sigmas.is_none_or(|sigmas| sigmas >= LARGE_SIGMAS))
}

/// Returns the machines on which most series moved by much the same factor.
fn machines_that_moved(changes: &[Change], spans: &[(String, (u64, u64))]) -> Vec<String> {
    let mut by_machine: HashMap<&str, (Vec<f64>, u64)> = HashMap::new();
    for change in changes {
        let Effect::Ratio { value, .. } = change.effect else { continue };
        let entry = by_machine.entry(&change.series.machine).or_default();
        entry.0.push(value);
        entry.1 = entry.1.max(change.position);
    }
    let mut moved: Vec<String> = Vec::new();
    for (machine, (ratios, position)) in by_machine {
        let covers =
            |(name, (first, last)): &&(String, (u64, u64))| name == machine && *first < position && position <= *last;
        // Counting all series is only worth it where many moved.
        if ratios.len() >= MANY_SERIES && moved_as_one(&ratios, spans.iter().filter(covers).count()) {
            moved.push(machine.to_owned());
        }
    }
    moved.sort();
    moved
}
