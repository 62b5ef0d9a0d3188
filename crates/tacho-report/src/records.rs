//! The runs that are kept, newest first.

use std::collections::{BTreeMap, HashMap};

use tacho_model::{Completeness, Purpose, Subject, Timestamp};

use crate::moment::moment_in_utc;
use crate::page::Page;
use crate::style::Style;
use crate::subject_text;
use crate::table::{Cell, Holds, Table};

#[cfg(test)]
pub(crate) mod tests;

/// What a listing says about one run.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordEntry {
    /// The run's id.
    pub run_id: String,
    /// When it began.
    pub started_at: Timestamp,
    /// What was measured.
    pub subject: Subject,
    /// Where: the machine's name.
    pub machine: String,
    /// In what: the environment's label.
    pub environment_label: String,
    /// In what: the declared axes.
    pub axes: BTreeMap<String, String>,
    /// How many cases were planned, where that is known without reading the whole file.
    pub n_cases: Option<usize>,
    /// Why nothing could be measured: the reason of the build that failed.
    pub build_failure: Option<String>,
    /// Whether it came to its end.
    pub completeness: Completeness,
    /// What for.
    pub purpose: Purpose,
    /// Whether it was a quick look, one sample a case.
    pub quick: bool,
    /// Whether asv keeps it.
    pub by_asv: bool,
    /// The file, from the project's folder where it lies below.
    pub file: String,
}

impl RecordEntry {
    /// Returns what sets the run apart from a whole one in history, in words: `partial`, `quick`, …
    pub(crate) fn marks(&self) -> Vec<&'static str> {
        let marks = [
            (self.by_asv, "asv"),
            (self.build_failure.is_some(), "not built"),
            (self.completeness == Completeness::Interrupted, "partial"),
            (self.quick, "quick"),
            (!self.subject.enters_history(), "local only"),
            (self.purpose == Purpose::Pair, "pair"),
            (self.purpose == Purpose::Gate, "gate"),
        ];
        marks.into_iter().filter(|(applies, _)| *applies).map(|(_, word)| word).collect()
    }
}

/// Returns the listing: runs of one subject stand together, the subject with the newest run first,
/// and in it the newest run first.
pub fn records(entries: &[RecordEntry]) -> Page {
    let mut page = Page::default();
    let mut table = Table::new(vec![
        ("run".into(), Holds::Marks),
        ("measured (UTC)".into(), Holds::Marks),
        ("subject".into(), Holds::Marks),
        ("machine".into(), Holds::Names),
        ("environment".into(), Holds::Labels),
        ("cases".into(), Holds::Numbers),
        ("state".into(), Holds::Words),
    ]);
    for entry in newest_first(entries) {
        let marks = entry.marks();
        let style = match (&entry.build_failure, entry.completeness) {
            (Some(_), _) => Style::Bad,
            (None, Completeness::Interrupted) => Style::Warning,
            (None, Completeness::Sealed) => Style::Plain,
        };
        table.push(vec![
            Cell::text(short_id(&entry.run_id)),
            Cell::text(moment_in_utc(entry.started_at)),
            Cell::text(short_subject(&entry.subject)),
            Cell::text(&entry.machine),
            Cell::text(&entry.environment_label),
            Cell::text(entry.n_cases.map_or(String::new(), |n| n.to_string())),
            Cell::text(if marks.is_empty() { "complete".into() } else { marks.join(", ") }).styled(style),
        ]);
    }
    page.table(table);
    if page.is_empty() {
        page.line("no runs are kept here", Style::Plain);
    }
    page
}

/// Returns the digits of a run's id that `tacho show` tells it by.
fn short_id(run_id: &str) -> String {
    run_id.chars().take(8).collect()
}

/// Returns the subject as the commands take it; that a tree is local only stands in the state.
pub(crate) fn short_subject(subject: &Subject) -> String {
    match subject {
        Subject::Commit { .. } | Subject::Tree { .. } => subject.short(),
        Subject::Version { .. } | Subject::Date { .. } => subject_text(subject),
    }
}

/// Returns the entries in the order of the listing.
pub(crate) fn newest_first(entries: &[RecordEntry]) -> Vec<&RecordEntry> {
    let key = |entry: &RecordEntry| (entry.subject.kind(), entry.subject.id());
    let mut newest: HashMap<(&'static str, String), Timestamp> = HashMap::new();
    for entry in entries {
        let moment = newest.entry(key(entry)).or_insert(entry.started_at);
        *moment = (*moment).max(entry.started_at);
    }
    let mut ordered: Vec<&RecordEntry> = entries.iter().collect();
    ordered.sort_by_cached_key(|entry| {
        let key = key(entry);
        (std::cmp::Reverse(newest.get(&key).copied()), key, std::cmp::Reverse(entry.started_at), entry.run_id.clone())
    });
    ordered
}
