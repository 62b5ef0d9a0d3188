//! Benchmarks, rounds and runs for the tests of this crate.

use std::collections::BTreeMap;

use tacho_model::{
    Benchmark, Case, Completeness, Environment, Isolation, Kind, Machine, Metric, Outcome, Parameter, ParameterAxis,
    Planned, Provenance, Purpose, Results, Round, Run, RunSettings, Samples, Settings, State, Subject, Timestamp,
};

/// Returns a timing benchmark with one parameter, whose values are `0`, `1`, ….
pub(crate) fn benchmark(name: &str, n_cases: usize) -> Benchmark {
    let axis = ParameterAxis { name: "n".into(), texts: (0..n_cases).map(|i| i.to_string()).collect() };
    Benchmark {
        name: name.into(),
        module: "m".into(),
        kind: Kind::Time,
        version: "1".into(),
        code: None,
        metrics: vec![Metric::new("time", "seconds", None)],
        parameters: vec![axis],
        timeout_s: None,
        settings: Settings::default(),
        setup_cache: None,
        pretty_name: None,
        extra: BTreeMap::new(),
    }
}

fn provenance() -> Provenance {
    Provenance {
        run_id: "0".repeat(16),
        project: "p".into(),
        subject: Subject::Date { date: Timestamp { unix_us: 0 } },
        branch: None,
        harness: None,
        machine: Machine { name: "m".into(), facts: BTreeMap::new() },
        environment: Environment::default(),
        build: None,
        purpose: Purpose::History,
        experiment: None,
        tool_version: "0".into(),
        runner: "r".into(),
        method: "asv/2".into(),
        started_at: Timestamp { unix_us: 0 },
        load: None,
        settings: RunSettings::default(),
    }
}

/// Returns a sealed run that plans two rounds of every case.
pub(crate) fn run(benchmarks: Vec<Benchmark>, rounds: Vec<Round>) -> Run {
    let plan = |benchmark: Benchmark| Planned { cases: (0..benchmark.n_cases()).collect(), benchmark, rounds: 2 };
    Run {
        provenance: provenance(),
        planned: benchmarks.into_iter().map(plan).collect(),
        problems: vec![],
        rounds,
        completeness: Completeness::Sealed,
    }
}

/// Returns a round of 5 ns without samples.
pub(crate) fn round(benchmark: &str, text: &str, round: u32, state: State) -> Round {
    Round {
        benchmark: benchmark.into(),
        parameters: vec![text.into()],
        round,
        slot: 0,
        started_at: Timestamp { unix_us: 0 },
        resumed: None,
        duration_ns: 5,
        state,
        method: "asv/2".into(),
        isolation: Isolation::Fork,
        samples: BTreeMap::new(),
        observed: BTreeMap::new(),
        message: (state != State::Measured).then(|| format!("{} in round {round}", state.word())),
        detail: None,
    }
}

/// Returns a round with samples of two calls each.
pub(crate) fn measured(benchmark: &str, text: &str, number: u32, loop_ns: &[u64]) -> Round {
    let samples = Samples::Loops { number: 2, loop_ns: loop_ns.to_vec() };
    Round { samples: BTreeMap::from([("time".into(), samples)]), ..round(benchmark, text, number, State::Measured) }
}

/// Returns a measured outcome of `benchmark(0)` with these process values.
pub(crate) fn outcome(benchmark: &str, value: f64, round_values: &[f64]) -> Outcome {
    Outcome {
        case: Case {
            benchmark: benchmark.into(),
            index: 0,
            parameters: vec![Parameter { name: "n".into(), text: "0".into() }],
        },
        metric: Metric::new("time", "seconds", None),
        version: Some("1".into()),
        state: State::Measured,
        value: Some(value),
        spread: None,
        quartiles: None,
        interval: None,
        samples: vec![],
        n_samples: 0,
        round_values: round_values.to_vec(),
        number: None,
        n_rounds: round_values.len(),
        duration_ns: 0,
        method: Some("asv/2".into()),
        message: None,
        detail: None,
    }
}

/// Returns results at a commit, on machine `m`.
pub(crate) fn results(commit: &str, outcomes: Vec<Outcome>) -> Results {
    let subject = Subject::Commit { hash: commit.into(), date: None };
    let provenance = Provenance { subject, ..provenance() };
    Results { provenance, outcomes, completeness: Completeness::Sealed }
}

/// Random numbers that are the same on every machine, by splitmix64: G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in (0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Standard normal, by Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}
