//! What was to be measured, as it stands in a record.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::finite;
use super::words::{Direction, Kind};
use crate::error::Misfit;

/// What was to be measured, and what could not be found.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Plan {
    /// The benchmarks in the order of the suite.
    benchmarks: Vec<Planned>,
    /// Parts of the suite that could not be loaded.
    problems: Vec<Problem>,
}

/// A benchmark with those of its cases that the run meant to measure.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Planned {
    /// The benchmark's definition as it was when measured.
    definition: Benchmark,
    /// Indices of the selected cases in the product of the parameters, the last parameter fastest, ascending.
    cases: Vec<usize>,
    /// Rounds that each case should get.
    rounds: u32,
}

/// A benchmark's definition.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Benchmark {
    /// The dotted name that identifies the benchmark.
    name: String,
    /// The module it was found in, below the suite's root.
    module: String,
    /// The way it measures.
    kind: Kind,
    /// Changes when the workload does.
    version: String,
    /// Source text, where the harness gives it.
    code: Option<String>,
    /// What it counts; the first is the one other tools know.
    metrics: Vec<Metric>,
    /// Its parameters, the first slowest.
    parameters: Vec<ParameterAxis>,
    /// Its time limit in seconds for one process.
    timeout_s: Option<f64>,
    /// How it wants to be measured.
    settings: Settings,
    /// Its cache function.
    setup_cache: Option<SetupCache>,
    /// A name for people.
    pretty_name: Option<String>,
    /// The user's own attributes.
    extra: BTreeMap<String, Value>,
}

/// What is counted, with its unit and direction.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Metric {
    /// The metric's name within its benchmark.
    name: String,
    /// The unit's text as the benchmark gives it.
    unit: String,
    /// Which way is better.
    direction: Direction,
    /// True where nobody declared the direction.
    direction_assumed: bool,
    /// True where any difference is real.
    exact: bool,
}

/// One parameter with all its values.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct ParameterAxis {
    /// The parameter's name; no part of any identity.
    name: String,
    /// The values as Python literals, in declared order.
    texts: Vec<String>,
}

/// How a benchmark wants to be measured.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Settings {
    /// How many fresh processes measure a case.
    rounds: Option<u32>,
    /// Everything else by asv's names (`number`, `repeat`, `sample_time`, …).
    other: BTreeMap<String, Value>,
}

/// A function that runs once and serves all cases that need its result.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct SetupCache {
    /// Equal for all benchmarks that share the result.
    key: String,
    /// Its own time limit in seconds.
    timeout_s: Option<f64>,
}

/// Something that stopped a module or a benchmark from being found.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Problem {
    /// The module's name below the suite's root.
    module: String,
    /// The benchmark's name, where the problem is that of one benchmark.
    benchmark: Option<String>,
    /// The file and, where known, the line.
    place: Option<String>,
    /// One line: the exception and its text.
    error: String,
    /// The traceback.
    traceback: String,
}

impl Plan {
    pub(crate) fn from_model(
        planned: &[tacho_model::Planned],
        problems: &[tacho_model::Problem],
    ) -> Result<Plan, Misfit> {
        Ok(Plan {
            benchmarks: planned.iter().map(Planned::from_model).collect::<Result<_, _>>()?,
            problems: problems.iter().map(Problem::from_model).collect(),
        })
    }

    pub(crate) fn into_model(self) -> (Vec<tacho_model::Planned>, Vec<tacho_model::Problem>) {
        let Plan { benchmarks, problems } = self;
        (
            benchmarks.into_iter().map(Planned::into_model).collect(),
            problems.into_iter().map(Problem::into_model).collect(),
        )
    }
}

impl Planned {
    fn from_model(planned: &tacho_model::Planned) -> Result<Planned, Misfit> {
        let tacho_model::Planned { benchmark, cases, rounds } = planned;
        Ok(Planned { definition: Benchmark::from_model(benchmark)?, cases: cases.clone(), rounds: *rounds })
    }

    fn into_model(self) -> tacho_model::Planned {
        let Planned { definition, cases, rounds } = self;
        tacho_model::Planned { benchmark: definition.into_model(), cases, rounds }
    }
}

impl Benchmark {
    fn from_model(benchmark: &tacho_model::Benchmark) -> Result<Benchmark, Misfit> {
        let tacho_model::Benchmark {
            name,
            module,
            kind,
            version,
            code,
            metrics,
            parameters,
            timeout_s,
            settings,
            setup_cache,
            pretty_name,
            extra,
        } = benchmark;
        Ok(Benchmark {
            name: name.clone(),
            module: module.clone(),
            kind: (*kind).into(),
            version: version.clone(),
            code: code.clone(),
            metrics: metrics.iter().map(Metric::from_model).collect(),
            parameters: parameters.iter().map(ParameterAxis::from_model).collect(),
            timeout_s: finite_limit(*timeout_s, name)?,
            settings: Settings::from_model(settings, name)?,
            setup_cache: setup_cache.as_ref().map(|cache| SetupCache::from_model(cache, name)).transpose()?,
            pretty_name: pretty_name.clone(),
            extra: values_of_texts(extra, name)?,
        })
    }

    fn into_model(self) -> tacho_model::Benchmark {
        let Benchmark {
            name,
            module,
            kind,
            version,
            code,
            metrics,
            parameters,
            timeout_s,
            settings,
            setup_cache,
            pretty_name,
            extra,
        } = self;
        tacho_model::Benchmark {
            name,
            module,
            kind: kind.into(),
            version,
            code,
            metrics: metrics.into_iter().map(Metric::into_model).collect(),
            parameters: parameters.into_iter().map(ParameterAxis::into_model).collect(),
            timeout_s,
            settings: settings.into_model(),
            setup_cache: setup_cache.map(SetupCache::into_model),
            pretty_name,
            extra: texts_of_values(extra),
        }
    }
}

impl Metric {
    fn from_model(metric: &tacho_model::Metric) -> Metric {
        let tacho_model::Metric { name, unit, direction, direction_assumed, exact } = metric;
        Metric {
            name: name.clone(),
            unit: unit.clone(),
            direction: (*direction).into(),
            direction_assumed: *direction_assumed,
            exact: *exact,
        }
    }

    fn into_model(self) -> tacho_model::Metric {
        let Metric { name, unit, direction, direction_assumed, exact } = self;
        tacho_model::Metric { name, unit, direction: direction.into(), direction_assumed, exact }
    }
}

impl ParameterAxis {
    fn from_model(axis: &tacho_model::ParameterAxis) -> ParameterAxis {
        let tacho_model::ParameterAxis { name, texts } = axis;
        ParameterAxis { name: name.clone(), texts: texts.clone() }
    }

    fn into_model(self) -> tacho_model::ParameterAxis {
        let ParameterAxis { name, texts } = self;
        tacho_model::ParameterAxis { name, texts }
    }
}

impl Settings {
    fn from_model(settings: &tacho_model::Settings, benchmark: &str) -> Result<Settings, Misfit> {
        let tacho_model::Settings { rounds, other } = settings;
        Ok(Settings { rounds: *rounds, other: values_of_texts(other, benchmark)? })
    }

    fn into_model(self) -> tacho_model::Settings {
        let Settings { rounds, other } = self;
        tacho_model::Settings { rounds, other: texts_of_values(other) }
    }
}

impl SetupCache {
    fn from_model(cache: &tacho_model::SetupCache, benchmark: &str) -> Result<SetupCache, Misfit> {
        let tacho_model::SetupCache { key, timeout_s } = cache;
        Ok(SetupCache { key: key.clone(), timeout_s: finite_limit(*timeout_s, benchmark)? })
    }

    fn into_model(self) -> tacho_model::SetupCache {
        let SetupCache { key, timeout_s } = self;
        tacho_model::SetupCache { key, timeout_s }
    }
}

impl Problem {
    fn from_model(problem: &tacho_model::Problem) -> Problem {
        let tacho_model::Problem { module, benchmark, place, error, traceback } = problem;
        Problem {
            module: module.clone(),
            benchmark: benchmark.clone(),
            place: place.clone(),
            error: error.clone(),
            traceback: traceback.clone(),
        }
    }

    fn into_model(self) -> tacho_model::Problem {
        let Problem { module, benchmark, place, error, traceback } = self;
        tacho_model::Problem { module, benchmark, place, error, traceback }
    }
}

fn finite_limit(timeout_s: Option<f64>, benchmark: &str) -> Result<Option<f64>, Misfit> {
    timeout_s.map(|limit| finite(limit, || format!("`{benchmark}`, time limit"))).transpose()
}

fn values_of_texts(texts: &BTreeMap<String, String>, benchmark: &str) -> Result<BTreeMap<String, Value>, Misfit> {
    let value = |(name, text): (&String, &String)| match serde_json::from_str(text) {
        Ok(value) => Ok((name.clone(), value)),
        Err(error) => Err(Misfit(format!("`{benchmark}`, attribute `{name}`: `{text}` is not JSON: {error}"))),
    };
    texts.iter().map(value).collect()
}

fn texts_of_values(values: BTreeMap<String, Value>) -> BTreeMap<String, String> {
    values.into_iter().map(|(name, value)| (name, value.to_string())).collect()
}
