//! End-to-end tests: the real binary, in a world of its own.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a panic is how a test fails, and a skip is told")]

mod completions;
mod config;
mod doctor;
mod env;
mod hostile;
mod list;
mod machine;
mod outcomes;
mod real;
mod reference;
mod run;
mod show;
