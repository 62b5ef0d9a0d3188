//! The venue of a suite: the interpreter that it is opened in, and what holds for everything that is started there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tacho_measure::environments::{Made, RunSpec, split_words};
use tacho_measure::numa;
use tacho_model::Build;

use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::interpreter;
use crate::settings::Settings;

/// Where a suite is opened.
#[derive(Debug, Clone)]
pub(crate) struct Venue {
    /// The interpreter.
    pub(crate) program: PathBuf,
    /// A label for people.
    pub(crate) label: String,
    /// What made it: `existing`, `uv`, …
    pub(crate) tool: String,
    /// The folder of an environment of our own.
    pub(crate) dir: Option<PathBuf>,
    /// What only changes the run.
    pub(crate) run: RunSpec,
    /// How the measured code came to be there.
    pub(crate) build: Option<Build>,
    /// Words in front of the interpreter.
    pub(crate) prefix: Vec<String>,
    /// Keeps an environment of our own from being removed.
    pub(crate) _held: Option<Made>,
}

impl Venue {
    /// Returns the interpreter that the settings name, as it is.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn existing(settings: &Settings, context: &Context<'_>) -> Result<Venue> {
        let run = RunSpec { variables: declared(settings), ..RunSpec::default() };
        Venue::existing_with(settings.python.value.as_deref(), &settings.python_base(&context.cwd), run)
    }

    /// Returns an interpreter that is there, with what only changes the run.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn existing_with(python: Option<&str>, base: &Path, run: RunSpec) -> Result<Venue> {
        let program = interpreter::find(python, base)?;
        let label = format!("existing-{}", program.file_name().map_or("python".into(), |name| name.to_string_lossy()));
        Ok(Venue { program, label, tool: "existing".into(), dir: None, run, build: None, prefix: vec![], _held: None })
    }

    /// Returns the variables that everything in it is started with: asv's own, then the declared ones.
    ///
    /// `PYTHONPATH` is not handed on unless `ASV_PYTHONPATH` asks for one: asv's rule.
    pub(crate) fn variables(&self, settings: &Settings, commit: Option<&str>) -> Vec<(String, Option<String>)> {
        let dir = self.dir.as_ref().map(|dir| dir.display().to_string());
        let mut set: Vec<(String, Option<String>)> = vec![
            ("ASV".into(), Some("true".into())),
            ("ASV_PROJECT".into(), Some(settings.project.value.clone())),
            ("ASV_CONF_DIR".into(), Some(settings.root.display().to_string())),
            ("ASV_ENV_NAME".into(), Some(self.label.clone())),
            ("ASV_ENV_TYPE".into(), Some(self.tool.clone())),
            ("ASV_ENV_DIR".into(), dir),
            ("ASV_COMMIT".into(), commit.map(str::to_owned)),
            ("PYTHONPATH".into(), std::env::var("ASV_PYTHONPATH").ok()),
            // An interactive shell's start-up file is no part of what is measured.
            ("PYTHONSTARTUP".into(), None),
        ];
        set.extend(self.search_path().map(|path| ("PATH".to_owned(), Some(path))));
        set.extend(self.run.threads.into_iter().flat_map(tacho_measure::threads::variables));
        set.extend(self.run.variables.clone());
        set
    }

    /// Puts words before the interpreter: those of an environment's run line, and those that bind its memory to a node.
    ///
    /// # Errors
    /// The line cannot be read, or nothing can bind memory here.
    pub(crate) fn lead_with(&mut self, run_line: Option<&str>, numa_node: Option<u32>) -> Result<()> {
        if let Some(line) = run_line {
            let wrong = |reason: String| CommandError::new(format!("`run` in [environment], `{line}`: {reason}"));
            let mut words = split_words(line).map_err(|error| wrong(error.to_string()))?;
            let program = words.pop().ok_or_else(|| wrong("it is an empty command".into()))?;
            self.program =
                if words.is_empty() { interpreter::find(Some(&program), Path::new(""))? } else { program.into() };
            self.prefix = words;
        }
        if let Some(node) = numa_node {
            let bound = numa::prefix(node).map_err(told)?;
            self.prefix.splice(0..0, bound);
        }
        Ok(())
    }

    /// Programs of an environment of our own are found before others.
    fn search_path(&self) -> Option<String> {
        self.dir.as_ref()?;
        let bin = self.program.parent()?.to_owned();
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(bin).chain(std::env::split_paths(&rest));
        std::env::join_paths(all).ok()?.into_string().ok()
    }
}

/// Returns the processors near a node's memory.
///
/// # Errors
/// There is no such node here.
pub(crate) fn processors_of_node(node: u32) -> Result<Vec<u32>> {
    numa::processors_of(node).map_err(told)
}

fn told(error: numa::NumaError) -> CommandError {
    let hint = error.hint();
    CommandError::new(error).hint(hint)
}

/// The variables that the settings declare for every benchmark.
fn declared(settings: &Settings) -> BTreeMap<String, Option<String>> {
    settings.variables.value.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect()
}
