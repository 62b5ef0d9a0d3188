//! Quantifiers: `*`, `+`, `?`, `{m,n}`, lazy and possessive.

use super::{Last, SyntaxError, Translator};

/// Items that a pattern may come to with its counted repeats written out.
const MAX_SIZE: u64 = 200_000;

/// Least and greatest number of times; no greatest where there is no end.
type Bounds = (u64, Option<u64>);

impl Translator {
    pub(super) fn repeat(&mut self, c: char) -> Result<(), SyntaxError> {
        let start = self.at;
        let Some((text, bounds)) = self.quantifier(c)? else {
            // A brace that opens no count is a brace.
            self.at = start + 1;
            self.literal('{');
            return Ok(());
        };
        match self.last {
            Last::Nothing => return self.error("nothing to repeat", start),
            Last::Repeated => return self.error("multiple repeat", start),
            Last::Atom => {}
        }
        let times = bounds.1.unwrap_or(bounds.0).max(1);
        self.size.total = self.size.total.saturating_add(self.size.last.saturating_mul(times - 1));
        if self.size.total > MAX_SIZE {
            return self.error("repeats too often", start);
        }
        self.out.push_str(&text);
        if let Some(suffix) = ["?", "+"].into_iter().find(|suffix| self.take(suffix)) {
            self.out.push_str(suffix);
        }
        self.last = Last::Repeated;
        Ok(())
    }

    /// Reads one quantifier without its suffix; `None` for a brace that opens no count.
    fn quantifier(&mut self, c: char) -> Result<Option<(String, Bounds)>, SyntaxError> {
        self.at += 1;
        match c {
            '*' => Ok(Some(("*".into(), (0, None)))),
            '+' => Ok(Some(("+".into(), (1, None)))),
            '?' => Ok(Some(("?".into(), (0, Some(1))))),
            _ => self.count(),
        }
    }

    /// Reads `m}`, `m,}`, `,n}` or `m,n}`.
    fn count(&mut self) -> Result<Option<(String, Bounds)>, SyntaxError> {
        let start = self.at - 1;
        let least = self.digits();
        let most = if self.take(",") { Some(self.digits()) } else { None };
        if (least.is_empty() && most.is_none()) || !self.take("}") {
            return Ok(None);
        }
        let Some(low) = number(&least) else { return self.error("the repetition number is too large", start) };
        let high = match most.as_deref() {
            None => Some(low),
            Some("") => None,
            Some(digits) => match number(digits) {
                Some(high) => Some(high),
                None => return self.error("the repetition number is too large", start),
            },
        };
        if high.is_some_and(|high| high < low) {
            return self.error("min repeat greater than max repeat", start);
        }
        let text = match high {
            Some(high) => format!("{{{low},{high}}}"),
            None => format!("{{{low},}}"),
        };
        Ok(Some((text, (low, high))))
    }

    fn digits(&mut self) -> String {
        let mut digits = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_digit) {
            digits.push(c);
            self.at += 1;
        }
        digits
    }
}

/// Reads a count; an absent one is 0.
fn number(digits: &str) -> Option<u64> {
    if digits.is_empty() { Some(0) } else { digits.parse().ok().filter(|n| *n < u64::from(u32::MAX)) }
}
