//! What can go wrong when git is asked.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use thiserror::Error;

/// What can go wrong when git is asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GitError {
    /// There is no `git` program.
    #[error("there is no `git` program on the PATH")]
    Missing,
    /// `git` or its folder could not be used.
    #[error("cannot run `{command}` in `{}`: {source}", folder.display())]
    NotStarted {
        /// The command line.
        command: String,
        /// Where it was to run.
        folder: PathBuf,
        /// Why it did not.
        source: io::Error,
    },
    /// `git` ended with an error.
    #[error("`{command}` failed ({status}): {stderr}")]
    Failed {
        /// The command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it said.
        stderr: String,
    },
    /// The repository has no files to measure.
    #[error("`{}` is a bare repository: it has no files to measure", folder.display())]
    Bare {
        /// Where the search began.
        folder: PathBuf,
    },
    /// The folder belongs to git itself.
    #[error("`{}` lies inside a repository's own folder, not in its files", folder.display())]
    NoWorkTree {
        /// Where the search began.
        folder: PathBuf,
    },
    /// git's protection against other users' repositories.
    #[error("git refuses the repository in `{}`: another user owns it", folder.display())]
    Ownership {
        /// The folder as git names it.
        folder: PathBuf,
    },
    /// A revision that names no commit.
    #[error("`{revision}` names no commit of this repository: {reason}")]
    UnknownRevision {
        /// What was asked for.
        revision: String,
        /// git's words.
        reason: String,
    },
    /// A folder outside the repository.
    #[error("`{}` lies outside the repository `{}`", folder.display(), root.display())]
    Outside {
        /// The folder.
        folder: PathBuf,
        /// Top of the work tree.
        root: PathBuf,
    },
    /// The scratch folder for a snapshot could not be made.
    #[error("cannot make a scratch index for git: {source}")]
    Scratch {
        /// Why not.
        source: io::Error,
    },
}

impl GitError {
    /// Returns the command that would help, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            GitError::Ownership { folder } => {
                Some(format!("run `git config --global --add safe.directory '{}'`", folder.display()))
            }
            GitError::Missing => Some("install git: what is measured is named by its commit".to_owned()),
            GitError::Bare { .. } => Some("run in a work tree: `git worktree add FOLDER`".to_owned()),
            _ => None,
        }
    }
}

/// Returns the folder that git's `detected dubious ownership in repository at 'FOLDER'` names.
pub(crate) fn owned_folder(stderr: &str, start: &Path) -> PathBuf {
    let named = stderr.split_once("repository at '").and_then(|(_, rest)| rest.split_once('\''));
    named.map_or_else(|| start.to_owned(), |(folder, _)| PathBuf::from(folder))
}
