//! Launchers that wait for their next command: to start one takes longer than what most of them start.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::{LaunchError, Launcher};

/// Launchers of one program. Clones share them; they end with the last.
#[derive(Debug, Clone)]
pub struct Launchers {
    program: PathBuf,
    idle: Arc<Mutex<Vec<Launcher>>>,
}

impl Launchers {
    /// Makes an empty pool; `program` is what [`Launcher::start`] takes. Nothing is started yet.
    pub fn new(program: PathBuf) -> Launchers {
        Launchers { program, idle: Arc::default() }
    }

    /// Returns a launcher that waits, or a new one.
    pub(crate) fn take(&self) -> Result<Lent, LaunchError> {
        // One that somebody has killed while it waited is passed over.
        let idle = std::iter::from_fn(|| self.idle.lock().ok()?.pop()).find_map(still_idle);
        let launcher = idle.map_or_else(|| Launcher::start(&self.program), Ok)?;
        Ok(Lent { launcher, home: self.clone() })
    }
}

/// A launcher that goes back to its pool, unless something still runs in it.
#[derive(Debug)]
pub(crate) struct Lent {
    launcher: Launcher,
    home: Launchers,
}

impl Deref for Lent {
    type Target = Launcher;

    fn deref(&self) -> &Launcher {
        &self.launcher
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Launcher {
        &mut self.launcher
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let launcher = still_idle(std::mem::take(&mut self.launcher));
        if let (Some(launcher), Ok(mut idle)) = (launcher, self.home.idle.lock()) {
            idle.push(launcher);
        }
    }
}

fn still_idle(mut launcher: Launcher) -> Option<Launcher> {
    launcher.is_idle().then_some(launcher)
}
