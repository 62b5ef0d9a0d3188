//! Opens a suite in an environment: what `run` and `list` have in common.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use tacho_measure::{Discovery, Launch, LaunchMethod, PythonConfig, PythonExecutor, SessionError, SuiteSource};
use tempfile::TempDir;

use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::interpreter;
use crate::settings::{Settings, SuitePath};

/// Of what a process prints, so much is kept.
const OUTPUT_LIMIT_BYTES: usize = 64 * 1024;

/// A suite, discovered and ready to be measured.
pub(crate) struct SuiteSession {
    pub(crate) executor: PythonExecutor,
    pub(crate) discovery: Discovery,
    pub(crate) label: String,
    pub(crate) scratch: TempDir,
}

/// Starts the interpreter, imports the suite and lists its benchmarks.
///
/// # Errors
/// No suite, no interpreter, or one that ends before it answers: with what it printed.
pub(crate) fn open(
    context: &Context<'_>,
    settings: &Settings,
    affinity: Option<Vec<u32>>,
    commit: Option<&str>,
) -> Result<SuiteSession> {
    let suite = suite(settings)?;
    let program = interpreter::find(settings.python.value.as_deref(), &context.cwd)?;
    let scratch = tempfile::Builder::new().prefix("tacho-").tempdir().context("cannot make a scratch folder")?;
    let runner = tacho_measure::unpack_runner(&context.dirs.cache)
        .with_context(|| format!("cannot unpack the runner to `{}`", context.dirs.cache.display()))?;
    let label = format!("existing-{}", program.file_name().map_or("python".into(), |name| name.to_string_lossy()));
    let launch = Launch {
        program: program.clone(),
        runner,
        variables: interpreter::variables(settings, &label, commit),
        output_limit_bytes: OUTPUT_LIMIT_BYTES,
        interrupted: watch_for_interrupts()?,
    };
    let mut executor = PythonExecutor::new(PythonConfig {
        launch,
        suite,
        launch_method: launch_method(&settings.launch_method.value),
        method: settings.method.value.clone(),
        default_timeout_s: settings.timeout_s.value,
        affinity,
        scratch: scratch.path().to_owned(),
    });
    let discovery = executor.discover().map_err(|error| unanswered(&error, &program))?;
    Ok(SuiteSession { executor, discovery, label, scratch })
}

fn suite(settings: &Settings) -> Result<SuiteSource> {
    let path = absolute(&settings.path(settings.suite.value.path()));
    match &settings.suite.value {
        SuitePath::File(_) if path.is_file() => Ok(SuiteSource::File(path)),
        SuitePath::File(_) => Err(CommandError::new(format!("no file `{}`", path.display()))),
        SuitePath::Package(_) if path.join("__init__.py").is_file() => Ok(SuiteSource::Package(path)),
        SuitePath::Package(_) if path.is_dir() => {
            Err(CommandError::new(format!("the suite `{}` has no `__init__.py`", path.display()))
                .hint("a suite is a package: make the file, it may be empty"))
        }
        SuitePath::Package(_) => Err(CommandError::new(format!("no folder of benchmarks `{}`", path.display()))
            .hint(format!("the place comes from {}: see `tacho config show`", settings.suite.origin))),
    }
}

/// Follows links, so that the suite has one path whatever way led to it.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn launch_method(word: &str) -> LaunchMethod {
    match word {
        "fork" | "forkserver" => LaunchMethod::Fork,
        "spawn" => LaunchMethod::Spawn,
        _ => LaunchMethod::Auto,
    }
}

/// Sets the returned flag at the first Ctrl-C or SIGTERM; the second one ends the process at once.
fn watch_for_interrupts() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let register = || {
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&flag))?;
            signal_hook::flag::register(signal, Arc::clone(&flag))
        };
        register().context("cannot watch for signals")?;
    }
    Ok(flag)
}

/// Returns the error for an interpreter that could not open the suite, with the end of what it printed.
pub(crate) fn unanswered(error: &SessionError, program: &Path) -> CommandError {
    let printed = match error {
        SessionError::Ended { output, .. } | SessionError::Late { output, .. } => output.trim_end(),
        _ => "",
    };
    let about = format!("`{}` could not open the suite: {error}", program.display());
    let lines: Vec<&str> = printed.lines().collect();
    let tail = lines[lines.len().saturating_sub(20)..].join("\n    ");
    let message = if tail.is_empty() { about } else { format!("{about}; it printed:\n    {tail}") };
    CommandError::new(message).hint("try the interpreter by itself, or name another with --python PROGRAM")
}
