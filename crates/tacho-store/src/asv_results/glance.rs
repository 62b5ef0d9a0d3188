//! The head of a result file, without reading the file to its end.
//!
//! asv writes everything that tells where results come from before the results. So the beginning of a file, closed after the
//! last whole row that is in it, is a result file of its own with the same head. What is laid out in another way is read whole.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::document::{self, Document};
use super::python_json::{end_of_text, quote_words};
use super::row::Wanted;
use crate::StoreError;

/// How much is read at first; four times as much where no row in it tells when it began.
const FIRST_BYTES: usize = 8 << 10;
/// The commit's hash and date stand in front, behind the environment's name at most.
const PEEK_BYTES: usize = 512;
/// From here on the whole file is read.
const MOST_BYTES: usize = 512 << 10;

/// What stands before the results, where asv wrote it.
const HEAD: [&[u8]; 6] =
    [b"\"commit_hash\"", b"\"date\"", b"\"params\"", b"\"python\"", b"\"requirements\"", b"\"result_columns\""];

/// Reads a file for its head, with the starts of as many benchmarks as its beginning holds: at least of one, where any is told.
///
/// # Errors
/// As [`document::read_head`]; what is wrong with the part that is not read goes unnoticed.
pub(super) fn read(path: &Path) -> Result<Document, StoreError> {
    let mut file = File::open(path).map_err(StoreError::io("read", path))?;
    let mut bytes = Vec::new();
    let mut most = FIRST_BYTES;
    while most <= MOST_BYTES {
        let wanted = (most - bytes.len()) as u64;
        let n_read = file.by_ref().take(wanted).read_to_end(&mut bytes).map_err(StoreError::io("read", path))?;
        if (n_read as u64) < wanted {
            break;
        }
        if let Some(found) = of_beginning(path, &bytes) {
            return Ok(found);
        }
        most *= 4;
    }
    document::read_head(path)
}

/// Returns the commit's full hash and its date in milliseconds since 1970, where the first words of a file tell both.
pub(super) fn peek(path: &Path) -> Option<(String, f64)> {
    let mut bytes = [0; PEEK_BYTES];
    let n_read = File::open(path).ok()?.read(&mut bytes).ok()?;
    first_words(bytes.get(..n_read)?)
}

fn first_words(bytes: &[u8]) -> Option<(String, f64)> {
    let (mut hash, mut date_ms) = (None, None);
    let mut rest = bytes.trim_ascii_start().strip_prefix(b"{")?;
    while hash.is_none() || date_ms.is_none() {
        let (key, after) = split_text(rest.trim_ascii_start())?;
        let value = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let after = match key {
            b"\"date\"" => {
                let (digits, after) = value.split_at(value.iter().position(|byte| !byte.is_ascii_digit())?);
                date_ms = std::str::from_utf8(digits).ok()?.parse().ok();
                after
            }
            _ => {
                let (text, after) = split_text(value)?;
                if key == b"\"commit_hash\"" {
                    hash = Some(serde_json::from_slice(text).ok()?);
                }
                after
            }
        };
        // What goes on otherwise was no such value.
        rest = after.trim_ascii_start().strip_prefix(b",")?;
    }
    hash.zip(date_ms)
}

/// Parts a text, with its quotes, from what follows.
fn split_text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    bytes.starts_with(b"\"").then(|| bytes.split_at(end_of_text(bytes, 1)))
}

/// Returns the head that the beginning of a file tells, with at least one start.
fn of_beginning(path: &Path, bytes: &[u8]) -> Option<Document> {
    let mut closed = bytes.get(..end_of_rows(bytes)?)?.to_vec();
    quote_words(&mut closed);
    closed.extend(b"},\"version\":2}");
    let found = document::parse(path, &closed, Wanted::Start).ok()?;
    found.rows.values().any(|row| row.started_at_ms.is_some()).then_some(found)
}

/// Returns the position after the last whole row; `None` where there is none, where the results end before the bytes do, and where
/// the head does not stand before them or names a version already.
fn end_of_rows(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut depth, mut end) = (0, 0_usize, None);
    let (mut seen, mut in_results) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let after = end_of_text(bytes, at + 1);
                if depth == 1 && is_key(bytes, after) {
                    match &bytes[at..after.min(bytes.len())] {
                        b"\"results\"" if seen == HEAD.len() => in_results = true,
                        b"\"results\"" | b"\"version\"" => return None,
                        key => seen += usize::from(HEAD.contains(&key)),
                    }
                }
                at = after;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                match depth {
                    0 | 1 if in_results => return None,
                    2 if in_results => end = Some(at + 1),
                    _ => {}
                }
            }
            _ => {}
        }
        at += 1;
    }
    end
}

fn is_key(bytes: &[u8], after: usize) -> bool {
    let rest = bytes.get(after..).unwrap_or_default();
    rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD_TEXT: &str = r#"{"commit_hash": "ab", "env_name": "results", "date": 5, "params": {"version": "x"}, "python": "3",
        "requirements": {}, "env_vars": {}, "result_columns": ["result", "started_at"], "#;

    fn rows(text: &str) -> Option<String> {
        let text = format!("{HEAD_TEXT}{text}");
        end_of_rows(text.as_bytes()).map(|end| text[HEAD_TEXT.len()..end].to_owned())
    }

    #[test]
    fn rows_end_where_a_whole_one_does() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(rows(text).as_deref(), expected, "{text}");
        check(r#""results": {"a": [[1], 7], "b": [[1, "#, Some(r#""results": {"a": [[1], 7]"#));
        check(r#""results": {"a": null, "b]": [[1], 7], "c"#, Some(r#""results": {"a": null, "b]": [[1], 7]"#));
        check(r#""results": {"a": [[1], "#, None);
        check(r#""results": {"a": [[1], 7]}, "durations": {"#, None);
        check(r#""version": 2, "results": {"a": [[1], 7], "#, None);
        check("", None);
    }

    #[test]
    fn hash_and_date_are_told_by_the_first_words() {
        let check = |text: &str, expected: Option<(&str, f64)>| {
            let expected = expected.map(|(hash, date_ms)| (hash.to_owned(), date_ms));
            assert_eq!(first_words(text.as_bytes()), expected, "{text}");
        };
        check(HEAD_TEXT, Some(("ab", 5.0)));
        check(r#"{"date":1402,"commit_hash":"v\u0031", "#, Some(("v1", 1402.0)));
        for text in [
            r#"{"commit_hash": "ab", "params": {}, "date": 5, "#,
            r#"{"commit_hash": "ab", "date": 5"#,
            r#"{"commit_hash": "ab", "date": 5.5, "#,
            r#"{"commit_hash": "ab", "date": null, "#,
            r#"{"commit_hash": "ab", "date": -5, "#,
            r#"{"commit_hash": "a"#,
            "[]",
            "",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn a_head_after_the_results_is_not_taken_for_none() {
        assert_eq!(end_of_rows(br#"{"commit_hash": "ab", "results": {"a": [[1], 7], "b"#), None);
    }

    #[test]
    fn the_beginning_is_read_as_the_whole_would_be() {
        let text = format!("{HEAD_TEXT}{}", r#""results": {"a": [[NaN], 7], "b": [[1], 6], "c": [["#);
        let found = of_beginning(Path::new("x.json"), text.as_bytes()).unwrap();
        assert_eq!(found.head.commit_hash, "ab");
        assert_eq!(found.head.env_name.as_deref(), Some("results"));
        let starts: Vec<Option<f64>> = found.rows.values().map(|row| row.started_at_ms).collect();
        assert_eq!(starts, [Some(7.0), Some(6.0)]);
        // A row that tells no start is not enough.
        let text = format!("{HEAD_TEXT}{}", r#""results": {"a": [[1]], "b": [["#);
        assert!(of_beginning(Path::new("x.json"), text.as_bytes()).is_none());
    }
}
