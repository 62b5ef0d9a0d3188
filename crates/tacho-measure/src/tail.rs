//! The last bytes of a stream.

use std::collections::VecDeque;

/// Keeps the last `limit` bytes of what it is given, and counts the others.
#[derive(Debug)]
pub(crate) struct Tail {
    limit: usize,
    bytes: VecDeque<u8>,
    dropped_bytes: u64,
}

impl Tail {
    pub(crate) fn new(limit: usize) -> Tail {
        Tail { limit, bytes: VecDeque::new(), dropped_bytes: 0 }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        let kept = &chunk[chunk.len().saturating_sub(self.limit)..];
        let excess = (self.bytes.len() + kept.len()).saturating_sub(self.limit);
        self.bytes.drain(..excess);
        self.bytes.extend(kept);
        self.dropped_bytes += (excess + chunk.len() - kept.len()) as u64;
    }

    /// Returns the bytes as text and how many came before them, and forgets both.
    pub(crate) fn take(&mut self) -> (String, u64) {
        let bytes: Vec<u8> = self.bytes.drain(..).collect();
        (String::from_utf8_lossy(&bytes).into_owned(), std::mem::take(&mut self.dropped_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(limit: usize, chunks: &[&str], expected: (&str, u64)) {
        let mut tail = Tail::new(limit);
        for chunk in chunks {
            tail.push(chunk.as_bytes());
        }
        assert_eq!(tail.take(), (expected.0.to_owned(), expected.1), "{limit} {chunks:?}");
        assert_eq!(tail.take(), (String::new(), 0));
    }

    #[test]
    fn the_last_bytes_are_kept_and_the_others_counted() {
        check(5, &[], ("", 0));
        check(5, &["abc"], ("abc", 0));
        check(5, &["abc", "defg"], ("cdefg", 2));
        check(5, &["abc", "defghijk"], ("ghijk", 6));
        check(0, &["abc", "d"], ("", 4));
    }
}
