//! Which of the kept runs are shown, and which are shown as one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tacho_measure::environments::AxisKind;
use tacho_measure::git::Git;
use tacho_measure::matching::NamePattern;
use tacho_model::unit::counted;
use tacho_model::{Completeness, Environment, Provenance, Run, Subject};
use tacho_store::{AsvResults, Entry, Prefixes, Store};

use super::ShowArgs;
use crate::error::{CommandError, Result};
use crate::settings::Settings;

/// Returns the entries that the machine and environment filters leave.
pub(super) fn filtered(mut entries: Vec<Entry>, args: &ShowArgs) -> Vec<Entry> {
    if let Some(machine) = &args.machine {
        entries.retain(|entry| entry.provenance.machine.name == *machine);
    }
    if let Some(wanted) = &args.environment {
        entries.retain(|entry| fits_environment(&entry.provenance.environment, wanted));
    }
    entries
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
    asv_results(settings).into_iter().chain([measure.to_owned()]).collect()
}

/// Returns who reads the project's results of asv's, where it has any.
fn asv_results(settings: Option<&Settings>) -> Option<String> {
    let settings = settings?;
    let folder = settings.path(settings.asv_results.value.as_ref()?);
    let files = AsvResults::open(&folder).ok()?.files().ok()?;
    let counted = counted(files.len(), "result file");
    let folder = folder.display();
    (!files.is_empty())
        .then(|| format!("{counted} of asv's in `{folder}`: `tacho show --series` and `tacho compare` read them"))
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

/// Returns the groups of entries to show: each is one run, or several whose samples belong together.
///
/// Without `commit` that is the newest run; with one, the newest of each machine and environment.
pub(super) fn choose<'a>(
    entries: &'a [Entry],
    args: &ShowArgs,
    settings: Option<&Settings>,
    root: &Path,
) -> Result<Vec<Vec<&'a Entry>>> {
    let Some(newest) = entries.last() else {
        let what = if args.machine.is_some() || args.environment.is_some() { "such runs" } else { "runs" };
        return Err(
            CommandError::new(format!("no {what} are kept in `{}`", root.display())).hints(what_to_do(args, settings))
        );
    };
    let Some(word) = &args.commit else { return Ok(vec![with_its_experiment(newest, entries)]) };
    let mut matching = matching(entries, word, settings)?;
    // A build that failed later hides nothing that was measured; one that failed and was not tried again says so.
    matching.sort_by_key(|entry| entry.provenance.build_failure().is_none());
    let mut newest_of = BTreeMap::new();
    for entry in &matching {
        let provenance = &entry.provenance;
        newest_of.insert((&provenance.machine.name, &provenance.environment.axes), *entry);
    }
    Ok(newest_of.into_values().map(|entry| with_its_experiment(entry, entries)).collect())
}

/// Returns in how many other places the subject of what is shown was measured too.
pub(super) fn n_places_beside(shown: &Provenance, entries: &[Entry]) -> usize {
    let place = |provenance: &Provenance| (provenance.machine.name.clone(), provenance.environment.axes.clone());
    let own = place(shown);
    let same = entries.iter().map(|entry| &entry.provenance).filter(|other| {
        (other.subject.kind(), other.subject.id()) == (shown.subject.kind(), shown.subject.id()) && place(other) != own
    });
    same.map(place).collect::<BTreeSet<_>>().len()
}

/// Returns the entries at the subject that `word` names.
pub(super) fn matching<'a>(entries: &'a [Entry], word: &str, settings: Option<&Settings>) -> Result<Vec<&'a Entry>> {
    let hash = resolved(word, settings);
    if word.ends_with(".py") {
        let name = super::file_project(Path::new(word));
        let newest = entries.iter().rev().find(|entry| entry.provenance.project == name);
        return newest.map(|entry| vec![entry]).ok_or_else(|| {
            let error = CommandError::new(format!("no run of `{word}` on its own is kept"));
            error.hint("in a project a file's runs are kept as the project's: see them with `tacho show --list`")
        });
    }
    let fits = |entry: &&Entry| fits_subject(&entry.provenance, word, hash.as_deref());
    let found: Vec<&Entry> = entries.iter().filter(fits).collect();
    let mut subjects: Vec<String> = found.iter().map(|entry| entry.provenance.subject.id()).collect();
    subjects.sort();
    subjects.dedup();
    match subjects.len() {
        0 => {
            let hints = ["see what is kept with `tacho show --list`".to_owned()];
            Err(CommandError::new(format!("no run of `{word}` is kept"))
                .hints(hints.into_iter().chain(asv_results(settings)).collect::<Vec<_>>()))
        }
        1 => Ok(found),
        n => {
            Err(CommandError::new(format!("`{word}` fits {n} subjects: {}", subjects.join(", ")))
                .hint("give more digits"))
        }
    }
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
    let settings = settings?;
    let folder = settings.local_repo().unwrap_or_else(|| settings.root.clone());
    Git::discover(&folder).ok()??.resolve(word.strip_suffix("^!").unwrap_or(word)).ok()
}

/// Returns an entry with those whose samples are pooled with its own, oldest first.
fn with_its_experiment<'a>(entry: &'a Entry, entries: &'a [Entry]) -> Vec<&'a Entry> {
    let Some(experiment) = &entry.provenance.experiment else { return vec![entry] };
    let belongs = |other: &&Entry| {
        let theirs = &other.provenance;
        let same = theirs.experiment.as_ref() == Some(experiment) || theirs.run_id == *experiment;
        same && is_same_series(theirs, &entry.provenance) && theirs.started_at <= entry.provenance.started_at
    };
    entries.iter().filter(belongs).collect()
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

/// Reads a group as one run.
pub(super) fn pooled(store: &Store, group: &[&Entry]) -> Result<Run> {
    let read = |entry: &&Entry| store.read(&entry.path).map_err(|error| CommandError::of_record(&error));
    let runs = group.iter().map(read).collect::<Result<Vec<Run>>>()?;
    tacho_judge::pooled(runs).ok_or_else(|| CommandError::new("nothing to show"))
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
