//! A page: headings, facts, tables and lines in order, rendered for a terminal or as Markdown.

use crate::escape;
use crate::style::{Screen, Style};
use crate::table::Table;
use crate::width::{padded, width, wrap};

/// Something to read, not yet rendered.
#[derive(Debug, Clone, Default)]
pub struct Page {
    blocks: Vec<Block>,
}

#[derive(Debug, Clone)]
enum Block {
    /// The title of a part, in words of ours.
    Title(String),
    /// A heading that is a name.
    Name { name: String, note: String },
    /// Labels of ours with their values.
    Facts(Vec<Fact>),
    /// Rows.
    Table(Table),
    /// One paragraph.
    Line { text: String, style: Style },
    /// Names, one a line, never shortened or broken.
    Names(Vec<String>),
    /// Text with lines of its own.
    Text(String),
}

/// A labelled value.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) label: String,
    pub(crate) value: String,
}

impl Fact {
    pub(crate) fn new(label: &str, value: impl Into<String>) -> Fact {
        Fact { label: label.to_owned(), value: value.into() }
    }
}

impl Page {
    pub(crate) fn title(&mut self, text: &str) {
        self.blocks.push(Block::Title(text.to_owned()));
    }

    pub(crate) fn name(&mut self, name: &str, note: &str) {
        self.blocks.push(Block::Name { name: name.to_owned(), note: note.to_owned() });
    }

    pub(crate) fn facts(&mut self, facts: Vec<Fact>) {
        if !facts.is_empty() {
            self.blocks.push(Block::Facts(facts));
        }
    }

    pub(crate) fn table(&mut self, table: Table) {
        if !table.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    pub(crate) fn line(&mut self, text: impl Into<String>, style: Style) {
        self.blocks.push(Block::Line { text: text.into(), style });
    }

    pub(crate) fn names(&mut self, names: Vec<String>) {
        self.blocks.push(Block::Names(names));
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.blocks.push(Block::Text(text.to_owned()));
    }

    pub(crate) fn append(&mut self, other: Page) {
        self.blocks.extend(other.blocks);
    }

    /// Returns true where there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns the page for a terminal, ending with a line break; empty for an empty page.
    pub fn terminal(&self, screen: &Screen) -> String {
        let apart = |before: &Block, block: &Block| {
            !matches!(before, Block::Title(_) | Block::Name { .. }) && !together(before, block)
        };
        self.rendered(|block| terminal_block(block, screen), apart)
    }

    /// Returns the page as GitHub's Markdown, ending with a line break; empty for an empty page.
    pub fn markdown(&self) -> String {
        self.rendered(markdown_block, |before, block| !together(before, block))
    }

    fn rendered(&self, render: impl Fn(&Block) -> String, apart: impl Fn(&Block, &Block) -> bool) -> String {
        let mut out = String::new();
        let mut before: Option<&Block> = None;
        for block in &self.blocks {
            let is_apart = before.is_some_and(|before| apart(before, block));
            out.push_str(if is_apart { "\n" } else { "" });
            out.push_str(&render(block));
            out.push('\n');
            before = Some(block);
        }
        out
    }
}

/// Returns true for lines of one kind, between which no blank line belongs.
fn together(before: &Block, block: &Block) -> bool {
    match (before, block) {
        (Block::Line { style: before, .. }, Block::Line { style, .. }) => before == style,
        _ => false,
    }
}

fn terminal_block(block: &Block, screen: &Screen) -> String {
    match block {
        Block::Title(text) => Style::Strong.paint(&escape::one_line(text), screen),
        Block::Name { name, note } => {
            let name = escape::one_line(name);
            named(&name, &escape::one_line(note), screen)
        }
        Block::Facts(facts) => terminal_facts(facts, screen),
        Block::Table(table) => table.terminal(screen),
        Block::Line { text, style } => {
            let lines = wrap(&escape::one_line(text), screen.width);
            lines.iter().map(|line| style.paint(line, screen)).collect::<Vec<_>>().join("\n")
        }
        Block::Names(names) => names.iter().map(|name| escape::one_line(name)).collect::<Vec<_>>().join("\n"),
        Block::Text(text) => {
            let text = escape::block(text);
            text.lines().map(|line| format!("    {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
        }
    }
}

/// Returns a name with its note beside it, or below it where both are too long for a line.
fn named(name: &str, note: &str, screen: &Screen) -> String {
    let strong = Style::Strong.paint(name, screen);
    if note.is_empty() {
        return strong;
    }
    if width(name) + 2 + width(note) <= screen.width {
        return format!("{strong}  {}", Style::Faint.paint(note, screen));
    }
    let lines = wrap(note, screen.width.saturating_sub(2).max(20));
    let note = lines.iter().map(|line| format!("\n  {}", Style::Faint.paint(line, screen)));
    format!("{strong}{}", note.collect::<String>())
}

fn terminal_facts(facts: &[Fact], screen: &Screen) -> String {
    let labels: Vec<String> = facts.iter().map(|fact| escape::one_line(&fact.label)).collect();
    let label_width = labels.iter().map(|label| width(label)).max().unwrap_or(0);
    let room = screen.width.saturating_sub(label_width + 2).max(20);
    let mut lines = Vec::new();
    for (label, fact) in labels.iter().zip(facts) {
        for (index, part) in wrap(&escape::one_line(&fact.value), room).iter().enumerate() {
            let label = padded(if index == 0 { label } else { "" }, label_width);
            lines.push(format!("{}  {part}", Style::Faint.paint(&label, screen)).trim_end().to_owned());
        }
    }
    lines.join("\n")
}

fn markdown_block(block: &Block) -> String {
    match block {
        Block::Title(text) => format!("## {}", escape::markdown(text)),
        Block::Name { name, note } => {
            let note = escape::markdown(note);
            format!("### {} {note}", escape::markdown_code(name)).trim_end().to_owned()
        }
        Block::Facts(facts) => {
            let fact = |fact: &Fact| format!("- {}: {}", escape::markdown(&fact.label), escape::markdown(&fact.value));
            facts.iter().map(fact).collect::<Vec<_>>().join("\n")
        }
        Block::Table(table) => table.markdown(),
        // Two spaces keep the line's end where lines follow each other.
        Block::Line { text, .. } => format!("{}  ", escape::markdown(text)),
        Block::Names(names) => {
            names.iter().map(|name| format!("- {}", escape::markdown_code(name))).collect::<Vec<_>>().join("\n")
        }
        Block::Text(text) => escape::markdown_block(text),
    }
}
