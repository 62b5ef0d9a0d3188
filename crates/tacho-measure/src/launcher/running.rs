//! One command of the launcher's, from its start to the counts that the kernel kept of it.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt, FdMapping};
use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use tacho_model::Timestamp;

use super::wire::{EndedReply, Failure, RunRequest};
use super::{leftovers, program, recipients};
use crate::clock::now;

/// A command that has been started.
pub(super) struct Running {
    id: u64,
    pub(super) pid: Pid,
    /// Becomes readable when it ends, where the kernel offers that.
    pub(super) pid_fd: Option<OwnedFd>,
    pub(super) deadline: Option<Instant>,
    pub(super) timed_out: bool,
    started: Instant,
    started_at: Timestamp,
}

impl Running {
    /// Starts the command; `streams` are its standard output and error and its further descriptors.
    pub(super) fn start(request: RunRequest, streams: Vec<OwnedFd>) -> Result<Running, Failure> {
        let RunRequest { id, program, arguments, dir, variables, limit_ns, affinity, descriptors } = request;
        let (program, dir) = (OsString::from(program), OsString::from(dir));
        let set = variables.iter().rev().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone());
        let path = set.map_or_else(|| std::env::var_os("PATH"), |value| value.map(OsString::from));
        let found = program::find(&program, dir.as_ref(), &path.unwrap_or_default())?;
        let mut command = Command::new(found);
        command.arg0(program).args(arguments.into_iter().map(OsString::from)).current_dir(dir).process_group(0);
        for (name, value) in variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        connect(&mut command, streams, descriptors)?;
        let (started_at, started) = (now(), Instant::now());
        let child = spawn_within(affinity.as_deref(), &mut command)?;
        let pid = Pid::from_raw(child.id() as i32).ok_or_else(|| Failure::Other("it has no number".into()))?;
        let pid_fd = open_pid(pid);
        let deadline = started.checked_add(Duration::from_nanos(limit_ns));
        Ok(Running { id, pid, pid_fd, deadline, timed_out: false, started, started_at })
    }

    /// Returns true once it has ended, without reaping it: until then its number can belong to nobody else.
    pub(super) fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(rustix::process::waitid(WaitId::Pid(self.pid), options), Ok(None) | Err(rustix::io::Errno::INTR))
    }

    /// Kills its process group.
    pub(super) fn kill(&self) {
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
    }

    /// Sends it a signal, or those it has started where it is only their parent.
    pub(super) fn signal(&self, number: i32) {
        let Some(signal) = Signal::from_named_raw(number) else { return };
        for recipient in recipients::of(self.pid, number) {
            let _ = rustix::process::kill_process(recipient, signal);
        }
    }

    /// Reaps it, ends what it has left behind, and tells of it. It must have ended.
    pub(super) fn reap(self) -> io::Result<EndedReply> {
        let wall_ns = self.started.elapsed().as_nanos() as u64;
        // What is left of the group is killed before the group's number can belong to others.
        self.kill();
        // No other child is waited for meanwhile, so the difference is this one's.
        let before = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        let waited = wait4::try_wait4_pid(self.pid.as_raw_nonzero().get() as u32)?;
        let after = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        let waited = waited.ok_or_else(|| io::Error::other("it still runs"))?;
        let leftover_processes = leftovers::end_all(self.pid);
        let since = |count: fn(&nix::sys::resource::Usage) -> i64| (count(&after) - count(&before)).max(0) as u64;
        Ok(EndedReply {
            id: self.id,
            status: waited.status.into_raw(),
            timed_out: self.timed_out,
            started_at_us: self.started_at.unix_us,
            wall_ns,
            user_ns: waited.rusage.utime.as_nanos() as u64,
            system_ns: waited.rusage.stime.as_nanos() as u64,
            max_rss_bytes: waited.rusage.maxrss,
            minor_faults: since(|usage| usage.minor_page_faults()),
            major_faults: since(|usage| usage.major_page_faults()),
            voluntary_switches: since(|usage| usage.voluntary_context_switches()),
            involuntary_switches: since(|usage| usage.involuntary_context_switches()),
            leftover_processes,
        })
    }
}

/// Gives the command an empty standard input and the descriptors that came for it.
fn connect(command: &mut Command, streams: Vec<OwnedFd>, numbers: Vec<i32>) -> Result<(), Failure> {
    let mut streams = streams.into_iter();
    let (Some(stdout), Some(stderr)) = (streams.next(), streams.next()) else {
        return Err(Failure::Other("its output has nowhere to go".into()));
    };
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    // Even without any mapping this has the command forked. It would else be started in the launcher's own memory, and
    // all of that be counted for it; of a fork, only what the launcher has written to.
    let mappings = numbers.into_iter().zip(streams).map(|(child_fd, parent_fd)| FdMapping { parent_fd, child_fd });
    command.fd_mappings(mappings.collect()).map_err(|error| Failure::Other(error.to_string()))?;
    Ok(())
}

/// Starts the command on the processors it may use: it inherits those of this thread.
fn spawn_within(affinity: Option<&[u32]>, command: &mut Command) -> Result<Child, Failure> {
    let Some(processors) = affinity else { return spawn(command) };
    let cannot = |error: io::Error| Failure::Other(format!("cannot restrict it to processors {processors:?}: {error}"));
    let others = pin::allowed().map_err(cannot)?;
    pin::restrict(processors).map_err(cannot)?;
    let child = spawn(command);
    pin::restore(&others).map_err(cannot)?;
    child
}

fn spawn(command: &mut Command) -> Result<Child, Failure> {
    command.spawn().map_err(|error| match error.kind() {
        // The program is there, so what is missing is what it names to run it.
        io::ErrorKind::NotFound => Failure::Other("the interpreter that it names is not there".into()),
        _ => Failure::Other(error.to_string()),
    })
}

#[cfg(target_os = "linux")]
fn open_pid(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn open_pid(_pid: Pid) -> Option<OwnedFd> {
    None
}

/// The processors of this thread.
#[cfg(target_os = "linux")]
mod pin {
    use std::io::{Error, ErrorKind, Result};

    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    pub(super) fn allowed() -> Result<CpuSet> {
        Ok(sched_getaffinity(None)?)
    }

    pub(super) fn restrict(processors: &[u32]) -> Result<()> {
        let mut set = CpuSet::new();
        for processor in processors {
            if *processor as usize >= CpuSet::MAX_CPU {
                return Err(Error::from(ErrorKind::InvalidInput));
            }
            set.set(*processor as usize);
        }
        Ok(sched_setaffinity(None, &set)?)
    }

    pub(super) fn restore(set: &CpuSet) -> Result<()> {
        Ok(sched_setaffinity(None, set)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod pin {
    use std::io::{ErrorKind, Result};

    pub(super) fn allowed() -> Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    pub(super) fn restrict(_processors: &[u32]) -> Result<()> {
        Ok(())
    }

    pub(super) fn restore(_set: &()) -> Result<()> {
        Ok(())
    }
}
