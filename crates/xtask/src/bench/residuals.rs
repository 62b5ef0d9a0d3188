//! `bench residuals`: times small real workloads with `tacho` itself, and keeps how each time differs from its neighbours.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Map, Value, json};

use super::changes::pools;
use super::{at_home, machine};
use crate::{history, process, real, root, say, setup};

/// Rounds of each workload, each a point: one fresh process, in turn with all others.
const N_ROUNDS: usize = 120;
/// Samples of a round, of which the median counts.
const N_SAMPLES: usize = 5;
/// Residuals are kept as whole multiples of this.
const UNIT: f64 = 1e-5;

/// What is asked for.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Do not measure: take what `tacho show --json --samples` printed
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

/// Measures the workloads of `crates/xtask/residuals` and writes `pool.json` there.
///
/// # Errors
/// Something did not build, or `tacho` failed.
pub fn run(arguments: &Arguments) -> Result<()> {
    let root = root();
    let folder = root.join("crates/xtask/residuals");
    let text = match &arguments.from {
        Some(file) => fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))?,
        None => measured(&root, &folder)?,
    };
    let shown: Value = serde_json::from_str(&text).context("in what `tacho show` printed")?;
    let run = &shown["runs"][0];
    let mut workloads = Map::new();
    for result in run["results"].as_array().context("there are no results")? {
        let name = result["benchmark"].as_str().context("a result without a name")?;
        let residuals = residuals(&pools::numbers(&result["samples"]));
        say(format_args!("{name:<42} {:.2} %", 100.0 * pools::scale(&residuals)));
        workloads.insert(name.replace("workloads.", ""), json!(residuals.iter().map(whole).collect::<Vec<i64>>()));
    }
    let n_rounds = workloads.values().next().and_then(Value::as_array).map_or(0, Vec::len);
    let header = json!({ "unit": UNIT, "machine": machine(), "measured_at": run["provenance"]["started_at"], "n_rounds": n_rounds });
    let file = folder.join("pool.json");
    fs::write(&file, lines(&header, &workloads)).with_context(|| format!("cannot write `{}`", file.display()))
}

/// One line for each workload.
fn lines(header: &Value, workloads: &Map<String, Value>) -> String {
    let lists: Vec<String> = workloads.iter().map(|(name, list)| format!("{}: {list}", json!(name))).collect();
    format!("{{\"measurement\": {header},\n\"workloads\": {{\n{}\n}}}}\n", lists.join(",\n"))
}

/// Runs the workloads in a copy, and returns what `tacho show` prints.
fn measured(root: &Path, folder: &Path) -> Result<String> {
    let python = setup::test_environment(root)?;
    let tacho = process::build_tacho(root, true)?;
    let place = root.join("target/bench-residuals");
    real::remove(&place)?;
    let suite = place.join("suite");
    fs::create_dir_all(suite.join("benchmarks"))?;
    for file in ["asv.conf.json", "benchmarks/__init__.py", "benchmarks/workloads.py"] {
        fs::copy(folder.join(file), suite.join(file)).with_context(|| format!("cannot copy `{file}`"))?;
    }
    history::git(&suite, &["init", "--quiet", "--initial-branch", "main"])?;
    history::git(&suite, &["add", "--all"])?;
    history::git(&suite, &["commit", "--quiet", "--message", "Workloads"])?;
    let command = |words: &[&str]| {
        let mut command = Command::new(&tacho);
        command.args(words);
        at_home(command, &place)
    };
    process::run(command(&["machine", "--yes"]).stdout(Stdio::null()))?;
    let (rounds, repeat) = (format!("rounds={N_ROUNDS}"), format!("repeat={N_SAMPLES}"));
    let attributes = [rounds.as_str(), &repeat, "sample_time=0.005", "warmup_time=0"];
    let mut run = command(&["run", "--python"]);
    run.arg(python).args(attributes.iter().flat_map(|attribute| ["--attribute", attribute]));
    say(format_args!("{}", process::text(&run)));
    process::run(&mut run)?;
    process::output(&mut command(&["show", "--json", "--samples"]))
}

/// Returns how far the point of each round is from the running median, as a ratio less 1.
fn residuals(samples: &[f64]) -> Vec<f64> {
    // A benchmark of memory has one sample a round.
    let n_samples = if samples.len() > N_ROUNDS { N_SAMPLES } else { 1 };
    let points: Vec<f64> = samples.chunks(n_samples).map(|round| libm::log(pools::median(round.to_vec()))).collect();
    pools::residuals(&points).into_iter().map(libm::expm1).collect()
}

fn whole(residual: &f64) -> i64 {
    (residual / UNIT).round() as i64
}
