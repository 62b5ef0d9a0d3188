//! Everything that is kept of a project: records, and asv's results beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tacho_model::{Provenance, Purpose, Results, Run};
use tacho_store::{AsvFile, AsvResults, Entry, Store, StoreError};

use crate::as_one::{self, preferred};
use crate::commands::show::{fits_subject, resolved, tell_of_unreadable};
use crate::console::Console;
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::settings::Settings;
use crate::subject_choice::{self, Wish};

/// What is kept, by its heads.
pub(crate) struct Library<'a> {
    store: Store,
    entries: Vec<Entry>,
    asv: Option<AsvResults>,
    asv_files: Vec<AsvFile>,
    settings: Option<&'a Settings>,
    console: &'a Console,
}

/// One kept run.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) provenance: Provenance,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Record(std::path::PathBuf),
    Asv(AsvFile),
}

/// A machine and its axes.
pub(crate) type Place = (String, BTreeMap<String, String>);

/// What can be named where there is no checkout.
const NOT_HERE: &str = "name a run by its id, which `tacho show --list` tells, or a file";

/// Returns the place of a run.
pub(crate) fn place(provenance: &Provenance) -> Place {
    (provenance.machine.name.clone(), provenance.environment.axes.clone())
}

impl<'a> Library<'a> {
    /// Lists what is kept; what cannot be read is told and left out.
    pub(crate) fn open(settings: Option<&'a Settings>, context: &Context<'a>) -> Result<Library<'a>> {
        let store = context.store(settings);
        let found = store.entries()?;
        tell_of_unreadable(&found.unreadable, context);
        let folder = settings.and_then(|settings| Some(settings.path(settings.asv_results.value.as_ref()?)));
        let asv = folder.filter(|folder| folder.is_dir()).map(|folder| AsvResults::open(&folder)).transpose()?;
        let run_ids = || found.entries.iter().map(|entry| entry.provenance.run_id.clone());
        let asv = asv.map(|asv| asv.beside(run_ids()));
        for unreadable in asv.iter().flat_map(AsvResults::unreadable) {
            context.console.warn(&format!("left out: {}", unreadable.error.line()));
        }
        let asv_files = asv.as_ref().map(AsvResults::files).transpose()?.unwrap_or_default();
        Ok(Library { store, entries: found.entries, asv, asv_files, settings, console: context.console })
    }

    /// Returns where talk goes.
    pub(crate) fn console(&self) -> &Console {
        self.console
    }

    fn project(&self) -> &str {
        self.settings.map_or("", |settings| &settings.project.value)
    }

    /// Returns the runs at the subject that `word` names.
    pub(super) fn at_subject(&self, word: &str) -> Result<Vec<Kept>> {
        let here = if word == "." { Some(self.checkout()?) } else { None };
        let hash = here.or_else(|| resolved(word, self.settings));
        let asked = hash.clone().unwrap_or_else(|| word.to_lowercase());
        let records = self.entries.iter().filter(|entry| fits_subject(&entry.provenance, word, hash.as_deref()));
        let mut found: Vec<Kept> = records.map(Kept::of_record).collect();
        let named = |file: &&AsvFile| asked.starts_with(&file.commit_prefix) || file.commit_prefix.starts_with(&asked);
        let asv = self.asv_heads(|file| named(&file));
        found.extend(asv.into_iter().filter(|kept| fits_subject(&kept.provenance, word, hash.as_deref())));
        let subjects: BTreeSet<String> = found.iter().map(|kept| kept.provenance.subject.id()).collect();
        match subjects.len() {
            0 if word == "." => {
                Err(CommandError::new("the checkout as it is has not been measured")
                    .hint("measure it with `tacho run`"))
            }
            0 => Err(self.nothing_of(word, hash.as_deref())),
            1 => Ok(found),
            n => {
                let some: Vec<String> = subjects.into_iter().take(5).collect();
                let more = if n > some.len() { ", …" } else { "" };
                Err(CommandError::new(format!("`{word}` fits {n} subjects: {}{more}", some.join(", ")))
                    .hint("give more digits"))
            }
        }
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
        error.hint(self.what_there_is())
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

    /// Returns every run that may stand in a history.
    pub(crate) fn all(&self, fits: impl Fn(&Provenance) -> bool) -> Vec<Kept> {
        let records = self.entries.iter().filter(|entry| fits(&entry.provenance)).map(Kept::of_record);
        let mut found: Vec<Kept> = records.collect();
        found.extend(self.asv_heads(|_| true).into_iter().filter(|kept| fits(&kept.provenance)));
        found
    }

    /// Returns the runs of one place that make its history: whole ones, in nobody's experiment. `labels` are those of its
    /// environment on the sides that are compared.
    pub(super) fn history(&self, of: &Place, labels: &BTreeSet<&str>) -> Vec<Kept> {
        let fits = |provenance: &Provenance| {
            provenance.purpose == Purpose::History
                && !provenance.settings.quick
                && provenance.build_failure().is_none()
                && provenance.subject.enters_history()
                && place(provenance) == *of
        };
        let records = self.entries.iter().filter(|entry| fits(&entry.provenance)).map(Kept::of_record);
        let mut found: Vec<Kept> = records.collect();
        let heads = self.asv_heads(|file| file.machine == of.0 && self.may_be_labelled(file, labels));
        found.extend(heads.into_iter().filter(|kept| fits(&kept.provenance)));
        found
    }

    /// Tells by its name whether a file may be of an environment, so that the others' files need not be opened: one
    /// environment has one label in asv's folder. A label that none of the files there has is not asv's and tells nothing; nor does a
    /// digest in a label's place.
    fn may_be_labelled(&self, file: &AsvFile, labels: &BTreeSet<&str>) -> bool {
        let is_asvs = |label: &str| self.asv_files.iter().any(|file| file.environment == label);
        file.environment.starts_with("env-")
            || labels.contains(file.environment.as_str())
            || !labels.iter().all(|label| is_asvs(label))
    }

    fn asv_heads(&self, wanted: impl Fn(&AsvFile) -> bool) -> Vec<Kept> {
        let Some(asv) = &self.asv else { return vec![] };
        let head = |file: &AsvFile| match asv.head(file, self.project()) {
            Ok(provenance) => Some(Kept { provenance, source: Source::Asv(file.clone()) }),
            Err(error) if error.is_foreign() => None,
            Err(error) => {
                self.console.warn(&format!("left out: {}", error.line()));
                None
            }
        };
        self.asv_files.iter().filter(|file| wanted(file)).filter_map(head).collect()
    }

    /// Reads a run as results.
    pub(super) fn read(&self, kept: &Kept) -> Result<Results> {
        match (&kept.source, &self.asv) {
            (Source::Record(path), _) => {
                Ok(self.results_of(self.store.read(path).map_err(|error| CommandError::of_record(&error))?))
            }
            (Source::Asv(file), Some(asv)) => {
                let read = asv.read(file, self.project()).map_err(|error| CommandError::of_record(&error))?;
                Ok(self.declared(read))
            }
            (Source::Asv(file), None) => self.read_file(&file.path),
        }
    }

    /// Reads a file that the user named.
    pub(super) fn read_file(&self, path: &Path) -> Result<Results> {
        if path.extension().is_some_and(|extension| extension == "json") {
            let read = tacho_store::read_asv_file(path, self.project());
            return Ok(self.declared(read.map_err(|error| unreadable(&error))?));
        }
        Ok(self.results_of(self.store.read(path).map_err(|error| CommandError::of_record(&error))?))
    }

    /// Reads the runs of one place, oldest first, as one: records are merged; of asv's files the newest counts.
    fn merged(&self, mut kept: Vec<Kept>) -> Result<Option<Results>> {
        kept.sort_by_key(|kept| kept.provenance.started_at.unix_us);
        let Some(newest) = kept.last() else { return Ok(None) };
        let method = newest.provenance.method.clone();
        let records = kept.iter().filter(|kept| kept.provenance.method == method);
        let paths: Vec<&Path> = records.filter_map(|kept| kept.record()).collect();
        if paths.is_empty() {
            return self.read(newest).map(Some);
        }
        let runs = paths
            .iter()
            .map(|path| self.store.read(path).map_err(|error| CommandError::of_record(&error)))
            .collect::<Result<Vec<Run>>>()?;
        Ok(tacho_judge::merged(runs).map(|run| self.results_of(run)))
    }

    fn results_of(&self, run: Run) -> Results {
        self.declared(as_one::results_of(run))
    }

    /// Returns results in which metrics are what the project declares them to be by now.
    fn declared(&self, results: Results) -> Results {
        as_one::declared(results, self.settings)
    }

    /// Returns one result for each machine and environment of a side.
    pub(crate) fn side(&self, kept: Vec<Kept>) -> Result<Vec<Results>> {
        let mut places: BTreeMap<Place, Vec<Kept>> = BTreeMap::new();
        for one in kept {
            places.entry(place(&one.provenance)).or_default().push(one);
        }
        let read = places.into_values().map(|kept| self.merged(preferred(kept, |kept| &kept.provenance)));
        Ok(read.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }
}

/// The error for a file that the user named.
fn unreadable(error: &StoreError) -> CommandError {
    if error.is_foreign() {
        return CommandError::new(error.line())
            .hint("a file is a record (`.jsonl`, `.jsonl.zst`, `.jsonl.open`) or a result file of asv's (`.json`)");
    }
    CommandError::of_record(error)
}

impl Kept {
    fn of_record(entry: &Entry) -> Kept {
        Kept { provenance: entry.provenance.clone(), source: Source::Record(entry.path.clone()) }
    }

    fn record(&self) -> Option<&Path> {
        match &self.source {
            Source::Record(path) => Some(path),
            Source::Asv(_) => None,
        }
    }
}
