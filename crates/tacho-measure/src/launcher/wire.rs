//! What the launcher is asked and answers: one line of JSON each, on one socket, descriptors beside it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use serde::{Deserialize, Serialize};

/// What the launcher is asked.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(super) enum Request {
    /// Runs a command. Its standard output and error, and what `descriptors` lists, come beside the line.
    Run(Box<RunRequest>),
    /// Ends the command now, if it still runs, with its process group.
    Kill { id: u64 },
    /// Sends the command's own process a signal, if it still runs, or those that it stands before.
    Signal { id: u64, number: i32 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunRequest {
    pub(super) id: u64,
    pub(super) program: Word,
    pub(super) arguments: Vec<Word>,
    pub(super) dir: Word,
    pub(super) variables: Vec<(String, Option<String>)>,
    /// After so long it is killed.
    pub(super) limit_ns: u64,
    pub(super) affinity: Option<Vec<u32>>,
    /// The numbers at which it gets the descriptors that come after output and error.
    pub(super) descriptors: Vec<i32>,
}

/// What the launcher answers.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub(super) enum Reply {
    /// It runs.
    Started { id: u64, pid: i32 },
    /// It could not be started.
    Failed { id: u64, failure: Failure },
    /// It has ended, and so has all that it left behind.
    Ended(EndedReply),
}

/// Why a command could not be started.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Failure {
    NoFolder,
    NotFound,
    NotExecutable,
    Other(String),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct EndedReply {
    pub(super) id: u64,
    /// As `wait4(2)` gives it.
    pub(super) status: i32,
    pub(super) timed_out: bool,
    pub(super) started_at_us: i64,
    pub(super) wall_ns: u64,
    pub(super) user_ns: u64,
    pub(super) system_ns: u64,
    pub(super) max_rss_bytes: u64,
    pub(super) minor_faults: u64,
    pub(super) major_faults: u64,
    pub(super) voluntary_switches: u64,
    pub(super) involuntary_switches: u64,
    pub(super) leftover_processes: u64,
}

/// A word of a command line or a path, which need not be text.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Word {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Word {
    fn from(word: &OsStr) -> Word {
        word.to_str().map_or_else(|| Word::Bytes(word.as_bytes().to_owned()), |text| Word::Text(text.to_owned()))
    }
}

impl From<Word> for OsString {
    fn from(word: Word) -> OsString {
        match word {
            Word::Text(text) => text.into(),
            Word::Bytes(bytes) => OsString::from_vec(bytes),
        }
    }
}
