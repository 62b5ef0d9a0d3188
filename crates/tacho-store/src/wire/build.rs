//! How what was measured was built, as it stands in a record.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::time::Instant;
use crate::error::Misfit;

/// How the measured code was built and installed, or why it could not be.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct Build {
    /// Digest of everything that decides what the build gives.
    key: String,
    /// Why there is nothing to measure, in one line; null where the build came to its end.
    failure: Option<String>,
    /// The command lines as they were run, in order.
    commands: Vec<String>,
    /// Variables that were set for the build on top of the user's own.
    variables: BTreeMap<String, String>,
    /// What compilers call themselves, by the name they are called by.
    compilers: BTreeMap<String, String>,
    /// The wheel that was built.
    wheel: Option<Wheel>,
    /// For each distribution in the environment, the SHA-256 of what it installed.
    dependencies: BTreeMap<String, String>,
    /// When it began.
    started_at: Instant,
    /// How long it took.
    duration_ns: u64,
    /// The end of what its commands printed.
    log_tail: String,
    /// True where an earlier run had built it and this one only took it up.
    reused: bool,
}

/// A wheel that was built.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Wheel {
    /// Its file name.
    name: String,
    /// The SHA-256 of the file.
    sha256: String,
}

impl Build {
    pub(super) fn from_model(build: &tacho_model::Build) -> Result<Build, Misfit> {
        let tacho_model::Build {
            key,
            failure,
            commands,
            variables,
            compilers,
            wheel,
            dependencies,
            started_at,
            duration_ns,
            log_tail,
            reused,
        } = build.clone();
        let wheel = wheel.map(|tacho_model::Wheel { name, sha256 }| Wheel { name, sha256 });
        let started_at = Instant::from_model(started_at)?;
        Ok(Build {
            key,
            failure,
            commands,
            variables,
            compilers,
            wheel,
            dependencies,
            started_at,
            duration_ns,
            log_tail,
            reused,
        })
    }

    pub(super) fn into_model(self) -> Result<tacho_model::Build, Misfit> {
        let Build {
            key,
            failure,
            commands,
            variables,
            compilers,
            wheel,
            dependencies,
            started_at,
            duration_ns,
            log_tail,
            reused,
        } = self;
        let wheel = wheel.map(|Wheel { name, sha256 }| tacho_model::Wheel { name, sha256 });
        let started_at = started_at.into_model()?;
        Ok(tacho_model::Build {
            key,
            failure,
            commands,
            variables,
            compilers,
            wheel,
            dependencies,
            started_at,
            duration_ns,
            log_tail,
            reused,
        })
    }
}
