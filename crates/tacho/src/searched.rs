//! Series out of the index, searched for changes, as many at a time as the machine has processors.

use std::collections::{HashMap, HashSet};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tacho_judge::changes::{self, History, Kind, Options, Point};
use tacho_model::{ChangePoint, ChangeState, Effect, Event, Segment, SeriesKey};
use tacho_query::{Cell, CellId, Definition, HistoryReader, QueryError, SeriesEntry, StoredPoint, StoredSeries};

use crate::error::Result;

/// What searches a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detector {
    Own,
    /// asv's step detection.
    Asv,
}

/// A series in the order of history, with what was found in it.
pub(crate) struct Searched<'a> {
    pub(crate) key: &'a SeriesKey,
    /// What each point is of.
    pub(crate) cells: Vec<&'a Cell>,
    pub(crate) points: Vec<Point>,
    pub(crate) events: Vec<Event>,
    pub(crate) history: History,
}

/// A cell whose points count, with what of its machine decides whether they may be held against others.
#[derive(Debug, Clone, Copy)]
struct Seen<'a> {
    cell: &'a Cell,
    cpu: Option<&'a str>,
    num_cpu: Option<&'a str>,
}

/// Returns the cells whose points count. Equal facts are the same text, which is told apart from others at a glance.
fn seen(cells: &HashMap<CellId, Cell>) -> HashMap<CellId, Seen<'_>> {
    let mut seen = HashMap::with_capacity(cells.len());
    let mut texts: HashSet<&str> = HashSet::new();
    for (id, cell) in cells.iter().filter(|(_, cell)| !cell.is_aside && !cell.quick) {
        let [cpu, num_cpu] = ["cpu", "num_cpu"].map(|name| {
            let text = cell.machine_facts.get(name).map(|text| text.trim()).filter(|text| !text.is_empty())?;
            texts.insert(text);
            texts.get(text).copied()
        });
        seen.insert(*id, Seen { cell, cpu, num_cpu });
    }
    seen
}

/// Searches series, and returns what `each` makes of them, in their order. Quick looks and commits beside the first-parent line
/// are no points.
pub(crate) fn each<T: Send>(
    index: &Path,
    series: &[&SeriesEntry],
    cells: &HashMap<CellId, Cell>,
    detector: Detector,
    each: impl Fn(Searched<'_>) -> T + Sync,
) -> Result<Vec<T>> {
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(series.len()).max(1);
    let seen = seen(cells);
    let next = AtomicUsize::new(0);
    let search = || {
        let (reader, mut done) = (HistoryReader::open(index)?, Vec::new());
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = series.get(at) else { return Ok(done) };
            done.push((at, each(searched(&entry.key, reader.points(entry.id)?, &seen, detector))));
        }
    };
    // Whoever fails takes what is left away from the others.
    let work = || search().inspect_err(|_: &QueryError| next.store(series.len(), Ordering::Relaxed));
    let parts: Vec<std::result::Result<Vec<(usize, T)>, QueryError>> = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let joined = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        std::iter::once(own).chain(joined).collect()
    });
    let mut done = Vec::with_capacity(series.len());
    for part in parts {
        done.extend(part?);
    }
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

fn searched<'a>(
    key: &'a SeriesKey,
    stored: StoredSeries,
    seen: &HashMap<CellId, Seen<'a>>,
    detector: Detector,
) -> Searched<'a> {
    let StoredSeries { definitions, points } = stored;
    let mut placed: Vec<(Seen<'a>, StoredPoint)> =
        points.into_iter().filter_map(|point| Some((*seen.get(&point.cell)?, point))).collect();
    placed.sort_by_key(|(seen, _)| seen.cell.position);
    let kinds: Vec<Kind<'_>> = placed.iter().map(|(seen, point)| kind(*seen, &definitions[point.definition])).collect();
    let events = changes::events(&kinds);
    let mut points: Vec<Point> = placed
        .iter()
        .map(|(seen, point)| Point { position: seen.cell.position, value: point.value, is_cut: false })
        .collect();
    events.iter().for_each(|event| points[event.at].is_cut = true);
    let history = match detector {
        Detector::Own => changes::change_points(&points, &Options { is_exact: key.metric.exact, ..Options::default() }),
        Detector::Asv => asv_history(&points),
    };
    Searched { key, cells: placed.into_iter().map(|(seen, _)| seen.cell).collect(), points, events, history }
}

fn kind<'a>(seen: Seen<'a>, definition: &'a Definition) -> Kind<'a> {
    let Definition { unit, version, method } = definition;
    let Seen { cpu, num_cpu, .. } = seen;
    Kind { version: version.as_deref(), unit: Some(unit), method: method.as_deref(), cpu, num_cpu }
}

/// What asv's steps say, stretch by stretch: it knows levels, and neither doubt nor intervals.
fn asv_history(points: &[Point]) -> History {
    let mut history = History::default();
    let mut first = 0;
    for stretch in points.chunk_by(|_, next| !next.is_cut) {
        let values: Vec<Option<f64>> = stretch.iter().map(|point| Some(point.value)).collect();
        let steps = tacho_judge::asv_steps(&values, &[]);
        for pair in steps.windows(2) {
            let (before, after) = (pair[0].level, pair[1].level);
            let effect = match before > 0.0 && after > 0.0 {
                true => Effect::Ratio { value: after / before, interval: None },
                false => Effect::Difference { value: after - before, interval: None },
            };
            let at = first + pair[1].first;
            let earliest = points[first + pair[0].end - 1].position + 1;
            let latest = points[at].position;
            let state = ChangeState::Confirmed;
            history.change_points.push(ChangePoint { at, earliest, latest, effect, sigmas: None, p: 0.0, state });
        }
        let segment = |step: &tacho_judge::Step| Segment {
            first: first + step.first,
            last: first + step.end - 1,
            level: step.level,
            drift: None,
        };
        history.segments.extend(steps.iter().map(segment));
        first += stretch.len();
    }
    history
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asvs_steps_are_told_like_ours() {
        let levels = [(30, 1.0), (30, 2.0), (30, 4.0)];
        let values = levels.iter().flat_map(|(n, level)| std::iter::repeat_n(*level, *n));
        let point = |(position, value): (u64, f64)| Point { position, value, is_cut: position == 60 };
        let history = asv_history(&(0..).zip(values).map(point).collect::<Vec<_>>());
        let found: Vec<_> =
            history.change_points.iter().map(|point| (point.at, point.earliest, point.effect)).collect();
        assert_eq!(found, [(30, 30, Effect::Ratio { value: 2.0, interval: None })]);
        let levels: Vec<_> =
            history.segments.iter().map(|segment| (segment.first, segment.last, segment.level)).collect();
        assert_eq!(levels, [(0, 29, 1.0), (30, 59, 2.0), (60, 89, 4.0)]);
    }
}
