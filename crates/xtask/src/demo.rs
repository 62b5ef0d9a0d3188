//! `demo`: the main job on the example project, from nothing to what was found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::history::{self, Commit};
use crate::{process, real, root, say};

/// Five processes a side are what a verdict without a past needs; few samples keep the demo short.
const ROUNDS: [&str; 4] = ["-a", "rounds=5", "-a", "repeat=3"];

struct Demo {
    tacho: PathBuf,
    folder: PathBuf,
    repository: PathBuf,
}

/// Builds the binary, makes a throw-away repository of `examples/python`, measures each commit, says what it found.
///
/// # Errors
/// Something did not build, git or Python failed, or `tacho` did.
pub fn run() -> Result<()> {
    let root = root();
    say(format_args!("building tacho ..."));
    let tacho = process::build_tacho(&root, false)?;
    let folder = root.join("target/demo");
    real::remove(&folder)?;
    let demo = Demo { tacho, repository: folder.join("waypoint"), folder };
    let commits = history::build(&root.join("examples/python"), &demo.repository)?;
    let python = demo.environment()?;
    process::run(demo.tacho(&["machine", "--yes"]).stdout(std::process::Stdio::null()))?;
    for (k, commit) in commits.iter().enumerate() {
        say(format_args!("\n== commit {} of {}: {} {}", k + 1, commits.len(), short(commit), commit.subject));
        demo.measure(&python, commit)?;
    }
    let newest = commits.last().context("the example has no history")?;
    say(format_args!("\n== tacho show {}", short(newest)));
    process::run(&mut demo.tacho(&["show", &newest.hash]))?;
    for (before, after) in commits.iter().zip(&commits[1..]) {
        demo.compare(before, after)?;
    }
    demo.tell_where();
    Ok(())
}

impl Demo {
    /// Makes an interpreter that finds the example's package where it is checked out.
    fn environment(&self) -> Result<PathBuf> {
        let venv = self.folder.join("venv");
        let base = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
        process::run(Command::new(base).args(["-m", "venv", "--without-pip"]).arg(&venv))?;
        let python = venv.join("bin/python");
        // What `pip install -e` would leave, without the network.
        let ask = "import sysconfig; print(sysconfig.get_path('purelib'))";
        let packages = PathBuf::from(process::output(Command::new(&python).args(["-c", ask]))?);
        fs::write(packages.join("waypoint.pth"), format!("{}\n", self.repository.display()))?;
        Ok(python)
    }

    /// Returns a `tacho` that works in the repository and keeps its own files in the demo's folder.
    fn tacho(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.tacho);
        command.current_dir(&self.repository).args(arguments);
        for (name, inner) in [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")] {
            command.env(name, self.folder.join("home").join(inner));
        }
        // The history is the same everywhere, and so is what Python leaves beside it.
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    fn measure(&self, python: &Path, commit: &Commit) -> Result<()> {
        history::git(&self.repository, &["checkout", "--quiet", "--detach", &commit.hash])?;
        let python = python.to_str().context("the demo's path is no text")?;
        process::run(&mut self.tacho(&[&["run", "--python", python], &ROUNDS[..]].concat()))
    }

    fn compare(&self, before: &Commit, after: &Commit) -> Result<()> {
        let words = ["compare", short(before), short(after), "--only-changed"];
        say(format_args!("\n== tacho {}: \"{}\"", words.join(" "), after.subject));
        process::run(&mut self.tacho(&words))
    }

    fn tell_where(&self) {
        say(format_args!("\nThe records are in {}", self.repository.join(".tacho/records").display()));
        say(format_args!("Look around: cd {} && {} show --list", self.repository.display(), self.tacho.display()));
    }
}

fn short(commit: &Commit) -> &str {
    &commit.hash[..8]
}
