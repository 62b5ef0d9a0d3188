//! `tacho.toml`: the types that read it, from which its JSON schema is made.

mod axis_table;
mod environment;

use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use schemars::JsonSchema;
use serde::Deserialize;

use environment::{Axes, Environment};

use super::{BandRule, HISTORIES, LAUNCH_METHODS, METHODS, MetricRule, Settings, SuitePath};
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
    /// What varies: interpreters, dependencies, variables, threads and processors. Axes multiply.
    axes: Axes,
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
    /// The project's folder inside the repository, where it is not the top.
    subdir: Option<PathBuf>,
    /// What a history goes along: `commits` (the default), `versions` of the package, or `dates`.
    history: Option<String>,
    /// The name of the project's package, where it is not that of the project.
    package: Option<String>,
    /// Released versions that a history of versions goes along.
    versions: Option<Vec<String>>,
    /// Words that print the version of what is measured, where it is no Python package.
    version_command: Option<String>,
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
struct Run {
    /// Seconds for one process where the benchmark names no limit.
    timeout_s: Option<f64>,
    /// `auto` (the default), `fork` or `spawn`.
    launch_method: Option<String>,
    /// Processors that benchmarks may use: `0`, `0-3`, `0,2`.
    cpu_affinity: Option<String>,
    /// How many threads every threading library may use.
    threads: Option<u32>,
    /// The NUMA node whose processors and memory benchmarks may use.
    numa_node: Option<u32>,
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
    /// How much environments, builds and repositories that can be made anew may take, in gigabytes (20 by default).
    cache_limit_gb: Option<f64>,
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
    let File { project, suite, environment, axes, run, store, judge, metric } = file;
    settings.files.insert(0, path.to_owned());
    apply_project(path, project, settings)?;
    apply_suite(path, suite, settings)?;
    environment.apply(path, settings)?;
    axes.apply(path, settings)?;
    apply_run(path, run, settings)?;
    apply_store(path, store, settings)?;
    apply_judge(path, judge, settings)?;
    // A later rule wins, and the project's come after the user's.
    for metric in metric {
        settings.metrics.push(rule(path, metric)?);
    }
    Ok(())
}

fn apply_project(path: &Path, project: Project, settings: &mut Settings) -> Result<()> {
    let Project { name, repo, branches, subdir, history, package, versions, version_command } = project;
    settings.project.take_from_file(name, path, "project.name");
    settings.repo.take_from_file(repo, path, "project.repo");
    settings.branches.take_from_file(branches, path, "project.branches");
    let subdir = subdir.map(|dir| inside(path, "project.subdir", dir)).transpose()?;
    settings.subdir.take_from_file(subdir.map(Some), path, "project.subdir");
    let history = history.map(|word| one_of(path, "project.history", word, &HISTORIES)).transpose()?;
    settings.history.take_from_file(history, path, "project.history");
    settings.package.take_from_file(package.map(Some), path, "project.package");
    settings.versions.take_from_file(versions, path, "project.versions");
    settings.version_command.take_from_file(version_command.map(Some), path, "project.version_command");
    Ok(())
}

/// A folder of the measured source cannot lie outside of it.
fn inside(path: &Path, key: &str, dir: PathBuf) -> Result<String> {
    let plain = dir.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if plain {
        return Ok(dir.display().to_string());
    }
    let message = format!("`{key}` in `{}` is `{}`", path.display(), dir.display());
    Err(CommandError::new(message).hint("it is a folder below the top of the repository, such as `python`"))
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
    let Run { timeout_s, launch_method, cpu_affinity, threads, numa_node, machine } = run;
    if let Some(limit) = timeout_s.filter(|limit| !super::is_time_limit(*limit)) {
        let message = format!("`run.timeout_s` in `{}` is {limit}, which is no time limit", path.display());
        return Err(CommandError::new(message).hint("it is a positive number of seconds"));
    }
    settings.timeout_s.take_from_file(timeout_s, path, "run.timeout_s");
    let launch = launch_method.map(|word| one_of(path, "run.launch_method", word, &LAUNCH_METHODS)).transpose()?;
    settings.launch_method.take_from_file(launch, path, "run.launch_method");
    settings.cpu_affinity.take_from_file(cpu_affinity.map(Some), path, "run.cpu_affinity");
    if threads == Some(0) {
        return Err(
            CommandError::new(format!("`run.threads` in `{}` is 0", path.display())).hint("at least one is needed")
        );
    }
    settings.threads.take_from_file(threads.map(Some), path, "run.threads");
    settings.numa_node.take_from_file(numa_node.map(Some), path, "run.numa_node");
    settings.machine.take_from_file(machine.map(Some), path, "run.machine");
    Ok(())
}

fn apply_store(path: &Path, store: Store, settings: &mut Settings) -> Result<()> {
    let Store { dir, asv_results, cache_limit_gb } = store;
    if let Some(limit) = cache_limit_gb.filter(|limit| !(0.0..=1e9).contains(limit)) {
        let message = format!("`store.cache_limit_gb` in `{}` is {limit}, which is no size", path.display());
        return Err(CommandError::new(message).hint("it is a number of gigabytes, such as 20"));
    }
    let asv_results = asv_results.map(|dir| Some(from_root(path, settings, dir)));
    settings.asv_results.take_from_file(asv_results, path, "store.asv_results");
    let dir = dir.map(|dir| from_root(path, settings, dir));
    settings.store.take_from_file(dir, path, "store.dir");
    settings.cache_limit_gb.take_from_file(cache_limit_gb, path, "store.cache_limit_gb");
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
