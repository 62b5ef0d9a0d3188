//! Folders to work in: removed at the end, and by a later run where they could not be.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// What the names of all folders of this kind begin with.
const PREFIXES: [&str; 2] = ["tacho-run-", "tacho-git-"];

/// How often a folder is made anew where another process takes it for a leftover before it is locked.
const TRIES: usize = 5;

/// An empty folder, held by a lock. Whoever can take the lock finds a folder that nobody works in.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes a folder for a run below the folder for temporary files, and removes those of runs that were killed.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn for_run() -> io::Result<Scratch> {
        let parent = std::env::temp_dir();
        sweep(&parent);
        made(&parent, PREFIXES[0])
    }

    /// Makes a folder for git's index and objects.
    pub(crate) fn for_git() -> io::Result<Scratch> {
        made(&std::env::temp_dir(), PREFIXES[1])
    }

    /// Returns the folder's path, links followed: programs tell it so.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn made(parent: &Path, prefix: &str) -> io::Result<Scratch> {
    let mut tries = 0;
    loop {
        tries += 1;
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
        let locked = File::open(folder.path()).inspect(|lock| {
            // Where a file system has no locks nobody can take it for a leftover.
            let _ = lock.lock();
        });
        match (locked, folder.path().canonicalize()) {
            (Ok(lock), Ok(path)) => return Ok(Scratch { path, _folder: folder, _lock: lock }),
            (Err(error), _) | (_, Err(error)) if tries == TRIES => return Err(error),
            _ => {}
        }
    }
}

/// The system lets go of a lock with its process, whatever ended that, in whatever container it was.
fn sweep(parent: &Path) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if PREFIXES.iter().any(|prefix| name.to_string_lossy().starts_with(prefix))
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Ok(lock) = File::open(entry.path())
            && lock.try_lock().is_ok()
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_works_in_is_removed() {
        let parent = tempfile::tempdir().expect("a temp folder");
        let scratch = made(parent.path(), PREFIXES[0]).expect("a folder");
        std::fs::write(scratch.path().join("file"), "in use").expect("writable");
        let left_behind = parent.path().join("tacho-git-x/objects");
        let others = parent.path().join("tacho-home-x");
        for folder in [&left_behind, &others] {
            std::fs::create_dir_all(folder).expect("writable");
        }
        sweep(parent.path());
        assert!(scratch.path().join("file").exists() && others.exists());
        assert!(!parent.path().join("tacho-git-x").exists());
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
    }
}
