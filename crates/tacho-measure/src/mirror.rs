//! A copy of a suite to measure from, in surroundings that look like the original's.
//!
//! A run may take hours, and its rounds must all be of one suite, whatever its author edits meanwhile. But a
//! suite may also read files that lie around it (`../../tests/data`). So the suite itself is copied, and on
//! the way down to it each folder is made anew with links to everything else that is in the original.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Files from this size on are data: they are linked rather than copied.
const LARGEST_COPY_BYTES: u64 = 16 << 20;

/// How far above a suite without a repository its surroundings go.
const LEVELS_WITHOUT_REPOSITORY: usize = 3;

/// A suite's copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    /// The suite's copy, of the same name.
    pub suite: PathBuf,
    /// The copy's surroundings, which stand for `original_root`.
    pub root: PathBuf,
    /// The folder that the surroundings are like.
    pub original_root: PathBuf,
}

/// Copies the suite at `path`, a folder or a file, below the empty folder `into`.
///
/// `repository` is the top of the work tree around it, if there is one.
///
/// # Errors
/// Whatever the file system says.
pub fn mirror(path: &Path, repository: Option<&Path>, into: &Path) -> io::Result<Mirror> {
    let original_root = surroundings(path, repository);
    let inner = path.strip_prefix(&original_root).map_err(io::Error::other)?.to_owned();
    let root = into.join(original_root.file_name().unwrap_or("root".as_ref()));
    let (mut original, mut copy) = (original_root.clone(), root.clone());
    fs::create_dir_all(into)?;
    for part in inner.components() {
        link_all_but(&original, part.as_os_str(), &copy)?;
        original.push(part);
        copy.push(part);
    }
    copy_all(&original, &copy)?;
    Ok(Mirror { suite: copy, root, original_root })
}

/// Returns the folder down from which surroundings are made: the repository's top, else some levels up.
fn surroundings(path: &Path, repository: Option<&Path>) -> PathBuf {
    if let Some(top) = repository.filter(|top| path.starts_with(top) && path != *top) {
        return top.to_owned();
    }
    let named = |folder: &&Path| folder.file_name().is_some();
    let above = path.ancestors().skip(1).take(LEVELS_WITHOUT_REPOSITORY).filter(named);
    above.last().or(path.parent()).unwrap_or(path).to_owned()
}

fn link_all_but(original: &Path, but: &std::ffi::OsStr, copy: &Path) -> io::Result<()> {
    fs::create_dir(copy)?;
    let entries = match fs::read_dir(original) {
        // Whoever may not list a folder may still pass through it, and the suite could not list it either.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name() != but {
            symlink(entry.path(), copy.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn copy_all(original: &Path, copy: &Path) -> io::Result<()> {
    let metadata = fs::metadata(original)?;
    if !metadata.is_dir() {
        return copy_file(original, copy, metadata.len());
    }
    fs::create_dir(copy)?;
    for entry in fs::read_dir(original)? {
        let entry = entry?;
        let (from, to) = (entry.path(), copy.join(entry.file_name()));
        let kind = entry.file_type()?;
        let name = entry.file_name();
        if kind.is_symlink() || kind.is_dir() && name.as_encoded_bytes().starts_with(b".") {
            // Of links the original's place is meant, and hidden folders hold no code.
            symlink(&from, to)?;
        } else if kind.is_dir() {
            // Compiled files of the original do not fit the copies' times.
            if name != "__pycache__" {
                copy_all(&from, &to)?;
            }
        } else if kind.is_file() {
            copy_file(&from, &to, entry.metadata()?.len())?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path, n_bytes: u64) -> io::Result<()> {
    if n_bytes >= LARGEST_COPY_BYTES {
        return symlink(from, to);
    }
    match fs::copy(from, to) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => symlink(from, to),
        copied => copied.map(|_| ()),
    }
}

impl Mirror {
    /// Returns true where all copied files are still as the original's: nobody edited while they were copied.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn is_like(&self, original: &Path) -> io::Result<bool> {
        is_like(original, &self.suite)
    }
}

fn is_like(original: &Path, copy: &Path) -> io::Result<bool> {
    let kind = fs::symlink_metadata(copy)?.file_type();
    if kind.is_symlink() {
        return Ok(true);
    }
    if kind.is_file() {
        return Ok(fs::read(original).is_ok_and(|bytes| fs::read(copy).is_ok_and(|copied| copied == bytes)));
    }
    for entry in fs::read_dir(copy)? {
        let name = entry?.file_name();
        if !is_like(&original.join(&name), &copy.join(&name))? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("makes folders");
        fs::write(path, text).expect("writes");
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).expect("readable")
    }

    #[test]
    fn the_suite_is_a_copy_and_what_lies_around_it_is_there() {
        let folder = tempfile::tempdir().expect("a temp folder");
        let project = folder.path().join("project");
        write(&project, "bench/suite/a.py", "1");
        write(&project, "bench/suite/data/x.txt", "x");
        write(&project, "bench/suite/__pycache__/a.pyc", "");
        write(&project, "bench/helper.txt", "helper");
        write(&project, "tests/data.txt", "data");
        let into = folder.path().join("scratch");
        let made = mirror(&project.join("bench/suite"), Some(&project), &into).expect("mirrors");
        assert_eq!((made.suite.clone(), made.root.clone()), (into.join("project/bench/suite"), into.join("project")));
        write(&project, "bench/suite/a.py", "2");
        assert_eq!(read(&made.suite.join("a.py")), "1");
        assert_eq!(read(&made.suite.join("data/x.txt")), "x");
        assert_eq!(read(&made.suite.join("../helper.txt")), "helper");
        assert_eq!(read(&made.suite.join("../../tests/data.txt")), "data");
        assert!(!made.suite.join("__pycache__").exists());
        fs::remove_dir_all(&into).expect("removes");
        assert_eq!(read(&project.join("tests/data.txt")), "data", "links are removed, not what they lead to");
    }

    #[test]
    fn hidden_folders_and_links_lead_where_they_did() {
        let folder = tempfile::tempdir().expect("a temp folder");
        write(folder.path(), "shared/far.txt", "far");
        write(folder.path(), "a/b/c/d/suite/.data/x.txt", "hidden");
        symlink("../../../../../shared", folder.path().join("a/b/c/d/suite/link")).expect("links");
        let into = folder.path().join("scratch");
        let made = mirror(&folder.path().join("a/b/c/d/suite"), None, &into).expect("mirrors");
        assert_eq!(read(&made.suite.join(".data/x.txt")), "hidden");
        assert_eq!(read(&made.suite.join("link/far.txt")), "far");
        assert!(made.is_like(&folder.path().join("a/b/c/d/suite")).expect("compares"));
    }

    #[test]
    fn an_edit_during_the_copying_is_seen() {
        let folder = tempfile::tempdir().expect("a temp folder");
        write(folder.path(), "suite/a.py", "1");
        let made = mirror(&folder.path().join("suite"), None, &folder.path().join("scratch")).expect("mirrors");
        write(folder.path(), "suite/a.py", "2");
        assert!(!made.is_like(&folder.path().join("suite")).expect("compares"));
    }

    #[test]
    fn a_file_has_its_neighbours() {
        let folder = tempfile::tempdir().expect("a temp folder");
        write(folder.path(), "deep/er/speed.py", "1");
        write(folder.path(), "deep/er/data.txt", "data");
        let into = folder.path().join("scratch");
        let made = mirror(&folder.path().join("deep/er/speed.py"), None, &into).expect("mirrors");
        assert_eq!(read(&made.suite), "1");
        assert_eq!(read(&made.suite.with_file_name("data.txt")), "data");
    }

    #[test]
    fn a_link_to_a_suite_keeps_its_name() {
        let folder = tempfile::tempdir().expect("a temp folder");
        write(folder.path(), "real/a.py", "1");
        symlink("real", folder.path().join("benchmarks")).expect("links");
        let into = folder.path().join("scratch");
        let made = mirror(&folder.path().join("benchmarks"), Some(folder.path()), &into).expect("mirrors");
        assert!(made.suite.ends_with("benchmarks"));
        assert_eq!(read(&made.suite.join("a.py")), "1");
    }
}
