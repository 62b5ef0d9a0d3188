//! Where the time of runs went.

use std::cmp::Reverse;
use std::collections::HashMap;

use tacho_model::Run;

/// Returns the time that all rounds of each planned benchmark took together, in nanoseconds, slowest
/// first. Set-up and warm-up are included; benchmarks without a round are left out.
pub fn durations(run: &Run) -> Vec<(String, u64)> {
    let mut totals: HashMap<&str, u64> = HashMap::new();
    for round in &run.rounds {
        add(totals.entry(&round.benchmark).or_default(), round.duration_ns);
    }
    let names = run.planned.iter().map(|planned| planned.benchmark.name.as_str());
    let mut found: Vec<(String, u64)> = names.filter_map(|name| Some((name.to_owned(), *totals.get(name)?))).collect();
    // Stable: equally slow ones stay in the order of the suite.
    found.sort_by_key(|(_, duration_ns)| Reverse(*duration_ns));
    found
}

/// Returns what [`durations()`] gives for several runs together, slowest first; equally slow ones by name.
pub fn durations_of(runs: &[Run]) -> Vec<(String, u64)> {
    let mut totals: HashMap<String, u64> = HashMap::new();
    for (name, duration_ns) in runs.iter().flat_map(durations) {
        add(totals.entry(name).or_default(), duration_ns);
    }
    let mut found: Vec<(String, u64)> = totals.into_iter().collect();
    found.sort_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
    found
}

// A record may say anything; centuries are as good as more centuries.
fn add(total: &mut u64, duration_ns: u64) {
    *total = total.saturating_add(duration_ns);
}

#[cfg(test)]
mod tests {
    use tacho_model::Round;

    use super::*;
    use crate::fixture::{benchmark, measured, run};

    #[test]
    fn durations_are_summed_by_benchmark_slowest_first() {
        let rounds = vec![measured("a", "0", 0, &[2]), measured("b", "0", 0, &[2]), measured("b", "1", 0, &[2])];
        let run = run(vec![benchmark("a", 1), benchmark("b", 2), benchmark("c", 1)], rounds);
        assert_eq!(durations(&run), [("b".into(), 10), ("a".into(), 5)]);
    }

    #[test]
    fn durations_of_several_runs_are_added_and_ties_stand_by_name() {
        let one = run(vec![benchmark("c", 1), benchmark("a", 1)], vec![measured("c", "0", 0, &[2])]);
        let rounds = ["a", "b", "b", "b"].map(|name| measured(name, "0", 0, &[2])).to_vec();
        let two = run(vec![benchmark("b", 1), benchmark("a", 1)], rounds);
        assert_eq!(durations_of(&[one, two]), [("b".into(), 15), ("a".into(), 5), ("c".into(), 5)]);
        assert_eq!(durations_of(&[]), []);
    }

    #[test]
    fn times_that_no_run_can_take_do_no_harm() {
        let endless = Round { duration_ns: u64::MAX, ..measured("a", "0", 0, &[2]) };
        let run = run(vec![benchmark("a", 1)], vec![endless.clone(), endless]);
        assert_eq!(durations_of(&[run.clone(), run]), [("a".into(), u64::MAX)]);
    }
}
