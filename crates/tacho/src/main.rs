//! `tacho`: leads values from room to room. It computes nothing.

mod as_one;
mod cli;
mod commands;
mod console;
mod context;
mod dirs;
mod error;
mod exit;
mod history_index;
mod interpreter;
mod interrupts;
mod lock;
mod machine_choice;
mod mainline;
mod nearest;
mod progress;
mod searched;
mod settings;
mod subject_choice;
mod suite_problems;
mod suite_session;
mod venue;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: the launcher has to stay small.
    tacho_measure::serve_if_launched().unwrap_or_else(|| ExitCode::from(cli::main()))
}
