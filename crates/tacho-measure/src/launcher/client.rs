//! The launcher as the rest of the program sees it.

use std::io::Result as IoResult;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tacho_model::Timestamp;

use super::capture::Capture;
use super::channel::Channel;
use super::serve::{ARGUMENT, poll};
use super::wire::{EndedReply, Failure, Reply, Request, RunRequest};
use super::{CommandLine, Ended, Finished, LaunchError, Usage};
use crate::session::{INTERRUPT_POLL, LONGEST};

/// How long a launcher may take to end, and what it was asked to kill.
const END_LIMIT: Duration = Duration::from_secs(6);

/// Starts commands, one at a time, from a small process. That process ends with this value, and the command with it.
#[derive(Debug, Default)]
pub struct Launcher {
    program: PathBuf,
    link: Option<Link>,
    /// The command of a launcher that was lost.
    orphan: Option<Pid>,
    last_id: u64,
}

/// A launcher that runs.
#[derive(Debug)]
struct Link {
    process: Child,
    channel: Channel,
    current: Option<Current>,
}

/// The command it has been given.
#[derive(Debug)]
struct Current {
    id: u64,
    pid: Option<Pid>,
    program: String,
    dir: String,
}

/// The descriptors a command gets besides an empty standard input.
pub(crate) struct Streams {
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
    /// Others, with the number that each has in the command.
    pub(crate) others: Vec<(i32, OwnedFd)>,
}

impl Launcher {
    /// Starts the launcher. `program` is this very program, whose `main` begins with
    /// [`serve_if_launched`](super::serve_if_launched); see [`Launcher::this_program`].
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(program: &Path) -> Result<Launcher, LaunchError> {
        let mut launcher = Launcher { program: program.to_owned(), link: None, orphan: None, last_id: 0 };
        launcher.link()?;
        Ok(launcher)
    }

    /// Returns the path of the program that runs, which remains the same where its file has been replaced.
    pub fn this_program() -> PathBuf {
        let itself = PathBuf::from("/proc/self/exe");
        if itself.exists() { itself } else { std::env::current_exe().unwrap_or(itself) }
    }

    /// Runs a command to its end, and ends what it leaves behind.
    ///
    /// # Errors
    /// The command could not be started, the launcher is lost, or the user has interrupted. How the command itself
    /// ended is no error.
    pub fn run(&mut self, command: &CommandLine, interrupted: &AtomicBool) -> Result<Finished, LaunchError> {
        let cannot = |source: std::io::Error| LaunchError::Start {
            program: command.program.to_string_lossy().into_owned(),
            reason: source.to_string(),
        };
        let (stdout_reader, stdout) = std::io::pipe().map_err(cannot)?;
        let (stderr_reader, stderr) = std::io::pipe().map_err(cannot)?;
        let mut captures = [
            Capture::new(stdout_reader, command.stdout_limit_bytes).map_err(cannot)?,
            Capture::new(stderr_reader, command.stderr_limit_bytes).map_err(cannot)?,
        ];
        self.begin(command, Streams { stdout: stdout.into(), stderr: stderr.into(), others: Vec::new() })?;
        let ended = self.wait_and_read(&mut captures, interrupted);
        self.kill_orphan();
        let ended = ended?;
        let ending = ended.ending();
        let Ended { started_at, wall_ns, usage, leftover_processes, .. } = ended;
        let [stdout, stderr] = captures.map(Capture::finish);
        Ok(Finished { ending, started_at, wall_ns, usage, leftover_processes, stdout, stderr })
    }

    fn wait_and_read(&mut self, captures: &mut [Capture; 2], interrupted: &AtomicBool) -> Result<Ended, LaunchError> {
        loop {
            if interrupted.load(Ordering::Relaxed) {
                self.kill();
                let _ = self.wait(END_LIMIT);
                return Err(LaunchError::Interrupted);
            }
            if let Some(ended) = self.wait(Duration::ZERO)? {
                return Ok(ended);
            }
            let Some(link) = &self.link else { return Err(lost("it is gone")) };
            let mut descriptors: Vec<BorrowedFd<'_>> = captures.iter().filter_map(Capture::descriptor).collect();
            descriptors.push(link.channel.as_fd());
            let _ = poll(&descriptors, Some(INTERRUPT_POLL));
            for capture in captures.iter_mut() {
                capture.read();
            }
        }
    }

    /// Gives the launcher a command. Whether it could be started is told by [`Launcher::wait`].
    pub(crate) fn begin(&mut self, command: &CommandLine, streams: Streams) -> Result<(), LaunchError> {
        self.last_id += 1;
        let id = self.last_id;
        let current = Current {
            id,
            pid: None,
            program: command.program.to_string_lossy().into_owned(),
            dir: command.dir.display().to_string(),
        };
        let request = RunRequest {
            id,
            program: command.program.as_os_str().into(),
            arguments: command.arguments.iter().map(|word| word.as_os_str().into()).collect(),
            dir: command.dir.as_os_str().into(),
            variables: command.variables.clone(),
            limit_ns: command.limit.min(LONGEST).as_nanos() as u64,
            affinity: command.affinity.clone(),
            descriptors: streams.others.iter().map(|(number, _)| *number).collect(),
        };
        let others = streams.others.iter().map(|(_, descriptor)| descriptor.as_fd());
        let descriptors: Vec<_> = [streams.stdout.as_fd(), streams.stderr.as_fd()].into_iter().chain(others).collect();
        let link = self.link()?;
        link.current = Some(current);
        match link.channel.send(&Request::Run(Box::new(request)), &descriptors) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.lose()),
        }
    }

    /// Waits so long for the command to end; returns how it did, or `None` where it runs on.
    pub(crate) fn wait(&mut self, patience: Duration) -> Result<Option<Ended>, LaunchError> {
        let deadline = Instant::now() + patience;
        loop {
            let Some(link) = &mut self.link else { return Err(lost("it is gone")) };
            if let Some(ended) = link.answer()? {
                return Ok(Some(ended));
            }
            // Nothing that could end has been begun, or its end has been told already.
            if link.current.is_none() {
                return Err(lost("it has nothing to do"));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match poll(&[link.channel.as_fd()], Some(left)) {
                Ok(ready) if ready[0] => {}
                _ if left.is_zero() => return Ok(None),
                _ => continue,
            }
            if link.channel.receive().is_err() {
                return Err(self.lose());
            }
        }
    }

    /// Has the command killed now, with its process group and all that it has left behind.
    pub(crate) fn kill(&mut self) {
        if let Some(Link { channel, current: Some(current), .. }) = &self.link {
            let _ = channel.send(&Request::Kill { id: current.id }, &[]);
        }
    }

    /// Has the command's own process sent a signal.
    pub(crate) fn signal(&mut self, signal: Signal) {
        if let Some(Link { channel, current: Some(current), .. }) = &self.link {
            let _ = channel.send(&Request::Signal { id: current.id, number: signal.as_raw() }, &[]);
        }
    }

    /// Kills the process group of a command whose launcher was lost.
    pub(crate) fn kill_orphan(&mut self) {
        if let Some(pid) = self.orphan.take() {
            let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        }
    }

    /// Tells whether it runs and has nothing to do.
    pub(super) fn is_idle(&mut self) -> bool {
        self.link.as_mut().is_some_and(|link| link.current.is_none() && matches!(link.process.try_wait(), Ok(None)))
    }

    fn link(&mut self) -> Result<&mut Link, LaunchError> {
        if self.link.is_none() {
            let started = Link::start(&self.program)
                .map_err(|source| LaunchError::Launcher { program: self.program.display().to_string(), source })?;
            self.link = Some(started);
        }
        self.link.as_mut().ok_or_else(|| lost("it is gone"))
    }

    /// Gives up a launcher that has ended by itself. Its command, which it could not kill, is an orphan now.
    fn lose(&mut self) -> LaunchError {
        let Some(mut link) = self.link.take() else { return lost("it is gone") };
        self.orphan = link.current.take().and_then(|current| current.pid);
        let status = link.end();
        lost(&status.map_or_else(|| "it could not be waited for".into(), |status| status.to_string()))
    }
}

impl Link {
    fn start(program: &Path) -> IoResult<Link> {
        let (ours, theirs) = UnixStream::pair()?;
        let process = Command::new(program)
            .arg0("tacho")
            .arg(ARGUMENT)
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            // What a terminal sends to this program's group is no concern of the launcher's.
            .process_group(0)
            .spawn()?;
        Ok(Link { process, channel: Channel::new(ours.into()), current: None })
    }

    /// Returns what has been answered about the current command, if it has come to its end.
    fn answer(&mut self) -> Result<Option<Ended>, LaunchError> {
        while let Some(reply) = self.channel.next::<Reply>().map_err(|error| lost(&error.to_string()))? {
            match reply {
                Reply::Started { id, pid } => {
                    let current = self.current.as_mut().filter(|current| current.id == id);
                    if let Some(current) = current {
                        current.pid = Pid::from_raw(pid);
                    }
                }
                Reply::Failed { id, failure } => {
                    if let Some(current) = self.current.take_if(|current| current.id == id) {
                        return Err(current.failed(failure));
                    }
                }
                Reply::Ended(reply) => {
                    if self.current.take_if(|current| current.id == reply.id).is_some() {
                        return Ok(Some(ended(reply)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Closes the socket, which ends the launcher and its command, and waits for that.
    fn end(self) -> Option<ExitStatus> {
        let Link { mut process, channel, .. } = self;
        drop(channel);
        let deadline = Instant::now() + END_LIMIT;
        let mut pause = Duration::from_micros(100);
        while Instant::now() < deadline {
            match process.try_wait() {
                Ok(None) => std::thread::sleep(pause),
                Ok(status) => return status,
                Err(_) => return None,
            }
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        let _ = process.kill();
        process.wait().ok()
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        self.kill_orphan();
        if let Some(link) = self.link.take() {
            link.end();
        }
    }
}

impl Current {
    fn failed(self, failure: Failure) -> LaunchError {
        let Current { program, dir, .. } = self;
        match failure {
            Failure::NoFolder => LaunchError::NoFolder { dir, program },
            Failure::NotFound => LaunchError::NotFound { program },
            Failure::NotExecutable => LaunchError::NotExecutable { program },
            Failure::Other(reason) => LaunchError::Start { program, reason },
        }
    }
}

fn ended(reply: EndedReply) -> Ended {
    let EndedReply {
        id: _,
        status,
        timed_out,
        started_at_us,
        wall_ns,
        user_ns,
        system_ns,
        max_rss_bytes,
        minor_faults,
        major_faults,
        voluntary_switches,
        involuntary_switches,
        leftover_processes,
    } = reply;
    Ended {
        status: ExitStatus::from_raw(status),
        timed_out,
        started_at: Timestamp { unix_us: started_at_us },
        wall_ns,
        usage: Usage {
            user_ns,
            system_ns,
            max_rss_bytes,
            minor_faults,
            major_faults,
            voluntary_switches,
            involuntary_switches,
        },
        leftover_processes,
    }
}

fn lost(status: &str) -> LaunchError {
    LaunchError::Lost { status: status.to_owned() }
}
