//! The line of a branch: the commits that first parents lead to, and what commits are called.

use std::collections::{HashMap, HashSet};

use tacho_model::Timestamp;

use super::{HistoryError, Repository};
use crate::git::command;

impl Repository {
    /// Returns the commits that first parents lead to from a commit, oldest first.
    ///
    /// # Errors
    /// Git failed, usually because there is no such commit.
    pub fn first_parents(&self, tip: &str) -> Result<Vec<String>, HistoryError> {
        let question = ["rev-list", "--first-parent", "--reverse", tip, "--"];
        let answer = command::run(self.folder(), self.variables(), question, &[])?.success()?;
        Ok(String::from_utf8_lossy(&answer).lines().map(str::to_owned).collect())
    }

    /// Returns those of some full hashes that are commits here, on whichever branch or on none, by one question for all.
    ///
    /// # Errors
    /// Git failed.
    pub fn known_commits(&self, hashes: &[&str]) -> Result<HashSet<String>, HistoryError> {
        // Anything else would be looked up as a name.
        let is_hash = |text: &&&str| matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let asked: Vec<&str> = hashes.iter().filter(is_hash).copied().collect();
        if asked.is_empty() {
            return Ok(HashSet::new());
        }
        let input = asked.join("\n") + "\n";
        let question = ["cat-file", "--batch-check=%(objecttype)"];
        let answer = command::run(self.folder(), self.variables(), question, input.as_bytes())?.success()?;
        let answers = String::from_utf8_lossy(&answer);
        let known = asked.iter().zip(answers.lines()).filter(|(_, answer)| *answer == "commit");
        Ok(known.map(|(hash, _)| (*hash).to_owned()).collect())
    }

    /// Returns the newest commit that two commits have in common; `None` where they have none.
    ///
    /// # Errors
    /// Git failed, usually because there is no such commit.
    pub fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>, HistoryError> {
        Ok(command::run(self.folder(), self.variables(), ["merge-base", one, other], &[])?.success_or_none()?)
    }

    /// Returns when a commit, by its full hash, was made; `None` where it is not here.
    ///
    /// # Errors
    /// Git failed.
    pub fn commit_date(&self, hash: &str) -> Result<Option<Timestamp>, HistoryError> {
        let question = ["rev-list", "--no-walk", "--format=%ct", hash, "--"];
        let answer = command::run(self.folder(), self.variables(), question, &[])?.success_or_none()?;
        let second = answer.and_then(|text| text.lines().last()?.parse::<i64>().ok());
        Ok(second.map(|second| Timestamp { unix_us: second.saturating_mul(1_000_000) }))
    }

    /// Returns the first lines of commits' messages by full hash; commits that are not here have none.
    ///
    /// # Errors
    /// Git failed.
    pub fn titles(&self, hashes: &[String]) -> Result<HashMap<String, String>, HistoryError> {
        let is_hash = |hash: &&String| !hash.is_empty() && hash.chars().all(|c| c.is_ascii_hexdigit());
        let input: String = hashes.iter().filter(is_hash).map(|hash| format!("{hash}\n")).collect();
        if input.is_empty() {
            // git would tell of HEAD.
            return Ok(HashMap::new());
        }
        // Unlike `git log`, `rev-list` listens to no configuration; it writes a `commit` line before each title.
        let question = ["rev-list", "--no-walk=unsorted", "--ignore-missing", "--format=%s", "--stdin"];
        let answer = command::run(self.folder(), self.variables(), question, input.as_bytes())?.success()?;
        let text = String::from_utf8_lossy(&answer);
        let mut titles = HashMap::new();
        let mut lines = text.lines();
        while let (Some(commit), Some(title)) = (lines.next(), lines.next()) {
            titles.insert(commit.trim_start_matches("commit ").to_owned(), title.to_owned());
        }
        Ok(titles)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Project;
    use super::*;

    #[test]
    fn commits_have_titles_and_stand_on_a_line() {
        let project = Project::empty();
        let (first, second) = (project.commit_on(1, "one"), project.commit_on(2, "two"));
        let repository = project.open();
        assert_eq!(repository.first_parents(&second).unwrap(), [first.clone(), second.clone()]);
        let asked = [second.clone(), "0".repeat(40), "--all".into(), first.clone()];
        let titles = repository.titles(&asked).unwrap();
        assert_eq!(titles.len(), 2);
        assert_eq!((titles[&first].as_str(), titles[&second].as_str()), ("one", "two"));
        assert!(repository.titles(&[]).unwrap().is_empty());
        assert!(repository.first_parents("nothing").is_err());
        assert_eq!(repository.merge_base(&first, &second).unwrap(), Some(first));
    }

    #[test]
    fn commits_are_known_wherever_they_are() {
        let project = Project::with_commits(1);
        project.git(&["switch", "--quiet", "--create", "side"]);
        let beside = project.commit_on(2, "beside");
        project.git(&["switch", "--quiet", "trunk"]);
        let (tree, nowhere) = (project.git(&["rev-parse", "HEAD^{tree}"]), "ab".repeat(20));
        let asked = [beside.as_str(), &tree, &nowhere, "HEAD", "trunk\nHEAD", "", &beside[..8]];
        let repository = project.open();
        assert_eq!(repository.known_commits(&asked).unwrap(), HashSet::from([beside.clone()]));
        assert!(repository.known_commits(&[]).unwrap().is_empty());
        // It is on no line of the trunk.
        let tip = repository.default_branch().unwrap().tip;
        assert!(!repository.first_parents(&tip).unwrap().contains(&beside));
        assert_eq!(repository.merge_base(&tip, &beside).unwrap(), Some(tip));
    }

    #[test]
    fn a_bare_repository_has_a_history() {
        let project = Project::with_commits(2);
        let bare = project.beside("bare.git");
        project.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
        let repository = project.open_at(&bare);
        let tip = repository.default_branch().unwrap().tip;
        assert_eq!(repository.first_parents(&tip).unwrap().len(), 2);
    }
}
