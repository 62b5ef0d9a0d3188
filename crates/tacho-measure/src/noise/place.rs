//! Where conditions are looked for, and how what is seen becomes a finding.

use std::path::Path;

use tacho_model::{Condition, Finding, FindingState, Fix};

use super::Surroundings;
use super::snapshot::Watched;
use crate::machine::text;

/// The machine as it is read.
pub(super) struct Place<'a> {
    pub(super) root: &'a Path,
    pub(super) surroundings: &'a Surroundings,
    /// What happened while measuring, if something was measured.
    pub(super) watched: Option<Watched>,
    virtualisation: Option<String>,
}

impl<'a> Place<'a> {
    pub(super) fn new(root: &'a Path, virtualisation: Option<String>, surroundings: &'a Surroundings) -> Place<'a> {
        let Surroundings { before, after, own_cpu_ns, .. } = surroundings;
        let watched = after.as_ref().map(|after| before.until(after, *own_cpu_ns));
        Place { root, surroundings, watched, virtualisation }
    }

    /// Returns a file's text; `None` where it cannot be read or is empty.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        text(self.root, path)
    }

    /// Returns a file's number.
    pub(super) fn number(&self, path: &str) -> Option<i64> {
        self.text(path)?.parse().ok()
    }

    pub(super) fn is_guest(&self) -> bool {
        self.is_below("vm")
    }

    pub(super) fn is_container(&self) -> bool {
        self.is_below("container")
    }

    fn is_below(&self, word: &str) -> bool {
        self.virtualisation.as_deref().is_some_and(|text| text.split(", ").any(|part| part.starts_with(word)))
    }

    pub(super) fn virtualisation_told(&self) -> Told {
        match self.virtualisation.as_deref() {
            Some("none") => Told::ok("none"),
            Some(told) => Told::note(told),
            None => Told::unknown(),
        }
    }

    /// Returns a fix that writes a setting of the kernel: only the superuser can, and not from a container.
    pub(super) fn kernel_fix(&self, command: impl Into<String>) -> Option<Fix> {
        (!self.is_container()).then(|| Fix { command: command.into(), needs_root: true })
    }

    /// Returns a fix that writes a value into a file of `/sys`.
    pub(super) fn write_fix(&self, value: &str, file: &str) -> Option<Fix> {
        self.kernel_fix(format!("echo {value} | sudo tee /{file}"))
    }
}

/// What was seen of a condition.
pub(super) struct Told {
    state: FindingState,
    observed: Option<String>,
    fix: Option<Fix>,
}

impl Told {
    pub(super) fn ok(observed: impl Into<String>) -> Told {
        Told { state: FindingState::Ok, observed: Some(observed.into()), fix: None }
    }

    pub(super) fn note(observed: impl Into<String>) -> Told {
        Told { state: FindingState::Note, observed: Some(observed.into()), fix: None }
    }

    pub(super) fn warn(observed: impl Into<String>) -> Told {
        Told { state: FindingState::Warn, observed: Some(observed.into()), fix: None }
    }

    pub(super) fn unknown() -> Told {
        Told { state: FindingState::Unknown, observed: None, fix: None }
    }

    /// Returns a warning where `disturbs`, else that all is well.
    pub(super) fn warn_if(disturbs: bool, observed: impl Into<String>) -> Told {
        if disturbs { Told::warn(observed) } else { Told::ok(observed) }
    }

    pub(super) fn mended_by(self, fix: Option<Fix>) -> Told {
        Told { fix, ..self }
    }

    pub(super) fn finding(self, condition: Condition) -> Finding {
        let Told { state, observed, fix } = self;
        Finding { condition, state, observed, fix }
    }
}

/// Returns a share as a percentage: `2.5 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
