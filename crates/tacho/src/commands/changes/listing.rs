//! What of all that was found is listed, and in which groups.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use tacho_judge::changes::{self, FALSE_POINTS_PER_1000, Place, grouped};
use tacho_model::{Change, ChangeGroup, ChangeState, Effect, Outlook};
use tacho_report::{Changes, Hidden};

use super::ChangesArgs;
use super::bound::Bounds;
use super::collect::Found;

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
        let moving = Moving::of(&changes, &spans);
        let mut changes = wanted(changes, args, bounds, &moving, &mut hidden);
        changes.sort_by(worst_first);
        if !changes.is_empty() {
            let moved_as_one = moving.as_one();
            groups.push(ChangeGroup { changes, moved_as_one, title: None, n_candidates: None });
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.range().1));
    drifts.retain(|drift| is_way_wanted(drift.is_worse, args));
    // How often asv's detection errs nobody has counted.
    let expected_false = (args.stats == "own").then_some(n_points as f64 / 1000.0 * FALSE_POINTS_PER_1000);
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
    changes::size(change.effect, change.levels)
}

/// Returns the changes that a reader wants to see, and counts the others.
fn wanted(all: Vec<Change>, args: &ChangesArgs, bounds: &Bounds, moving: &Moving, hidden: &mut Hidden) -> Vec<Change> {
    let mut kept = Vec::new();
    for change in all.into_iter().filter(|change| bounds.have(change) && is_way_wanted(change.is_worse, args)) {
        let is_provisional = change.state == ChangeState::Provisional;
        let is_doubtful = is_provisional
            && !moving.is_crowd(&change.series.machine)
            && !changes::is_large(size(&change), change.sigmas);
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

/// What of each machine moves in a group.
struct Moving {
    by_machine: BTreeMap<String, MovingHere>,
}

/// What of one machine moves.
struct MovingHere {
    ratios: Vec<f64>,
    n_moving: usize,
    /// How many of its series were measured before and after; without bound where hardly any moves.
    n_series: usize,
}

impl Moving {
    fn of(all: &[Change], spans: &[(String, (u64, u64))]) -> Moving {
        let mut by_machine: BTreeMap<String, MovingHere> = BTreeMap::new();
        let mut last: BTreeMap<&str, u64> = BTreeMap::new();
        for change in all {
            let bare = || MovingHere { ratios: vec![], n_moving: 0, n_series: 0 };
            let here = by_machine.entry(change.series.machine.clone()).or_insert_with(bare);
            here.n_moving += 1;
            if let Effect::Ratio { value, .. } = change.effect {
                here.ratios.push(value);
            }
            let last = last.entry(&change.series.machine).or_default();
            *last = (*last).max(change.position);
        }
        for (machine, here) in &mut by_machine {
            let position = last.get(machine.as_str()).copied().unwrap_or_default();
            let covers = |(name, (first, last)): &&(String, (u64, u64))| {
                name == machine && *first < position && position <= *last
            };
            // Counting all series is only worth it where more than two moved.
            here.n_series = if here.n_moving < 3 { usize::MAX } else { spans.iter().filter(covers).count() };
        }
        Moving { by_machine }
    }

    /// Returns true where so many series of a machine move that chance cannot be it.
    fn is_crowd(&self, machine: &str) -> bool {
        self.by_machine.get(machine).is_some_and(|here| changes::is_crowd(here.n_moving, here.n_series))
    }

    /// Returns the machines on which most series moved by much the same factor.
    fn as_one(&self) -> Vec<String> {
        let is_one = |here: &MovingHere| changes::moved_as_one(&here.ratios, here.n_series);
        self.by_machine.iter().filter(|(_, here)| is_one(here)).map(|(machine, _)| machine.clone()).collect()
    }
}
