//! `setup`: the Python environment of the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, real, root, say};

/// Makes the environment and the real suites that are asked for.
///
/// # Errors
/// Python or pip failed, or a suite has no entry.
pub fn run(suites: &[String]) -> Result<()> {
    let root = root();
    let python = test_environment(&root)?;
    say(format_args!("python for the tests: {}", python.display()));
    for name in real::chosen(&root, suites)? {
        let place = real::prepare(&root, &python, &name)?;
        say(format_args!("real suite {name}: {}", place.display()));
    }
    Ok(())
}

/// Returns the interpreter of `.venv`, made or brought up to date first.
///
/// # Errors
/// Python or pip failed.
pub fn test_environment(root: &Path) -> Result<PathBuf> {
    let list = root.join("python/requirements-test.txt");
    let requirements = fs::read_to_string(&list).with_context(|| format!("cannot read `{}`", list.display()))?;
    environment(&root.join(".venv"), &requirements)
}

/// Returns the interpreter of the environment in `folder` with `requirements` installed.
///
/// # Errors
/// Python or pip failed.
pub fn environment(folder: &Path, requirements: &str) -> Result<PathBuf> {
    let base = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let version = process::output(Command::new(&base).arg("-VV")).context("the tests need Python 3")?;
    let python = folder.join("bin/python");
    let stamp = folder.join("tacho-stamp");
    // The stamp is written last, so that an interrupted installation is begun again.
    let wanted = format!("{version}\n{}\n{requirements}", folder.display());
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    say(format_args!("making {} ...", folder.display()));
    process::run(Command::new(&base).args(["-m", "venv", "--clear"]).arg(folder))?;
    let list = folder.join("requirements.txt");
    fs::write(&list, requirements)?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]).arg(&list);
    process::run(&mut pip)?;
    fs::write(&stamp, wanted)?;
    Ok(python)
}
