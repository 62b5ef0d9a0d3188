//! Character classes: `[…]`, in which the engine would see sets within sets.

use super::{SyntaxError, Translator, escaped};

enum Item {
    One(char),
    Many(String),
}

impl Translator {
    pub(super) fn class(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::from(if self.take("^") { "[^" } else { "[" });
        let mut is_first = true;
        loop {
            match self.peek() {
                None => return self.error("unterminated character set", start),
                Some(']') if !is_first => break,
                Some(_) => text.push_str(&self.class_part(start)?),
            }
            is_first = false;
        }
        self.at += 1;
        text.push(']');
        self.atom(&text);
        Ok(())
    }

    /// Reads a character, an escape or a range.
    fn class_part(&mut self, start: usize) -> Result<String, SyntaxError> {
        let place = self.at;
        let low = self.class_item(start)?;
        let is_range = self.peek() == Some('-') && self.peek_after(1).is_some_and(|c| c != ']');
        if is_range {
            self.at += 1;
            return match (low, self.class_item(start)?) {
                (Item::One(low), Item::One(high)) if low <= high => Ok(format!("{}-{}", escaped(low), escaped(high))),
                _ => self.error("bad character range", place),
            };
        }
        Ok(match low {
            Item::One(c) => escaped(c),
            Item::Many(text) => text,
        })
    }

    fn class_item(&mut self, start: usize) -> Result<Item, SyntaxError> {
        let place = self.at;
        match (self.peek(), self.peek_after(1)) {
            (Some('\\'), Some(c @ ('d' | 'D' | 'w' | 'W' | 's' | 'S'))) => {
                self.at += 2;
                Ok(Item::Many(self.category(c, true, place)?))
            }
            (Some('\\'), Some('b')) => {
                self.at += 2;
                Ok(Item::One('\u{8}'))
            }
            (Some('\\'), _) => Ok(Item::One(self.character_escape(true)?)),
            (Some(c), _) => {
                self.at += 1;
                Ok(Item::One(c))
            }
            (None, _) => self.error("unterminated character set", start),
        }
    }
}
