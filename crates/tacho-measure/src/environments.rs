//! Environments: which ones a run is measured in, how they are made, and what only changes the run.

mod command_line;
mod spec;

pub use command_line::{AcceptedCodes, BuildLine, LineError, PLACEHOLDERS, parse_line, split_words};
pub use spec::{Combination, Commands, EnvironmentSpec, Requirement, RunSpec, Tool};
