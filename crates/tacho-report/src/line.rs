//! The line that a run's progress prints for a finished case.

use tacho_model::{Outcome, State};

use crate::escape;
use crate::state::{quantity, reason, state_style};
use crate::style::Screen;
use crate::width::{padded, shorten_end, shorten_middle, width};

#[cfg(test)]
mod tests;

/// Columns for what the case says, where the screen is narrow.
const SHORTEST_RESULT: usize = 24;
/// Columns that a name is filled up to at most, so that results stand below each other.
const NAME: usize = 50;

/// Returns one line, without a line break, for the outcomes of one finished case: its name and its
/// value, or why there is none. Several metrics stand side by side.
pub fn case_line(outcomes: &[Outcome], screen: &Screen) -> String {
    let Some(first) = outcomes.first() else { return String::new() };
    let name = escape::one_line(&first.case.full_name());
    let text = escape::one_line(&result(outcomes));
    let needed = if first.state == State::Measured { width(&text) } else { SHORTEST_RESULT.min(width(&text)) };
    let filled = screen.width.saturating_sub(4 + SHORTEST_RESULT).min(NAME);
    let room = screen.width.saturating_sub(4 + needed).max(SHORTEST_RESULT);
    let name = padded(&shorten_middle(&name, room), filled);
    let text = shorten_end(&text, screen.width.saturating_sub(4 + width(&name)).max(needed));
    format!("  {name}  {}", state_style(worst(outcomes)).paint(&text, screen))
}

fn worst(outcomes: &[Outcome]) -> State {
    outcomes.iter().map(|outcome| outcome.state).max().unwrap_or(State::NotRun)
}

fn result(outcomes: &[Outcome]) -> String {
    let text = |outcome: &Outcome| quantity(outcome).map_or_else(|| reason(outcome), |value| value.to_string());
    match outcomes {
        [only] => text(only),
        // All metrics of a case share its rounds, and mostly the reason why they have no values.
        [first, ..] if outcomes.iter().all(|outcome| outcome.state.is_failure()) => reason(first),
        _ => {
            let named = outcomes.iter().map(|outcome| format!("{} {}", outcome.metric.name, text(outcome)));
            named.collect::<Vec<_>>().join(", ")
        }
    }
}
