//! The launcher's own side: runs one command at a time, as it is asked, until the socket closes.

use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::sockopt::socket_type;

use super::channel::Channel;
use super::leftovers;
use super::running::Running;
use super::wire::{Reply, Request, RunRequest};

/// The first argument that makes this program the launcher.
pub(super) const ARGUMENT: &str = "__launcher";

/// How often to look whether the command has ended, where the kernel does not tell.
const POLL: Duration = Duration::from_millis(1);

/// How long the end of a killed command is waited for once nobody wants to know of it.
const LAST_PATIENCE: Duration = Duration::from_secs(5);

/// Serves as the launcher and returns its exit status, if this process was started as one.
///
/// A program that uses a [`Launcher`](super::Launcher) calls this before it does anything else: the less memory this
/// process has touched, the less is counted for the commands.
pub fn serve_if_launched() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != ARGUMENT || arguments.next().is_some() {
        return None;
    }
    let stdin = std::io::stdin();
    // Somebody typed the word: only a program has a socket there.
    socket_type(stdin.as_fd()).ok()?;
    let Ok(socket) = stdin.as_fd().try_clone_to_owned() else { return Some(ExitCode::FAILURE) };
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::set_name(c"tacho-launcher");
    leftovers::adopt();
    // A shell or a CI runner has descriptors of its own, and does not mean them for what is measured.
    close_fds::set_fds_cloexec(3, &[]);
    // It ends when the socket does: the other side has all it wanted, or is gone.
    let _ = serve(&mut Channel::new(socket));
    Some(ExitCode::SUCCESS)
}

fn serve(channel: &mut Channel) -> Result<()> {
    loop {
        match channel.next()? {
            Some(Request::Run(request)) => run(channel, *request)?,
            // It ended before this came.
            Some(Request::Kill { .. } | Request::Signal { .. }) => {}
            None => channel.receive()?,
        }
    }
}

fn run(channel: &mut Channel, request: RunRequest) -> Result<()> {
    let id = request.id;
    let n_streams = 2 + request.descriptors.len();
    let streams = (0..n_streams).map(|_| channel.next_descriptor()).collect::<Result<Vec<_>>>()?;
    let mut running = match Running::start(request, streams) {
        Ok(running) => running,
        Err(failure) => return channel.send(&Reply::Failed { id, failure }, &[]),
    };
    let told = channel.send(&Reply::Started { id, pid: running.pid.as_raw_nonzero().get() }, &[]);
    if let Err(gone) = told.and_then(|()| watch(channel, &mut running, id)) {
        end_unseen(running);
        return Err(gone);
    }
    channel.send(&Reply::Ended(running.reap()?), &[])
}

/// Waits for the command to end, kills it when its time is up or when it is asked to.
fn watch(channel: &mut Channel, running: &mut Running, id: u64) -> Result<()> {
    loop {
        let left = running.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            running.timed_out = !running.has_ended();
            running.kill();
            running.deadline = None;
            continue;
        }
        let (asked, ended) = wait(channel, running, left)?;
        if ended {
            return Ok(());
        }
        if asked {
            channel.receive()?;
            while let Some(request) = channel.next()? {
                match request {
                    Request::Kill { id: meant } if meant == id => running.kill(),
                    Request::Signal { id: meant, number } if meant == id => running.signal(number),
                    // It was meant for one that has ended.
                    _ => {}
                }
            }
        }
    }
}

/// Waits for a request or for the end of the command, so long at most; tells which of them came.
fn wait(channel: &Channel, running: &Running, patience: Option<Duration>) -> Result<(bool, bool)> {
    let Some(pid_fd) = &running.pid_fd else {
        let ready = poll(&[channel.as_fd()], Some(patience.map_or(POLL, |left| left.min(POLL))))?;
        return Ok((ready[0], running.has_ended()));
    };
    let ready = poll(&[channel.as_fd(), pid_fd.as_fd()], patience)?;
    Ok((ready[0], ready[1] && running.has_ended()))
}

/// Tells for each descriptor whether it is ready to be read, or has come to its end.
pub(super) fn poll(descriptors: &[BorrowedFd<'_>], patience: Option<Duration>) -> Result<Vec<bool>> {
    let mut polled: Vec<PollFd<'_>> =
        descriptors.iter().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
    let timeout = patience.map(Timespec::try_from).transpose().map_err(|_| Error::from(ErrorKind::InvalidInput))?;
    match rustix::event::poll(&mut polled, timeout.as_ref()) {
        Ok(_) => Ok(polled.iter().map(|fd| !fd.revents().is_empty()).collect()),
        Err(rustix::io::Errno::INTR) => Ok(vec![false; descriptors.len()]),
        Err(error) => Err(error.into()),
    }
}

/// Ends a command that nobody waits for any more, and what it has left behind.
fn end_unseen(running: Running) {
    running.kill();
    let deadline = Instant::now() + LAST_PATIENCE;
    while !running.has_ended() && Instant::now() < deadline {
        std::thread::sleep(POLL);
    }
    let _ = running.reap();
}
