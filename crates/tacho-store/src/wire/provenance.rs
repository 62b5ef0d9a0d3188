//! Where numbers come from, as it stands in a record.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::build::Build;
use super::finite;
use super::time::Instant;
use super::words::Purpose;
use crate::error::Misfit;

/// Where a run's numbers come from.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Provenance {
    /// Sixteen hexadecimal digits, drawn at the start of the run.
    run_id: String,
    /// The project's name.
    project: String,
    /// What was measured.
    subject: Subject,
    /// The branch that was checked out, if any.
    branch: Option<String>,
    /// The tree id (or digest) of the benchmark suite.
    harness: Option<String>,
    /// Where it was measured.
    machine: Machine,
    /// In what.
    environment: Environment,
    /// How what was measured came into its environment; null where it was there already.
    build: Option<Build>,
    /// What for.
    purpose: Purpose,
    /// Shared by runs that were interleaved.
    experiment: Option<String>,
    /// The version of Tachograph.
    tool_version: String,
    /// The runner's name and version.
    runner: String,
    /// The measuring method asked for.
    method: String,
    /// When it began.
    started_at: Instant,
    /// Load of the machine just before it began.
    load: Option<Load>,
    /// What the user asked for.
    settings: RunSettings,
}

/// What a run measured.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Subject {
    /// A commit of the project.
    Commit {
        /// The full hash.
        hash: String,
        /// The author's date.
        date: Option<Instant>,
    },
    /// A work tree with changes that no commit holds.
    Tree {
        /// The git tree id of everything that is not ignored.
        tree: String,
        /// The commit the work tree stands on.
        parent: Option<String>,
    },
    /// A released version of a package.
    Version {
        /// The package's name.
        package: String,
        /// Its version.
        version: String,
    },
    /// A moment, where nothing else names what was measured.
    Date {
        /// The moment.
        date: Instant,
    },
}

/// A machine: a declared name, with facts that annotate and never identify.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Machine {
    /// The declared name.
    name: String,
    /// Observed facts by name, as texts.
    facts: BTreeMap<String, String>,
}

/// Where the measured code lived.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Environment {
    /// A label for people; no part of any identity.
    label: String,
    /// What made it: `existing`, `uv`, `venv`, `conda`, `command`.
    tool: String,
    /// Declared axes by name: part of the identity of a series.
    axes: BTreeMap<String, String>,
    /// The interpreter: implementation and full version.
    interpreter: String,
    /// The interpreter's path, with private prefixes replaced.
    executable: String,
    /// Installed distributions and their versions.
    packages: BTreeMap<String, String>,
    /// Declared environment variables and their values; null for one that was unset.
    variables: BTreeMap<String, Option<String>>,
    /// Threads and processors.
    threads: Threads,
}

/// How many threads numeric libraries were allowed, and where they ran.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Threads {
    /// The declared cap for every threading library.
    cap: Option<u32>,
    /// The processors the benchmarks were pinned to.
    cpus: Option<Vec<u32>>,
    /// The NUMA node that the benchmarks' memory was bound to.
    memory_node: Option<u32>,
}

/// Load averages.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct Load {
    /// Over one minute.
    one_minute: f64,
    /// Over five minutes.
    five_minutes: f64,
    /// Over fifteen minutes.
    fifteen_minutes: f64,
}

/// What the user asked of the measuring loop.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct RunSettings {
    /// True for one call, one sample, one round: shown, never a baseline.
    quick: bool,
    /// Overridden benchmark attributes, as texts by name.
    attributes: BTreeMap<String, String>,
    /// The patterns that selected benchmarks; empty for all.
    bench: Vec<String>,
    /// Seconds for one process where the benchmark names no limit.
    default_timeout_s: f64,
}

impl Provenance {
    pub(crate) fn from_model(provenance: &tacho_model::Provenance) -> Result<Provenance, Misfit> {
        let tacho_model::Provenance {
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
        Ok(Provenance {
            run_id: run_id.clone(),
            project: project.clone(),
            subject: Subject::from_model(subject)?,
            branch: branch.clone(),
            harness: harness.clone(),
            machine: Machine::from_model(machine),
            environment: Environment::from_model(environment),
            build: build.as_ref().map(Build::from_model).transpose()?,
            purpose: (*purpose).into(),
            experiment: experiment.clone(),
            tool_version: tool_version.clone(),
            runner: runner.clone(),
            method: method.clone(),
            started_at: Instant::from_model(*started_at)?,
            load: load.map(Load::from_model).transpose()?,
            settings: RunSettings::from_model(settings),
        })
    }

    pub(crate) fn into_model(self) -> Result<tacho_model::Provenance, Misfit> {
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
        } = self;
        Ok(tacho_model::Provenance {
            run_id,
            project,
            subject: subject.into_model()?,
            branch,
            harness,
            machine: machine.into_model(),
            environment: environment.into_model(),
            build: build.map(Build::into_model).transpose()?,
            purpose: purpose.into(),
            experiment,
            tool_version,
            runner,
            method,
            started_at: started_at.into_model()?,
            load: load.map(Load::into_model),
            settings: settings.into_model(),
        })
    }
}

impl Subject {
    fn from_model(subject: &tacho_model::Subject) -> Result<Subject, Misfit> {
        Ok(match subject {
            tacho_model::Subject::Commit { hash, date } => {
                Subject::Commit { hash: hash.clone(), date: date.map(Instant::from_model).transpose()? }
            }
            tacho_model::Subject::Tree { tree, parent } => Subject::Tree { tree: tree.clone(), parent: parent.clone() },
            tacho_model::Subject::Version { package, version } => {
                Subject::Version { package: package.clone(), version: version.clone() }
            }
            tacho_model::Subject::Date { date } => Subject::Date { date: Instant::from_model(*date)? },
        })
    }

    fn into_model(self) -> Result<tacho_model::Subject, Misfit> {
        Ok(match self {
            Subject::Commit { hash, date } => {
                tacho_model::Subject::Commit { hash, date: date.map(Instant::into_model).transpose()? }
            }
            Subject::Tree { tree, parent } => tacho_model::Subject::Tree { tree, parent },
            Subject::Version { package, version } => tacho_model::Subject::Version { package, version },
            Subject::Date { date } => tacho_model::Subject::Date { date: date.into_model()? },
        })
    }
}

impl Machine {
    fn from_model(machine: &tacho_model::Machine) -> Machine {
        let tacho_model::Machine { name, facts } = machine;
        Machine { name: name.clone(), facts: facts.clone() }
    }

    fn into_model(self) -> tacho_model::Machine {
        let Machine { name, facts } = self;
        tacho_model::Machine { name, facts }
    }
}

impl Environment {
    fn from_model(environment: &tacho_model::Environment) -> Environment {
        let tacho_model::Environment { label, tool, axes, interpreter, executable, packages, variables, threads } =
            environment;
        Environment {
            label: label.clone(),
            tool: tool.clone(),
            axes: axes.clone(),
            interpreter: interpreter.clone(),
            executable: executable.clone(),
            packages: packages.clone(),
            variables: variables.clone(),
            threads: Threads::from_model(threads),
        }
    }

    fn into_model(self) -> tacho_model::Environment {
        let Environment { label, tool, axes, interpreter, executable, packages, variables, threads } = self;
        tacho_model::Environment {
            label,
            tool,
            axes,
            interpreter,
            executable,
            packages,
            variables,
            threads: threads.into_model(),
        }
    }
}

impl Threads {
    fn from_model(threads: &tacho_model::Threads) -> Threads {
        let tacho_model::Threads { cap, cpus, memory_node } = threads;
        Threads { cap: *cap, cpus: cpus.clone(), memory_node: *memory_node }
    }

    fn into_model(self) -> tacho_model::Threads {
        let Threads { cap, cpus, memory_node } = self;
        tacho_model::Threads { cap, cpus, memory_node }
    }
}

impl Load {
    pub(super) fn from_model(load: tacho_model::Load) -> Result<Load, Misfit> {
        let tacho_model::Load { one_minute, five_minutes, fifteen_minutes } = load;
        let average = |value| finite(value, || "the load of the machine".into());
        Ok(Load {
            one_minute: average(one_minute)?,
            five_minutes: average(five_minutes)?,
            fifteen_minutes: average(fifteen_minutes)?,
        })
    }

    pub(super) fn into_model(self) -> tacho_model::Load {
        let Load { one_minute, five_minutes, fifteen_minutes } = self;
        tacho_model::Load { one_minute, five_minutes, fifteen_minutes }
    }
}

impl RunSettings {
    fn from_model(settings: &tacho_model::RunSettings) -> RunSettings {
        let tacho_model::RunSettings { quick, attributes, bench, default_timeout_s } = settings;
        RunSettings {
            quick: *quick,
            attributes: attributes.clone(),
            bench: bench.clone(),
            default_timeout_s: *default_timeout_s,
        }
    }

    fn into_model(self) -> tacho_model::RunSettings {
        let RunSettings { quick, attributes, bench, default_timeout_s } = self;
        tacho_model::RunSettings { quick, attributes, bench, default_timeout_s }
    }
}
