//! One running interpreter with the runner in it: requests out, replies in, its output's tail kept.

mod replies;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::launcher::{CommandLine, Ended, LaunchError, Launchers, Lent, Streams};
use crate::protocol::{HelloReply, PROTOCOL_VERSION, Reply, Request};
use crate::tail::Tail;

/// The descriptors a runner gets its requests from and writes its replies to.
const REQUEST_FD: i32 = 3;
const REPLY_FD: i32 = 4;

/// How often a wait looks whether the user has interrupted, and how long such a signal may be on its way.
pub(crate) const INTERRUPT_POLL: Duration = Duration::from_millis(100);

/// How long a runner may take to start and to end.
const START_LIMIT: Duration = Duration::from_secs(120);
const STOP_LIMIT: Duration = Duration::from_secs(2);

/// How long a process past its limit may take to say where it is.
const DUMP_GRACE: Duration = Duration::from_millis(200);

/// How long the end of what was killed is waited for.
const KILL_LIMIT: Duration = Duration::from_secs(6);

/// How long the last words of a process that has ended may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The longest limit: ten years. More is the same, and the clock cannot count it.
pub(crate) const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Why a session could not answer.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A folder could not be made, or no pipe.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// The interpreter asked for, or the folder.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The interpreter could not be started at all.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// A folder that it needs could not be made.
    #[error("cannot make `{}`: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// What is measured from is gone.
    #[error("the copy of the suite was removed: `{}`", path.display())]
    Gone {
        /// The copy.
        path: PathBuf,
    },
    /// The process ended while an answer was awaited.
    #[error("the interpreter {status} before it answered")]
    Ended {
        /// How it ended, in words that go on from what ended: `exited with status 1`.
        status: String,
        /// The signal's name, where one ended it.
        signal: Option<String>,
        /// What was counted for it, by the names of a round's `observed`.
        observed: BTreeMap<String, f64>,
        /// The end of what it printed.
        output: String,
    },
    /// The process ended before it said hello: no runner could be started in it.
    #[error("it is no Python to measure in: it {status} before it answered")]
    NoRunner {
        /// How it ended, in words that go on from what ended: `exited with status 1`.
        status: String,
        /// The end of what it printed.
        output: String,
    },
    /// No answer came in time; the process group was killed.
    #[error("no answer within {limit_s:.1} s")]
    Late {
        /// The limit that ran out.
        limit_s: f64,
        /// What was counted for it, by the names of a round's `observed`.
        observed: BTreeMap<String, f64>,
        /// The end of what it printed.
        output: String,
    },
    /// It answered something that the protocol does not allow here.
    #[error("the runner answered `{answer}`")]
    Unexpected {
        /// The reply's word or the error's message.
        answer: String,
    },
    /// The user interrupted; the process group was killed.
    #[error("interrupted")]
    Interrupted,
}

impl SessionError {
    /// Tells of the limit that the user knows where another one ran out.
    pub(crate) fn with_limit(self, limit_s: f64) -> SessionError {
        match self {
            SessionError::Late { limit_s: _, observed, output } => SessionError::Late { limit_s, observed, output },
            other => other,
        }
    }
}

/// What is needed to start a session.
#[derive(Debug, Clone)]
pub struct Launch {
    /// What starts it.
    pub launchers: Launchers,
    /// Words that come before the interpreter and start it: `numactl --membind=1 --`, or all but the last of a line such as
    /// `taskset 1 python3`. Empty where nothing does. Each of these programs either gives way to the next or stays its parent.
    pub prefix: Vec<String>,
    /// The interpreter; with a prefix, the word that follows it, and a name is looked for by the program before.
    pub program: PathBuf,
    /// The folder of the unpacked runner.
    pub runner: PathBuf,
    /// Variables set (`Some`) or removed (`None`) for it.
    pub variables: Vec<(String, Option<String>)>,
    /// How many bytes of its output are kept.
    pub output_limit_bytes: usize,
    /// Set when the user interrupts.
    pub interrupted: Arc<AtomicBool>,
    /// Where the suite is measured, and where the user knows it.
    pub places: Option<Places>,
}

/// A folder that is measured from and the original it stands for: the one in what the runner says becomes the other.
#[derive(Debug, Clone)]
pub struct Places {
    /// The copy.
    pub copy: String,
    /// The original.
    pub original: String,
}

impl Places {
    /// Returns a text of the runner's in which the copy's path has become the original's.
    pub(crate) fn told(&self, text: &str) -> String {
        text.replace(&self.copy, &self.original)
    }
}

/// One running interpreter.
pub(crate) struct Session {
    launcher: Lent,
    requests: Option<std::io::PipeWriter>,
    replies: Receiver<Reply>,
    output: Arc<Mutex<Tail>>,
    output_reader: JoinHandle<()>,
    places: Option<Places>,
    interrupted: Arc<AtomicBool>,
    next_id: u64,
    ended: Option<Result<Ended, LaunchError>>,
    /// Whether other programs stand before the interpreter, and may tell of its end in their own way.
    is_led: bool,
}

impl Session {
    /// Starts an interpreter with the runner in `dir` and shakes hands.
    pub(crate) fn start(launch: &Launch, dir: &Path) -> Result<(Session, HelloReply), SessionError> {
        let mut session = Session::spawn(launch, dir)?;
        let reply = session.ask(|id| Request::Hello { id, protocol: PROTOCOL_VERSION }, START_LIMIT);
        let reply = reply.map_err(|error| match error {
            SessionError::Ended { status, signal: None, output, .. } => SessionError::NoRunner { status, output },
            other => other,
        });
        match reply? {
            Reply::Hello(hello) if hello.protocol == PROTOCOL_VERSION => Ok((session, hello)),
            Reply::Hello(hello) => {
                Err(SessionError::Unexpected { answer: format!("protocol version {}", hello.protocol) })
            }
            other => Err(unexpected(&other)),
        }
    }

    fn spawn(launch: &Launch, dir: &Path) -> Result<Session, SessionError> {
        let cannot = |source| SessionError::Start { program: launch.program.display().to_string(), source };
        let pipe = || std::io::pipe().map_err(cannot);
        let ((request_reader, request_writer), (reply_reader, reply_writer)) = (pipe()?, pipe()?);
        let (output_reader, output_writer) = pipe()?;
        let mut launcher = launch.launchers.take()?;
        let streams = Streams {
            stdout: output_writer.try_clone().map_err(cannot)?.into(),
            stderr: output_writer.into(),
            others: vec![(REQUEST_FD, request_reader.into()), (REPLY_FD, reply_writer.into())],
        };
        launcher.begin(&command(launch, dir), streams)?;
        let (output, output_reader) = keep_tail(output_reader, launch.output_limit_bytes);
        Ok(Session {
            launcher,
            requests: Some(request_writer),
            replies: replies::read(reply_reader, launch.places.clone()),
            output,
            output_reader,
            places: launch.places.clone(),
            interrupted: Arc::clone(&launch.interrupted),
            next_id: 1,
            ended: None,
            is_led: !launch.prefix.is_empty(),
        })
    }

    /// Sends one request and returns its final reply; intermediate replies are dropped.
    pub(crate) fn ask(&mut self, request: impl FnOnce(u64) -> Request, limit: Duration) -> Result<Reply, SessionError> {
        self.ask_many(request, limit, |_| {})
    }

    /// Sends one request, hands each intermediate reply to `each`, and returns the final one.
    pub(crate) fn ask_many(
        &mut self,
        request: impl FnOnce(u64) -> Request,
        limit: Duration,
        mut each: impl FnMut(Reply),
    ) -> Result<Reply, SessionError> {
        let request = request(self.next_id);
        self.next_id += 1;
        // A runner that has already ended cannot be written to; the wait below then tells how it ended.
        let _ = self.send(&request);
        let limit = limit.min(LONGEST);
        let deadline = Instant::now() + limit;
        loop {
            let reply = self.next_reply(deadline, limit)?;
            if reply.id() != request.id() {
                continue;
            }
            match reply {
                Reply::Error { message, .. } => return Err(SessionError::Unexpected { answer: message }),
                reply if reply.is_final() => return Ok(reply),
                reply => each(reply),
            }
        }
    }

    fn send(&mut self, request: &Request) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        match &mut self.requests {
            Some(pipe) => pipe.write_all(&line),
            None => Ok(()),
        }
    }

    fn next_reply(&mut self, deadline: Instant, limit: Duration) -> Result<Reply, SessionError> {
        loop {
            if self.interrupted.load(Ordering::Relaxed) {
                self.kill();
                return Err(SessionError::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.ask_where_it_is();
                self.kill();
                let (observed, output) = (self.observed(), self.take_output());
                return Err(SessionError::Late { limit_s: limit.as_secs_f64(), observed, output });
            }
            match self.replies.recv_timeout(left.min(INTERRUPT_POLL)) {
                Ok(reply) => return Ok(reply),
                // It has closed its end, or is about to be gone. Until its time is up it may still do something.
                Err(RecvTimeoutError::Disconnected) => {
                    if self.wait(left.min(INTERRUPT_POLL)) {
                        return Err(self.how_it_ended());
                    }
                }
                // A child that it left behind may hold the pipe open, so its own end is looked for too.
                Err(RecvTimeoutError::Timeout) => {
                    if self.wait(Duration::ZERO) {
                        return self.replies.recv_timeout(LAST_WORDS).map_err(|_| self.how_it_ended());
                    }
                }
            }
        }
    }

    fn how_it_ended(&mut self) -> SessionError {
        self.finish();
        if was_interrupted(&self.interrupted) {
            return SessionError::Interrupted;
        }
        let (observed, output) = (self.observed(), self.take_output());
        let (status, signal) = match &self.ended {
            Some(Ok(ended)) => {
                let signal = if self.is_led { ended.signal_told() } else { ended.signal() };
                (ended.words(signal.as_deref()), signal)
            }
            // That the launcher is lost is the measured code's doing: it has killed the parent of its process.
            Some(Err(LaunchError::Lost { status })) => (format!("ended with its parent ({status})"), None),
            Some(Err(error)) => {
                // It stays known as ended, so that nobody waits for its end again.
                let lost = LaunchError::Lost { status: error.to_string() };
                return match self.ended.replace(Err(lost)) {
                    Some(Err(error)) => SessionError::Launch(error),
                    _ => SessionError::Launch(LaunchError::Lost { status: "unknown".into() }),
                };
            }
            None => ("could not be waited for".into(), None),
        };
        SessionError::Ended { status, signal, observed, output }
    }

    fn observed(&self) -> BTreeMap<String, f64> {
        match &self.ended {
            Some(Ok(ended)) => ended.observed(),
            _ => BTreeMap::new(),
        }
    }

    /// Returns and forgets what the interpreter has printed since the last call.
    pub(crate) fn take_output(&mut self) -> String {
        let deadline = Instant::now() + LAST_WORDS;
        while self.ended.is_some() && !self.output_reader.is_finished() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let (text, _) = self.output.lock().map(|mut tail| tail.take()).unwrap_or_default();
        match &self.places {
            Some(places) => places.told(&text),
            None => text,
        }
    }

    /// Ends the interpreter, politely at first, and what it has left behind. Returns what was counted for it.
    pub(crate) fn finish(&mut self) -> Option<Ended> {
        self.requests = None;
        if !self.wait(STOP_LIMIT) {
            self.kill();
        }
        self.ended.as_ref().and_then(|ended| ended.as_ref().ok()).copied()
    }

    /// Has the runner show the stacks of its threads on its standard error.
    fn ask_where_it_is(&mut self) {
        self.launcher.signal(rustix::process::Signal::USR2);
        self.wait(DUMP_GRACE);
    }

    /// Ends the interpreter at once, with its process group and what has left that.
    fn kill(&mut self) {
        self.requests = None;
        if self.ended.is_none() {
            self.launcher.kill();
            self.wait(KILL_LIMIT);
        }
    }

    /// Waits for the interpreter's end so long at most; tells whether it has ended.
    fn wait(&mut self, patience: Duration) -> bool {
        if self.ended.is_none() {
            self.ended = self.launcher.wait(patience).transpose();
            if matches!(self.ended, Some(Err(LaunchError::Lost { .. }))) {
                self.end_without_launcher();
            }
        }
        self.ended.is_some()
    }

    /// Ends an interpreter whose launcher is gone. Only itself can find what a case has started: the end of its
    /// requests has it do so, and the end of its replies tells that it has.
    fn end_without_launcher(&mut self) {
        self.requests = None;
        let deadline = Instant::now() + STOP_LIMIT;
        let mut left = STOP_LIMIT;
        while !left.is_zero() && self.replies.recv_timeout(left) != Err(RecvTimeoutError::Disconnected) {
            left = deadline.saturating_duration_since(Instant::now());
        }
        self.launcher.kill_orphan();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The interpreter with the runner in it. Each request has a limit of its own, so the process has none.
fn command(launch: &Launch, dir: &Path) -> CommandLine {
    let (requests, replies) = (REQUEST_FD.to_string(), REPLY_FD.to_string());
    let runner = launch.runner.join("__main__.py").into_os_string();
    let options = ["--request-fd".to_owned(), requests, "--reply-fd".to_owned(), replies];
    let interpreter = [launch.program.clone().into_os_string(), runner].into_iter();
    let mut words = launch.prefix.iter().map(OsString::from).chain(interpreter).chain(options.map(OsString::from));
    CommandLine {
        program: words.next().unwrap_or_default(),
        arguments: words.collect(),
        dir: dir.to_owned(),
        variables: launch.variables.clone(),
        limit: LONGEST,
        stdout_limit_bytes: launch.output_limit_bytes,
        stderr_limit_bytes: launch.output_limit_bytes,
        affinity: None,
    }
}

/// Tells whether the user has interrupted. Whoever stops a whole job signals the other processes too, and the signal
/// to this one may come a little later than their ends.
pub(crate) fn was_interrupted(interrupted: &AtomicBool) -> bool {
    let began = Instant::now();
    while !interrupted.load(Ordering::Relaxed) && began.elapsed() < INTERRUPT_POLL {
        std::thread::sleep(Duration::from_millis(1));
    }
    interrupted.load(Ordering::Relaxed)
}

/// Returns the error for a reply that does not belong to the request.
pub(crate) fn unexpected(reply: &Reply) -> SessionError {
    SessionError::Unexpected { answer: reply.word().to_owned() }
}

/// Returns a limit as a duration. What is no sensible number of seconds is no limit.
pub(crate) fn limit(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST)
}

fn keep_tail(mut pipe: std::io::PipeReader, limit: usize) -> (Arc<Mutex<Tail>>, JoinHandle<()>) {
    let tail = Arc::new(Mutex::new(Tail::new(limit)));
    let kept = Arc::clone(&tail);
    let reader = std::thread::spawn(move || {
        let mut chunk = [0_u8; 16384];
        loop {
            match pipe.read(&mut chunk) {
                Ok(0) => return,
                Ok(n) => {
                    if let Ok(mut tail) = kept.lock() {
                        tail.push(&chunk[..n]);
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    });
    (tail, reader)
}

/// Returns a signal's name as `kill -l` writes it (`SIGSEGV`), or its number.
pub(crate) fn signal_name(number: i32) -> String {
    const NAMES: [(i32, &str); 12] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
    ];
    let known = NAMES.iter().find(|(n, _)| *n == number);
    known.map_or_else(|| format!("signal {number}"), |(_, name)| (*name).to_owned())
}
