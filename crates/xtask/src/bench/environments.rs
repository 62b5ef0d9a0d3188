//! `bench environments`: what it takes to make environments and install a project in them, as a ratio to asv.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context, Result};

use super::{Cost, at_home, cost, machine, met};
use crate::{history, process, real, root, say, setup};

/// Releases of a package that the project needs: the environments differ in it.
const DEPENDENCY: (&str, [&str; 2]) = ("packaging", ["24.1", "25.0"]);
const N_COMMITS: usize = 3;
/// The variable that names the file.
const STAMP: &str = "BENCH_STAMP";

/// Makes the same environments for the same commits with both tools, each from nothing, and `tacho` once more with all
/// of it there.
///
/// # Errors
/// Something did not build, or one of the tools failed.
pub fn run() -> Result<()> {
    let root = root();
    let python = setup::test_environment(&root)?;
    let tacho = process::build_tacho(&root, true)?;
    let folder = root.join("target/bench-environments");
    real::remove(&folder)?;
    project(&folder.join("suite"))?;
    let both = Both { tacho, python, folder };
    process::run(both.asv(&["machine", "--yes"]).stdout(Stdio::null()))?;
    process::run(both.tacho(&["machine", "--yes"]).stdout(Stdio::null()))?;
    say(format_args!("project: one module, one benchmark; {N_COMMITS} commits, {} environments", DEPENDENCY.1.len()));
    say(format_args!("machine: {}", machine()));
    let range = format!("HEAD~{}..HEAD", N_COMMITS);
    let asv = both.timed(both.asv(&["run", "--quick", &range]))?;
    let first = both.timed(both.tacho(&["run", "--quick", &range]))?;
    first.against("tacho / asv, both from nothing", &asv, 1.0 / 4.0);
    let stamp = both.folder.join("first-benchmark");
    let mut again = both.tacho(&["run", "--quick", &range]);
    again.env(STAMP, &stamp);
    let began = SystemTime::now();
    both.timed(again)?;
    let first = fs::metadata(&stamp).and_then(|stamp| stamp.modified()).context("no benchmark was started")?;
    let wait_ms = first.duration_since(began)?.as_secs_f64() * 1e3;
    say(format_args!(
        "tacho, all of it there: {wait_ms:.0} ms until the first benchmark starts, at most 200: {}",
        met(wait_ms <= 200.0)
    ));
    Ok(())
}

struct Both {
    tacho: PathBuf,
    python: PathBuf,
    folder: PathBuf,
}

impl Both {
    fn asv(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.args(["-m", "asv"]).args(words);
        self.at_home(command)
    }

    fn tacho(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.tacho);
        command.args(words);
        self.at_home(command)
    }

    /// Both find the same programs first, among them uv.
    fn at_home(&self, command: Command) -> Command {
        let mut command = at_home(command, &self.folder);
        let bin = self.python.parent().map(Path::to_owned);
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(bin.into_iter().chain(std::env::split_paths(&rest))).unwrap_or(rest.clone());
        command.env("PATH", path);
        command
    }

    fn timed(&self, command: Command) -> Result<Cost> {
        let text = process::text(&command);
        let took = cost(command)?;
        say(format_args!("\n{text}\n  processor {:.2} s, wall {:.2} s", took.cpu_s, took.wall_s));
        Ok(took)
    }
}

/// One benchmark, which leaves a file behind where it is started for the first time.
fn suite() -> String {
    format!(
        "import os\n\nimport slowly\n\n\ndef setup():\n    stamp = os.environ.get(\"{STAMP}\")\n    if stamp and not os.path.exists(stamp):\n        \
         open(stamp, \"w\").close()\n\n\ndef time_sum():\n    slowly.total()\n"
    )
}

/// A project of one module with as many commits as are measured, and one more before them.
fn project(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("benchmarks"))?;
    let (name, versions) = DEPENDENCY;
    let configuration = format!(
        r#"{{"version": 1, "project": "slowly", "repo": ".", "branches": ["main"], "environment_type": "virtualenv",
        "results_dir": ".asv/results", "env_dir": ".asv/env", "matrix": {{"req": {{"{name}": {versions:?}}}}}}}"#
    );
    fs::write(folder.join("asv.conf.json"), configuration)?;
    fs::write(folder.join(".gitignore"), ".asv/\n.tacho/\n__pycache__/\nbuild/\n*.egg-info/\n")?;
    let pyproject = "[build-system]\nrequires = [\"setuptools\"]\nbuild-backend = \"setuptools.build_meta\"\n\n[project]\nname = \"slowly\"\nversion = \"1.0\"\n\n[tool.setuptools]\npy-modules = [\"slowly\"]\n";
    fs::write(folder.join("pyproject.toml"), pyproject)?;
    fs::write(folder.join("benchmarks/__init__.py"), "")?;
    fs::write(folder.join("benchmarks/sums.py"), suite())?;
    history::git(folder, &["init", "--quiet", "--initial-branch", "main"])?;
    for n in 0..=N_COMMITS {
        fs::write(folder.join("slowly.py"), format!("def total():\n    return sum(range({}))\n", 100 + n))?;
        history::git(folder, &["add", "--all"])?;
        history::git(folder, &["commit", "--quiet", "--message", &format!("Sum {n}")])?;
    }
    Ok(())
}
