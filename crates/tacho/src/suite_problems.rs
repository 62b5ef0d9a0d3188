//! What to say where a suite does not give what was asked for, and what to do about it.

use std::path::Path;

use tacho_measure::Discovery;
use tacho_model::Problem;

use crate::context::shell_word;
use crate::error::CommandError;
use crate::nearest;
use crate::settings::{Origin, Settings};

/// Returns the error for a selection without a single benchmark or case.
pub(crate) fn nothing_selected(settings: &Settings, bench: &[String], discovery: &Discovery) -> CommandError {
    let names: Vec<&str> = discovery.benchmarks.iter().map(|benchmark| benchmark.name.as_str()).collect();
    let suite = settings.path(settings.suite.value.path());
    if !names.is_empty() && !bench.is_empty() {
        let file = match settings.suite.origin {
            Origin::Flag(_) => format!(" {}", shell_word(&suite.display().to_string())),
            _ => String::new(),
        };
        return not_found(bench, &names, &format!("tacho list{file} --cases")).hints(lost(&discovery.problems));
    }
    let error = CommandError::new(format!("no benchmarks in `{}`", suite.display()));
    let package = missing_package(settings, discovery);
    if discovery.problems.is_empty() {
        return error
            .hint("a benchmark is a function whose name starts with time_, mem_, peakmem_, track_ or timeraw_");
    }
    error.hints(lost(&discovery.problems)).hints(package)
}

/// Returns the error for patterns that find none of these names, with those that may have been meant.
pub(crate) fn not_found(patterns: &[String], names: &[&str], all: &str) -> CommandError {
    let told = patterns.join("`, `");
    let error = match names.len() {
        1 => CommandError::new(format!("the only benchmark, `{}`, is not selected by `{told}`", names[0])),
        n => CommandError::new(format!("none of the {n} benchmarks is selected by `{told}`")),
    };
    let near: Vec<&str> = patterns.iter().flat_map(|pattern| nearest::names(pattern, names)).collect();
    match near.is_empty() {
        true => error.hint(format!("see them all with `{all}`")),
        false => error.hint(format!("did you mean `{}`?", near.join("`, or `"))),
    }
}

/// Returns what kept the first lost part of the suite from being loaded.
fn lost(problems: &[Problem]) -> Option<String> {
    let problem = problems.first()?;
    let module = if problem.module.is_empty() { "the suite's __init__.py" } else { &problem.module };
    let what = problem.benchmark.as_deref().unwrap_or(module);
    let others = match problems.len() - 1 {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    Some(format!("{what} could not be loaded: {}{others}", problem.error))
}

/// Returns what to do about the package that most modules miss, if it is one that keeps them from being loaded.
pub(crate) fn missing_package(settings: &Settings, discovery: &Discovery) -> Option<String> {
    let missing: Vec<&str> = discovery.problems.iter().filter_map(|problem| missing_module(&problem.error)).collect();
    let times = |name: &str| missing.iter().filter(|other| **other == name).count();
    // The first of those that are missed most.
    let name = *missing.iter().rev().max_by_key(|name| times(name))?;
    let suite = settings.path(settings.suite.value.path());
    if is_module_in(&suite, name) {
        return Some(format!("`{name}` is a module of the suite itself: write `from . import {name}`"));
    }
    if discovery.packages.keys().any(|package| normal(package) == normal(name)) {
        return None;
    }
    let python = shell_word(&discovery.executable);
    let root = &settings.root;
    let is_own = normal(&settings.project.value) == normal(name)
        || is_module_in(root, name)
        || is_module_in(&root.join("src"), name);
    let is_made = Path::new(&discovery.executable).starts_with(settings.path(&settings.store.value));
    if is_made || settings.manages_environments() && !matches!(settings.python.origin, Origin::Flag(_)) {
        return Some(match is_own && !is_made {
            true => format!("`{name}` is the project itself: `tacho run --quick` builds it, and this then looks there"),
            false => {
                format!("`{name}` is not in that environment: name its package in `requirements` of [environment]")
            }
        });
    }
    let (what, install) = match is_own {
        true => ("the project itself", format!("{python} -m pip install {}", shell_word(&root.display().to_string()))),
        false => ("a package", format!("{python} -m pip install {name}")),
    };
    Some(format!(
        "`{name}`, {what}, is not installed there: `{install}`, or name another interpreter with --python PROGRAM"
    ))
}

/// Returns the top-level module that could not be found, where that is what the error says.
fn missing_module(error: &str) -> Option<&str> {
    let name = error.strip_prefix("ModuleNotFoundError: No module named '")?.strip_suffix('\'')?;
    let top = name.split('.').next()?;
    let is_name = !top.is_empty() && top.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(top)
}

fn is_module_in(folder: &Path, name: &str) -> bool {
    folder.join(name).join("__init__.py").is_file() || folder.join(format!("{name}.py")).is_file()
}

/// Names of distributions are equal where only case and separators differ.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_module_is_told_by_its_top() {
        let check = |error: &str, expected: Option<&str>| assert_eq!(missing_module(error), expected, "{error}");
        check("ModuleNotFoundError: No module named 'waypoint'", Some("waypoint"));
        check("ModuleNotFoundError: No module named 'waypoint.grid'", Some("waypoint"));
        check("ModuleNotFoundError: No module named 'a; rm -r'", None);
        check("ModuleNotFoundError: No module named 'x.y'; 'x' is not a package", None);
        check("ImportError: No module named 'x'", None);
    }
}
