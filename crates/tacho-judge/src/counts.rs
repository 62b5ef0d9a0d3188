//! How many cases ended how.

use std::collections::BTreeMap;

use tacho_model::{Outcome, State};

/// Returns the number of cases for each state that occurs.
///
/// A case with several metrics counts once, in the worst of its states. Outcomes of one case stand
/// next to each other, as [`crate::outcomes()`] gives them.
pub fn counts(outcomes: &[Outcome]) -> BTreeMap<State, usize> {
    let mut counts = BTreeMap::new();
    for of_case in outcomes.chunk_by(|a, b| a.case == b.case) {
        if let Some(worst) = of_case.iter().map(|outcome| outcome.state).max() {
            *counts.entry(worst).or_default() += 1;
        }
    }
    counts
}
