//! One environment as it is asked for, and one way to run in it.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// What makes environments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// Nothing: the interpreter that is there, with what is installed in it.
    Existing,
    /// `uv`.
    Uv,
    /// Python's own `venv`, with pip.
    Venv,
    /// A program that takes conda's words.
    Conda {
        /// Its name or path: `conda`, `mamba`, `micromamba`, `pixi`.
        program: String,
    },
    /// The build lines and nothing else.
    Command,
}

/// A declared requirement: one value of an axis `req.NAME`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Requirement {
    /// The package.
    pub name: String,
    /// The version as declared: `1.26`, `>=2,<3`; empty for the newest.
    pub version: String,
    /// Installed by pip where the tool has packages of its own (asv's `pip+NAME`).
    pub by_pip: bool,
}

/// The lines that build, install and remove the project, in asv's words. `None` is the tool's own way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commands {
    /// Make what is to be installed.
    pub build: Option<Vec<String>>,
    /// Put it into the environment.
    pub install: Option<Vec<String>>,
    /// Take it out again.
    pub uninstall: Option<Vec<String>>,
}

/// What is made once: two runs with equal ones share an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentSpec {
    /// What makes it.
    pub tool: Tool,
    /// The interpreter: a version, a program's name or a path. `None` is the active `python3`.
    pub python: Option<String>,
    /// Declared requirements: the axes `req.NAME`.
    pub requirements: Vec<Requirement>,
    /// Further requirement lines, the same in every environment and no axes.
    pub packages: Vec<String>,
    /// A file of locked requirements, from the top of the measured source: `uv.lock` or lines as pip reads them.
    pub lock: Option<PathBuf>,
    /// A file that the conda-like tool makes the environment from, from the project's folder.
    pub environment_file: Option<PathBuf>,
    /// Channels of the conda-like tool.
    pub channels: Vec<String>,
    /// Variables of the build: the axes `build.NAME`, and asv's `env`.
    pub build_variables: BTreeMap<String, String>,
    /// How the project is built and installed.
    pub commands: Commands,
    /// A command that starts the interpreter in this environment instead of the interpreter by itself.
    pub run_line: Option<String>,
    /// A label for people, in asv's manner: `uv-py3.12-numpy2.1`.
    pub label: String,
    /// The declared axes of the environment, without `python`, which the interpreter tells itself.
    pub axes: BTreeMap<String, String>,
}

/// What only changes the run: no value of these makes another build.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunSpec {
    /// Variables set (`Some`) or removed (`None`) for every benchmark.
    pub variables: BTreeMap<String, Option<String>>,
    /// How many threads every threading library may use.
    pub threads: Option<u32>,
    /// The processors that benchmarks may use, ascending.
    pub cpus: Option<Vec<u32>>,
    /// The declared axes of the run: `env.NAME`, `threads`, `cpus`.
    pub axes: BTreeMap<String, String>,
}

/// One environment and one way to run in it: what a series is measured in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combination {
    /// What is made.
    pub environment: EnvironmentSpec,
    /// How it is run in.
    pub run: RunSpec,
    /// A label for people, in asv's manner, with what only changes the run: `uv-py3.12-numpy2.1-OMP_NUM_THREADS4`.
    pub label: String,
}

impl Combination {
    /// Returns all declared axes, without `python`.
    pub fn axes(&self) -> BTreeMap<String, String> {
        let of = |axes: &BTreeMap<String, String>| axes.clone().into_iter();
        of(&self.environment.axes).chain(of(&self.run.axes)).collect()
    }
}
