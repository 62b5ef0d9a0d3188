//! The suite: benchmarks and their cases.

use tacho_model::Planned;
use tacho_model::unit::counted;

use crate::page::Page;
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

#[cfg(test)]
mod tests;

/// Returns the selected benchmarks with kind, number of cases and version, and how many there are.
pub fn list(planned: &[Planned]) -> Page {
    let mut page = Page::default();
    let mut table = Table::new(vec![
        ("benchmark".into(), Holds::Names),
        ("kind".into(), Holds::Marks),
        ("cases".into(), Holds::Numbers),
        ("version".into(), Holds::Words),
    ]);
    for Planned { benchmark, cases, .. } in planned {
        table.push(vec![
            Cell::text(&benchmark.name),
            Cell::text(benchmark.kind.word()),
            Cell::text(cases.len().to_string()),
            Cell::text(short_version(&benchmark.version)),
        ]);
    }
    page.table(table);
    let n_cases: usize = planned.iter().map(|plan| plan.cases.len()).sum();
    page.line(format!("{}, {}", counted(planned.len(), "benchmark"), counted(n_cases, "case")), Style::Plain);
    page
}

/// Returns the full name of every selected case, one a line and nothing else: the names that `--bench` sees.
pub fn case_names(planned: &[Planned]) -> Page {
    let mut page = Page::default();
    let cases = |plan: &Planned| plan.cases.iter().filter_map(|index| plan.benchmark.case(*index)).collect::<Vec<_>>();
    let names: Vec<String> = planned.iter().flat_map(cases).map(|case| case.full_name()).collect();
    if !names.is_empty() {
        page.names(names);
    }
    page
}

/// Returns the first ten characters of a digest; a version that a person chose is shorter than one.
pub(crate) fn short_version(version: &str) -> String {
    if version.chars().count() < 32 { version.to_owned() } else { version.chars().take(10).collect() }
}
