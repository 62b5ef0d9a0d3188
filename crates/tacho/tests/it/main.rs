//! End-to-end tests: the real binary, in a world of its own.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a panic is how a test fails, and a skip is told")]

mod completions;
mod config;
mod env;
mod forking;
mod hostile;
mod isolation;
mod launcher;
mod leftovers;
mod list;
mod machine;
mod outcomes;
mod real;
mod reference;
mod run;
mod show;
