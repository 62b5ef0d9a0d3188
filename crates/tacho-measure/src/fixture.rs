//! Benchmarks for the tests of this crate.

use std::collections::BTreeMap;

use tacho_model::{Benchmark, Kind, ParameterAxis, Planned, Settings, SetupCache};

/// Plans all cases of a timing benchmark with one parameter, whose values are `0`, `1`, ….
pub(crate) fn planned(module: &str, name: &str, n_cases: usize, rounds: u32, cache: Option<&str>) -> Planned {
    let texts = (0..n_cases).map(|value| value.to_string()).collect();
    let benchmark = Benchmark {
        name: name.into(),
        module: module.into(),
        kind: Kind::Time,
        version: "1".into(),
        code: None,
        metrics: vec![],
        parameters: vec![ParameterAxis { name: "n".into(), texts }],
        timeout_s: None,
        settings: Settings::default(),
        setup_cache: cache.map(|key| SetupCache { key: key.into(), timeout_s: None }),
        pretty_name: None,
        extra: BTreeMap::new(),
    };
    Planned { cases: (0..n_cases).collect(), benchmark, rounds }
}
