//! The twins of the nouns as they stand in files; each noun is converted here and nowhere else.
//!
//! Conversions take their source apart without `..`, so that a field added to a noun or to its twin does
//! not compile before it is carried over.

mod benchmark;
mod build;
mod identity;
mod provenance;
mod round;
mod time;
mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Misfit;

pub(crate) use benchmark::Plan;
pub(crate) use identity::without_private;
pub(crate) use provenance::Provenance;
pub(crate) use round::Round;

/// The schema that this version writes.
pub(crate) const RECORD_SCHEMA: &str = "tacho.record/1";

/// The first line of a record: where the numbers come from.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Header {
    /// The format and its version: `tacho.record/1`.
    pub(crate) schema: String,
    /// How many cases the run means to measure.
    pub(crate) n_cases: u64,
    /// Where the numbers come from.
    pub(crate) run: Provenance,
}

/// Any later line of a record.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    /// The second line: what was to be measured.
    Plan(Plan),
    /// One fresh process of one case, written when it ended.
    Round(Box<Round>),
    /// The last line of a record whose run came to its end.
    Seal(Seal),
}

/// The end of a record.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Seal {
    /// How many round lines there are.
    pub(crate) n_rounds: u64,
    /// SHA-256 of all bytes before this line, as 64 hexadecimal digits.
    pub(crate) sha256: String,
}

/// Refuses a number that JSON cannot hold and no measurement has.
fn finite(value: f64, what: impl FnOnce() -> String) -> Result<f64, Misfit> {
    if value.is_finite() { Ok(value) } else { Err(Misfit(format!("{}: `{value}` is not finite", what()))) }
}
