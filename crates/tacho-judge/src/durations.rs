//! Where a run's time went.

use std::collections::HashMap;

use tacho_model::Run;

/// Returns the time that all rounds of each planned benchmark took together, in nanoseconds, slowest
/// first. Set-up and warm-up are included; benchmarks without a round are left out.
pub fn durations(run: &Run) -> Vec<(String, u64)> {
    let mut totals: HashMap<&str, u64> = HashMap::new();
    for round in &run.rounds {
        *totals.entry(&round.benchmark).or_default() += round.duration_ns;
    }
    let names = run.planned.iter().map(|planned| planned.benchmark.name.as_str());
    let mut found: Vec<(String, u64)> = names.filter_map(|name| Some((name.to_owned(), *totals.get(name)?))).collect();
    // Stable: equally slow ones stay in the order of the suite.
    found.sort_by_key(|(_, duration_ns)| std::cmp::Reverse(*duration_ns));
    found
}
