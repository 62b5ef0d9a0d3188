//! Twins of a run's provenance, in full.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::{Build, Environment, Load, Provenance, RunSettings, Threads, Wheel};

use super::nouns::{MachineTwin, SubjectTwin};
use super::seconds;
use crate::rfc3339;

#[derive(Serialize)]
pub(super) struct ProvenanceTwin<'a> {
    run_id: &'a str,
    project: &'a str,
    subject: SubjectTwin<'a>,
    branch: Option<&'a str>,
    harness: Option<&'a str>,
    machine: MachineTwin<'a>,
    environment: EnvironmentTwin<'a>,
    build: Option<BuildTwin<'a>>,
    purpose: &'static str,
    experiment: Option<&'a str>,
    tool_version: &'a str,
    runner: &'a str,
    method: &'a str,
    started_at: Option<String>,
    load: Option<LoadTwin>,
    settings: SettingsTwin<'a>,
}

impl ProvenanceTwin<'_> {
    pub(super) fn of(provenance: &Provenance) -> ProvenanceTwin<'_> {
        let Provenance {
            run_id,
            project,
            subject,
            branch,
            harness,
            machine,
            environment,
            build,
            purpose,
            experiment,
            tool_version,
            runner,
            method,
            started_at,
            load,
            settings,
        } = provenance;
        ProvenanceTwin {
            run_id,
            project,
            subject: SubjectTwin::of(subject),
            branch: branch.as_deref(),
            harness: harness.as_deref(),
            machine: MachineTwin::of(machine),
            environment: EnvironmentTwin::of(environment),
            build: build.as_ref().map(BuildTwin::of),
            purpose: purpose.word(),
            experiment: experiment.as_deref(),
            tool_version,
            runner,
            method,
            started_at: rfc3339(*started_at),
            load: load.as_ref().map(LoadTwin::of),
            settings: SettingsTwin::of(settings),
        }
    }
}

#[derive(Serialize)]
struct EnvironmentTwin<'a> {
    label: &'a str,
    tool: &'a str,
    axes: &'a BTreeMap<String, String>,
    interpreter: Option<&'a str>,
    executable: Option<&'a str>,
    packages: &'a BTreeMap<String, String>,
    variables: &'a BTreeMap<String, Option<String>>,
    threads: ThreadsTwin<'a>,
}

impl EnvironmentTwin<'_> {
    fn of(environment: &Environment) -> EnvironmentTwin<'_> {
        let Environment { label, tool, axes, interpreter, executable, packages, variables, threads } = environment;
        let Threads { cap, cpus, memory_node } = threads;
        let threads = ThreadsTwin { cap: *cap, cpus: cpus.as_deref(), memory_node: *memory_node };
        let (interpreter, executable) = (known(interpreter), known(executable));
        EnvironmentTwin { label, tool, axes, interpreter, executable, packages, variables, threads }
    }
}

/// Null for what nobody knows.
fn known(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

#[derive(Serialize)]
struct ThreadsTwin<'a> {
    cap: Option<u32>,
    cpus: Option<&'a [u32]>,
    memory_node: Option<u32>,
}

#[derive(Serialize)]
struct BuildTwin<'a> {
    key: &'a str,
    failure: Option<&'a str>,
    commands: &'a [String],
    variables: &'a BTreeMap<String, String>,
    compilers: &'a BTreeMap<String, String>,
    wheel: Option<WheelTwin<'a>>,
    dependencies: &'a BTreeMap<String, String>,
    started_at: Option<String>,
    duration_s: f64,
    reused: bool,
    log_tail: &'a str,
}

#[derive(Serialize)]
struct WheelTwin<'a> {
    name: &'a str,
    sha256: &'a str,
}

impl BuildTwin<'_> {
    fn of(build: &Build) -> BuildTwin<'_> {
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
        } = build;
        BuildTwin {
            key,
            failure: failure.as_deref(),
            commands,
            variables,
            compilers,
            wheel: wheel.as_ref().map(|Wheel { name, sha256 }| WheelTwin { name, sha256 }),
            dependencies,
            started_at: rfc3339(*started_at),
            duration_s: seconds(*duration_ns),
            reused: *reused,
            log_tail,
        }
    }
}

#[derive(Serialize)]
pub(super) struct LoadTwin {
    one_minute: f64,
    five_minutes: f64,
    fifteen_minutes: f64,
}

impl LoadTwin {
    pub(super) fn of(load: &Load) -> LoadTwin {
        let Load { one_minute, five_minutes, fifteen_minutes } = *load;
        LoadTwin { one_minute, five_minutes, fifteen_minutes }
    }
}

#[derive(Serialize)]
struct SettingsTwin<'a> {
    quick: bool,
    attributes: &'a BTreeMap<String, String>,
    bench: &'a [String],
    /// A number where the setting is one, as the suffix promises.
    default_timeout_s: Option<f64>,
}

impl SettingsTwin<'_> {
    fn of(settings: &RunSettings) -> SettingsTwin<'_> {
        let RunSettings { quick, attributes, bench, default_timeout_s } = settings;
        SettingsTwin {
            quick: *quick,
            attributes,
            bench,
            default_timeout_s: Some(*default_timeout_s).filter(|s| *s > 0.0),
        }
    }
}
