//! The past of the series that are compared: what the noise between runs is read from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tacho_judge::History;
use tacho_model::{Provenance, Results, Subject};
use tacho_query::{Past, PastOf};
use tacho_report::NoiseOrigin;

use super::library::{Candidate, Kept, Library, Place, place};
use crate::console::Console;

/// The runs of how many subjects are read at most: more than the judge's fifty differences need, some of which may be of
/// other versions.
const MOST_SUBJECTS: usize = 60;

/// So many of the files that there are an index has to know: a few new runs make no other noise.
const LEAST_KNOWN_PERCENT: usize = 90;

/// What may be the runs of one subject, and its place in history.
struct AtSubject<'a> {
    moment_us: i64,
    candidates: Vec<Candidate<'a>>,
}

/// Returns the history of all places of both sides, as it was at the later side, and where it was read from.
///
/// An index that is there and has these runs as they are saves opening their files; none is made for this.
pub(super) fn history(
    library: &Library<'_>,
    sides: [&[Results]; 2],
    index: Option<&Path>,
    console: &Console,
) -> (History, Vec<NoiseOrigin>) {
    let runs = || sides.into_iter().flatten().map(|run| &run.provenance);
    let mut labels: BTreeMap<Place, BTreeSet<&str>> = BTreeMap::new();
    for provenance in runs().filter(|provenance| !provenance.settings.quick) {
        labels.entry(place(provenance)).or_default().insert(&provenance.environment.label);
    }
    let until = runs().map(moment).max().unwrap_or(i64::MAX);
    let mut history = History::default();
    let mut origins = Vec::new();
    for (place, labels) in labels {
        let at = runs().find(|provenance| self::place(provenance) == place);
        let indexed =
            at.zip(index).and_then(|(at, index)| indexed(library, at, sides, index, until).map(|past| (at, past)));
        let is_index = indexed.is_some();
        let n_subjects = match indexed {
            Some((at, past)) => {
                history.take(at, past.series);
                past.n_subjects
            }
            None => from_files(library, &place, &labels, until, &mut history, console),
        };
        origins.push(NoiseOrigin { machine: place.0, axes: place.1, is_index, n_subjects });
    }
    (history, origins)
}

/// Returns the past of a place from an index, where that knows most of the files that there are and these ones as they are.
fn indexed(library: &Library<'_>, at: &Provenance, sides: [&[Results]; 2], index: &Path, until: i64) -> Option<Past> {
    let names: BTreeSet<&str> =
        sides.into_iter().flatten().flat_map(|run| &run.outcomes).map(|one| one.case.benchmark.as_str()).collect();
    let (machine, axes) = (at.machine.name.as_str(), &at.environment.axes);
    let of = PastOf { machine, axes, until_us: until, most: MOST_SUBJECTS };
    let past = tacho_query::past(index, of, |name| names.contains(name)).ok()??;
    let is_fresh = past.n_files * 100 >= library.n_files() * LEAST_KNOWN_PERCENT && past.n_subjects > 0;
    (is_fresh && past.files.iter().all(|file| library.is_unchanged(&file.path, file.n_bytes, file.mtime_ns)))
        .then_some(past)
}

fn from_files(
    library: &Library<'_>,
    place: &Place,
    labels: &BTreeSet<&str>,
    until: i64,
    history: &mut History,
    console: &Console,
) -> usize {
    let chosen = around(library, place, ordered(library.candidates(place, labels)), until);
    for kept in chosen.iter().flatten() {
        if let Err(error) = library.tell(kept, history) {
            console.warn(&format!("left out of the history: {}", error.message()));
        }
    }
    chosen.len()
}

/// Puts runs into the order of history, by subject: each at its earliest moment, where its runs do not agree on it.
fn ordered(candidates: Vec<Candidate<'_>>) -> Vec<AtSubject<'_>> {
    let mut subjects: BTreeMap<String, AtSubject<'_>> = BTreeMap::new();
    for one in candidates {
        let (subject, moment_us) = match &one {
            Candidate::Run(kept) => (kept.provenance.subject.id(), moment(&kept.provenance)),
            Candidate::File { subject, moment_us, .. } => (subject.clone(), *moment_us),
        };
        let bare = || AtSubject { moment_us, candidates: vec![] };
        let at = subjects.entry(subject).or_insert_with(bare);
        at.moment_us = at.moment_us.min(moment_us);
        at.candidates.push(one);
    }
    let mut subjects: Vec<AtSubject<'_>> = subjects.into_values().collect();
    // Stable: at one moment the order is that of ids.
    subjects.sort_by_key(|subject| subject.moment_us);
    subjects
}

/// Returns the runs of the subjects up to `until`, the newest ones; of later ones only where those are too few.
fn around(library: &Library<'_>, place: &Place, mut subjects: Vec<AtSubject<'_>>, until: i64) -> Vec<Vec<Kept>> {
    let later = subjects.split_off(subjects.partition_point(|subject| subject.moment_us <= until));
    let runs = |subject: AtSubject<'_>| {
        let kept = subject.candidates.into_iter().filter_map(|candidate| library.confirmed(candidate, place));
        Some(kept.collect()).filter(|kept: &Vec<Kept>| !kept.is_empty())
    };
    let mut chosen: Vec<Vec<Kept>> = subjects.into_iter().rev().filter_map(runs).take(MOST_SUBJECTS).collect();
    chosen.reverse();
    let n_missing = MOST_SUBJECTS - chosen.len();
    chosen.extend(later.into_iter().filter_map(runs).take(n_missing));
    chosen
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
