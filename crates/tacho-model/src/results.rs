//! What a run says, whoever kept it: outcomes and where they come from.

use crate::{Completeness, Outcome, Provenance};

/// A run as far as its outcomes go: folded from the rounds of a record, or read from a file that holds no rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// One outcome for each case and metric.
    pub outcomes: Vec<Outcome>,
    /// Whether the run came to its end.
    pub completeness: Completeness,
}
