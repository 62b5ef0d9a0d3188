//! `tacho.toml`: the types that read it, from which its JSON schema is made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{BandRule, LAUNCH_METHODS, METHODS, MetricRule, Settings, SuitePath};
use crate::error::{CommandError, Result};

/// The whole file. Every key is optional.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct File {
    /// The project under test.
    project: Project,
    /// The suites of benchmarks.
    suite: Vec<Suite>,
    /// Where the measured code lives.
    environment: Environment,
    /// How benchmarks are run.
    run: Run,
    /// Where records are kept.
    store: Store,
    /// How results are judged.
    judge: Judge,
    /// What metrics mean, by benchmark.
    metric: Vec<Metric>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Project {
    /// The project's name; also the name of its package.
    name: Option<String>,
    /// The project's repository: a path from this file's folder, or an address.
    repo: Option<String>,
    /// The branches whose history matters, the first one most.
    branches: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Suite {
    /// A folder of asv benchmarks, from this file's folder.
    dir: Option<PathBuf>,
    /// A single file of asv benchmarks, instead of `dir`.
    file: Option<PathBuf>,
    /// The measuring method: `asv/2` (the default) or `asv/1`.
    method: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Environment {
    /// The interpreter: a path, a program's name, or a version such as `3.12`.
    python: Option<String>,
    /// Environment variables that are set for every benchmark. Each is an axis of its own.
    variables: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Run {
    /// Seconds for one process where the benchmark names no limit.
    timeout_s: Option<f64>,
    /// `auto` (the default), `fork` or `spawn`.
    launch_method: Option<String>,
    /// Processors that benchmarks may use: `0`, `0-3`, `0,2`.
    cpu_affinity: Option<String>,
    /// This machine's name.
    machine: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Store {
    /// The folder of the records, from this file's folder.
    dir: Option<PathBuf>,
    /// A folder of asv's results that are read along with the records, from this file's folder.
    asv_results: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Judge {
    /// The differences that do not matter, in per cent of the value (2 by default).
    band_percent: Option<f64>,
    /// Other bands for some benchmarks.
    bands: Vec<Band>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Band {
    /// Which benchmarks: a glob on their names, or a regular expression between slashes.
    benchmark: String,
    /// The differences that do not matter, in per cent of the value.
    percent: f64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Metric {
    /// Which benchmarks: a glob on their names, or a regular expression between slashes.
    benchmark: String,
    /// Which of their metrics; all of them if absent.
    name: Option<String>,
    /// The unit.
    unit: Option<String>,
    /// `lower`, `higher` or `none`.
    better: Option<String>,
    /// Whether any difference is real.
    exact: Option<bool>,
}

/// Returns the JSON schema of the file.
pub(crate) fn json_schema() -> serde_json::Value {
    schemars::schema_for!(File).to_value()
}

/// Reads the file over `settings`.
///
/// # Errors
/// A file that is no TOML, an unknown key (the nearest known one is named), a value out of its set.
pub(super) fn apply(path: &Path, settings: &mut Settings) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let file: File = toml::from_str(&text).map_err(|error| unreadable(path, &error))?;
    let File { project, suite, environment, run, store, judge, metric } = file;
    settings.files.insert(0, path.to_owned());
    settings.project.take_from_file(project.name, path, "project.name");
    settings.repo.take_from_file(project.repo, path, "project.repo");
    settings.branches.take_from_file(project.branches, path, "project.branches");
    apply_suite(path, suite, settings)?;
    settings.python.take_from_file(environment.python.map(Some), path, "environment.python");
    let variables = Some(environment.variables).filter(|variables| !variables.is_empty());
    settings.variables.take_from_file(variables, path, "environment.variables");
    apply_run(path, run, settings)?;
    let asv_results = store.asv_results.map(|dir| Some(from_root(path, settings, dir)));
    settings.asv_results.take_from_file(asv_results, path, "store.asv_results");
    let store = store.dir.map(|dir| from_root(path, settings, dir));
    settings.store.take_from_file(store, path, "store.dir");
    apply_judge(path, judge, settings)?;
    // A later rule wins, and the project's come after the user's.
    for metric in metric {
        settings.metrics.push(rule(path, metric)?);
    }
    Ok(())
}

fn apply_suite(path: &Path, mut suites: Vec<Suite>, settings: &mut Settings) -> Result<()> {
    if suites.len() > 1 {
        let message = format!("`{}` has {} [[suite]] tables; this version reads one", path.display(), suites.len());
        return Err(CommandError::new(message).hint("give each suite a configuration file, and name it with --config"));
    }
    let Some(suite) = suites.pop() else { return Ok(()) };
    let found = match (suite.dir, suite.file) {
        (Some(_), Some(_)) => {
            return Err(CommandError::new(format!("[[suite]] in `{}` has both `dir` and `file`", path.display())));
        }
        (Some(dir), None) => Some((SuitePath::Package(from_root(path, settings, dir)), "suite.dir")),
        (None, Some(file)) => Some((SuitePath::File(from_root(path, settings, file)), "suite.file")),
        (None, None) => None,
    };
    if let Some((suite, key)) = found {
        settings.suite.take_from_file(Some(suite), path, key);
    }
    let method = suite.method.map(|method| one_of(path, "suite.method", method, &METHODS)).transpose()?;
    settings.method.take_from_file(method, path, "suite.method");
    Ok(())
}

/// Paths start from the file's folder; the settings' own start from the project's.
fn from_root(file: &Path, settings: &Settings, path: PathBuf) -> PathBuf {
    let folder = file.parent().unwrap_or(&settings.root);
    if folder == settings.root { path } else { folder.join(path) }
}

fn apply_run(path: &Path, run: Run, settings: &mut Settings) -> Result<()> {
    let Run { timeout_s, launch_method, cpu_affinity, machine } = run;
    if let Some(limit) = timeout_s.filter(|limit| !super::is_time_limit(*limit)) {
        let message = format!("`run.timeout_s` in `{}` is {limit}, which is no time limit", path.display());
        return Err(CommandError::new(message).hint("it is a positive number of seconds"));
    }
    settings.timeout_s.take_from_file(timeout_s, path, "run.timeout_s");
    let launch = launch_method.map(|word| one_of(path, "run.launch_method", word, &LAUNCH_METHODS)).transpose()?;
    settings.launch_method.take_from_file(launch, path, "run.launch_method");
    settings.cpu_affinity.take_from_file(cpu_affinity.map(Some), path, "run.cpu_affinity");
    settings.machine.take_from_file(machine.map(Some), path, "run.machine");
    Ok(())
}

fn apply_judge(path: &Path, judge: Judge, settings: &mut Settings) -> Result<()> {
    let Judge { band_percent, bands } = judge;
    let checked = |key: &str, percent: f64| {
        let message = format!("`{key}` in `{}` is {percent}, which is no band", path.display());
        let error = CommandError::new(message).hint("it is a number of per cent, such as 2");
        if super::is_band(percent) { Ok(percent) } else { Err(error) }
    };
    let band_percent = band_percent.map(|percent| checked("judge.band_percent", percent)).transpose()?;
    settings.band_percent.take_from_file(band_percent, path, "judge.band_percent");
    for Band { benchmark, percent } in bands {
        let rule = BandRule::new(&benchmark, checked("judge.bands.percent", percent)?);
        let wrong = |error| CommandError::new(format!("`judge.bands.benchmark` in `{}`: {error}", path.display()));
        settings.bands.push(rule.map_err(wrong)?);
    }
    Ok(())
}

fn rule(path: &Path, metric: Metric) -> Result<MetricRule> {
    let Metric { benchmark, name, unit, better, exact } = metric;
    let better = better.map(|word| one_of(path, "metric.better", word, &["lower", "higher", "none"])).transpose()?;
    MetricRule::new(&benchmark, name, unit, better.as_deref(), exact)
        .map_err(|error| CommandError::new(format!("`metric.benchmark` in `{}`: {error}", path.display())))
}

fn one_of(path: &Path, key: &str, word: String, allowed: &[&str]) -> Result<String> {
    if allowed.contains(&word.as_str()) {
        return Ok(word);
    }
    let message = format!("`{key}` in `{}` is `{word}`", path.display());
    Err(CommandError::new(message).hint(format!("it is one of {}", allowed.join(", "))))
}

fn unreadable(path: &Path, error: &toml::de::Error) -> CommandError {
    let message = CommandError::new(format!("cannot read `{}`: {}", path.display(), error.to_string().trim_end()));
    match unknown_field(error.message()) {
        Some((unknown, known)) => match nearest(unknown, known.iter().copied()) {
            Some(near) => message.hint(format!("did you mean `{near}`?")),
            None => message.hint(format!("known keys here: {}", known.join(", "))),
        },
        None => message,
    }
}

/// Takes apart serde's "unknown field `x`, expected one of `a`, `b`".
fn unknown_field(message: &str) -> Option<(&str, Vec<&str>)> {
    let rest = message.strip_prefix("unknown field ")?;
    let mut names = rest.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    Some((unknown, names.collect()))
}

/// Returns the known word that lies nearest to `word`, if one is near at all.
pub(super) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.map(|candidate| (strsim::jaro_winkler(word, candidate), candidate));
    scored.filter(|(score, _)| *score > 0.8).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}
