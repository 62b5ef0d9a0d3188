//! End-to-end tests: the real binary, in a world of its own.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a panic is how a test fails, and a skip is told")]

mod bad_input;
mod check;
mod completions;
mod config;
mod env;
mod hostile;
mod init;
mod list;
mod machine;
mod man;
mod network;
mod outcomes;
mod real;
mod reference;
mod run;
mod show;
