//! The extra key of what was exported from records: which records, and what asv's format has no place for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The key in result files and in `machine.json`, and in each entry of `benchmarks.json`. asv passes over it.
pub(super) const KEY: &str = "tacho";

/// What stands under [`KEY`] in a result file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Exported {
    /// The records that the file was made of, oldest first.
    pub(super) records: Vec<RecordName>,
    /// The environment's axes; asv knows some of them, and by other names.
    pub(super) axes: BTreeMap<String, String>,
    /// What gave the samples.
    pub(super) method: String,
    pub(super) runner: String,
    pub(super) tool_version: String,
    /// Benchmark and metric of those names in the file that do not tell them.
    #[serde(default)]
    pub(super) metrics: BTreeMap<String, BenchmarkMetric>,
    /// What gave the samples of those names in the file that it was not `method` for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) methods: BTreeMap<String, String>,
}

/// A record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordName {
    pub(super) run_id: String,
    /// The SHA-256 of its lines before the seal.
    pub(super) sha256: String,
}

/// One metric of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BenchmarkMetric {
    pub(super) benchmark: String,
    pub(super) metric: String,
}

impl Exported {
    /// Returns what stands under the key; `None` where it is of another make, which makes the file asv's own.
    pub(super) fn of(value: serde_json::Value) -> Option<Exported> {
        serde_json::from_value(value).ok()
    }
}
