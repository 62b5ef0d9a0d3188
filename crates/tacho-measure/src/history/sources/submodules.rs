//! Submodules: from the user's checkout where it has them, else from where git finds them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::Sources;
use super::slot::Slot;
use crate::history::{HistoryError, folder};

/// How deep submodules may lie in submodules.
const DEPTH: usize = 16;

/// A submodule of a work tree.
#[derive(Debug)]
struct Submodule {
    name: String,
    path: String,
    /// Full hash of the commit that is wanted.
    commit: String,
}

/// Where the user's checkout keeps the submodules of one repository.
#[derive(Debug, Clone, Default)]
struct Users {
    /// Top of the work tree.
    top: Option<PathBuf>,
    /// Folders that hold the repositories of submodules, by name.
    modules: Vec<PathBuf>,
}

/// What is the same for all submodules of a commit.
#[derive(Debug)]
struct Task<'a> {
    slot: &'a Slot,
    commit: &'a str,
}

impl Sources {
    /// Leaves the submodules of what a work tree's index names as fresh checkouts are.
    pub(super) fn update_submodules(&self, slot: &Slot, commit: &str) -> Result<(), HistoryError> {
        if !slot.path.join(".gitmodules").is_file() {
            return Ok(());
        }
        let users = if self.repository.is_mirror() { Users::default() } else { self.users()? };
        self.update_below(&Task { slot, commit }, "", &slot.admin.join("modules"), &users, DEPTH)
    }

    fn users(&self) -> Result<Users, HistoryError> {
        let top = self.repository.ask(["rev-parse", "--show-toplevel"])?;
        let top = top.ok().then(|| PathBuf::from(top.stdout()));
        let linked = top.as_deref().and_then(git_dir_of).map(|git_dir| git_dir.join("modules"));
        let shared = self.repository.git_dir().join("modules");
        Ok(Users { top, modules: linked.into_iter().chain([shared]).collect() })
    }

    /// `inner` is the path of the repository from the top of the work tree; `modules` holds our submodules' repositories.
    fn update_below(
        &self,
        task: &Task<'_>,
        inner: &str,
        modules: &Path,
        users: &Users,
        depth: usize,
    ) -> Result<(), HistoryError> {
        let tree = task.slot.path.join(inner);
        if depth == 0 || !tree.join(".gitmodules").is_file() {
            return Ok(());
        }
        let failed = |path: &str, reason: String| HistoryError::Submodule {
            path: joined(inner, path),
            commit: task.commit.to_owned(),
            reason,
        };
        let submodules = self.submodules(&tree)?;
        if submodules.is_empty() {
            return Ok(());
        }
        self.address(&tree, &submodules, modules)?.map_or(Ok(()), |reason| Err(failed(&submodules[0].path, reason)))?;
        for submodule in &submodules {
            let own = modules.join(&submodule.name);
            let local = self.local(submodule, users)?;
            self.update(&tree, submodule, &own, local.as_deref()).map_err(|error| match error {
                Update::Failed(reason) => failed(&submodule.path, reason),
                Update::Other(error) => error,
            })?;
            let deeper = Users {
                top: users.top.as_ref().map(|top| top.join(&submodule.path)),
                modules: local.iter().map(|local| local.join("modules")).collect(),
            };
            self.update_below(task, &joined(inner, &submodule.path), &own.join("modules"), &deeper, depth - 1)?;
        }
        Ok(())
    }

    /// Gives submodules the addresses of this commit; returns git's words where that failed.
    fn address(&self, tree: &Path, submodules: &[Submodule], modules: &Path) -> Result<Option<String>, HistoryError> {
        // Both write to the settings that all work trees share.
        let _lock = self.lock()?;
        let ask = || -> Result<Option<String>, HistoryError> {
            for words in [["submodule", "--quiet", "init"], ["submodule", "--quiet", "sync"]] {
                let answer = self.ask(tree, &words)?;
                if !answer.ok() {
                    return Ok(Some(answer.reason()));
                }
            }
            Ok(None)
        };
        let failure = ask()?;
        if failure.is_none() || !modules.exists() {
            return Ok(failure);
        }
        folder::remove(modules)?;
        for submodule in submodules {
            folder::remove(&tree.join(&submodule.path))?;
        }
        ask()
    }

    /// Returns the submodules that the index names, but for those that say they are not to be checked out.
    fn submodules(&self, tree: &Path) -> Result<Vec<Submodule>, HistoryError> {
        let listed = self.ask(tree, &["ls-files", "--stage", "-z"])?.success()?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let declared = self.ask(tree, &["config", "--file", ".gitmodules", "-z", "--list"])?.success()?;
        let declared = String::from_utf8_lossy(&declared).into_owned();
        let setting =
            |name: &str| declared.split('\0').rev().find_map(|entry| entry.strip_prefix(name)?.strip_prefix('\n'));
        let mut names = BTreeMap::new();
        for entry in declared.split('\0') {
            let Some((key, path)) = entry.split_once('\n') else { continue };
            let name = key.strip_prefix("submodule.").and_then(|key| key.strip_suffix(".path"));
            if let Some(name) = name {
                names.insert(path, name);
            }
        }
        let mut submodules = Vec::new();
        for entry in listed.split('\0').filter_map(|entry| entry.strip_prefix("160000 ")) {
            let Some((facts, path)) = entry.split_once('\t') else { continue };
            // One that is not declared has the name of its path; git says what is wrong with it.
            let name = names.get(path).copied().unwrap_or(path);
            let name = if is_inner(name) { name } else { path };
            if setting(&format!("submodule.{name}.update")) != Some("none") {
                let commit = facts.split(' ').next().unwrap_or_default().to_owned();
                submodules.push(Submodule { name: name.to_owned(), path: path.to_owned(), commit });
            }
        }
        Ok(submodules)
    }

    /// Returns the repository in the user's checkout that has the commit of a submodule and all its files.
    fn local(&self, submodule: &Submodule, users: &Users) -> Result<Option<PathBuf>, HistoryError> {
        let checked_out = users.top.as_ref().and_then(|top| git_dir_of(&top.join(&submodule.path)));
        let kept = users.modules.iter().map(|modules| modules.join(&submodule.name));
        for git_dir in checked_out.into_iter().chain(kept).filter(|git_dir| git_dir.join("HEAD").is_file()) {
            let Some(text) = git_dir.to_str() else { continue };
            let is_partial = fs::read_to_string(git_dir.join("config")).is_ok_and(|config| config.contains("promisor"));
            let object = format!("{}^{{commit}}", submodule.commit);
            // Its own work tree may be gone, and git would stop at that.
            let question = ["--git-dir", text, "--work-tree", text, "cat-file", "-e", &object];
            if !is_partial && self.ask(&self.git_dir, &question)?.ok() {
                return Ok(Some(git_dir));
            }
        }
        Ok(None)
    }

    /// Checks out one submodule; `own` is where our repository of it lies, or will.
    fn update(&self, tree: &Path, submodule: &Submodule, own: &Path, local: Option<&Path>) -> Result<(), Update> {
        let local = local.and_then(Path::to_str).filter(|_| !submodule.name.contains(['=', '\n']));
        let url = format!("submodule.{}.url={}", submodule.name, local.unwrap_or_default());
        let mut words = Vec::new();
        if local.is_some() {
            // Only for this path of the user's own; other paths are git's to allow.
            words.extend(["-c", "protocol.file.allow=always", "-c", &url]);
        }
        words.extend(["submodule", "--quiet", "update", "--force", "--checkout"]);
        if let Some(local) = local.filter(|local| !Path::new(local).join("shallow").exists()) {
            // What is borrowed is there, though no branch of ours may lead to it.
            words.extend(["--reference", local, "--no-fetch"]);
        }
        words.extend(["--", &submodule.path]);
        let mut answer = self.ask(tree, &words)?;
        let folder = tree.join(&submodule.path);
        if !answer.ok() && (own.exists() || folder.read_dir().is_ok_and(|mut entries| entries.next().is_some())) {
            // It may come from elsewhere, or be the remains of a process that was ended.
            folder::remove(&folder)?;
            folder::remove(own)?;
            answer = self.ask(tree, &words)?;
        }
        if !answer.ok() {
            return Err(Update::Failed(answer.reason()));
        }
        // Without a repository of its own git would clean the work tree around it.
        if folder.join(".git").exists() {
            let clean = self.ask(&folder, &["clean", "-ffdxq"])?;
            if !clean.ok() {
                return Err(Update::Failed(clean.reason()));
            }
        }
        Ok(())
    }
}

/// Why a submodule was not checked out.
#[derive(Debug)]
enum Update {
    Failed(String),
    Other(HistoryError),
}

impl<E: Into<HistoryError>> From<E> for Update {
    fn from(error: E) -> Update {
        Update::Other(error.into())
    }
}

fn joined(inner: &str, path: &str) -> String {
    if inner.is_empty() { path.to_owned() } else { format!("{inner}/{path}") }
}

/// Returns true for a name that leads nowhere else when it becomes part of a path.
fn is_inner(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Returns the repository of a folder that is the top of a work tree.
fn git_dir_of(top: &Path) -> Option<PathBuf> {
    let link = top.join(".git");
    if link.is_dir() {
        return Some(link);
    }
    let text = fs::read_to_string(&link).ok()?;
    let path = top.join(text.strip_prefix("gitdir: ")?.trim_end_matches('\n'));
    path.canonicalize().ok()
}
