//! The repository that commits are read from. It is asked and never written to.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{HistoryError, nearest};
use crate::git::command::{self, Answer};
use crate::git::{GitError, error};

/// Where commits are read from: a repository of the user's, bare or with work trees, or a mirror in the cache.
#[derive(Debug, Clone)]
pub struct Repository {
    /// Where git is asked: decides what `HEAD` is where there are several work trees.
    folder: PathBuf,
    /// What all work trees share: refs, objects, configuration.
    common: PathBuf,
    /// The object store.
    objects: PathBuf,
    /// Commits at which a shallow clone ends; `None` where it is complete.
    shallow: Option<HashSet<String>>,
    /// True for a mirror, which is ours.
    mirror: bool,
    /// Variables for every git process, on top of those that [`command`] sets.
    variables: Vec<(OsString, OsString)>,
}

/// A branch and its newest commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// As it was configured; `HEAD` where nothing is and no branch is checked out.
    pub name: String,
    /// Full hash of its newest commit.
    pub tip: String,
}

impl Repository {
    /// Returns the repository that holds a folder: one of a work tree, of a linked work tree, or a bare repository's.
    ///
    /// # Errors
    /// [`HistoryError::NoRepository`]; [`GitError::Ownership`] for one that git refuses because another user owns it;
    /// a git that cannot be started.
    pub fn local(folder: &Path) -> Result<Repository, HistoryError> {
        Repository::open(folder, false, Vec::new())
    }

    pub(super) fn open(
        folder: &Path,
        mirror: bool,
        mut variables: Vec<(OsString, OsString)>,
    ) -> Result<Repository, HistoryError> {
        // A partial clone would fetch what it lacks, and so be written to.
        variables.push(("GIT_NO_LAZY_FETCH".into(), "1".into()));
        let questions = ["rev-parse", "--git-common-dir", "--git-path", "objects", "--git-path", "shallow"];
        let answer = command::run(folder, &variables, questions, &[])?;
        if !answer.ok() {
            return Err(not_opened(folder, answer));
        }
        let io = |source| HistoryError::Cache { doing: "read", path: folder.to_owned(), source };
        let folder = folder.canonicalize().map_err(io)?;
        let answered = answer.success()?;
        let mut paths = answered.split(|byte| *byte == b'\n').map(|line| folder.join(OsStr::from_bytes(line)));
        let mut next = || paths.next().unwrap_or_else(|| folder.clone());
        let (common, objects, shallow) = (next(), next(), next());
        let common = common.canonicalize().map_err(io)?;
        let objects = objects.canonicalize().map_err(io)?;
        let shallow = fs::read_to_string(shallow).ok().map(|text| text.lines().map(str::to_owned).collect());
        Ok(Repository { folder, common, objects, shallow, mirror, variables })
    }

    /// Returns the folder of the repository itself: a work tree's `.git`, or the bare repository.
    pub fn git_dir(&self) -> &Path {
        &self.common
    }

    /// Returns true for a clone that was made without its whole history.
    pub fn is_shallow(&self) -> bool {
        self.shallow.is_some()
    }

    /// Returns true for a clone that was made without all its files and fetches them when they are needed.
    ///
    /// # Errors
    /// Git failed.
    pub fn is_partial(&self) -> Result<bool, HistoryError> {
        Ok(self.config(r"^(extensions\.partialclone|remote\..*\.promisor)$")?.is_some())
    }

    /// Returns the configured branches in their order, each name once; without any, the branch of the
    /// repository's HEAD.
    ///
    /// A branch that exists only as `origin`'s counts.
    ///
    /// # Errors
    /// [`HistoryError::UnknownBranch`], [`HistoryError::Empty`]; git failed.
    pub fn branches(&self, configured: &[String]) -> Result<Vec<Branch>, HistoryError> {
        if configured.is_empty() {
            return Ok(vec![self.default_branch()?]);
        }
        let heads = self.heads()?;
        let mut branches: Vec<Branch> = Vec::new();
        for name in configured.iter().filter(|name| !name.is_empty()) {
            if branches.iter().all(|branch| branch.name != *name) {
                let tip = heads.tip(name).ok_or_else(|| heads.unknown(name))?.to_owned();
                branches.push(Branch { name: name.clone(), tip });
            }
        }
        Ok(branches)
    }

    /// Returns the branch that the repository's HEAD is on; one named `HEAD` where it is on none.
    ///
    /// # Errors
    /// [`HistoryError::Empty`]; git failed.
    pub fn default_branch(&self) -> Result<Branch, HistoryError> {
        let answer = self.ask(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
        let Some(tip) = answer.success_or_none()? else {
            return Err(HistoryError::Empty { folder: self.folder.clone() });
        };
        let name = self.ask(["symbolic-ref", "--quiet", "HEAD"])?.success_or_none()?;
        let name = name.as_deref().and_then(|name| name.strip_prefix("refs/heads/")).unwrap_or("HEAD").to_owned();
        Ok(Branch { name, tip })
    }

    /// Returns for each tag of a commit, annotated or not, the commit's full hash. Tags of anything else are left out.
    ///
    /// # Errors
    /// Git failed.
    pub fn tags(&self) -> Result<Vec<(String, String)>, HistoryError> {
        let format = "--format=%(objecttype) %(objectname) %(*objecttype) %(*objectname) %(refname)";
        let listed = self.ask(["for-each-ref", format, "refs/tags"])?.success()?;
        let mut tags = Vec::new();
        for line in String::from_utf8_lossy(&listed).lines() {
            let words: Vec<&str> = line.splitn(5, ' ').collect();
            let [kind, object, inner_kind, inner, name] = words[..] else { continue };
            let commit = match (kind, inner_kind) {
                ("commit", _) => object.to_owned(),
                ("tag", "commit") => inner.to_owned(),
                // A tag of a tag, before git 2.45.
                ("tag", "tag") => match self.resolve(object) {
                    Ok(commit) => commit,
                    Err(_) => continue,
                },
                _ => continue,
            };
            tags.push((name.trim_start_matches("refs/tags/").to_owned(), commit));
        }
        Ok(tags)
    }

    /// Returns the full hash of the one commit that a revision names.
    ///
    /// A branch that exists only as `origin`'s is found by its bare name.
    ///
    /// # Errors
    /// [`HistoryError::UnknownRevision`]; git failed.
    pub fn resolve(&self, revision: &str) -> Result<String, HistoryError> {
        // git would take it for an option, or for a range of several commits.
        if revision.is_empty() || revision.starts_with(['-', '^']) || revision.contains(['\n', '\0']) {
            return Err(self.unknown(revision, Some("it is no revision".to_owned()))?);
        }
        let answer = self.ask(["rev-parse", "--verify", &as_commit(revision)])?;
        if answer.ok() {
            return Ok(answer.stdout());
        }
        if let Some(tip) = self.heads()?.tip(revision) {
            return Ok(tip.to_owned());
        }
        let stderr = answer.stderr();
        let ambiguous = stderr.lines().find(|line| line.contains("is ambiguous"));
        Err(self.unknown(revision, ambiguous.map(|line| line.trim_start_matches("error: ").to_owned()))?)
    }

    fn unknown(&self, revision: &str, reason: Option<String>) -> Result<HistoryError, HistoryError> {
        let heads = self.heads()?;
        let tags = self.tags()?;
        let names = heads.names().chain(tags.iter().map(|(name, _)| name.as_str()));
        let nearest = nearest::near(revision, names);
        Ok(HistoryError::UnknownRevision { revision: revision.to_owned(), reason, nearest, shallow: self.is_shallow() })
    }

    /// Returns true for a commit whose parents a shallow clone lacks.
    pub(super) fn ends_at(&self, commit: &str) -> bool {
        self.shallow.as_ref().is_some_and(|ends| ends.contains(commit))
    }

    fn heads(&self) -> Result<Heads, HistoryError> {
        let listed = self.ask(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes"])?;
        let listed = String::from_utf8_lossy(&listed.success()?).into_owned();
        let refs = listed.lines().filter_map(|line| line.split_once(' '));
        let order = refs.clone().map(|(_, name)| name.to_owned()).collect();
        Ok(Heads { order, tips: refs.map(|(tip, name)| (name.to_owned(), tip.to_owned())).collect() })
    }

    /// Returns the settings of this repository whose names match, as `(name, value)`; `None` where none does.
    pub(super) fn config(&self, pattern: &str) -> Result<Option<Vec<(String, String)>>, HistoryError> {
        let found = self.ask(["config", "--local", "-z", "--get-regexp", pattern])?.success_or_none()?;
        Ok(found.map(|text| {
            let entries = text.split('\0').filter(|entry| !entry.is_empty());
            let pairs = entries.map(|entry| entry.split_once('\n').unwrap_or((entry, "true")));
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        }))
    }

    pub(super) fn ask<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<Answer, GitError> {
        command::run(&self.folder, &self.variables, arguments, &[])
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn objects(&self) -> &Path {
        &self.objects
    }

    pub(super) fn is_mirror(&self) -> bool {
        self.mirror
    }

    pub(super) fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }
}

/// Returns a revision as git is asked for its commit: a tag's, and nothing that is no commit.
pub(super) fn as_commit(revision: &str) -> String {
    // What follows `:/` is a pattern to the end, and finds commits only.
    if revision.starts_with(":/") { revision.to_owned() } else { format!("{revision}^{{commit}}") }
}

fn not_opened(folder: &Path, answer: Answer) -> HistoryError {
    match answer.stderr() {
        stderr if stderr.contains("not a git repository") => HistoryError::NoRepository { folder: folder.to_owned() },
        stderr if stderr.contains("dubious ownership") => {
            GitError::Ownership { folder: error::owned_folder(&stderr, folder) }.into()
        }
        _ => answer.into_error().into(),
    }
}

/// Branches, here and of remotes, by their full names.
#[derive(Debug)]
struct Heads {
    order: Vec<String>,
    tips: HashMap<String, String>,
}

impl Heads {
    fn tip(&self, name: &str) -> Option<&str> {
        let places = ["refs/heads/", "refs/remotes/", "refs/remotes/origin/"];
        places.iter().find_map(|place| self.tips.get(&format!("{place}{name}"))).map(String::as_str)
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let short = |name: &'_ String| -> Option<usize> {
            ["refs/heads/", "refs/remotes/"].iter().find(|place| name.starts_with(**place)).map(|place| place.len())
        };
        self.order.iter().filter_map(move |name| short(name).map(|start| &name[start..]))
    }

    fn unknown(&self, branch: &str) -> HistoryError {
        HistoryError::UnknownBranch { branch: branch.to_owned(), nearest: nearest::near_or_first(branch, self.names()) }
    }
}

#[cfg(test)]
mod tests;
