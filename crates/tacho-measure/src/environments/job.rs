//! One piece of work: its commands are run one after the other, written down, and all they print goes to one log.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tacho_model::Timestamp;

use super::command_line::AcceptedCodes;
use super::telling::{self, Blame};
use super::variables;
use super::workshop::{MakeError, Workshop};
use crate::clock::now;
use crate::launcher::{Ended, Lent, Streams};
use crate::{CommandLine, LaunchError};

/// How often the log and the user's interrupt are looked at.
const POLL: Duration = Duration::from_millis(100);

/// How long what was killed may take to end.
const END_LIMIT: Duration = Duration::from_secs(6);

/// A build that prints more is out of its mind.
const LOG_LIMIT_BYTES: u64 = 256 << 20;

/// So much of the log stands in a record.
const TAIL_BYTES: u64 = 32 << 10;

/// So much of what a failed command printed is looked through.
const SEARCHED_BYTES: u64 = 1 << 20;

/// Why a piece of work has ended early.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The source, or what is asked of it, is to blame: why.
    Failed(String),
    /// Something else is.
    Other(MakeError),
}

impl From<MakeError> for Trouble {
    fn from(error: MakeError) -> Trouble {
        Trouble::Other(error)
    }
}

/// A command.
#[derive(Debug)]
pub(super) struct Step<'a> {
    /// What it is called in a message: `uv build`.
    pub(super) name: String,
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) dir: &'a Path,
    /// Variables over those of the work.
    pub(super) variables: Vec<(String, Option<String>)>,
    pub(super) accepted: AcceptedCodes,
}

impl<'a> Step<'a> {
    /// Makes a command that fails unless it exits with 0.
    pub(super) fn new(name: &str, program: &Path, dir: &'a Path) -> Step<'a> {
        Step {
            name: name.to_owned(),
            program: program.as_os_str().to_owned(),
            arguments: Vec::new(),
            dir,
            variables: Vec::new(),
            accepted: AcceptedCodes::Only([0].into()),
        }
    }

    /// Adds arguments.
    pub(super) fn with<W: Into<OsString>>(mut self, words: impl IntoIterator<Item = W>) -> Step<'a> {
        self.arguments.extend(words.into_iter().map(Into::into));
        self
    }

    /// Returns the command as one would type it.
    fn line(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments).map(|word| word.to_string_lossy());
        let words: Vec<_> = words.collect();
        shlex::try_join(words.iter().map(AsRef::as_ref)).unwrap_or_else(|_| words.join(" "))
    }
}

/// A piece of work.
pub(super) struct Job<'w> {
    pub(super) workshop: &'w Workshop,
    /// Variables of all its commands.
    pub(super) variables: Vec<(String, Option<String>)>,
    /// The commands as they were run.
    pub(super) commands: Vec<String>,
    pub(super) started_at: Timestamp,
    launcher: Lent,
    log: File,
    log_path: PathBuf,
    began: Instant,
}

impl<'w> Job<'w> {
    /// Begins with an empty log.
    pub(super) fn begin(workshop: &'w Workshop, log: &Path) -> Result<Job<'w>, MakeError> {
        let file = File::options().read(true).append(true).create(true).open(log);
        let file = file.and_then(|file| file.set_len(0).map(|()| file)).map_err(MakeError::io("write", log))?;
        Ok(Job {
            workshop,
            variables: variables::hermetic().into_iter().chain([workshop.search.variable(None)]).collect(),
            commands: Vec::new(),
            started_at: now(),
            launcher: workshop.launchers.take().map_err(MakeError::Launch)?,
            log: file,
            log_path: log.to_owned(),
            began: Instant::now(),
        })
    }

    pub(super) fn duration_ns(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }

    /// Adds a line of our own to the log.
    pub(super) fn note(&mut self, text: &str) {
        let _ = writeln!(self.log, "{text}");
    }

    /// Returns the end of the log.
    pub(super) fn log_tail(&self) -> String {
        self.log_from(self.log_len().saturating_sub(TAIL_BYTES))
    }

    /// Runs a command to its end.
    pub(super) fn run(&mut self, step: Step<'_>) -> Result<(), Trouble> {
        let line = step.line();
        self.note(&format!("$ {line}"));
        self.commands.push(line);
        let printed_from = self.log_len();
        let ended = self.started(&step).and_then(|()| self.waited(&step))?;
        if ended.status.code().is_some_and(|code| step.accepted.accepts(code)) && !ended.timed_out {
            return Ok(());
        }
        Err(self.failure(&step, &ended, printed_from))
    }

    fn started(&mut self, step: &Step<'_>) -> Result<(), Trouble> {
        let stream = || self.log.try_clone().map(OwnedFd::from).map_err(MakeError::io("write", &self.log_path));
        let streams = Streams { stdout: stream()?, stderr: stream()?, others: Vec::new() };
        let command = CommandLine {
            program: step.program.clone(),
            arguments: step.arguments.clone(),
            dir: step.dir.to_owned(),
            variables: self.variables.iter().chain(&step.variables).cloned().collect(),
            limit: self.workshop.limit,
            stdout_limit_bytes: 0,
            stderr_limit_bytes: 0,
            affinity: None,
        };
        self.launcher.begin(&command, streams).map_err(|error| self.not_started(step, error))
    }

    fn waited(&mut self, step: &Step<'_>) -> Result<Ended, Trouble> {
        loop {
            match self.launcher.wait(POLL) {
                Ok(Some(ended)) => return Ok(ended),
                Ok(None) if self.workshop.interrupted.load(Ordering::Relaxed) => {
                    self.kill();
                    return Err(MakeError::Interrupted.into());
                }
                Ok(None) if self.log_len() > LOG_LIMIT_BYTES => {
                    self.kill();
                    // Every commit of a history may do so.
                    let _ = self.log.set_len(SEARCHED_BYTES);
                    let mib = LOG_LIMIT_BYTES >> 20;
                    return Err(Trouble::Failed(format!("`{}` printed more than {mib} MiB", step.name)));
                }
                Ok(None) => {}
                Err(error) => {
                    self.launcher.kill_orphan();
                    return Err(self.not_started(step, error));
                }
            }
        }
    }

    fn kill(&mut self) {
        self.launcher.kill();
        let _ = self.launcher.wait(END_LIMIT);
    }

    /// A program of the project's own that is not there is its own fault.
    fn not_started(&mut self, step: &Step<'_>, error: LaunchError) -> Trouble {
        match error {
            LaunchError::Interrupted => MakeError::Interrupted.into(),
            LaunchError::Launcher { .. } | LaunchError::Lost { .. } => MakeError::Launch(error).into(),
            error => Trouble::Failed(format!("`{}` could not be run: {error}", step.name)),
        }
    }

    fn failure(&self, step: &Step<'_>, ended: &Ended, printed_from: u64) -> Trouble {
        let printed = self.log_from(printed_from.max(self.log_len().saturating_sub(SEARCHED_BYTES)));
        match telling::blame(&printed) {
            Some((Blame::Disk, words)) => return MakeError::DiskFull { words }.into(),
            Some((Blame::Network, words)) => return MakeError::Unreachable { words }.into(),
            None => {}
        }
        let how = match ended.timed_out {
            true => format!("did not end within {} s and was killed", self.workshop.limit.as_secs_f64()),
            false => ended.words(ended.signal().as_deref()),
        };
        let line = telling::telling_line(&printed).map(|line| format!(": {line}")).unwrap_or_default();
        Trouble::Failed(format!("`{}` {how}{line}", step.name))
    }

    fn log_len(&self) -> u64 {
        self.log.metadata().map_or(0, |meta| meta.len())
    }

    fn log_from(&self, start: u64) -> String {
        let mut bytes = Vec::new();
        let mut read = || {
            let mut file = File::open(&self.log_path)?;
            file.seek(SeekFrom::Start(start))?;
            file.take(SEARCHED_BYTES).read_to_end(&mut bytes)
        };
        let _: std::io::Result<usize> = read();
        telling::plain(&String::from_utf8_lossy(&bytes))
    }
}
