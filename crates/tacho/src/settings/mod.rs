//! Settings: flags, environment, files and defaults, resolved once before anything happens.

mod asv_conf;
mod band_rules;
mod declared;
mod environments;
mod find;
mod metric_rules;
mod origin;
mod rows;
mod tacho_toml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) use asv_conf::keys_without_effect as asv_keys_without_effect;
pub(crate) use band_rules::{BandRule, is_band};
pub(crate) use environments::combinations;
pub(crate) use environments::{EnvironmentWish, chosen};
pub(crate) use find::{ConfigFile, below, find_config};
pub(crate) use metric_rules::MetricRule;
pub(crate) use origin::{Origin, Setting};
pub(crate) use tacho_toml::json_schema;

use declared::EnvironmentSettings;

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
    /// The project's folder inside the repository.
    pub(crate) subdir: Setting<Option<String>>,
    /// What a history goes along: one of `HISTORIES`.
    pub(crate) history: Setting<String>,
    /// The package's name, where it is not the project's.
    pub(crate) package: Setting<Option<String>>,
    pub(crate) versions: Setting<Vec<String>>,
    /// Words that print the version of what is measured.
    pub(crate) version_command: Setting<Option<String>>,
    pub(crate) suite: Setting<SuitePath>,
    pub(crate) method: Setting<String>,
    pub(crate) python: Setting<Option<String>>,
    pub(crate) variables: Setting<BTreeMap<String, String>>,
    pub(crate) environment: EnvironmentSettings,
    pub(crate) timeout_s: Setting<f64>,
    pub(crate) launch_method: Setting<String>,
    pub(crate) cpu_affinity: Setting<Option<String>>,
    /// How many threads every threading library may use.
    pub(crate) threads: Setting<Option<u32>>,
    pub(crate) numa_node: Setting<Option<u32>>,
    pub(crate) machine: Setting<Option<String>>,
    pub(crate) store: Setting<PathBuf>,
    /// What may be kept that can be made anew, in units of 10^9 bytes.
    pub(crate) cache_limit_gb: Setting<f64>,
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

/// What a history goes along.
pub(crate) const HISTORIES: [&str; 3] = ["commits", "versions", "dates"];

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
            subdir: Setting::default_value(None),
            history: Setting::default_value(HISTORIES[0].into()),
            package: Setting::default_value(None),
            versions: Setting::default_value(vec![]),
            version_command: Setting::default_value(None),
            suite: Setting::default_value(SuitePath::Package("benchmarks".into())),
            method: Setting::default_value(METHODS[0].into()),
            python: Setting::default_value(None),
            variables: Setting::default_value(BTreeMap::new()),
            environment: EnvironmentSettings::default(),
            timeout_s: Setting::default_value(60.0),
            launch_method: Setting::default_value("auto".into()),
            cpu_affinity: Setting::default_value(None),
            threads: Setting::default_value(None),
            numa_node: Setting::default_value(None),
            machine: Setting::default_value(None),
            store: Setting::default_value(".tacho".into()),
            cache_limit_gb: Setting::default_value(20.0),
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
        environments::warn(&mut settings);
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
}

/// Reads one file over the defaults, for tests: as a `tacho.toml`, or as a configuration of asv's by its ending.
#[cfg(test)]
pub(crate) fn read_file(path: &Path) -> Result<Settings> {
    let mut settings = Settings::defaults(path.parent().unwrap_or(Path::new("/")));
    match path.extension().is_some_and(|end| end == "toml") {
        true => tacho_toml::apply(path, &mut settings)?,
        false => asv_conf::apply(path, &mut settings)?,
    }
    environments::warn(&mut settings);
    Ok(settings)
}

/// Returns true for a number of seconds that can be waited: positive, and less than thirty years.
pub(crate) fn is_time_limit(seconds: f64) -> bool {
    seconds > 0.0 && seconds <= 1e9
}
