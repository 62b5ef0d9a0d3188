//! Tests of the store through its public functions.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a panic is how a test fails, and a skip is told")]

mod asv;
mod asv_damage;
mod asv_export;
mod asv_fixtures;
mod asv_folder;
mod asv_real;
mod asv_rows;
mod crash;
mod fixtures;
mod list;
mod machines;
mod resume;
mod round_trip;
mod runs;
mod schemas;
mod seal;
