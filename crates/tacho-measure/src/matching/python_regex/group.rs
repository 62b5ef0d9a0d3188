//! Groups: capturing, named, look-around, conditions, comments, flags.

use super::{Last, OpenGroup, Size, SyntaxError, Translator};

/// Groups within groups that a pattern may have; the engine reads them by recursion.
const MAX_DEPTH: usize = 100;

impl Translator {
    pub(super) fn open_group(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        if self.groups.len() >= MAX_DEPTH {
            return self.error("groups are nested too deeply", start);
        }
        self.at += 1;
        if !self.take("?") {
            self.names.push(None);
            return self.push("(", Some(self.names.len()), start);
        }
        let look_arounds = [("=", false), ("<=", false), ("!", true), ("<!", true)];
        if let Some((mark, refuses)) = look_arounds.into_iter().find(|(mark, _)| self.take(mark)) {
            self.traits.refuses |= refuses;
            self.traits.ignores_what_follows = false;
            return self.push(&format!("(?{mark}"), None, start);
        }
        match self.peek() {
            Some(c @ (':' | '>')) => {
                self.at += 1;
                self.push(&format!("(?{c}"), None, start)
            }
            Some('#') => self.comment(start),
            Some('P') => self.python_group(start),
            Some('(') => self.condition(start),
            _ => self.flag_group(start),
        }
    }

    pub(super) fn close_group(&mut self) -> Result<(), SyntaxError> {
        let Some(group) = self.groups.pop() else { return self.error("unbalanced parenthesis", self.at) };
        self.at += 1;
        self.out.push(')');
        self.closed.extend(group.number);
        let inner = self.size.total.max(1);
        self.size = Size { total: group.outer.total.saturating_add(inner), last: inner };
        self.flags.verbose = group.verbose;
        self.last = Last::Atom;
        Ok(())
    }

    fn push(&mut self, text: &str, number: Option<usize>, start: usize) -> Result<(), SyntaxError> {
        self.out.push_str(text);
        self.groups.push(OpenGroup { start, outer: self.size, number, verbose: self.flags.verbose });
        self.size = Size::default();
        self.last = Last::Nothing;
        Ok(())
    }

    fn comment(&mut self, start: usize) -> Result<(), SyntaxError> {
        while let Some(c) = self.peek() {
            self.at += 1;
            if c == ')' {
                return Ok(());
            }
        }
        self.error("missing ), unterminated comment", start)
    }

    /// `(?P<name>…)` and `(?P=name)`.
    fn python_group(&mut self, start: usize) -> Result<(), SyntaxError> {
        if self.take("P<") {
            let name = self.name('>', start)?;
            if self.number_of(&name).is_some() {
                return self.error(format!("redefinition of group name `{name}`"), start);
            }
            self.names.push(Some(name));
            // References are written by number, so the engine need not know the name.
            return self.push("(", Some(self.names.len()), start);
        }
        if self.take("P=") {
            let name = self.name(')', start)?;
            return match self.number_of(&name) {
                Some(number) => self.refer(number, start),
                None => self.error(format!("unknown group name `{name}`"), start),
            };
        }
        self.error("unknown extension ?P", start)
    }

    fn name(&mut self, end: char, start: usize) -> Result<String, SyntaxError> {
        let name = self.until(end, start)?;
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_name { Ok(name) } else { self.error(format!("bad character in group name `{name}`"), start) }
    }

    fn until(&mut self, end: char, start: usize) -> Result<String, SyntaxError> {
        let rest = &self.chars[self.at..];
        let Some(length) = rest.iter().position(|c| *c == end) else {
            return self.error(format!("missing {end}, unterminated name"), start);
        };
        let text = rest[..length].iter().collect();
        self.at += length + 1;
        Ok(text)
    }

    fn number_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known.as_deref() == Some(name)).map(|index| index + 1)
    }

    /// `(?(1)yes|no)` and `(?(name)yes|no)`.
    fn condition(&mut self, start: usize) -> Result<(), SyntaxError> {
        self.at += 1;
        let text = self.until(')', start)?;
        let number = text.parse().ok().or_else(|| self.number_of(&text));
        match number.filter(|number| (1..=self.names.len()).contains(number)) {
            Some(number) => self.push(&format!("(?({number})"), None, start),
            None => self.error(format!("unknown group `{text}` in a condition"), start),
        }
    }

    /// `(?im)` at the start of the pattern, `(?i-s:…)` anywhere.
    fn flag_group(&mut self, start: usize) -> Result<(), SyntaxError> {
        let (on, off) = self.flag_letters(start)?;
        let (on_text, off_text) = (engine_flags(&on), engine_flags(&off));
        let dash = if off_text.is_empty() { "" } else { "-" };
        let written = format!("{on_text}{dash}{off_text}");
        if self.take(")") {
            return self.global_flags(&on, &off, &written, start);
        }
        if !self.take(":") {
            return self.error("missing -, : or )", self.at);
        }
        if on.contains(['m', 'a', 'u']) || off.contains('m') {
            return self.error("of the flags inside a pattern only i, s and x are supported", start);
        }
        self.push(&format!("(?{written}:"), None, start)?;
        self.flags.verbose = (self.flags.verbose || on.contains('x')) && !off.contains('x');
        Ok(())
    }

    fn global_flags(&mut self, on: &str, off: &str, written: &str, start: usize) -> Result<(), SyntaxError> {
        if start != 0 || !off.is_empty() {
            return self.error("global flags not at the start of the expression", start);
        }
        self.flags.multi_line = on.contains('m');
        self.flags.verbose = on.contains('x');
        self.flags.ascii = on.contains('a');
        if !written.is_empty() {
            self.out.push_str(&format!("(?{written})"));
        }
        Ok(())
    }

    fn flag_letters(&mut self, start: usize) -> Result<(String, String), SyntaxError> {
        let (mut on, mut off, mut is_on) = (String::new(), String::new(), true);
        loop {
            match self.peek() {
                Some(c @ ('i' | 'm' | 's' | 'x' | 'a' | 'u')) if is_on => on.push(c),
                Some(c @ ('i' | 'm' | 's' | 'x')) => off.push(c),
                Some('-') if is_on => is_on = false,
                Some(')' | ':') if !on.is_empty() || !off.is_empty() => return Ok((on, off)),
                Some('L') => return self.error("bad inline flags: `L` is for bytes", self.at),
                Some(c) => return self.error(format!("unknown extension ?{c}"), start),
                None => return self.error("unexpected end of pattern", self.at),
            }
            self.at += 1;
        }
    }
}

/// Returns those of Python's flags that the engine has to know; the others are dealt with here.
fn engine_flags(letters: &str) -> String {
    letters.chars().filter(|c| matches!(c, 'i' | 'm' | 's')).collect()
}
