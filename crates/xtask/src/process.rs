//! Starts other programs and says what was started when they fail.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Runs a command with the terminal's streams.
///
/// # Errors
/// It could not be started or did not succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", text(command)))?;
    if !status.success() {
        bail!("`{}` failed: {status}", text(command));
    }
    Ok(())
}

/// Runs a command and returns what it printed, without white space at the ends.
///
/// # Errors
/// It could not be started or did not succeed.
pub fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start `{}`", text(command)))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", text(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns a command line as a person would type it.
pub fn text(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Returns a `cargo` that works on this repository.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Builds the `tacho` binary and returns its path.
///
/// # Errors
/// It does not build.
pub fn build_tacho(root: &Path, release: bool) -> Result<PathBuf> {
    let mut command = cargo(root);
    command.args(["build", "--package", "tacho", "--message-format", "json-render-diagnostics"]);
    if release {
        command.arg("--release");
    }
    let messages = output(&mut command)?;
    let executable = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        (message["target"]["name"] == "tacho").then(|| message["executable"].as_str().map(PathBuf::from))?
    };
    messages.lines().filter_map(executable).next_back().context("cargo built no binary named `tacho`")
}
