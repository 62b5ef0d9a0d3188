//! What is there already: which commits have results, which runs need not be made again, how long they took.

use std::collections::{BTreeMap, HashMap, HashSet};

use tacho_measure::environments::Combination;
use tacho_model::{Build, Completeness, Planned, Provenance, Purpose, Run, State, Subject};
use tacho_store::{AsvResults, Entry, Prefixes, Store, as_kept};

use super::cell::Cell;
use super::{Wanted, selection};
use crate::context::Context;
use crate::error::Result;

/// What the store, and asv's results beside it, hold of a project.
pub(super) struct Existing {
    store: Store,
    /// Runs of the project's history, oldest first.
    entries: Vec<Entry>,
    /// Positions in `entries` by subject.
    by_subject: HashMap<(&'static str, String), Vec<usize>>,
    /// Positions in `entries` by axes, without `python`.
    by_axes: HashMap<String, Vec<usize>>,
    /// The machines that asv has results of, by the first digits of a commit.
    asv: HashMap<String, HashSet<String>>,
}

/// Which of the cases that are there already are not measured again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Skip {
    pub(super) successful: bool,
    pub(super) failed: bool,
}

impl Skip {
    pub(super) fn is_any(self) -> bool {
        self.successful || self.failed
    }

    fn leaves_out(self, state: State) -> bool {
        if state.is_failure() { self.failed } else { self.successful && state != State::NotRun }
    }
}

impl Existing {
    /// Reads what is kept of the project, where that can matter. A quick run stands for nothing, unless a quick one is asked for.
    ///
    /// # Errors
    /// The store's folder cannot be listed.
    pub(super) fn read(wanted: &Wanted, context: &Context<'_>) -> Result<Existing> {
        let store = context.store(Some(&wanted.settings));
        if !wanted.needs_existing() {
            return Ok(Existing::of(store, vec![], HashMap::new()));
        }
        let mut entries = match store.entries() {
            Ok(found) => found.entries,
            // Who asks for nothing that is there is told when something cannot be written.
            Err(_) if !wanted.asks_for_existing() => vec![],
            Err(error) => return Err(error.into()),
        };
        entries.retain(|entry| {
            let provenance = &entry.provenance;
            provenance.project == wanted.settings.project.value
                && provenance.purpose == Purpose::History
                && (!provenance.settings.quick || wanted.args.quick)
        });
        let asv = wanted.settings.asv_results.value.as_ref().map(|folder| wanted.settings.path(folder));
        let files = asv.and_then(|folder| AsvResults::open(&folder).ok()?.files().ok()).unwrap_or_default();
        let mut asv: HashMap<String, HashSet<String>> = HashMap::new();
        for file in files {
            asv.entry(file.commit_prefix).or_default().insert(file.machine);
        }
        Ok(Existing::of(store, entries, asv))
    }

    fn of(store: Store, entries: Vec<Entry>, asv: HashMap<String, HashSet<String>>) -> Existing {
        let mut by_subject: HashMap<_, Vec<usize>> = HashMap::new();
        let mut by_axes: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, entry) in entries.iter().enumerate() {
            by_subject.entry(key(&entry.provenance.subject)).or_default().push(position);
            by_axes.entry(axes_key(&entry.provenance.environment.axes)).or_default().push(position);
        }
        Existing { store, entries, by_subject, by_axes, asv }
    }

    /// Returns true for a commit that has results, on any machine and in any environment.
    pub(super) fn knows_commit(&self, hash: &str) -> bool {
        let subject = Subject::Commit { hash: hash.to_owned(), date: None };
        self.by_subject.contains_key(&key(&subject)) || self.asv_machines(hash).is_some()
    }

    /// Returns true where asv has results of any commit: it tells only the first digits of each.
    pub(super) fn has_asv(&self) -> bool {
        !self.asv.is_empty()
    }

    fn asv_machines(&self, hash: &str) -> Option<&HashSet<String>> {
        self.asv.get(hash.get(..8)?)
    }

    /// Returns what has results, each subject once.
    pub(super) fn subjects(&self) -> impl Iterator<Item = &Subject> {
        self.by_subject.values().filter_map(|positions| Some(&self.entries[*positions.first()?].provenance.subject))
    }

    /// Returns the runs of a cell's subject in its environment on this machine, oldest first.
    pub(super) fn of_cell<'a>(&'a self, cell: &'a Cell, place: &'a Place) -> impl Iterator<Item = &'a Entry> + 'a {
        let positions = cell.subject.as_ref().and_then(|subject| self.by_subject.get(&key(subject)));
        let entries = positions.into_iter().flatten().map(|position| &self.entries[*position]);
        let axes = place.axes(&cell.combination);
        entries.filter(move |entry| place.is_of(&entry.provenance, &axes))
    }

    /// Returns the runs of any subject in one combination on this machine, newest first.
    pub(super) fn like<'a>(
        &'a self,
        combination: &'a Combination,
        place: &'a Place,
    ) -> impl Iterator<Item = &'a Entry> + 'a {
        let axes = place.axes(combination);
        let positions = self.by_axes.get(&axes_key(&axes)).into_iter().flatten().rev();
        positions.map(|position| &self.entries[*position]).filter(move |entry| place.is_of(&entry.provenance, &axes))
    }

    /// Returns true where a cell need not be prepared at all: everything that it would measure is there.
    pub(super) fn has_all(&self, cell: &Cell, place: &Place, wanted: &Wanted, skip: Skip) -> bool {
        let is_whole = |entry: &&Entry| {
            let found = &entry.provenance;
            entry.completeness == Completeness::Sealed
                && found.build_failure().is_none()
                && found.harness.as_deref() == Some(place.harness.as_str())
                && found.method == wanted.settings.method.value
                && (found.settings.bench.is_empty() || found.settings.bench == wanted.args.bench)
        };
        let fits_states = |entry: &&Entry| {
            let Ok(run) = self.store.read(&entry.path) else { return false };
            let outcomes = tacho_judge::outcomes(&run);
            // A run without any is one whose suite could not be loaded.
            outcomes.iter().all(|outcome| skip.leaves_out(outcome.state)) && (skip.failed || !outcomes.is_empty())
        };
        self.of_cell(cell, place).filter(is_whole).any(|entry| fits_states(&entry))
    }

    /// Returns true where a cell's subject has any results of this machine.
    pub(super) fn has_any(&self, cell: &Cell, place: &Place) -> bool {
        let positions = cell.subject.as_ref().and_then(|subject| self.by_subject.get(&key(subject)));
        let is_here = |position: &usize| self.entries[*position].provenance.machine.name == place.machine;
        let asv = match &cell.subject {
            Some(Subject::Commit { hash, .. }) => self.asv_machines(hash),
            _ => None,
        };
        positions.into_iter().flatten().any(is_here) || asv.is_some_and(|machines| machines.contains(&place.machine))
    }

    /// Returns true where the newest run like the one that is asked for has come to its end.
    pub(super) fn is_done(&self, cell: &Cell, place: &Place, wanted: &Wanted) -> bool {
        let is_like = |entry: &&Entry| {
            let found = &entry.provenance;
            let settings = &found.settings;
            found.harness.as_deref() == Some(place.harness.as_str())
                && found.build_failure().is_none()
                && found.method == wanted.settings.method.value
                && (settings.bench == wanted.args.bench || selection::is_limited(&settings.bench))
                && settings.quick == wanted.args.quick
                && settings.attributes == wanted.attributes.texts
        };
        // An older one that came to its end says nothing about one that was interrupted after it.
        self.of_cell(cell, place).filter(is_like).last().is_some_and(|entry| entry.completeness == Completeness::Sealed)
    }

    /// Returns the newest build of a cell that failed, unless a later one came to its end.
    pub(super) fn failed_build(&self, cell: &Cell, place: &Place) -> Option<Build> {
        let newest = self.of_cell(cell, place).filter_map(|entry| entry.provenance.build.clone()).last()?;
        newest.failure.is_some().then_some(newest)
    }

    /// Returns true where the newest run of a cell was interrupted.
    pub(super) fn is_open(&self, cell: &Cell, place: &Place) -> bool {
        self.of_cell(cell, place).last().is_some_and(|entry| entry.completeness != Completeness::Sealed)
    }

    /// Returns the experiment of a cell's newest run, where that was interrupted.
    pub(super) fn open_experiment(&self, cell: &Cell, place: &Place) -> Option<String> {
        let newest = self.of_cell(cell, place).last()?;
        let is_open = newest.completeness != Completeness::Sealed;
        newest.provenance.experiment.clone().filter(|_| is_open)
    }

    /// Takes out of a plan the cases whose results are there already, by the version of their benchmark.
    ///
    /// # Errors
    /// A record that is there cannot be compared.
    pub(super) fn leave_out(
        &self,
        planned: &mut Vec<Planned>,
        run: &Run,
        prefixes: &Prefixes,
        skip: Skip,
    ) -> Result<usize> {
        let kept = as_kept(run, prefixes)?;
        let there = self.cases_there(&kept, skip);
        let mut n_left_out = 0;
        for (plan, kept) in planned.iter_mut().zip(&kept.planned) {
            let benchmark = &kept.benchmark;
            let is_there = |index: &usize| {
                let texts = benchmark.case(*index).map(|case| case.texts()).unwrap_or_default();
                there.contains(&(benchmark.name.clone(), benchmark.version.clone(), texts))
            };
            let before = plan.cases.len();
            plan.cases.retain(|index| !is_there(index));
            n_left_out += before - plan.cases.len();
        }
        planned.retain(|plan| !plan.cases.is_empty());
        Ok(n_left_out)
    }

    /// Returns the cases that runs like `kept` have results of: benchmark, version, parameter texts.
    fn cases_there(&self, kept: &Run, skip: Skip) -> HashSet<(String, String, Vec<String>)> {
        let provenance = &kept.provenance;
        let positions = self.by_subject.get(&key(&provenance.subject)).into_iter().flatten();
        let same = positions.map(|position| &self.entries[*position]).filter(|entry| {
            let found = &entry.provenance;
            found.machine.name == provenance.machine.name
                && found.environment.axes == provenance.environment.axes
                && found.method == provenance.method
        });
        let mut there = HashSet::new();
        for run in same.filter_map(|entry| self.store.read(&entry.path).ok()) {
            let half_done = half_done(&run);
            let versions: HashMap<&str, &str> = run
                .planned
                .iter()
                .map(|plan| (plan.benchmark.name.as_str(), plan.benchmark.version.as_str()))
                .collect();
            for outcome in tacho_judge::outcomes(&run).iter().filter(|outcome| skip.leaves_out(outcome.state)) {
                let (name, texts) = (outcome.case.benchmark.clone(), outcome.case.texts());
                let version = versions.get(name.as_str()).copied().unwrap_or_default().to_owned();
                if !half_done.contains(&(name.clone(), texts.clone())) {
                    there.insert((name, version, texts));
                }
            }
        }
        there
    }

    /// Reads a run that is kept; `None` where it cannot be read.
    pub(super) fn run(&self, entry: &Entry) -> Option<Run> {
        self.store.read(&entry.path).ok()
    }
}

/// Returns the cases of a run that were interrupted: measured, and with fewer rounds than planned.
fn half_done(run: &Run) -> HashSet<(String, Vec<String>)> {
    if run.completeness == Completeness::Sealed {
        return HashSet::new();
    }
    let mut n_rounds: HashMap<(&str, &[String]), u32> = HashMap::new();
    for round in run.rounds.iter().filter(|round| round.state == State::Measured) {
        *n_rounds.entry((&round.benchmark, &round.parameters)).or_default() += 1;
    }
    let mut half_done = HashSet::new();
    for plan in &run.planned {
        for case in plan.cases.iter().filter_map(|index| plan.benchmark.case(*index)) {
            let texts = case.texts();
            if n_rounds.get(&(case.benchmark.as_str(), &texts[..])).is_some_and(|n| *n < plan.rounds) {
                half_done.insert((case.benchmark, texts));
            }
        }
    }
    half_done
}

/// Where the cells of an agenda are measured, as far as that is the same for all.
pub(super) struct Place {
    pub(super) machine: String,
    pub(super) harness: String,
    /// Axes of the command line: `cpus`.
    pub(super) axes: BTreeMap<String, String>,
    /// What no record holds: axes are compared as they are kept.
    pub(super) prefixes: Prefixes,
}

impl Place {
    /// Tells whether a run is of a cell: its subject, in its environment, on this machine.
    pub(super) fn is_one_of(&self, provenance: &Provenance, cell: &Cell) -> bool {
        let subject = cell.subject.as_ref().map(key);
        subject == Some(key(&provenance.subject)) && self.is_of(provenance, &self.axes(&cell.combination))
    }

    fn is_of(&self, provenance: &Provenance, axes: &BTreeMap<String, String>) -> bool {
        provenance.machine.name == self.machine && fits(axes, &provenance.environment.axes)
    }

    fn axes(&self, combination: &Combination) -> BTreeMap<String, String> {
        let mut axes = combination.axes();
        axes.extend(self.axes.clone());
        if let Some(python) = combination.environment.python.as_deref().and_then(python_axis) {
            axes.insert("python".into(), python);
        }
        let kept = |text: &str| self.prefixes.replace_identity(text);
        axes.iter().map(|(name, value)| (kept(name), kept(value))).collect()
    }
}

fn key(subject: &Subject) -> (&'static str, String) {
    (subject.kind(), subject.id())
}

/// Returns axes that fit each other as one text, whatever their `python`.
fn axes_key(axes: &BTreeMap<String, String>) -> String {
    axes.iter().filter(|(name, _)| *name != "python").map(|(name, value)| format!("{name:?}{value:?}")).collect()
}

/// Tells whether declared axes are those of a run. The `python` axis is told by the interpreter itself: where it is not
/// declared as a version, any fits.
fn fits(declared: &BTreeMap<String, String>, found: &BTreeMap<String, String>) -> bool {
    let is_other = |(name, _): &(&String, &String)| *name != "python";
    declared.iter().filter(is_other).eq(found.iter().filter(is_other))
        && declared.get("python").is_none_or(|python| found.get("python") == Some(python))
}

/// Returns the `python` axis that an interpreter asked for by version has: `3.12` for `3.12.4`, `pypy3.10`.
pub(super) fn python_axis(python: &str) -> Option<String> {
    let digits = python.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let name = &python[..python.len() - digits.len()];
    let mut parts = digits.split('.');
    let (major, minor) = (parts.next()?, parts.next()?);
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let name = if name == "python" || name == "cpython" { "" } else { name };
    (is_number(major) && is_number(minor)).then(|| format!("{name}{major}.{minor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_asked_for_by_version_has_an_axis() {
        for (python, expected) in [
            ("3.12", Some("3.12")),
            ("3.12.4", Some("3.12")),
            ("pypy3.10", Some("pypy3.10")),
            ("python3.9", Some("3.9")),
            ("3", None),
            ("/usr/bin/python3", None),
            ("python3", None),
            ("../x3.9", None),
        ] {
            assert_eq!(python_axis(python).as_deref(), expected, "{python}");
        }
    }

    #[test]
    fn axes_fit_whatever_python_where_none_is_declared() {
        let axes = |pairs: &[(&str, &str)]| pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let check = |declared: &[(&str, &str)], found: &[(&str, &str)], expected| {
            assert_eq!(fits(&axes(declared), &axes(found)), expected, "{declared:?} {found:?}");
        };
        check(&[], &[("python", "3.12")], true);
        check(&[("python", "3.12")], &[("python", "3.12")], true);
        check(&[("python", "3.11")], &[("python", "3.12")], false);
        check(&[("threads", "1")], &[("python", "3.12"), ("threads", "1")], true);
        check(&[("threads", "1")], &[("python", "3.12")], false);
        check(&[], &[("python", "3.12"), ("threads", "1")], false);
    }
}
