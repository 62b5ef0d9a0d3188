//! What changed in a history for good: groups of changes, newest first, each with what may be to blame.

use tacho_model::unit::human;
use tacho_model::{Change, ChangeGroup, ChangeState, Disagreement, Drift, Effect, SeriesKey, Subject};

use crate::axes::Common;
use crate::moment::day_in_utc;
use crate::page::{Fact, Page};
use crate::records::short_subject;
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

#[cfg(test)]
pub(crate) mod tests;

/// So many changes of a group are shown, and so many of what else moved.
const MOST_ROWS: usize = 12;
const MOST_MOVED: usize = 12;
/// What moved is told so far: a command line of a build can be long.
const LONGEST_MOVED: usize = 60;

/// Changes that are not listed, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Smaller than what matters.
    pub n_small: usize,
    /// Taken back since.
    pub n_undone: usize,
    /// Of series that are measured no more.
    pub n_ended: usize,
    /// Seen in the newest points alone, small, and in few series.
    pub n_provisional: usize,
}

/// What changed in a history.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// The groups that are listed, the newest first; each has changes.
    pub groups: Vec<ChangeGroup>,
    /// Series that drift.
    pub drifts: Vec<Drift>,
    /// What is not listed.
    pub hidden: Hidden,
    /// How many series were searched.
    pub n_series: usize,
    /// How many points they have.
    pub n_points: usize,
    /// How many events cut them: another version of the benchmark, another unit, method or processor.
    pub n_events: usize,
    /// How many confirmed changes such a search finds at most where nothing changed; `None` where nobody knows.
    pub expected_false: Option<f64>,
    /// Groups beyond the limit.
    pub n_more: usize,
    /// Whether the repository is at hand.
    pub repository: bool,
}

/// Returns the changes as a page; with `everything` no row is left out.
pub fn changes(changes: &Changes, everything: bool) -> Page {
    let mut page = Page::default();
    let listed = changes.groups.iter().flat_map(|group| &group.changes).map(|change| &change.series);
    let common = Common::of(
        listed.chain(changes.drifts.iter().map(|drift| &drift.series)).map(|key| (key.machine.as_str(), &key.axes)),
    );
    page.facts(common.facts());
    for group in &changes.groups {
        append_group(&mut page, group, changes, &common, everything);
    }
    append_drifts(&mut page, &changes.drifts, &common, everything);
    tail(&mut page, changes);
    page
}

fn append_group(page: &mut Page, group: &ChangeGroup, changes: &Changes, common: &Common<'_>, everything: bool) {
    page.name(&heading(group), &note(group));
    let limit = if everything { usize::MAX } else { MOST_ROWS };
    page.table(table(&group.changes[..group.changes.len().min(limit)], common));
    page.facts(facts(group, changes, limit));
}

/// The commit, or the range, that can be to blame.
pub(crate) fn heading(group: &ChangeGroup) -> String {
    match (group.innocent(), is_one_candidate(group)) {
        (Some(innocent), false) => format!("{}..{}", short_subject(innocent), short_subject(group.latest())),
        _ => short_subject(group.latest()),
    }
}

fn is_one_candidate(group: &ChangeGroup) -> bool {
    match group.n_candidates {
        Some(n) => n == 1,
        // Nobody knows which commits lie between two that were measured.
        None => group.range().0 == group.range().1 && !matches!(group.latest(), Subject::Commit { .. }),
    }
}

pub(crate) fn note(group: &ChangeGroup) -> String {
    let day = match group.latest() {
        Subject::Commit { date: Some(date), .. } => Some(day_in_utc(*date)),
        _ => None,
    };
    let title = match (is_one_candidate(group), &group.title) {
        (true, title) => title.clone(),
        (false, Some(title)) => Some(format!("up to: {title}")),
        (false, None) => None,
    };
    [day, title].into_iter().flatten().collect::<Vec<String>>().join("  ")
}

fn table(changes: &[Change], common: &Common<'_>) -> Table {
    let place = |change: &Change| common.place(&change.series.machine, &change.series.axes);
    let has_places = changes.iter().any(|change| !place(change).is_empty());
    let has_remarks = changes.iter().any(|change| !doubt(change).is_empty());
    let columns = [
        Some(("verdict", Holds::Marks)),
        Some(("change", Holds::Numbers)),
        Some(("99 % interval", Holds::Numbers)),
        Some(("before", Holds::Numbers)),
        Some(("after", Holds::Numbers)),
        Some(("benchmark", Holds::Labels)),
        has_places.then_some(("where", Holds::Words)),
        has_remarks.then_some(("remark", Holds::Marks)),
    ];
    let mut table =
        Table::new(columns.into_iter().flatten().map(|(header, holds)| (header.to_owned(), holds)).collect());
    for change in changes {
        let (effect, interval) = effect_texts(change.effect, &change.series.metric.unit);
        let level = |value: f64| Cell::text(human(value, &change.series.metric.unit));
        let cells = [
            Some(verdict_cell(change)),
            Some(Cell::text(effect)),
            Some(Cell::text(interval)),
            Some(level(change.levels.0)),
            Some(level(change.levels.1)),
            Some(Cell::text(series_name(&change.series))),
            has_places.then(|| Cell::text(place(change))),
            has_remarks.then(|| Cell::text(doubt(change))),
        ];
        table.push(cells.into_iter().flatten().collect());
    }
    table
}

fn verdict_cell(change: &Change) -> Cell {
    let (words, style) = way(change.is_worse, &change.series);
    Cell::text(words).styled(style)
}

/// Time is slower or faster, everything else worse or better.
pub(crate) fn way(is_worse: Option<bool>, series: &SeriesKey) -> (&'static str, Style) {
    let is_time = series.metric.name == "time";
    match (is_worse, is_time) {
        (Some(true), true) => ("slower", Style::Bad),
        (Some(true), false) => ("worse", Style::Bad),
        (Some(false), true) => ("faster", Style::Good),
        (Some(false), false) => ("better", Style::Good),
        (None, _) => ("other", Style::Plain),
    }
}

/// What is not certain of a change, or not simple.
pub(crate) fn doubt(change: &Change) -> String {
    let mut words = Vec::new();
    if change.state != ChangeState::Confirmed {
        words.push(change.state.word().to_owned());
    }
    if change.n_steps > 1 {
        words.push(format!("in {} steps", change.n_steps));
    }
    if change.outlook != tacho_model::Outlook::Holds {
        words.push(change.outlook.word().to_owned());
    }
    words.join(", ")
}

/// The case, and the metric where it is not the usual one.
pub(crate) fn series_name(series: &SeriesKey) -> String {
    match series.metric.name.as_str() {
        "time" => series.case.full_name(),
        metric => format!("{} {metric}", series.case.full_name()),
    }
}

pub(crate) fn effect_texts(effect: Effect, unit: &str) -> (String, String) {
    let between = |interval: Option<(f64, f64)>, text: &dyn Fn(f64) -> String| {
        interval.map_or(String::new(), |(low, high)| format!("{} to {}", text(low), text(high)))
    };
    match effect {
        Effect::Ratio { value, interval } => (percent(value), between(interval, &percent)),
        Effect::Difference { value, interval } => {
            let text = |value: f64| format!("{}{}", if value > 0.0 { "+" } else { "" }, human(value, unit));
            (text(value), between(interval, &text))
        }
    }
}

/// A ratio as per cent, or as a factor where that is easier to grasp.
fn percent(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    match ratio {
        _ if !ratio.is_finite() => "without bound".to_owned(),
        ratio if ratio >= 10.0 => format!("{ratio:.0} times"),
        ratio if ratio >= 3.0 => format!("{ratio:.1} times"),
        _ if percent.abs() < 9.95 => format!("{percent:+.1} %"),
        _ => format!("{percent:+.0} %"),
    }
}

fn facts(group: &ChangeGroup, changes: &Changes, limit: usize) -> Vec<Fact> {
    let mut facts = Vec::new();
    let n_more = group.changes.len().saturating_sub(limit);
    if n_more > 0 {
        let words = if n_more == 1 { "change" } else { "changes" };
        facts.push(Fact::new("more", format!("{n_more} {words}: `--all` or `--json` tells of each")));
    }
    if !group.moved_as_one.is_empty() {
        let text = format!(
            "most series of {} moved alike: more likely the machine than the code",
            group.moved_as_one.join(", ")
        );
        facts.push(Fact::new("machine event", text));
    }
    facts.extend(commits(group, changes).map(|text| Fact::new("commits", text)));
    let moved = moved(group);
    if !moved.is_empty() {
        facts.push(Fact::new("also moved", moved));
    }
    facts
}

/// Says which commits can be to blame, where it is not the one of the heading.
fn commits(group: &ChangeGroup, changes: &Changes) -> Option<String> {
    let (Subject::Commit { .. }, false) = (group.latest(), is_one_candidate(group)) else { return None };
    let count = match group.n_candidates {
        Some(n) => format!("one of {n}"),
        None => {
            let n = group.range().1 - group.range().0 + 1;
            format!("one of at least {n}: which others lie between is not known here")
        }
    };
    let (Some(Subject::Commit { .. }), true) = (group.innocent(), changes.repository && group.n_candidates.is_some())
    else {
        return Some(count);
    };
    Some(format!("{count}: git log --oneline --first-parent {}", heading(group)))
}

/// What else moved, each once.
fn moved(group: &ChangeGroup) -> String {
    let mut told: Vec<String> = Vec::new();
    for text in group.changes.iter().flat_map(|change| &change.moved).map(moved_text) {
        if !told.contains(&text) {
            told.push(text);
        }
    }
    let n_more = told.len().saturating_sub(MOST_MOVED);
    told.truncate(MOST_MOVED);
    if n_more > 0 {
        told.push(format!("and {n_more} more"));
    }
    match told.is_empty() {
        true => String::new(),
        false => format!("{}: the commit is one candidate among these", told.join("; ")),
    }
}

fn moved_text(moved: &Disagreement) -> String {
    let short = |text: &str| match text.chars().count() > LONGEST_MOVED {
        true => text.chars().take(LONGEST_MOVED - 1).chain(['…']).collect(),
        false => text.to_owned(),
    };
    match (&moved.before, &moved.after) {
        (Some(before), Some(after)) => format!("{} {} -> {}", moved.field, short(before), short(after)),
        (Some(before), None) => format!("{} {} -> none", moved.field, short(before)),
        (None, Some(after)) => format!("{} none -> {}", moved.field, short(after)),
        (None, None) => moved.field.clone(),
    }
}

fn append_drifts(page: &mut Page, drifts: &[Drift], common: &Common<'_>, everything: bool) {
    if drifts.is_empty() {
        return;
    }
    page.title("Drifting: what no single commit did");
    let headers = [
        ("", Holds::Marks),
        ("so far", Holds::Numbers),
        ("since", Holds::Marks),
        ("benchmark", Holds::Labels),
        ("where", Holds::Words),
    ];
    let mut table = Table::new(headers.map(|(header, holds)| (header.to_owned(), holds)).into());
    let limit = if everything { usize::MAX } else { MOST_ROWS };
    for drift in drifts.iter().take(limit) {
        let (words, style) = way(drift.is_worse, &drift.series);
        table.push(vec![
            Cell::text(words).styled(style),
            Cell::text(effect_texts(drift.effect, &drift.series.metric.unit).0),
            Cell::text(short_subject(&drift.from)),
            Cell::text(series_name(&drift.series)),
            Cell::text(common.place(&drift.series.machine, &drift.series.axes)),
        ]);
    }
    page.table(table);
    if drifts.len() > limit {
        page.line(format!("and {} more series: `--all` shows all", drifts.len() - limit), Style::Faint);
    }
}

fn tail(page: &mut Page, changes: &Changes) {
    if changes.groups.is_empty() && changes.drifts.is_empty() && changes.n_more == 0 && changes.n_series > 0 {
        page.line("Nothing to look at.", Style::Plain);
    }
    if changes.n_more > 0 {
        let words = if changes.n_more == 1 { "older group of changes" } else { "older groups of changes" };
        page.line(format!("{} {words} more: `--limit all` shows all.", changes.n_more), Style::Faint);
    }
    let hidden = hidden_text(&changes.hidden);
    if !hidden.is_empty() {
        page.line(format!("Not listed: {hidden}. `--all` lists all."), Style::Faint);
    }
    if changes.n_series > 0 {
        page.line(searched(changes), Style::Faint);
    }
}

fn hidden_text(hidden: &Hidden) -> String {
    let Hidden { n_small, n_undone, n_ended, n_provisional } = *hidden;
    let parts = [
        (n_small, "too small to matter"),
        (n_undone, "undone since"),
        (n_ended, "of series that are measured no more"),
        (n_provisional, "provisional and small, which more points will settle"),
    ];
    let told = parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}"));
    told.collect::<Vec<String>>().join(", ")
}

fn searched(changes: &Changes) -> String {
    let Changes { n_series, n_points, n_events, expected_false, .. } = changes;
    let chance = match *expected_false {
        None => String::new(),
        Some(n) if n < 0.95 => "; chance alone would confirm less than one change in as many".to_owned(),
        Some(n) => format!("; chance alone would confirm at most {n:.0} in as many"),
    };
    let events = match n_events {
        0 => String::new(),
        1 => ", cut by 1 event (another version, unit, method or processor)".to_owned(),
        n => format!(", cut by {n} events (another version, unit, method or processor)"),
    };
    format!("Searched: {n_series} series with {n_points} points{events}{chance}.")
}
