//! The line of a branch: the commits that first parents lead to, and what commits are called.

use std::collections::HashMap;

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

    /// Returns the newest commit that two commits have in common; `None` where they have none.
    ///
    /// # Errors
    /// Git failed, usually because there is no such commit.
    pub fn merge_base(&self, one: &str, other: &str) -> Result<Option<String>, HistoryError> {
        Ok(command::run(self.folder(), self.variables(), ["merge-base", one, other], &[])?.success_or_none()?)
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
}
