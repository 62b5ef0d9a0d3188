//! One result file: the head, and a row for each benchmark and metric.

use std::collections::BTreeMap;
use std::path::Path;

use tacho_model::{Benchmark, Outcome, Run, Subject, Timestamp};

use super::columns::{COLUMNS, Frame, row};
use super::json::Json;
use super::{AsvRun, Owner, machine_file, names};
use crate::StoreError;
use crate::asv_results::document;
use crate::asv_results::exported::{BenchmarkMetric, Exported, KEY};
use crate::digest::sha256_hex;

/// More cases than any suite has: a list so long is nothing that asv could show.
const MOST_CASES: usize = 1 << 22;

/// asv puts a digest in the place of a name from this length on.
const TOO_LONG: usize = 128;

/// A result file that is about to be written.
#[derive(Debug)]
pub(super) struct ResultFile {
    hash: String,
    label: String,
    axes_digest: String,
    /// Everything but the environment's name, in asv's order.
    head: Vec<(String, Json)>,
    rows: Vec<(String, Json)>,
    exported: Json,
}

impl ResultFile {
    pub(super) fn of(of: &AsvRun<'_>) -> Result<ResultFile, StoreError> {
        let provenance = &of.run.provenance;
        let Subject::Commit { hash, date } = &provenance.subject else {
            let what =
                format!("a run of a {} as a result of asv's, which knows commits only", provenance.subject.kind());
            return Err(StoreError::Refused { what });
        };
        let date = date.unwrap_or(provenance.started_at);
        let exported = exported(of);
        let value = serde_json::to_value(&exported).map_err(refused)?;
        let axes = serde_json::to_string(&exported.axes).map_err(refused)?;
        Ok(ResultFile {
            hash: hash.clone(),
            label: file_safe(&provenance.environment.label),
            axes_digest: sha256_hex(axes.as_bytes())[..8].to_owned(),
            head: head(of.run, hash, date),
            rows: rows(of)?,
            exported: value.into(),
        })
    }

    /// Returns the environment's name: the label, and what to take where another environment has that.
    pub(super) fn environments(&self) -> [String; 2] {
        [self.label.clone(), format!("{}-{}", self.label, self.axes_digest)]
    }

    /// Returns the file's name.
    pub(super) fn name(&self, environment: &str) -> String {
        // asv takes everything before the first hyphen for the commit.
        let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let commit: String = self.hash.chars().take(8).map(safe).collect();
        if environment.len() < TOO_LONG {
            return format!("{commit}-{environment}.json");
        }
        format!("{commit}-env-{}.json", &sha256_hex(environment.as_bytes())[..32])
    }

    /// Returns the file's bytes.
    pub(super) fn bytes(self, environment: &str) -> Vec<u8> {
        let mut entries = self.head;
        entries.insert(1, ("env_name".to_owned(), Json::text(environment)));
        let columns = COLUMNS.iter().map(|name| Json::text(name)).collect();
        entries.push(("result_columns".to_owned(), Json::List(columns)));
        // What tells where results come from stands before them, so that nobody has to read them to know it.
        entries.push((KEY.to_owned(), self.exported));
        entries.push(("results".to_owned(), Json::Object(self.rows)));
        entries.push(("version".to_owned(), Json::Integer(2)));
        let mut text = String::new();
        Json::Object(entries).write(&mut text);
        text.into_bytes()
    }
}

/// Returns whose the file is.
pub(super) fn owner(path: &Path) -> Owner {
    match document::read_head(path) {
        Ok(found) if found.head.exported.is_some() => Owner::Ours,
        Err(error) if error.is_not_found() => Owner::Nobody,
        _ => Owner::SomebodyElse,
    }
}

/// Returns what asv calls metric `n` of a benchmark: the first has the benchmark's name.
pub(super) fn exported_name(benchmark: &Benchmark, n: usize) -> String {
    match n {
        0 => benchmark.name.clone(),
        _ => format!("{}@{}", benchmark.name, benchmark.metrics[n].name),
    }
}

fn refused(error: serde_json::Error) -> StoreError {
    StoreError::Refused { what: format!("a result of asv's: {error}") }
}

/// Axes as asv has them.
#[derive(Default)]
struct Axes {
    python: String,
    requirements: Vec<(String, Json)>,
    variables: Vec<(String, Json)>,
    /// Those that asv has no word for. Among the params they part its graphs, as they shall.
    others: Vec<(String, Json)>,
}

fn axes(run: &Run) -> Axes {
    let environment = &run.provenance.environment;
    let mut axes = Axes::default();
    for (name, value) in &environment.axes {
        let text = Json::text(value);
        if name == "python" {
            axes.python.clone_from(value);
        } else if let Some(package) = name.strip_prefix("req.") {
            axes.requirements.push((package.to_owned(), text));
        } else if let Some(variable) = name.strip_prefix("env.") {
            axes.variables.push((variable.to_owned(), text));
        } else {
            axes.others.push((name.clone(), text));
        }
    }
    if axes.python.is_empty() {
        axes.python = major_minor(&environment.interpreter);
    }
    axes
}

/// `CPython 3.11.7` is 3.11.
fn major_minor(interpreter: &str) -> String {
    let version = interpreter.rsplit(' ').next().unwrap_or_default();
    version.splitn(3, '.').take(2).collect::<Vec<&str>>().join(".")
}

fn head(run: &Run, hash: &str, date: Timestamp) -> Vec<(String, Json)> {
    let Axes { python, requirements, variables, others } = axes(run);
    let machine = &run.provenance.machine;
    let facts = machine_file::facts(machine).map(|(name, value)| (name, Json::from(value)));
    // Later ones win, as nothing may take the machine's name away.
    let mut params: BTreeMap<String, Json> = requirements.iter().cloned().chain(others).chain(facts).collect();
    params.insert("machine".into(), Json::text(&machine.name));
    params.insert("python".into(), Json::text(&python));
    let build_s = run.provenance.build.as_ref().map(|build| build.duration_ns as f64 / 1e9);
    let durations = build_s.map(|seconds| ("<build>".to_owned(), Json::Float(seconds)));
    let entries = [
        ("commit_hash", Json::text(hash)),
        ("date", Json::Integer(date.unix_us / 1000)),
        ("params", Json::Object(params.into_iter().collect())),
        ("python", Json::Text(python)),
        ("requirements", Json::Object(requirements)),
        ("env_vars", Json::Object(variables)),
        ("durations", Json::Object(durations.into_iter().collect())),
    ];
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn rows(of: &AsvRun<'_>) -> Result<Vec<(String, Json)>, StoreError> {
    let mut by_metric: BTreeMap<(&str, &str), Vec<&Outcome>> = BTreeMap::new();
    for outcome in of.outcomes {
        by_metric.entry((&outcome.case.benchmark, &outcome.metric.name)).or_default().push(outcome);
    }
    let starts = starts(of.run);
    let mut rows = BTreeMap::new();
    for benchmark in of.run.planned.iter().map(|planned| &planned.benchmark) {
        let parameters: Vec<&[String]> = benchmark.parameters.iter().map(|axis| axis.texts.as_slice()).collect();
        let n_cases = parameters.iter().fold(1_usize, |n, texts| n.saturating_mul(texts.len()));
        if n_cases > MOST_CASES {
            let what = format!("the {n_cases} cases of `{}` as a result of asv's", benchmark.name);
            return Err(StoreError::Refused { what });
        }
        for (n, metric) in benchmark.metrics.iter().enumerate() {
            let outcomes = by_metric.remove(&(benchmark.name.as_str(), metric.name.as_str())).unwrap_or_default();
            let duration_ns = (n == 0).then(|| outcomes.iter().map(|outcome| outcome.duration_ns).sum());
            let started_at = starts.get(benchmark.name.as_str()).copied();
            let (version, parameters) = (benchmark.version.as_str(), parameters.clone());
            let frame = Frame { version, parameters, n_cases, started_at, duration_ns };
            rows.insert(exported_name(benchmark, n), row(&frame, &outcomes));
        }
    }
    Ok(rows.into_iter().collect())
}

fn starts(run: &Run) -> BTreeMap<&str, Timestamp> {
    let mut starts: BTreeMap<&str, Timestamp> = BTreeMap::new();
    for round in &run.rounds {
        let start = starts.entry(&round.benchmark).or_insert(round.started_at);
        *start = (*start).min(round.started_at);
    }
    starts
}

fn exported(of: &AsvRun<'_>) -> Exported {
    let provenance = &of.run.provenance;
    let (mut metrics, mut methods) = (BTreeMap::new(), BTreeMap::new());
    let mut other_methods: BTreeMap<(&str, &str), &String> = BTreeMap::new();
    for outcome in of.outcomes {
        let key = (outcome.case.benchmark.as_str(), outcome.metric.name.as_str());
        let other = outcome.method.as_ref().filter(|method| **method != provenance.method);
        other_methods.extend(other.map(|method| (key, method)));
    }
    for benchmark in of.run.planned.iter().map(|planned| &planned.benchmark) {
        for (n, metric) in benchmark.metrics.iter().enumerate() {
            if let Some(method) = other_methods.get(&(benchmark.name.as_str(), metric.name.as_str())) {
                methods.insert(exported_name(benchmark, n), (*method).clone());
            }
            if n > 0 || metric.name != benchmark.kind.metric_name() {
                let told = BenchmarkMetric { benchmark: benchmark.name.clone(), metric: metric.name.clone() };
                metrics.insert(exported_name(benchmark, n), told);
            }
        }
    }
    Exported {
        records: names(of.records),
        axes: provenance.environment.axes.clone(),
        method: provenance.method.clone(),
        runner: provenance.runner.clone(),
        tool_version: provenance.tool_version.clone(),
        metrics,
        methods,
    }
}

/// asv's rule for names of files, and the backslash, control characters and an empty name beyond it.
fn file_safe(text: &str) -> String {
    let is_unsafe = |c: char| c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '^' | '|' | '?' | '*');
    let safe: String = text.chars().map(|c| if is_unsafe(c) { '_' } else { c }).collect();
    if safe.is_empty() { "unnamed".to_owned() } else { safe }
}
