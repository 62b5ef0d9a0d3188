//! `benchmarks.json`: of each benchmark the newest definition, in asv's words.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use tacho_model::{Benchmark, Direction, Kind, Metric, Planned, Timestamp};

use super::Owner;
use super::machine_file::pretty;
use super::result_file::exported_name;
use crate::StoreError;
use crate::asv_results::exported::KEY;
use crate::asv_results::python_json;

/// Definitions by their names in asv's files.
#[derive(Debug, Default)]
pub(super) struct BenchmarksFile {
    entries: BTreeMap<String, (Timestamp, Value)>,
}

impl BenchmarksFile {
    /// Takes the definitions of a run in, where they are newer than those that are known.
    pub(super) fn add(&mut self, planned: &[Planned], at: Timestamp) {
        for benchmark in planned.iter().map(|planned| &planned.benchmark) {
            for (n, metric) in benchmark.metrics.iter().enumerate() {
                let name = exported_name(benchmark, n);
                if self.entries.get(&name).is_none_or(|(known_at, _)| *known_at <= at) {
                    self.entries.insert(name.clone(), (at, entry(benchmark, metric, &name, n == 0)));
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the file's bytes: these definitions over those that are there.
    pub(super) fn over(self, there: Map<String, Value>) -> Result<Vec<u8>, StoreError> {
        let mut all: BTreeMap<String, Value> = there.into_iter().collect();
        all.extend(self.entries.into_iter().map(|(name, (_, entry))| (name, entry)));
        all.insert("version".into(), json!(2));
        pretty(&all)
    }

    /// Returns the benchmarks that a file lacks, or has in another version.
    pub(super) fn unlisted_in(&self, there: &Map<String, Value>) -> Vec<String> {
        let version = |entry: Option<&Value>| entry.and_then(|entry| entry.get("version")).cloned();
        let is_unlisted =
            |(name, (_, entry)): &(&String, &(Timestamp, Value))| version(there.get(*name)) != version(Some(entry));
        self.entries.iter().filter(is_unlisted).map(|(name, _)| name.clone()).collect()
    }
}

/// Returns the definitions that the file has; none where it is not there or not to be read.
pub(super) fn read(path: &Path) -> Map<String, Value> {
    let value = python_json::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut map: Map<String, Value> = value.unwrap_or_default();
    map.retain(|_, entry| entry.is_object());
    map
}

/// Returns whose the file is: somebody else's where one of its definitions is.
pub(super) fn owner(path: &Path) -> Owner {
    let entries = read(path);
    match path.exists() {
        false => Owner::Nobody,
        true if !entries.is_empty() && entries.values().all(|entry| entry.get(KEY).is_some()) => Owner::Ours,
        true => Owner::SomebodyElse,
    }
}

fn entry(benchmark: &Benchmark, metric: &Metric, name: &str, is_first: bool) -> Value {
    let mut entry = Map::new();
    // What the suite says for itself and for asv stands first, so that it can hide nothing.
    for (attribute, text) in benchmark.extra.iter().chain(&benchmark.settings.other) {
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()));
        entry.insert(attribute.clone(), value);
    }
    let parameters = &benchmark.parameters;
    let mut put = |name: &str, value: Value| drop(entry.insert(name.to_owned(), value));
    put("name", json!(name));
    put("type", json!(if is_first { type_of(benchmark.kind) } else { "track" }));
    put("unit", json!(metric.unit));
    put("version", json!(benchmark.version));
    put("code", json!(benchmark.code.as_deref().unwrap_or_default()));
    put("param_names", parameters.iter().map(|axis| json!(axis.name)).collect());
    put("params", parameters.iter().map(|axis| json!(axis.texts)).collect());
    put(KEY, json!({}));
    let optional = [
        ("timeout", benchmark.timeout_s.map(|seconds| json!(seconds))),
        ("rounds", benchmark.settings.rounds.map(|rounds| json!(rounds))),
        ("pretty_name", benchmark.pretty_name.as_ref().filter(|_| is_first).map(|pretty| json!(pretty))),
        ("setup_cache_key", benchmark.setup_cache.as_ref().map(|cache| json!(cache.key))),
        ("better", told(metric).map(|direction| json!(direction.word()))),
    ];
    for (name, value) in optional {
        value.into_iter().for_each(|value| put(name, value));
    }
    Value::Object(entry)
}

/// asv's word for a way of measuring.
fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Time | Kind::TimeRaw => "time",
        Kind::Memory => "memory",
        Kind::PeakMemory => "peakmemory",
        Kind::Track => "track",
    }
}

/// The direction, where neither the unit tells it nor anybody has to assume it.
fn told(metric: &Metric) -> Option<Direction> {
    let by_unit = Direction::of_unit(&metric.unit).unwrap_or(Direction::Lower);
    (!metric.direction_assumed && metric.direction != by_unit).then_some(metric.direction)
}
