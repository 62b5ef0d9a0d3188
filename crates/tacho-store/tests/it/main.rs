//! Tests of the store through its public functions.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod crash;
mod fixtures;
mod list;
mod machines;
mod resume;
mod round_trip;
mod runs;
mod schemas;
mod seal;
