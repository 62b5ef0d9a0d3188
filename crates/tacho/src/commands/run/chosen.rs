//! What a run has chosen by what was there when it began, kept until it has come to its end: `--resume` goes on with that,
//! and does not choose anew by what the run itself has left.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Wanted;
use crate::context::Context;

/// The subjects of runs that have not come to their end, by the words that asked for them.
type File = BTreeMap<String, Vec<String>>;

/// The place of one choice.
pub(super) struct Chosen {
    file: PathBuf,
    words: String,
    /// What the run that is resumed had chosen.
    pub(super) earlier: Option<Vec<String>>,
}

impl Chosen {
    /// Returns where the choice is kept; `None` where the words alone say what is measured, whatever is there.
    pub(super) fn of(wanted: &Wanted, context: &Context<'_>) -> Option<Chosen> {
        let args = &wanted.args;
        let range = wanted.range()?;
        let is_sample = args.steps.is_some() || args.date_period.is_some();
        let depends = matches!(range, "NEW" | "MISSING") || is_standard_input(range) || is_sample;
        if args.keep_nothing || args.dry_run || !(depends || args.skip_existing_commits) {
            return None;
        }
        let words = format!("{range} {:?} {:?} {}", args.steps, args.date_period, args.skip_existing_commits);
        let file = context.store(Some(&wanted.settings)).root().join("cache/chosen.json");
        let earlier = args.resume.as_ref().and_then(|_| read(&file).remove(&words));
        Some(Chosen { file, words, earlier })
    }

    /// Keeps the choice. Where that fails `--resume` chooses anew.
    pub(super) fn keep(&self, ids: Vec<String>) {
        let mut all = read(&self.file);
        all.insert(self.words.clone(), ids);
        self.write(&all);
    }

    /// Forgets the choice of a run that has come to its end.
    pub(super) fn forget(&self) {
        let mut all = read(&self.file);
        if all.remove(&self.words).is_some() {
            self.write(&all);
        }
    }

    fn write(&self, all: &File) {
        let write = || {
            let Some(folder) = self.file.parent() else { return Ok(()) };
            std::fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            serde_json::to_writer(&mut file, all)?;
            file.persist(&self.file).map(|_| ()).map_err(|error| error.error)
        };
        let _: std::io::Result<()> = write();
    }
}

/// A list that cannot be read a second time.
pub(super) fn is_standard_input(range: &str) -> bool {
    range.trim() == "HASHFILE:-"
}

fn read(file: &std::path::Path) -> File {
    let text = std::fs::read(file).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}
