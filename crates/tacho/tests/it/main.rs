//! End-to-end tests: the real binary, in a world of its own.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a panic is how a test fails, and a skip is told")]

mod bad_input;
mod changes;
mod check;
mod clean;
mod commits;
mod compare;
mod compare_asv;
mod compare_noise;
mod completions;
mod config;
mod disk;
mod doctor;
mod env;
mod export_asv;
mod export_parquet;
mod forking;
mod hostile;
mod index_news;
mod init;
mod interrupt;
mod isolation;
mod kill;
mod launcher;
mod leftovers;
mod list;
mod lock;
mod machine;
mod man;
mod network;
mod outcomes;
mod prefix;
mod publish;
mod query;
mod query_bad;
mod reading_asv;
mod real;
mod reference;
mod resume;
mod run;
mod series;
mod show;
mod unbuilt;
mod workshop;
mod written;
