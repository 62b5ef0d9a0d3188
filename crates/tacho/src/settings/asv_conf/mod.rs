//! `asv.conf.json` as it is found in the wild, read into the same settings as `tacho.toml`.

mod matrix;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Map, Value};
use tacho_measure::environments::Tool;

use super::{Settings, SuitePath};
use crate::error::{CommandError, Result, WithHint};

/// Keys of asv's that are read, or that change nothing here and need not.
const READ: [&str; 27] = [
    "version",
    "project",
    "project_url",
    "repo",
    "repo_subdir",
    "dvcs",
    "branches",
    "pythons",
    "matrix",
    "exclude",
    "include",
    "environment_type",
    "env_dir",
    "build_command",
    "install_command",
    "uninstall_command",
    "install_timeout",
    "conda_channels",
    "conda_environment_file",
    // How many builds asv keeps: what is kept here is limited by `store.cache_limit_gb`.
    "build_cache_size",
    "wheel_cache_size",
    "benchmark_dir",
    "results_dir",
    "html_dir",
    "default_benchmark_timeout",
    "launch_method",
    "$schema",
];

/// Keys that are accepted and change nothing yet.
const WITHOUT_EFFECT: [&str; 5] =
    ["hash_length", "show_commit_url", "regressions_first_commits", "regressions_thresholds", "plugins"];

/// Returns all keys that asv 0.6.6 knows.
fn known() -> impl Iterator<Item = &'static str> {
    READ.into_iter().chain(WITHOUT_EFFECT)
}

/// Returns the keys of the file that change nothing yet, in its order.
///
/// # Errors
/// As [`apply`].
pub(crate) fn keys_without_effect(path: &Path) -> Result<Vec<String>> {
    let map = read(path)?;
    let is_idle = |key: &str, value: &Value| match key {
        "environment_type" => value.as_str().is_some_and(|kind| Tool::parse(tool_of(kind).0, None).is_none()),
        "dvcs" => value.as_str() != Some("git"),
        key => WITHOUT_EFFECT.contains(&key),
    };
    Ok(map.iter().filter(|(key, value)| is_idle(key, value)).map(|(key, _)| key.clone()).collect())
}

fn read(path: &Path) -> Result<Map<String, Value>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    json5::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| CommandError::new(format!("cannot read `{}`: {error}", path.display())))
        .hint("the file is JSON with comments and trailing commas allowed")
}

/// Reads the file over `settings`.
///
/// # Errors
/// A file that is no JSON5 object, or a key whose value has the wrong type.
pub(super) fn apply(path: &Path, settings: &mut Settings) -> Result<()> {
    let map = read(path)?;
    let conf = Conf { path, map: &map };
    conf.warn_of_unknown_keys(settings);
    settings.files.insert(0, path.to_owned());
    settings.project.take_from_file(conf.text("project")?, path, "project");
    settings.repo.take_from_file(conf.text("repo")?, path, "repo");
    settings.branches.take_from_file(conf.texts("branches")?, path, "branches");
    let suite = conf.text("benchmark_dir")?.map(|dir| SuitePath::Package(PathBuf::from(dir)));
    settings.suite.take_from_file(suite, path, "benchmark_dir");
    settings.timeout_s.take_from_file(conf.seconds("default_benchmark_timeout")?, path, "default_benchmark_timeout");
    settings.launch_method.take_from_file(conf.text("launch_method")?, path, "launch_method");
    apply_environments(&conf, path, settings)?;
    let results = conf.text("results_dir")?.unwrap_or_else(|| "results".into());
    settings.asv_results.take_from_file(Some(Some(results.into())), path, "results_dir");
    for (key, usual) in [("results_dir", "results"), ("html_dir", "html"), ("env_dir", "env")] {
        settings.asv_folders.push(PathBuf::from(conf.text(key)?.unwrap_or_else(|| usual.into())));
    }
    if !matches!(settings.launch_method.value.as_str(), "auto" | "spawn" | "forkserver") {
        let message = format!("`launch_method` in `{}` is `{}`", path.display(), settings.launch_method.value);
        return Err(CommandError::new(message).hint("it is one of auto, spawn, forkserver"));
    }
    Ok(())
}

/// Takes `existing:PROGRAM` apart.
fn tool_of(kind: &str) -> (&str, Option<&str>) {
    kind.split_once(':').map_or((kind, None), |(tool, python)| (tool, Some(python)))
}

fn apply_environments(conf: &Conf<'_>, path: &Path, settings: &mut Settings) -> Result<()> {
    let kind = conf.text("environment_type")?.filter(|kind| !kind.is_empty());
    let (tool, python) = kind.as_deref().map_or((None, None), |kind| {
        let (tool, python) = tool_of(kind);
        (Some(tool), python.filter(|_| tool == "existing"))
    });
    settings.python.take_from_file(python.map(|program| Some(program.into())), path, "environment_type");
    match tool.map(|tool| (tool, Tool::parse(tool, None))) {
        Some((tool, None)) => settings.warnings.push(format!(
            "`environment_type` in `{}` is `{tool}`, which is not known here and is left out: choose with \
             `[environment] tool` in tacho.toml",
            path.display()
        )),
        known => {
            let tool = known.map(|(tool, _)| Some(tool.to_owned()));
            settings.environment.tool.take_from_file(tool, path, "environment_type");
        }
    }
    settings.subdir.take_from_file(
        conf.text("repo_subdir")?.filter(|dir| !dir.is_empty()).map(Some),
        path,
        "repo_subdir",
    );
    let environment = &mut settings.environment;
    environment.build.take_from_file(conf.lines("build_command")?.map(Some), path, "build_command");
    environment.install.take_from_file(conf.lines("install_command")?.map(Some), path, "install_command");
    environment.uninstall.take_from_file(conf.lines("uninstall_command")?.map(Some), path, "uninstall_command");
    environment.build_timeout_s.take_from_file(conf.seconds("install_timeout")?, path, "install_timeout");
    environment.channels.take_from_file(conf.texts("conda_channels")?, path, "conda_channels");
    let file = conf.text("conda_environment_file")?.filter(|file| !file.is_empty());
    // asv takes the usual one without a word, where its tool is one of conda's.
    let usual = || Path::new("environment.yml");
    let is_conda = matches!(tool.and_then(|tool| Tool::parse(tool, None)), Some(Tool::Conda { .. }));
    let file = match file.as_deref() {
        Some("IGNORE") => Some(None),
        Some(file) => Some(Some(PathBuf::from(file))),
        None => (is_conda && settings.root.join(usual()).is_file()).then(|| Some(usual().to_owned())),
    };
    environment.environment_file.take_from_file(file, path, "conda_environment_file");
    matrix::apply(conf, path, settings)
}

struct Conf<'a> {
    path: &'a Path,
    map: &'a Map<String, Value>,
}

impl Conf<'_> {
    fn wrong(&self, key: &str, wanted: &str) -> CommandError {
        let found = &self.map[key];
        CommandError::new(format!("`{key}` in `{}` is {found}, not {wanted}", self.path.display()))
    }

    fn text(&self, key: &str) -> Result<Option<String>> {
        match self.map.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(key, "a text")),
        }
    }

    fn texts(&self, key: &str) -> Result<Option<Vec<String>>> {
        let Some(value) = self.map.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
        let list = value.as_array().ok_or_else(|| self.wrong(key, "a list of texts"))?;
        let texts = list.iter().map(|item| item.as_str().map(str::to_owned));
        texts.collect::<Option<Vec<String>>>().map(Some).ok_or_else(|| self.wrong(key, "a list of texts"))
    }

    /// Command lines: a list, or one. An empty text is no command, as an empty list is.
    fn lines(&self, key: &str) -> Result<Option<Vec<String>>> {
        match self.map.get(key) {
            Some(Value::String(line)) if line.is_empty() => Ok(Some(vec![])),
            Some(Value::String(line)) => Ok(Some(vec![line.clone()])),
            _ => self.texts(key),
        }
    }

    fn seconds(&self, key: &str) -> Result<Option<f64>> {
        let Some(value) = self.map.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
        let seconds = value.as_f64().filter(|seconds| super::is_time_limit(*seconds));
        seconds.map(Some).ok_or_else(|| self.wrong(key, "a positive number of seconds"))
    }

    fn warn_of_unknown_keys(&self, settings: &mut Settings) {
        for key in self.map.keys().filter(|key| known().all(|known| known != key.as_str())) {
            let near = super::tacho_toml::nearest(key, known());
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            settings.warnings.push(format!("unknown key `{key}` in `{}`{near}", self.path.display()));
        }
    }
}
