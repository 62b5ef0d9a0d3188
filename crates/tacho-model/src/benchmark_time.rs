//! When a benchmark was measured, and how long that took.

use crate::Timestamp;

/// The time that one benchmark took in a run, all of its cases together; or what asv did before it could be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchmarkTime {
    /// The benchmark's name. asv's files also tell of `<build>` and of `<setup_cache NAME>`.
    pub name: String,
    /// When it began, where that is known.
    pub started_at: Option<Timestamp>,
    /// How long it took, in nanoseconds, where that is known.
    pub duration_ns: Option<u64>,
}
