//! Records that are written without measuring anything.

use std::collections::BTreeMap;
use std::path::Path;

use tacho_model::{
    Benchmark, Build, Environment, Isolation, Kind, Machine, Metric, Planned, Provenance, Purpose, Round, RunSettings,
    Samples, Settings, State, Subject, Timestamp,
};
use tacho_store::{Prefixes, Store, draw_run_id};

use crate::env::TestEnv;

/// A run of one benchmark, `suite.time_sum`, on the machine `lab`.
pub(crate) struct Written {
    pub(crate) subject: Subject,
    pub(crate) axes: Vec<(&'static str, String)>,
    /// Seconds.
    pub(crate) value: f64,
    /// Why it was not built, and what the build printed.
    pub(crate) failure: Option<(&'static str, String)>,
    /// Minutes after noon.
    pub(crate) minutes: i64,
}

impl Written {
    pub(crate) fn new(subject: Subject, axes: &[(&'static str, &str)], value: f64) -> Written {
        let axes = axes.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Written { subject, axes, value, failure: None, minutes: 0 }
    }

    pub(crate) fn unbuilt(subject: Subject, axes: &[(&'static str, &str)], reason: &'static str, log: &str) -> Written {
        Written { failure: Some((reason, log.to_owned())), ..Written::new(subject, axes, 0.0) }
    }

    /// Keeps the run in a project's records; returns its id.
    pub(crate) fn keep(&self, env: &TestEnv) -> String {
        self.keep_in(&env.path(".tacho"))
    }

    fn keep_in(&self, root: &Path) -> String {
        let provenance = self.provenance();
        let planned = if self.failure.is_some() { vec![] } else { vec![planned()] };
        let store = Store::open(root);
        let mut writer = store.create(&provenance, &planned, &[], &Prefixes::default()).unwrap();
        if self.failure.is_none() {
            writer.append(&round(self.value)).unwrap();
        }
        writer.seal().unwrap();
        provenance.run_id
    }

    fn provenance(&self) -> Provenance {
        let axes = self.axes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let tool = if self.failure.is_some() { "uv" } else { "existing" };
        let environment = Environment { label: "uv-py3.12".into(), tool: tool.into(), axes, ..Environment::default() };
        Provenance {
            run_id: draw_run_id(),
            project: "demo".into(),
            subject: self.subject.clone(),
            branch: None,
            harness: None,
            machine: Machine { name: "lab".into(), facts: BTreeMap::new() },
            environment,
            build: self.failure.as_ref().map(|(reason, log)| build(reason, log)),
            purpose: Purpose::History,
            experiment: None,
            tool_version: "1".into(),
            runner: "r 1".into(),
            method: "asv/2".into(),
            started_at: Timestamp { unix_us: 1_796_040_000_000_000 + self.minutes * 60_000_000 },
            load: None,
            settings: RunSettings { default_timeout_s: 60.0, ..RunSettings::default() },
        }
    }
}

fn build(reason: &str, log: &str) -> Build {
    Build {
        key: "5e5e5e5e".into(),
        failure: Some(reason.into()),
        commands: vec!["uv build --wheel".into()],
        variables: BTreeMap::from([("CFLAGS".into(), "-O3".into())]),
        compilers: BTreeMap::from([("cc".into(), "gcc 12".into())]),
        wheel: None,
        dependencies: BTreeMap::new(),
        started_at: Timestamp { unix_us: 1_796_039_000_000_000 },
        duration_ns: 13_000_000_000,
        log_tail: log.into(),
        reused: false,
    }
}

fn planned() -> Planned {
    let benchmark = Benchmark {
        name: "suite.time_sum".into(),
        module: "suite".into(),
        kind: Kind::Time,
        version: "1".into(),
        code: None,
        metrics: vec![Metric::new("time", "seconds", None)],
        parameters: vec![],
        timeout_s: None,
        settings: Settings::default(),
        setup_cache: None,
        pretty_name: None,
        extra: BTreeMap::new(),
    };
    Planned { benchmark, cases: vec![0], rounds: 1 }
}

fn round(value: f64) -> Round {
    let loop_ns = [0.99, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.01].map(|factor| (value * factor * 1e9) as u64);
    Round {
        benchmark: "suite.time_sum".into(),
        parameters: vec![],
        round: 0,
        slot: 0,
        started_at: Timestamp { unix_us: 1_796_040_000_000_000 },
        resumed: None,
        duration_ns: 1_000_000,
        state: State::Measured,
        method: "asv/2".into(),
        isolation: Isolation::Fork,
        samples: BTreeMap::from([("time".into(), Samples::Loops { number: 1, loop_ns: loop_ns.to_vec() })]),
        observed: BTreeMap::new(),
        message: None,
        detail: None,
    }
}
