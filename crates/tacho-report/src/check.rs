//! What checking a suite found: what is broken, what is skipped, what is hardly meant.

use std::collections::{BTreeMap, HashMap, HashSet};

use tacho_model::unit::counted;
use tacho_model::{Level, Phase, Planned, Problem, Rehearsal, Remark, State};

use crate::page::Page;
use crate::problems::problems;
use crate::state::state_words;
use crate::style::Style;

#[cfg(test)]
mod tests;

/// How a rehearsal can end, in words.
const TOLD: [(State, &str); 5] = [
    (State::Measured, "ready"),
    (State::Skipped, "skipped"),
    (State::Failed, "failed"),
    (State::TimedOut, "timed out"),
    (State::Killed, "killed"),
];

/// A suite that has been checked, as far as it was.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'a> {
    /// The selected benchmarks and cases.
    pub planned: &'a [Planned],
    /// What could not be loaded, and what is wrong with benchmarks that could.
    pub problems: &'a [Problem],
    /// What was found in the definitions.
    pub remarks: &'a [Remark],
    /// The cases that were set up, in the order of the plan.
    pub rehearsals: &'a [Rehearsal],
}

impl Checked<'_> {
    /// Returns true where nothing keeps a benchmark from being measured as it is declared.
    pub fn is_fine(&self) -> bool {
        self.problems.is_empty()
            && self.remarks.iter().all(|remark| remark.level != Level::Error)
            && !self.rehearsals.iter().any(|rehearsal| rehearsal.state.is_failure())
    }

    /// Returns how many cases ended how, 0 included.
    pub(crate) fn counts(&self) -> BTreeMap<State, usize> {
        let mut counts: BTreeMap<State, usize> = TOLD.iter().map(|(state, _)| (*state, 0)).collect();
        for rehearsal in self.rehearsals {
            *counts.entry(rehearsal.state).or_default() += 1;
        }
        counts
    }

    fn n_cases(&self) -> usize {
        self.planned.iter().map(|plan| plan.cases.len()).sum()
    }
}

/// Returns what was found, part by part, and the sum of it; with `details`, tracebacks and output too.
pub fn check(checked: &Checked<'_>, details: bool) -> Page {
    let mut page = Page::default();
    let listed: HashSet<&str> = checked.planned.iter().map(|plan| plan.benchmark.name.as_str()).collect();
    let is_listed = |problem: &Problem| problem.benchmark.as_deref().is_some_and(|name| listed.contains(name));
    let (declared, lost): (Vec<Problem>, Vec<Problem>) = checked.problems.iter().cloned().partition(is_listed);
    page.append(problems(&lost, details));
    wrong(&mut page, &declared, checked.remarks);
    let failed: Vec<&Rehearsal> = checked.rehearsals.iter().filter(|rehearsal| rehearsal.state.is_failure()).collect();
    cases(&mut page, "Not ready", &failed, Style::Bad, details, checked);
    let skipped: Vec<&Rehearsal> =
        checked.rehearsals.iter().filter(|rehearsal| rehearsal.state == State::Skipped).collect();
    cases(&mut page, "Skipped", &skipped, Style::Warning, false, checked);
    let notes = checked.remarks.iter().filter(|remark| remark.level == Level::Note);
    titled(&mut page, "Notes", notes.map(remark_line).collect(), Style::Warning);
    page.line(summary(checked, lost.len()), Style::Plain);
    page
}

fn wrong(page: &mut Page, declared: &[Problem], remarks: &[Remark]) {
    let of_problems = declared.iter().map(|problem| {
        let name = problem.benchmark.as_deref().unwrap_or(&problem.module);
        format!("{name}: {}", problem.error)
    });
    let of_findings = remarks.iter().filter(|remark| remark.level == Level::Error).map(remark_line);
    titled(page, "Wrong as declared", of_problems.chain(of_findings).collect(), Style::Bad);
}

fn titled(page: &mut Page, title: &str, lines: Vec<String>, style: Style) {
    if !lines.is_empty() {
        page.title(title);
        lines.into_iter().for_each(|line| page.line(line, style));
    }
}

fn remark_line(remark: &Remark) -> String {
    let Remark { level: _, module: _, name, place, text } = remark;
    let place = place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
    format!("{name}: {text}{place}")
}

/// Adds a line for the cases of a benchmark that ended alike, and how it happened once for each reason.
fn cases(page: &mut Page, title: &str, rehearsals: &[&Rehearsal], style: Style, details: bool, checked: &Checked<'_>) {
    if rehearsals.is_empty() {
        return;
    }
    page.title(title);
    let n_cases: HashMap<&str, usize> =
        checked.planned.iter().map(|plan| (plan.benchmark.name.as_str(), plan.cases.len())).collect();
    for alike in grouped(rehearsals) {
        let all = n_cases.get(alike[0].case.benchmark.as_str()).copied().unwrap_or(0);
        page.line(format!("{}: {}", name_of(&alike, all), reason(alike[0])), style);
        if let Some(detail) = alike.iter().find_map(|rehearsal| rehearsal.detail.as_ref()).filter(|_| details) {
            page.text(detail);
        }
    }
}

/// Returns the rehearsals of each benchmark that ended alike, in the order of the first of them.
fn grouped<'a>(rehearsals: &[&'a Rehearsal]) -> Vec<Vec<&'a Rehearsal>> {
    let mut groups: Vec<Vec<&Rehearsal>> = Vec::new();
    let mut places = HashMap::new();
    for rehearsal in rehearsals {
        let Rehearsal { case, state, phase, message, detail: _, duration_ns: _ } = rehearsal;
        let key = (case.benchmark.as_str(), *state, *phase, message.as_deref());
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(rehearsal),
            None => groups.push(vec![rehearsal]),
        }
    }
    groups
}

fn name_of(alike: &[&Rehearsal], n_cases: usize) -> String {
    let first = &alike[0].case;
    match alike.len() {
        1 => first.full_name(),
        n if n == n_cases => format!("{} (all {n} cases)", first.benchmark),
        n => format!("{} and {} more like it", first.full_name(), n - 1),
    }
}

fn reason(rehearsal: &Rehearsal) -> String {
    let message = rehearsal.message.as_deref().map(str::trim).filter(|message| !message.is_empty());
    let words = match (rehearsal.state, rehearsal.phase) {
        (State::Skipped, _) => return message.unwrap_or("no reason is given").to_owned(),
        (State::Failed, Some(Phase::Arguments)) => return message.unwrap_or("wrong arguments").to_owned(),
        (State::Failed, Some(Phase::SetUp)) => "setup failed",
        (State::Failed, Some(Phase::TearDown)) => "teardown failed",
        (state, _) => state_words(state),
    };
    message.map_or_else(|| words.to_owned(), |message| format!("{words}: {message}"))
}

/// Returns `5 benchmarks, 12 cases: 10 ready, 1 skipped, 1 failed; 2 parts could not be loaded`.
fn summary(checked: &Checked<'_>, n_lost: usize) -> String {
    let counts = checked.counts();
    let count = |state| counts.get(&state).copied().filter(|count| *count > 0);
    let told = TOLD.iter().filter_map(|(state, words)| Some(format!("{} {words}", count(*state)?)));
    let mut told: Vec<String> = told.collect();
    let missing = checked.n_cases() - checked.rehearsals.len();
    if missing > 0 {
        told.push(format!("{missing} not checked"));
    }
    let told = if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) };
    let cases = counted(checked.n_cases(), "case");
    let lost = if n_lost == 0 { String::new() } else { format!("; {} could not be loaded", counted(n_lost, "part")) };
    format!("{}, {cases}{told}{lost}", counted(checked.planned.len(), "benchmark"))
}
