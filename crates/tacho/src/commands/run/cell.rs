//! A cell of what `run` measures: one subject in one combination of environment and run.

use std::collections::BTreeMap;

use tacho_measure::environments::Combination;
use tacho_model::Subject;

use super::Wanted;

/// Where the measured code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// It is there already: what is checked out, or what is installed.
    Here,
}

/// One run to make.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// What is measured; `None` until the installed packages tell.
    pub(super) subject: Option<Subject>,
    pub(super) branch: Option<String>,
    pub(super) work: Work,
    pub(super) combination: Combination,
}

impl Cell {
    /// Returns the commit's hash, or what else the subject is called in history.
    pub(super) fn commit(&self) -> Option<String> {
        self.subject.as_ref().filter(|subject| subject.enters_history()).map(Subject::id)
    }

    /// Returns the processors that its cases may use: those of the command line before those of the axis.
    pub(super) fn affinity(&self, wanted: &Wanted) -> Option<Vec<u32>> {
        wanted.attributes.affinity.clone().or_else(|| self.combination.run.cpus.clone())
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
        axes.extend(wanted.attributes.affinity.as_deref().map(|cpus| ("cpus".to_owned(), cpus_text(cpus))));
        axes
    }
}

/// Returns the text of an axis of processors.
pub(super) fn cpus_text(cpus: &[u32]) -> String {
    cpus.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}
