//! One run to read: where its numbers come from, what each case says, how many ended how.

use std::collections::BTreeMap;

use tacho_model::{BenchmarkTime, Outcome, Run, State};

use crate::page::Page;
use crate::style::Style;
use crate::{counts_text, problems};

mod build;
mod details;
mod head;
mod results;

#[cfg(test)]
mod tests;

/// A run with what was folded from it.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its outcomes or a selection of them, in the order of the plan.
    pub outcomes: &'a [Outcome],
    /// How many cases of `outcomes` ended how.
    pub counts: &'a BTreeMap<State, usize>,
    /// When benchmarks were measured, and how long that took.
    pub times: &'a [BenchmarkTime],
    /// Whether this is a result file of asv's, which has no rounds and knows less of where its numbers come from.
    pub by_asv: bool,
}

impl<'a> Shown<'a> {
    /// Puts each run of ours together with what was folded from it; all four stand in the same order.
    pub fn each(
        runs: &'a [Run],
        outcomes: &'a [Vec<Outcome>],
        counts: &'a [BTreeMap<State, usize>],
        times: &'a [Vec<BenchmarkTime>],
    ) -> Vec<Shown<'a>> {
        let folded = outcomes.iter().zip(counts).zip(times);
        let shown = |(run, ((outcomes, counts), times)): (&'a Run, ((&'a Vec<Outcome>, _), &'a Vec<BenchmarkTime>))| {
            Shown { run, outcomes, counts, times, by_asv: false }
        };
        runs.iter().zip(folded).map(shown).collect()
    }

    /// Returns the times of what is no benchmark: asv's `<build>` and `<setup_cache NAME>`.
    pub(crate) fn times_beside(&self) -> impl Iterator<Item = &'a BenchmarkTime> {
        self.times.iter().filter(|time| time.name.starts_with('<'))
    }
}

/// How much to tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ShowOptions {
    /// Tells everything that is known: quartiles, intervals, methods, tracebacks, all provenance.
    pub details: bool,
}

/// Returns the run as a page.
pub fn show(shown: &Shown<'_>, options: &ShowOptions) -> Page {
    let mut page = Page::default();
    let failed = shown.run.provenance.build.as_ref().filter(|build| build.failure.is_some());
    head::append(&mut page, shown);
    if options.details {
        details::append_provenance(&mut page, shown);
    }
    if let Some(build) = failed {
        build::append_failure(&mut page, build, options);
    }
    if options.details {
        details::append_results(&mut page, shown);
    } else {
        results::append(&mut page, shown.outcomes);
    }
    page.append(problems(&shown.run.problems, options.details));
    // What could not be built has no cases to count.
    if failed.is_none() || !shown.counts.is_empty() {
        page.line(counts_text(shown.counts), Style::Strong);
    }
    page
}
