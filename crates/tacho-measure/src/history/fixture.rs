//! Real repositories for tests, made with an environment of their own.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Branch, Repository, Sources};

/// A repository in a folder that goes with the value.
pub(super) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// Makes one without commits, with the branch `trunk`.
    pub(super) fn empty() -> Project {
        let project = Project { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(project.path("")).unwrap();
        project.git(&["init", "--quiet", "--initial-branch=trunk"]);
        project
    }

    /// Makes one with `n` commits on `trunk`, one a day from 2024-01-01 on.
    pub(super) fn with_commits(n: usize) -> Project {
        let project = Project::empty();
        for number in 1..=n {
            project.add(number);
        }
        project
    }

    pub(super) fn add(&self, number: usize) -> String {
        self.write("a.txt", &format!("{number}\n"));
        self.commit_on(number, &format!("commit {number}"))
    }

    /// Commits everything, as on that day of January 2024, and returns the hash.
    pub(super) fn commit_on(&self, day: usize, message: &str) -> String {
        self.git(&["add", "--all"]);
        let date = format!("2024-01-{day:02}T00:00:00Z");
        self.run(&self.path(""), &["commit", "--quiet", "--allow-empty", "--message", message], &date);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Returns a path in the work tree.
    pub(super) fn path(&self, inner: &str) -> PathBuf {
        self.beside("work").join(inner)
    }

    /// Returns a path beside the work tree.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, inner: &str, text: &str) {
        fs::create_dir_all(self.path(inner).parent().unwrap()).unwrap();
        fs::write(self.path(inner), text).unwrap();
    }

    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        let home = self.folder.path().to_str().unwrap();
        let own = [("HOME", home), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")];
        own.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    pub(super) fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.path(""), arguments)
    }

    pub(super) fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        self.run(folder, arguments, "2024-03-01T00:00:00Z")
    }

    fn run(&self, folder: &Path, arguments: &[&str], date: &str) -> String {
        let mut command = Command::new("git");
        command.current_dir(folder).envs(self.variables()).args(["-c", "protocol.file.allow=always"]).args(arguments);
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "A. Author").env(format!("GIT_{role}_EMAIL"), "a@example.org");
            command.env(format!("GIT_{role}_DATE"), date);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(super) fn open_at(&self, folder: &Path) -> Repository {
        Repository::open(folder, false, self.variables()).unwrap()
    }

    pub(super) fn open(&self) -> Repository {
        self.open_at(&self.path(""))
    }

    pub(super) fn sources(&self) -> Sources {
        Sources::open(&self.open(), &self.beside("cache")).unwrap()
    }

    pub(super) fn branches(&self, names: &[&str]) -> Vec<Branch> {
        self.open().branches(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    /// Returns everything that lies in `.git`, with sizes and times: equal before and after whatever we do.
    pub(super) fn fingerprint(&self) -> Vec<String> {
        fingerprint(&self.path(".git"))
    }
}

/// Returns all files and folders below, with sizes and times.
pub(super) fn fingerprint(top: &Path) -> Vec<String> {
    let mut folders = vec![top.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let metadata = entry.metadata().unwrap();
            let is_object = entry.path().components().any(|part| part.as_os_str() == "objects");
            // git renews the time of an object when it meets the same content again.
            let time = (!is_object).then(|| metadata.modified().unwrap());
            found.push(format!("{:?} {} {time:?}", entry.path(), metadata.len()));
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    found.sort();
    found
}
