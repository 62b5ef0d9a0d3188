//! The past of the series that are compared: what the noise between runs is read from.

use std::collections::{BTreeMap, BTreeSet};

use tacho_judge::History;
use tacho_model::{Provenance, Results, Subject};

use super::library::{Kept, Library, Place, place};
use crate::console::Console;

/// The runs of how many subjects are read at most: more than the judge's fifty differences need, some of which may be of
/// other versions.
const MOST_SUBJECTS: usize = 60;

/// The runs of one subject, and its place in history.
struct AtSubject {
    moment: i64,
    kept: Vec<Kept>,
}

/// Returns the history of all places of both sides, as it was at the later side.
pub(super) fn history(library: &Library<'_>, sides: [&[Results]; 2], console: &Console) -> History {
    let runs = || sides.into_iter().flatten().map(|run| &run.provenance);
    let mut labels: BTreeMap<Place, BTreeSet<&str>> = BTreeMap::new();
    for provenance in runs().filter(|provenance| !provenance.settings.quick) {
        labels.entry(place(provenance)).or_default().insert(&provenance.environment.label);
    }
    let until = runs().map(moment).max().unwrap_or(i64::MAX);
    let mut history = History::default();
    for (place, labels) in labels {
        let subjects = ordered(library.history(&place, &labels));
        for kept in around(&subjects, until).iter().flat_map(|subject| &subject.kept) {
            match library.read(kept) {
                Ok(results) => history.push(&results),
                Err(error) => console.warn(&format!("left out of the history: {}", error.message())),
            }
        }
    }
    history
}

/// Puts runs into the order of history, by subject: each at its earliest moment, where its runs do not agree on it.
fn ordered(kept: Vec<Kept>) -> Vec<AtSubject> {
    let mut subjects: BTreeMap<String, AtSubject> = BTreeMap::new();
    for one in kept {
        let moment = moment(&one.provenance);
        let bare = || AtSubject { moment, kept: vec![] };
        let subject = subjects.entry(one.provenance.subject.id()).or_insert_with(bare);
        subject.moment = subject.moment.min(moment);
        subject.kept.push(one);
    }
    let mut subjects: Vec<AtSubject> = subjects.into_values().collect();
    // Stable: at one moment the order is that of ids.
    subjects.sort_by_key(|subject| subject.moment);
    subjects
}

/// Returns the subjects up to `until`, the newest ones; later ones only where those are too few.
fn around(subjects: &[AtSubject], until: i64) -> &[AtSubject] {
    let n_before = subjects.partition_point(|subject| subject.moment <= until);
    let first = n_before.saturating_sub(MOST_SUBJECTS);
    &subjects[first..(first + MOST_SUBJECTS).min(subjects.len())]
}

/// The place of a run in history, as far as times tell: when its commit was made, else when it was measured. A work tree
/// with changes is newer than all of it.
pub(super) fn moment(provenance: &Provenance) -> i64 {
    match &provenance.subject {
        Subject::Commit { date: Some(date), .. } | Subject::Date { date } => date.unix_us,
        Subject::Commit { date: None, .. } | Subject::Version { .. } => provenance.started_at.unix_us,
        Subject::Tree { .. } => i64::MAX,
    }
}
