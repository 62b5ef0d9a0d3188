//! One measurement at a time: a lock per user and machine.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use anyhow::Context;

use crate::dirs::Dirs;
use crate::error::{CommandError, Result};

/// Held while something is measured. The system releases it with the process, however that ends.
pub(crate) struct MeasuringLock {
    _file: File,
}

impl MeasuringLock {
    /// Takes the lock; waits for it if `wait`, else says who holds it.
    pub(crate) fn take(dirs: &Dirs, wait: bool, about: &str) -> Result<MeasuringLock> {
        std::fs::create_dir_all(&dirs.state).with_context(|| format!("cannot make `{}`", dirs.state.display()))?;
        let path = dirs.state.join("measuring.lock");
        let mut file = open(&path)?;
        if wait {
            file.lock().with_context(|| format!("cannot lock `{}`", path.display()))?;
        } else {
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(taken(&mut file)),
                Err(TryLockError::Error(error)) => {
                    return Err(anyhow::Error::new(error).context(format!("cannot lock `{}`", path.display())).into());
                }
            }
        }
        // Who holds it is told for people; the lock itself does not depend on the text.
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = write!(file, "process {} ({about})", std::process::id());
        Ok(MeasuringLock { _file: file })
    }
}

fn open(path: &Path) -> Result<File> {
    let opened = File::options().read(true).write(true).create(true).truncate(false).open(path);
    Ok(opened.with_context(|| format!("cannot open `{}`", path.display()))?)
}

fn taken(file: &mut File) -> CommandError {
    let mut holder = String::new();
    let _ = file.read_to_string(&mut holder);
    let holder = if holder.is_empty() { "another process".to_owned() } else { holder };
    CommandError::new(format!("{holder} is measuring on this machine, and two at once would disturb each other"))
        .hint("wait for it with --wait")
}
