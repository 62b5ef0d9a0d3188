//! Where a run's time went, as a table.

use tacho_model::unit::counted;
use tacho_model::unit::human_duration;

use crate::page::Page;
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

#[cfg(test)]
mod tests;

/// Returns the benchmarks with the nanoseconds they took, in the order given, at most `limit` of them,
/// and the time of all together.
pub fn durations(durations: &[(String, u64)], limit: Option<usize>) -> Page {
    let mut page = Page::default();
    let shown = limit.unwrap_or(durations.len()).min(durations.len());
    let mut table = Table::new(vec![("took".into(), Holds::Numbers), ("benchmark".into(), Holds::Names)]);
    for (benchmark, duration_ns) in &durations[..shown] {
        table.push(vec![Cell::text(duration_text(*duration_ns)), Cell::text(benchmark)]);
    }
    page.table(table);
    let total = duration_text(durations.iter().map(|(_, duration_ns)| duration_ns).sum());
    let rest = if shown < durations.len() { format!(", the slowest {shown} shown") } else { String::new() };
    let benchmarks = counted(durations.len(), "benchmark");
    page.line(format!("{benchmarks} took {total}, set-up included{rest}"), Style::Plain);
    page
}

fn duration_text(duration_ns: u64) -> String {
    human_duration(duration_ns as f64 / 1e9)
}
