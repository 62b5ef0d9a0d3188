//! The end of a comparison: how many of what, what the verdicts rest on, and why others got none.

use std::collections::BTreeMap;

use tacho_model::unit::counted;
use tacho_model::{Basis, Comparison, Disagreement, Judgement, Standing};

use super::{CompareOptions, group::Group};
use crate::axes::{ABSENT, value_text};
use crate::page::Page;
use crate::style::Style;

/// The level at which an interval misses, as one in so many.
const ONE_IN: f64 = 100.0;

pub(super) fn append(page: &mut Page, comparisons: &[Comparison], options: &CompareOptions) {
    if comparisons.is_empty() {
        return;
    }
    page.line(counts(comparisons), Style::Strong);
    for text in disagreements(comparisons) {
        page.line(text, Style::Warning);
    }
    let judgements: Vec<&Judgement> = comparisons
        .iter()
        .filter_map(|one| match &one.standing {
            Standing::Judged(judgement) => Some(judgement),
            _ => None,
        })
        .collect();
    for text in grounds(&judgements) {
        page.line(text, Style::Faint);
    }
    append_too_little(page, &judgements, options);
}

fn counts(comparisons: &[Comparison]) -> String {
    let mut counts: BTreeMap<Group, usize> = BTreeMap::new();
    for comparison in comparisons {
        *counts.entry(Group::of(comparison)).or_default() += 1;
    }
    let words: Vec<String> = counts.iter().map(|(group, count)| format!("{count} {}", group.words())).collect();
    words.join(", ")
}

/// One line for each set of differing fields, with the values where all rows share them.
fn disagreements(comparisons: &[Comparison]) -> Vec<String> {
    let mut sets: BTreeMap<Vec<&str>, Vec<&Vec<Disagreement>>> = BTreeMap::new();
    for comparison in comparisons {
        if let Standing::Incomparable(fields) = &comparison.standing {
            sets.entry(fields.iter().map(|one| one.field.as_str()).collect()).or_default().push(fields);
        }
    }
    let line = |(names, rows): (Vec<&str>, Vec<&Vec<Disagreement>>)| {
        let told = |index: usize| {
            let first = &rows[0][index];
            let shared = rows.iter().all(|fields| fields[index] == *first);
            if shared { values(first) } else { first.field.clone() }
        };
        let fields: Vec<String> = (0..names.len()).map(told).collect();
        let across: Vec<String> = names.iter().map(|name| format!("--across {}", shell_word(name))).collect();
        let differ = if names.len() == 1 { "differs" } else { "differ" };
        let rows = counted(rows.len(), "case");
        format!(
            "{rows} not compared, because {} {differ}; to compare nevertheless: {}",
            fields.join(" and "),
            across.join(" ")
        )
    };
    sets.into_iter().map(line).collect()
}

/// Returns a field as one word for a shell: axes are named by whoever made a file of results.
fn shell_word(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

/// What may differ beside axes.
const OTHER_FIELDS: [&str; 5] = ["machine", "method", "quick", "unit", "version"];

fn values(one: &Disagreement) -> String {
    // A combination that has no value of an axis does not have it; other fields are not known of every result.
    let is_axis = !OTHER_FIELDS.contains(&one.field.as_str());
    let side = |value: &Option<String>| match value {
        Some(value) if is_axis => value_text(&one.field, value).to_owned(),
        Some(value) => crate::list::short_version(value),
        None if is_axis => ABSENT.to_owned(),
        None => "unknown".to_owned(),
    };
    format!("{} ({} before, {} after)", one.field, side(&one.before), side(&one.after))
}

/// What the verdicts rest on, and how often such verdicts are wrong.
fn grounds(judgements: &[&Judgement]) -> Vec<String> {
    let mut lines = Vec::new();
    let by_history: Vec<usize> = judgements.iter().filter_map(|one| n_differences(one.basis)).collect();
    if let (Some(fewest), Some(most)) = (by_history.iter().min(), by_history.iter().max()) {
        let range = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
        let cases = counted(by_history.len(), "case");
        lines.push(format!("{cases} judged by the noise of their own past ({range} differences between runs)."));
    }
    let count = |wanted: fn(Basis) -> bool| judgements.iter().filter(|one| wanted(one.basis)).count();
    let by_processes = count(|basis| matches!(basis, Basis::Processes { .. }));
    if by_processes > 0 {
        let cases = counted(by_processes, "case");
        lines.push(format!("{cases} judged by the processes of these runs alone: one experiment, which does not know what differs between runs."));
    }
    let by_asv = count(|basis| basis == Basis::Asv);
    if by_asv > 0 {
        lines.push(format!("{} judged by asv's rule.", counted(by_asv, "case")));
    }
    let n_intervals = by_history.len() + by_processes;
    if n_intervals as f64 >= ONE_IN / 2.0 {
        let expected = (n_intervals as f64 / ONE_IN).round();
        lines.push(format!(
            "Of {n_intervals} unchanged cases about {expected} would be called faster or slower by chance."
        ));
    }
    lines
}

fn n_differences(basis: Basis) -> Option<usize> {
    match basis {
        Basis::History { n_differences } => Some(n_differences),
        _ => None,
    }
}

fn append_too_little(page: &mut Page, judgements: &[&Judgement], options: &CompareOptions) {
    let sizes: Vec<(usize, usize)> = judgements
        .iter()
        .filter_map(|one| match one.basis {
            Basis::TooLittle { n_before, n_after } => Some((n_before, n_after)),
            _ => None,
        })
        .collect();
    let Some(fewest) = sizes.iter().map(|(before, after)| (*before).min(*after)).min() else { return };
    let cases = counted(sizes.len(), "case");
    let here = match fewest {
        0 => "results of asv's do not tell processes apart".to_owned(),
        fewest => format!("the fewest here are {fewest}"),
    };
    let needed = "a verdict needs nine runs in the series' past, or five processes a side";
    page.line(format!("{cases} inconclusive for want of evidence: {needed}; {here}."), Style::Warning);
    if let Some(more) = &options.more {
        page.line(format!("hint: {more}"), Style::Plain);
    }
}
