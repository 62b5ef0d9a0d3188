//! Environments: which ones a run is measured in, how they are made, and what only changes the run.

mod axis;
mod choice;
mod command_line;
mod label;
mod matrix;
mod rule;
mod spec;
mod tool_words;

pub use axis::{Axis, AxisError, AxisKind, processors_text, read_processors};
pub use choice::{ChoiceError, choose, word_of_python};
pub use command_line::{AcceptedCodes, BuildLine, LineError, PLACEHOLDERS, parse_line, split_words};
pub use matrix::{Inclusion, MOST_COMBINATIONS, MatrixError, Request, bare};
pub use rule::{Condition, Rule, RuleKey, ValuePattern};
pub use spec::{Combination, Commands, EnvironmentSpec, Requirement, RunSpec, Tool};
pub use tool_words::TOOLS;
