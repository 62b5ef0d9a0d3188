//! From the index to what a site shows.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use tacho_model::{State, Subject};
use tacho_query::{Cell, CellId, HistoryReader, ResultsExport, SeriesEntry};
use tacho_report::site::{Site, SiteBenchmark, SiteRows, SiteSeries, SiteSubject, spark};

use super::{addresses, machines};
use crate::commands::changes::{Collector, Found, usually_listed};
use crate::error::Result;
use crate::history_index::with_way_out;
use crate::mainline::Mainline;
use crate::searched::{self, Detector, Searched};
use crate::settings::Settings;

/// A month, in microseconds.
const MONTH_US: i64 = 30 * 86_400 * 1_000_000;

/// What one series gives.
struct Gathered {
    series: SiteSeries,
    found: Found,
}

/// Gathers the site, but for where rows are.
pub(super) fn site(
    index: &Path,
    reader: &HistoryReader,
    export: &ResultsExport,
    settings: &Settings,
    mainline: &Mainline,
) -> Result<Site> {
    let told = |error: tacho_query::QueryError| with_way_out(error.into());
    let (entries, cells) = (reader.series().map_err(told)?, reader.cells().map_err(told)?);
    let states = reader.newest_states().map_err(told)?;
    let numbers: HashMap<i64, u64> = export.series().map(|series| series.id).zip(0..).collect();
    let subjects = subjects(&cells, mainline);
    let band = |benchmark: &str| settings.band(benchmark);
    let any = |_: &str| 0.0;
    let project = &settings.project.value;
    let (listing, all) = (Collector::new(&cells, project, &band), Collector::new(&cells, project, &any));
    let view = View { subjects: &subjects, month_ago: month_ago(&subjects) };
    let chosen: Vec<&SeriesEntry> = entries.iter().collect();
    let gathered = searched::each(index, &chosen, &cells, Detector::Own, |series| Gathered {
        series: view.series(&series, all.of(&series)),
        found: listing.of(&series),
    })?;
    let n_points: Vec<usize> = gathered.iter().map(|one| one.found.n_points).collect();
    let (mut series, found): (Vec<SiteSeries>, Vec<Found>) =
        gathered.into_iter().map(|one| (one.series, one.found)).unzip();
    for (one, entry) in series.iter_mut().zip(&entries) {
        one.id = numbers.get(&entry.id).copied().unwrap_or(u64::MAX);
        one.state = states.get(&entry.id).copied().unwrap_or(State::NotRun);
    }
    let changes = usually_listed(found, mainline);
    let counted: Vec<(&SiteSeries, usize)> = series.iter().zip(n_points).collect();
    let machines = machines::machines(&cells, &counted);
    let (project_url, commit_url, range_url) = addresses(settings);
    Ok(Site {
        project: project.clone(),
        project_url,
        commit_url,
        range_url,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        subjects,
        machines,
        benchmarks: benchmarks(series),
        changes,
    })
}

/// Returns the subjects by position, with what the repository says of them.
fn subjects(cells: &HashMap<CellId, Cell>, mainline: &Mainline) -> Vec<SiteSubject> {
    let by_position: BTreeMap<u64, &Subject> = cells.values().map(|cell| (cell.position, &cell.subject)).collect();
    let hashes: Vec<String> =
        by_position.values().filter(|subject| subject.kind() == "commit").map(|subject| subject.id()).collect();
    let titles = mainline.titles(&hashes);
    let subject = |subject: &&Subject| SiteSubject {
        subject: (*subject).clone(),
        title: titles.get(&subject.id()).cloned(),
        tags: vec![],
    };
    by_position.values().map(subject).collect()
}

/// Returns a month before the newest subject that has a date.
fn month_ago(subjects: &[SiteSubject]) -> Option<i64> {
    subjects.iter().rev().find_map(|one| one.subject.date()).map(|newest| newest.unix_us - MONTH_US)
}

/// What series are seen in.
struct View<'a> {
    subjects: &'a [SiteSubject],
    month_ago: Option<i64>,
}

impl View<'_> {
    fn series(&self, searched: &Searched<'_>, found: Found) -> SiteSeries {
        let Searched { key, points, history, events, .. } = searched;
        let position = |at: usize| points[at].position;
        let values: Vec<(u64, f64)> = points.iter().map(|point| (point.position, point.value)).collect();
        SiteSeries {
            id: 0,
            key: (*key).clone(),
            last: values.last().copied(),
            month_ago: self.level_a_month_ago(searched),
            state: State::NotRun,
            spark: spark(&values, self.subjects.len() as u64),
            levels: history
                .segments
                .iter()
                .map(|segment| (position(segment.first), position(segment.last), segment.level, segment.drift))
                .collect(),
            changes: found.changes,
            events: events.iter().map(|event| (position(event.at), event.fields.clone())).collect(),
            spikes: history.spikes.iter().flat_map(|spike| position(spike.first)..=position(spike.last)).collect(),
        }
    }

    /// Returns the level at the last point that is a month old.
    fn level_a_month_ago(&self, searched: &Searched<'_>) -> Option<f64> {
        let then = self.month_ago?;
        let at =
            searched.cells.iter().rposition(|cell| cell.subject.date().is_some_and(|time| time.unix_us <= then))?;
        let segment = searched.history.segments.iter().rfind(|segment| segment.first <= at)?;
        Some(segment.level)
    }
}

fn benchmarks(series: Vec<SiteSeries>) -> Vec<SiteBenchmark> {
    let mut benchmarks: Vec<SiteBenchmark> = Vec::new();
    for one in series {
        let name = &one.key.case.benchmark;
        match benchmarks.last_mut().filter(|last| last.name == *name) {
            Some(last) => last.series.push(one),
            None => benchmarks.push(SiteBenchmark { name: name.clone(), rows: SiteRows::default(), series: vec![one] }),
        }
    }
    benchmarks
}
