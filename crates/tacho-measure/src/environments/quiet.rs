//! Questions to programs: short commands whose answer is read and not kept.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::telling;
use super::variables;
use super::workshop::{MakeError, Workshop};
use crate::{CommandLine, Ending, Finished, LaunchError};

/// Downloading an interpreter takes longest.
const LIMIT: Duration = Duration::from_secs(600);

const LIMIT_BYTES: usize = 1 << 16;

/// What a program answered.
pub(super) struct Answer {
    finished: Finished,
}

impl Answer {
    pub(super) fn is_ok(&self) -> bool {
        self.finished.ending == Ending::Exited(0)
    }

    /// Returns the first line of what it printed.
    pub(super) fn stdout_line(&self) -> Option<&str> {
        self.finished.stdout.text.lines().map(str::trim).find(|line| !line.is_empty())
    }

    /// Returns the line of its complaint that tells most.
    pub(super) fn last_line(&self) -> String {
        let Finished { stdout, stderr, .. } = &self.finished;
        let words = telling::telling_line(&stderr.text).or_else(|| telling::telling_line(&stdout.text));
        words.unwrap_or_else(|| "it said nothing".into())
    }
}

/// Runs a program for its answer. One that is not there is a [`MakeError::Tool`].
pub(super) fn ask(workshop: &Workshop, program: &Path, words: &[OsString]) -> Result<Answer, MakeError> {
    ask_with(workshop, program, words, &[])
}

/// The same with variables of the caller's.
pub(super) fn ask_with(
    workshop: &Workshop,
    program: &Path,
    words: &[OsString],
    set: &[(String, Option<String>)],
) -> Result<Answer, MakeError> {
    let command = CommandLine {
        program: program.as_os_str().to_owned(),
        arguments: words.to_vec(),
        dir: "/".into(),
        variables: set_before(workshop).chain(set.iter().cloned()).collect(),
        limit: LIMIT,
        stdout_limit_bytes: LIMIT_BYTES,
        stderr_limit_bytes: LIMIT_BYTES,
        affinity: None,
    };
    let mut launcher = workshop.launchers.take().map_err(MakeError::Launch)?;
    match launcher.run(&command, &workshop.interrupted) {
        Ok(finished) => Ok(Answer { finished }),
        Err(LaunchError::Interrupted) => Err(MakeError::Interrupted),
        Err(error @ (LaunchError::Launcher { .. } | LaunchError::Lost { .. })) => Err(MakeError::Launch(error)),
        Err(error) => Err(MakeError::Tool {
            problem: error.to_string(),
            hint: "see that it is installed and on the search path".into(),
        }),
    }
}

fn set_before(workshop: &Workshop) -> impl Iterator<Item = (String, Option<String>)> {
    variables::hermetic().into_iter().chain([workshop.search.variable(None)])
}
