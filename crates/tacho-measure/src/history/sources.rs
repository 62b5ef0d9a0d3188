//! Work trees of our own, in which commits are checked out and built.
//!
//! They belong to a repository of our own in the cache: a mirror, or, for a repository of the user's, one that
//! borrows its objects. So nothing is ever written to the user's.

mod own;
mod slot;
mod submodules;

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::mirror::quiet_network;
use super::{HistoryError, Repository, folder};
use crate::git::command::{self, Answer};
use crate::git::{GitError, WorkTree};
use slot::Slot;

/// Settings that would make checking out something else than a fresh checkout, or collect what others need.
const SETTINGS: [&str; 8] = [
    "-c",
    "submodule.recurse=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "worktree.useRelativePaths=false",
];

/// Our own repository for one of the user's or for a mirror, and its work trees. Nothing is made before it is needed.
#[derive(Debug)]
pub struct Sources {
    repository: Repository,
    /// Our own repository.
    git_dir: PathBuf,
    /// Holds one folder for each work tree.
    trees: PathBuf,
    variables: Vec<(OsString, OsString)>,
    /// True when our own repository has what the user's had when this value was made.
    is_prepared: Mutex<bool>,
}

/// A work tree with what was asked for. It is nobody else's for as long as the value lives.
#[derive(Debug)]
pub struct CheckOut {
    path: PathBuf,
    _lock: File,
}

impl CheckOut {
    /// Returns the top of the work tree: the same path whenever the slot is used, so that compilers' caches serve.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Sources {
    /// Returns where commits of a repository are checked out, below a folder of the cache; those of a mirror, beside it.
    ///
    /// # Errors
    /// The folder cannot be made; git cannot be started.
    pub fn open(repository: &Repository, cache_repos: &Path) -> Result<Sources, HistoryError> {
        let cache_repos = folder::made(cache_repos)?;
        let common = repository.git_dir();
        let (git_dir, name) = if repository.is_mirror() {
            let name = common.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (common.to_owned(), name)
        } else {
            let name = folder::name(&display_name(common), common.as_os_str().as_bytes());
            (cache_repos.join(format!("{name}.git")), name)
        };
        // Beside the repository, from where the way to it is short.
        let trees = git_dir.with_file_name(format!("{name}.trees"));
        // Whoever checks out may fetch what a partial clone lacks: it comes to our own repository.
        let may_fetch = repository.variables().iter().filter(|(name, _)| name != "GIT_NO_LAZY_FETCH");
        let mut variables: Vec<(OsString, OsString)> = may_fetch.cloned().collect();
        variables.extend(quiet_network(&cache_repos, &variables)?);
        // The cache may lie in a work tree of the user's: git is never to find that one.
        variables.push(("GIT_CEILING_DIRECTORIES".into(), trees.clone().into()));
        Ok(Sources { repository: repository.clone(), git_dir, trees, variables, is_prepared: Mutex::new(false) })
    }

    /// Checks a commit out in a work tree named `slot`, made where there is none, and leaves it exactly as a fresh
    /// checkout is: submodules in place, nothing changed, nothing else there.
    ///
    /// # Errors
    /// [`HistoryError::Busy`] while another process, or a [`CheckOut`] that still lives, has the slot;
    /// [`HistoryError::CheckOut`] and [`HistoryError::Submodule`] with git's words.
    pub fn check_out(&self, slot: &str, commit: &str) -> Result<CheckOut, HistoryError> {
        if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(HistoryError::CheckOut { commit: commit.to_owned(), reason: "it is no hash".to_owned() });
        }
        self.prepare()?;
        let slot = self.hold(slot)?;
        self.fill(&slot, commit)?;
        self.update_submodules(&slot, commit)?;
        slot.finish()
    }

    /// Puts a work tree of the user's, as it was when the snapshot was taken, into the work tree named `slot`: its
    /// files, on top of the commit `parent`, so that versions made from tags say that it is dirty.
    ///
    /// # Errors
    /// As [`Sources::check_out`].
    pub fn check_out_tree(&self, slot: &str, tree: &WorkTree, parent: Option<&str>) -> Result<CheckOut, HistoryError> {
        self.prepare()?;
        let slot = self.hold(slot)?;
        let parent = match parent {
            Some(parent) => parent.to_owned(),
            None => self.empty_commit()?,
        };
        self.fill(&slot, &parent)?;
        let failed = |answer: Answer| HistoryError::CheckOut { commit: tree.id().to_owned(), reason: reason(&answer) };
        let mut variables = self.variables.clone();
        variables.push(("GIT_ALTERNATE_OBJECT_DIRECTORIES".into(), quoted(&tree.objects())));
        let words = SETTINGS.into_iter().chain(["read-tree", "--reset", "-u", tree.id()]);
        let read = command::run(&slot.path, &variables, words, &[])?;
        if !read.ok() {
            return Err(failed(read));
        }
        self.update_submodules(&slot, tree.id())?;
        // The snapshot's objects go with it, so the index must not name them.
        let reset = self.ask(&slot.path, &["reset", "--quiet", "--mixed", "HEAD"])?;
        if reset.ok() { slot.finish() } else { Err(failed(reset)) }
    }

    /// Removes a work tree, if there is one.
    ///
    /// # Errors
    /// [`HistoryError::Busy`]; it cannot be removed.
    pub fn remove(&self, slot: &str) -> Result<(), HistoryError> {
        if self.trees.is_dir() {
            let slot = self.hold(slot)?;
            let _lock = self.lock()?;
            slot.remove()?;
        }
        Ok(())
    }

    fn hold(&self, name: &str) -> Result<Slot, HistoryError> {
        Slot::hold(&self.git_dir, &self.trees, name)
    }

    /// Returns a commit without files for a work tree that stands on none.
    fn empty_commit(&self) -> Result<String, HistoryError> {
        let mut variables = self.variables.clone();
        for role in ["AUTHOR", "COMMITTER"] {
            for (fact, value) in [("NAME", "tacho"), ("EMAIL", "tacho@localhost"), ("DATE", "2000-01-01T00:00:00Z")] {
                variables.push((format!("GIT_{role}_{fact}").into(), value.into()));
            }
        }
        let ask = |words: &[&str]| command::run(&self.git_dir, &variables, words.iter().copied(), &[])?.success();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
        let tree = text(ask(&["mktree"])?);
        Ok(text(ask(&["commit-tree", "--no-gpg-sign", "-m", "no commit yet", &tree])?))
    }

    /// Runs git in a work tree of ours, or in our repository.
    fn ask(&self, folder: &Path, words: &[&str]) -> Result<Answer, GitError> {
        command::run(folder, &self.variables, SETTINGS.into_iter().chain(words.iter().copied()), &[])
    }

    /// Waits for the lock on our repository, under which its refs and settings are changed.
    fn lock(&self) -> Result<File, HistoryError> {
        let mut path = self.git_dir.clone().into_os_string();
        path.push(".lock");
        folder::lock(Path::new(&path))
    }
}

/// Returns why git could not check something out: its last words are what came of it where a file could not be written.
fn reason(answer: &Answer) -> String {
    let stderr = answer.stderr();
    let words = ["No space left", "unable to write file", "unable to create file"];
    let line = stderr.lines().find(|line| words.iter().any(|word| line.contains(word)));
    line.map_or_else(|| answer.reason(), |line| format!("{}; is there room?", line.trim_start_matches("error: ")))
}

/// Returns the name of a repository for people: that of the project's folder.
fn display_name(common: &Path) -> String {
    let named = if common.file_name().is_some_and(|name| name == ".git") { common.parent() } else { Some(common) };
    let name = named.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    name.strip_suffix(".git").map(str::to_owned).unwrap_or(name)
}

/// Returns a path as git reads it in a list separated by colons.
fn quoted(path: &Path) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    let mut text = vec![b'"'];
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', *byte]),
            b'\n' => text.extend(*b"\\n"),
            _ => text.push(*byte),
        }
    }
    text.push(b'"');
    OsString::from_vec(text)
}

#[cfg(test)]
mod tests;
