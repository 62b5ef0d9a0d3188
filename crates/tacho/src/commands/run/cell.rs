//! A cell of what `run` measures: one subject in one combination of environment and run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tacho_measure::environments::{Combination, processors_text};
use tacho_model::Subject;

use super::Wanted;

/// Where the measured code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// It is there already: what is checked out, or what is installed.
    Here,
    /// It is built from a commit.
    Commit,
    /// It is built from the work tree with its changes.
    Tree,
    /// It is installed as a released version.
    Release,
    /// Nothing but the requirements is installed.
    Nothing,
}

/// What becomes of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is measured.
    Measure,
    /// Its results are there already.
    Exists,
    /// It could not be built before, for this reason.
    Unbuildable(String),
    /// There is no time for it.
    LeftOut,
}

/// One run to make.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// What is measured; `None` until the installed packages tell.
    pub(super) subject: Option<Subject>,
    pub(super) branch: Option<String>,
    pub(super) work: Work,
    pub(super) combination: Arc<Combination>,
    pub(super) fate: Fate,
    /// Benchmarks that there is no time for.
    pub(super) left_out: BTreeSet<String>,
    /// The digest of what has to be built for it; `None` where nothing is built.
    pub(super) build_key: Option<String>,
    /// Whether that is there.
    pub(super) is_ready: bool,
}

impl Cell {
    pub(super) fn new(
        subject: Option<Subject>,
        branch: Option<String>,
        work: Work,
        combination: Arc<Combination>,
    ) -> Cell {
        let (fate, left_out) = (Fate::Measure, BTreeSet::new());
        Cell { subject, branch, work, combination, fate, left_out, build_key: None, is_ready: false }
    }

    /// Returns true where another cell needs the same build.
    pub(super) fn has_build_of(&self, other: &Cell) -> bool {
        self.work == other.work
            && self.combination.environment == other.combination.environment
            && self.subject == other.subject
    }

    /// Returns the commit's hash, or what else the subject is called in history.
    pub(super) fn commit(&self) -> Option<String> {
        self.subject.as_ref().filter(|subject| subject.enters_history()).map(Subject::id)
    }

    /// Returns a label for people: that of what was made, and what only changes the run.
    pub(super) fn label(&self, made: &str) -> String {
        let Combination { label, environment, .. } = &*self.combination;
        format!("{made}{}", label.strip_prefix(environment.label.as_str()).unwrap_or_default())
    }

    /// Returns the processors that its cases may use: those of the command line, else of the axis, else of the memory's node.
    pub(super) fn affinity(&self, wanted: &Wanted) -> Option<Vec<u32>> {
        let asked = wanted.attributes.affinity.as_ref().or(self.combination.run.cpus.as_ref());
        asked.or(wanted.node_processors.as_ref()).cloned()
    }

    /// Returns what it is called where there are several.
    pub(super) fn words(&self) -> String {
        let subject = self.subject.as_ref().map_or_else(|| "what is installed".to_owned(), tacho_report::subject_text);
        let axes: Vec<String> = self.combination.axes().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if axes.is_empty() { subject } else { format!("{subject}, {}", axes.join(" ")) }
    }

    /// Returns the declared axes, without `python`.
    pub(super) fn axes(&self, wanted: &Wanted) -> BTreeMap<String, String> {
        let mut axes = self.combination.axes();
        axes.extend(wanted.attributes.affinity.as_deref().map(|cpus| ("cpus".to_owned(), processors_text(cpus))));
        axes
    }
}
