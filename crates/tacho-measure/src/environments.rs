//! Environments: which ones a run is measured in, how they are made, and what only changes the run.

mod builds;
mod cache;
mod checkout;
mod command_line;
mod compilers;
mod file_stamp;
mod fitting;
mod installed;
mod interpreters;
mod job;
mod lines;
mod lock;
mod making;
mod marker;
mod places;
mod plan;
mod programs;
mod quiet;
mod spec;
mod telling;
mod tools;
mod variables;
mod wheel;
mod workshop;

pub use cache::Cache;
pub use command_line::{AcceptedCodes, BuildLine, LineError, PLACEHOLDERS, parse_line, split_words};
pub use programs::Search;
pub use spec::{Combination, Commands, EnvironmentSpec, Requirement, RunSpec, Tool};
pub use workshop::{CheckOut, CheckedOut, Code, Made, MakeError, Order, Source, Workshop};
