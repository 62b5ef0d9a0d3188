//! Which of the kept runs are shown, and which are shown as one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tacho_measure::environments::AxisKind;
use tacho_measure::git::Git;
use tacho_measure::matching::NamePattern;
use tacho_model::{Completeness, Environment, Provenance, Run, Subject};
use tacho_store::{Entry, Prefixes, Store};

use super::ShowArgs;
use crate::commands::compare::library::Kept;
use crate::error::{CommandError, Result};
use crate::settings::{Origin, Setting, Settings};

/// What is kept and known by its head.
pub(super) trait Headed {
    fn provenance(&self) -> &Provenance;
}

impl Headed for Entry {
    fn provenance(&self) -> &Provenance {
        &self.provenance
    }
}

impl Headed for Kept {
    fn provenance(&self) -> &Provenance {
        &self.provenance
    }
}

/// Tells whether the machine and environment filters leave a run.
pub(super) fn passes(provenance: &Provenance, args: &ShowArgs) -> bool {
    args.machine.as_ref().is_none_or(|machine| provenance.machine.name == *machine)
        && args.environment.as_ref().is_none_or(|wanted| fits_environment(&provenance.environment, wanted))
}

/// Puts runs into the order in which they were measured.
pub(super) fn sorted(mut kept: Vec<Kept>) -> Vec<Kept> {
    kept.sort_by(|a, b| (a.provenance.started_at, a.path()).cmp(&(b.provenance.started_at, b.path())));
    kept
}

/// Returns what to do where nothing is kept that could be shown.
pub(super) fn what_to_do(args: &ShowArgs, settings: Option<&Settings>) -> Vec<String> {
    if args.machine.is_some() || args.environment.is_some() {
        return vec!["leave -m and -E out, or see what is kept with `tacho show --list`".to_owned()];
    }
    let measure = match settings {
        Some(_) => "measure with `tacho run`",
        None => "begin with `tacho init`, or measure a single file with `tacho run FILE.py`",
    };
    no_asv_results(settings).into_iter().chain([measure.to_owned()]).collect()
}

/// Returns that the folder of asv's results, where one is named, is not there.
fn no_asv_results(settings: Option<&Settings>) -> Option<String> {
    let Setting { value: Some(folder), origin: origin @ Origin::File { .. } } = &settings?.asv_results else {
        return None;
    };
    let folder = settings?.path(folder);
    let missing = || format!("asv's results would lie in `{}`, which is no folder ({origin})", folder.display());
    // Who never measured with asv has no such folder, and need not hear of the one that asv would take.
    (!folder.is_dir() && !folder.ends_with("results")).then(missing)
}

/// A spec as `run -E` takes it, a label, or a version of Python.
pub(crate) fn fits_environment(environment: &Environment, wanted: &str) -> bool {
    if environment.label == wanted {
        return true;
    }
    if let Some(conditions) = conditions(wanted) {
        return conditions.iter().all(|(name, value)| has(environment, name, value));
    }
    let (tool, program) = wanted.split_once(':').unwrap_or((wanted, ""));
    let by_python = |python: &str| environment.axes.get("python").is_some_and(|known| known == python);
    let file = program.rsplit('/').next().unwrap_or(program);
    let is_program = matches!(file, "" | "same")
        || environment.label == format!("{tool}-{file}")
        || (environment.tool != "existing" && by_python(program));
    let is_tool = environment.tool == tool || environment.label.split('-').next() == Some(tool);
    (is_tool && is_program) || by_python(wanted) || (tool.is_empty() && !program.is_empty() && by_python(program))
}

/// Reads `name=value,name=value` as `run -E` does: a comma ends a value only before the name of an axis.
fn conditions(wanted: &str) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for part in wanted.split(',') {
        let head = part.split_once('=').filter(|(name, _)| AxisKind::parse(name).is_ok());
        match (head, found.last_mut()) {
            (Some((name, value)), _) => found.push((name.to_owned(), value.to_owned())),
            (None, Some((_, value))) => value.push_str(&format!(",{part}")),
            (None, None) => return None,
        }
    }
    Some(found)
}

fn has(environment: &Environment, name: &str, value: &str) -> bool {
    let Some(known) = environment.axes.get(name) else { return false };
    known == value || NamePattern::parse(value).is_ok_and(|pattern| pattern.matches(known))
}

/// Returns the groups of runs to show, each one or several whose samples belong together: the newest run.
pub(super) fn newest<'a>(
    kept: &'a [Kept],
    args: &ShowArgs,
    settings: Option<&Settings>,
    root: &Path,
) -> Result<Vec<Vec<&'a Kept>>> {
    let Some(newest) = kept.last() else {
        let what = if args.machine.is_some() || args.environment.is_some() { "such runs" } else { "runs" };
        return Err(
            CommandError::new(format!("no {what} are kept in `{}`", root.display())).hints(what_to_do(args, settings))
        );
    };
    Ok(vec![with_its_experiment(newest, kept)])
}

/// The same of one subject's runs: the newest of each machine and environment. `kept` are those that experiments are looked for in.
pub(super) fn of_each_place(kept: &[Kept]) -> Vec<Vec<&Kept>> {
    let mut ordered: Vec<&Kept> = kept.iter().collect();
    // A build that failed later hides nothing that was measured; one that failed and was not tried again says so.
    ordered.sort_by_key(|kept| kept.provenance.build_failure().is_none());
    let mut newest_of = BTreeMap::new();
    for kept in ordered {
        newest_of.insert((&kept.provenance.machine.name, &kept.provenance.environment.axes), kept);
    }
    newest_of.into_values().map(|newest| with_its_experiment(newest, kept)).collect()
}

/// Returns in how many other places the subject of what is shown was measured too.
pub(super) fn n_places_beside(shown: &Provenance, kept: &[Kept]) -> usize {
    let place = |provenance: &Provenance| (provenance.machine.name.clone(), provenance.environment.axes.clone());
    let own = place(shown);
    let same = kept.iter().map(|kept| &kept.provenance).filter(|other| {
        (other.subject.kind(), other.subject.id()) == (shown.subject.kind(), shown.subject.id()) && place(other) != own
    });
    same.map(place).collect::<BTreeSet<_>>().len()
}

/// Returns the runs of a file of benchmarks that was measured on its own.
pub(super) fn of_file(kept: Vec<Kept>, word: &str) -> Result<Vec<Kept>> {
    let name = super::file_project(Path::new(word));
    let newest = kept.into_iter().rev().find(|kept| kept.provenance.project == name);
    newest.map(|kept| vec![kept]).ok_or_else(|| {
        let error = CommandError::new(format!("no run of `{word}` on its own is kept"));
        error.hint("in a project a file's runs are kept as the project's: see them with `tacho show --list`")
    })
}

/// Tells whether a run is what `word` names: its subject (`hash` is what the repository makes of the word), or its id.
pub(crate) fn fits_subject(provenance: &Provenance, word: &str, hash: Option<&str>) -> bool {
    let Provenance { subject, run_id, .. } = provenance;
    Some(subject.id().as_str()) == hash || names(subject, word) || is_prefix(run_id, word)
}

fn names(subject: &Subject, word: &str) -> bool {
    match subject {
        Subject::Commit { hash, .. } => is_prefix(hash, word),
        Subject::Tree { tree, .. } => is_prefix(tree, word),
        Subject::Version { package: _, version } => subject.id() == word || version == word,
        Subject::Date { .. } => false,
    }
}

/// At least four digits, as git asks for.
fn is_prefix(id: &str, word: &str) -> bool {
    word.len() >= 4 && id.starts_with(&word.to_lowercase())
}

/// Returns true where `word` is the id of the run that numbers come from, or the beginning of it.
pub(crate) fn names_run(provenance: &Provenance, word: &str) -> bool {
    is_prefix(&provenance.run_id, word)
}

/// Returns the hash that a revision names in the project's repository, if there is one.
pub(crate) fn resolved(word: &str, settings: Option<&Settings>) -> Option<String> {
    Git::of_commits(&repository(settings?)).resolve(word.strip_suffix("^!").unwrap_or(word)).ok()
}

/// Returns the folder of the project's repository, which may be a bare one.
pub(super) fn repository(settings: &Settings) -> PathBuf {
    settings.local_repo().unwrap_or_else(|| settings.root.clone())
}

/// Returns a run with those whose samples are pooled with its own, oldest first.
fn with_its_experiment<'a, T: Headed>(of: &'a T, kept: &'a [T]) -> Vec<&'a T> {
    let own = of.provenance();
    let Some(experiment) = &own.experiment else { return vec![of] };
    let belongs = |other: &&T| {
        let theirs = other.provenance();
        let same = theirs.experiment.as_ref() == Some(experiment) || theirs.run_id == *experiment;
        same && is_same_series(theirs, own) && theirs.started_at <= own.started_at
    };
    kept.iter().filter(belongs).collect()
}

fn is_same_series(a: &Provenance, b: &Provenance) -> bool {
    a.subject.kind() == b.subject.kind()
        && a.subject.id() == b.subject.id()
        && a.machine.name == b.machine.name
        && a.environment.axes == b.environment.axes
        && a.method == b.method
}

/// Returns the sealed runs, oldest first, whose samples those of an interrupted run are pooled with.
pub(crate) fn pooled_before(store: &Store, interrupted: &Provenance) -> Result<Vec<Run>> {
    let entries = store.entries()?.entries;
    let own = |entry: &&Entry| entry.provenance.run_id == interrupted.run_id;
    let Some(entry) = entries.iter().find(own) else { return Ok(vec![]) };
    let group = with_its_experiment(entry, &entries).into_iter().filter(|entry| !own(entry));
    group.filter(|entry| entry.completeness == Completeness::Sealed).map(|entry| Ok(store.read(&entry.path)?)).collect()
}

/// Returns the newest sealed runs whose samples new ones of `provenance` may be pooled with: one experiment.
///
/// `prefixes` are those that stored texts went through.
pub(crate) fn same_series(store: &Store, live: &Provenance, prefixes: &Prefixes) -> Result<Vec<Run>> {
    let mut provenance = live.clone();
    let stored =
        |(name, value): (&String, &String)| (prefixes.replace_identity(name), prefixes.replace_identity(value));
    provenance.environment.axes = live.environment.axes.iter().map(stored).collect();
    let entries = store.entries()?.entries;
    let fits = |entry: &&Entry| {
        is_same_series(&entry.provenance, &provenance)
            && entry.provenance.build_failure().is_none()
            && entry.provenance.settings.quick == provenance.settings.quick
            && entry.completeness == Completeness::Sealed
    };
    let Some(newest) = entries.iter().rev().find(fits) else { return Ok(vec![]) };
    let group = with_its_experiment(newest, &entries);
    group.iter().map(|entry| Ok(store.read(&entry.path)?)).collect()
}
