//! What a run came to, and what to do next.

use std::collections::{BTreeMap, HashSet};

use tacho_model::unit::human_duration;
use tacho_model::{Outcome, State};

use crate::case_line;
use crate::escape;
use crate::state::state_words;
use crate::style::{Screen, Style};

#[cfg(test)]
mod tests;

/// The order in which states are told: what is there, what is missing by intent, what went wrong.
const TOLD: [State; 6] =
    [State::Measured, State::Skipped, State::Failed, State::TimedOut, State::Killed, State::NotRun];

/// How many cases without a value are listed by name.
const LISTED: usize = 10;

/// Returns `412 cases: 400 measured, 9 skipped, 2 failed, 1 timed out`.
pub fn counts_text(counts: &BTreeMap<State, usize>) -> String {
    let total: usize = counts.values().sum();
    let told = TOLD.iter().filter_map(|state| {
        let count = counts.get(state).filter(|count| **count > 0)?;
        Some(format!("{count} {}", state_words(*state)))
    });
    let cases = if total == 1 { "1 case".to_owned() } else { format!("{total} cases") };
    let told = told.collect::<Vec<_>>().join(", ");
    if told.is_empty() { cases } else { format!("{cases}: {told}") }
}

/// Returns the lines at the end of a run that took `wall_s` seconds: how many cases ended how, the
/// failed ones by name (at most ten), and the commands to go on with. `show` is the command that
/// shows this run.
pub fn run_summary(
    outcomes: &[Outcome],
    counts: &BTreeMap<State, usize>,
    wall_s: f64,
    show: &str,
    screen: &Screen,
) -> String {
    let mut lines = vec![format!("{}; took {}", counts_text(counts), human_duration(wall_s))];
    let failed = failed_cases(outcomes);
    for case in failed.iter().take(LISTED) {
        lines.push(case_line(case, screen));
    }
    if failed.len() > LISTED {
        lines.push(format!("  and {} more", failed.len() - LISTED));
    }
    if counts.contains_key(&State::Measured) {
        lines.push(hint(show, screen));
    }
    if let Some(command) = failed.first().and_then(|case| again(&case[0].case.benchmark)) {
        lines.push(hint(&command, screen));
    }
    lines.join("\n") + "\n"
}

fn hint(command: &str, screen: &Screen) -> String {
    format!("{} {}", Style::Strong.paint("hint:", screen), escape::one_line(command))
}

/// Returns the outcomes of each failed case; a case that failed alike in all metrics stands once.
fn failed_cases(outcomes: &[Outcome]) -> Vec<&[Outcome]> {
    let mut seen = HashSet::new();
    outcomes
        .chunk_by(|a, b| a.case == b.case)
        .filter(|case| case.iter().any(|outcome| outcome.state.is_failure()))
        .filter(|case| seen.insert(&case[0].case))
        .collect()
}

/// Returns the command that runs a benchmark again and shows what it prints; `None` for a name that
/// no shell should see.
fn again(benchmark: &str) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || "_.-:/@".contains(c);
    benchmark.chars().all(plain).then(|| format!("tacho run -b '{benchmark}' --show-stderr"))
}
