//! Commits as git lists them: one process for a question, read line by line.

use std::collections::HashMap;
use std::ops::ControlFlow;

use tacho_model::Timestamp;

use super::repository::as_commit;
use super::{HistoryError, Repository};
use crate::git::command;

/// A commit of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The full hash.
    pub hash: String,
    /// The date that its author gave it.
    pub author_date: Timestamp,
    /// The tags that name it.
    pub tags: Vec<String>,
}

/// Hands over the commits that `git rev-list` lists for some arguments, without their tags, until `take` has enough.
pub(super) fn walk(
    repository: &Repository,
    arguments: &[&str],
    input: &str,
    mut take: impl FnMut(Commit) -> ControlFlow<()>,
) -> Result<(), HistoryError> {
    let mut hash = String::new();
    // Unlike `git log`, `rev-list` listens to no configuration; it writes a `commit` line before each format.
    let line = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        if let Some(found) = line.strip_prefix("commit ") {
            found.clone_into(&mut hash);
            return ControlFlow::Continue(());
        }
        let seconds: i64 = line.trim().parse().unwrap_or_default();
        let author_date = Timestamp { unix_us: seconds.saturating_mul(1_000_000) };
        take(Commit { hash: std::mem::take(&mut hash), author_date, tags: Vec::new() })
    };
    let question = ["rev-list", "--format=%at"].into_iter().chain(arguments.iter().copied());
    let ended = command::stream(repository.folder(), repository.variables(), question, input.as_bytes(), line)?;
    match ended {
        Some(answer) if !answer.ok() => Err(answer.into_error().into()),
        _ => Ok(()),
    }
}

/// Returns the commits of some hashes, in their order, each once.
pub(super) fn named(repository: &Repository, hashes: &[String]) -> Result<Vec<Commit>, HistoryError> {
    listed(repository, "--no-walk=unsorted", hashes)
}

/// Returns the commits of some hashes, the newest first by commit date.
pub(super) fn sorted(repository: &Repository, hashes: &[String]) -> Result<Vec<Commit>, HistoryError> {
    listed(repository, "--no-walk=sorted", hashes)
}

fn listed(repository: &Repository, order: &str, hashes: &[String]) -> Result<Vec<Commit>, HistoryError> {
    let mut commits = Vec::new();
    if !hashes.is_empty() {
        let input: String = hashes.iter().map(|hash| format!("{hash}\n")).collect();
        walk(repository, &[order, "--stdin"], &input, |commit| {
            commits.push(commit);
            ControlFlow::Continue(())
        })?;
    }
    Ok(commits)
}

/// Returns the full hashes of the commits that some words name, one each; `None` for a word that names none.
pub(super) fn look_up(repository: &Repository, words: &[String]) -> Result<Vec<Option<String>>, HistoryError> {
    let input: String = words.iter().map(|word| as_commit(word) + "\n").collect();
    let question = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
    let answer = command::run(repository.folder(), repository.variables(), question, input.as_bytes())?.success()?;
    let text = String::from_utf8_lossy(&answer);
    let commit = |line: &str| line.strip_suffix(" commit").map(str::to_owned);
    let mut found: Vec<Option<String>> = text.lines().map(commit).collect();
    found.resize(words.len(), None);
    Ok(found)
}

/// Tells commits their tags.
pub(super) fn tag(repository: &Repository, commits: &mut [Commit]) -> Result<(), HistoryError> {
    if commits.is_empty() {
        return Ok(());
    }
    let mut tags: HashMap<String, Vec<String>> = HashMap::new();
    for (name, commit) in repository.tags()? {
        tags.entry(commit).or_default().push(name);
    }
    for commit in commits {
        commit.tags = tags.get(&commit.hash).cloned().unwrap_or_default();
    }
    Ok(())
}
