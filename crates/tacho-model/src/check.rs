//! What checking a suite says: remarks about definitions, and rehearsals of cases.

use crate::{Case, State};

/// How bad a remark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The benchmark is not measured as it is declared.
    Error,
    /// It is measured, and what is declared is hardly meant.
    Note,
}

impl Level {
    /// Returns the word used in every format: `error` or `note`.
    pub fn word(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Note => "note",
        }
    }

    /// Reads [`Level::word`] back.
    pub fn parse(word: &str) -> Option<Level> {
        [Level::Error, Level::Note].into_iter().find(|level| level.word() == word)
    }
}

/// Something about a definition in a suite that is wrong, or looks like a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// How bad it is.
    pub level: Level,
    /// The module's name below the suite's root.
    pub module: String,
    /// The name of the benchmark, or of another definition below the suite's root.
    pub name: String,
    /// The file and, where known, the line.
    pub place: Option<String>,
    /// One line that the name can stand before.
    pub text: String,
}

/// What a rehearsal was doing when it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Nothing was called: its functions do not take what they would be called with.
    Arguments,
    /// Setting up.
    SetUp,
    /// Tearing down.
    TearDown,
}

impl Phase {
    /// Returns the word used in every format: `arguments`, `setup` or `teardown`.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Arguments => "arguments",
            Phase::SetUp => "setup",
            Phase::TearDown => "teardown",
        }
    }

    /// Reads [`Phase::word`] back.
    pub fn parse(word: &str) -> Option<Phase> {
        [Phase::Arguments, Phase::SetUp, Phase::TearDown].into_iter().find(|phase| phase.word() == word)
    }
}

/// One case set up and torn down in a process of its own, without a call of the benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Rehearsal {
    /// The case.
    pub case: Case,
    /// How it ended; [`State::Measured`] where the case is ready to be measured.
    pub state: State,
    /// Where it failed, if that is known.
    pub phase: Option<Phase>,
    /// One line: why it is not ready.
    pub message: Option<String>,
    /// Traceback and output of a failure.
    pub detail: Option<String>,
    /// How long its process took.
    pub duration_ns: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for level in [Level::Error, Level::Note] {
            assert_eq!(Level::parse(level.word()), Some(level));
        }
        for phase in [Phase::Arguments, Phase::SetUp, Phase::TearDown] {
            assert_eq!(Phase::parse(phase.word()), Some(phase));
        }
        assert_eq!((Level::parse("warning"), Phase::parse("call")), (None, None));
    }
}
