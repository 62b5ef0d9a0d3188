//! `[environment]` and `[axes]` of `tacho.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use tacho_measure::environments::{Axis, AxisKind, Condition, Inclusion, Rule, RuleKey, TOOLS, ValuePattern};
use tacho_measure::matching::NamePattern;

use super::axis_table::{AxesShape, AxisTable, Scalar, Values};
use super::{from_root, nearest, one_of};
use crate::error::{CommandError, Result};
use crate::settings::Settings;
use crate::settings::declared::Declared;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Environment {
    /// What makes environments: `uv`, `venv`, `conda`, `mamba`, `micromamba`, `pixi`, `command` (only your own build lines),
    /// or `existing`, which makes none. Without it, `uv` where anything below or in `[axes]` needs an environment of its own.
    tool: Option<String>,
    /// The name or path of the conda-like program, where it is not that of the tool.
    program: Option<String>,
    /// The interpreter: a path, a program's name, or a version such as `3.12`.
    python: Option<String>,
    /// Requirements as pip takes them, the same in every environment and no axes.
    requirements: Option<Vec<String>>,
    /// A file of locked requirements, from the top of the measured source: `uv.lock`, or lines as pip takes them.
    lock: Option<PathBuf>,
    /// A file that a conda-like tool makes the environment from, from this file's folder.
    environment_file: Option<PathBuf>,
    /// Channels of a conda-like tool.
    channels: Option<Vec<String>>,
    /// Command lines that build the project, instead of the tool's own way.
    build: Option<Lines>,
    /// Command lines that install it.
    install: Option<Lines>,
    /// Command lines that remove it again.
    uninstall: Option<Lines>,
    /// Words that start the interpreter, such as `taskset 1 python3`.
    run: Option<String>,
    /// Words that rebuild the work tree in place, in an environment that is there.
    rebuild: Option<String>,
    /// Seconds for one command of a build (3600 by default).
    build_timeout_s: Option<f64>,
    /// Environment variables that are set for every benchmark. Each is an axis of its own.
    variables: BTreeMap<String, String>,
    /// Combinations to leave out: axes with globs, or regular expressions between slashes; also `tool` and `platform`.
    #[schemars(with = "Option<Vec<BTreeMap<String, serde_json::Value>>>")]
    exclude: Option<Vec<AxisTable>>,
    /// Combinations to add: axes with one value each; `tool` and `platform` say where.
    #[schemars(with = "Option<Vec<BTreeMap<String, serde_json::Value>>>")]
    include: Option<Vec<AxisTable>>,
}

/// One command line, or several.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Lines {
    One(String),
    Many(Vec<String>),
}

impl Lines {
    fn all(self) -> Vec<String> {
        match self {
            Lines::One(line) => vec![line],
            Lines::Many(lines) => lines,
        }
    }
}

/// The axes, whatever way they are written in.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Axes(AxisTable);

impl JsonSchema for Axes {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Axes".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        AxesShape::json_schema(generator)
    }
}

impl Environment {
    pub(super) fn apply(self, path: &Path, settings: &mut Settings) -> Result<()> {
        let environment_file = self.environment_file.map(|file| Some(from_root(path, settings, file)));
        if let Some(limit) = self.build_timeout_s.filter(|limit| !crate::settings::is_time_limit(*limit)) {
            let message =
                format!("`environment.build_timeout_s` in `{}` is {limit}, which is no time limit", path.display());
            return Err(CommandError::new(message).hint("it is a positive number of seconds"));
        }
        settings.python.take_from_file(self.python.map(Some), path, "environment.python");
        let variables = Some(self.variables).filter(|variables| !variables.is_empty());
        settings.variables.take_from_file(variables, path, "environment.variables");
        let tool = self.tool.map(|word| one_of(path, "environment.tool", word, &TOOLS)).transpose()?;
        let lines = |lines: Option<Lines>| lines.map(|lines| Some(lines.all()));
        let found = &mut settings.environment;
        found.tool.take_from_file(tool.map(Some), path, "environment.tool");
        found.program.take_from_file(self.program.map(Some), path, "environment.program");
        found.requirements.take_from_file(self.requirements, path, "environment.requirements");
        found.lock.take_from_file(self.lock.map(Some), path, "environment.lock");
        found.environment_file.take_from_file(environment_file, path, "environment.environment_file");
        found.channels.take_from_file(self.channels, path, "environment.channels");
        found.build.take_from_file(lines(self.build), path, "environment.build");
        found.install.take_from_file(lines(self.install), path, "environment.install");
        found.uninstall.take_from_file(lines(self.uninstall), path, "environment.uninstall");
        found.run.take_from_file(self.run.map(Some), path, "environment.run");
        found.rebuild.take_from_file(self.rebuild.map(Some), path, "environment.rebuild");
        found.build_timeout_s.take_from_file(self.build_timeout_s, path, "environment.build_timeout_s");
        let exclude = self.exclude.map(|tables| tables.iter().map(|table| exclusion(path, table)).collect());
        found.exclude.take_from_file(exclude.transpose()?, path, "environment.exclude");
        let include = self.include.map(|tables| tables.iter().map(|table| inclusion(path, table)).collect());
        found.include.take_from_file(include.transpose()?, path, "environment.include");
        Ok(())
    }
}

impl Axes {
    pub(super) fn apply(self, path: &Path, settings: &mut Settings) -> Result<()> {
        let mut axes = Vec::new();
        let mut packages: Vec<(String, String)> = Vec::new();
        for (name, values) in self.0.0 {
            let key = format!("axes.{name}");
            let kind = kind(path, "axes", &name)?;
            if let AxisKind::Requirement(package) = &kind {
                if !is_package(package) {
                    return Err(wrong(path, &key, &format!("`{package}` is no name of a package")));
                }
                let package = normal_name(package);
                if let Some((_, other)) = packages.iter().find(|(known, _)| *known == package) {
                    return Err(wrong(path, &key, &format!("it is the same package as `{other}`")));
                }
                packages.push((package, name.clone()));
            }
            let axis = Axis::new(kind, values.all());
            axes.push((axis.map_err(|error| wrong(path, &key, &error))?, key));
        }
        settings.environment.take_axes(axes, path);
        Ok(())
    }
}

/// A name as PEP 508 has it, perhaps with extras. Else the resolver would refuse it, at every commit anew.
fn is_package(package: &str) -> bool {
    let name = package.strip_prefix("pip+").unwrap_or(package);
    let (name, extras) = name.split_once('[').map_or((name, None), |(name, rest)| (name, Some(rest)));
    let is_name = |name: &str| {
        let ends_well = |at: Option<char>| at.is_some_and(|c| c.is_ascii_alphanumeric());
        ends_well(name.chars().next())
            && ends_well(name.chars().last())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let are_extras =
        |rest: &str| rest.strip_suffix(']').is_some_and(|list| list.split(',').all(|one| is_name(one.trim())));
    is_name(name) && extras.is_none_or(are_extras)
}

/// Returns a package's name as indexes compare it: PEP 503. Extras and what installs it are no part of it.
fn normal_name(package: &str) -> String {
    let name = package.strip_prefix("pip+").unwrap_or(package);
    let name = name.split('[').next().unwrap_or(name).trim();
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_lowercase()
}

/// The words that begin the names of axes, and how each goes on.
const KINDS: [(&str, &str); 6] = [
    ("python", "python"),
    ("req", "req.PACKAGE"),
    ("env", "env.VARIABLE"),
    ("build", "build.VARIABLE"),
    ("threads", "threads"),
    ("cpus", "cpus"),
];

fn kind(path: &Path, table: &str, name: &str) -> Result<AxisKind> {
    AxisKind::parse(name).map_err(|_| {
        let head = name.split('.').next().unwrap_or(name);
        let near = nearest(head, KINDS.iter().map(|(head, _)| *head));
        let known = KINDS.map(|(_, whole)| whole);
        let error = CommandError::new(format!("unknown axis `{name}` in `{table}` of `{}`", path.display()));
        match near.and_then(|near| KINDS.iter().find(|(head, _)| *head == near)) {
            Some((_, whole)) => error.hint(format!("did you mean `{whole}`? Axes are {}", known.join(", "))),
            None => error.hint(format!("axes are {}", known.join(", "))),
        }
    })
}

fn wrong(path: &Path, key: &str, error: &impl std::fmt::Display) -> CommandError {
    CommandError::new(format!("`{key}` in `{}`: {error}", path.display()))
}

fn exclusion(path: &Path, table: &AxisTable) -> Result<Declared<Rule>> {
    let conditions = table.0.iter().map(|(name, values)| condition(path, "environment.exclude", name, values));
    let meaning = Rule { conditions: conditions.collect::<Result<_>>()?, is_asvs: false };
    Ok(Declared { meaning, text: table.json() })
}

fn inclusion(path: &Path, table: &AxisTable) -> Result<Declared<Inclusion>> {
    const KEY: &str = "environment.include";
    let mut only_where = Rule { conditions: vec![], is_asvs: false };
    let mut axes = Vec::new();
    for (name, values) in &table.0 {
        if place(name).is_some() {
            only_where.conditions.push(condition(path, KEY, name, values)?);
            continue;
        }
        let kind = kind(path, KEY, name)?;
        let Values::One(value) = values else {
            let message = format!("`{KEY}` in `{}` gives `{name}` a list", path.display());
            return Err(
                CommandError::new(message).hint("an entry is one combination: list each value as one of its own")
            );
        };
        let axis = Axis::new(kind, std::slice::from_ref(value)).map_err(|error| wrong(path, KEY, &error))?;
        axes.extend(axis.values.into_iter().map(|value| (axis.kind.clone(), value)));
    }
    Ok(Declared { meaning: Inclusion { only_where, axes }, text: table.json() })
}

/// What a rule may look at beside axes, in our words and asv's.
fn place(name: &str) -> Option<RuleKey> {
    match name {
        "tool" | "environment_type" => Some(RuleKey::Tool),
        "platform" | "sys_platform" => Some(RuleKey::Platform),
        _ => None,
    }
}

fn condition(path: &Path, key: &str, name: &str, values: &Values) -> Result<(RuleKey, Condition)> {
    let (looked_at, axis) = match place(name) {
        Some(place) => (place, None),
        None => {
            let kind = kind(path, key, name)?;
            (RuleKey::Name(kind.name()), Some(kind))
        }
    };
    let pattern = |value: &Scalar| {
        let Some(text) = value else {
            let message = format!("`{key}` in `{}` has `false` in the list of `{name}`", path.display());
            return Err(CommandError::new(message).hint("write a rule of its own for what is absent"));
        };
        // Processors are compared as a series has them: `0-1` is `0,1`.
        let text = axis.as_ref().and_then(|axis| axis.value(text).ok()).unwrap_or_else(|| text.clone());
        let pattern = NamePattern::parse(&text).map_err(|error| wrong(path, key, &error))?;
        Ok(ValuePattern::Name(pattern))
    };
    let condition = match values {
        Values::One(None) => Condition::Absent,
        values => Condition::Fits(values.all().iter().map(pattern).collect::<Result<_>>()?),
    };
    Ok((looked_at, condition))
}
