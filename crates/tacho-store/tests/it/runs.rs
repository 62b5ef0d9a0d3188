//! Runs for tests: a rich one that uses every field, and a store to put them in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tacho_model::{
    Benchmark, Build, Completeness, Environment, Isolation, Kind, Load, Machine, Metric, ParameterAxis, Planned,
    Problem, Provenance, Purpose, Round, Run, RunSettings, Samples, Settings, SetupCache, State, Subject, Threads,
    Timestamp, Wheel,
};
use tacho_store::{Prefixes, Store, StoreError};

/// 2026-11-30T08:35:37.123456Z.
pub(crate) const START: Timestamp = Timestamp { unix_us: 1_796_027_737_123_456 };

/// A store in a folder of its own, which goes away with it.
pub(crate) struct TestStore {
    pub(crate) store: Store,
    pub(crate) folder: tempfile::TempDir,
}

impl TestStore {
    pub(crate) fn new() -> TestStore {
        let folder = tempfile::tempdir().unwrap();
        TestStore { store: Store::open(&folder.path().join("project/.tacho")), folder }
    }

    /// Writes the run and leaves its record open.
    pub(crate) fn write_open(&self, run: &Run) -> PathBuf {
        let mut writer = self
            .store
            .create(&run.provenance, &run.planned, &run.problems, &Prefixes::default())
            .expect("the run can be stored");
        run.rounds.iter().for_each(|round| writer.append(round).expect("the round can be stored"));
        writer.path().to_owned()
    }

    /// Writes the run and seals its record.
    pub(crate) fn write_sealed(&self, run: &Run) -> PathBuf {
        let mut writer = self
            .store
            .create(&run.provenance, &run.planned, &run.problems, &Prefixes::default())
            .expect("the run can be stored");
        run.rounds.iter().for_each(|round| writer.append(round).expect("the round can be stored"));
        writer.seal().expect("the record can be sealed")
    }

    /// Puts bytes into the folder of machine `m`.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let folder = self.store.machine_folder("m");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns the error and its causes with this store's folder as `[root]`.
    pub(crate) fn text_of(&self, error: &StoreError) -> String {
        error.line().replace(self.store.root().to_str().unwrap(), "[root]")
    }

    /// Returns all files below the folder, relative to it.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        collect(self.folder.path(), self.folder.path(), &mut found);
        found.sort();
        found
    }
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            found.push(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
}

pub(crate) fn texts<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, String> {
    pairs.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

/// Returns a run that uses every field, one kind of benchmark and one state after the other.
pub(crate) fn rich_run() -> Run {
    Run {
        provenance: provenance("m", "0123456789abcdef"),
        planned: vec![planned_timing(), planned_value()],
        problems: vec![Problem {
            module: "broken".into(),
            benchmark: Some("broken.time_it".into()),
            place: Some("benchmarks/broken.py:3".into()),
            error: "ImportError: no module named x".into(),
            traceback: "Traceback (most recent call last):\n  …\n".into(),
        }],
        rounds: rounds(),
        completeness: Completeness::Interrupted,
    }
}

pub(crate) fn provenance(machine: &str, run_id: &str) -> Provenance {
    Provenance {
        run_id: run_id.into(),
        project: "example".into(),
        subject: Subject::Commit {
            hash: "0123abcd".repeat(5),
            date: Some(Timestamp { unix_us: 1_700_000_000_000_000 }),
        },
        branch: Some("main".into()),
        harness: Some("89ab".repeat(10)),
        machine: Machine { name: machine.into(), facts: texts([("arch", "x86_64"), ("ram", "135GB")]) },
        environment: environment(),
        build: Some(build()),
        purpose: Purpose::Pair,
        experiment: Some("e1".into()),
        tool_version: "0.1.0".into(),
        runner: "tacho_runner 0.1.0".into(),
        method: "asv/2".into(),
        started_at: START,
        load: Some(Load { one_minute: 0.1, five_minutes: 0.25, fifteen_minutes: 12.0 }),
        settings: RunSettings {
            quick: true,
            attributes: texts([("repeat", "3")]),
            bench: vec!["^(?!.*slow)".into()],
            default_timeout_s: 60.0,
        },
    }
}

pub(crate) fn build() -> Build {
    Build {
        key: "5e".repeat(32),
        failure: None,
        commands: vec!["uv build --wheel".into(), "uv pip install example-1.whl".into()],
        variables: texts([("CFLAGS", "-O3")]),
        compilers: texts([("cc", "gcc (Debian 12.2.0-14) 12.2.0")]),
        wheel: Some(Wheel { name: "example-1.whl".into(), sha256: "ab".repeat(32) }),
        dependencies: texts([("example", "cd"), ("numpy", "ef")]),
        started_at: Timestamp { unix_us: START.unix_us - 20_000_000 },
        duration_ns: 13_250_000_001,
        log_tail: "compiling\n\u{1b}[31mlinking\u{1b}[0m\n".into(),
        reused: true,
    }
}

/// Returns a run of which nothing was measured, since its build failed.
pub(crate) fn unbuilt_run(run_id: &str) -> Run {
    let failure = Some("`uv build` exited with status 1: error: no compiler `cc`".into());
    let build = Build { failure, wheel: None, dependencies: BTreeMap::new(), reused: false, ..build() };
    let provenance = Provenance { build: Some(build), purpose: Purpose::History, ..provenance("m", run_id) };
    Run { provenance, planned: vec![], problems: vec![], rounds: vec![], completeness: Completeness::Interrupted }
}

fn environment() -> Environment {
    Environment {
        label: "py3.11".into(),
        tool: "existing".into(),
        axes: texts([("python", "3.11"), ("env.OMP_NUM_THREADS", "1")]),
        interpreter: "CPython 3.11.7".into(),
        executable: "/opt/python/bin/python".into(),
        packages: texts([("numpy", "1.26.0")]),
        variables: BTreeMap::from([("A".into(), Some("1".into())), ("B".into(), None)]),
        threads: Threads { cap: Some(1), cpus: Some(vec![2, 3]), memory_node: Some(0) },
    }
}

fn planned_timing() -> Planned {
    let axis = |name: &str, values: &[&str]| ParameterAxis {
        name: name.into(),
        texts: values.iter().map(|text| text.to_string()).collect(),
    };
    Planned {
        benchmark: Benchmark {
            name: "m.time_x".into(),
            module: "m".into(),
            kind: Kind::Time,
            version: "f00d".into(),
            code: Some("def time_x(n):\n    \"\\\"ä\u{1}\"\n".into()),
            metrics: vec![Metric::new("time", "seconds", None)],
            parameters: vec![axis("n", &["10", "1e-05"]), axis("s", &["'a'", "<function f>"])],
            timeout_s: Some(60.5),
            settings: Settings { rounds: Some(2), other: texts([("number", "0"), ("repeat", "[1,10,20.5]")]) },
            setup_cache: Some(SetupCache { key: "m:12".into(), timeout_s: Some(0.1) }),
            pretty_name: Some("x, timed".into()),
            extra: texts([("tags", r#"["a",{"b":null}]"#), ("weight", "1.5")]),
        },
        cases: vec![0, 3],
        rounds: 2,
    }
}

fn planned_value() -> Planned {
    Planned {
        benchmark: Benchmark {
            name: "m.track_y".into(),
            module: "m".into(),
            kind: Kind::Track,
            version: "1".into(),
            code: None,
            metrics: vec![Metric { exact: true, ..Metric::new("value", "GFLOP/s", None) }],
            parameters: vec![],
            timeout_s: None,
            settings: Settings::default(),
            setup_cache: None,
            pretty_name: None,
            extra: BTreeMap::new(),
        },
        cases: vec![0],
        rounds: 1,
    }
}

fn rounds() -> Vec<Round> {
    let loops = Samples::Loops { number: 3, loop_ns: vec![0, 17, u64::MAX] };
    let values = Samples::Values(vec![0.1, -0.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2]);
    let failed = Round {
        message: Some("ZeroDivisionError: division by zero".into()),
        detail: Some("Traceback\u{2028}\r\n\0end".into()),
        ..round(1, State::Failed, BTreeMap::new())
    };
    vec![
        round(0, State::Measured, BTreeMap::from([("time".into(), loops)])),
        failed,
        round(2, State::TimedOut, BTreeMap::new()),
        round(3, State::Measured, BTreeMap::from([("value".into(), values)])),
    ]
}

pub(crate) fn round(slot: u64, state: State, samples: BTreeMap<String, Samples>) -> Round {
    Round {
        benchmark: "m.time_x".into(),
        parameters: vec!["10".into(), "'a'".into()],
        round: 7,
        slot,
        started_at: Timestamp { unix_us: START.unix_us + 1 + slot as i64 },
        resumed: None,
        duration_ns: 123_456_789_012,
        state,
        method: "asv/2".into(),
        isolation: Isolation::Spawn,
        samples,
        observed: BTreeMap::from([("cpu_user_s".into(), 0.25), ("max_rss_bytes".into(), 1e9)]),
        message: None,
        detail: None,
    }
}
