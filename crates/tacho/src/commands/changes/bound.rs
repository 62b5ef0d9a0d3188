//! `--since` and `--until`: a commit, a version or a date, as a bound in history.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tacho_model::{Change, Subject, Timestamp};

use super::ChangesArgs;
use super::collect::Cells;
use crate::error::{CommandError, Result};
use crate::mainline::Mainline;

/// A place in history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// Just after the subject at this position; before all where there is none.
    After(Option<u64>),
    Moment(Timestamp),
}

/// Between which places changes are asked for.
pub(super) struct Bounds {
    since: Option<Bound>,
    until: Option<Bound>,
    moments: HashMap<u64, Timestamp>,
}

impl Bounds {
    /// Everything lies between them.
    pub(super) fn none() -> Bounds {
        Bounds { since: None, until: None, moments: HashMap::new() }
    }

    pub(super) fn of(args: &ChangesArgs, cells: &Cells, mainline: &Mainline) -> Result<Bounds> {
        let bound = |word: &Option<String>| word.as_ref().map(|word| bound(word, cells, mainline)).transpose();
        let moments = cells.values().map(|cell| (cell.position, moment(&cell.subject, cell.began))).collect();
        Ok(Bounds { since: bound(&args.since)?, until: bound(&args.until)?, moments })
    }

    pub(super) fn have(&self, change: &Change) -> bool {
        let is_after = |bound: Bound, position: u64| match bound {
            Bound::After(None) => true,
            Bound::After(Some(last)) => position > last,
            Bound::Moment(moment) => self.moments.get(&position).is_some_and(|at| *at >= moment),
        };
        // Of a slow loss the last step counts: it is new as long as it goes on.
        self.since.is_none_or(|since| is_after(since, change.last_position))
            && self.until.is_none_or(|until| !is_after(until, change.position))
    }
}

/// When a subject came into history, as far as anybody knows.
fn moment(subject: &Subject, began: Timestamp) -> Timestamp {
    subject.date().unwrap_or(began)
}

/// What is shorter and can be read as a span of time is one: git writes no hash shorter than this.
const SHORTEST_HASH: usize = 7;

fn bound(word: &str, cells: &Cells, mainline: &Mainline) -> Result<Bound> {
    let span = ago(word).map(Bound::Moment);
    // Of `365d` a large repository has a commit whose hash begins so.
    if let Some(moment) = span.filter(|_| word.len() < SHORTEST_HASH) {
        return Ok(moment);
    }
    let resolved = mainline.resolve(word);
    if let Some(position) = resolved.as_ref().and_then(|hash| last_until(hash, cells, mainline)) {
        return Ok(Bound::After(position));
    }
    for name in [Some(word), resolved.as_deref()].into_iter().flatten() {
        if let Some(position) = named(name, cells)? {
            return Ok(Bound::After(Some(position)));
        }
    }
    // A shallow clone does not tell how its commits hang together, and commits that nobody knows stand by their dates.
    let made = || Some(Timestamp { unix_us: mainline.date(resolved.as_ref()?)?.unix_us.saturating_add(1) });
    let moment = tacho_report::parse_moment(word).map(Bound::Moment).or(span);
    moment.or_else(|| made().map(Bound::Moment)).ok_or_else(|| unknown(word, mainline))
}

fn unknown(word: &str, mainline: &Mainline) -> CommandError {
    let error = CommandError::new(format!("`{word}` is no commit, version or date that is known here"));
    if mainline.is_shallow() {
        return error.hint("the clone is shallow: `git fetch --unshallow --tags` brings the rest of its history");
    }
    error.hint("a commit can be anything that git understands, a date is 2026-11-01 or 2026-11-01T12:00:00Z, and `2weeks` counts back from now")
}

/// Returns the position of the last subject on the first-parent line up to a commit, or up to where its branch left the line; `None` where it
/// has nothing to do with the line, or nothing on the line was measured.
fn last_until(hash: &str, cells: &Cells, mainline: &Mainline) -> Option<Option<u64>> {
    let end = mainline.place_until(hash)?;
    let placed = cells.values().filter_map(|cell| Some((mainline.place(&cell.subject)?, cell.position)));
    let placed: Vec<(usize, u64)> = placed.collect();
    let until = placed.iter().filter(|(at, _)| *at <= end).map(|(_, position)| *position);
    (!placed.is_empty()).then(|| until.max())
}

/// Returns the position of a subject that is named by its hash's beginning, its version or `package==version`.
fn named(word: &str, cells: &Cells) -> Result<Option<u64>> {
    let is_it = |subject: &Subject| match subject {
        Subject::Commit { hash, .. } => word.len() >= 4 && hash.starts_with(&word.to_lowercase()),
        Subject::Version { version, .. } => version == word || subject.id() == word,
        Subject::Date { .. } | Subject::Tree { .. } => false,
    };
    let mut found: Vec<(u64, String)> =
        cells.values().filter(|cell| is_it(&cell.subject)).map(|cell| (cell.position, cell.subject.id())).collect();
    found.sort();
    found.dedup();
    match &found[..] {
        [] => Ok(None),
        [(position, _)] => Ok(Some(*position)),
        [(_, one), (_, other), ..] => Err(CommandError::new(format!("`{word}` begins the hashes of several commits"))
            .hint(format!("write more of it: {one} or {other}"))),
    }
}

/// Reads `7d` or `2weeks` as so long before now.
fn ago(word: &str) -> Option<Timestamp> {
    let span = humantime::parse_duration(word).ok()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let then = now.saturating_sub(span);
    Some(Timestamp { unix_us: i64::try_from(then.as_micros()).ok()? })
}
