//! What a file says of when its benchmarks began and how long they took.

use std::collections::BTreeMap;

use tacho_model::{BenchmarkTime, Timestamp};

use super::document::Document;
use super::provenance::timestamp;

/// Returns the time of each benchmark, by name, and of what asv did beside them: `<build>`, `<setup_cache NAME>`.
pub(super) fn times(document: &Document) -> Vec<BenchmarkTime> {
    let metrics = document.head.exported.as_ref().map(|exported| &exported.metrics);
    let mut found: BTreeMap<&str, (Option<Timestamp>, Option<u64>)> = BTreeMap::new();
    for (name, row) in &document.rows {
        let own_name = metrics.and_then(|metrics| Some(metrics.get(name)?.benchmark.as_str()));
        // Further metrics of a benchmark were measured with it.
        let time = found.entry(own_name.unwrap_or(name)).or_default();
        time.0 = time.0.or(row.started_at_ms.and_then(timestamp));
        time.1 = time.1.or(row.duration_s.and_then(nanoseconds));
    }
    let beside = &document.head.durations_s;
    found.extend(beside.iter().map(|(name, seconds)| (name.as_str(), (None, nanoseconds(*seconds)))));
    let times = found.into_iter().filter(|(_, time)| *time != (None, None));
    let time =
        |(name, (started_at, duration_ns)): (&str, _)| BenchmarkTime { name: name.to_owned(), started_at, duration_ns };
    times.map(time).collect()
}

fn nanoseconds(seconds: f64) -> Option<u64> {
    (seconds >= 0.0).then_some((seconds * 1e9) as u64)
}
