//! A table: the same rows for a terminal and for Markdown.

use std::collections::BTreeSet;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

use crate::escape;
use crate::quantity::Quantity;
use crate::style::{Screen, Style};
use crate::width::{padded, padded_left, shorten_end, shorten_middle, width, wrap};

#[cfg(test)]
mod tests;

/// What a column holds, which decides how it is aligned and shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Identifiers: left, shortened in the middle, code in Markdown.
    Names,
    /// Identifiers that rows are told apart by: as names, but never shortened so far that two of them read the same.
    Labels,
    /// Words, and quantities among them: left, words shortened at the end, quantities never.
    Words,
    /// Short texts of ours: left, never shortened.
    Marks,
    /// Numbers: right, never shortened.
    Numbers,
}

#[derive(Debug, Clone)]
struct Column {
    header: String,
    holds: Holds,
}

/// What stands in a row under a column.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Text(String),
    Quantity(Quantity),
}

/// One place of the table.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    content: Content,
    style: Style,
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Cell {
        Cell { content: Content::Text(text.into()), style: Style::Plain }
    }

    pub(crate) fn quantity(quantity: Quantity) -> Cell {
        Cell { content: Content::Quantity(quantity), style: Style::Plain }
    }

    /// Returns the text as a terminal may show it, on one line.
    fn line(&self) -> String {
        match &self.content {
            Content::Text(text) => escape::one_line(text),
            Content::Quantity(quantity) => escape::one_line(&quantity.to_string()),
        }
    }

    pub(crate) fn styled(self, style: Style) -> Cell {
        Cell { style, ..self }
    }
}

/// Rows under a header. The texts are raw; rendering makes them harmless.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// Columns between two columns: one of padding and one that comfy-table leaves for a border.
const GAP: usize = 2;
/// Columns before the first column.
const INDENT: usize = 2;
/// What a shortened name or text keeps at least.
const SHORTEST: usize = 8;
/// Labels are told apart up to this width, which is wider than any that we make.
const LONGEST_LABEL: usize = 160;
/// The longest text of a cell in Markdown; the whole is in the JSON.
const LONGEST_MARKDOWN: usize = 200;

impl Table {
    pub(crate) fn new(columns: Vec<(String, Holds)>) -> Table {
        let columns = columns.into_iter().map(|(header, holds)| Column { header, holds }).collect();
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row, which has a cell for every column.
    pub(crate) fn push(&mut self, row: Vec<Cell>) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the table for a terminal: shortened to its width, or as one block of lines for each
    /// row where even shortened columns do not fit side by side.
    pub(crate) fn terminal(&self, screen: &Screen) -> String {
        let texts = self.aligned_texts();
        let columns = self.columns.len();
        let budget = screen.width.saturating_sub(INDENT + GAP * columns.saturating_sub(1));
        let natural: Vec<usize> = (0..columns).map(|column| self.natural_width(column, &texts)).collect();
        let least: Vec<usize> = (0..columns).map(|column| self.least_width(column, natural[column], &texts)).collect();
        if least.iter().sum::<usize>() > budget {
            return self.blocks(screen);
        }
        self.side_by_side(screen, &texts, &fit(&natural, &least, budget))
    }

    /// Returns the texts of all rows as a terminal may show them, quantities aligned by column.
    fn aligned_texts(&self) -> Vec<Vec<String>> {
        let layouts: Vec<Layout> = (0..self.columns.len()).map(|column| Layout::of(self.quantities(column))).collect();
        let text = |(cell, layout): (&Cell, &Layout)| match &cell.content {
            Content::Text(_) => cell.line(),
            Content::Quantity(quantity) => layout.text(quantity),
        };
        self.rows.iter().map(|row| row.iter().zip(&layouts).map(text).collect()).collect()
    }

    fn quantities(&self, column: usize) -> impl Iterator<Item = &Quantity> {
        self.rows.iter().filter_map(move |row| match &row[column].content {
            Content::Quantity(quantity) => Some(quantity),
            Content::Text(_) => None,
        })
    }

    fn header(&self, column: usize) -> String {
        escape::one_line(&self.columns[column].header)
    }

    fn natural_width(&self, column: usize, texts: &[Vec<String>]) -> usize {
        let widest = texts.iter().map(|row| width(&row[column])).max().unwrap_or(0);
        widest.max(width(&self.header(column)))
    }

    fn least_width(&self, column: usize, natural: usize, texts: &[Vec<String>]) -> usize {
        if matches!(self.columns[column].holds, Holds::Marks | Holds::Numbers) {
            return natural;
        }
        if self.columns[column].holds == Holds::Labels {
            return least_that_tells_apart(natural, texts.iter().map(|row| row[column].as_str()).collect());
        }
        let whole = self.rows.iter().zip(texts).map(|(row, texts)| match row[column].content {
            Content::Quantity(_) => width(&texts[column]),
            Content::Text(_) => 0,
        });
        whole.max().unwrap_or(0).max(natural.min(SHORTEST))
    }

    fn side_by_side(&self, screen: &Screen, texts: &[Vec<String>], widths: &[usize]) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.style_text_only();
        if screen.colour {
            table.enforce_styling()
        } else {
            table.force_no_tty()
        };
        let headers = (0..widths.len()).map(|column| self.shortened(column, &self.header(column), widths));
        table.set_header(headers.map(|header| Style::Strong.cell(comfy_table::Cell::new(header))).collect::<Vec<_>>());
        for (row, texts) in self.rows.iter().zip(texts) {
            let cell = |(column, text): (usize, &String)| {
                row[column].style.cell(comfy_table::Cell::new(self.shortened(column, text, widths)))
            };
            table.add_row(texts.iter().enumerate().map(cell).collect::<Vec<_>>());
        }
        let last = self.columns.len().saturating_sub(1);
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((
                if index == 0 { INDENT as u16 } else { 0 },
                if index == last { 0 } else { GAP as u16 - 1 },
            ));
            if self.columns[index].holds == Holds::Numbers {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        with_indented_rule(&table.trim_fmt())
    }

    fn shortened(&self, column: usize, text: &str, widths: &[usize]) -> String {
        match self.columns[column].holds {
            Holds::Names | Holds::Labels => shorten_middle(text, widths[column]),
            Holds::Words => shorten_end(text, widths[column]),
            Holds::Marks | Holds::Numbers => text.to_owned(),
        }
    }

    /// Returns a block for each row: its names on a line, every other cell on a line of its own.
    fn blocks(&self, screen: &Screen) -> String {
        let labels: Vec<String> = (0..self.columns.len()).map(|column| self.header(column)).collect();
        let label_width = labels.iter().map(|label| width(label)).max().unwrap_or(0);
        let mut lines = Vec::new();
        for row in &self.rows {
            // A column without a header only repeats in signs what another says in words.
            let is_told = |column: usize, text: &str| !text.is_empty() && !labels[column].is_empty();
            let texts = row.iter().map(Cell::line).enumerate().filter(|(column, text)| is_told(*column, text));
            for (place, (column, text)) in texts.enumerate() {
                let mark = if place == 0 { "- " } else { "  " };
                let label = padded(&labels[column], label_width);
                let room = screen.width.saturating_sub(INDENT + mark.len() + label_width + GAP).max(SHORTEST);
                for (index, part) in wrap(&text, room).iter().enumerate() {
                    let before = if index == 0 { format!("{mark}{label}") } else { " ".repeat(2 + label_width) };
                    lines.push(format!("  {before}  {}", row[column].style.paint(part, screen)));
                }
            }
        }
        lines.join("\n")
    }

    /// Returns the table in GitHub's Markdown: one line for each row, whatever its texts hold.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let rule = |column: &Column| if column.holds == Holds::Numbers { "---:" } else { "---" };
        let mut lines = vec![
            line(self.columns.iter().map(|column| escape::markdown(&column.header)).collect()),
            line(self.columns.iter().map(|column| rule(column).to_owned()).collect()),
        ];
        for row in &self.rows {
            lines.push(line(row.iter().zip(&self.columns).map(|(cell, column)| markdown_cell(cell, column)).collect()));
        }
        lines.join("\n")
    }
}

fn markdown_cell(cell: &Cell, column: &Column) -> String {
    match (&cell.content, column.holds) {
        (Content::Quantity(quantity), _) => escape::markdown(&quantity.to_string()),
        (Content::Text(text), Holds::Names | Holds::Labels) => {
            escape::markdown_code(&shorten_middle(text, LONGEST_MARKDOWN))
        }
        (Content::Text(text), _) => escape::markdown(&shorten_end(text, LONGEST_MARKDOWN)),
    }
}

/// Removes the rule's beginning, so that it starts where the first column does.
fn with_indented_rule(table: &str) -> String {
    let rule = "─".repeat(INDENT);
    let line = |line: &str| match line.strip_prefix(&rule) {
        Some(rest) => format!("{}{rest}", " ".repeat(INDENT)),
        None => line.to_owned(),
    };
    table.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the least width to which texts can be shortened so that different ones stay different.
fn least_that_tells_apart(natural: usize, texts: BTreeSet<&str>) -> usize {
    let are_told_apart = |columns: &usize| {
        let shortened: BTreeSet<String> = texts.iter().map(|text| shorten_middle(text, *columns)).collect();
        shortened.len() == texts.len()
    };
    // What is told apart at one width need not be at the next, as both ends grow by turns.
    let last_bad = (SHORTEST.min(natural)..natural.min(LONGEST_LABEL)).rev().find(|columns| !are_told_apart(columns));
    last_bad.map_or(natural.min(SHORTEST), |columns| columns + 1)
}

/// Returns the widths of columns: natural where they fit into `budget`, else the widest are cut to a
/// common width, none below its least.
fn fit(natural: &[usize], least: &[usize], budget: usize) -> Vec<usize> {
    let cut = |cap: usize| -> Vec<usize> {
        natural.iter().zip(least).map(|(natural, least)| (*natural).min(cap.max(*least))).collect()
    };
    let fits = |cap: usize| cut(cap).iter().sum::<usize>() <= budget;
    let widest = natural.iter().copied().max().unwrap_or(0);
    if fits(widest) {
        return natural.to_vec();
    }
    let cap = (0..=budget).rev().find(|cap| fits(*cap)).unwrap_or(0);
    let mut widths = cut(cap);
    // What equal shares leave over goes to the columns that still miss something, from the left.
    let mut left = budget.saturating_sub(widths.iter().sum());
    for (width, natural) in widths.iter_mut().zip(natural) {
        if left > 0 && *width < *natural && *width <= cap {
            *width += 1;
            left -= 1;
        }
    }
    widths
}

/// The widths of a column's quantities in their parts.
struct Layout {
    value: usize,
    spread: Option<usize>,
}

impl Layout {
    fn of<'a>(quantities: impl Iterator<Item = &'a Quantity>) -> Layout {
        let mut layout = Layout { value: 0, spread: None };
        for quantity in quantities {
            layout.value = layout.value.max(width(&quantity.value));
            layout.spread = layout.spread.max(quantity.spread.as_deref().map(width));
        }
        layout
    }

    /// Returns the quantity with its parts as wide as the column's, so that they stand below each other.
    fn text(&self, quantity: &Quantity) -> String {
        let value = padded_left(&quantity.value, self.value);
        let spread = match (self.spread, &quantity.spread) {
            (Some(columns), Some(spread)) => format!(" ± {}", padded(spread, columns)),
            _ => String::new(),
        };
        format!("{value}{spread} {}", escape::one_line(&quantity.unit)).trim_end().to_owned()
    }
}
