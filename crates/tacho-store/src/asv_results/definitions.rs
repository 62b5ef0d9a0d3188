//! `benchmarks.json`: what the newest suite says of its benchmarks.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};
use tacho_model::{Direction, Kind, Metric};

use super::python_json;
use crate::StoreError;

const KIND: &str = "list of benchmarks of asv";

/// What is known of benchmarks beside their results.
#[derive(Debug, Clone, Default)]
pub(super) struct Definitions {
    by_name: BTreeMap<String, Definition>,
}

#[derive(Debug, Clone, Default)]
struct Definition {
    kind: Option<Kind>,
    unit: Option<String>,
    parameter_names: Vec<String>,
    better: Option<Direction>,
}

impl Definitions {
    /// Reads the file.
    pub(super) fn read(path: &Path) -> Result<Definitions, StoreError> {
        let bytes = python_json::read(path)?;
        let bad = |source| StoreError::BadJson { path: path.to_owned(), source };
        let value: Value = serde_json::from_slice(&bytes).map_err(bad)?;
        let foreign = |why: String| StoreError::NotOurs { path: path.to_owned(), kind: KIND, why };
        match value.get("version").map(|version| (version, version.as_u64())) {
            Some((_, Some(1 | 2))) => {}
            Some((_, Some(version))) if version > 2 => {
                let found = format!("version {version} of asv's list of benchmarks");
                return Err(StoreError::Newer { path: path.to_owned(), found, known: "version 2" });
            }
            Some((version, _)) => return Err(foreign(format!("its version is {version}"))),
            None => return Err(foreign("it has no `version`".to_owned())),
        }
        let Value::Object(entries) = value else { return Err(foreign("it is no object".to_owned())) };
        let definition = |(name, entry): (String, Value)| Some((name, Definition::of(entry.as_object()?)));
        Ok(Definitions { by_name: entries.into_iter().filter_map(definition).collect() })
    }

    /// Returns what the benchmark counts. A benchmark that is not defined is told by its name.
    pub(super) fn metric(&self, benchmark: &str) -> Metric {
        let definition = self.by_name.get(benchmark);
        let declared = definition.and_then(|definition| definition.kind);
        let kind = declared.or_else(|| kind_of_name(benchmark)).unwrap_or(Kind::Track);
        let unit = definition.and_then(|definition| definition.unit.as_deref()).unwrap_or(usual_unit(kind));
        Metric::new(kind.metric_name(), unit, definition.and_then(|definition| definition.better))
    }

    /// Returns the names of the benchmark's `n` parameters; as asv names those that have none.
    pub(super) fn parameter_names(&self, benchmark: &str, n: usize) -> Vec<String> {
        let known = self.by_name.get(benchmark).map(|definition| &definition.parameter_names);
        match known.filter(|names| names.len() == n) {
            Some(names) => names.clone(),
            None => (1..=n).map(|k| format!("param{k}")).collect(),
        }
    }
}

impl Definition {
    fn of(entry: &Map<String, Value>) -> Definition {
        let word = |key: &str| entry.get(key).and_then(Value::as_str);
        let names = entry.get("param_names").and_then(Value::as_array);
        Definition {
            kind: word("type").and_then(kind_of_type),
            unit: word("unit").map(str::to_owned),
            parameter_names: names.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect(),
            better: word("better").and_then(Direction::parse),
        }
    }
}

// A `track_` benchmark may call its type anything; its name then tells.
fn kind_of_type(word: &str) -> Option<Kind> {
    match word {
        "memory" => Some(Kind::Memory),
        "peakmemory" => Some(Kind::PeakMemory),
        other => Kind::parse(other),
    }
}

// asv takes `time_x` and `TimeX` (and `Time_x`) alike.
fn kind_of_name(benchmark: &str) -> Option<Kind> {
    let own_name = benchmark.rsplit('.').next()?;
    let words = [
        ("time_", "Time", Kind::Time),
        ("timeraw_", "Timeraw", Kind::TimeRaw),
        ("mem_", "Mem", Kind::Memory),
        ("peakmem_", "PeakMem", Kind::PeakMemory),
        ("track_", "Track", Kind::Track),
    ];
    let is_kind = |(low, high, _): &(&str, &str, Kind)| {
        let rest = own_name.strip_prefix(high);
        own_name.starts_with(low)
            || rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_'))
    };
    words.into_iter().find(is_kind).map(|(_, _, kind)| kind)
}

fn usual_unit(kind: Kind) -> &'static str {
    match kind {
        Kind::Time | Kind::TimeRaw => "seconds",
        Kind::Memory | Kind::PeakMemory => "bytes",
        Kind::Track => "unit",
    }
}
