//! `tacho.site/1`: what the page shows first. Names and values that many share stand once, and are meant by their index.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tacho_model::{Case, Change, ChangeGroup, SeriesKey, Value};

use super::analysis::less_1;
use super::subjects::name;
use super::{Site, SiteBenchmark, SiteMachine, SiteSeries};
use crate::json::{compact, finite, verdict};
use crate::rfc3339;

pub(super) const SCHEMA: &str = "tacho.site/1";

/// Values in order, each once, and where each stands.
struct Listed<T> {
    places: BTreeMap<T, usize>,
}

impl<T: Ord + Copy> Listed<T> {
    fn of(values: impl Iterator<Item = T>) -> Listed<T> {
        let values: BTreeSet<T> = values.collect();
        Listed { places: values.into_iter().zip(0..).collect() }
    }

    fn place(&self, value: T) -> usize {
        self.places.get(&value).copied().unwrap_or_default()
    }

    fn values(&self) -> Vec<T> {
        self.places.keys().copied().collect()
    }
}

/// What the indices of a document mean.
struct Lists<'a> {
    machines: Listed<&'a str>,
    metrics: Listed<&'a str>,
    environments: Listed<&'a BTreeMap<String, String>>,
    /// The benchmark of each series by the series' number.
    benchmarks: BTreeMap<u64, usize>,
    /// The number of each series by what it is of.
    numbers: BTreeMap<&'a SeriesKey, u64>,
}

#[derive(Serialize)]
struct Document<'a> {
    tool_version: &'a str,
    project: ProjectTwin<'a>,
    n_series: usize,
    n_points: usize,
    n_subjects: usize,
    newest: Option<NewestTwin>,
    machines: Vec<MachineTwin<'a>>,
    axes: BTreeMap<&'a str, BTreeSet<&'a str>>,
    metrics: Vec<MetricTwin<'a>>,
    environments: Vec<&'a BTreeMap<String, String>>,
    benchmarks: Vec<BenchmarkTwin<'a>>,
    groups: Vec<GroupTwin<'a>>,
}

#[derive(Serialize)]
struct ProjectTwin<'a> {
    name: &'a str,
    url: Option<&'a str>,
    commit_url: Option<&'a str>,
    range_url: Option<&'a str>,
}

#[derive(Serialize)]
struct NewestTwin {
    position: u64,
    subject: String,
    short: String,
    time: Option<String>,
}

#[derive(Serialize)]
struct MachineTwin<'a> {
    name: &'a str,
    last_run: Option<String>,
    last_position: u64,
    n_series: usize,
    n_points: usize,
    is_stale: bool,
    facts: Option<&'a BTreeMap<String, String>>,
    facts_history: Vec<FactsTwin<'a>>,
}

#[derive(Serialize)]
struct FactsTwin<'a> {
    position: u64,
    facts: &'a BTreeMap<String, String>,
}

#[derive(Serialize)]
struct MetricTwin<'a> {
    name: &'a str,
    unit: &'a str,
    label: String,
}

#[derive(Serialize)]
struct BenchmarkTwin<'a> {
    name: &'a str,
    label: &'a str,
    group: Vec<&'a str>,
    /// None yet: nothing declares any.
    tags: [&'a str; 0],
    parameters: Vec<ParameterTwin<'a>>,
    metrics: Vec<&'a str>,
    unit: &'a str,
    direction: &'static str,
    file: u64,
    first_row: u64,
    n_rows: u64,
    csv: String,
    series: Vec<SeriesTwin<'a>>,
}

#[derive(Serialize)]
struct ParameterTwin<'a> {
    name: &'a str,
    values: Vec<&'a str>,
}

#[derive(Serialize)]
struct SeriesTwin<'a> {
    id: u64,
    parameters: Vec<usize>,
    metric: usize,
    machine: usize,
    environment: usize,
    last: Option<f64>,
    last_position: Option<u64>,
    month_ago: Option<f64>,
    state: &'static str,
    spark: &'a [Option<f64>],
}

#[derive(Serialize)]
struct GroupTwin<'a> {
    from: Option<String>,
    to: String,
    position: u64,
    time: Option<String>,
    title: Option<&'a str>,
    n_candidates: Option<usize>,
    machine_events: &'a [String],
    changes: Vec<ChangeTwin>,
}

#[derive(Serialize)]
struct ChangeTwin {
    benchmark: usize,
    series: u64,
    effect: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    verdict: Option<&'static str>,
    state: &'static str,
    before: Option<f64>,
    after: Option<f64>,
    first: u64,
    last: u64,
}

/// Returns the document.
pub(super) fn site(site: &Site) -> String {
    let Site { project, project_url, commit_url, range_url, tool_version, subjects, machines, benchmarks, changes } =
        site;
    let lists = Lists {
        machines: Listed::of(machines.iter().map(|machine| machine.name.as_str())),
        metrics: Listed::of(site.metrics().into_keys()),
        environments: Listed::of(site.series().map(|(_, series)| &series.key.axes)),
        benchmarks: site.series().map(|(at, series)| (series.id, at)).collect(),
        numbers: site.series().map(|(_, series)| (&series.key, series.id)).collect(),
    };
    let document = Document {
        tool_version,
        project: ProjectTwin {
            name: project,
            url: project_url.as_deref(),
            commit_url: commit_url.as_deref(),
            range_url: range_url.as_deref(),
        },
        n_series: changes.n_series,
        n_points: changes.n_points,
        n_subjects: subjects.len(),
        newest: newest(site),
        machines: machines.iter().map(machine).collect(),
        axes: axes(site),
        metrics: metrics(site),
        environments: lists.environments.values(),
        benchmarks: benchmarks.iter().map(|one| benchmark(one, &lists)).collect(),
        groups: changes.groups.iter().map(|one| group(one, &lists)).collect(),
    };
    compact(SCHEMA, document)
}

fn newest(site: &Site) -> Option<NewestTwin> {
    let (position, newest) = site.newest()?;
    let subject = &newest.subject;
    Some(NewestTwin {
        position,
        subject: name(subject),
        short: subject.short(),
        time: subject.date().and_then(rfc3339),
    })
}

fn machine(machine: &SiteMachine) -> MachineTwin<'_> {
    let SiteMachine { name, last_run, last_position, n_series, n_points, is_stale, facts } = machine;
    MachineTwin {
        name,
        last_run: rfc3339(*last_run),
        last_position: *last_position,
        n_series: *n_series,
        n_points: *n_points,
        is_stale: *is_stale,
        facts: facts.last().map(|(_, facts)| facts),
        facts_history: facts.iter().map(|(position, facts)| FactsTwin { position: *position, facts }).collect(),
    }
}

fn axes(site: &Site) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut axes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, value) in site.series().flat_map(|(_, series)| &series.key.axes) {
        axes.entry(name).or_default().insert(value);
    }
    axes
}

fn metrics(site: &Site) -> Vec<MetricTwin<'_>> {
    let all = site.metrics().into_iter();
    all.map(|(name, metric)| MetricTwin { name, unit: &metric.unit, label: metric_label(name) }).collect()
}

/// What a metric is called where nobody has named it otherwise.
fn metric_label(name: &str) -> String {
    match name {
        "time" => "execution time".to_owned(),
        name => name.replace('_', " "),
    }
}

fn benchmark<'a>(benchmark: &'a SiteBenchmark, lists: &Lists<'a>) -> BenchmarkTwin<'a> {
    let SiteBenchmark { name, rows, series } = benchmark;
    let cases: Vec<&Case> = series.iter().map(|one| &one.key.case).collect();
    let parameters = parameters(&cases);
    let metric = series.first().map(|one| &one.key.metric);
    let parts: Vec<&str> = name.split('.').collect();
    BenchmarkTwin {
        name,
        label: name,
        group: parts[..parts.len() - 1].to_vec(),
        tags: [],
        metrics: Listed::of(series.iter().map(|one| one.key.metric.name.as_str())).values(),
        unit: metric.map_or("", |metric| &metric.unit),
        direction: metric.map_or("none", |metric| metric.direction.word()),
        file: rows.file,
        first_row: rows.first_row,
        n_rows: rows.n_rows,
        csv: csv_path(name),
        series: series.iter().map(|one| series_twin(one, &parameters, lists)).collect(),
        parameters,
    }
}

/// Returns each parameter with its values: numbers in their order before texts in the order in which they come.
fn parameters<'a>(cases: &[&'a Case]) -> Vec<ParameterTwin<'a>> {
    let n = cases.iter().map(|case| case.parameters.len()).max().unwrap_or_default();
    let of_place = |at: usize| {
        let mut values: Vec<&str> = Vec::new();
        for parameter in cases.iter().filter_map(|case| case.parameters.get(at)) {
            if !values.contains(&parameter.text.as_str()) {
                values.push(&parameter.text);
            }
        }
        values.sort_by(|a, b| match (Value::of_literal(a), Value::of_literal(b)) {
            (Value::Number(a), Value::Number(b)) => a.total_cmp(&b),
            (Value::Number(_), Value::Text(_)) => std::cmp::Ordering::Less,
            (Value::Text(_), Value::Number(_)) => std::cmp::Ordering::Greater,
            (Value::Text(_), Value::Text(_)) => std::cmp::Ordering::Equal,
        });
        let name = cases.iter().find_map(|case| case.parameters.get(at)).map_or("", |parameter| &parameter.name);
        ParameterTwin { name, values }
    };
    (0..n).map(of_place).collect()
}

fn series_twin<'a>(series: &'a SiteSeries, parameters: &[ParameterTwin<'a>], lists: &Lists<'a>) -> SeriesTwin<'a> {
    let SeriesKey { case, metric, machine, axes } = &series.key;
    let place = |(of, parameter): (&ParameterTwin<'a>, &tacho_model::Parameter)| {
        of.values.iter().position(|value| *value == parameter.text).unwrap_or_default()
    };
    SeriesTwin {
        id: series.id,
        parameters: parameters.iter().zip(&case.parameters).map(place).collect(),
        metric: lists.metrics.place(&metric.name),
        machine: lists.machines.place(machine),
        environment: lists.environments.place(axes),
        last: finite(series.last.map(|(_, value)| value)),
        last_position: series.last.map(|(position, _)| position),
        month_ago: finite(series.month_ago),
        state: series.state.word(),
        spark: &series.spark,
    }
}

fn group<'a>(group: &'a ChangeGroup, lists: &Lists<'a>) -> GroupTwin<'a> {
    GroupTwin {
        from: group.innocent().map(name),
        to: name(group.latest()),
        position: group.range().1,
        time: group.latest().date().and_then(rfc3339),
        title: group.title.as_deref(),
        n_candidates: group.n_candidates,
        machine_events: &group.moved_as_one,
        changes: group.changes.iter().filter_map(|change| change_twin(change, lists)).collect(),
    }
}

fn change_twin(change: &Change, lists: &Lists<'_>) -> Option<ChangeTwin> {
    let series = *lists.numbers.get(&change.series)?;
    let (effect, lower, upper) = less_1(change.effect);
    Some(ChangeTwin {
        benchmark: *lists.benchmarks.get(&series)?,
        series,
        effect,
        lower,
        upper,
        verdict: verdict(change.is_worse),
        state: change.state.word(),
        before: finite(Some(change.levels.0)),
        after: finite(Some(change.levels.1)),
        first: change.range.0,
        last: change.range.1,
    })
}

/// Returns the path of a benchmark's CSV file.
pub(super) fn csv_path(benchmark: &str) -> String {
    format!("data/csv/{}.csv.gz", file_stem(benchmark))
}

/// Returns the name of a benchmark's file without its ending: letters, digits, dots, dashes and underscores as they are, and for a name that has
/// others, or is long, what tells it apart from others.
pub(super) fn file_stem(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let plain: String = name.chars().take(MOST_STEM).map(|c| if is_plain(c) { c } else { '_' }).collect();
    match plain == name && !name.starts_with('.') && !name.is_empty() {
        true => plain,
        false => format!("_{plain}-{:016x}", fnv(name)),
    }
}

/// The longest beginning of a name that a file is called by.
const MOST_STEM: usize = 150;

/// FNV-1a: G. Fowler, L. C. Noll and K.-P. Vo. The same for ever, and only for telling names apart.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
