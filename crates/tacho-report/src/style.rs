//! How a terminal may draw: its width, and colours that only repeat what the words say.

use comfy_table::{Attribute, Cell, Color};

/// The terminal that text is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// Whether colours may be used.
    pub colour: bool,
}

/// The part a text plays. The words never depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Style {
    #[default]
    Plain,
    Strong,
    Faint,
    Warning,
    Bad,
    Good,
}

impl Style {
    /// Returns the text with the escape sequences of the style, where the screen has colours.
    pub(crate) fn paint(self, text: &str, screen: &Screen) -> String {
        let code = match self {
            Style::Plain => return text.to_owned(),
            Style::Strong => "1",
            Style::Faint => "2",
            Style::Warning => "33",
            Style::Bad => "31",
            Style::Good => "32",
        };
        if screen.colour && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Returns the table's cell with the style.
    pub(crate) fn cell(self, cell: Cell) -> Cell {
        match self {
            Style::Plain => cell,
            Style::Strong => cell.add_attribute(Attribute::Bold),
            Style::Faint => cell.add_attribute(Attribute::Dim),
            Style::Warning => cell.fg(Color::DarkYellow),
            Style::Bad => cell.fg(Color::DarkRed),
            Style::Good => cell.fg(Color::DarkGreen),
        }
    }
}
