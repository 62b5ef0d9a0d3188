//! What the cases say: a line for a benchmark without parameters, a table for one with them.

use tacho_model::Outcome;

use crate::page::Page;
use crate::state::{quantity, reason, state_style};
use crate::table::{Cell, Holds, Table};

/// Appends the results grouped by benchmark, in the order of the plan. Benchmarks without parameters
/// that follow each other share a table.
pub(crate) fn append(page: &mut Page, outcomes: &[Outcome]) {
    let parametrised = |outcome: &Outcome| !outcome.case.parameters.is_empty();
    for group in outcomes.chunk_by(|a, b| !parametrised(a) && !parametrised(b) || a.case.benchmark == b.case.benchmark)
    {
        if parametrised(&group[0]) {
            page.name(&group[0].case.benchmark, &case_count(group));
            page.table(cases(group));
        } else {
            page.table(singles(group));
        }
    }
}

/// Returns the cell for what a case says about a metric.
pub(crate) fn result_cell(outcome: &Outcome) -> Cell {
    let cell = quantity(outcome).map_or_else(|| Cell::text(reason(outcome)), Cell::quantity);
    cell.styled(state_style(outcome.state))
}

/// Returns the parameters of one benchmark's cases as columns.
pub(crate) fn parameter_columns(group: &[Outcome]) -> Vec<(String, Holds)> {
    group[0].case.parameters.iter().map(|parameter| (parameter.name.clone(), Holds::Names)).collect()
}

/// Returns the cells under [`parameter_columns`].
pub(crate) fn parameter_cells(outcome: &Outcome) -> Vec<Cell> {
    outcome.case.parameters.iter().map(|parameter| Cell::text(&parameter.text)).collect()
}

fn case_count(group: &[Outcome]) -> String {
    match group.chunk_by(|a, b| a.case == b.case).count() {
        1 => "1 case".to_owned(),
        n_cases => format!("{n_cases} cases"),
    }
}

/// Returns one row for each case of a benchmark, one column for each metric.
fn cases(group: &[Outcome]) -> Table {
    let of_first_case = group.chunk_by(|a, b| a.case == b.case).next().unwrap_or(group);
    let metrics = of_first_case.iter().map(|outcome| (metric_words(&outcome.metric.name), Holds::Words));
    let mut table = Table::new(parameter_columns(group).into_iter().chain(metrics).collect());
    for case in group.chunk_by(|a, b| a.case == b.case) {
        let mut row = parameter_cells(&case[0]);
        let metrics = of_first_case.iter().map(|first| {
            let found = case.iter().find(|outcome| outcome.metric.name == first.metric.name);
            found.map_or_else(|| Cell::text(""), result_cell)
        });
        row.extend(metrics);
        table.push(row);
    }
    table
}

/// Returns one row for each benchmark without parameters; for each of its metrics, if it has several.
fn singles(group: &[Outcome]) -> Table {
    let several = group.windows(2).any(|pair| pair[0].case == pair[1].case);
    let mut columns = vec![("benchmark".into(), Holds::Names)];
    if several {
        columns.push(("metric".into(), Holds::Names));
    }
    columns.push(("result".into(), Holds::Words));
    let mut table = Table::new(columns);
    for outcome in group {
        let mut row = vec![Cell::text(&outcome.case.benchmark)];
        if several {
            row.push(Cell::text(metric_words(&outcome.metric.name)));
        }
        row.push(result_cell(outcome));
        table.push(row);
    }
    table
}

/// Returns a metric's name with spaces: `peak memory`.
fn metric_words(name: &str) -> String {
    name.replace('_', " ")
}
