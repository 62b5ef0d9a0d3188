//! Locks on what lies in the cache: one makes it, many use it, and nobody removes it meanwhile.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::workshop::MakeError;

/// How often somebody who waits looks whether the user has interrupted.
const POLL: Duration = Duration::from_millis(50);

/// A lock that is held until the value is gone, or its process, whatever ended that.
#[derive(Debug)]
pub(super) struct Held {
    file: File,
}

impl Held {
    /// Waits until nobody else holds it; `wait` is called once where it is held by somebody.
    pub(super) fn exclusive(path: &Path, interrupted: &AtomicBool, wait: impl FnOnce()) -> Result<Held, MakeError> {
        let mut wait = Some(wait);
        loop {
            if let Some(held) = Held::try_exclusive(path).map_err(MakeError::io("lock", path))? {
                return Ok(held);
            }
            if interrupted.load(Ordering::Relaxed) {
                return Err(MakeError::Interrupted);
            }
            if let Some(wait) = wait.take() {
                wait();
            }
            std::thread::sleep(POLL);
        }
    }

    /// Returns the lock unless somebody holds it.
    pub(super) fn try_exclusive(path: &Path) -> io::Result<Option<Held>> {
        Held::attempt(path, File::try_lock)
    }

    /// Returns a share in the lock unless somebody holds all of it.
    pub(super) fn try_shared(path: &Path) -> io::Result<Option<Held>> {
        Held::attempt(path, File::try_lock_shared)
    }

    fn attempt(path: &Path, lock: fn(&File) -> Result<(), TryLockError>) -> io::Result<Option<Held>> {
        loop {
            let file = open(path)?;
            match lock(&file) {
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
                // Where a file system has no locks there is nothing better to do than to go on.
                _ => {}
            }
            // Whoever removes what is locked removes the lock too: one that is gone holds nobody off.
            if is_at(&file, path) {
                return Ok(Some(Held { file }));
            }
        }
    }

    /// Lets others share it. Between the two somebody may have had it.
    pub(super) fn share(self) -> Held {
        let _ = self.file.lock_shared();
        self
    }
}

/// Opens a lock. One that is there serves where nothing can be written, too.
fn open(path: &Path) -> io::Result<File> {
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    opened.or_else(|error| match error.kind() {
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => File::open(path).map_err(|_| error),
        _ => Err(error),
    })
}

fn is_at(file: &File, path: &Path) -> bool {
    let id = |meta: std::fs::Metadata| (meta.dev(), meta.ino());
    file.metadata().map(id).ok() == std::fs::metadata(path).map(id).ok()
}
