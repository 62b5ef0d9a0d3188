//! From the protocol's words to the nouns of the model.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tacho_model::{
    Benchmark, Case, Direction, Isolation, Kind, Level, Metric, ParameterAxis, Phase, Problem, Rehearsal, Remark,
    Round, Samples, Settings, SetupCache, State, Timestamp,
};

use crate::execute::Task;
use crate::protocol::{BenchmarkReply, CacheWire, CheckedReply, DiscoveryProblem, FindingWire, LoadProblem, RanReply};

/// Returns the benchmark a reply describes, or the problem with it.
pub(crate) fn benchmark(reply: BenchmarkReply) -> Result<Benchmark, Problem> {
    let BenchmarkReply {
        id: _,
        name,
        module,
        kind,
        unit,
        version,
        code,
        params,
        param_names,
        timeout_s,
        settings,
        setup_cache,
        pretty_name,
        better,
        extra,
    } = reply;
    let Some(kind) = Kind::parse(&kind) else {
        let error = format!("unknown kind of benchmark `{kind}`");
        return Err(Problem { module, benchmark: Some(name), place: None, error, traceback: String::new() });
    };
    let names = param_names.into_iter().chain((1..).map(|k| format!("param{k}")));
    let declared = better.as_deref().and_then(Direction::parse);
    Ok(Benchmark {
        name,
        module,
        kind,
        version,
        code,
        metrics: vec![Metric::new(kind.metric_name(), &unit, declared)],
        parameters: names.zip(params).map(|(name, texts)| ParameterAxis { name, texts }).collect(),
        timeout_s,
        settings: settings_of(settings),
        setup_cache: setup_cache.map(|CacheWire { key, timeout_s }| SetupCache { key, timeout_s }),
        pretty_name,
        extra: texts(extra),
    })
}

fn settings_of(mut settings: Map<String, Value>) -> Settings {
    let rounds = settings.remove("rounds").and_then(|value| value.as_f64()).map(|rounds| rounds.max(0.0) as u32);
    Settings { rounds, other: texts(settings) }
}

fn texts(map: Map<String, Value>) -> BTreeMap<String, String> {
    map.into_iter().map(|(name, value)| (name, value.to_string())).collect()
}

/// Returns the problem of a module that could not be imported.
pub(crate) fn load_problem(problem: LoadProblem) -> Problem {
    let LoadProblem { module, file, line, error, traceback } = problem;
    Problem { module, benchmark: None, place: place(file, line), error, traceback: traceback.unwrap_or_default() }
}

fn place(file: Option<String>, line: Option<u64>) -> Option<String> {
    match (file, line) {
        (Some(file), Some(line)) => Some(format!("{file}:{line}")),
        (file, _) => file,
    }
}

/// Returns what a runner found. A level that this side does not know is no error.
pub(crate) fn remark(finding: FindingWire) -> Remark {
    let FindingWire { module, name, level, text, file, line } = finding;
    let level = Level::parse(&level).unwrap_or(Level::Note);
    Remark { level, module, name, place: place(file, line), text }
}

/// Returns the problem of a module that ended or stopped the interpreter.
pub(crate) fn problem_of_module(module: &str, error: String, traceback: String) -> Problem {
    Problem { module: module.to_owned(), benchmark: None, place: None, error, traceback }
}

/// Returns the problem of a benchmark that could not be described.
pub(crate) fn discovery_problem(problem: DiscoveryProblem) -> Problem {
    let DiscoveryProblem { module, name, error, traceback } = problem;
    Problem { module, benchmark: name, place: None, error, traceback: traceback.unwrap_or_default() }
}

/// Returns a round without readings: how it ended and why.
pub(crate) fn unmeasured(
    task: &Task<'_>,
    isolation: Isolation,
    state: State,
    message: String,
    detail: Option<String>,
) -> Round {
    Round {
        benchmark: task.case.benchmark.clone(),
        parameters: task.case.texts(),
        round: task.round,
        slot: task.slot,
        started_at: Timestamp { unix_us: 0 },
        resumed: None,
        duration_ns: 0,
        state,
        method: String::new(),
        isolation,
        samples: BTreeMap::new(),
        observed: BTreeMap::new(),
        message: Some(message),
        detail,
    }
}

/// Returns the rehearsal that a reply tells of. `output` is what the process printed where `tacho` held its pipes.
pub(crate) fn rehearsal(case: &Case, reply: CheckedReply, output: &str) -> Rehearsal {
    let CheckedReply {
        id: _,
        state,
        phase,
        message,
        traceback,
        duration_ns,
        signal,
        exit_status,
        observed: _,
        output: inside,
    } = reply;
    let state = State::parse(&state).unwrap_or(State::Failed);
    let message = message.or_else(|| how_it_ended(signal.as_deref(), exit_status));
    Rehearsal {
        case: case.clone(),
        state,
        phase: phase.as_deref().and_then(Phase::parse),
        message: message.filter(|_| state != State::Measured),
        detail: detail(state, traceback.as_deref(), &format!("{output}{inside}")),
        duration_ns,
    }
}

/// Returns the round that a reply tells of. `output` is what the process printed where `tacho` held its pipes.
pub(crate) fn round(task: &Task<'_>, isolation: Isolation, reply: RanReply, outside: &str) -> Round {
    let RanReply {
        id: _,
        state,
        method,
        number,
        samples_ns,
        values,
        message,
        traceback,
        started_at_s,
        duration_ns,
        signal,
        exit_status,
        observed,
        output,
    } = reply;
    let state = State::parse(&state).unwrap_or(State::Failed);
    let samples = samples(number, samples_ns, values);
    let (state, message) = match (&samples, state) {
        (None, State::Measured) => (State::Failed, Some("the benchmark gave no readings".to_owned())),
        _ => (state, message.or_else(|| how_it_ended(signal.as_deref(), exit_status))),
    };
    let output = format!("{outside}{output}");
    let metric = task.benchmark.kind.metric_name().to_owned();
    Round {
        started_at: Timestamp::from_unix_seconds(started_at_s),
        duration_ns,
        method: method.unwrap_or_default(),
        samples: samples
            .filter(|_| state == State::Measured)
            .map(|s| BTreeMap::from([(metric, s)]))
            .unwrap_or_default(),
        observed: observed.into_iter().filter(|(_, value)| value.is_finite()).collect(),
        message: message.filter(|_| state != State::Measured),
        detail: detail(state, traceback.as_deref(), &output),
        ..unmeasured(task, isolation, state, String::new(), None)
    }
}

fn how_it_ended(signal: Option<&str>, exit_status: Option<i64>) -> Option<String> {
    let by_signal = signal.map(|signal| format!("ended by {signal}"));
    by_signal.or_else(|| exit_status.map(|status| format!("exited with status {status} before it answered")))
}

fn samples(number: Option<u64>, loop_ns: Option<Vec<u64>>, values: Option<Vec<f64>>) -> Option<Samples> {
    let samples = match (loop_ns, values) {
        (Some(loop_ns), _) => Samples::Loops { number: number.unwrap_or(1).max(1), loop_ns },
        (None, Some(values)) => Samples::Values(values),
        (None, None) => return None,
    };
    (!samples.is_empty()).then_some(samples)
}

/// Returns traceback and output of a round that failed; what a good round printed is not kept.
pub(crate) fn detail(state: State, traceback: Option<&str>, output: &str) -> Option<String> {
    if !state.is_failure() {
        return None;
    }
    let parts = [traceback.unwrap_or("").trim_end(), output.trim_end()];
    let text = parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("\n\n");
    (!text.is_empty()).then_some(text)
}
