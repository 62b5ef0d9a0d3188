//! Numbers to outcomes: the fold from rounds to what each case says, and the statistics it needs.
//!
//! The crate is pure: no files, no clock, no processes, no randomness. It knows nothing of how
//! numbers were measured, where they are kept and how they will be shown.

mod counts;
mod durations;
mod interval;
mod outcomes;
mod quantile;

pub use counts::counts;
pub use durations::durations;
pub use interval::median_interval;
pub use outcomes::{case_outcomes, outcomes};
pub use quantile::quantile;
