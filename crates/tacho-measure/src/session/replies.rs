//! What a runner writes on its end, read line by line; a benchmark may have found the descriptor and write there, too.

use std::io::{BufRead, BufReader, PipeReader, Read, Result};
use std::sync::mpsc::{Receiver, channel};

use serde::Deserialize;

use super::Places;
use crate::protocol::Reply;

/// Longer lines are no replies.
const LONGEST_LINE_BYTES: u64 = 256 << 20;

/// Reads replies in a thread of its own, until the pipe ends.
pub(super) fn read(pipe: PipeReader, places: Option<Places>) -> Receiver<Reply> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        while let Ok(Some(line)) = next_line(&mut reader, LONGEST_LINE_BYTES) {
            if let Some(reply) = reply_of(&line, places.as_ref())
                && sender.send(reply).is_err()
            {
                return;
            }
        }
    });
    receiver
}

/// Returns the next line without its end, an empty one for a line that is too long; `None` at the end of the stream.
fn next_line(reader: &mut impl BufRead, longest_bytes: u64) -> Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if reader.by_ref().take(longest_bytes).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_none() {
        line = Vec::new();
        reader.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// Replies that others follow.
const INTERMEDIATE: [&str; 2] = ["benchmark", "importing"];

/// What every reply has.
#[derive(Deserialize)]
struct Any {
    id: u64,
    reply: String,
}

/// Reads a reply, with the original's path for the copy's. A benchmark's definition stays as it is: the runner is
/// asked for cases by the very texts that it gave.
fn reply_of(line: &[u8], places: Option<&Places>) -> Option<Reply> {
    let Ok(reply) = serde_json::from_slice(line) else { return odd_reply(line) };
    match places {
        Some(places) if !matches!(reply, Reply::Benchmark(_)) => {
            serde_json::from_str(&told_in_json(places, line)?).ok()
        }
        _ => Some(reply),
    }
}

/// What is no message is no answer. A final reply that nobody understands is one, or it would be awaited in vain.
fn odd_reply(line: &[u8]) -> Option<Reply> {
    let Any { id, reply: word } = serde_json::from_slice(line).ok()?;
    let is_final = !INTERMEDIATE.contains(&word.as_str());
    is_final.then(|| Reply::Error { id, message: format!("{word}, in a form that is not understood") })
}

/// Returns a line of JSON in which the copy's path has become the original's.
fn told_in_json(places: &Places, line: &[u8]) -> Option<String> {
    let quoted = |path: &str| serde_json::to_string(path).ok().map(|text| text.trim_matches('"').to_owned());
    let line = std::str::from_utf8(line).ok()?;
    Some(line.replace(&quoted(&places.copy)?, &quoted(&places.original)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_lines(stream: &str, expected: &[&str]) {
        let mut reader = stream.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut reader, 10).unwrap() {
            lines.push(String::from_utf8(line).unwrap());
        }
        assert_eq!(lines, expected, "{stream:?}");
    }

    #[test]
    fn lines_that_are_too_long_are_left_out() {
        check_lines("", &[]);
        check_lines("one\n\ntwo\n", &["one", "", "two"]);
        check_lines("123456789\nnext\n", &["123456789", "next"]);
        check_lines("1234567890\nnext\n", &["", "next"]);
        check_lines("12345678901234567890\nnext\n", &["", "next"]);
        check_lines("cut off", &[""]);
    }

    fn check_reply(line: &str, expected: Option<Reply>) {
        assert_eq!(reply_of(line.as_bytes(), None), expected, "{line}");
    }

    #[test]
    fn what_is_no_message_is_left_out_and_what_is_not_understood_is_told() {
        check_reply(r#"{"id":7,"reply":"stopped"}"#, Some(Reply::Stopped { id: 7 }));
        for garbage in ["", "x", "[1]", r#"{"id":7}"#, r#"{"id":"7","reply":"stopped"}"#, r#"{"id":7,"reply":"stop"#] {
            check_reply(garbage, None);
        }
        check_reply(r#"{"id":7,"reply":"benchmark"}"#, None);
        let odd = |word: &str| format!("{word}, in a form that is not understood");
        check_reply(r#"{"id":7,"reply":"ran"}"#, Some(Reply::Error { id: 7, message: odd("ran") }));
        check_reply(r#"{"id":7,"reply":"nonsense"}"#, Some(Reply::Error { id: 7, message: odd("nonsense") }));
    }
}
