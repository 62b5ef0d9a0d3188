//! What disturbs measurements on a machine, what mends it, and what the machine can see.

mod floor;
mod words;

use tacho_model::{Condition, Finding, FindingState, Machine, NoiseFloor};

use crate::page::{Fact, Page};
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

pub(crate) use words::{advice, why};

/// A machine, looked at and measured.
#[derive(Debug, Clone, Copy)]
pub struct Diagnosis<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// One finding for each condition.
    pub findings: &'a [Finding],
    /// The measured control, if something was measured.
    pub control: Option<MeasuredControl<'a>>,
}

/// A control that was measured.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredControl<'a> {
    /// What it says, for each program by each clock.
    pub floors: &'a [NoiseFloor],
    /// Whether two identical programs look identical here; `None` where there were too few rounds to tell.
    pub is_valid: Option<bool>,
    /// Rounds.
    pub n_rounds: usize,
    /// How long it took.
    pub duration_ns: u64,
}

/// Returns the diagnosis as a page.
pub fn doctor(diagnosis: &Diagnosis<'_>) -> Page {
    let mut page = Page::default();
    page.facts(machine_facts(diagnosis.machine));
    page.title("Conditions");
    page.table(conditions(diagnosis.findings));
    append_unknown(&mut page, diagnosis.findings);
    append_advice(&mut page, diagnosis.findings);
    floor::append(&mut page, diagnosis.control.as_ref());
    page
}

fn machine_facts(machine: &Machine) -> Vec<Fact> {
    let mut facts = vec![Fact::new("machine", &machine.name), Fact::new("cpu", machine.cpu())];
    let told = ["os", "kernel"].into_iter().filter_map(|name| Some(Fact::new(name, machine.facts.get(name)?)));
    facts.extend(told);
    facts
}

/// Returns what is known, worst first.
fn conditions(findings: &[Finding]) -> Table {
    let mut table = Table::new(vec![
        ("state".into(), Holds::Marks),
        ("condition".into(), Holds::Marks),
        ("observed".into(), Holds::Words),
    ]);
    for state in [FindingState::Warn, FindingState::Note, FindingState::Ok] {
        for finding in findings.iter().filter(|finding| finding.state == state) {
            let style = if state == FindingState::Warn { Style::Warning } else { Style::Plain };
            table.push(vec![
                Cell::text(state.word()).styled(style),
                Cell::text(label(finding.condition)).styled(style),
                Cell::text(finding.observed.clone().unwrap_or_default()),
            ]);
        }
    }
    table
}

/// Returns a condition's word for people.
fn label(condition: Condition) -> String {
    condition.word().replace('_', " ")
}

fn append_unknown(page: &mut Page, findings: &[Finding]) {
    let unknown: Vec<String> = findings
        .iter()
        .filter(|finding| finding.state == FindingState::Unknown)
        .map(|finding| label(finding.condition))
        .collect();
    if !unknown.is_empty() {
        page.line(format!("Unknown here: {}.", unknown.join(", ")), Style::Faint);
    }
}

/// Appends why each condition that disturbs matters, and what mends it.
fn append_advice(page: &mut Page, findings: &[Finding]) {
    let wants_advice = |finding: &&Finding| finding.state == FindingState::Warn || finding.fix.is_some();
    let mut advised: Vec<&Finding> = findings.iter().filter(wants_advice).collect();
    if advised.is_empty() {
        return;
    }
    // The worst first; within one state the order of the conditions stays.
    advised.sort_by_key(|finding| std::cmp::Reverse(finding.state));
    page.title("What to do");
    for finding in advised {
        page.name(&label(finding.condition), "");
        let why = why(finding.condition);
        match &finding.fix {
            Some(fix) => {
                page.line(format!("{why}."), Style::Plain);
                page.text(&fix.command);
            }
            None => page.line(format!("{why}. {}.", advice(finding.condition)), Style::Plain),
        }
    }
    page.line("More: docs/guides/quiet-machine.md", Style::Faint);
}

#[cfg(test)]
pub(crate) mod tests;
