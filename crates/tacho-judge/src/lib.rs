//! Numbers to outcomes and verdicts: the fold from rounds to what each case says, and what two sides say of each other.
//!
//! The crate is pure: no files, no clock, no processes, no randomness. It knows nothing of how
//! numbers were measured, where they are kept and how they will be shown.

mod asv_statistics;
mod asv_steps;
pub mod changes;
mod compare;
mod counts;
mod durations;
#[cfg(test)]
mod fixture;
mod interval;
mod noise_floor;
mod normal;
mod outcomes;
pub mod paired;
mod pooled;
mod quantile;
mod rank_sum;
mod signed_rank;
mod student;

pub use asv_statistics::asv_interval;
pub use asv_steps::{Step, asv_steps};
pub use compare::{CompareOptions, History, Rule, compare};
pub use counts::counts;
pub use durations::{benchmark_times, durations, durations_of};
pub use interval::median_interval;
pub use noise_floor::{is_valid, noise_floors};
pub use normal::normal_upper;
pub use outcomes::{case_outcomes, outcomes};
pub use pooled::{merged, pooled};
pub use quantile::quantile;
pub use signed_rank::SignedRank;
