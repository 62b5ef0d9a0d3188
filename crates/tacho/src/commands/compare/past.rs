//! The past of the series that are compared: what the noise between runs is read from.

use std::collections::BTreeMap;

use tacho_judge::History;
use tacho_model::{Provenance, Results, Subject};

use super::library::{Kept, Library, Place, place};
use crate::console::Console;

/// How many runs are read at most: more than the judge's fifty differences need, some of which may be of other versions.
const MOST_RUNS: usize = 60;

/// Returns the history of all places of both sides, as it was at the later side.
pub(super) fn history(library: &Library<'_>, sides: [&[Results]; 2], console: &Console) -> History {
    let runs = || sides.into_iter().flatten().map(|run| &run.provenance);
    let mut labels: BTreeMap<Place, &str> = BTreeMap::new();
    for provenance in runs().filter(|provenance| !provenance.settings.quick) {
        labels.insert(place(provenance), &provenance.environment.label);
    }
    let until = runs().map(moment).max().unwrap_or(i64::MAX);
    let mut history = History::default();
    for (place, label) in labels {
        let mut kept = library.history(&place, label);
        kept.sort_by_cached_key(|kept| (moment(&kept.provenance), kept.provenance.subject.id()));
        for kept in around(&kept, until) {
            match library.read(kept) {
                Ok(results) => history.push(&results),
                Err(error) => console.warn(&format!("left out of the history: {}", error.message())),
            }
        }
    }
    history
}

/// Returns the runs up to `until`, the newest ones; later ones only where those are too few.
fn around(kept: &[Kept], until: i64) -> &[Kept] {
    let n_before = kept.partition_point(|kept| moment(&kept.provenance) <= until);
    let first = n_before.saturating_sub(MOST_RUNS);
    &kept[first..(first + MOST_RUNS).min(kept.len())]
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
