//! JSON as Python writes it, where `NaN`, `Infinity` and `-Infinity` stand bare.

use std::fs;
use std::path::Path;

use memchr::{memchr2, memchr3};
use serde::de::DeserializeSeed;

use crate::StoreError;

// A word becomes a text of its own length, so that lines and columns in errors stay right. Python's writer
// leaves no DEL in a text (it writes `\u007f`), so nothing else looks like these.
const NAN: &str = "\u{7f}";
const INFINITY: &str = "\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}";
const NEGATIVE_INFINITY: &str = "-\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}";

/// The largest file that is read: it has to fit into memory, and those of large suites have a megabyte.
const MOST_BYTES: u64 = 512 << 20;

const WORDS: [(&str, &str); 3] = [("NaN", NAN), ("Infinity", INFINITY), ("-Infinity", NEGATIVE_INFINITY)];

/// Reads a file and makes its bare words readable: [`float_of_word`] tells what a text stood for.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = read_as_it_is(path)?;
    quote_words(&mut bytes);
    Ok(bytes)
}

/// Reads a file whose bare words are still to be made readable.
pub(super) fn read_as_it_is(path: &Path) -> Result<Vec<u8>, StoreError> {
    let n_bytes = fs::metadata(path).map_err(StoreError::io("read", path))?.len();
    if n_bytes > MOST_BYTES {
        let what = format!("it has {n_bytes} bytes, and nothing that asv writes is that large");
        return Err(StoreError::TooLarge { path: path.to_owned(), what });
    }
    fs::read(path).map_err(StoreError::io("read", path))
}

/// Parses a whole document.
pub(super) fn parse<'de, S: DeserializeSeed<'de>>(bytes: &'de [u8], seed: S) -> serde_json::Result<S::Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = seed.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Returns the number that a bare word stood for; `None` for any other text.
pub(super) fn float_of_word(text: &str) -> Option<f64> {
    match text {
        NAN => Some(f64::NAN),
        INFINITY => Some(f64::INFINITY),
        NEGATIVE_INFINITY => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Turns every bare word outside of texts into a text of the same length.
pub(super) fn quote_words(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(step) = memchr3(b'"', b'N', b'I', &bytes[at..]) {
        at += step;
        at = match bytes[at] {
            b'"' => end_of_text(bytes, at + 1),
            b'I' if at > 0 && bytes[at - 1] == b'-' => at - 1 + quote_word(&mut bytes[at - 1..]).max(2),
            _ => at + quote_word(&mut bytes[at..]),
        };
    }
}

// The position after the closing quote; the end where it is missing, which is the parser's to say.
pub(super) fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(step) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += step;
        match bytes[at] {
            b'"' => return at + 1,
            _ => at += 2,
        }
    }
    bytes.len()
}

// Returns how many bytes are done with.
fn quote_word(bytes: &mut [u8]) -> usize {
    for (word, text) in WORDS {
        if bytes.starts_with(word.as_bytes()) {
            let end = word.len() - 1;
            bytes[1..end].copy_from_slice(text.as_bytes());
            (bytes[0], bytes[end]) = (b'"', b'"');
            return word.len();
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        quote_words(&mut bytes);
        String::from_utf8(bytes).expect("only whole words are replaced").replace('\u{7f}', "?")
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(quoted(text), expected, "{text}");
    }

    #[test]
    fn bare_words_become_texts_of_their_length() {
        check("[NaN, Infinity,-Infinity]", r#"["?", "??????","-??????"]"#);
        check("NaN", r#""?""#);
        check(r#"{"a":NaN}"#, r#"{"a":"?"}"#);
    }

    #[test]
    fn words_inside_texts_stay() {
        for text in [
            r#"["NaN", "a -Infinity b"]"#,
            r#"["quote \" NaN"]"#,
            r#"["backslash \\", "NaN"]"#,
            r#"{"NaN": "\\\"Infinity"}"#,
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_text_ends_at_its_own_quote() {
        check(r#"["\\", NaN]"#, r#"["\\", "?"]"#);
        check(r#"["\\\"", NaN, "NaN"]"#, r#"["\\\"", "?", "NaN"]"#);
    }

    #[test]
    fn everything_else_stays() {
        for text in ["[-1, -1e-5, null]", "[Na, Inf, -Inf, Infinit", "\"", "\"\\", "", "-", "[nan, infinity]"] {
            check(text, text);
        }
    }

    #[test]
    fn every_word_is_known_again() {
        assert!(float_of_word(NAN).is_some_and(f64::is_nan));
        assert_eq!(float_of_word(INFINITY), Some(f64::INFINITY));
        assert_eq!(float_of_word(NEGATIVE_INFINITY), Some(f64::NEG_INFINITY));
        for text in ["NaN", "Infinity", "", "\u{7f}\u{7f}", "-"] {
            assert_eq!(float_of_word(text), None, "{text:?}");
        }
        for (word, text) in WORDS {
            assert_eq!(word.len(), text.len() + 2, "{word}");
        }
    }
}
