//! Starts the `git` program: one locale, no pager, no questions, no repository but the one of the folder.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use command_fds::CommandFdExt;

use super::GitError;

/// Variables that point git at another repository, index or behaviour; hooks and editors set them.
///
/// `GIT_CONFIG_COUNT` and its keys stay: that is how containers say `safe.directory`.
pub(crate) const REMOVED: [&str; 26] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INDEX_VERSION",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TRACE",
    "GIT_WORK_TREE",
    "LANGUAGE",
];

/// Settings of the user that would start programs, write to the repository or change what is printed.
const SETTINGS: [&str; 6] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.quotePath=false",
    "advice.addEmbeddedRepo=false",
];

/// What git answered.
#[derive(Debug)]
pub(crate) struct Answer {
    command: String,
    output: Output,
}

impl Answer {
    pub(crate) fn ok(&self) -> bool {
        self.output.status.success()
    }

    /// Returns what was printed, without white space at the end.
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).trim_end().to_owned()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).trim_end().to_owned()
    }

    /// Returns git's own first line of complaint, without its `fatal: `.
    pub(crate) fn reason(&self) -> String {
        let stderr = self.stderr();
        let line = stderr.lines().find(|line| line.starts_with("fatal: ")).or(stderr.lines().next());
        let line = line.unwrap_or("git said nothing");
        line.trim_start_matches("fatal: ").trim_start_matches("error: ").to_owned()
    }

    /// Returns the bytes that were printed.
    pub(crate) fn success(self) -> Result<Vec<u8>, GitError> {
        if self.ok() { Ok(self.output.stdout) } else { Err(self.into_error()) }
    }

    /// Returns what was printed; `None` for git's quiet 1, its answer for "there is none".
    pub(crate) fn success_or_none(self) -> Result<Option<String>, GitError> {
        match self.output.status.code() {
            Some(0) => Ok(Some(self.stdout())),
            Some(1) if self.output.stderr.is_empty() => Ok(None),
            _ => Err(self.into_error()),
        }
    }

    pub(crate) fn into_error(self) -> GitError {
        GitError::Failed { stderr: self.stderr(), status: self.output.status, command: self.command }
    }
}

/// Runs git in a folder, with `input` on its standard input.
pub(crate) fn run<'a>(
    folder: &Path,
    variables: &[(OsString, OsString)],
    arguments: impl IntoIterator<Item = &'a str>,
    input: &[u8],
) -> Result<Answer, GitError> {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let text = format!("git {}", arguments.join(" "));
    let mut command = prepared(folder, variables);
    command.args(&arguments);
    let output = talk(&mut command, input).map_err(|source| not_started(folder, &text, source))?;
    Ok(Answer { command: text, output })
}

/// The same for a git that keeps a lock, which so outlives a `tacho` that is killed while git still writes.
pub(crate) fn run_holding<'a>(
    folder: &Path,
    variables: &[(OsString, OsString)],
    arguments: impl IntoIterator<Item = &'a str>,
    lock: &File,
) -> Result<Answer, GitError> {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let text = format!("git {}", arguments.join(" "));
    let mut command = prepared(folder, variables);
    command.args(&arguments);
    let output = lock.try_clone().and_then(|lock| {
        command.preserved_fds(vec![lock.into()]);
        talk(&mut command, &[])
    });
    let output = output.map_err(|source| not_started(folder, &text, source))?;
    Ok(Answer { command: text, output })
}

/// Runs git in a folder and hands over each line that it prints, without the newline, until `take` has enough.
///
/// Returns `None` where git was ended for that; else its answer, without the lines.
pub(crate) fn stream<'a>(
    folder: &Path,
    variables: &[(OsString, OsString)],
    arguments: impl IntoIterator<Item = &'a str>,
    input: &[u8],
    take: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<Option<Answer>, GitError> {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let text = format!("git {}", arguments.join(" "));
    let mut command = prepared(folder, variables);
    command.args(&arguments);
    let output = listen(&mut command, input, take).map_err(|source| not_started(folder, &text, source))?;
    Ok(output.map(|output| Answer { command: text, output }))
}

fn not_started(folder: &Path, command: &str, source: io::Error) -> GitError {
    match source.kind() {
        io::ErrorKind::NotFound if folder.is_dir() => GitError::Missing,
        _ => GitError::NotStarted { command: command.to_owned(), folder: folder.to_owned(), source },
    }
}

fn prepared(folder: &Path, variables: &[(OsString, OsString)]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in REMOVED {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command.arg("--no-pager");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command
}

fn talk(command: &mut Command, input: &[u8]) -> io::Result<Output> {
    let mut child = command.spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // Written from a thread of its own: git may answer before it has read everything. A git that
        // stops reading says why by its exit status, so a broken pipe is no error here.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    })
}

fn listen(
    command: &mut Command,
    input: &[u8],
    mut take: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> io::Result<Option<Output>> {
    let mut child = command.spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        let complaint = scope.spawn(move || {
            let mut text = Vec::new();
            // What git said before its pipe broke is all there is to tell.
            let _ = stderr.map(|mut stderr| stderr.read_to_end(&mut text));
            text
        });
        let mut lines = BufReader::new(stdout.expect("it was asked for"));
        let mut line = Vec::new();
        let mut enough = false;
        while !enough && lines.read_until(b'\n', &mut line)? > 0 {
            enough = take(line.strip_suffix(b"\n").unwrap_or(&line)).is_break();
            line.clear();
        }
        if enough {
            // It may be at its end already.
            let _ = child.kill();
        }
        drop(lines);
        let status = child.wait()?;
        let stderr = complaint.join().unwrap_or_default();
        Ok((!enough).then_some(Output { status, stdout: Vec::new(), stderr }))
    })
}
