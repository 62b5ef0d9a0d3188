//! The environment a run was measured in: declared axes, and what was observed beside them.

use std::collections::BTreeMap;

/// How many threads numeric libraries were allowed, and where they ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Threads {
    /// The declared cap for every threading library, if there was one.
    pub cap: Option<u32>,
    /// The processors the benchmarks were pinned to, if they were.
    pub cpus: Option<Vec<u32>>,
    /// The NUMA node that the benchmarks' memory was bound to, if it was.
    pub memory_node: Option<u32>,
}

/// Where the measured code lived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// A label for people (asv's `env_name`); no part of any identity.
    pub label: String,
    /// What made it: `existing`, `uv`, `venv`, `conda`, `command`.
    pub tool: String,
    /// Declared axes by name (`python`, `req.numpy`, `env.OMP_NUM_THREADS`, `threads`): part of the series key.
    pub axes: BTreeMap<String, String>,
    /// The interpreter: implementation and full version (`CPython 3.11.7`).
    pub interpreter: String,
    /// The interpreter's path, with private prefixes replaced.
    pub executable: String,
    /// Installed distributions and their versions: observed.
    pub packages: BTreeMap<String, String>,
    /// Declared environment variables and the values they had; `None` for one that was unset.
    pub variables: BTreeMap<String, Option<String>>,
    /// Threads and processors.
    pub threads: Threads,
}
