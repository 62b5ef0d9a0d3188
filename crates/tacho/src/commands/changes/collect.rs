//! From a searched series to its changes, with what a reader has to know of each.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};
use tacho_judge::changes::{Step, of_size, steps};
use tacho_model::{Change, Direction, Drift, Effect, Environment, SeriesKey, Subject};
use tacho_query::{Cell, CellId};

use super::moved::moved_within;
use crate::searched::Searched;

/// What was measured, by its number in the index.
pub(crate) type Cells = HashMap<CellId, Cell>;

/// A series that has no point among so many of the newest subjects of its machine is measured no more.
const RECENT: usize = 10;

/// What one series gives.
pub(crate) struct Found {
    pub(crate) changes: Vec<Change>,
    /// Steps that are too small.
    pub(super) n_small: usize,
    pub(super) drift: Option<Drift>,
    pub(crate) n_points: usize,
    pub(super) n_events: usize,
    /// The positions of its first and last point.
    pub(super) span: Option<(u64, u64)>,
    pub(super) machine: String,
}

/// What makes changes of series.
pub(crate) struct Collector<'a> {
    project: &'a str,
    band: &'a (dyn Fn(&str) -> f64 + Sync),
    /// The position from which on a machine's subjects are its newest ones.
    recent: HashMap<&'a str, u64>,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(cells: &'a Cells, project: &'a str, band: &'a (dyn Fn(&str) -> f64 + Sync)) -> Collector<'a> {
        let mut positions: HashMap<&str, Vec<u64>> = HashMap::new();
        for cell in cells.values().filter(|cell| !cell.is_aside && !cell.quick) {
            positions.entry(&cell.machine).or_default().push(cell.position);
        }
        let newest = |mut positions: Vec<u64>| {
            positions.sort_unstable();
            positions.dedup();
            positions[positions.len().saturating_sub(RECENT)]
        };
        let recent = positions.into_iter().map(|(machine, positions)| (machine, newest(positions))).collect();
        Collector { project, band, recent }
    }

    pub(crate) fn of(&self, series: &Searched<'_>) -> Found {
        let Searched { key, points, history, events, .. } = series;
        let all = steps(points, history);
        let large = of_size(&all, (self.band)(&key.case.benchmark), key.metric.exact);
        let n_small = all.len() - large.iter().map(|step| step.n_steps).sum::<usize>();
        let last = points.last().map(|point| point.position);
        let is_alive = last >= self.recent.get(key.machine.as_str()).copied();
        let changes = large.iter().filter_map(|step| self.change(step, series, is_alive)).collect();
        Found {
            changes,
            n_small,
            drift: self.drift(series).filter(|_| is_alive),
            n_points: points.len(),
            n_events: events.len(),
            span: points.first().map(|point| point.position).zip(last),
            machine: key.machine.clone(),
        }
    }

    fn change(&self, step: &Step, series: &Searched<'_>, is_alive: bool) -> Option<Change> {
        let Searched { key, points, cells, .. } = series;
        let point = &step.point;
        let cell_at = |position: u64| {
            let at = points.binary_search_by_key(&position, |point| point.position).ok()?;
            Some(cells[at])
        };
        let (old, new) = (*cells.get(point.at.checked_sub(1)?)?, *cells.get(point.at)?);
        let innocent = point.earliest.checked_sub(1).and_then(cell_at);
        let latest = cell_at(point.latest).unwrap_or(new);
        Some(Change {
            id: id(key, &new.subject),
            series: (*key).clone(),
            previous: old.subject.clone(),
            first: new.subject.clone(),
            position: new.position,
            innocent: innocent.map(|cell| cell.subject.clone()),
            latest: latest.subject.clone(),
            range: (point.earliest, point.latest),
            effect: point.effect,
            levels: (step.before, step.after),
            is_worse: is_worse(key, step.is_up()),
            sigmas: point.sigmas,
            p: point.p,
            state: point.state,
            n_steps: step.n_steps,
            last_position: cells[step.last].position,
            outlook: step.outlook(is_alive),
            moved: moved_within((old, new), (innocent.unwrap_or(old), latest), self.project),
        })
    }

    /// Returns the line that the newest segment is, where it goes far enough.
    fn drift(&self, series: &Searched<'_>) -> Option<Drift> {
        let segment = series.history.segments.last()?;
        let effect = segment.drift?;
        let (is_up, size) = match effect {
            Effect::Ratio { value, .. } => (value > 1.0, value.max(1.0 / value) - 1.0),
            Effect::Difference { value, .. } => (value > 0.0, (value / segment.level).abs()),
        };
        let subject = |at: usize| series.cells[at].subject.clone();
        (size >= (self.band)(&series.key.case.benchmark)).then(|| Drift {
            series: series.key.clone(),
            from: subject(segment.first),
            to: subject(segment.last),
            effect,
            is_worse: is_worse(series.key, is_up),
        })
    }
}

fn is_worse(key: &SeriesKey, is_up: bool) -> Option<bool> {
    match key.metric.direction {
        Direction::Lower => Some(is_up),
        Direction::Higher => Some(!is_up),
        Direction::None => None,
    }
}

/// The digest that names a change: of its series and the subject with which the new level begins.
fn id(key: &SeriesKey, first: &Subject) -> String {
    let SeriesKey { case, metric, machine, axes } = key;
    let mut hasher = Sha256::new();
    let mut add = |text: &str| {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    };
    add(&case.benchmark);
    add(&case.parameters.len().to_string());
    case.parameters.iter().for_each(|parameter| add(&parameter.text));
    [&metric.name, machine, first.kind(), &first.id()].into_iter().for_each(&mut add);
    axes.iter().for_each(|(name, value)| [name, value].into_iter().for_each(|text| add(text)));
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the environments of each place, as far as they are told apart by name.
pub(super) fn environments(cells: &Cells) -> HashMap<(String, BTreeMap<String, String>), Vec<Environment>> {
    let mut found: HashMap<(String, BTreeMap<String, String>), Vec<Environment>> = HashMap::new();
    for cell in cells.values() {
        let environment = Environment {
            label: cell.environment_label.clone(),
            tool: cell.setup.get("environment").cloned().unwrap_or_default(),
            axes: cell.axes.clone(),
            ..Environment::default()
        };
        let known = found.entry((cell.machine.clone(), cell.axes.clone())).or_default();
        if !known.contains(&environment) {
            known.push(environment);
        }
    }
    found
}
