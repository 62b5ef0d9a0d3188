//! The rows that a question to the index gives.

use tacho_model::{Answer, Datum};

use crate::page::Page;
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

#[cfg(test)]
mod tests;

/// Returns the rows as a table.
pub fn answer(answer: &Answer) -> Page {
    let is_number = |at: usize| {
        let mut data = answer.rows.iter().map(|row| &row[at]).filter(|datum| **datum != Datum::Null).peekable();
        data.peek().is_some() && data.all(|datum| matches!(datum, Datum::Integer(_) | Datum::Real(_)))
    };
    let holds = |at| if is_number(at) { Holds::Numbers } else { Holds::Names };
    let columns = answer.columns.iter().enumerate().map(|(at, name)| (name.clone(), holds(at)));
    let mut table = Table::new(columns.collect());
    for row in &answer.rows {
        table.push(row.iter().map(|datum| Cell::text(text(datum))).collect());
    }
    let mut page = Page::default();
    page.table(table);
    if page.is_empty() {
        page.line("no rows", Style::Plain);
    }
    page
}

fn text(datum: &Datum) -> String {
    match datum {
        Datum::Null => String::new(),
        Datum::Integer(whole) => whole.to_string(),
        // Six digits are what a person reads; JSON and CSV have them all.
        Datum::Real(number) => number_text(format!("{number:.5e}").parse().unwrap_or(*number)),
        Datum::Text(text) => text.clone(),
        Datum::Bytes(bytes) => hexadecimal(bytes),
    }
}

/// Returns the shortest decimal text that reads back as the same number.
pub fn number_text(number: f64) -> String {
    format!("{number:?}")
}

/// Returns bytes as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
