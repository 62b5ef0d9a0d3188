//! The builds of a run: what each cell needs, made where it is not there yet.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context as _;
use tacho_measure::environments::{
    CheckedOut, Code, Combination, Made, MakeError, Order, Source, Standing, Tool, Workshop,
};
use tacho_measure::git::WorkTree;
use tacho_measure::history::{CheckOut, HistoryError, Repository, Sources};
use tacho_measure::{Launcher, Launchers};
use tacho_model::Subject;
use tempfile::TempDir;

use super::cell::{Cell, Work};
use crate::context::Context;
use crate::error::Result;
use crate::interrupts;
use crate::settings::Settings;

/// Makes what cells are measured in.
pub(super) struct Builds {
    workshop: Workshop,
    repository: Option<Repository>,
    /// The work tree with its changes, where that is measured.
    work_tree: Option<WorkTree>,
    /// Made when the first checkout is needed.
    sources: OnceLock<Sources>,
    repos: PathBuf,
    project: String,
    subdir: Option<String>,
    /// The cache of a plan, where there is none yet.
    _scratch: Option<TempDir>,
}

type Boxed = Box<dyn std::error::Error + Send + Sync>;

impl Builds {
    pub(super) fn new(
        settings: &Settings,
        repository: Option<Repository>,
        work_tree: Option<WorkTree>,
        is_plan: bool,
        context: &Context<'_>,
    ) -> Result<Builds> {
        let mut cache = context.store(Some(settings)).root().join("cache");
        let mut scratch = None;
        if is_plan && !cache.exists() {
            // What is learnt of interpreters is kept in a cache: a plan makes none.
            let folder = tempfile::tempdir().context("cannot make a scratch folder")?;
            cache = folder.path().to_owned();
            scratch = Some(folder);
        }
        let limit = Duration::try_from_secs_f64(settings.environment.build_timeout_s.value).unwrap_or(Duration::MAX);
        let launchers = Launchers::new(Launcher::this_program());
        Ok(Builds {
            workshop: Workshop::new(&cache, launchers, interrupts::watch()?, limit, &settings.root),
            repository,
            work_tree,
            sources: OnceLock::new(),
            repos: cache.join("repos"),
            project: settings.project.value.clone(),
            subdir: settings.subdir.value.clone().filter(|subdir| !subdir.is_empty()),
            _scratch: scratch,
        })
    }

    /// Returns the digest of what a cell needs; `None` where nothing is built for it.
    pub(super) fn key(&self, cell: &Cell) -> std::result::Result<Option<String>, MakeError> {
        match needs_build(&cell.combination) {
            true => self.with_order(cell, |order| self.workshop.key(order)).map(Some),
            false => Ok(None),
        }
    }

    /// Returns what is there of what a cell needs; `None` where nothing is built for it.
    pub(super) fn look_up(&self, cell: &Cell) -> std::result::Result<Option<Standing>, MakeError> {
        match needs_build(&cell.combination) {
            true => self.with_order(cell, |order| self.workshop.look_up(order)).map(Some),
            false => Ok(None),
        }
    }

    /// Returns true where what a cell needs is there.
    pub(super) fn is_ready(&self, cell: &Cell) -> bool {
        self.ready(cell).is_some()
    }

    /// Returns what a cell is measured in, if it is there.
    pub(super) fn ready(&self, cell: &Cell) -> Option<Made> {
        self.with_order(cell, |order| self.workshop.ready(order))
    }

    /// Returns what a cell is measured in, made where it is not there.
    pub(super) fn make(&self, cell: &Cell, say: &dyn Fn(&str)) -> std::result::Result<Made, MakeError> {
        self.with_order(cell, |order| self.workshop.make(order, say))
    }

    /// Makes what some cells need, at the same time; whatever fails is met again when its cell is measured.
    pub(super) fn make_together(&self, cells: &[&Cell]) {
        std::thread::scope(|scope| {
            for cell in cells {
                scope.spawn(|| {
                    let _ = self.make(cell, &|_| {});
                });
            }
        });
    }

    /// Keeps the cache within its limit.
    pub(super) fn prune(&self, limit_bytes: u64) -> std::result::Result<(), MakeError> {
        self.workshop.prune(limit_bytes).map(|_| ())
    }

    fn with_order<T>(&self, cell: &Cell, then: impl FnOnce(&Order<'_>) -> T) -> T {
        let check_out = |slot: &str| -> std::result::Result<CheckedOut, Boxed> {
            let taken = self.check_out(cell, slot)?;
            Ok(CheckedOut { path: taken.path().to_owned(), guard: Some(Box::new(taken)) })
        };
        let id = cell.subject.as_ref().map(Subject::id).unwrap_or_default();
        let source = match (cell.work, &cell.subject) {
            (Work::Release, Some(Subject::Version { package, version })) => Source::Release { package, version },
            (Work::Commit, _) => Source::Code(self.code(&id, Some(&id), &check_out)),
            (Work::Tree, _) => Source::Code(self.code(&id, None, &check_out)),
            _ => Source::Nothing,
        };
        then(&Order { project: &self.project, spec: &cell.combination.environment, source })
    }

    fn code<'a>(
        &'a self,
        id: &'a str,
        commit: Option<&'a str>,
        check_out: &'a tacho_measure::environments::CheckOut<'a>,
    ) -> Code<'a> {
        Code { id, commit, check_out, subdir: self.subdir.as_deref() }
    }

    fn check_out(&self, cell: &Cell, slot: &str) -> std::result::Result<CheckOut, HistoryError> {
        let sources = self.sources()?;
        match (&self.work_tree, cell.work) {
            (Some(work_tree), Work::Tree) => sources.check_out_tree(slot, work_tree, parent_of(cell)),
            _ => sources.check_out(slot, &cell.subject.as_ref().map(Subject::id).unwrap_or_default()),
        }
    }

    fn sources(&self) -> std::result::Result<&Sources, HistoryError> {
        if let Some(sources) = self.sources.get() {
            return Ok(sources);
        }
        let repository =
            self.repository.as_ref().ok_or(HistoryError::NoRepository { folder: Path::new(".").into() })?;
        let opened = Sources::open(repository, &self.repos)?;
        Ok(self.sources.get_or_init(|| opened))
    }
}

/// Returns the commit that a work tree stands on.
fn parent_of(cell: &Cell) -> Option<&str> {
    match &cell.subject {
        Some(Subject::Tree { parent, .. }) => parent.as_deref(),
        _ => None,
    }
}

/// Returns true for a combination that is made rather than found.
pub(super) fn needs_build(combination: &Combination) -> bool {
    combination.environment.tool != Tool::Existing
}
