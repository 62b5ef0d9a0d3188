//! Folders and locks of the cache.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::HistoryError;

/// The longest name of a repository that goes into a folder's name, in bytes.
const NAME_BYTES: usize = 40;

/// How often a lock is tried, and what is waited between: 10 s in all, in tests less.
const LOCK_TRIES: usize = if cfg!(test) { 20 } else { 200 };
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// Returns `NAME-DIGEST16`: the name for people, the digest of what identifies the repository.
pub(super) fn name(name: &str, identity: &[u8]) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let name: String = name.chars().map(plain).take(NAME_BYTES).collect();
    let name = name.trim_matches(['.', '-']);
    let digest: String = Sha256::digest(identity).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{digest}", if name.is_empty() { "repository" } else { name })
}

/// Makes the folder that holds repositories, and returns its path with links followed.
pub(super) fn made(folder: &Path) -> Result<PathBuf, HistoryError> {
    let made = fs::create_dir_all(folder).and_then(|()| folder.canonicalize());
    made.map_err(|source| HistoryError::Cache { doing: "make the folder", path: folder.to_owned(), source })
}

/// Waits for a lock. Where a file system has no locks, nobody is kept out.
pub(super) fn lock(path: &Path) -> Result<File, HistoryError> {
    let file = lock_file(path)?;
    let _ = file.lock();
    Ok(file)
}

/// Takes a lock; `None` where somebody has it.
///
/// It waits a little: a process that is being started holds a copy of everything open for a moment, and a git whose
/// `tacho` was killed holds the lock until it has written what it was about to write.
pub(super) fn try_lock(path: &Path) -> Result<Option<File>, HistoryError> {
    let file = lock_file(path)?;
    for _ in 0..LOCK_TRIES {
        if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Ok(Some(file));
        }
        std::thread::sleep(LOCK_PAUSE);
    }
    Ok(None)
}

fn lock_file(path: &Path) -> Result<File, HistoryError> {
    let opened = File::options().create(true).truncate(false).write(true).open(path);
    opened.map_err(|source| HistoryError::Cache { doing: "open the lock", path: path.to_owned(), source })
}

/// Removes a file or folder, if there is one; folders that a build made read-only as well.
pub(super) fn remove(path: &Path) -> Result<(), HistoryError> {
    let kind = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.file_type(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(HistoryError::Cache { doing: "remove", path: path.to_owned(), source }),
    };
    let removed = if !kind.is_dir() {
        fs::remove_file(path)
    } else {
        fs::remove_dir_all(path).or_else(|_| {
            make_writable(path);
            fs::remove_dir_all(path)
        })
    };
    removed.map_err(|source| HistoryError::Cache { doing: "remove", path: path.to_owned(), source })
}

/// Lets the owner remove what lies in the folders below; where that fails, removing says why.
fn make_writable(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

/// Removes the locks that a git left which was killed. Only whoever holds our own lock on the repository may do so.
pub(super) fn remove_stale_locks(git_dir: &Path) {
    let of = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().collect::<Vec<_>>();
    for entry in of(git_dir).into_iter().chain(of(&git_dir.join("objects/info"))) {
        if entry.path().extension().is_some_and(|ending| ending == "lock") {
            let _ = fs::remove_file(entry.path());
        }
    }
    remove_locks_below(&git_dir.join("refs"));
}

/// Removes packs that a fetch left which was killed. Only where nobody fetches without our lock.
pub(super) fn remove_stale_packs(git_dir: &Path) {
    for entry in fs::read_dir(git_dir.join("objects/pack")).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("tmp_") {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn remove_locks_below(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => remove_locks_below(&path),
            // No ref's name may end so.
            Ok(_) if path.extension().is_some_and(|ending| ending == "lock") => drop(fs::remove_file(path)),
            _ => {}
        }
    }
}
