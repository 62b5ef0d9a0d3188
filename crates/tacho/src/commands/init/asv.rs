//! What `tacho` makes of a project of asv's, in words.

use std::path::Path;

use tacho_model::unit::counted;
use tacho_report::harmless_line;

use super::found::SuiteFolder;
use crate::error::Result;
use crate::settings::{ConfigFile, Settings, asv_keys_without_effect, combinations};

/// So many environments are named; of more, the number says enough.
const MOST_NAMED: usize = 6;

/// Returns what was understood of the project, a line each.
pub(super) fn understood(config: &ConfigFile, settings: &Settings) -> Result<Vec<String>> {
    let Some(conf) = &config.asv_conf else { return Ok(vec![]) };
    let name = conf.file_name().unwrap_or_default().to_string_lossy();
    let mut lines = vec![format!("This is a project of asv's; `{name}` is read and stays as it is.")];
    let mut tell = |label: &str, what: String| lines.push(format!("  {label:<13}  {what}"));
    tell("project", harmless_line(&settings.project.value));
    tell("suite", suite(settings));
    if let Some(folder) = settings.asv_folders.first() {
        tell("results", results(&settings.root, folder));
    }
    tell("environments", environments(settings));
    let idle = asv_keys_without_effect(conf)?;
    if !idle.is_empty() {
        tell("not used yet", idle.join(", "));
    }
    Ok(lines)
}

/// How many environments the matrix gives, by what tool, and their names.
fn environments(settings: &Settings) -> String {
    if !settings.manages_environments() {
        return "none to make: benchmarks run in the active python3, or in --python PROGRAM".to_owned();
    }
    let all = match combinations(settings) {
        Ok(all) => all,
        Err(error) => return format!("none ({})", harmless_line(&error.message())),
    };
    let mut names: Vec<String> = all.iter().take(MOST_NAMED).map(|one| harmless_line(&one.label)).collect();
    names.extend((all.len() > MOST_NAMED).then(|| format!("{} more", all.len() - MOST_NAMED)));
    format!("{}: {}", all.len(), names.join(", "))
}

fn suite(settings: &Settings) -> String {
    let dir = settings.suite.value.path();
    if !settings.path(dir).is_dir() {
        return format!("{} (not there)", harmless_line(&dir.display().to_string()));
    }
    SuiteFolder::scan(&settings.root, dir).words()
}

/// asv keeps a folder for each machine, with a file for each commit and environment.
fn results(root: &Path, dir: &Path) -> String {
    let shown = harmless_line(&dir.display().to_string());
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_result = |path: &std::path::PathBuf| {
        path.extension().is_some_and(|end| end == "json") && path.file_name().is_some_and(|name| name != "machine.json")
    };
    let counts: Vec<usize> = entries(&root.join(dir))
        .filter(|path| path.is_dir())
        .map(|machine| entries(&machine).filter(is_result).count())
        .filter(|n_results| *n_results > 0)
        .collect();
    match counts.len() {
        0 => format!("{shown} (none yet)"),
        n => format!("{shown} ({} of {})", counted(counts.iter().sum(), "result file"), counted(n, "machine")),
    }
}
