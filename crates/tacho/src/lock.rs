//! One measurement at a time: a lock per user and machine.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use anyhow::Context;

use crate::console::Console;
use crate::dirs::{Dirs, UNWRITABLE_HINT};
use crate::error::{CommandError, Result, WithHint};

/// Held while something is measured. The system releases it with the process, however that ends.
pub(crate) struct MeasuringLock {
    _file: File,
}

impl MeasuringLock {
    /// Takes the lock; waits for it if `wait`, else says who holds it.
    pub(crate) fn take(dirs: &Dirs, console: &Console, wait: bool, about: &str) -> Result<MeasuringLock> {
        let made = std::fs::create_dir_all(&dirs.state);
        made.with_context(|| format!("cannot make `{}`", dirs.state.display())).hint(UNWRITABLE_HINT)?;
        let path = dirs.state.join(format!("measuring-{}.lock", host()));
        let mut file = open(&path).hint(UNWRITABLE_HINT)?;
        if wait {
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                console.talk(&format!("Waiting: {}.", holder(&mut file)));
            }
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

/// On a home that several machines share, each has a lock of its own.
fn host() -> String {
    let name = crate::machine_choice::host_name();
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect()
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let _ = file.read_to_string(&mut text);
    let holder = if text.is_empty() { "another process" } else { &text };
    format!("{holder} is measuring on this machine")
}

fn taken(file: &mut File) -> CommandError {
    CommandError::new(format!("{}, and two at once would disturb each other", holder(file)))
        .hint("wait for it with --wait")
}
