//! A snapshot of a work tree as git trees, made in a scratch folder.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Git, GitError, command, path};
use crate::Scratch;

/// A work tree as it was at one moment.
#[derive(Debug)]
pub struct WorkTree {
    root: PathBuf,
    variables: Vec<(OsString, OsString)>,
    id: String,
    /// Holds the scratch index and objects; removed with the value.
    scratch: Scratch,
}

impl WorkTree {
    /// Returns the id of the whole tree.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the tree id of one folder, given from the current directory or as an absolute path; `None`
    /// where git sees no file in it.
    ///
    /// # Errors
    /// [`GitError::Outside`] for a folder outside the repository; git failed.
    pub fn subtree(&self, folder: &Path) -> Result<Option<String>, GitError> {
        let outside = || GitError::Outside { folder: folder.to_owned(), root: self.root.clone() };
        // git's root has its links resolved, so the folder's must be too.
        let (Ok(real), Ok(root)) = (folder.canonicalize(), self.root.canonicalize()) else { return Ok(None) };
        let inner = real.strip_prefix(&root).map_err(|_| outside())?;
        let Some(inner) = inner.to_str() else { return Ok(None) };
        if inner.is_empty() {
            return Ok(Some(self.id.clone()));
        }
        let name = format!("{}:{inner}", self.id);
        let arguments = ["rev-parse", "--verify", "--quiet", &name];
        command::run(&self.root, &self.variables, arguments, &[])?.success_or_none()
    }

    /// Returns the store of those objects that the snapshot made. It goes with the value.
    pub(crate) fn objects(&self) -> PathBuf {
        self.scratch.path().join("objects")
    }

    pub(super) fn take(git: &Git) -> Result<WorkTree, GitError> {
        let scratch = scratch(git)?;
        let variables = scratch_variables(git, scratch.path());
        let ask = |arguments: &[&str], input: &[u8]| {
            command::run(git.root(), &variables, arguments.iter().copied(), input)?.success()
        };
        // Not `git add -A`: it would move submodules along and stop at a repository that lies around untracked.
        let differing = |filter: &str| {
            ask(&["diff-files", filter, "--name-only", "-z", "--no-ext-diff", "--ignore-submodules=all"], &[])
        };
        let gone = differing("--diff-filter=D")?;
        // By name alone: a folder may have become a link, behind which git does not look.
        let gone = gone.split_inclusive(|byte| *byte == 0).filter(|path| !git.is_own(&path[..path.len() - 1], true));
        ask(&["update-index", "--force-remove", "-z", "--stdin"], &gone.flatten().copied().collect::<Vec<u8>>())?;
        let changed = differing("--diff-filter=d")?;
        let untracked = ask(&["ls-files", "-z", "--others", "--exclude-standard"], &[])?;
        let mut paths = Vec::new();
        let of = |list: &[u8], tracked| {
            list.split(|byte| *byte == 0).map(|path| (path.to_vec(), tracked)).collect::<Vec<_>>()
        };
        for (path, tracked) in of(&changed, true).into_iter().chain(of(&untracked, false)) {
            // A path that ends in a slash is another repository.
            if !path.is_empty() && !path.ends_with(b"/") && !git.is_own(&path, tracked) {
                paths.extend_from_slice(&path);
                paths.push(0);
            }
        }
        ask(&["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], &paths)?;
        // Without looking for every object: a partial clone would fetch them.
        let id = String::from_utf8_lossy(&ask(&["write-tree", "--missing-ok"], &[])?).trim().to_owned();
        Ok(WorkTree { root: git.root().to_owned(), variables, id, scratch })
    }
}

/// Makes a folder with a copy of the index and an object store that borrows from the repository's.
fn scratch(git: &Git) -> Result<Scratch, GitError> {
    let index = absolute(git, path(git.ask(["rev-parse", "--git-path", "index"])?.success()?));
    let objects = absolute(git, path(git.ask(["rev-parse", "--git-path", "objects"])?.success()?));
    filled(&index, &objects).map_err(|source| GitError::Scratch { source })
}

fn filled(index: &Path, objects: &Path) -> io::Result<Scratch> {
    let scratch = Scratch::for_git()?;
    let info = scratch.path().join("objects/info");
    fs::create_dir_all(&info)?;
    // A file rather than the variable: colons in the path would need quoting there.
    fs::write(info.join("alternates"), [objects.as_os_str().as_bytes(), b"\n"].concat())?;
    copy_index(index, &scratch.path().join("index"))?;
    Ok(scratch)
}

fn copy_index(from: &Path, to: &Path) -> io::Result<()> {
    let metadata = match fs::metadata(from) {
        Ok(metadata) => metadata,
        // Before the first `git add` there is none.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    fs::copy(from, to)?;
    // git looks again at files that are not older than the index. With a new time on the copy it would
    // miss a file of unchanged size that was changed right after `git add`.
    File::options().write(true).open(to)?.set_times(FileTimes::new().set_modified(metadata.modified()?))
}

fn absolute(git: &Git, path: PathBuf) -> PathBuf {
    git.root().join(path)
}

fn scratch_variables(git: &Git, scratch: &Path) -> Vec<(OsString, OsString)> {
    let own = [("GIT_INDEX_FILE", scratch.join("index")), ("GIT_OBJECT_DIRECTORY", scratch.join("objects"))];
    let own = own.into_iter().map(|(name, path)| (OsString::from(name), path.into_os_string()));
    git.variables.iter().cloned().chain(own).collect()
}
