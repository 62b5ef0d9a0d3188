//! What a command prints, read as it comes, so that it neither waits nor fills the memory.

use std::io::{ErrorKind, PipeReader, Read, Result};
use std::os::fd::{AsFd, BorrowedFd};

use crate::tail::Tail;

const CHUNK_BYTES: usize = 64 * 1024;

/// What is read at most after the command has ended, should others still write.
const LAST_CHUNKS: usize = 64;

/// The end of what a command wrote on a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The last bytes; what is no UTF-8 is replaced by U+FFFD.
    pub text: String,
    /// How many bytes came before them and were dropped; 0 where the text is whole.
    pub dropped_bytes: u64,
}

/// A pipe that a command writes to.
pub(super) struct Capture {
    pipe: PipeReader,
    tail: Tail,
    is_open: bool,
}

impl Capture {
    pub(super) fn new(pipe: PipeReader, limit_bytes: usize) -> Result<Capture> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Capture { pipe, tail: Tail::new(limit_bytes), is_open: true })
    }

    /// Returns the descriptor to wait on, until the pipe has come to its end.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.is_open.then(|| self.pipe.as_fd())
    }

    /// Reads a chunk of what is there; returns false where there is nothing now.
    pub(super) fn read(&mut self) -> bool {
        let mut chunk = [0_u8; CHUNK_BYTES];
        match self.pipe.read(&mut chunk) {
            Ok(0) => self.is_open = false,
            Ok(n) => {
                self.tail.push(&chunk[..n]);
                return true;
            }
            Err(error) => self.is_open = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
        false
    }

    /// Reads what is left and returns what is kept.
    pub(super) fn finish(mut self) -> Captured {
        for _ in 0..LAST_CHUNKS {
            if !self.read() {
                break;
            }
        }
        let (text, dropped_bytes) = self.tail.take();
        Captured { text, dropped_bytes }
    }
}
