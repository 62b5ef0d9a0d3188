//! A run that the tests of this crate show.

use std::collections::BTreeMap;

use tacho_model::{
    Benchmark, Build, Case, Completeness, Environment, Isolation, Kind, Load, Machine, Metric, Outcome, Parameter,
    ParameterAxis, Planned, Problem, Provenance, Purpose, Resumption, Round, Run, RunSettings, Settings, State,
    Subject, Threads, Timestamp, Wheel,
};

use crate::Screen;

pub(crate) const WIDE: Screen = Screen { width: 100, colour: false };
pub(crate) const NARROW: Screen = Screen { width: 60, colour: false };

/// 2024-05-01 12:00 UTC.
pub(crate) const NOON: Timestamp = Timestamp { unix_us: 1_714_564_800_000_000 };

/// Plans all cases of a benchmark.
pub(crate) fn planned(benchmark: Benchmark) -> Planned {
    Planned { cases: (0..benchmark.n_cases()).collect(), benchmark, rounds: 2 }
}

fn texts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

pub(crate) fn machine() -> Machine {
    Machine { name: "bench1".into(), facts: texts(&[("arch", "x86_64"), ("num_cpu", "16"), ("ram", "135GB")]) }
}

pub(crate) fn commit() -> Subject {
    Subject::Commit { hash: "1a2b3c4d5e6f".repeat(4)[..40].into(), date: Some(NOON) }
}

pub(crate) fn tree() -> Subject {
    Subject::Tree { tree: "1a2b3c4d99".repeat(4), parent: Some("5e6f7a8b99".repeat(4)) }
}

pub(crate) fn provenance() -> Provenance {
    Provenance {
        run_id: "0123456789abcdef".into(),
        project: "numpy".into(),
        subject: commit(),
        branch: Some("main".into()),
        harness: Some("77aa".into()),
        machine: machine(),
        environment: Environment {
            label: "existing-py3.11".into(),
            tool: "existing".into(),
            axes: texts(&[("python", "3.11"), ("req.scipy", "1.11")]),
            interpreter: "CPython 3.11.7".into(),
            executable: "{home}/venv/bin/python".into(),
            packages: texts(&[("numpy", "1.26.4"), ("scipy", "1.11.0")]),
            variables: BTreeMap::from([("OMP_NUM_THREADS".into(), Some("1".into())), ("PYTHONHASHSEED".into(), None)]),
            threads: Threads { cap: Some(1), cpus: Some(vec![2, 3]), memory_node: Some(0) },
        },
        build: None,
        purpose: Purpose::History,
        experiment: None,
        tool_version: "0.1.0".into(),
        runner: "tacho_runner 1".into(),
        method: "asv/2".into(),
        started_at: Timestamp { unix_us: NOON.unix_us + 3_600_000_000 },
        load: Some(Load { one_minute: 0.25, five_minutes: 0.5, fifteen_minutes: 1.0 }),
        settings: RunSettings { default_timeout_s: 60.0, ..RunSettings::default() },
    }
}

pub(crate) fn build() -> Build {
    Build {
        key: "5e".repeat(32),
        failure: None,
        commands: vec!["uv build --wheel {tmp}/src".into(), "uv pip install numpy-2.1.0-cp311.whl scipy".into()],
        variables: texts(&[("CFLAGS", "-O3 -march=native")]),
        compilers: texts(&[("cc", "gcc (Debian 12.2.0-14) 12.2.0")]),
        wheel: Some(Wheel { name: "numpy-2.1.0-cp311.whl".into(), sha256: "ab".repeat(32) }),
        dependencies: texts(&[("numpy", &"cd".repeat(32)), ("scipy", &"ef".repeat(32))]),
        started_at: NOON,
        duration_ns: 13_250_000_000,
        log_tail: "compiling a.c\nlinking\n".into(),
        reused: true,
    }
}

/// Returns a run of which nothing was measured, since its build failed.
pub(crate) fn unbuilt_run() -> Run {
    let lines: Vec<String> = (1..=30).map(|n| format!("line {n}")).collect();
    let failure = "`uv build` exited with status 1: error: unknown type name 'npy_intp'";
    let build = Build {
        failure: Some(failure.into()),
        wheel: None,
        dependencies: BTreeMap::new(),
        log_tail: lines.join("\n") + "\n",
        reused: false,
        ..build()
    };
    let provenance = Provenance { build: Some(build), ..provenance() };
    Run { provenance, planned: vec![], problems: vec![], rounds: vec![], completeness: Completeness::Sealed }
}

pub(crate) fn benchmark(name: &str, axes: &[(&str, &[&str])]) -> Benchmark {
    let axis = |(name, texts): &(&str, &[&str])| ParameterAxis {
        name: name.to_string(),
        texts: texts.iter().map(|text| text.to_string()).collect(),
    };
    Benchmark {
        name: name.into(),
        module: name.split('.').next().unwrap().into(),
        kind: Kind::Time,
        version: "3f".repeat(32),
        code: None,
        metrics: vec![Metric::new("time", "seconds", None)],
        parameters: axes.iter().map(axis).collect(),
        timeout_s: Some(60.0),
        settings: Settings::default(),
        setup_cache: None,
        pretty_name: None,
        extra: BTreeMap::from([("owner".into(), "\"x\"".into())]),
    }
}

/// Returns a measured outcome of `name` with parameters `n`, `m`, ….
pub(crate) fn measured(name: &str, parameters: &[&str], value: f64) -> Outcome {
    let parameter = |(index, text): (usize, &&str)| Parameter {
        name: ["n", "order", "third"][index].into(),
        text: text.to_string(),
    };
    Outcome {
        case: Case {
            benchmark: name.into(),
            index: 0,
            parameters: parameters.iter().enumerate().map(parameter).collect(),
        },
        metric: Metric::new("time", "seconds", None),
        version: Some("3f".repeat(32)),
        state: State::Measured,
        value: Some(value),
        spread: Some(value / 64.0),
        quartiles: Some((value * 0.984375, value * 1.015625)),
        interval: Some((value * 0.96875, value * 1.03125)),
        samples: vec![value * 0.96875, value, value * 1.03125],
        n_samples: 3,
        round_values: vec![value],
        number: Some(100),
        n_rounds: 2,
        duration_ns: 1_500_000_000,
        method: Some("asv/2".into()),
        message: None,
        detail: None,
    }
}

/// Returns an outcome without a value.
pub(crate) fn unmeasured(name: &str, parameters: &[&str], state: State, message: &str) -> Outcome {
    Outcome {
        state,
        value: None,
        spread: None,
        quartiles: None,
        interval: None,
        samples: vec![],
        n_samples: 0,
        round_values: vec![],
        number: None,
        method: None,
        message: (!message.is_empty()).then(|| message.to_owned()),
        detail: state.is_failure().then(|| format!("Traceback (most recent call last):\n  File \"x.py\"\n{message}\n")),
        ..measured(name, parameters, 0.0)
    }
}

/// Returns a run of a small suite that holds one of everything.
pub(crate) fn run() -> Run {
    Run {
        provenance: provenance(),
        planned: vec![
            planned(benchmark("core.time_plain", &[])),
            planned(benchmark("linalg.Norms.time_norm", &[("n", &["100", "1000"]), ("order", &["'l1'", "'l2'"])])),
        ],
        problems: vec![Problem {
            module: "broken".into(),
            benchmark: None,
            place: Some("benchmarks/broken.py:3".into()),
            error: "ImportError: No module named 'nothing'".into(),
            traceback: "Traceback:\n  line 3\n".into(),
        }],
        rounds: vec![],
        completeness: Completeness::Sealed,
    }
}

pub(crate) fn outcomes() -> Vec<Outcome> {
    let norm = "linalg.Norms.time_norm";
    let mut memory = measured("core.peakmem_plain", &[], 4.5e7);
    memory.metric = Metric::new("peak_memory", "bytes", None);
    memory.samples.truncate(1);
    memory.n_samples = 1;
    vec![
        measured("core.time_plain", &[], 1.25e-3),
        memory,
        unmeasured("core.time_crash", &[], State::Killed, "signal 11 (SIGSEGV)"),
        measured(norm, &["100", "'l1'"], 1.6e-6),
        measured(norm, &["100", "'l2'"], 1.25e-5),
        unmeasured(
            norm,
            &["1000", "'l1'"],
            State::Failed,
            "ValueError: operands could not be broadcast together with shapes (3,) (4,)",
        ),
        unmeasured(norm, &["1000", "'l2'"], State::TimedOut, "no answer within 60 s"),
        unmeasured(norm, &["10000", "'l1'"], State::Skipped, "NotImplementedError: too large"),
        unmeasured(norm, &["10000", "'l2'"], State::NotRun, ""),
        measured("zeta.time_last", &[], 2.0),
    ]
}

/// Returns how many of the outcomes, each a case of its own, ended how.
pub(crate) fn counts(outcomes: &[Outcome]) -> BTreeMap<State, usize> {
    let mut counts = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome.state).or_default() += 1;
    }
    counts
}

/// Returns the round of `slot`, which a run was resumed with at `NOON`.
pub(crate) fn resumed_round(slot: u64) -> Round {
    let load = Load { one_minute: 0.5, five_minutes: 1.0, fifteen_minutes: 2.25 };
    Round {
        benchmark: "core.time_plain".into(),
        parameters: vec![],
        round: 0,
        slot,
        started_at: NOON,
        resumed: Some(Resumption { at: NOON, load: Some(load) }),
        duration_ns: 1,
        state: State::Measured,
        method: "asv/2".into(),
        isolation: Isolation::Fork,
        samples: BTreeMap::new(),
        observed: BTreeMap::new(),
        message: None,
        detail: None,
    }
}
