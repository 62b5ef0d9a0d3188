//! Python's regular expressions, written in the syntax of our engine.
//!
//! Source: the syntax table of Python's `re` module (3.11). Whatever Python refuses is refused here too,
//! where the engine would give it another meaning.

mod class;
mod escape;
mod group;
mod repeat;

/// A pattern for our engine.
#[derive(Debug)]
pub(super) struct Translated {
    pub(super) text: String,
    pub(super) traits: Traits,
}

/// What can be told of a pattern without running it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    /// A match in a text is a match in every longer text that begins with it.
    pub(super) ignores_what_follows: bool,
    /// It has a negative look-ahead or look-behind.
    pub(super) refuses: bool,
}

/// Why a pattern is none.
#[derive(Debug)]
pub(super) struct SyntaxError {
    pub(super) reason: String,
    pub(super) position: usize,
}

/// Translates a pattern.
pub(super) fn translate(pattern: &str) -> Result<Translated, SyntaxError> {
    let mut translator = Translator::new(pattern);
    while let Some(c) = translator.peek() {
        translator.item(c)?;
    }
    if let Some(open) = translator.groups.last() {
        return Err(SyntaxError { reason: "missing ), unterminated subpattern".into(), position: open.start });
    }
    Ok(Translated { text: translator.out, traits: translator.traits })
}

/// What stands before a quantifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing, or a place rather than a text: `^`, `\b`, a group's beginning.
    Nothing,
    /// Something that can be repeated.
    Atom,
    /// Something that has a quantifier already.
    Repeated,
}

/// Sizes of one alternative being read, to refuse what would compile to something huge.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    total: u64,
    last: u64,
}

#[derive(Debug)]
struct OpenGroup {
    start: usize,
    outer: Size,
    /// A group of its own, which `\1` may name; `None` for the others.
    number: Option<usize>,
    /// Verbose mode outside.
    verbose: bool,
}

/// Flags that change the translation.
#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    multi_line: bool,
    verbose: bool,
    ascii: bool,
}

struct Translator {
    chars: Vec<char>,
    at: usize,
    out: String,
    traits: Traits,
    flags: Flags,
    last: Last,
    size: Size,
    groups: Vec<OpenGroup>,
    /// Names of groups, by number less one.
    names: Vec<Option<String>>,
    closed: Vec<usize>,
}

impl Translator {
    fn new(pattern: &str) -> Translator {
        Translator {
            chars: pattern.chars().collect(),
            at: 0,
            out: String::new(),
            traits: Traits { ignores_what_follows: true, refuses: false },
            flags: Flags::default(),
            last: Last::Nothing,
            size: Size::default(),
            groups: Vec::new(),
            names: Vec::new(),
            closed: Vec::new(),
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn peek_after(&self, n: usize) -> Option<char> {
        self.chars.get(self.at + n).copied()
    }

    /// Takes `text` if it comes next.
    fn take(&mut self, text: &str) -> bool {
        let n = text.chars().count();
        let is_next = self.chars[self.at..].iter().take(n).copied().eq(text.chars());
        if is_next {
            self.at += n;
        }
        is_next
    }

    fn error<T>(&self, reason: impl Into<String>, position: usize) -> Result<T, SyntaxError> {
        Err(SyntaxError { reason: reason.into(), position })
    }

    fn atom(&mut self, text: &str) {
        self.out.push_str(text);
        self.last = Last::Atom;
        self.size.total += 1;
        self.size.last = 1;
    }

    /// A text that stands for a place; Python does not repeat those.
    fn place(&mut self, text: &str) {
        self.out.push_str(text);
        self.last = Last::Nothing;
    }

    fn literal(&mut self, c: char) {
        let text = escaped(c);
        self.atom(&text);
    }

    fn item(&mut self, c: char) -> Result<(), SyntaxError> {
        if self.flags.verbose && self.skip_verbose(c) {
            return Ok(());
        }
        match c {
            '\\' => return self.escape(),
            '[' => return self.class(),
            '(' => return self.open_group(),
            ')' => return self.close_group(),
            '*' | '+' | '?' | '{' => return self.repeat(c),
            _ => self.at += 1,
        }
        match c {
            '.' => self.atom("."),
            '^' => self.place("^"),
            '$' => self.end_of_line(),
            '|' => self.place("|"),
            other => self.literal(other),
        }
        Ok(())
    }

    /// `$` of Python stands before a newline at the very end too; the engine's does not.
    fn end_of_line(&mut self) {
        self.traits.ignores_what_follows = false;
        self.place(if self.flags.multi_line { "$" } else { r"(?=\n?\z)" });
    }

    fn skip_verbose(&mut self, c: char) -> bool {
        if c.is_ascii_whitespace() || c == '\u{b}' {
            self.at += 1;
            return true;
        }
        if c == '#' {
            while self.peek().is_some_and(|c| c != '\n') {
                self.at += 1;
            }
            return true;
        }
        false
    }
}

/// Returns a character so that neither syntax nor verbose mode of the engine see anything else in it.
fn escaped(c: char) -> String {
    if c.is_alphanumeric() || c == '_' {
        c.to_string()
    } else if c.is_ascii_graphic()
        && !matches!(c, '<' | '>' | '"' | '\'' | '`' | ',' | ';' | ':' | '=' | '@' | '/' | '%' | '!')
    {
        format!("\\{c}")
    } else if c.is_ascii_graphic() {
        c.to_string()
    } else {
        format!("\\x{{{:x}}}", u32::from(c))
    }
}
