//! The row of one benchmark and metric: the columns of asv's format 2, over all its cases.

use tacho_model::{Outcome, State, Timestamp};

use super::json::Json;

/// The columns in asv's order. No profile is ever written, and null at the end of a row is left out.
pub(super) const COLUMNS: [&str; 13] = [
    "result",
    "params",
    "version",
    "started_at",
    "duration",
    "stats_ci_99_a",
    "stats_ci_99_b",
    "stats_q_25",
    "stats_q_75",
    "stats_number",
    "stats_repeat",
    "samples",
    "profile",
];

/// What a row says beside its outcomes.
pub(super) struct Frame<'a> {
    pub(super) version: &'a str,
    /// The texts of each parameter, first slowest.
    pub(super) parameters: Vec<&'a [String]>,
    pub(super) n_cases: usize,
    pub(super) started_at: Option<Timestamp>,
    /// `None` where another row has it already.
    pub(super) duration_ns: Option<u64>,
}

/// Returns the row; `outcomes` are of one benchmark and metric, at most one for each case.
pub(super) fn row(frame: &Frame<'_>, outcomes: &[&Outcome]) -> Json {
    let mut of_case: Vec<Option<&Outcome>> = vec![None; frame.n_cases];
    for outcome in outcomes {
        if let Some(place) = of_case.get_mut(outcome.case.index) {
            *place = Some(outcome);
        }
    }
    let column = |of: fn(&Outcome) -> Json| {
        let statistics = |outcome: &Outcome| if has_statistics(outcome) { of(outcome) } else { Json::Null };
        column(of_case.iter().map(|outcome| outcome.map_or(Json::Null, statistics)))
    };
    let texts = |texts: &&[String]| Json::List(texts.iter().map(|text| Json::text(text)).collect());
    let mut row = vec![
        // Who was not asked is told as who skipped.
        self::column(of_case.iter().map(|outcome| outcome.map_or(Json::Float(f64::NAN), result))),
        Json::List(frame.parameters.iter().map(texts).collect()),
        Json::text(frame.version),
        frame.started_at.map_or(Json::Null, |at| Json::Integer(at.unix_us / 1000)),
        Json::float(frame.duration_ns.map(|ns| five_digits(ns as f64 / 1e9))),
        column(|outcome| Json::Float(outcome.interval.map_or(f64::NEG_INFINITY, |ends| five_digits(ends.0)))),
        column(|outcome| Json::Float(outcome.interval.map_or(f64::INFINITY, |ends| five_digits(ends.1)))),
        column(|outcome| Json::float(outcome.quartiles.map(|ends| five_digits(ends.0)))),
        column(|outcome| Json::float(outcome.quartiles.map(|ends| five_digits(ends.1)))),
        column(|outcome| outcome.number.map_or(Json::Null, |n| Json::Integer(n as i64))),
        column(|outcome| Json::Integer(outcome.n_samples as i64)),
        column(|outcome| Json::List(outcome.samples.iter().map(|sample| Json::Float(*sample)).collect())),
    ];
    while row.last() == Some(&Json::Null) {
        row.pop();
    }
    Json::List(row)
}

/// A list over the cases; null where all of them are.
fn column(items: impl Iterator<Item = Json>) -> Json {
    let items: Vec<Json> = items.collect();
    if items.iter().all(|item| *item == Json::Null) { Json::Null } else { Json::List(items) }
}

fn result(outcome: &Outcome) -> Json {
    match outcome.state {
        State::Measured => Json::float(outcome.value),
        State::Skipped | State::NotRun => Json::Float(f64::NAN),
        State::Failed | State::TimedOut | State::Killed => Json::Null,
    }
}

/// asv computes none of a value that was returned once.
fn has_statistics(outcome: &Outcome) -> bool {
    let is_timing = outcome.number.is_some();
    outcome.state == State::Measured && (is_timing || outcome.n_samples > 1)
}

/// Rounds to five significant digits, as asv does with statistics and durations.
fn five_digits(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_have_five_digits() {
        let check = |value: f64, expected: f64| assert_eq!(five_digits(value), expected, "{value}");
        check(1.234_567e-7, 1.2346e-7);
        check(-123_456.0, -123_460.0);
        check(0.0, 0.0);
        check(f64::INFINITY, f64::INFINITY);
    }
}
