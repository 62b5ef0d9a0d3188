//! The line of history: the first parents of the branch that the project counts by, as far as a repository is at hand.

use std::collections::{HashMap, HashSet};

use tacho_measure::history::Repository;
use tacho_model::{Subject, Timestamp};

use crate::settings::Settings;

/// The commits of the first-parent line, oldest first, and the repository they come from; nothing where there is none to ask.
pub(crate) struct Mainline {
    repository: Option<Repository>,
    line: Vec<String>,
    places: HashMap<String, usize>,
}

impl Mainline {
    /// Reads the line of the first configured branch, else of HEAD.
    pub(crate) fn of(settings: Option<&Settings>) -> Mainline {
        let repository = settings.and_then(repository);
        let line = settings
            .zip(repository.as_ref())
            .and_then(|(settings, repository)| repository.first_parents(&tip_in(repository, settings)?).ok());
        let line = line.unwrap_or_default();
        let places = line.iter().enumerate().map(|(at, hash)| (hash.clone(), at)).collect();
        Mainline { repository, line, places }
    }

    /// Returns the commits, oldest first.
    pub(crate) fn commits(&self) -> &[String] {
        &self.line
    }

    /// Returns where a subject stands on the line.
    pub(crate) fn place(&self, subject: &Subject) -> Option<usize> {
        match subject {
            Subject::Commit { hash, .. } => self.place_of(hash),
            _ => None,
        }
    }

    /// Returns where a commit stands on the line.
    pub(crate) fn place_of(&self, hash: &str) -> Option<usize> {
        self.places.get(hash).copied()
    }

    /// Returns where a commit stands on the line, or where its branch left the line, merged since or not.
    pub(crate) fn place_until(&self, hash: &str) -> Option<usize> {
        self.place_of(hash).or_else(|| {
            let base = self.repository.as_ref()?.merge_base(self.line.last()?, hash).ok()??;
            self.place_of(&base).or_else(|| self.newest_below(&base))
        })
    }

    /// Returns the place of the newest commit of the line that a commit beside it rests on: all older ones are below it too.
    fn newest_below(&self, hash: &str) -> Option<usize> {
        let repository = self.repository.as_ref()?;
        let is_below =
            |at: usize| matches!(repository.merge_base(&self.line[at], hash), Ok(Some(base)) if base == self.line[at]);
        let (mut low, mut high) = (0, self.line.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if is_below(middle) { low = middle + 1 } else { high = middle }
        }
        low.checked_sub(1)
    }

    /// Returns true where the repository was cloned without its whole history.
    pub(crate) fn is_shallow(&self) -> bool {
        self.repository.as_ref().is_some_and(Repository::is_shallow)
    }

    /// Returns when a commit was made.
    pub(crate) fn date(&self, hash: &str) -> Option<Timestamp> {
        self.repository.as_ref()?.commit_date(hash).ok()?
    }

    /// Returns the full hash of what a revision names.
    pub(crate) fn resolve(&self, revision: &str) -> Option<String> {
        self.repository.as_ref()?.resolve(revision).ok()
    }

    /// Returns those of some full hashes that are commits of the repository.
    pub(crate) fn known(&self, hashes: &[&str]) -> HashSet<String> {
        self.repository.as_ref().and_then(|repository| repository.known_commits(hashes).ok()).unwrap_or_default()
    }

    /// Returns the titles of commits by hash.
    pub(crate) fn titles(&self, hashes: &[String]) -> HashMap<String, String> {
        self.repository.as_ref().and_then(|repository| repository.titles(hashes).ok()).unwrap_or_default()
    }
}

/// Returns the newest commit of the line: while it stays, the line does. Of a shallow clone it goes with how far the line goes back.
pub(crate) fn tip(settings: &Settings) -> Option<String> {
    let repository = repository(settings)?;
    let tip = tip_in(&repository, settings)?;
    match repository.is_shallow() {
        true => Some(format!("{tip} {}", repository.first_parents(&tip).ok()?.len())),
        false => Some(tip),
    }
}

fn tip_in(repository: &Repository, settings: &Settings) -> Option<String> {
    let configured = settings.branches.value.iter().find(|name| !name.is_empty()).cloned();
    let branches = configured.and_then(|name| repository.branches(&[name]).ok());
    match branches.as_deref() {
        Some([branch, ..]) => Some(branch.tip.clone()),
        _ => Some(repository.default_branch().ok()?.tip),
    }
}

/// Returns the project's repository: where the configuration points, a mirror of its address that an earlier run made,
/// or the one around the configuration.
fn repository(settings: &Settings) -> Option<Repository> {
    if let Some(folder) = settings.local_repo() {
        return Repository::local(&folder).ok();
    }
    let address = settings.repo.value.trim_start_matches("git+");
    let mirrors = settings.path(&settings.store.value).join("cache/repos");
    Repository::mirrored(address, &mirrors).or_else(|| Repository::local(&settings.root).ok())
}
