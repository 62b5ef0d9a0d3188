//! The folder that a case works in: one that a case has left as it was serves the next.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// An empty folder. To make and to remove one for each case would take longer than a fork.
#[derive(Debug)]
pub(super) struct CaseFolder {
    path: PathBuf,
    /// What it was when it was new; without it the folder is used once.
    made: Option<Identity>,
}

/// What tells a folder from another one, or from itself with other rights.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    mode: u32,
    owner: (u32, u32),
}

impl Identity {
    fn of(metadata: &Metadata) -> Identity {
        Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            mode: metadata.mode(),
            owner: (metadata.uid(), metadata.gid()),
        }
    }
}

impl CaseFolder {
    /// Takes a folder that was just made.
    pub(super) fn new(path: PathBuf) -> CaseFolder {
        let made = identity(&path);
        CaseFolder { path, made }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder where nothing has happened to it, else removes it.
    pub(super) fn after_use(self) -> Option<CaseFolder> {
        if self.made.is_some() && identity(&self.path) == self.made && is_empty(&self.path) {
            return Some(self);
        }
        let _ = fs::remove_dir_all(&self.path);
        None
    }
}

fn identity(path: &Path) -> Option<Identity> {
    fs::symlink_metadata(path).ok().map(|metadata| Identity::of(&metadata))
}

fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn check(happen: impl Fn(&Path), serves_again: bool) {
        let scratch = tempfile::tempdir().expect("a temp folder");
        let path = scratch.path().join("case-1");
        fs::create_dir(&path).expect("makes it");
        let folder = CaseFolder::new(path.clone());
        happen(&path);
        let after = folder.after_use();
        assert_eq!(after.as_ref().map(CaseFolder::path), serves_again.then_some(path.as_path()));
        assert_eq!(path.exists(), serves_again, "one that does not serve again is gone");
    }

    #[test]
    fn only_a_folder_that_is_as_it_was_serves_again() {
        check(|_| {}, true);
        check(|path| fs::write(path.join("left"), "x").expect("writes"), false);
        check(|path| fs::create_dir(path.join("left")).expect("makes it"), false);
        check(|path| fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("opens"), false);
        check(|path| fs::remove_dir(path).expect("removes"), false);
        let replace = |path: &Path| {
            fs::rename(path, path.with_extension("moved")).expect("moves");
            fs::create_dir(path).expect("makes another");
        };
        check(replace, false);
    }
}
