//! Starts commands from a small process of its own, so that what the kernel counts for a command is the command's.
//!
//! Linux begins the peak memory of a process with that of its starter: `/bin/true` started by a process of 300 MB reads
//! 300 MB. So this program is started once more under a hidden first argument, and that small process, the *launcher*,
//! starts what is measured. It also sees to it that nothing outlives its command: it ends the command's process group,
//! then whatever has left that group, and it does the same when the program that started it is gone, however that ended.

mod capture;
mod channel;
mod client;
mod leftovers;
mod pool;
mod program;
mod recipients;
mod running;
mod serve;
mod wire;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use tacho_model::Timestamp;

use crate::session::signal_name;

pub use capture::Captured;
pub use client::Launcher;
pub(crate) use client::Streams;
pub use pool::Launchers;
pub(crate) use pool::Lent;
pub use serve::serve_if_launched;

/// What a round's `observed` calls processes that outlived the case.
const LEFTOVERS: &str = "leftover_processes";

/// The last of the signals that are not for real time.
const LAST_SIGNAL: i32 = 31;

/// A command, and how it is to be run. Its standard input is empty, and it leads a process group of its own.
#[derive(Debug, Clone)]
pub struct CommandLine {
    /// The program: a name that is looked for in `PATH`, or a path, taken from `dir` where it is relative.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it works in.
    pub dir: PathBuf,
    /// Variables set (`Some`) or removed (`None`); all others are this program's.
    pub variables: Vec<(String, Option<String>)>,
    /// After so long it is killed.
    pub limit: Duration,
    /// How many bytes are kept of what it writes on standard output: the last.
    pub stdout_limit_bytes: usize,
    /// How many bytes are kept of what it writes on standard error: the last.
    pub stderr_limit_bytes: usize,
    /// Processors it may use; `None` for those that this program may.
    pub affinity: Option<Vec<u32>>,
}

/// A command that has ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// When it was started.
    pub started_at: Timestamp,
    /// From before its start to its end, in nanoseconds of a clock that never steps.
    pub wall_ns: u64,
    /// What the kernel counted.
    pub usage: Usage,
    /// Processes that outlived it and were killed: those that had left its process group.
    pub leftover_processes: u64,
    /// What it wrote on standard output.
    pub stdout: Captured,
    /// What it wrote on standard error.
    pub stderr: Captured,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this status.
    Exited(i32),
    /// By a signal that it was sent, such as `SIGSEGV`.
    Signal(String),
    /// Killed because its time was up.
    TimedOut,
}

/// What the kernel counted for a process and those of its descendants that it waited for (`wait4(2)`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time in its own code.
    pub user_ns: u64,
    /// Processor time in the kernel on its behalf.
    pub system_ns: u64,
    /// The most resident memory that any one of the processes had.
    pub max_rss_bytes: u64,
    /// Page faults without reading from a disk.
    pub minor_faults: u64,
    /// Page faults that read from a disk.
    pub major_faults: u64,
    /// Times it waited for something.
    pub voluntary_switches: u64,
    /// Times another process took its processor.
    pub involuntary_switches: u64,
}

impl Usage {
    /// Returns the counts under the names they have in a round's `observed`.
    pub fn observed(&self) -> BTreeMap<String, f64> {
        let Usage {
            user_ns,
            system_ns,
            max_rss_bytes,
            minor_faults,
            major_faults,
            voluntary_switches,
            involuntary_switches,
        } = *self;
        let seconds = |ns: u64| ns as f64 / 1e9;
        let named = [
            ("cpu_user_s", seconds(user_ns)),
            ("cpu_system_s", seconds(system_ns)),
            ("max_rss_bytes", max_rss_bytes as f64),
            ("minor_faults", minor_faults as f64),
            ("major_faults", major_faults as f64),
            ("voluntary_switches", voluntary_switches as f64),
            ("involuntary_switches", involuntary_switches as f64),
        ];
        named.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Why there is nothing to tell of a command.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The launcher itself could not be started.
    #[error("cannot start the launcher `{program}`: {source}")]
    Launcher {
        /// The program it is part of.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The launcher ended before the command did. The next command gets a new one.
    #[error("the process that starts commands ended ({status})")]
    Lost {
        /// How it ended, in words.
        status: String,
    },
    /// There is no such folder to run in.
    #[error("no folder `{dir}` to run `{program}` in")]
    NoFolder {
        /// The folder.
        dir: String,
        /// The program asked for.
        program: String,
    },
    /// There is no such program.
    #[error("no program `{program}`")]
    NotFound {
        /// The program asked for.
        program: String,
    },
    /// There is a file, but it is none that this user can execute.
    #[error("`{program}` is not executable")]
    NotExecutable {
        /// The program asked for.
        program: String,
    },
    /// The system could not start it.
    #[error("cannot start `{program}`: {reason}")]
    Start {
        /// The program asked for.
        program: String,
        /// What the system said.
        reason: String,
    },
    /// The user interrupted; the command was killed.
    #[error("interrupted")]
    Interrupted,
}

/// How a process ended that the launcher has started, as the launcher saw it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) timed_out: bool,
    pub(crate) started_at: Timestamp,
    pub(crate) wall_ns: u64,
    pub(crate) usage: Usage,
    pub(crate) leftover_processes: u64,
}

impl Ended {
    /// Returns the name of the signal that ended the process, unless one did not.
    pub(crate) fn signal(&self) -> Option<String> {
        self.status.signal().map(signal_name)
    }

    /// Returns the name of the signal that ended the process, or the one that it stood before: a shell tells that by a
    /// status of 128 and the signal's number (POSIX.1-2017, Shell and Utilities, 2.8.2).
    pub(crate) fn signal_told(&self) -> Option<String> {
        let told = self.status.code().filter(|status| (129..=128 + LAST_SIGNAL).contains(status));
        self.signal().or_else(|| told.map(|status| signal_name(status - 128)))
    }

    /// Returns how the process ended: `ended by SIGSEGV`, `exited with status 1`.
    pub(crate) fn words(&self, signal: Option<&str>) -> String {
        let by_signal = signal.map(|signal| format!("ended by {signal}"));
        by_signal.unwrap_or_else(|| format!("exited with status {}", self.status.code().unwrap_or_default()))
    }

    /// Returns what was counted under the names it has in a round's `observed`.
    pub(crate) fn observed(&self) -> BTreeMap<String, f64> {
        let mut counts = self.usage.observed();
        counts.extend(self.observed_leftovers());
        counts
    }

    /// Returns the processes it has left, if there were any, under the name they have in a round's `observed`.
    pub(crate) fn observed_leftovers(&self) -> Option<(String, f64)> {
        (self.leftover_processes > 0).then(|| (LEFTOVERS.to_owned(), self.leftover_processes as f64))
    }

    fn ending(&self) -> Ending {
        match (self.timed_out, self.signal()) {
            (true, _) => Ending::TimedOut,
            (false, Some(signal)) => Ending::Signal(signal),
            (false, None) => Ending::Exited(self.status.code().unwrap_or_default()),
        }
    }
}
