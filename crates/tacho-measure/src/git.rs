//! Asks the `git` program about a repository; never writes to it.

pub(crate) mod command;
pub(crate) mod error;
mod work_tree;

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use tacho_model::Timestamp;

use command::Answer;
pub use error::GitError;
pub use work_tree::WorkTree;

/// A repository with a work tree.
#[derive(Debug, Clone)]
pub struct Git {
    /// Top of the work tree; only a folder to start from while the repository is being found.
    root: PathBuf,
    /// Variables set for every git process, on top of those that [`command`] sets.
    variables: Vec<(OsString, OsString)>,
    /// Paths, from the root, that are no part of what is measured.
    own: Vec<Vec<u8>>,
    /// Paths, from the root, below which files that git does not track are no part of what is measured.
    untracked: Vec<Vec<u8>>,
}

impl Git {
    /// Returns the repository that `folder` belongs to, a bare one too, for questions about commits: whether there is one is not asked,
    /// and where there is none every answer is an error.
    pub fn of_commits(folder: &Path) -> Git {
        Git { root: folder.to_owned(), variables: Vec::new(), own: Vec::new(), untracked: Vec::new() }
    }

    /// Returns the repository whose work tree holds `folder`; `None` where there is none.
    ///
    /// # Errors
    /// A bare repository, a folder inside `.git`, a repository that git refuses because another user owns
    /// it, and a `git` that cannot be started.
    pub fn discover(folder: &Path) -> Result<Option<Git>, GitError> {
        Git::discover_with(folder, Vec::new())
    }

    /// The same with variables for every git process.
    pub(crate) fn discover_with(folder: &Path, variables: Vec<(OsString, OsString)>) -> Result<Option<Git>, GitError> {
        let start = Git { root: folder.to_owned(), variables, own: Vec::new(), untracked: Vec::new() };
        let answer = start.ask(["rev-parse", "--is-bare-repository", "--is-inside-work-tree"])?;
        if !answer.ok() {
            return match answer.stderr() {
                stderr if stderr.contains("not a git repository") => Ok(None),
                stderr if stderr.contains("dubious ownership") => {
                    Err(GitError::Ownership { folder: error::owned_folder(&stderr, folder) })
                }
                _ => Err(answer.into_error()),
            };
        }
        match answer.stdout().lines().collect::<Vec<_>>()[..] {
            ["true", _] => return Err(GitError::Bare { folder: folder.to_owned() }),
            [_, "true"] => {}
            _ => return Err(GitError::NoWorkTree { folder: folder.to_owned() }),
        }
        let root = path(start.ask(["rev-parse", "--show-toplevel"])?.success()?);
        Ok(Some(Git { root, ..start }))
    }

    /// Returns the repository with some paths left out of what makes a work tree dirty and of its tree ids:
    /// those that measuring itself writes to. Paths outside the repository are ignored.
    #[must_use]
    pub fn without(mut self, paths: &[PathBuf]) -> Git {
        self.own.extend(self.inner_paths(paths));
        self
    }

    /// The same for files that git does not track; tracked ones below the folders still count.
    #[must_use]
    pub fn without_untracked(mut self, folders: &[PathBuf]) -> Git {
        self.untracked.extend(self.inner_paths(folders));
        self
    }

    fn inner_paths(&self, paths: &[PathBuf]) -> Vec<Vec<u8>> {
        let root = self.root.canonicalize().unwrap_or_else(|_| self.root.clone());
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let inner =
            paths.iter().filter_map(|path| Some(real(path).strip_prefix(&root).ok()?.as_os_str().as_bytes().to_vec()));
        inner.filter(|inner| !inner.is_empty()).collect()
    }

    /// Returns true for a path, from the root, that is none of the project's. Python's compiled copy of a file is
    /// none either, unless it is tracked.
    fn is_own(&self, path: &[u8], tracked: bool) -> bool {
        let below =
            |folder: &Vec<u8>| path.strip_prefix(&folder[..]).is_some_and(|rest| rest.is_empty() || rest[0] == b'/');
        let compiled = || path.split(|byte| *byte == b'/').any(|part| part == b"__pycache__");
        self.own.iter().any(below) || !tracked && (self.untracked.iter().any(below) || compiled())
    }

    /// Returns the top folder of the work tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the full hash of the commit that is checked out; `None` before the first commit.
    ///
    /// # Errors
    /// Git failed.
    pub fn head(&self) -> Result<Option<String>, GitError> {
        self.ask(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?.success_or_none()
    }

    /// Returns the branch that is checked out; `None` with a detached HEAD.
    ///
    /// # Errors
    /// Git failed.
    pub fn branch(&self) -> Result<Option<String>, GitError> {
        self.ask(["symbolic-ref", "--quiet", "--short", "HEAD"])?.success_or_none()
    }

    /// Returns the full hash of the commit that a revision names.
    ///
    /// # Errors
    /// [`GitError::UnknownRevision`] for one that names no commit here.
    pub fn resolve(&self, revision: &str) -> Result<String, GitError> {
        let unknown = |reason: String| GitError::UnknownRevision { revision: revision.to_owned(), reason };
        // git would take it for an option, or for a range of several commits.
        if revision.is_empty() || revision.starts_with(['-', '^']) || revision.contains(['\n', '\0']) {
            return Err(unknown("it is no revision".to_owned()));
        }
        let answer = self.ask(["rev-parse", "--verify", &format!("{revision}^{{commit}}")])?;
        if answer.ok() { Ok(answer.stdout()) } else { Err(unknown(answer.reason())) }
    }

    /// Returns the date that the author of a commit gave it.
    ///
    /// # Errors
    /// Git failed, usually because there is no such commit.
    pub fn author_date(&self, commit: &str) -> Result<Timestamp, GitError> {
        let hash = self.resolve(commit)?;
        // Unlike `git log`, `rev-list` listens to no configuration; it writes a `commit` line first.
        let answer = self.ask(["rev-list", "--max-count=1", "--format=%at", &hash])?;
        let seconds: Option<i64> = answer.stdout().lines().nth(1).and_then(|line| line.trim().parse().ok());
        match (answer.ok(), seconds) {
            (true, Some(seconds)) => Ok(Timestamp { unix_us: seconds * 1_000_000 }),
            _ => Err(answer.into_error()),
        }
    }

    /// Returns the commits that first parents lead to from HEAD, oldest first; none before the first commit.
    ///
    /// # Errors
    /// Git failed.
    pub fn first_parent_line(&self) -> Result<Vec<String>, GitError> {
        if self.head()?.is_none() {
            return Ok(Vec::new());
        }
        let answer = self.ask(["rev-list", "--first-parent", "--reverse", "HEAD"])?.success()?;
        Ok(String::from_utf8_lossy(&answer).lines().map(str::to_owned).collect())
    }

    /// Returns the addresses of the remotes, as they are configured.
    ///
    /// # Errors
    /// Git failed.
    pub fn remotes(&self) -> Result<Vec<String>, GitError> {
        let found = self.ask(["config", "--get-regexp", r"^remote\..*\.url$"])?.success_or_none()?;
        let addresses = found.iter().flat_map(|text| text.lines()).filter_map(|line| line.split_once(' '));
        Ok(addresses.map(|(_, address)| address.to_owned()).collect())
    }

    /// Returns the paths, from the root, that differ from HEAD in the work tree or the index. Untracked files count;
    /// ignored files and submodules do not.
    ///
    /// # Errors
    /// Git failed.
    pub fn changes(&self) -> Result<Vec<PathBuf>, GitError> {
        let status =
            ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all"];
        let found = self.ask(status)?.success()?;
        // Each entry is two letters of state, a space and a path; `??` is an untracked file.
        let entries = found.split(|byte| *byte == 0).filter(|entry| entry.len() > 3);
        let changed = entries.filter(|entry| !self.is_own(&entry[3..], !entry.starts_with(b"??")));
        Ok(changed.map(|entry| path(entry[3..].to_vec())).collect())
    }

    /// Returns true where there are changes.
    ///
    /// # Errors
    /// Git failed.
    pub fn is_dirty(&self) -> Result<bool, GitError> {
        Ok(!self.changes()?.is_empty())
    }

    /// Returns the id of the tree that a commit of everything in the work tree would have; ignored files and
    /// changes inside submodules are left out. See [`Git::work_tree`] for more than one id.
    ///
    /// # Errors
    /// Git failed, or a scratch folder could not be made.
    pub fn tree_id(&self) -> Result<String, GitError> {
        Ok(self.work_tree()?.id().to_owned())
    }

    /// Returns the tree id of one folder as it is in the work tree; `None` where git sees no file in it.
    ///
    /// # Errors
    /// Git failed, or a scratch folder could not be made.
    pub fn subtree_id(&self, folder: &Path) -> Result<Option<String>, GitError> {
        self.work_tree()?.subtree(folder)
    }

    /// Takes a snapshot of the work tree, kept in a scratch folder for as long as the value lives. Neither
    /// index nor objects of the repository are written.
    ///
    /// # Errors
    /// Git failed, or a scratch folder could not be made.
    pub fn work_tree(&self) -> Result<WorkTree, GitError> {
        WorkTree::take(self)
    }

    fn ask<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<Answer, GitError> {
        command::run(&self.root, &self.variables, arguments, &[])
    }
}

fn path(bytes: Vec<u8>) -> PathBuf {
    // git ends its answer with one newline; a folder's name may end with another.
    let end = bytes.strip_suffix(b"\n").map_or(bytes.len(), <[u8]>::len);
    PathBuf::from(OsString::from_vec(bytes[..end].to_vec()))
}

#[cfg(test)]
mod tests;
