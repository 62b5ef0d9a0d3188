//! The entry: environments are ordered here, made where they are not there yet, and kept.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tacho_model::{Build, Cleaning};

use super::cache::Cache;
use super::interpreters::Interpreters;
use super::lock::Held;
use super::making;
use super::places::Places;
use super::plan::Plan;
use super::programs::Search;
use super::spec::EnvironmentSpec;
use crate::{LaunchError, Launchers};

/// Makes environments and keeps them. Several threads may order at once.
#[derive(Debug)]
pub struct Workshop {
    pub(super) places: Places,
    pub(super) launchers: Launchers,
    pub(super) interrupted: Arc<AtomicBool>,
    pub(super) limit: Duration,
    pub(super) conf_dir: PathBuf,
    pub(super) interpreters: Interpreters,
    pub(super) search: Search,
    /// The slots of environments that take their code from a checkout, by keys, for as long as these are used.
    slots: Mutex<HashMap<String, Weak<Held>>>,
    /// What has been said and need not be said again.
    said: Mutex<Vec<String>>,
}

/// What is to be made.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// The project's name: that of its distribution, unless the wheel says otherwise.
    pub project: &'a str,
    /// The environment.
    pub spec: &'a EnvironmentSpec,
    /// What is installed in it.
    pub source: Source<'a>,
}

/// What is installed beside the requirements.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// The project, built from its code.
    Code(Code<'a>),
    /// A released version of a package, as the index has it: nothing is built.
    Release {
        /// The package.
        package: &'a str,
        /// Its version.
        version: &'a str,
    },
    /// Nothing.
    Nothing,
}

/// Gives a fresh checkout in a slot (`1`, `2`, …): a stable path. The workshop sees to it that no other build is given the
/// slot until this one has ended.
pub type CheckOut<'a> = dyn Fn(&str) -> Result<CheckedOut, Box<dyn std::error::Error + Send + Sync>> + 'a;

/// Code that has been checked out.
pub struct CheckedOut {
    /// The top of the repository.
    pub path: PathBuf,
    /// Whatever holds it: dropped when the build has ended.
    pub guard: Option<Box<dyn std::any::Any>>,
}

impl From<PathBuf> for CheckedOut {
    /// Code that nothing needs to hold.
    fn from(path: PathBuf) -> CheckedOut {
        CheckedOut { path, guard: None }
    }
}

/// Code to be built.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    /// What identifies it: the hash of a commit, or the id of a tree.
    pub id: &'a str,
    /// The commit, where it is one: asv's `{commit}`.
    pub commit: Option<&'a str>,
    /// Gives the code, clean of what earlier builds left. Called only where something is built or a lock file is read.
    pub check_out: &'a CheckOut<'a>,
    /// The project's folder in its repository.
    pub subdir: Option<&'a str>,
}

/// An environment that is there, and stays so as long as this value.
#[derive(Debug, Clone)]
pub struct Made {
    /// Its folder.
    pub dir: PathBuf,
    /// The interpreter in it.
    pub python: PathBuf,
    /// How it was made.
    pub build: Build,
    /// A label for people.
    pub label: String,
    /// What made it, in asv's words for `ASV_ENV_TYPE`: `uv`, `venv`, `conda`, `command`.
    pub tool: String,
    pub(super) _lock: Arc<Held>,
    /// Holds the checkout that it takes its code from.
    pub(super) _slot: Option<Arc<Held>>,
}

/// What is there of an order.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The digest of everything that decides what making gives.
    pub key: String,
    /// Whether the environment is there.
    pub is_ready: bool,
    /// How an earlier try failed, where it is not.
    pub failed_before: Option<Build>,
}

/// Why there is no environment.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// It cannot be made of this source. Kept, so that nobody need try again; see [`Workshop::failed_before`].
    #[error("{}", .0.failure.as_deref().unwrap_or("it could not be built"))]
    Failed(Box<Build>),
    /// The user interrupted; nothing half made is left that could be used.
    #[error("interrupted")]
    Interrupted,
    /// There is no room on the disk: no fault of what is built.
    #[error("no room on the disk: {words}")]
    DiskFull {
        /// What was said about it.
        words: String,
    },
    /// An index or a server could not be reached: no fault of what is built.
    #[error("the network did not answer: {words}")]
    Unreachable {
        /// What was said about it.
        words: String,
    },
    /// A program or an interpreter that is needed is not there, or does not do what it should.
    #[error("{problem}")]
    Tool {
        /// What is wrong.
        problem: String,
        /// What to do about it.
        hint: String,
    },
    /// A command line of the settings cannot be run.
    #[error("{0}")]
    Line(super::LineError),
    /// A file of the cache or of the project could not be read or written.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The code could not be checked out.
    #[error("{0}")]
    CheckOut(Box<dyn std::error::Error + Send + Sync>),
    /// A command could not be started at all.
    #[error(transparent)]
    Launch(LaunchError),
}

impl Workshop {
    /// Makes a workshop. `cache` is the store's folder `cache`; `limit` is how long one command of a build may take;
    /// `conf_dir` is the project's folder, from which files of its settings are read.
    pub fn new(
        cache: &Path,
        launchers: Launchers,
        interrupted: Arc<AtomicBool>,
        limit: Duration,
        conf_dir: &Path,
    ) -> Workshop {
        let places = Places::new(cache);
        let interpreters = Interpreters::new(&places);
        let (conf_dir, said, slots) = (conf_dir.to_owned(), Mutex::default(), Mutex::default());
        Workshop {
            places,
            launchers,
            interrupted,
            limit,
            conf_dir,
            interpreters,
            slots,
            said,
            search: Search::from_env(),
        }
    }

    /// Has programs looked for elsewhere than where `PATH` says, and `PATH` say so too.
    #[must_use]
    pub fn searching(self, search: Search) -> Workshop {
        Workshop { search, ..self }
    }

    /// Returns the digest of everything that decides what making gives.
    ///
    /// # Errors
    /// There is no such interpreter or tool, or a file of the project cannot be read.
    pub fn key(&self, order: &Order<'_>) -> Result<String, MakeError> {
        Plan::of(self, order, &|_| {}).map(|plan| plan.key)
    }

    /// Returns what is there of an order, in one look.
    ///
    /// # Errors
    /// As [`Workshop::key`].
    pub fn look_up(&self, order: &Order<'_>) -> Result<Standing, MakeError> {
        let plan = Plan::of(self, order, &|_| {})?;
        let is_ready = making::ready(self, &plan).is_some();
        let failed_before = if is_ready { None } else { making::failed_before(self, &plan) };
        Ok(Standing { key: plan.key, is_ready, failed_before })
    }

    /// Returns the environment if it is there. Nothing is started, unless it takes a process to know the interpreter:
    /// the first time ever, and each time where `python3` is a script that chooses one.
    pub fn ready(&self, order: &Order<'_>) -> Option<Made> {
        let plan = Plan::of(self, order, &|_| {}).ok()?;
        making::ready(self, &plan)
    }

    /// Returns how an earlier try failed, unless the environment has been made since.
    pub fn failed_before(&self, order: &Order<'_>) -> Option<Build> {
        let plan = Plan::of(self, order, &|_| {}).ok()?;
        making::failed_before(self, &plan)
    }

    /// Returns the environment, made where it is not there. What is going on is told to `say`.
    ///
    /// # Errors
    /// See [`MakeError`].
    pub fn make(&self, order: &Order<'_>, say: &dyn Fn(&str)) -> Result<Made, MakeError> {
        let plan = Plan::of(self, order, say)?;
        making::make(self, &plan, say)
    }

    /// Removes what was not used for the longest time until environments and builds take no more than so many bytes. What
    /// is in use stays. Of a limit of 0 nothing stays.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn prune(&self, limit_bytes: u64) -> Result<Cleaning, MakeError> {
        Cache::new(&self.places.cache).prune(limit_bytes)
    }

    /// Returns the slot that an environment takes its code from, if that is still as it was.
    pub(super) fn slot_of(&self, key: &str) -> Option<Arc<Held>> {
        self.slots.lock().ok()?.get(key)?.upgrade()
    }

    /// Remembers the slot that an environment takes its code from.
    pub(super) fn keep_slot(&self, key: &str, slot: Held) -> Arc<Held> {
        let slot = Arc::new(slot);
        if let Ok(mut slots) = self.slots.lock() {
            slots.insert(key.to_owned(), Arc::downgrade(&slot));
        }
        slot
    }

    /// Says something once.
    pub(super) fn say_once(&self, say: &dyn Fn(&str), text: &str) {
        let Ok(mut said) = self.said.lock() else { return };
        if !said.iter().any(|known| known == text) {
            said.push(text.to_owned());
            say(text);
        }
    }
}

impl MakeError {
    pub(super) fn io<'p>(doing: &'static str, path: &'p Path) -> impl FnOnce(std::io::Error) -> MakeError + 'p {
        move |source| match source.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                MakeError::DiskFull { words: format!("cannot {doing} `{}`: {source}", path.display()) }
            }
            _ => MakeError::Io { doing, path: path.to_owned(), source },
        }
    }
}
