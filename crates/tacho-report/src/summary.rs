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

/// How the user goes on from here, which depends on how the user got here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NextSteps {
    /// The command that shows this run; `None` where nothing was kept.
    pub show: Option<String>,
    /// The beginning of the command that measures again (`tacho run speed.py`), to which options are added.
    pub again: Option<String>,
}

/// Returns the lines at the end of a run that took `wall_s` seconds: how many cases ended how, the
/// failed ones by name (at most ten), and the commands to go on with.
pub fn run_summary(
    outcomes: &[Outcome],
    counts: &BTreeMap<State, usize>,
    wall_s: f64,
    next: &NextSteps,
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
    let show = next.show.clone().filter(|_| counts.contains_key(&State::Measured));
    let again = next.again.as_ref().zip(failed.first());
    let again = again.map(|(command, case)| again_with_output(command, &case[0].case.benchmark));
    lines.extend([show, again].into_iter().flatten().filter_map(|command| hint(&command, screen)));
    lines.join("\n") + "\n"
}

/// Returns a command to go on with; `None` for one that a terminal would not show as it is, since it
/// is there to be copied.
fn hint(command: &str, screen: &Screen) -> Option<String> {
    escape::is_plain(command).then(|| format!("{} {command}", Style::Strong.paint("hint:", screen)))
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

/// Returns the command that measures one benchmark again and shows what it prints.
fn again_with_output(command: &str, benchmark: &str) -> String {
    // The bare name selects all cases: one that fails alone is seen beside the others.
    let pattern = format!("^{}$", regex_escaped(benchmark));
    format!("{command} -b '{}' --show-stderr", pattern.replace('\'', r"'\''"))
}

/// Returns the regular expression of Python that finds `text` and nothing else.
fn regex_escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.^$*+?{}[]|()".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
