//! Settings: flags, environment, files and defaults, resolved once before anything happens.

mod asv_conf;
mod band_rules;
mod find;
mod metric_rules;
mod origin;
mod tacho_toml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) use asv_conf::keys_without_effect as asv_keys_without_effect;
pub(crate) use band_rules::{BandRule, is_band};
pub(crate) use find::{ConfigFile, below, find_config};
pub(crate) use metric_rules::MetricRule;
pub(crate) use origin::{Origin, Setting};
pub(crate) use tacho_toml::json_schema;

use crate::dirs::Dirs;
use crate::error::Result;

/// Where a suite of benchmarks is, relative to the project's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SuitePath {
    /// A package of asv benchmarks.
    Package(PathBuf),
    /// A single file.
    File(PathBuf),
}

impl SuitePath {
    pub(crate) fn path(&self) -> &Path {
        match self {
            SuitePath::Package(path) | SuitePath::File(path) => path,
        }
    }
}

/// Everything a command needs to know about a project.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The folder that relative paths start from: where the configuration file is.
    pub(crate) root: PathBuf,
    /// The configuration files that were read, most important first.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) project: Setting<String>,
    pub(crate) repo: Setting<String>,
    pub(crate) branches: Setting<Vec<String>>,
    pub(crate) suite: Setting<SuitePath>,
    pub(crate) method: Setting<String>,
    pub(crate) python: Setting<Option<String>>,
    pub(crate) variables: Setting<BTreeMap<String, String>>,
    pub(crate) timeout_s: Setting<f64>,
    pub(crate) launch_method: Setting<String>,
    pub(crate) cpu_affinity: Setting<Option<String>>,
    pub(crate) machine: Setting<Option<String>>,
    pub(crate) store: Setting<PathBuf>,
    /// asv's results folder, where there is an asv project.
    pub(crate) asv_results: Setting<Option<PathBuf>>,
    /// asv's own folders, relative to the project's: results, site, environments.
    pub(crate) asv_folders: Vec<PathBuf>,
    pub(crate) metrics: Vec<MetricRule>,
    pub(crate) band_percent: Setting<f64>,
    pub(crate) bands: Vec<BandRule>,
    /// Things worth a word on standard error, once.
    pub(crate) warnings: Vec<String>,
}

/// The measuring methods for asv suites.
pub(crate) const METHODS: [&str; 2] = ["asv/2", "asv/1"];

/// The launch methods, with asv's word for the first.
pub(crate) const LAUNCH_METHODS: [&str; 4] = ["auto", "fork", "forkserver", "spawn"];

impl Settings {
    /// Returns what holds without any file: the defaults, below `root`.
    pub(crate) fn defaults(root: &Path) -> Settings {
        let name = root.file_name().map_or_else(|| "project".into(), |name| name.to_string_lossy().into_owned());
        Settings {
            root: root.to_owned(),
            files: vec![],
            project: Setting::default_value(name),
            repo: Setting::default_value(".".into()),
            branches: Setting::default_value(vec![]),
            suite: Setting::default_value(SuitePath::Package("benchmarks".into())),
            method: Setting::default_value(METHODS[0].into()),
            python: Setting::default_value(None),
            variables: Setting::default_value(BTreeMap::new()),
            timeout_s: Setting::default_value(60.0),
            launch_method: Setting::default_value("auto".into()),
            cpu_affinity: Setting::default_value(None),
            machine: Setting::default_value(None),
            store: Setting::default_value(".tacho".into()),
            asv_results: Setting::default_value(None),
            asv_folders: vec![],
            metrics: vec![],
            band_percent: Setting::default_value(2.0),
            bands: vec![],
            warnings: vec![],
        }
    }

    /// Reads files over the defaults: the user's own, then the project's `asv.conf.json`, `tacho.toml` over it.
    pub(crate) fn load(config: &ConfigFile, dirs: &Dirs) -> Result<Settings> {
        let mut settings = Settings::without_project(&config.root, dirs)?;
        if let Some(path) = &config.asv_conf {
            asv_conf::apply(path, &mut settings)?;
        }
        if let Some(path) = &config.tacho_toml {
            tacho_toml::apply(path, &mut settings)?;
        }
        settings.take_environment()?;
        Ok(settings)
    }

    /// Returns what holds without a project: the user's own file over the defaults.
    pub(crate) fn without_project(root: &Path, dirs: &Dirs) -> Result<Settings> {
        let mut settings = Settings::defaults(root);
        let user_file = dirs.user_config_file();
        if user_file.is_file() {
            tacho_toml::apply(&user_file, &mut settings)?;
        }
        settings.take_environment()?;
        Ok(settings)
    }

    fn take_environment(&mut self) -> Result<()> {
        self.machine.override_from_env("TACHO_MACHINE", |text| Ok(Some(text.to_owned())))
    }

    /// Returns the folder that a relative path of the interpreter starts from: where it was written down.
    pub(crate) fn python_base(&self, cwd: &Path) -> PathBuf {
        match &self.python.origin {
            Origin::File { path, .. } => path.parent().unwrap_or(cwd).to_owned(),
            _ => cwd.to_owned(),
        }
    }

    /// Returns the fraction by which values of a benchmark may differ without mattering. The last rule that fits holds.
    pub(crate) fn band(&self, benchmark: &str) -> f64 {
        let declared = self.bands.iter().rev().find_map(|rule| rule.percent_of(benchmark));
        declared.unwrap_or(self.band_percent.value) / 100.0
    }

    /// Returns a path of the settings as an absolute one.
    pub(crate) fn path(&self, relative: &Path) -> PathBuf {
        self.root.join(relative)
    }

    /// Returns the project's repository where it is a folder here rather than an address.
    pub(crate) fn local_repo(&self) -> Option<PathBuf> {
        Some(self.path(Path::new(&self.repo.value))).filter(|path| path.is_dir())
    }

    /// Returns each setting as (name, value, origin), in the order of the documentation.
    pub(crate) fn rows(&self) -> Vec<(&'static str, serde_json::Value, &Origin)> {
        use serde_json::json;
        let suite = self.suite.value.path().display().to_string();
        let kind = match self.suite.value {
            SuitePath::Package(_) => "dir",
            SuitePath::File(_) => "file",
        };
        let asv_results = self.asv_results.value.as_ref().map(|folder| folder.display().to_string());
        vec![
            ("project.name", json!(self.project.value), &self.project.origin),
            ("project.repo", json!(self.repo.value), &self.repo.origin),
            ("project.branches", json!(self.branches.value), &self.branches.origin),
            (if kind == "dir" { "suite.dir" } else { "suite.file" }, json!(suite), &self.suite.origin),
            ("suite.method", json!(self.method.value), &self.method.origin),
            ("environment.python", json!(self.python.value), &self.python.origin),
            ("environment.variables", json!(self.variables.value), &self.variables.origin),
            ("run.timeout_s", json!(self.timeout_s.value), &self.timeout_s.origin),
            ("run.launch_method", json!(self.launch_method.value), &self.launch_method.origin),
            ("run.cpu_affinity", json!(self.cpu_affinity.value), &self.cpu_affinity.origin),
            ("run.machine", json!(self.machine.value), &self.machine.origin),
            ("store.dir", json!(self.store.value.display().to_string()), &self.store.origin),
            ("store.asv_results", json!(asv_results), &self.asv_results.origin),
            ("judge.band_percent", json!(self.band_percent.value), &self.band_percent.origin),
        ]
    }
}

/// Returns true for a number of seconds that can be waited: positive, and less than thirty years.
pub(crate) fn is_time_limit(seconds: f64) -> bool {
    seconds > 0.0 && seconds <= 1e9
}
