//! Which runs are of the subject that a word names, and what there is where none is.

use std::collections::BTreeSet;

use tacho_store::AsvFile;

use super::{Kept, Library};
use crate::commands::show::{fits_subject, resolved};
use crate::error::{CommandError, Result};
use crate::mainline::Mainline;
use crate::settings::Settings;
use crate::subject_choice::{self, Wish};

/// What can be named where there is no checkout.
const NOT_HERE: &str = "name a run by its id, which `tacho show --list` tells, or a file";

/// So many subjects are named where a word fits several.
const MOST_NAMED: usize = 5;

impl Library<'_> {
    /// Returns the runs at the subject that `word` names.
    pub(crate) fn at_subject(&self, word: &str) -> Result<Vec<Kept>> {
        let here = if word == "." { Some(self.checkout()?) } else { None };
        if here.is_none() && is_hexadecimal(word) {
            // The beginning of one measured commit's hash is that commit: the repository need not be asked.
            let found = self.fitting(word, None);
            if n_subjects(&found) == 1 {
                return Ok(found);
            }
        }
        let hash = here.or_else(|| resolved(word, self.settings));
        let found = self.fitting(word, hash.as_deref());
        let subjects: BTreeSet<String> = found.iter().map(|kept| kept.provenance.subject.id()).collect();
        match subjects.len() {
            0 if word == "." => {
                Err(CommandError::new("the checkout as it is has not been measured")
                    .hint("measure it with `tacho run`"))
            }
            0 => Err(self.nothing_of(word, hash.as_deref())),
            1 => Ok(found),
            n => {
                let some: Vec<String> = subjects.into_iter().take(MOST_NAMED).collect();
                let more = if n > some.len() { ", …" } else { "" };
                Err(CommandError::new(format!("`{word}` fits {n} subjects: {}{more}", some.join(", ")))
                    .hint("give more digits"))
            }
        }
    }

    /// Returns the runs that a word may mean; `hash` is what the repository makes of it. Only files that are named so are opened.
    fn fitting(&self, word: &str, hash: Option<&str>) -> Vec<Kept> {
        let records = self.entries.iter().filter(|entry| fits_subject(&entry.provenance, word, hash));
        let mut found: Vec<Kept> = records.map(Kept::of_record).collect();
        let asked = hash.map_or_else(|| word.to_lowercase(), str::to_owned);
        let fits_name =
            |file: &AsvFile| asked.starts_with(&file.commit_prefix) || file.commit_prefix.starts_with(&asked);
        let is_meant = |kept: &Kept| fits_subject(&kept.provenance, word, hash);
        found.extend(self.asv_heads(fits_name).into_iter().filter(is_meant));
        if found.is_empty() && is_hexadecimal(word) {
            let fits_id = |file: &AsvFile| file.run_id().starts_with(&word.to_lowercase());
            found.extend(self.asv_heads(fits_id).into_iter().filter(is_meant));
        }
        found
    }

    /// Returns the id of what is checked out: the work tree's where it has changes, else the commit's.
    fn checkout(&self) -> Result<String> {
        let settings = self.settings.ok_or_else(|| {
            CommandError::new("`.` means a project's checkout, and here is no project").hint(NOT_HERE)
        })?;
        let git = subject_choice::checked_out(settings)?;
        let choice = subject_choice::choose(settings, git.as_ref(), &Wish::default(), self.console)?;
        let subject = choice
            .subject
            .ok_or_else(|| CommandError::new("`.` means a checkout, and here is no repository").hint(NOT_HERE))?;
        Ok(subject.id())
    }

    /// The error for a subject of which nothing is kept; `hash` is the commit that the repository makes of the word.
    fn nothing_of(&self, word: &str, hash: Option<&str>) -> CommandError {
        let error = CommandError::new(format!("no results of `{word}` are kept"));
        let error = match hash {
            Some(hash) => {
                let short: String = hash.chars().take(8).collect();
                match self.settings.is_some_and(Settings::manages_environments) {
                    true => error.hint(format!("build and measure it with `tacho run {short}`")),
                    false => error.hint(format!("check {short} out, install it, and measure it with `tacho run`")),
                }
            }
            None if word.len() < 4 => error.hint("a commit or run is named by four digits or more"),
            None => error,
        };
        let near = match hash {
            Some(hash) => self.measured_around(hash),
            None => self.spelt_like(word),
        };
        let error = match near.as_slice() {
            [] => error,
            near => error.hint(format!("the nearest that was measured: `{}`", near.join("`, `"))),
        };
        error.hint(self.what_there_is())
    }

    /// Returns the beginnings of the hashes of all measured commits.
    fn measured(&self) -> BTreeSet<String> {
        let eight = |text: &str| text.chars().take(8).collect::<String>();
        let records = self.entries.iter().filter(|entry| entry.provenance.subject.kind() == "commit");
        let records = records.map(|entry| eight(&entry.provenance.subject.id()));
        records.chain(self.asv_files.iter().map(|file| eight(&file.commit_prefix))).collect()
    }

    /// Returns the measured commits before and after one on the first-parent line.
    fn measured_around(&self, hash: &str) -> Vec<String> {
        let (mainline, measured) = (Mainline::of(self.settings), self.measured());
        let (line, Some(at)) = (mainline.commits(), mainline.place_of(hash)) else { return vec![] };
        let short = |commit: &String| commit.get(..8).map(str::to_owned).filter(|short| measured.contains(short));
        let before = line[..at].iter().rev().find_map(short);
        before.into_iter().chain(line[at..].iter().find_map(short)).collect()
    }

    /// Returns the measured commit that begins most like a mistyped one.
    fn spelt_like(&self, word: &str) -> Vec<String> {
        if !is_hexadecimal(word) {
            return vec![];
        }
        let asked: String = word.to_lowercase().chars().take(8).collect();
        let alike = |short: &String| {
            let known: String = short.chars().take(asked.chars().count()).collect();
            strsim::normalized_damerau_levenshtein(&asked, &known)
        };
        let nearest = self.measured().into_iter().map(|short| (alike(&short), short));
        let nearest = nearest.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        nearest.filter(|(likeness, _)| *likeness >= 0.6).map(|(_, short)| short).into_iter().collect()
    }

    fn what_there_is(&self) -> String {
        match (self.entries.is_empty(), self.asv_files.len()) {
            (true, 0) => format!("nothing is kept in `{}` yet; measure with `tacho run`", self.store.root().display()),
            (true, n) => {
                let some: BTreeSet<&str> =
                    self.asv_files.iter().map(|file| file.commit_prefix.as_str()).take(3).collect();
                let some: Vec<&str> = some.into_iter().collect();
                format!("{n} files of asv's are there; name one of their commits, such as `{}`", some.join("`, `"))
            }
            (false, _) => "see what is kept with `tacho show --list`".to_owned(),
        }
    }
}

fn n_subjects(kept: &[Kept]) -> usize {
    kept.iter().map(|kept| kept.provenance.subject.id()).collect::<BTreeSet<String>>().len()
}

/// Returns true for what may be the beginning of a hash or a run's id.
fn is_hexadecimal(word: &str) -> bool {
    word.len() >= 4 && word.chars().all(|c| c.is_ascii_hexdigit())
}
