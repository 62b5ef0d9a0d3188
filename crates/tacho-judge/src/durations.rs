//! Where the time of runs went, and when benchmarks were measured.

use std::cmp::Reverse;
use std::collections::HashMap;

use tacho_model::{BenchmarkTime, Run, Timestamp};

/// Returns when the first round of each planned benchmark began and how long all of its rounds took, in the order of the plan;
/// benchmarks without a round are left out.
pub fn benchmark_times(run: &Run) -> Vec<BenchmarkTime> {
    let mut found: HashMap<&str, (Timestamp, u64)> = HashMap::new();
    for round in &run.rounds {
        let (began, total) = found.entry(&round.benchmark).or_insert((round.started_at, 0));
        *began = (*began).min(round.started_at);
        add(total, round.duration_ns);
    }
    let time = |name: &String| {
        let (began, total) = *found.get(name.as_str())?;
        Some(BenchmarkTime { name: name.clone(), started_at: Some(began), duration_ns: Some(total) })
    };
    run.planned.iter().filter_map(|planned| time(&planned.benchmark.name)).collect()
}

/// Returns the time that all rounds of each planned benchmark took together, in nanoseconds, slowest first. Set-up and warm-up are
/// included; benchmarks without a round are left out.
pub fn durations(run: &Run) -> Vec<(String, u64)> {
    durations_of(&benchmark_times(run))
}

/// Returns the durations of several runs together, slowest first; equally slow ones by name.
pub fn durations_of<'a>(times: impl IntoIterator<Item = &'a BenchmarkTime>) -> Vec<(String, u64)> {
    let mut totals: HashMap<String, u64> = HashMap::new();
    for BenchmarkTime { name, started_at: _, duration_ns } in times {
        if let Some(duration_ns) = duration_ns {
            add(totals.entry(name.clone()).or_default(), *duration_ns);
        }
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

    fn of(runs: &[Run]) -> Vec<(String, u64)> {
        let times: Vec<BenchmarkTime> = runs.iter().flat_map(benchmark_times).collect();
        durations_of(&times)
    }

    #[test]
    fn a_benchmark_began_with_its_first_round_and_took_as_long_as_all() {
        let mut rounds = vec![measured("a", "0", 0, &[2]), measured("b", "0", 0, &[2]), measured("b", "1", 0, &[2])];
        rounds[1].started_at = Timestamp { unix_us: 9 };
        rounds[2].started_at = Timestamp { unix_us: 7 };
        let times = benchmark_times(&run(vec![benchmark("a", 1), benchmark("b", 2), benchmark("c", 1)], rounds));
        let told: Vec<_> = times.iter().map(|time| (time.name.as_str(), time.duration_ns)).collect();
        assert_eq!(told, [("a", Some(5)), ("b", Some(10))]);
        assert_eq!(times[1].started_at, Some(Timestamp { unix_us: 7 }));
    }

    #[test]
    fn durations_are_summed_by_benchmark_slowest_first() {
        let rounds = vec![measured("a", "0", 0, &[2]), measured("b", "0", 0, &[2]), measured("b", "1", 0, &[2])];
        let run = run(vec![benchmark("a", 1), benchmark("b", 2), benchmark("c", 1)], rounds);
        assert_eq!(of(&[run]), [("b".into(), 10), ("a".into(), 5)]);
    }

    #[test]
    fn durations_of_several_runs_are_added_and_ties_stand_by_name() {
        let one = run(vec![benchmark("c", 1), benchmark("a", 1)], vec![measured("c", "0", 0, &[2])]);
        let rounds = ["a", "b", "b", "b"].map(|name| measured(name, "0", 0, &[2])).to_vec();
        let two = run(vec![benchmark("b", 1), benchmark("a", 1)], rounds);
        assert_eq!(of(&[one, two]), [("b".into(), 15), ("a".into(), 5), ("c".into(), 5)]);
        assert_eq!(of(&[]), []);
    }

    #[test]
    fn times_that_no_run_can_take_do_no_harm() {
        let endless = Round { duration_ns: u64::MAX, ..measured("a", "0", 0, &[2]) };
        let run = run(vec![benchmark("a", 1)], vec![endless.clone(), endless]);
        assert_eq!(of(&[run.clone(), run]), [("a".into(), u64::MAX)]);
    }
}
