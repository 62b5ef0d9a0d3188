//! Makes runs: finds out what is measured, on what machine, and measures it.
//!
//! The room knows processes and git. It knows no store, no verdict and nothing about printing: it emits
//! events and rounds, and the binary leads them on.

mod clock;
mod convert;
mod execute;
pub mod git;
pub mod machine;
pub mod matching;
mod mirror;
mod protocol;
mod python;
mod rehearse;
mod session;
mod suite_digest;
mod unpack;

pub use clock::now;
pub use execute::{Event, ExecuteOptions, Executor, Finish, Task, execute};
pub use mirror::{Mirror, mirror};
pub use protocol::PROTOCOL_VERSION;
pub use python::{Discovery, LaunchMethod, PythonConfig, PythonExecutor, SuiteSource};
pub use rehearse::rehearse;
pub use session::{Launch, Places, SessionError};
pub use suite_digest::suite_digest;
pub use unpack::unpack_runner;
