//! Environments: which ones a run is measured in, how they are made, and what only changes the run.

mod spec;

pub use spec::{Combination, Commands, EnvironmentSpec, Requirement, RunSpec, Tool};
