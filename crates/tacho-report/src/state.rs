//! Outcomes in words.

use tacho_model::{Outcome, State};

use crate::quantity::Quantity;
use crate::style::Style;

/// Returns the words for a state in text for people.
pub(crate) fn state_words(state: State) -> &'static str {
    match state {
        State::Measured => "measured",
        State::Skipped => "skipped",
        State::NotRun => "not run",
        State::Failed => "failed",
        State::TimedOut => "timed out",
        State::Killed => "killed",
    }
}

pub(crate) fn state_style(state: State) -> Style {
    match state {
        State::Measured => Style::Plain,
        State::Skipped | State::NotRun => Style::Warning,
        State::Failed | State::TimedOut | State::Killed => Style::Bad,
    }
}

/// Returns why there is no value: `failed: ValueError: …`, or the bare state where nothing is known.
pub(crate) fn reason(outcome: &Outcome) -> String {
    let words = state_words(outcome.state);
    match outcome.message.as_deref().map(str::trim) {
        Some(message) if !message.is_empty() => format!("{words}: {message}"),
        _ => words.to_owned(),
    }
}

/// Returns the value with its spread, `None` where there is none. One sample has no spread to show.
pub(crate) fn quantity(outcome: &Outcome) -> Option<Quantity> {
    let spread = outcome.spread.filter(|_| outcome.n_samples != 1);
    outcome.value.map(|value| Quantity::new(value, spread, &outcome.metric.unit))
}
