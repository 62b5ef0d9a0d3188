//! Environments: made of real interpreters and tiny packages that build without any index.

mod bench;
mod builds;
mod disturbed;
mod keeping;
mod lines;

pub(crate) use bench::{BACKEND, PYPROJECT};
