//! Two sides to read: what each case was before and after, the verdict, and what it rests on.

use std::collections::BTreeMap;

use tacho_model::unit::counted;
use tacho_model::{Comparison, Effect, Results, Standing};

use crate::axes::axes_text;
use crate::page::Page;
use crate::style::Style;

mod group;
mod rows;
mod sides;
mod tail;

pub(crate) use group::Group;

#[cfg(test)]
mod tests;

/// One side of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// How it was asked for.
    pub word: &'a str,
    /// What was found: one entry for each machine and environment.
    pub results: &'a [Results],
}

/// A comparison to read.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// The earlier side.
    pub before: Side<'a>,
    /// The later side.
    pub after: Side<'a>,
    /// Every case of either.
    pub comparisons: &'a [Comparison],
    /// Where the noise was learnt that they are held against; empty where none was asked for.
    pub noise: &'a [NoiseOrigin],
}

/// Where the noise between runs of one machine and environment was learnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoiseOrigin {
    /// The machine's name.
    pub machine: String,
    /// The values of its axes.
    pub axes: BTreeMap<String, String>,
    /// Whether from the index, rather than from the files of its runs.
    pub is_index: bool,
    /// How many subjects the past has.
    pub n_subjects: usize,
}

/// The order of rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// As they come: by benchmark and case.
    #[default]
    Suite,
    /// By name.
    Name,
    /// The largest ratio first, those without one last.
    Ratio,
}

/// How to show a comparison.
#[derive(Debug, Clone, Default)]
pub struct CompareOptions {
    /// A table for each kind of answer.
    pub split: bool,
    /// Only what is faster, slower, newly failing or fixed.
    pub only_changed: bool,
    /// Where the noise was learnt.
    pub details: bool,
    /// The order of rows.
    pub order: Order,
    /// The command that measures more, where there is too little evidence.
    pub more: Option<String>,
}

/// Returns the comparison as a page.
pub fn compare(compared: &Compared<'_>, options: &CompareOptions) -> Page {
    let mut page = Page::default();
    let opposed = sides::opposed(compared);
    page.facts(sides::head(compared, &opposed));
    let rows = ordered(compared.comparisons, options);
    let columns = rows::Columns::of(&rows, &opposed);
    if options.split {
        append_groups(&mut page, &rows, &columns, options);
    } else if rows.is_empty() {
        page.line(nothing(compared.comparisons.is_empty()), Style::Plain);
    } else {
        page.table(columns.table(&rows));
    }
    tail::append(&mut page, compared.comparisons, options);
    if options.details {
        compared.noise.iter().for_each(|origin| page.line(origin.text(), Style::Faint));
    }
    page
}

impl NoiseOrigin {
    fn text(&self) -> String {
        let from = if self.is_index { "the index" } else { "the files of its runs" };
        let subjects = counted(self.n_subjects, "subject");
        let axes = if self.axes.is_empty() { String::new() } else { format!(", {}", axes_text(&self.axes)) };
        format!("The noise on {}{axes} was learnt from {from}: {subjects}.", self.machine)
    }

    /// Returns the word for what it was read from.
    pub(crate) fn source(&self) -> &'static str {
        if self.is_index { "index" } else { "files" }
    }
}

fn nothing(at_all: bool) -> &'static str {
    if at_all {
        "The two sides have no case between them."
    } else {
        "No case is faster, slower, newly failing or fixed."
    }
}

fn append_groups(page: &mut Page, rows: &[&Comparison], columns: &rows::Columns, options: &CompareOptions) {
    let is_shown = |group: &Group| !options.only_changed || group.is_change();
    let mut empty = Vec::new();
    for group in Group::ALL.into_iter().filter(is_shown) {
        let members: Vec<&Comparison> = rows.iter().copied().filter(|row| Group::of(row) == group).collect();
        if members.is_empty() {
            empty.push(group.words());
            continue;
        }
        page.title(&group.title());
        page.table(columns.table(&members));
    }
    if !empty.is_empty() {
        page.line(format!("None {}.", empty.join(", none ")), Style::Faint);
    }
}

fn ordered<'a>(comparisons: &'a [Comparison], options: &CompareOptions) -> Vec<&'a Comparison> {
    let is_shown = |comparison: &&Comparison| !options.only_changed || Group::of(comparison).is_change();
    let mut rows: Vec<&Comparison> = comparisons.iter().filter(is_shown).collect();
    match options.order {
        Order::Suite => {}
        Order::Name => rows.sort_by_cached_key(|row| row.case.full_name()),
        Order::Ratio => rows.sort_by(|a, b| ratio(b).total_cmp(&ratio(a))),
    }
    rows
}

/// The ratio that a row shows, below every other where it shows none.
fn ratio(comparison: &Comparison) -> f64 {
    rows::ratio(comparison).unwrap_or(f64::NEG_INFINITY)
}

/// Returns the effect of a comparison, where there is one.
fn effect(comparison: &Comparison) -> Option<Effect> {
    match &comparison.standing {
        Standing::Judged(judgement) => Some(judgement.effect),
        _ => None,
    }
}
