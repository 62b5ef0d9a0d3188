//! What cleaning the cache did.

use tacho_model::unit::counted;
use tacho_model::{Cached, Cleaning};

use crate::moment::moment_in_utc;
use crate::page::Page;
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

#[cfg(test)]
mod tests;

/// Returns what is gone, or with `dry_run` would be, what somebody uses, and the sum of it.
pub fn cleaning(cleaning: &Cleaning, dry_run: bool) -> Page {
    let Cleaning { removed, in_use, kept } = cleaning;
    let mut page = Page::default();
    listed(&mut page, if dry_run { "Would be removed" } else { "Removed" }, removed);
    listed(&mut page, "In use, and still there", in_use);
    let words = if dry_run { "would be free" } else { "are free" };
    let mut parts = vec![match removed.len() {
        0 => "nothing to remove".to_owned(),
        count => format!("{}, {} {words}", counted(count, "thing"), bytes_text(cleaning.freed_bytes())),
    }];
    if !in_use.is_empty() {
        parts.push(format!("{} in use", in_use.len()));
    }
    if !kept.is_empty() {
        parts.push(format!("{} kept", kept.len()));
    }
    if cleaning.left_bytes() > 0 {
        parts.push(format!("{} left", bytes_text(cleaning.left_bytes())));
    }
    page.line(parts.join("; "), Style::Plain);
    page
}

fn listed(page: &mut Page, title: &str, all: &[Cached]) {
    if all.is_empty() {
        return;
    }
    page.title(title);
    let mut table = Table::new(vec![
        ("what".into(), Holds::Marks),
        ("name".into(), Holds::Marks),
        ("label".into(), Holds::Names),
        ("size".into(), Holds::Numbers),
        ("last used (UTC)".into(), Holds::Marks),
    ]);
    for Cached { kind, name, label, size_bytes, used_at } in all {
        table.push(vec![
            Cell::text(kind.word()),
            Cell::text(name),
            Cell::text(label.as_deref().unwrap_or("-")),
            Cell::text(bytes_text(*size_bytes)),
            Cell::text(moment_in_utc(*used_at)),
        ]);
    }
    page.table(table);
}

/// Returns a size in the largest unit that it has one of: `0 B`, `512 B`, `1.5 MiB`, `20 GiB`.
pub fn bytes_text(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(shift, _)| bytes >> shift > 0) {
        None => format!("{bytes} B"),
        Some((shift, unit)) => {
            let value = bytes as f64 / (1_u64 << shift) as f64;
            if value < 10.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
        }
    }
}
