//! A build: how the measured code came into its environment.

use std::collections::BTreeMap;

use crate::Timestamp;

/// How the measured code was built and installed, or why it could not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    /// Digest of everything that decides what the build gives: source, tool, interpreter, requirements, commands, variables.
    pub key: String,
    /// Why there is nothing to measure: one line. `None` where the build came to its end.
    pub failure: Option<String>,
    /// The command lines as they were run, in order, with private prefixes replaced.
    pub commands: Vec<String>,
    /// Variables that were set for the build on top of the user's own.
    pub variables: BTreeMap<String, String>,
    /// What compilers call themselves, by the name they are called by: `cc` gives `gcc (Debian 12.2.0-14) 12.2.0`.
    pub compilers: BTreeMap<String, String>,
    /// The wheel that was built, where one was.
    pub wheel: Option<Wheel>,
    /// For each distribution in the environment, the SHA-256 of what it installed.
    pub dependencies: BTreeMap<String, String>,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took, in nanoseconds.
    pub duration_ns: u64,
    /// The end of what its commands printed; the whole of it lies in the cache.
    pub log_tail: String,
    /// True where an earlier run had built it and this one only took it up.
    pub reused: bool,
}

/// A wheel that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wheel {
    /// Its file name.
    pub name: String,
    /// The SHA-256 of the file.
    pub sha256: String,
}
