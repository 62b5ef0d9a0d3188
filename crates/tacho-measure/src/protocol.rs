//! The runner protocol's messages, exactly as `protocol/PROTOCOL.md` describes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the protocol that this side speaks.
pub const PROTOCOL_VERSION: u32 = 1;

/// What `tacho` asks of a runner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    Hello {
        id: u64,
        protocol: u32,
    },
    Facts {
        id: u64,
    },
    Load {
        id: u64,
        suite: SuiteWire,
        only: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        skip: Vec<String>,
    },
    Discover {
        id: u64,
        isolation: IsolationWire,
    },
    Inspect {
        id: u64,
        isolation: IsolationWire,
    },
    SetupCache(SetupCacheRequest),
    Run(Box<RunRequest>),
    Check(Box<CheckRequest>),
    Stop {
        id: u64,
    },
}

/// Where a suite is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum SuiteWire {
    Package { root: String },
    File { path: String },
}

/// A child of the runner's interpreter, or the interpreter itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IsolationWire {
    Fork,
    #[serde(rename = "self")]
    Itself,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetupCacheRequest {
    pub(crate) id: u64,
    pub(crate) benchmark: String,
    pub(crate) isolation: IsolationWire,
    pub(crate) dir: String,
    pub(crate) timeout_s: f64,
    pub(crate) affinity: Option<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output_limit_bytes: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunRequest {
    pub(crate) id: u64,
    pub(crate) benchmark: String,
    pub(crate) case: usize,
    pub(crate) params: Vec<String>,
    pub(crate) isolation: IsolationWire,
    pub(crate) method: String,
    pub(crate) settings: Map<String, Value>,
    pub(crate) timeout_s: f64,
    pub(crate) dir: String,
    pub(crate) cache: Option<String>,
    pub(crate) affinity: Option<Vec<u32>>,
    pub(crate) output_limit_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    pub(crate) id: u64,
    pub(crate) benchmark: String,
    pub(crate) case: usize,
    pub(crate) params: Vec<String>,
    pub(crate) isolation: IsolationWire,
    pub(crate) timeout_s: f64,
    pub(crate) dir: String,
    pub(crate) cache: Option<String>,
    pub(crate) affinity: Option<Vec<u32>>,
    pub(crate) output_limit_bytes: u64,
}

impl Request {
    pub(crate) fn id(&self) -> u64 {
        match self {
            Request::Hello { id, .. }
            | Request::Facts { id }
            | Request::Load { id, .. }
            | Request::Discover { id, .. }
            | Request::Inspect { id, .. }
            | Request::Stop { id } => *id,
            Request::SetupCache(request) => request.id,
            Request::Run(request) => request.id,
            Request::Check(request) => request.id,
        }
    }
}

/// What a runner answers. Unknown fields are ignored, as the protocol asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub(crate) enum Reply {
    Hello(HelloReply),
    Facts(FactsReply),
    Importing { id: u64, module: String },
    Loaded(LoadedReply),
    Benchmark(Box<BenchmarkReply>),
    Discovered(DiscoveredReply),
    Inspected(InspectedReply),
    SetupCache(SetupCacheReply),
    Ran(Box<RanReply>),
    Checked(Box<CheckedReply>),
    Stopped { id: u64 },
    Error { id: u64, message: String },
}

impl Reply {
    pub(crate) fn id(&self) -> u64 {
        match self {
            Reply::Hello(reply) => reply.id,
            Reply::Facts(reply) => reply.id,
            Reply::Loaded(reply) => reply.id,
            Reply::Benchmark(reply) => reply.id,
            Reply::Discovered(reply) => reply.id,
            Reply::SetupCache(reply) => reply.id,
            Reply::Ran(reply) => reply.id,
            Reply::Inspected(reply) => reply.id,
            Reply::Checked(reply) => reply.id,
            Reply::Importing { id, .. } | Reply::Stopped { id } | Reply::Error { id, .. } => *id,
        }
    }

    /// Returns true where no further reply to the same request follows.
    pub(crate) fn is_final(&self) -> bool {
        !matches!(self, Reply::Benchmark(_) | Reply::Importing { .. })
    }

    /// Returns the word of the reply, for messages about a wrong one.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Reply::Hello(_) => "hello",
            Reply::Facts(_) => "facts",
            Reply::Importing { .. } => "importing",
            Reply::Loaded(_) => "loaded",
            Reply::Benchmark(_) => "benchmark",
            Reply::Discovered(_) => "discovered",
            Reply::SetupCache(_) => "setup_cache",
            Reply::Ran(_) => "ran",
            Reply::Inspected(_) => "inspected",
            Reply::Checked(_) => "checked",
            Reply::Stopped { .. } => "stopped",
            Reply::Error { .. } => "error",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct HelloReply {
    pub(crate) id: u64,
    pub(crate) protocol: u32,
    pub(crate) runner: String,
    pub(crate) language: String,
    pub(crate) implementation: String,
    pub(crate) version: String,
    pub(crate) executable: String,
    pub(crate) prefix: String,
    pub(crate) pid: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FactsReply {
    pub(crate) id: u64,
    pub(crate) packages: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) build: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LoadedReply {
    pub(crate) id: u64,
    pub(crate) modules: u64,
    pub(crate) problems: Vec<LoadProblem>,
    pub(crate) fork: ForkReply,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LoadProblem {
    pub(crate) module: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u64>,
    pub(crate) error: String,
    pub(crate) traceback: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ForkReply {
    pub(crate) safe: bool,
    pub(crate) reasons: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct BenchmarkReply {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) module: String,
    pub(crate) kind: String,
    pub(crate) unit: String,
    pub(crate) version: String,
    pub(crate) code: Option<String>,
    pub(crate) params: Vec<Vec<String>>,
    pub(crate) param_names: Vec<String>,
    pub(crate) timeout_s: Option<f64>,
    pub(crate) settings: Map<String, Value>,
    pub(crate) setup_cache: Option<CacheWire>,
    pub(crate) pretty_name: Option<String>,
    pub(crate) better: Option<String>,
    #[serde(default)]
    pub(crate) extra: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CacheWire {
    pub(crate) key: String,
    pub(crate) timeout_s: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct DiscoveredReply {
    pub(crate) id: u64,
    pub(crate) n: u64,
    pub(crate) problems: Vec<DiscoveryProblem>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct DiscoveryProblem {
    pub(crate) module: String,
    pub(crate) name: Option<String>,
    pub(crate) error: String,
    pub(crate) traceback: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct InspectedReply {
    pub(crate) id: u64,
    pub(crate) findings: Vec<FindingWire>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FindingWire {
    pub(crate) module: String,
    pub(crate) name: String,
    pub(crate) level: String,
    pub(crate) text: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SetupCacheReply {
    pub(crate) id: u64,
    pub(crate) state: String,
    pub(crate) message: Option<String>,
    pub(crate) traceback: Option<String>,
    pub(crate) duration_ns: u64,
    #[serde(default)]
    pub(crate) observed: BTreeMap<String, f64>,
    #[serde(default)]
    pub(crate) output: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RanReply {
    pub(crate) id: u64,
    pub(crate) state: String,
    pub(crate) method: Option<String>,
    pub(crate) number: Option<u64>,
    pub(crate) samples_ns: Option<Vec<u64>>,
    pub(crate) values: Option<Vec<f64>>,
    pub(crate) message: Option<String>,
    pub(crate) traceback: Option<String>,
    pub(crate) started_at_s: f64,
    pub(crate) duration_ns: u64,
    pub(crate) signal: Option<String>,
    pub(crate) exit_status: Option<i64>,
    #[serde(default)]
    pub(crate) observed: BTreeMap<String, f64>,
    #[serde(default)]
    pub(crate) output: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckedReply {
    pub(crate) id: u64,
    pub(crate) state: String,
    pub(crate) phase: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) traceback: Option<String>,
    pub(crate) duration_ns: u64,
    pub(crate) signal: Option<String>,
    pub(crate) exit_status: Option<i64>,
    #[serde(default)]
    pub(crate) observed: BTreeMap<String, f64>,
    #[serde(default)]
    pub(crate) output: String,
}

#[cfg(test)]
mod tests;
