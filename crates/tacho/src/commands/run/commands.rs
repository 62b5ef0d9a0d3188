//! Commands of the settings that are run beside measuring: `version_command`, `rebuild`, and what versions there are.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use tacho_measure::environments::split_words;
use tacho_measure::{Captured, CommandLine, Ending, Finished, Launcher};
use tacho_model::Build;

use crate::error::{CommandError, Result};
use crate::interrupts;
use crate::settings::Settings;

/// A version is told quickly, and so are all of them by an index.
const TOLD_WITHIN: Duration = Duration::from_secs(120);

/// So much of what a command prints is kept.
const PRINTED_BYTES: usize = 256 * 1024;

/// So many lines of a failed command are told.
const TOLD_LINES: usize = 12;

/// So many lines of a build's log are recorded.
const LOG_LINES: usize = 200;

/// Returns the version that `version_command` prints: its first line.
///
/// # Errors
/// The command fails, or prints nothing.
pub(super) fn version_told(line: &str, settings: &Settings) -> Result<String> {
    let finished = run(&words(line, "version_command")?, &settings.root, TOLD_WITHIN, "version_command")?;
    let first = finished.stdout.text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    first.ok_or_else(|| {
        CommandError::new(format!("`{line}` printed no version"))
            .hint("`version_command` in [project] prints the version on its first line")
    })
}

/// Returns the versions of a package that the index has, as pip tells them.
///
/// # Errors
/// pip is not there or finds none.
pub(super) fn versions(package: &str, python: &Path, settings: &Settings) -> Result<Vec<String>> {
    let words = ["-m", "pip", "index", "versions", "--disable-pip-version-check", package].map(str::to_owned);
    let words: Vec<String> = std::iter::once(python.display().to_string()).chain(words).collect();
    let name_them = "name the versions to choose from as `versions = [\"1.0\", \"1.1\"]` in [project] of tacho.toml";
    let finished = run(&words, &settings.root, TOLD_WITHIN, "pip").map_err(|error| error.hint(name_them))?;
    let line = finished.stdout.text.lines().find_map(|line| line.trim().strip_prefix("Available versions:"));
    let found: Vec<String> = line.into_iter().flat_map(|line| line.split(',')).map(|v| v.trim().to_owned()).collect();
    if found.is_empty() {
        return Err(CommandError::new(format!("the index told no versions of `{package}`")).hint(name_them));
    }
    Ok(found)
}

/// Rebuilds the work tree where it lies, as `rebuild` says.
///
/// # Errors
/// The command fails: with the end of what it printed.
pub(super) fn rebuild(line: &str, folder: &Path, settings: &Settings) -> Result<Build> {
    let limit = Duration::try_from_secs_f64(settings.environment.build_timeout_s.value).unwrap_or(Duration::MAX);
    let finished = run(&words(line, "rebuild")?, folder, limit, "rebuild")?;
    Ok(Build {
        key: String::new(),
        failure: None,
        commands: vec![line.to_owned()],
        variables: BTreeMap::new(),
        compilers: BTreeMap::new(),
        wheel: None,
        dependencies: BTreeMap::new(),
        started_at: finished.started_at,
        duration_ns: finished.wall_ns,
        log_tail: tail(&finished.stdout, &finished.stderr, LOG_LINES).join("\n"),
        reused: false,
    })
}

fn words(line: &str, key: &str) -> Result<Vec<String>> {
    let words = split_words(line).map_err(|error| CommandError::new(format!("`{key}`: {error}")))?;
    if words.is_empty() {
        return Err(CommandError::new(format!("`{key}` is an empty command")));
    }
    Ok(words)
}

fn run(words: &[String], folder: &Path, limit: Duration, about: &str) -> Result<Finished> {
    let mut launcher = Launcher::start(&Launcher::this_program())?;
    let command = CommandLine {
        program: words[0].clone().into(),
        arguments: words[1..].iter().map(Into::into).collect(),
        dir: folder.to_owned(),
        variables: vec![],
        limit,
        stdout_limit_bytes: PRINTED_BYTES,
        stderr_limit_bytes: PRINTED_BYTES,
        affinity: None,
    };
    let interrupted = interrupts::watch()?;
    let finished = launcher.run(&command, &interrupted)?;
    let how = match &finished.ending {
        Ending::Exited(0) => return Ok(finished),
        Ending::Exited(status) => format!("exited with status {status}"),
        Ending::Signal(signal) => format!("was ended by {signal}"),
        Ending::TimedOut => format!("did not end within {} s", limit.as_secs()),
    };
    let printed = last_lines(&finished.stdout, &finished.stderr);
    Err(CommandError::new(format!("`{}` ({about}) {how}{printed}", words.join(" "))))
}

fn last_lines(stdout: &Captured, stderr: &Captured) -> String {
    let lines = tail(stdout, stderr, TOLD_LINES);
    match lines.is_empty() {
        true => String::new(),
        false => format!("; it printed:\n    {}", lines.join("\n    ")),
    }
}

fn tail<'a>(stdout: &'a Captured, stderr: &'a Captured, n: usize) -> Vec<&'a str> {
    let lines: Vec<&str> = stdout.text.lines().chain(stderr.text.lines()).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(n)..].to_vec()
}
