//! Ranges of commits, in asv's words and git's.

mod words;

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;

use super::walk::{look_up, named, sorted, tag, walk};
use super::{Branch, Commit, HistoryError, Repository};

pub(super) use words::listed;

/// Which commits a run is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// On each branch, back to the first commit that has results.
    New,
    /// Every commit of every branch.
    All,
    /// Commits that have results.
    Existing,
    /// Those of `All` that have none.
    Missing,
    /// The newest commit of each branch.
    Latest,
    /// The commits that tags name.
    Tags,
    /// The commits that these names and hashes stand for, one each, in this order.
    Commits(Vec<String>),
    /// What `git rev-list --first-parent` lists for these words, which were checked.
    Walk(Vec<String>),
}

/// The commits of a range.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Each once: branch by branch, the newest first; listed ones in the order of their list.
    pub commits: Vec<Commit>,
    /// Hashes of commits that have results and are not in the repository (any more).
    pub lost: Vec<String>,
}

impl Range {
    /// Returns the range that some words name. `read` is asked for the text of `HASHFILE:`'s file; its name is `-`
    /// for standard input.
    ///
    /// One name or hash stands for that commit alone, where asv takes all its ancestors.
    ///
    /// # Errors
    /// [`HistoryError::Words`] for words that mean nothing, among them options of git's that do not choose commits;
    /// [`HistoryError::HashFile`].
    pub fn parse(words: &str, read: impl FnOnce(&str) -> io::Result<String>) -> Result<Range, HistoryError> {
        words::parse(words, read)
    }

    /// Returns the commits. `known` tells whether a commit, by its full hash, has results; `existing` lists the full
    /// hashes of all that have.
    ///
    /// # Errors
    /// [`HistoryError::UnknownRevision`]; [`HistoryError::Cut`] where a shallow clone lacks a part; git failed.
    pub fn select(
        &self,
        repository: &Repository,
        branches: &[Branch],
        known: &dyn Fn(&str) -> bool,
        existing: &[String],
    ) -> Result<Selection, HistoryError> {
        let mut selection = Selection::default();
        selection.commits = match self {
            Range::New => lines(repository, branches, "NEW", &|commit| known(&commit.hash))?,
            Range::All => lines(repository, branches, "ALL", &|_| false)?,
            Range::Missing => {
                let all = lines(repository, branches, "MISSING", &|_| false)?;
                all.into_iter().filter(|commit| !known(&commit.hash)).collect()
            }
            Range::Existing => {
                let (commits, lost) = with_results(repository, branches, existing)?;
                selection.lost = lost;
                commits
            }
            Range::Latest => {
                let tips: Vec<String> = branches.iter().map(|branch| branch.tip.clone()).collect();
                named(repository, &tips)?
            }
            Range::Tags => {
                let tagged: Vec<String> = repository.tags()?.into_iter().map(|(_, commit)| commit).collect();
                sorted(repository, &tagged)?
            }
            Range::Commits(names) => one_each(repository, names)?,
            Range::Walk(words) => walked(repository, branches, words)?,
        };
        tag(repository, &mut selection.commits)?;
        Ok(selection)
    }
}

/// Returns each branch's commits down to one at which to `stop`, which is left out.
///
/// Two first-parent lines that meet go on as one, so a line ends where it meets an earlier one.
fn lines(
    repository: &Repository,
    branches: &[Branch],
    range: &str,
    stop: &dyn Fn(&Commit) -> bool,
) -> Result<Vec<Commit>, HistoryError> {
    let mut commits: Vec<Commit> = Vec::new();
    let mut seen = HashSet::new();
    for branch in branches {
        let mut cut = None;
        walk(repository, &["--first-parent", &branch.tip], "", |commit| {
            if stop(&commit) || !seen.insert(commit.hash.clone()) {
                return ControlFlow::Break(());
            }
            cut = repository.ends_at(&commit.hash).then(|| commit.hash.clone());
            commits.push(commit);
            ControlFlow::Continue(())
        })?;
        if let Some(end) = cut {
            return Err(HistoryError::Cut { range: range.to_owned(), end });
        }
    }
    Ok(commits)
}

/// Returns the commits that have results: those on the branches in their order, then the others, the newest first;
/// and the hashes of those that the repository lacks.
fn with_results(
    repository: &Repository,
    branches: &[Branch],
    existing: &[String],
) -> Result<(Vec<Commit>, Vec<String>), HistoryError> {
    // asv keeps the names of tags among the hashes; a name can mean another commit by now.
    let is_hash = |text: &str| matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (hashes, names): (Vec<String>, Vec<String>) = existing.iter().cloned().partition(|text| is_hash(text));
    let found = look_up(repository, &hashes)?;
    let gone = hashes.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(hash, _)| hash.clone());
    let lost = gone.chain(names).collect();
    let here: Vec<String> = found.into_iter().flatten().collect();
    let mut left: HashSet<&str> = here.iter().map(String::as_str).collect();
    let mut commits = Vec::new();
    let mut seen = HashSet::new();
    for branch in branches {
        walk(repository, &["--first-parent", &branch.tip], "", |commit| {
            if left.is_empty() || !seen.insert(commit.hash.clone()) {
                return ControlFlow::Break(());
            }
            if left.remove(commit.hash.as_str()) {
                commits.push(commit);
            }
            ControlFlow::Continue(())
        })?;
    }
    let left: Vec<String> = here.iter().filter(|hash| left.contains(hash.as_str())).cloned().collect();
    commits.extend(sorted(repository, &left)?);
    Ok((commits, lost))
}

fn one_each(repository: &Repository, names: &[String]) -> Result<Vec<Commit>, HistoryError> {
    let mut hashes = Vec::new();
    let mut seen = HashSet::new();
    for (name, found) in names.iter().zip(look_up(repository, names)?) {
        let hash = match found {
            Some(hash) => hash,
            // Finds the branches of `origin`, or says why there is none.
            None => repository.resolve(name)?,
        };
        if seen.insert(hash.clone()) {
            hashes.push(hash);
        }
    }
    named(repository, &hashes)
}

fn walked(repository: &Repository, branches: &[Branch], words: &[String]) -> Result<Vec<Commit>, HistoryError> {
    let question = words::question(repository, branches, words)?;
    let arguments: Vec<&str> = ["--first-parent"].into_iter().chain(question.iter().map(String::as_str)).collect();
    let mut commits = Vec::new();
    let mut cut = None;
    walk(repository, &arguments, "", |commit| {
        if repository.ends_at(&commit.hash) {
            cut = Some(commit.hash.clone());
        }
        commits.push(commit);
        ControlFlow::Continue(())
    })?;
    match cut {
        // A number that was asked for and reached is all that was asked for.
        Some(end) if words::limit(words).is_none_or(|limit| commits.len() < limit) => {
            Err(HistoryError::Cut { range: words.join(" "), end })
        }
        _ => Ok(commits),
    }
}

#[cfg(test)]
mod tests;
