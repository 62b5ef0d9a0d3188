//! The code of an order, checked out when it is first needed, in a slot that nobody else uses meanwhile.

use std::path::{Path, PathBuf};

use super::lock::Held;
use super::workshop::{CheckedOut, Code, MakeError, Workshop};

/// More builds at once than anybody has processors for.
const LAST_SLOT: u32 = 512;

/// A checkout, until the value is gone.
pub(super) struct Checkout {
    /// The top of the repository.
    pub(super) root: PathBuf,
    /// The project's folder in it.
    pub(super) project: PathBuf,
    /// Let go of before the slot is.
    _guard: Option<Box<dyn std::any::Any>>,
    _slot: Held,
}

impl Checkout {
    /// Gives up the code, but not its slot: what lies there stays as it is for as long as the value lives.
    pub(super) fn into_slot(self) -> Held {
        self._slot
    }

    /// Checks the code out. The first slot that is free is taken, so that one build after the other has the same paths,
    /// and compiler caches find them again.
    pub(super) fn of(workshop: &Workshop, code: &Code<'_>) -> Result<Checkout, MakeError> {
        let (slot, held) = free_slot(workshop)?;
        let CheckedOut { path: root, guard } = (code.check_out)(&slot.to_string()).map_err(MakeError::CheckOut)?;
        let project = code.subdir.map_or_else(|| root.clone(), |subdir| root.join(subdir));
        Ok(Checkout { root, project, _guard: guard, _slot: held })
    }
}

fn free_slot(workshop: &Workshop) -> Result<(u32, Held), MakeError> {
    for slot in 1..LAST_SLOT {
        let path = workshop.places.slot_lock(slot);
        if let Some(held) = Held::try_exclusive(&path).map_err(MakeError::io("lock", &path))? {
            return Ok((slot, held));
        }
    }
    let path = workshop.places.slot_lock(LAST_SLOT);
    Held::exclusive(&path, &workshop.interrupted, || {}).map(|held| (LAST_SLOT, held))
}

/// Returns what a project says it is built with: `[build-system] requires` of its `pyproject.toml`, or what holds
/// without (PEP 518).
pub(super) fn build_requirements(project: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(project.join("pyproject.toml")).unwrap_or_default();
    let table: Option<toml::Table> = text.parse().ok();
    let requires = table.as_ref().and_then(|table| table.get("build-system")?.get("requires")?.as_array());
    match requires {
        Some(lines) => lines.iter().filter_map(|line| line.as_str()).map(str::to_owned).collect(),
        None => vec!["setuptools>=40.8.0".into()],
    }
}
