//! One work tree of ours: made, filled with a commit, removed; whole or made anew.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{CheckOut, SETTINGS, Sources};
use crate::git::GitError;
use crate::git::command::{self, Answer};
use crate::history::{HistoryError, folder};

/// The mode of a submodule in a tree.
const SUBMODULE_MODE: &[u8] = b"160000";

/// A work tree that this process holds.
#[derive(Debug)]
pub(super) struct Slot {
    name: String,
    /// Top of the work tree.
    pub(super) path: PathBuf,
    /// What our repository keeps about it.
    pub(super) admin: PathBuf,
    /// A file that is there while the work tree is being filled. Whoever finds it finds the remains of a process
    /// that was ended.
    unfinished: PathBuf,
    lock: File,
}

impl Slot {
    pub(super) fn hold(git_dir: &Path, trees: &Path, name: &str) -> Result<Slot, HistoryError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let is_name = !name.is_empty() && name.len() <= 100 && name.chars().all(is_plain);
        // A name that ends so would be one of our files beside a work tree.
        if !is_name || name.starts_with(['.', '-']) || name.ends_with(".lock") || name.ends_with(".unfinished") {
            return Err(HistoryError::SlotName { slot: name.to_owned() });
        }
        let path = trees.join(name);
        let Some(lock) = folder::try_lock(&trees.join(format!("{name}.lock")))? else {
            return Err(HistoryError::Busy { path });
        };
        let admin = git_dir.join("worktrees").join(name);
        Ok(Slot { name: name.to_owned(), path, admin, unfinished: trees.join(format!("{name}.unfinished")), lock })
    }

    pub(super) fn finish(self) -> Result<CheckOut, HistoryError> {
        folder::remove(&self.unfinished)?;
        Ok(CheckOut { path: self.path, _lock: self.lock })
    }

    pub(super) fn remove(&self) -> Result<(), HistoryError> {
        folder::remove(&self.path)?;
        folder::remove(&self.admin)?;
        folder::remove(&self.unfinished)
    }

    fn begin(&self) -> Result<(), HistoryError> {
        let made = fs::write(&self.unfinished, "");
        made.map_err(|source| HistoryError::Cache { doing: "write", path: self.unfinished.clone(), source })
    }

    /// Returns true where git, started in the work tree, is sure to work on it: without this link it would look
    /// further up, and could find the user's.
    fn is_linked(&self) -> bool {
        let link = [b"gitdir: ", self.admin.as_os_str().as_bytes(), b"\n"].concat();
        let is_folder = fs::symlink_metadata(&self.path).is_ok_and(|metadata| metadata.is_dir());
        is_folder
            && fs::read(self.path.join(".git")).is_ok_and(|found| found == link)
            && self.admin.join("HEAD").is_file()
    }
}

impl Sources {
    /// Leaves a work tree with a commit's files and no others; submodules come later.
    pub(super) fn fill(&self, slot: &Slot, commit: &str) -> Result<(), HistoryError> {
        let is_whole = !slot.unfinished.exists() && slot.is_linked();
        slot.begin()?;
        if is_whole && self.can_switch(slot, commit)? && self.switch(slot, commit)?.is_none() {
            return Ok(());
        }
        let failed =
            |answer: Answer| HistoryError::CheckOut { commit: commit.to_owned(), reason: super::reason(&answer) };
        // A name from the root need not be text that can stand among git's arguments.
        let trees = self.trees.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("../{trees}/{}", slot.name);
        let add = ["worktree", "add", "--quiet", "--force", "--detach", "--no-checkout", &path, commit];
        let added = {
            // Git reads what it keeps of all work trees, and stops at one that is half there.
            let _lock = self.lock()?;
            slot.remove()?;
            slot.begin()?;
            self.ask_holding(slot, &self.git_dir, &add)?
        };
        if !added.ok() {
            return Err(failed(added));
        }
        if !slot.is_linked() {
            let reason = format!("git made no work tree in `{}`", slot.path.display());
            return Err(HistoryError::CheckOut { commit: commit.to_owned(), reason });
        }
        self.switch(slot, commit)?.map_or(Ok(()), |answer| Err(failed(answer)))
    }

    /// Runs git with the slot's lock.
    fn ask_holding(&self, slot: &Slot, folder: &Path, words: &[&str]) -> Result<Answer, GitError> {
        let words = SETTINGS.into_iter().chain(words.iter().copied());
        command::run_holding(folder, &self.variables, words, &slot.lock)
    }

    /// Returns git's answer where it failed.
    fn switch(&self, slot: &Slot, commit: &str) -> Result<Option<Answer>, HistoryError> {
        let reset = self.ask_holding(slot, &slot.path, &["reset", "--quiet", "--hard", commit])?;
        if !reset.ok() {
            return Ok(Some(reset));
        }
        let clean = self.ask_holding(slot, &slot.path, &["clean", "-ffdxq"])?;
        Ok((!clean.ok()).then_some(clean))
    }

    /// Returns false where git would leave something of what is there: files whose attributes have changed and not
    /// their content, and a submodule that became something else.
    fn can_switch(&self, slot: &Slot, commit: &str) -> Result<bool, HistoryError> {
        let diff = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "HEAD", commit];
        let answer = self.ask(&slot.path, &diff)?;
        if !answer.ok() {
            return Ok(false);
        }
        let listed = answer.success()?;
        // `:OLDMODE NEWMODE OLD NEW STATE`, then the path.
        let mut fields = listed.split(|byte| *byte == 0);
        while let (Some(change), Some(path)) = (fields.next(), fields.next()) {
            let modes: Vec<&[u8]> = change.split(|byte| matches!(byte, b' ' | b':')).skip(1).take(2).collect();
            let n_submodules = modes.iter().filter(|mode| **mode == SUBMODULE_MODE).count();
            if n_submodules == 1 || path.ends_with(b".gitattributes") {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
