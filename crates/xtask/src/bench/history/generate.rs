//! A history in asv's format, for where the generator of the shared data is not at hand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use crate::bench::changes::random::Random;
use crate::history as repository;

/// When the first commit was made, and the time between two.
const FIRST_S: u64 = 1_514_764_800;
const APART_S: u64 = 6 * 3600;
const MACHINES: [&str; 2] = ["machine0", "machine1"];
const ENVIRONMENT: &str = "virtualenv-py3.11";
/// Three benchmarks in ten have this many combinations of two parameters.
const PARAMETERS: (usize, usize) = (3, 4);

/// Writes a project into `folder`: a bare repository `repo`, asv's configuration, and results of both machines for every commit.
///
/// # Errors
/// A file cannot be written, or git failed.
pub(super) fn write(folder: &Path, n_commits: usize, n_benchmarks: usize) -> Result<()> {
    let results = folder.join("results");
    fs::create_dir_all(&results)?;
    let hashes = commits(&folder.join("repo"), n_commits)?;
    let names: Vec<String> =
        (0..n_benchmarks).map(|k| format!("module_{:02}.Suite{}.time_work_{k:04}", k / 20, k / 5 % 4)).collect();
    let configuration = json!({ "version": 1, "project": "synthetic", "project_url": "#", "repo": "repo", "branches": ["main"],
        "environment_type": "virtualenv", "pythons": ["3.11"], "env_dir": "env", "results_dir": "results", "html_dir": "html" });
    fs::write(folder.join("asv.conf.json"), configuration.to_string())?;
    fs::write(results.join("benchmarks.json"), definitions(&names).to_string())?;
    for machine in MACHINES {
        let place = results.join(machine);
        fs::create_dir_all(&place)?;
        let mut facts = facts(machine);
        facts["version"] = json!(1);
        fs::write(place.join("machine.json"), facts.to_string())?;
        let mut lines: BTreeMap<&str, Vec<Line>> =
            names.iter().map(|name| (name.as_str(), lines(machine, name))).collect();
        for (number, hash) in hashes.iter().enumerate() {
            let document = results_of(machine, number, hash, &mut lines);
            fs::write(place.join(format!("{}-{ENVIRONMENT}.json", &hash[..8])), document.to_string())?;
        }
    }
    Ok(())
}

/// Makes the repository and returns its commits, oldest first.
fn commits(repo: &Path, n_commits: usize) -> Result<Vec<String>> {
    fs::create_dir_all(repo)?;
    repository::git(repo, &["init", "--quiet", "--bare", "--initial-branch", "main"])?;
    let mut stream = String::new();
    for number in 0..n_commits {
        let (time_s, text) = (FIRST_S + APART_S * number as u64, format!("VALUE = {number}\n"));
        let who = format!("A <a@example.org> {time_s} +0000");
        let parent = if number > 0 { format!("from :{number}\n") } else { String::new() };
        write!(
            stream,
            "commit refs/heads/main\nmark :{}\nauthor {who}\ncommitter {who}\ndata 6\nchange\n{parent}M 100644 inline package.py\ndata {}\n{text}\n",
            number + 1,
            text.len()
        )?;
    }
    let mut import = Command::new("git");
    let mut child = import.current_dir(repo).args(["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn()?;
    child.stdin.take().context("git has no standard input")?.write_all(stream.as_bytes())?;
    ensure!(child.wait()?.success(), "git fast-import failed");
    let listing = repository::git(repo, &["rev-list", "--reverse", "main"])?;
    Ok(listing.lines().map(str::to_owned).collect())
}

fn facts(machine: &str) -> Value {
    json!({ "arch": "x86_64", "cpu": "synthetic", "machine": machine, "num_cpu": "2", "os": "Linux 6.0", "ram": "17179869184" })
}

fn has_parameters(name: &str) -> bool {
    name.bytes().map(usize::from).sum::<usize>() % 10 < 3
}

fn parameters(name: &str) -> Vec<Vec<String>> {
    let axis = |n: usize, word: &str| (0..n).map(|k| format!("'{word}{k}'")).collect();
    if has_parameters(name) { vec![axis(PARAMETERS.0, "size"), axis(PARAMETERS.1, "kind")] } else { vec![] }
}

fn definitions(names: &[String]) -> Value {
    let definition = |name: &String| {
        let parameters = parameters(name);
        let axes: &[&str] = if parameters.is_empty() { &[] } else { &["size", "kind"] };
        let definition = json!({ "code": "def time_work(self):\n    pass", "name": name, "param_names": axes, "params": parameters,
            "type": "time", "unit": "seconds", "version": name, "timeout": 60.0 });
        (name.clone(), definition)
    };
    let mut all: Map<String, Value> = names.iter().map(definition).collect();
    all.insert("version".to_owned(), json!(2));
    Value::Object(all)
}

/// A series as it is made: its level now, and its noise.
struct Line {
    level_s: f64,
    sigma: f64,
    random: Random,
}

fn lines(machine: &str, name: &str) -> Vec<Line> {
    let n_cases = if has_parameters(name) { PARAMETERS.0 * PARAMETERS.1 } else { 1 };
    let line = |case: usize| {
        let mut random = Random::new(1, &format!("{machine} {name}"), case);
        Line { level_s: libm::pow(10.0, -6.0 * random.uniform()), sigma: 0.006 + 0.034 * random.uniform(), random }
    };
    (0..n_cases).map(line).collect()
}

impl Line {
    /// The next value: a new level now and then, none in one of fifty.
    fn next(&mut self) -> Option<f64> {
        if self.random.uniform() < 0.001 {
            self.level_s *= libm::exp(self.random.sign() * (0.08 + 0.5 * self.random.uniform()));
        }
        let value = self.level_s * (1.0 + self.sigma * self.random.normal());
        (self.random.uniform() > 0.02).then_some(value)
    }
}

fn results_of(machine: &str, number: usize, hash: &str, lines: &mut BTreeMap<&str, Vec<Line>>) -> Value {
    let date_ms = (FIRST_S + APART_S * number as u64) * 1000;
    let mut results = Map::new();
    for (name, lines) in lines {
        let sigmas: Vec<f64> = lines.iter().map(|line| line.sigma).collect();
        let values: Vec<Option<f64>> = lines.iter_mut().map(Line::next).collect();
        let near = |factor: f64| -> Vec<Option<f64>> {
            values.iter().zip(&sigmas).map(|(value, sigma)| value.map(|value| value * (1.0 + factor * sigma))).collect()
        };
        let row = json!([
            values,
            parameters(name),
            name,
            date_ms + 86_400_000,
            0.5,
            near(-2.5),
            near(2.5),
            near(-1.0),
            near(1.0),
            values.iter().map(|value| value.map(|_| 3)).collect::<Vec<_>>(),
            values.iter().map(|value| value.map(|_| 10)).collect::<Vec<_>>()
        ]);
        results.insert((*name).to_owned(), row);
    }
    let columns = [
        "result",
        "params",
        "version",
        "started_at",
        "duration",
        "stats_ci_99_a",
        "stats_ci_99_b",
        "stats_q_25",
        "stats_q_75",
        "stats_number",
        "stats_repeat",
    ];
    let mut parameters = facts(machine);
    parameters["python"] = json!("3.11");
    json!({ "commit_hash": hash, "env_name": ENVIRONMENT, "date": date_ms, "params": parameters, "python": "3.11", "requirements": {},
        "env_vars": {}, "result_columns": columns, "results": results, "durations": { "<build>": 1.0 }, "version": 2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::changes::asv_folders;

    #[test]
    fn a_project_has_results_of_both_machines_for_every_commit() {
        let scratch = tempfile::tempdir().unwrap();
        write(scratch.path(), 12, 10).unwrap();
        let files = |machine: &str| asv_folders::entries(&scratch.path().join("results").join(machine)).unwrap().len();
        assert_eq!((files("machine0"), files("machine1")), (13, 13));
        let series = asv_folders::series(&scratch.path().join("results"), 1).unwrap();
        let n_cases: usize = (0..10)
            .map(|k| format!("module_00.Suite{}.time_work_{k:04}", k / 5 % 4))
            .map(|name| if has_parameters(&name) { 12 } else { 1 })
            .sum();
        assert_eq!(series.len(), 2 * n_cases);
        assert!(series.iter().all(|values| (8..=12).contains(&values.len())));
    }
}
