//! The one error that reaches the user: what failed, on what, and the next command.

use std::fmt::Write as _;

use tacho_measure::history::HistoryError;
use tacho_measure::matching::PatternError;
use tacho_store::StoreError;

use crate::exit;

/// An error with hints and an exit code.
#[derive(Debug)]
pub(crate) struct CommandError {
    source: anyhow::Error,
    hints: Vec<String>,
    code: u8,
}

pub(crate) type Result<T> = std::result::Result<T, CommandError>;

impl CommandError {
    /// Returns an error with a message of its own.
    pub(crate) fn new(message: impl std::fmt::Display) -> CommandError {
        CommandError { source: anyhow::anyhow!("{message}"), hints: vec![], code: exit::NO_ANSWER }
    }

    /// Returns the error for a record that cannot be read, with the way out.
    pub(crate) fn of_record(error: &StoreError) -> CommandError {
        let told = CommandError::new(error.line());
        match way_out(error) {
            Some(hint) => told.hint(hint),
            None => told,
        }
    }

    /// Adds a line that says what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> CommandError {
        self.hints.push(hint.into());
        self
    }

    /// Adds a line for each hint that there is.
    pub(crate) fn hints(mut self, hints: impl IntoIterator<Item = String>) -> CommandError {
        self.hints.extend(hints);
        self
    }

    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// Returns what went wrong, with its causes and without hints.
    pub(crate) fn message(&self) -> String {
        one_chain(&self.source)
    }

    /// Returns true where the reader of our output has gone away: no error for anybody.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        let io = |cause: &(dyn std::error::Error + 'static)| {
            cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
        };
        self.source.chain().any(io)
    }

    /// Returns the text for standard error: `error: …` with causes, then a `hint: …` line each.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("error: {}", one_chain(&self.source));
        for hint in &self.hints {
            let _ = write!(text, "\nhint: {hint}");
        }
        text
    }
}

/// Returns what to do about a record that cannot be read, where its error does not say so itself.
pub(crate) fn way_out(error: &StoreError) -> Option<&'static str> {
    match error {
        StoreError::CutShort { path, .. } if path.extension().is_some_and(|end| end == "open") => {
            Some("it ends before anything was measured: remove it")
        }
        StoreError::NotOurs { .. }
        | StoreError::CutShort { .. }
        | StoreError::BadLine { .. }
        | StoreError::Misfit { .. }
        | StoreError::WrongCount { .. }
        | StoreError::WrongDigest { .. } => {
            Some("put a damaged record back from a copy, or move it away: no other record needs it")
        }
        StoreError::BadJson { .. } => Some("put it back from a copy, or move it away: no other file needs it"),
        StoreError::InUse { .. } => Some("let that run come to its end"),
        StoreError::Io { .. }
        | StoreError::Newer { .. }
        | StoreError::TooLarge { .. }
        | StoreError::Exists { .. }
        | StoreError::Exported { .. }
        | StoreError::Refused { .. } => None,
    }
}

/// Joins an error with its causes, leaving out a cause that the text above it already tells.
fn one_chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

impl<E: Into<anyhow::Error>> From<E> for CommandError {
    fn from(error: E) -> CommandError {
        let source = error.into();
        let hints = hint_about(&source).into_iter().collect();
        CommandError { source, hints, code: exit::NO_ANSWER }
    }
}

/// What to do about errors that many commands can meet.
fn hint_about(error: &anyhow::Error) -> Option<String> {
    if let Some(error) = error.downcast_ref::<HistoryError>() {
        return error.hint();
    }
    match error.downcast_ref::<PatternError>()? {
        PatternError::TooSlow { .. } => {
            Some("write it without repeats inside of repeats, or name more of it plainly".into())
        }
        PatternError::Syntax { .. } => Some(
            "it is read as a Python regular expression: a backslash before a sign, as in `\\(`, means the sign itself"
                .into(),
        ),
        _ => None,
    }
}

/// Adds a hint to the error of a result.
pub(crate) trait WithHint<T> {
    fn hint(self, hint: impl Into<String>) -> Result<T>;
}

impl<T, E: Into<CommandError>> WithHint<T> for std::result::Result<T, E> {
    fn hint(self, hint: impl Into<String>) -> Result<T> {
        self.map_err(|error| error.into().hint(hint))
    }
}
