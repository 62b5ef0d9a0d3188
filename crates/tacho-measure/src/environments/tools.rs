//! What makes environments: each tool's own words for making, building and installing.

mod conda;
mod uv;
mod venv;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::interpreters::Interpreter;
use super::job::{Job, Trouble};
use super::plan::has_own_interpreter;
use super::spec::{EnvironmentSpec, Tool};
use super::workshop::{MakeError, Workshop};

pub(super) use conda::Conda;

/// The tool that is used, as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Maker {
    /// `uv`, at this path.
    Uv(PathBuf),
    /// Python's own `venv`, with pip.
    Venv,
    /// A program that takes conda's words.
    Conda(Conda),
    /// The lines of the settings.
    Command,
}

/// An environment to be made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Environment<'a> {
    pub(super) dir: &'a Path,
    pub(super) spec: &'a EnvironmentSpec,
    pub(super) interpreter: Option<&'a Interpreter>,
    /// Whether lines of the settings will want pip in it.
    pub(super) with_pip: bool,
}

/// What is installed in one go, so that nothing of it changes what was pinned by another part.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Requirement lines.
    pub(super) lines: Vec<String>,
    /// A file of locked requirements.
    pub(super) lock: Option<PathBuf>,
    /// The project's wheel, and its SHA-256.
    pub(super) wheel: Option<(PathBuf, String)>,
}

impl Wanted {
    pub(super) fn is_empty(&self) -> bool {
        let Wanted { lines, lock, wheel } = self;
        lines.is_empty() && lock.is_none() && wheel.is_none()
    }
}

/// Returns the tool that a specification asks for; `venv` in the place of a `uv` that is not there.
pub(super) fn chosen(workshop: &Workshop, spec: &EnvironmentSpec, say: &dyn Fn(&str)) -> Result<Maker, MakeError> {
    match &spec.tool {
        Tool::Uv => Ok(workshop.search.tool("uv").map_or_else(
            || {
                workshop.say_once(say, "`uv` is not installed: environments are made by `venv`, which takes longer");
                Maker::Venv
            },
            Maker::Uv,
        )),
        Tool::Venv => Ok(Maker::Venv),
        Tool::Conda { program } => Conda::find(&workshop.search, program).map(Maker::Conda),
        Tool::Command => Ok(Maker::Command),
        Tool::Existing => Err(MakeError::Tool {
            problem: "nothing is made in an environment that is there".into(),
            hint: "ask for one that is made: `-E uv` or `-E venv`".into(),
        }),
    }
}

impl Maker {
    /// Returns asv's word for it: `ASV_ENV_TYPE`.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Maker::Uv(_) => "uv",
            Maker::Venv => "venv",
            Maker::Conda(_) => "conda",
            Maker::Command => "command",
        }
    }

    /// Returns the interpreter of an environment.
    pub(super) fn python(&self, environment: &Environment<'_>) -> PathBuf {
        let Environment { dir, spec, interpreter, with_pip: _ } = environment;
        match (self, interpreter, &spec.python) {
            (Maker::Conda(conda), ..) => conda.prefix(dir).join("bin/python"),
            (Maker::Command, None, Some(python)) if has_own_interpreter(spec) => {
                PathBuf::from(python.replace("{env_dir}", &dir.display().to_string()))
            }
            (Maker::Command, Some(interpreter), _) => interpreter.path().to_owned(),
            _ => dir.join("bin/python"),
        }
    }

    /// Returns the folder with the environment's packages in it: `bin`, `lib`.
    pub(super) fn prefix(&self, dir: &Path) -> PathBuf {
        match self {
            Maker::Conda(conda) => conda.prefix(dir),
            _ => dir.to_owned(),
        }
    }

    /// Makes the environment, for conda-like tools with what they install themselves.
    pub(super) fn create(&self, job: &mut Job<'_>, environment: &Environment<'_>) -> Result<(), Trouble> {
        match self {
            Maker::Uv(program) => uv::create(job, program, environment).map_err(no_fault_of_the_source),
            Maker::Venv => venv::create(job, environment).map_err(no_fault_of_the_source),
            Maker::Conda(conda) => conda.create(job, environment),
            Maker::Command => {
                Ok(std::fs::create_dir_all(environment.dir).map_err(MakeError::io("create", environment.dir))?)
            }
        }
    }

    /// Builds a wheel of the project in `source` into `out`.
    pub(super) fn build(
        &self,
        job: &mut Job<'_>,
        environment: &Environment<'_>,
        source: &Path,
        out: &Path,
    ) -> Result<(), Trouble> {
        match (self, environment.interpreter) {
            (Maker::Uv(program), Some(interpreter)) => uv::build(job, program, interpreter.path(), source, out),
            (Maker::Venv, Some(interpreter)) if interpreter.pip.is_some() => {
                venv::build(job, interpreter.path(), source, out)
            }
            (Maker::Venv, Some(_)) => {
                // The interpreter has no pip of its own, and the environment is to have none.
                let dir = environment.dir.join("with-pip");
                let tools = Environment { dir: &dir, with_pip: true, ..*environment };
                venv::create(job, &tools).map_err(no_fault_of_the_source)?;
                venv::build(job, &dir.join("bin/python"), source, out)?;
                let _ = std::fs::remove_dir_all(&dir);
                Ok(())
            }
            _ => venv::build(job, &self.python(environment), source, out),
        }
    }

    /// Installs everything in one resolution.
    pub(super) fn install(
        &self,
        job: &mut Job<'_>,
        environment: &Environment<'_>,
        wanted: &Wanted,
    ) -> Result<(), Trouble> {
        match self {
            _ if wanted.is_empty() => Ok(()),
            Maker::Uv(program) => uv::install(job, program, environment, wanted),
            _ => venv::install(job, environment, &self.python(environment), wanted),
        }
    }

    /// Writes the requirements that a lock file holds to `to`, where pip and `uv` cannot read the file itself.
    pub(super) fn export_lock(&self, job: &mut Job<'_>, lock: &Path, to: &Path) -> Result<PathBuf, Trouble> {
        if lock.file_name().is_none_or(|name| name != "uv.lock") {
            return Ok(lock.to_owned());
        }
        let program = match self {
            Maker::Uv(program) => Some(program.clone()),
            _ => job.workshop.search.tool("uv"),
        };
        let program = program.ok_or_else(|| MakeError::Tool {
            problem: format!("`{}` can only be read by `uv`, which is not installed", lock.display()),
            hint: "install uv: https://docs.astral.sh/uv".into(),
        })?;
        uv::export(job, &program, lock, to)?;
        Ok(to.to_owned())
    }
}

/// An environment that cannot even be made empty says nothing about a commit.
fn no_fault_of_the_source(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Failed(problem) => Trouble::Other(MakeError::Tool {
            problem,
            hint: "an empty environment could not be made; try another interpreter or tool: -E uv, -E venv".into(),
        }),
        other => other,
    }
}

/// Returns a path as an address, which pip takes whatever the path holds: spaces, `#`, `${…}`.
fn address(path: &Path) -> String {
    let encoded = path.as_os_str().as_bytes().iter().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => char::from(*byte).to_string(),
        other => format!("%{other:02X}"),
    });
    format!("file://{}", encoded.collect::<String>())
}
