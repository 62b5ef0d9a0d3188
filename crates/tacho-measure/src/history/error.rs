//! What can go wrong with commits and versions.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::git::{GitError, error};

/// What can go wrong with commits and versions.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// Git could not be asked.
    #[error(transparent)]
    Git(#[from] GitError),
    /// There is no repository.
    #[error("`{}` lies in no git repository", folder.display())]
    NoRepository {
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The repository's HEAD leads to no commit.
    #[error("the repository `{}` has no commits: its HEAD leads to none", folder.display())]
    Empty {
        /// The repository.
        folder: PathBuf,
    },
    /// A configured branch that is not there.
    #[error("there is no branch `{branch}`; {}", listed("branches", nearest))]
    UnknownBranch {
        /// The name.
        branch: String,
        /// Names that come near, or the first there are.
        nearest: Vec<String>,
    },
    /// A revision that names no commit.
    #[error("`{revision}` names no commit of this repository{}", reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    UnknownRevision {
        /// What was asked for.
        revision: String,
        /// Git's words, where they say more.
        reason: Option<String>,
        /// Branches and tags that come near.
        nearest: Vec<String>,
        /// True in a shallow clone: the commit may only be missing.
        shallow: bool,
    },
    /// A shallow clone ends inside the range.
    #[error("`{range}` is cut: this shallow clone ends at {}, and its parents are missing", short(end))]
    Cut {
        /// What was asked for.
        range: String,
        /// Full hash of the last commit that is there.
        end: String,
    },
    /// A word of a range that means nothing.
    #[error("cannot use the range `{range}`: {reason}")]
    Words {
        /// What was asked for.
        range: String,
        /// Why not.
        reason: String,
    },
    /// A file of commits or versions that cannot be read.
    #[error("cannot read `{path}`: {source}")]
    HashFile {
        /// Its path; `-` is standard input.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// An address that cannot be cloned.
    #[error("cannot clone `{address}`: {reason}")]
    Clone {
        /// The address, without a password.
        address: String,
        /// Git's words.
        reason: String,
    },
    /// The cache could not be read or written.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Cache {
        /// What was tried.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// A name for a work tree that cannot be a folder's.
    #[error("`{slot}` cannot be the name of a work tree")]
    SlotName {
        /// The name.
        slot: String,
    },
    /// Another process uses the work tree.
    #[error("another process works in `{}`", path.display())]
    Busy {
        /// The work tree.
        path: PathBuf,
    },
    /// A commit could not be checked out.
    #[error("cannot check out {}: {reason}", short(commit))]
    CheckOut {
        /// Full hash, or tree id.
        commit: String,
        /// Git's words.
        reason: String,
    },
    /// A submodule could not be checked out.
    #[error("cannot check out the submodule `{path}` of {}: {reason}", short(commit))]
    Submodule {
        /// Its path from the top of the repository.
        path: String,
        /// Full hash of the commit that needs it.
        commit: String,
        /// Git's words.
        reason: String,
    },
    /// A version that is not among those to choose from.
    #[error("there is no version `{version}`; {}", listed("versions", nearest))]
    UnknownVersion {
        /// The version.
        version: String,
        /// Versions that come near, or the newest there are.
        nearest: Vec<String>,
    },
}

impl HistoryError {
    /// Returns what would help, where something is known to.
    pub fn hint(&self) -> Option<String> {
        match self {
            HistoryError::Git(error) => error.hint(),
            HistoryError::Cut { .. } | HistoryError::UnknownRevision { shallow: true, .. } => {
                Some("fetch the whole history: `git fetch --unshallow`".to_owned())
            }
            HistoryError::UnknownRevision { nearest, .. } if !nearest.is_empty() => {
                Some(format!("did you mean {}?", quoted(nearest)))
            }
            HistoryError::Busy { .. } => Some("wait until the other `tacho` has ended".to_owned()),
            HistoryError::Submodule { reason, .. } if reason.contains("dubious ownership") => {
                let folder = error::owned_folder(reason, Path::new("*"));
                GitError::Ownership { folder }.hint()
            }
            HistoryError::Submodule { path, .. } => Some(format!(
                "initialise it in your checkout, from where it is then taken: `git submodule update --init -- {path}`"
            )),
            _ => None,
        }
    }
}

fn listed(what: &str, names: &[String]) -> String {
    match names {
        [] => format!("there are no {what}"),
        [_] => format!("there is {}", quoted(names)),
        _ => format!("there are {}", quoted(names)),
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn short(hash: &str) -> String {
    hash.chars().take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submodule_of_another_user_is_told_with_the_way_out() {
        let check = |reason: &str, expected: &str| {
            let (path, commit) = ("libs/sub".to_owned(), "0".repeat(40));
            let hint = HistoryError::Submodule { path, commit, reason: reason.to_owned() }.hint().unwrap();
            assert!(hint.ends_with(expected), "{hint}");
        };
        let dubious = "detected dubious ownership in repository at '/srv/p/.git/modules/libs/sub'";
        check(dubious, "`git config --global --add safe.directory '/srv/p/.git/modules/libs/sub'`");
        check("transport 'file' not allowed", "`git submodule update --init -- libs/sub`");
    }
}
