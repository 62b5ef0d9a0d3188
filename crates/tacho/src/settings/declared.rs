//! What settings say of environments, kept with its origin until a command asks for combinations.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tacho_measure::environments::{Axis, Inclusion, Rule};

use super::{Origin, Setting};

/// An axis as it was declared, and where.
pub(crate) type DeclaredAxis = Setting<Axis>;

/// A rule or a combination with the text that says it.
#[derive(Debug, Clone)]
pub(crate) struct Declared<T> {
    pub(crate) meaning: T,
    pub(crate) text: Value,
}

/// Everything about environments, beside interpreter and variables.
#[derive(Debug, Clone)]
pub(crate) struct EnvironmentSettings {
    /// The tool's word: one of `TOOLS`, or asv's `virtualenv` and `rattler`.
    pub(crate) tool: Setting<Option<String>>,
    /// The name or path of a conda-like program.
    pub(crate) program: Setting<Option<String>>,
    /// Requirement lines that are no axes.
    pub(crate) requirements: Setting<Vec<String>>,
    /// A file of locked requirements, from the top of the measured source.
    pub(crate) lock: Setting<Option<PathBuf>>,
    /// A file that a conda-like tool makes the environment from, from the project's folder.
    pub(crate) environment_file: Setting<Option<PathBuf>>,
    pub(crate) channels: Setting<Vec<String>>,
    pub(crate) build: Setting<Option<Vec<String>>>,
    pub(crate) install: Setting<Option<Vec<String>>>,
    pub(crate) uninstall: Setting<Option<Vec<String>>>,
    /// Words that start the interpreter.
    pub(crate) run: Setting<Option<String>>,
    /// Words that rebuild a work tree in place.
    pub(crate) rebuild: Setting<Option<String>>,
    pub(crate) build_timeout_s: Setting<f64>,
    pub(crate) exclude: Setting<Vec<Declared<Rule>>>,
    pub(crate) include: Setting<Vec<Declared<Inclusion>>>,
    /// The axes, in the order they multiply in.
    pub(crate) axes: Vec<DeclaredAxis>,
}

/// Builds of large C++ projects take longer than the ten minutes that asv gives them.
const BUILD_TIMEOUT_S: f64 = 3600.0;

impl Default for EnvironmentSettings {
    fn default() -> EnvironmentSettings {
        EnvironmentSettings {
            tool: Setting::default_value(None),
            program: Setting::default_value(None),
            requirements: Setting::default_value(vec![]),
            lock: Setting::default_value(None),
            environment_file: Setting::default_value(None),
            channels: Setting::default_value(vec![]),
            build: Setting::default_value(None),
            install: Setting::default_value(None),
            uninstall: Setting::default_value(None),
            run: Setting::default_value(None),
            rebuild: Setting::default_value(None),
            build_timeout_s: Setting::default_value(BUILD_TIMEOUT_S),
            exclude: Setting::default_value(vec![]),
            include: Setting::default_value(vec![]),
            axes: vec![],
        }
    }
}

impl EnvironmentSettings {
    /// Takes the axes of a file over those that were there: one of the same name takes its place.
    pub(super) fn take_axes(&mut self, axes: Vec<(Axis, String)>, path: &Path) {
        for (axis, key) in axes {
            let is_older =
                |known: &DeclaredAxis| known.value.kind.name() == axis.kind.name() && !is_from(&known.origin, path);
            let at = self.axes.iter().position(is_older).unwrap_or(self.axes.len());
            self.axes.retain(|known| !is_older(known));
            let origin = Origin::File { path: path.to_owned(), key };
            self.axes.insert(at, Setting { value: axis, origin });
        }
    }

    /// Returns each setting as (name, value, origin), in the order of the documentation.
    pub(super) fn rows(&self) -> Vec<(String, Value, &Origin)> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let rows = vec![
            ("requirements", json!(self.requirements.value), &self.requirements.origin),
            ("lock", json!(path(&self.lock.value)), &self.lock.origin),
            ("environment_file", json!(path(&self.environment_file.value)), &self.environment_file.origin),
            ("channels", json!(self.channels.value), &self.channels.origin),
            ("build", json!(self.build.value), &self.build.origin),
            ("install", json!(self.install.value), &self.install.origin),
            ("uninstall", json!(self.uninstall.value), &self.uninstall.origin),
            ("run", json!(self.run.value), &self.run.origin),
            ("rebuild", json!(self.rebuild.value), &self.rebuild.origin),
            ("build_timeout_s", json!(self.build_timeout_s.value), &self.build_timeout_s.origin),
            ("exclude", texts(&self.exclude.value), &self.exclude.origin),
            ("include", texts(&self.include.value), &self.include.origin),
        ];
        rows.into_iter().map(|(name, value, origin)| (format!("environment.{name}"), value, origin)).collect()
    }

    /// Returns the axes as [`EnvironmentSettings::rows`] does; `null` is what is absent.
    pub(super) fn axis_rows(&self) -> impl Iterator<Item = (String, Value, &Origin)> {
        let row = |axis: &DeclaredAxis| (format!("axes.{}", axis.value.kind.name()), json!(axis.value.values));
        self.axes.iter().map(move |axis| (row(axis).0, row(axis).1, &axis.origin))
    }
}

/// Whether a file says so.
pub(super) fn is_from(origin: &Origin, file: &Path) -> bool {
    matches!(origin, Origin::File { path, .. } if path == file)
}

fn texts<T>(declared: &[Declared<T>]) -> Value {
    declared.iter().map(|one| one.text.clone()).collect()
}
