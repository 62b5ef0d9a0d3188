//! `tacho.list/1`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use tacho_model::{Benchmark, Case, ParameterAxis, Planned, Problem, Settings, SetupCache};

use super::nouns::{MetricTwin, ParameterTwin, ProblemTwin, parameters};

#[derive(Serialize)]
pub(super) struct List<'a> {
    benchmarks: Vec<BenchmarkTwin<'a>>,
    problems: Vec<ProblemTwin<'a>>,
}

impl List<'_> {
    pub(super) fn of<'a>(benchmarks: &'a [Planned], problems: &'a [Problem], cases: bool) -> List<'a> {
        List {
            benchmarks: benchmarks.iter().map(|benchmark| BenchmarkTwin::of(benchmark, cases)).collect(),
            problems: problems.iter().map(ProblemTwin::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct BenchmarkTwin<'a> {
    benchmark: &'a str,
    module: &'a str,
    kind: &'static str,
    version: &'a str,
    pretty_name: Option<&'a str>,
    metrics: Vec<MetricTwin<'a>>,
    parameters: Vec<AxisTwin<'a>>,
    n_cases: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<Vec<CaseTwin>>,
    timeout_s: Option<f64>,
    rounds: u32,
    settings: BTreeMap<&'a str, Value>,
    setup_cache: Option<SetupCacheTwin<'a>>,
    extra: BTreeMap<&'a str, Value>,
    code: Option<&'a str>,
}

impl BenchmarkTwin<'_> {
    fn of(planned: &Planned, with_cases: bool) -> BenchmarkTwin<'_> {
        let Planned { benchmark, cases: selected, rounds: n_rounds } = planned;
        let named = |index: &usize| benchmark.case(*index).map(|case| CaseTwin::of(&case));
        let cases = with_cases.then(|| selected.iter().filter_map(named).collect());
        let Benchmark {
            name,
            module,
            kind,
            version,
            code,
            metrics,
            parameters,
            timeout_s,
            settings: Settings { rounds: _, other },
            setup_cache,
            pretty_name,
            extra,
        } = benchmark;
        BenchmarkTwin {
            benchmark: name,
            module,
            kind: kind.word(),
            version,
            pretty_name: pretty_name.as_deref(),
            metrics: metrics.iter().map(MetricTwin::of).collect(),
            parameters: parameters.iter().map(AxisTwin::of).collect(),
            n_cases: selected.len(),
            cases,
            timeout_s: *timeout_s,
            rounds: *n_rounds,
            settings: values(other),
            setup_cache: setup_cache.as_ref().map(SetupCacheTwin::of),
            extra: values(extra),
            code: code.as_deref(),
        }
    }
}

/// Returns JSON texts as what they say; a text that is no JSON stands as a string.
fn values(texts: &BTreeMap<String, String>) -> BTreeMap<&str, Value> {
    let value = |text: &String| serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()));
    texts.iter().map(|(name, text)| (name.as_str(), value(text))).collect()
}

#[derive(Serialize)]
struct AxisTwin<'a> {
    name: &'a str,
    values: &'a [String],
}

impl AxisTwin<'_> {
    fn of(axis: &ParameterAxis) -> AxisTwin<'_> {
        let ParameterAxis { name, texts } = axis;
        AxisTwin { name, values: texts }
    }
}

/// A case by its full name and its parameters.
#[derive(Serialize)]
struct CaseTwin {
    name: String,
    parameters: Value,
}

impl CaseTwin {
    fn of(case: &Case) -> CaseTwin {
        let of_case: Vec<ParameterTwin<'_>> = parameters(case);
        let parameters = serde_json::to_value(of_case).unwrap_or(Value::Null);
        CaseTwin { name: case.full_name(), parameters }
    }
}

#[derive(Serialize)]
struct SetupCacheTwin<'a> {
    key: &'a str,
    timeout_s: Option<f64>,
}

impl SetupCacheTwin<'_> {
    fn of(cache: &SetupCache) -> SetupCacheTwin<'_> {
        let SetupCache { key, timeout_s } = cache;
        SetupCacheTwin { key, timeout_s: *timeout_s }
    }
}
