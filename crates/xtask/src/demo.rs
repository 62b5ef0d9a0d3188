//! `demo`: the main job on the example project, from nothing to what was found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::history::{self, Commit};
use crate::{process, real, root, say};

/// A change that is worth a line in the summary. The demo shows values; it judges nothing.
const NOTABLE_RATIO: f64 = 1.3;

/// Cases with their values in seconds at one commit, in the order of the suite.
type Times = Vec<(String, f64)>;

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
    let mut times = Vec::new();
    for (k, commit) in commits.iter().enumerate() {
        say(format_args!("\n== commit {} of {}: {} {}", k + 1, commits.len(), short(commit), commit.subject));
        times.push(demo.measure(&python, commit)?);
    }
    let newest = commits.last().context("the example has no history")?;
    say(format_args!("\n== tacho show {}", short(newest)));
    process::run(&mut demo.tacho(&["show", &newest.hash]))?;
    demo.tell(&commits, &times);
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

    fn measure(&self, python: &Path, commit: &Commit) -> Result<Times> {
        history::git(&self.repository, &["checkout", "--quiet", "--detach", &commit.hash])?;
        let python = python.to_str().context("the demo's path is no text")?;
        process::run(&mut self.tacho(&["run", "--python", python]))?;
        let json = process::output(&mut self.tacho(&["show", &commit.hash, "--json"]))?;
        times(&json)
    }

    fn tell(&self, commits: &[Commit], times: &[Times]) {
        say(format_args!("\n== what was found"));
        let found: Vec<String> = commits
            .windows(2)
            .zip(times.windows(2))
            .flat_map(|(commits, times)| {
                changes(&times[0], &times[1]).into_iter().map(|line| format!("{}  {line}", short(&commits[1])))
            })
            .collect();
        for line in &found {
            say(format_args!("{line}"));
        }
        if found.is_empty() {
            say(format_args!("no time changed by more than {:.0} %", (NOTABLE_RATIO - 1.0) * 100.0));
        }
        for commit in commits.iter().filter(|commit| found.iter().any(|line| line.starts_with(short(commit)))) {
            say(format_args!("\n{} is \"{}\".", short(commit), commit.subject));
        }
        say(format_args!("\nThe records are in {}", self.repository.join(".tacho/records").display()));
        say(format_args!("Look around: cd {} && {} show --list", self.repository.display(), self.tacho.display()));
    }
}

fn short(commit: &Commit) -> &str {
    &commit.hash[..8]
}

/// Reads the times of `tacho show --json`.
fn times(json: &str) -> Result<Times> {
    let document: Value = serde_json::from_str(json).context("`tacho show --json` printed no JSON")?;
    let Some(runs) = document["runs"].as_array() else { bail!("`tacho show --json` has no `runs`") };
    let results = runs.iter().filter_map(|run| run["results"].as_array()).flatten();
    Ok(results.filter(|result| result["metric"] == "time").filter_map(time).collect())
}

fn time(result: &Value) -> Option<(String, f64)> {
    let values = result["parameters"].as_array()?.iter().filter_map(|parameter| parameter["value"].as_str());
    let texts: Vec<&str> = values.collect();
    let name = result["benchmark"].as_str()?;
    let name = if texts.is_empty() { name.to_owned() } else { format!("{name}({})", texts.join(", ")) };
    Some((name, result["value"].as_f64()?))
}

/// Returns a line for each time that one commit changed notably.
fn changes(before: &Times, after: &Times) -> Vec<String> {
    let line = |(name, after): &(String, f64)| {
        let (_, before) = before.iter().find(|(known, _)| known == name)?;
        let ratio = after / before;
        let notable = !(1.0 / NOTABLE_RATIO..NOTABLE_RATIO).contains(&ratio);
        notable.then(|| format!("{ratio:5.2} x  {name}  {:.1} -> {:.1} us", before * 1e6, after * 1e6))
    };
    after.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_measured_times_that_changed_are_told() {
        let json = |value: &str| {
            format!(
                r#"{{"runs": [{{"results": [
                {{"benchmark": "m.time_x", "parameters": [{{"name": "n", "value": "8"}}], "metric": "time", "value": {value}}},
                {{"benchmark": "m.time_y", "parameters": [], "metric": "time", "value": null}},
                {{"benchmark": "m.track_z", "parameters": [], "metric": "value", "value": 3.0}}]}}]}}"#
            )
        };
        let (before, after) = (times(&json("1e-5")).unwrap(), times(&json("2.5e-5")).unwrap());
        assert_eq!(changes(&before, &after), [" 2.50 x  m.time_x(8)  10.0 -> 25.0 us"]);
        assert!(changes(&before, &times(&json("1.1e-5")).unwrap()).is_empty());
    }
}
