//! The columns of the data set: those of the view `results`, each with how it is read from a row.

use std::sync::LazyLock;

use ::parquet::data_type::ByteArray;
use tacho_model::State;

use super::file::{Column, Kind};
use super::rows::Line;

/// How a column's value is found; `None` for NULL.
pub(super) enum Read {
    Text(fn(&Line<'_>) -> Option<ByteArray>),
    Whole(fn(&Line<'_>) -> Option<i64>),
    /// NULL where it is no number.
    Real(fn(&Line<'_>) -> f64),
    Truth(fn(&Line<'_>) -> Option<bool>),
    /// Microseconds since 1970.
    Moment(fn(&Line<'_>) -> Option<i64>),
}

use Read::{Moment, Real, Text, Truth, Whole};

/// The columns that never hold NULL.
const NEEDED: [&str; 24] = [
    "benchmark",
    "parameters",
    "metric",
    "unit",
    "direction",
    "machine",
    "environment",
    "subject_kind",
    "subject",
    "n_samples",
    "outcome",
    "source",
    "n_runs",
    "started_at",
    "project",
    "environment_label",
    "machine_facts",
    "packages",
    "setup",
    "tool_version",
    "quick",
    "complete",
    "series_id",
    "case_index",
];

/// The columns by which rows are ordered, first to last; within a series by `position`.
pub(super) const ORDER: [&str; 5] = ["benchmark", "parameters", "metric", "machine", "environment"];

/// Long texts, of which no reader wants to know the least and the greatest.
const LONG: [&str; 4] = ["message", "machine_facts", "packages", "setup"];

/// Every column, in the order of the view.
pub(super) const COLUMNS: [(&str, Read); 38] = [
    ("benchmark", Text(|line| Some(line.series.benchmark.clone()))),
    ("parameters", Text(|line| Some(line.series.parameters.clone()))),
    ("metric", Text(|line| Some(line.series.metric.clone()))),
    ("unit", Text(|line| Some(line.definition.unit.clone()))),
    ("direction", Text(|line| Some(line.series.direction.clone()))),
    ("machine", Text(|line| Some(line.series.machine.clone()))),
    ("environment", Text(|line| Some(line.series.environment.clone()))),
    ("subject_kind", Text(|line| Some(line.cell.kind.clone()))),
    ("subject", Text(|line| Some(line.cell.subject.clone()))),
    ("subject_time", Moment(|line| line.cell.date_us)),
    ("commit", Text(|line| line.cell.is_commit.then(|| line.cell.subject.clone()))),
    ("commit_date", Moment(|line| line.cell.date_us.filter(|_| line.cell.is_commit))),
    ("position", Whole(|line| line.cell.position)),
    ("on_line", Truth(|line| line.cell.on_line)),
    ("value", Real(|line| line.point.value)),
    ("lower", Real(|line| line.point.lower)),
    ("upper", Real(|line| line.point.upper)),
    ("spread", Real(|line| line.point.spread)),
    ("n_samples", Whole(|line| Some(line.point.n_samples.into()))),
    ("outcome", Text(|line| Some(word(line.point.state)))),
    ("message", Text(|line| line.point.message.as_ref().map(|text| ByteArray::from(&**text)))),
    ("version", Text(|line| line.definition.version.clone())),
    ("method", Text(|line| line.definition.method.clone())),
    ("record", Text(|line| line.cell.record.clone())),
    ("source", Text(|line| Some(line.cell.source.clone()))),
    ("n_runs", Whole(|line| Some(line.cell.n_runs))),
    ("started_at", Moment(|line| Some(line.cell.started_us))),
    ("project", Text(|line| Some(line.cell.project.clone()))),
    ("branch", Text(|line| line.cell.branch.clone())),
    ("environment_label", Text(|line| Some(line.cell.environment_label.clone()))),
    ("machine_facts", Text(|line| Some(line.cell.machine_facts.clone()))),
    ("packages", Text(|line| Some(line.cell.packages.clone()))),
    ("setup", Text(|line| Some(line.cell.setup.clone()))),
    ("tool_version", Text(|line| Some(line.cell.tool_version.clone()))),
    ("quick", Truth(|line| Some(line.cell.quick))),
    ("complete", Truth(|line| Some(line.cell.complete))),
    ("series_id", Whole(|line| Some(line.series_number))),
    ("case_index", Whole(|line| Some(line.definition.case_index))),
];

/// Returns what the file says of the columns.
pub(super) fn declared() -> Vec<Column> {
    let column = |(name, read): &(&str, Read)| Column {
        name: (*name).to_owned(),
        kind: match read {
            Text(_) => Kind::Text,
            Whole(_) => Kind::Whole,
            Real(_) => Kind::Real,
            Truth(_) => Kind::Truth,
            Moment(_) => Kind::Moment,
        },
        is_needed: NEEDED.contains(name),
        has_statistics: !LONG.contains(name),
    };
    COLUMNS.iter().map(column).collect()
}

/// Made once: every row has one.
static WORDS: LazyLock<[ByteArray; 6]> = LazyLock::new(|| State::ALL.map(|state| ByteArray::from(state.word())));

/// Returns the word for a state, which the index keeps by its number. Like the view: an unknown one is the worst.
fn word(state: u8) -> ByteArray {
    WORDS[usize::from(state).min(WORDS.len() - 1)].clone()
}
