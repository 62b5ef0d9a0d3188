//! What follows a backslash.

use super::{SyntaxError, Translator};

impl Translator {
    /// Reads an escape outside a character class.
    pub(super) fn escape(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let Some(c) = self.peek_after(1) else { return self.error("bad escape (end of pattern)", start) };
        match c {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => {
                self.at += 2;
                let text = self.category(c, false, start)?;
                self.atom(&text);
            }
            'A' | 'Z' | 'b' | 'B' => return self.place_escape(c),
            '1'..='9' if !self.is_octal(start) => return self.back_reference(),
            _ => {
                let c = self.character_escape(false)?;
                self.literal(c);
            }
        }
        Ok(())
    }

    fn place_escape(&mut self, c: char) -> Result<(), SyntaxError> {
        self.traits.ignores_what_follows &= c == 'A';
        if self.flags.ascii && matches!(c, 'b' | 'B') {
            return self.error("word boundaries of ASCII alone are not supported", self.at);
        }
        self.at += 2;
        self.place(match c {
            'A' => r"\A",
            'Z' => r"\z",
            'b' => r"\b",
            _ => r"\B",
        });
        Ok(())
    }

    /// Returns the engine's text for `\d` and its like.
    pub(super) fn category(&self, c: char, in_class: bool, start: usize) -> Result<String, SyntaxError> {
        if !self.flags.ascii {
            return Ok(format!("\\{c}"));
        }
        let inner = match c.to_ascii_lowercase() {
            'd' => "0-9",
            'w' => "a-zA-Z0-9_",
            _ => r"\x20\t\n\r\x0c\x0b",
        };
        match (c.is_ascii_lowercase(), in_class) {
            (true, true) => Ok(inner.to_owned()),
            (true, false) => Ok(format!("[{inner}]")),
            (false, false) => Ok(format!("[^{inner}]")),
            (false, true) => self.error("negated ASCII categories in a set are not supported", start),
        }
    }

    fn back_reference(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut number = 0;
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) else { break };
            number = number * 10 + digit as usize;
            self.at += 1;
        }
        self.refer(number, start)
    }

    /// Writes a reference to a group by number.
    pub(super) fn refer(&mut self, number: usize, start: usize) -> Result<(), SyntaxError> {
        if number > self.names.len() {
            return self.error(format!("invalid group reference {number}"), start);
        }
        if !self.closed.contains(&number) {
            return self.error("cannot refer to an open group", start);
        }
        // In a group of its own, so that a digit that follows is no part of the number.
        self.atom(&format!("(?:\\{number})"));
        Ok(())
    }

    /// Reads an escape that stands for one character.
    pub(super) fn character_escape(&mut self, in_class: bool) -> Result<char, SyntaxError> {
        let start = self.at;
        let Some(c) = self.peek_after(1) else { return self.error("bad escape (end of pattern)", start) };
        if matches!(c, '0'..='7') && (c == '0' || in_class || self.is_octal(start)) {
            return self.octal(start);
        }
        self.at += 2;
        match c {
            'a' => Ok('\u{7}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'v' => Ok('\u{b}'),
            'x' => self.code(2, start),
            'u' => self.code(4, start),
            'U' => self.code(8, start),
            c if c.is_ascii_alphanumeric() => self.error(format!("bad escape \\{c}"), start),
            c => Ok(c),
        }
    }

    /// `\123`: three octal digits are a character, not a group.
    fn is_octal(&self, backslash: usize) -> bool {
        (1..=3).all(|n| self.chars.get(backslash + n).is_some_and(|c| c.is_digit(8)))
    }

    fn octal(&mut self, start: usize) -> Result<char, SyntaxError> {
        self.at = start + 1;
        let mut code = 0;
        for _ in 0..3 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
            code = code * 8 + digit;
            self.at += 1;
        }
        match char::from_u32(code).filter(|_| code <= 0o377) {
            Some(c) => Ok(c),
            None => self.error("octal escape value outside of range 0-0o377", start),
        }
    }

    fn code(&mut self, n_digits: usize, start: usize) -> Result<char, SyntaxError> {
        let mut code: u32 = 0;
        for _ in 0..n_digits {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else {
                return self.error("incomplete escape", start);
            };
            code = code << 4 | digit;
            self.at += 1;
        }
        char::from_u32(code).map_or_else(|| self.error("bad escape: no such character", start), Ok)
    }
}
