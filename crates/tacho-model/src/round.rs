//! A round: one fresh process of one case, and the readings it gave.

use std::collections::BTreeMap;

use crate::{Load, Timestamp};

/// How a case, or one round of it, ended.
///
/// The order is from best to worst: a case is as bad as its worst round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// There are readings.
    Measured,
    /// The benchmark does not apply here, by its own word.
    Skipped,
    /// Nobody tried.
    NotRun,
    /// It raised, or ended without an answer.
    Failed,
    /// It ran past its time limit.
    TimedOut,
    /// A signal ended it.
    Killed,
}

impl State {
    /// All states, best first.
    pub const ALL: [State; 6] =
        [State::Measured, State::Skipped, State::NotRun, State::Failed, State::TimedOut, State::Killed];

    /// Returns the word used in every format: `measured`, `skipped`, `not_run`, `failed`, `timed_out`, `killed`.
    pub fn word(self) -> &'static str {
        match self {
            State::Measured => "measured",
            State::Skipped => "skipped",
            State::NotRun => "not_run",
            State::Failed => "failed",
            State::TimedOut => "timed_out",
            State::Killed => "killed",
        }
    }

    /// Reads [`State::word`] back.
    pub fn parse(word: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Returns true for what asv would call a failure: failed, timed out, killed.
    pub fn is_failure(self) -> bool {
        matches!(self, State::Failed | State::TimedOut | State::Killed)
    }
}

/// How the process of a round was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// Forked from a fresh warm interpreter.
    Fork,
    /// Started from nothing.
    Spawn,
}

impl Isolation {
    /// Returns the word used in every format: `fork` or `spawn`.
    pub fn word(self) -> &'static str {
        match self {
            Isolation::Fork => "fork",
            Isolation::Spawn => "spawn",
        }
    }

    /// Reads [`Isolation::word`] back.
    pub fn parse(word: &str) -> Option<Isolation> {
        [Isolation::Fork, Isolation::Spawn].into_iter().find(|isolation| isolation.word() == word)
    }
}

/// The readings of one metric in one round.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// Times of whole inner loops, in integer nanoseconds, each of `number` calls.
    Loops {
        /// Calls in each sample; at least 1.
        number: u64,
        /// Nanoseconds for all calls of one sample together.
        loop_ns: Vec<u64>,
    },
    /// Values in the metric's unit. Always finite.
    Values(Vec<f64>),
}

impl Samples {
    /// Returns how many samples there are.
    pub fn len(&self) -> usize {
        match self {
            Samples::Loops { loop_ns, .. } => loop_ns.len(),
            Samples::Values(values) => values.len(),
        }
    }

    /// Returns true where there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of each sample in the metric's base unit: seconds for one call, or the values.
    pub fn values(&self) -> Vec<f64> {
        match self {
            Samples::Loops { number, loop_ns } => {
                let calls = (*number).max(1) as f64;
                loop_ns.iter().map(|ns| *ns as f64 / calls / 1e9).collect()
            }
            Samples::Values(values) => values.clone(),
        }
    }
}

/// That an interrupted run was taken up again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resumption {
    /// When.
    pub at: Timestamp,
    /// Load of the machine just before.
    pub load: Option<Load>,
}

/// One fresh process of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The benchmark's name.
    pub benchmark: String,
    /// The case's parameter texts.
    pub parameters: Vec<String>,
    /// Which round of the case this is, from 0.
    pub round: u32,
    /// Position in the order of everything that was run, from 0.
    pub slot: u64,
    /// When it began.
    pub started_at: Timestamp,
    /// Set where the run had been interrupted and was taken up again with this round.
    pub resumed: Option<Resumption>,
    /// How long the process took, set-up and warm-up included.
    pub duration_ns: u64,
    /// How it ended.
    pub state: State,
    /// The named, versioned way of measuring that gave the samples.
    pub method: String,
    /// How its process was made.
    pub isolation: Isolation,
    /// The readings by metric name; empty unless measured.
    pub samples: BTreeMap<String, Samples>,
    /// What came for free (`cpu_user_s`, `max_rss_bytes`, …). Annotates, never a series.
    pub observed: BTreeMap<String, f64>,
    /// One line that says why it is not measured.
    pub message: Option<String>,
    /// Traceback and the end of what was printed, for a failure.
    pub detail: Option<String>,
}
