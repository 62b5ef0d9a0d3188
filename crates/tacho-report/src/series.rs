//! Series over subjects: for each case, metric, machine and combination of axes one table, in the order of history.

use std::collections::{BTreeMap, BTreeSet};

use tacho_model::unit::{counted, human};
use tacho_model::{Case, Metric, State, Subject};

use crate::axes::Common;
use crate::moment::moment_in_utc;
use crate::page::Page;
use crate::quantity::Quantity;
use crate::records::short_subject;
use crate::state::{state_style, state_words};
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

#[cfg(test)]
pub(crate) mod tests;

/// One case and metric on one machine, in one environment, over subjects.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The case, as its newest run names it.
    pub case: Case,
    /// The metric, likewise.
    pub metric: Metric,
    /// The machine's name.
    pub machine: String,
    /// The declared axes.
    pub axes: BTreeMap<String, String>,
    /// What was measured, in the order of history.
    pub points: Vec<Point>,
}

/// What a series says at one subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The subject.
    pub subject: Subject,
    /// The newest of the runs it comes from.
    pub run_id: String,
    /// How measuring ended.
    pub state: State,
    /// The median, in the metric's base unit; `None` unless measured.
    pub value: Option<f64>,
    /// Half the distance between the quartiles.
    pub spread: Option<f64>,
    /// The 99 % interval of the median.
    pub interval: Option<(f64, f64)>,
    /// How many samples the value was made of.
    pub n_samples: usize,
    /// The benchmark's version.
    pub version: Option<String>,
    /// Why it is not measured.
    pub message: Option<String>,
    /// Whether it was a quick look, one sample a case.
    pub quick: bool,
    /// Whether all runs it comes from came to their end.
    pub complete: bool,
}

/// So many series have a table: hosted machines can have a name for each run, which makes thousands of short ones.
const MOST_TABLES: usize = 100;

/// Returns the series as a page: what all have in common once, and a table for each.
pub fn series(series: &[Series]) -> Page {
    let mut page = Page::default();
    let common = Common::of(series.iter().map(|one| (one.machine.as_str(), &one.axes)));
    page.facts(common.facts());
    for one in series.iter().take(MOST_TABLES) {
        page.name(&one.case.full_name(), &note(one, &common));
        page.table(table(one));
    }
    if let Some(more) = series.len().checked_sub(MOST_TABLES).filter(|more| *more > 0) {
        let machines: BTreeSet<&str> = series.iter().map(|one| one.machine.as_str()).collect();
        let on = counted(machines.len(), "machine");
        page.line(
            format!("{more} more series of {} on {on}: narrow them with -b, -m or -E; --json has all.", series.len()),
            Style::Warning,
        );
    }
    if page.is_empty() {
        page.line("no series are kept here", Style::Plain);
    }
    page
}

/// Returns what sets a series apart: `time, lab-7, threads 2`.
fn note(series: &Series, common: &Common<'_>) -> String {
    let place = common.place(&series.machine, &series.axes);
    [series.metric.name.clone(), place].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

fn table(series: &Series) -> Table {
    let remarks = remarks(&series.points);
    let has_remarks = remarks.iter().any(|remark| !remark.is_empty());
    let has_dates = series.points.iter().any(|point| date(&point.subject).is_some());
    let columns = [
        Some(("subject", Holds::Marks)),
        has_dates.then_some(("date (UTC)", Holds::Marks)),
        Some(("result", Holds::Words)),
        Some(("99 % interval", Holds::Numbers)),
        Some(("samples", Holds::Numbers)),
        has_remarks.then_some(("remark", Holds::Words)),
    ];
    let mut table =
        Table::new(columns.into_iter().flatten().map(|(header, holds)| (header.to_owned(), holds)).collect());
    let unit = &series.metric.unit;
    for (point, remark) in series.points.iter().zip(remarks) {
        let interval = point.interval.map(|(low, high)| format!("{} to {}", human(low, unit), human(high, unit)));
        let cells = [
            Some(Cell::text(short_subject(&point.subject))),
            has_dates.then(|| Cell::text(date(&point.subject).unwrap_or_default())),
            Some(result_cell(point, unit)),
            Some(Cell::text(interval.unwrap_or_default())),
            Some(Cell::text(point.n_samples.to_string())),
            has_remarks.then(|| Cell::text(remark)),
        ];
        table.push(cells.into_iter().flatten().collect());
    }
    table
}

/// Returns the date of a commit; versions have none here, and a date is its own name.
fn date(subject: &Subject) -> Option<String> {
    match subject {
        Subject::Commit { date, .. } => date.map(moment_in_utc),
        Subject::Tree { .. } | Subject::Version { .. } | Subject::Date { .. } => None,
    }
}

fn result_cell(point: &Point, unit: &str) -> Cell {
    let spread = point.spread.filter(|_| point.n_samples != 1);
    let cell = match (point.value, point.message.as_deref().map(str::trim)) {
        (Some(value), _) => Cell::quantity(Quantity::new(value, spread, unit)),
        // That nothing was run is told by why it was not.
        (None, Some(message)) if point.state == State::NotRun && !message.is_empty() => Cell::text(message),
        (None, Some(message)) if !message.is_empty() => Cell::text(format!("{}: {message}", state_words(point.state))),
        (None, _) => Cell::text(state_words(point.state)),
    };
    cell.styled(state_style(point.state))
}

/// Returns for each point what sets it apart from a whole one of the same benchmark as before.
fn remarks(points: &[Point]) -> Vec<String> {
    let mut last: Option<String> = None;
    let remark = |point: &Point| {
        let version = point.version.clone().or_else(|| last.clone());
        let is_new = last.is_some() && version != last;
        last = version;
        let marks = [(is_new, "another version"), (point.quick, "quick"), (!point.complete, "partial")];
        let words = marks.into_iter().filter(|(applies, _)| *applies).map(|(_, word)| word);
        words.collect::<Vec<_>>().join(", ")
    };
    points.iter().map(remark).collect()
}
