//! A project whose package builds without any index, with a few commits.

use std::path::Path;

use serde_json::Value;

use crate::env::{Said, TestEnv};
use crate::workshop::{BACKEND, PYPROJECT};

const SUITE: &str = "import os
import tiny_pkg


def track_value():
    return tiny_pkg.VALUE


def track_threads():
    return int(os.environ.get('OMP_NUM_THREADS', 0))
";

/// A world with a project of `n` commits, the package's value being the commit's number, from 1 on.
pub(super) struct Project {
    pub(super) env: TestEnv,
}

impl Project {
    pub(super) fn new(n: usize, configuration: &str) -> Project {
        let env = TestEnv::new();
        let head = "[project]\nname = \"tiny-pkg\"\n[[suite]]\ndir = \"speed\"\n";
        env.write("tacho.toml", &format!("{head}{configuration}"));
        env.write("speed/__init__.py", "");
        env.write("speed/tiny.py", SUITE);
        env.write("pyproject.toml", PYPROJECT);
        env.write("backend.py", BACKEND);
        env.write("version.txt", "1.0");
        env.write(".gitignore", ".tacho/\n__pycache__/\n");
        env.git(&["init", "--quiet", "--initial-branch=main"]);
        let project = Project { env };
        for value in 1..=n {
            project.value(value);
            project.env.commit(&format!("value {value}"));
        }
        project
    }

    pub(super) fn value(&self, value: usize) {
        self.env.write("tiny_pkg.py", &format!("VALUE = {value}\n"));
    }

    /// Runs `tacho`, which finds uv and asks no index.
    pub(super) fn tacho(&self, arguments: &[&str]) -> Said {
        self.env.tacho_with(arguments, |command| self.offline(command))
    }

    pub(super) fn offline(&self, command: &mut std::process::Command) {
        command.env("PIP_NO_INDEX", "1").env("UV_NO_INDEX", "1").env("TINY_LOG", self.env.path("../builds.log"));
    }

    /// Returns how often the package was built.
    pub(super) fn n_builds(&self) -> usize {
        std::fs::read_to_string(self.env.path("../builds.log")).map_or(0, |log| log.lines().count())
    }

    /// Returns the values that runs measured, as `commit: value`, in the order in which they were measured; the commit is the
    /// number in its message.
    pub(super) fn values(&self, shown: &Value) -> Vec<String> {
        let runs = shown["runs"].as_array().unwrap().iter();
        runs.map(|run| {
            let subject = &run["provenance"]["subject"];
            let value = result(run, "tiny.track_value").as_f64().unwrap();
            format!("{}: {value}", self.name(subject["id"].as_str().unwrap()))
        })
        .collect()
    }

    fn name(&self, id: &str) -> String {
        self.env.git(&["log", "-1", "--format=%s", id])
    }

    /// Returns everything in the user's repository that building must not touch.
    pub(super) fn state(&self) -> String {
        let git = |arguments: &[&str]| self.env.git(arguments);
        let index = std::fs::read(self.env.path(".git/index")).unwrap();
        let config = std::fs::read_to_string(self.env.path(".git/config")).unwrap();
        format!(
            "{}\n{}\n{}\n{}\n{index:?}\n{config}",
            git(&["for-each-ref"]),
            git(&["worktree", "list"]),
            git(&["stash", "list"]),
            git(&["status", "--porcelain"]),
        )
    }

    pub(super) fn exists(&self, inner: &str) -> bool {
        Path::new(&self.env.path(inner)).exists()
    }
}

/// Returns the value of a benchmark in a run.
pub(super) fn result(run: &Value, benchmark: &str) -> Value {
    let results = run["results"].as_array().unwrap();
    results.iter().find(|result| result["benchmark"] == benchmark).map_or(Value::Null, |found| found["value"].clone())
}
