//! Makes runs: finds out what is measured, on what machine, and measures it.
//!
//! The room knows processes and git. It knows no store, no verdict and nothing about printing: it emits
//! events and rounds, and the binary leads them on.

pub mod budget;
mod calibration;
mod clock;
mod control;
mod convert;
mod cpu_list;
pub mod environments;
mod execute;
#[cfg(test)]
mod fixture;
pub mod git;
pub mod history;
mod launcher;
pub mod machine;
pub mod matching;
mod mirror;
pub mod noise;
pub mod numa;
mod protocol;
mod python;
mod rehearse;
mod scratch;
mod session;
mod suite_digest;
mod tail;
pub mod threads;
mod unpack;

pub use calibration::calibrate;
pub use clock::now;
pub use control::{CalibrationError, measure_calibration, measure_control};
pub use execute::{Event, ExecuteOptions, Executor, Finish, Side, Task, execute, execute_interleaved};
pub use launcher::{
    Captured, CommandLine, Ending, Finished, LaunchError, Launcher, Launchers, Usage, serve_if_launched,
};
pub use mirror::{Mirror, mirror};
pub use protocol::PROTOCOL_VERSION;
pub use python::{Discovery, LaunchMethod, PythonConfig, PythonExecutor, SuiteSource};
pub use rehearse::rehearse;
pub use scratch::Scratch;
pub use session::{Launch, Places, SessionError};
pub use suite_digest::suite_digest;
pub use unpack::unpack_runner;
