//! A run: outcomes and their provenance, one machine, one environment, one subject.

use crate::{Benchmark, Problem, Provenance, Round};

/// A benchmark with those of its cases that a run means to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// The benchmark's definition as it was when measured.
    pub benchmark: Benchmark,
    /// Indices of the selected cases, ascending.
    pub cases: Vec<usize>,
    /// Rounds that each case shall get.
    pub rounds: u32,
}

/// Whether a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// The record is sealed: every round is there and unchanged.
    Sealed,
    /// The run was interrupted, or is still going on.
    Interrupted,
}

/// Rounds and where they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// What was to be measured, in the order of the suite.
    pub planned: Vec<Planned>,
    /// Parts of the suite that could not be loaded.
    pub problems: Vec<Problem>,
    /// What was measured, in order.
    pub rounds: Vec<Round>,
    /// Whether it came to its end.
    pub completeness: Completeness,
}
