//! The head of a shown run: what, when, where, in what, how, and what to beware of.

use tacho_model::{Completeness, Environment, Provenance, Purpose, Run, Subject, Timestamp};

use super::Shown;
use crate::axes::axes_text;
use crate::page::{Fact, Page};
use crate::style::Style;
use crate::{moment_text, subject_text};

/// Appends the facts that every reader needs, and the marks of a run that is not a whole one in history.
pub(crate) fn append(page: &mut Page, shown: &Shown<'_>) {
    let Shown { run, by_asv, .. } = shown;
    let provenance = &run.provenance;
    let is_built = provenance.build_failure().is_none();
    let mut facts = vec![
        Fact::new("project", &provenance.project),
        Fact::new("subject", subject(provenance)),
        Fact::new(if is_built { "measured" } else { "tried" }, measured(provenance, run)),
        Fact::new("environment", environment(&provenance.environment)),
    ];
    if is_built {
        let interpreter = Some(&provenance.environment.interpreter).filter(|known| !known.is_empty());
        facts.extend(interpreter.map(|interpreter| Fact::new("interpreter", interpreter)));
        facts.push(Fact::new(if *by_asv { "kept by" } else { "method" }, method(run)));
    }
    page.facts(facts);
    for mark in marks(provenance, run.completeness) {
        page.line(mark, Style::Warning);
    }
}

fn subject(provenance: &Provenance) -> String {
    let mut text = subject_text(&provenance.subject);
    if let Subject::Commit { date: Some(date), .. } = &provenance.subject {
        text.push_str(&format!(" of {}", moment_text(*date)));
    }
    if let Some(branch) = &provenance.branch {
        text.push_str(&format!(", branch {branch}"));
    }
    text
}

/// Rounds of one run may lie far apart where it was interrupted, so that is told with its beginning.
fn measured(provenance: &Provenance, run: &Run) -> String {
    let mut text = format!("{} on {}", moment_text(provenance.started_at), provenance.machine.name);
    let resumed: Vec<Timestamp> = run.rounds.iter().filter_map(|round| Some(round.resumed?.at)).collect();
    match resumed[..] {
        [] => {}
        [at] => text.push_str(&format!(", resumed {}", moment_text(at))),
        [.., last] => text.push_str(&format!(", resumed {} times, last {}", resumed.len(), moment_text(last))),
    }
    text
}

fn environment(environment: &Environment) -> String {
    let label = if environment.label.is_empty() { &environment.tool } else { &environment.label };
    if environment.axes.is_empty() { label.clone() } else { format!("{label} ({})", axes_text(&environment.axes)) }
}

fn method(run: &Run) -> String {
    let rounds = run.planned.iter().map(|planned| planned.rounds);
    let rounds = match (rounds.clone().min(), rounds.max()) {
        (Some(1), Some(1)) => ", 1 round a case".to_owned(),
        (Some(least), Some(most)) if least == most => format!(", {most} rounds a case"),
        (Some(least), Some(most)) => format!(", {least} to {most} rounds a case"),
        _ => String::new(),
    };
    let quick = if run.provenance.settings.quick { ", quick" } else { "" };
    format!("{}{rounds}{quick}", run.provenance.method)
}

/// Returns a sentence for everything that keeps the run from standing in a history as a whole one.
fn marks(provenance: &Provenance, completeness: Completeness) -> Vec<&'static str> {
    let marks = [
        (completeness == Completeness::Interrupted, "partial: the run was interrupted, or is still going on"),
        (
            !provenance.subject.enters_history(),
            "local only: no commit holds what was measured, so it enters no history",
        ),
        (provenance.settings.quick, "quick: one call a case, never a baseline"),
        (provenance.purpose == Purpose::Pair, "pair: one side of a comparison, not part of the history"),
        (provenance.purpose == Purpose::Gate, "gate: a release candidate, not part of the history"),
    ];
    marks.into_iter().filter(|(applies, _)| *applies).map(|(_, sentence)| sentence).collect()
}
