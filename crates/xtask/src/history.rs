//! The example project as a git repository: one commit for each folder of `examples/python/history`.
//!
//! A commit holds the example as it is, except for the files that its folder has in another form.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// One commit that was made.
#[derive(Debug, Clone)]
pub struct Commit {
    /// The full hash.
    pub hash: String,
    /// The message's first line.
    pub subject: String,
}

/// Makes the repository in an empty or absent folder and returns its commits, oldest first.
///
/// # Errors
/// A file could not be copied, or git failed.
pub fn build(example: &Path, repository: &Path) -> Result<Vec<Commit>> {
    fs::create_dir_all(repository)?;
    git(repository, &["init", "--quiet", "--initial-branch", "main"])?;
    let history = example.join("history");
    let mut folders: Vec<PathBuf> = entries(&history)?;
    folders.sort();
    folders.iter().map(|folder| commit(example, folder, repository)).collect()
}

fn commit(example: &Path, folder: &Path, repository: &Path) -> Result<Commit> {
    let path = folder.join("commit.txt");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let (date, message) = text.split_once('\n').with_context(|| format!("`{}` has no message", path.display()))?;
    for entry in entries(repository)?.into_iter().filter(|entry| !entry.ends_with(".git")) {
        if entry.is_dir() { fs::remove_dir_all(entry)? } else { fs::remove_file(entry)? }
    }
    copy(example, repository, &["history", "__pycache__"])?;
    copy(folder, repository, &["commit.txt"])?;
    git(repository, &["add", "--all"])?;
    let date_variables = ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].map(|name| (name, date.trim()));
    let mut command = command(repository, &["commit", "--quiet", "--message", message.trim()]);
    process::run(command.envs(date_variables))?;
    let hash = git(repository, &["rev-parse", "HEAD"])?;
    Ok(Commit { hash, subject: message.lines().next().unwrap_or_default().to_owned() })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    read.map(|entry| Ok(entry?.path())).collect()
}

fn copy(from: &Path, to: &Path, left_out: &[&str]) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in entries(from)? {
        let Some(name) = entry.file_name().filter(|name| !left_out.iter().any(|out| name == out)) else { continue };
        if entry.is_dir() {
            copy(&entry, &to.join(name), &["__pycache__"])?;
        } else {
            fs::copy(&entry, to.join(name))?;
        }
    }
    Ok(())
}

/// Runs git with none of the user's settings, so that the hashes are the same everywhere.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Result<String> {
    process::output(&mut command(folder, arguments))
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "Waypoint contributors");
        command.env(format!("GIT_{role}_EMAIL"), "waypoint@example.org");
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_has_a_history_that_ends_with_what_is_there() {
        let example = crate::root().join("examples/python");
        let scratch = tempfile::tempdir().unwrap();
        let repository = scratch.path().join("waypoint");
        let commits = build(&example, &repository).unwrap();
        assert_eq!(commits.len(), 4);
        let log = git(&repository, &["log", "--reverse", "--format=%H %s"]).unwrap();
        let told: Vec<String> = commits.iter().map(|commit| format!("{} {}", commit.hash, commit.subject)).collect();
        assert_eq!(log.lines().collect::<Vec<_>>(), told);
        let file = |path: &str| fs::read_to_string(path).unwrap();
        let last = repository.join("waypoint/network.py");
        assert_eq!(file(last.to_str().unwrap()), file(example.join("waypoint/network.py").to_str().unwrap()));
        // Every commit but the last has something that the next one changed.
        for commit in &commits[1..] {
            assert!(
                !git(&repository, &["diff", "--name-only", &format!("{0}^..{0}", commit.hash)]).unwrap().is_empty()
            );
        }
    }
}
