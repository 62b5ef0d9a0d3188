//! A result file without most of what it says: only values, parameters and versions, found without parsing the rest.
//!
//! Nine tenths of a file are statistics and samples. Who asks for the values of many files has no use for them.

use memchr::memchr3;

use super::python_json::end_of_text;

/// What rows begin with, as asv writes them; the rest of each is left out.
const FIRST_COLUMNS: [&str; 3] = ["result", "params", "version"];

/// Returns the document with the first three columns of each row; `None` where it is not laid out as asv does it.
pub(super) fn thinned(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut thin = Vec::with_capacity(bytes.len() / 4);
    let mut cursor = Cursor { bytes, at: 0 };
    let mut has_columns = false;
    cursor.step(b'{')?;
    loop {
        let key = cursor.text()?;
        cursor.step(b':')?;
        cursor.space();
        match key {
            b"\"results\"" if has_columns => break,
            b"\"results\"" => return None,
            b"\"result_columns\"" => has_columns = begins_as_usual(cursor.value()?),
            _ => drop(cursor.value()?),
        }
        cursor.step(b',')?;
    }
    thin.extend_from_slice(&bytes[..cursor.at]);
    cursor.step(b'{')?;
    thin.push(b'{');
    while cursor.next() == Some(b'"') {
        thin.extend_from_slice(cursor.row()?);
        thin.push(b']');
        match cursor.next()? {
            b',' => {
                cursor.at += 1;
                thin.push(b',');
            }
            _ => break,
        }
    }
    thin.extend_from_slice(&bytes[cursor.at..]);
    Some(thin)
}

fn begins_as_usual(columns: &[u8]) -> bool {
    let names: Vec<String> = serde_json::from_slice(columns).unwrap_or_default();
    names.iter().map(String::as_str).take(FIRST_COLUMNS.len()).eq(FIRST_COLUMNS)
}

/// A place in the text.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Returns the next byte that is no space.
    fn next(&mut self) -> Option<u8> {
        self.space();
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self, over: u8) -> Option<()> {
        (self.next()? == over).then(|| self.at += 1)
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        if self.next()? != b'"' {
            return None;
        }
        let start = self.at;
        self.at = end_of_text(self.bytes, start + 1);
        self.bytes.get(start..self.at)
    }

    /// Returns the next value.
    fn value(&mut self) -> Option<&'a [u8]> {
        let first = self.next()?;
        let start = self.at;
        match first {
            b'"' => return self.text(),
            b'[' => self.leave(*b"[]", 0)?,
            b'{' => self.leave(*b"{}", 0)?,
            _ => {
                let is_over = |byte: &u8| matches!(byte, b',' | b']' | b'}') || byte.is_ascii_whitespace();
                self.at += self.bytes[start..].iter().position(is_over)?;
            }
        }
        self.bytes.get(start..self.at)
    }

    /// Goes to the end of what is so many times open. Of the other kind as many open as close in between.
    fn leave(&mut self, [open, close]: [u8; 2], n_open: usize) -> Option<()> {
        let mut n_open = n_open;
        loop {
            self.at += memchr3(open, close, b'"', self.bytes.get(self.at..)?)?;
            match self.bytes[self.at] {
                b'"' => {
                    self.at = end_of_text(self.bytes, self.at + 1);
                    continue;
                }
                byte if byte == open => n_open += 1,
                _ => n_open -= 1,
            }
            self.at += 1;
            if n_open == 0 {
                return Some(());
            }
        }
    }

    /// Returns a benchmark's name with its row up to the end of the third item, and goes to the row's end.
    fn row(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        self.text()?;
        self.step(b':')?;
        self.step(b'[')?;
        let mut end = self.at;
        for column in 0..FIRST_COLUMNS.len() {
            match self.next()? {
                b']' => break,
                b',' if column > 0 => self.at += 1,
                _ if column > 0 => return None,
                _ => {}
            }
            self.value()?;
            end = self.at;
        }
        self.leave(*b"[]", 1)?;
        self.bytes.get(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"commit_hash": "ab", "params": {"a]": "}"}, "result_columns": ["result", "params", "version", "started_at"], "results": "#;

    fn check(rows: &str, expected: Option<&str>) {
        let found = thinned(format!("{HEAD}{rows}").as_bytes());
        let found = found.map(|thin| String::from_utf8(thin).expect("whole texts stay whole"));
        assert_eq!(found.as_deref(), expected.map(|rows| format!("{HEAD}{rows}")).as_deref(), "{rows}");
    }

    #[test]
    fn rows_end_after_three_columns() {
        check(
            r#"{"a": [[1, NaN], [["[", "2"]], "v,", 5, [1, [2, null]], {"x": [1]}, "]"], "b" : [null, [], null]}, "version": 2}"#,
            Some(r#"{"a": [[1, NaN], [["[", "2"]], "v,"],"b" : [null, [], null]}, "version": 2}"#),
        );
        check(r#"{"a": [[1]], "b": []}}"#, Some(r#"{"a": [[1]],"b": []}}"#));
        check(r#"{"a\"]": [1.5, [], "v", [1]]}}"#, Some(r#"{"a\"]": [1.5, [], "v"]}}"#));
        check("{}}", Some("{}}"));
    }

    #[test]
    fn what_is_laid_out_in_another_way_is_not_touched() {
        check(r#"{"a": null}}"#, None);
        check(r#"{"a": {"result": 1}}}"#, None);
        check(r#"{"a": [[1], [], "v", [1"#, None);
        check("[]}", None);
        for text in [
            "",
            "[",
            "{",
            r#"{"results": {"a": [[1]]}, "result_columns": ["result", "params", "version"]}"#,
            r#"{"result_columns": ["version", "result", "params"], "results": {"a": [[1]]}}"#,
            "\"",
        ] {
            assert_eq!(thinned(text.as_bytes()), None, "{text}");
        }
    }
}
