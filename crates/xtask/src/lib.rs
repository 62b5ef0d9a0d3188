//! The commands of `cargo xtask`, and the rules that tests hold the repository to.

pub mod bench;
pub mod cross;
pub mod demo;
pub mod history;
pub mod process;
pub mod real;
pub mod setup;
pub mod tally;
pub mod test;
pub mod tidy;
pub mod web;

use std::fmt;
use std::path::{Path, PathBuf};

/// Returns the top folder of this repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Prints one line for the person who runs `cargo xtask`.
#[expect(clippy::print_stdout, reason = "the one place that prints")]
pub fn say(line: fmt::Arguments<'_>) {
    println!("{line}");
}
