//! Everything that is kept of a project: records, and asv's results beside them.

mod files;
mod finding;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tacho_judge::History;
use tacho_model::{BenchmarkTime, Completeness, Outcome, Provenance, Purpose, Results, Run};
use tacho_store::{AsvFile, AsvResults, Entry, Store, StoreError};

use crate::as_one::{self, preferred};
use crate::commands::show::tell_of_unreadable;
use crate::console::Console;
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::settings::Settings;

/// So many files of asv's that cannot be read are named; the others are counted.
const MOST_NAMED: usize = 20;

/// What is kept, by its heads.
pub(crate) struct Library<'a> {
    store: Store,
    entries: Vec<Entry>,
    asv: Option<AsvResults>,
    asv_files: Vec<AsvFile>,
    settings: Option<&'a Settings>,
    console: &'a Console,
    /// How many files could not be read.
    n_left_out: Cell<usize>,
    n_unreadable_records: usize,
}

/// One kept run.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) provenance: Provenance,
    pub(crate) completeness: Completeness,
    /// How many cases it means to measure; asv's files do not tell without being read.
    pub(crate) n_cases: Option<u64>,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Record(PathBuf),
    Asv(AsvFile),
}

/// A run as it is shown, whoever kept it.
pub(crate) struct Whole {
    /// Of asv's, without plan and rounds.
    pub(crate) run: Run,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) times: Vec<BenchmarkTime>,
    pub(crate) by_asv: bool,
}

/// What may be a run of a history.
#[derive(Debug)]
pub(super) enum Candidate<'a> {
    /// It is one.
    Run(Box<Kept>),
    /// A file of asv's that nothing but its subject is known of.
    File {
        /// The subject's id.
        subject: String,
        /// The commit's date.
        moment_us: i64,
        file: &'a AsvFile,
    },
}

/// Returns whether a run is one of those that make the history of a place.
fn is_past(provenance: &Provenance, of: &Place) -> bool {
    provenance.purpose == Purpose::History
        && !provenance.settings.quick
        && provenance.build_failure().is_none()
        && provenance.subject.enters_history()
        && place(provenance) == *of
}

/// A machine and its axes.
pub(crate) type Place = (String, BTreeMap<String, String>);

/// Returns the place of a run.
pub(crate) fn place(provenance: &Provenance) -> Place {
    (provenance.machine.name.clone(), provenance.environment.axes.clone())
}

impl<'a> Library<'a> {
    /// Lists what is kept; what cannot be read is told and left out.
    pub(crate) fn open(settings: Option<&'a Settings>, context: &Context<'a>) -> Result<Library<'a>> {
        let store = context.store(settings);
        let folder = settings.and_then(|settings| Some(settings.path(settings.asv_results.value.as_ref()?)));
        Library::of(store, folder.filter(|folder| folder.is_dir()), settings, context)
    }

    /// Lists what lies in a folder: asv's results, or records.
    pub(crate) fn of_folder(path: &Path, settings: Option<&'a Settings>, context: &Context<'a>) -> Result<Library<'a>> {
        let is_store = path.join("records").is_dir();
        let folder = if is_store { None } else { Some(path.to_owned()) };
        Library::of(Store::open(path), folder, settings, context)
    }

    fn of(
        store: Store,
        asv_folder: Option<PathBuf>,
        settings: Option<&'a Settings>,
        context: &Context<'a>,
    ) -> Result<Library<'a>> {
        let found = store.entries()?;
        tell_of_unreadable(&found.unreadable, context);
        let asv = asv_folder.map(|folder| AsvResults::open(&folder)).transpose()?;
        let run_ids = || found.entries.iter().map(|entry| entry.provenance.run_id.clone());
        let asv = asv.map(|asv| asv.beside(run_ids()));
        let asv_files = asv.as_ref().map(AsvResults::files).transpose()?.unwrap_or_default();
        let n_unreadable_records = found.unreadable.len();
        let (entries, console, n_left_out) = (found.entries, context.console, Cell::new(0));
        let library = Library { store, entries, asv, asv_files, settings, console, n_left_out, n_unreadable_records };
        for unreadable in library.asv.iter().flat_map(AsvResults::unreadable) {
            library.leave_out(&unreadable.error);
        }
        Ok(library)
    }

    /// Returns where talk goes.
    pub(crate) fn console(&self) -> &Console {
        self.console
    }

    /// Returns whether files of asv's had to be left out so far.
    pub(crate) fn is_partial(&self) -> bool {
        self.n_left_out.get() > 0
    }

    /// Returns true where there is nothing that can be read, and something that cannot.
    pub(crate) fn has_only_unreadable(&self) -> bool {
        self.entries.is_empty() && self.asv_files.is_empty() && self.n_unreadable_records > 0
    }

    /// Returns the folder of the records.
    pub(crate) fn root(&self) -> &Path {
        self.store.root()
    }

    /// Names a file that cannot be read. What is something else among asv's results is none of them.
    fn leave_out(&self, error: &StoreError) {
        if error.is_foreign() {
            return;
        }
        let n = self.n_left_out.get() + 1;
        self.n_left_out.set(n);
        if n <= MOST_NAMED {
            self.console.warn(&format!("left out: {}", error.line()));
        } else if n == MOST_NAMED + 1 {
            self.console.warn("left out: there are more; `tacho index --json` names all");
        }
    }

    fn project(&self) -> &str {
        self.settings.map_or("", |settings| &settings.project.value)
    }

    /// Returns every run that fits.
    pub(crate) fn all(&self, fits: impl Fn(&Provenance) -> bool) -> Vec<Kept> {
        let records = self.entries.iter().filter(|entry| fits(&entry.provenance)).map(Kept::of_record);
        let mut found: Vec<Kept> = records.collect();
        found.extend(self.asv_heads(|_| true).into_iter().filter(|kept| fits(&kept.provenance)));
        found
    }

    /// Returns what may be a run of one place that makes its history: whole ones, in nobody's experiment. `labels` are those of its
    /// environment on the sides that are compared. Files of asv's are not opened further than needed to tell their subjects.
    pub(super) fn candidates(&self, of: &Place, labels: &BTreeSet<&str>) -> Vec<Candidate<'_>> {
        let records = self.entries.iter().filter(|entry| is_past(&entry.provenance, of));
        let mut found: Vec<Candidate<'_>> =
            records.map(|entry| Candidate::Run(Box::new(Kept::of_record(entry)))).collect();
        let may_be_labelled = self.may_be_labelled(labels);
        for file in self.asv_files.iter().filter(|file| file.machine == of.0 && may_be_labelled(file)) {
            match self.asv.as_ref().and_then(|asv| asv.peek(file)) {
                Some((subject, moment)) => {
                    found.push(Candidate::File { subject: subject.id(), moment_us: moment.unix_us, file });
                }
                None => {
                    let kept = self.glance(file).filter(|kept| is_past(&kept.provenance, of));
                    found.extend(kept.map(|kept| Candidate::Run(Box::new(kept))));
                }
            }
        }
        found
    }

    /// Returns the run that a candidate is, if it is one of that place.
    pub(super) fn confirmed(&self, candidate: Candidate<'_>, of: &Place) -> Option<Kept> {
        match candidate {
            Candidate::Run(kept) => Some(*kept),
            Candidate::File { file, .. } => self.glance(file).filter(|kept| is_past(&kept.provenance, of)),
        }
    }

    /// Hands the values of a run to the history that noise is learnt from.
    pub(super) fn tell(&self, kept: &Kept, history: &mut History) -> Result<()> {
        let (Source::Asv(file), Some(asv)) = (&kept.source, &self.asv) else {
            history.push(&self.read(kept)?);
            return Ok(());
        };
        let mut sheets = asv.values(file, self.project()).map_err(|error| CommandError::of_record(&error))?;
        as_one::declare_sheets(&mut sheets, self.settings);
        history.push_sheets(&kept.provenance, &sheets);
        Ok(())
    }

    /// Tells by its name whether a file may be of an environment, so that the others' files need not be opened: one
    /// environment has one label in asv's folder. A label that none of the files there has is not asv's and tells nothing; nor does a
    /// digest in a label's place.
    fn may_be_labelled<'b>(&self, labels: &'b BTreeSet<&'b str>) -> impl Fn(&AsvFile) -> bool + use<'b> {
        let is_asvs = |label: &str| self.asv_files.iter().any(|file| file.environment == label);
        let tell_nothing = !labels.iter().all(|label| is_asvs(label));
        move |file: &AsvFile| {
            tell_nothing || file.environment.starts_with("env-") || labels.contains(file.environment.as_str())
        }
    }

    fn asv_heads(&self, wanted: impl Fn(&AsvFile) -> bool) -> Vec<Kept> {
        self.asv_files.iter().filter(|file| wanted(file)).filter_map(|file| self.glance(file)).collect()
    }

    /// Returns the run that a file of asv's is, by its head; what cannot be read is told.
    fn glance(&self, file: &AsvFile) -> Option<Kept> {
        match self.asv.as_ref()?.glance(file, self.project()) {
            Ok(provenance) => Some(Kept::of_asv(provenance, file)),
            Err(error) => {
                self.leave_out(&error);
                None
            }
        }
    }

    /// Reads a run as results.
    pub(super) fn read(&self, kept: &Kept) -> Result<Results> {
        match (&kept.source, &self.asv) {
            (Source::Record(path), _) => Ok(self.results_of(self.read_record(path)?)),
            (Source::Asv(file), Some(asv)) => {
                let read = asv.read(file, self.project()).map_err(|error| CommandError::of_record(&error))?;
                Ok(self.declared(read))
            }
            (Source::Asv(file), None) => self.read_file(&file.path),
        }
    }

    /// Reads runs that are shown as one: records that were interleaved, or a file of asv's.
    pub(crate) fn whole(&self, group: &[&Kept]) -> Result<Whole> {
        if let [Kept { source: Source::Asv(file), .. }] = group
            && let Some(asv) = &self.asv
        {
            let read = asv.read_timed(file, self.project()).map_err(|error| CommandError::of_record(&error))?;
            return Ok(self.whole_of_asv(read));
        }
        let paths = group.iter().filter_map(|kept| kept.record());
        let runs = paths.map(|path| self.read_record(path)).collect::<Result<Vec<Run>>>()?;
        let run = tacho_judge::pooled(runs).ok_or_else(|| CommandError::new("nothing to show"))?;
        Ok(Whole {
            outcomes: tacho_judge::outcomes(&run),
            times: tacho_judge::benchmark_times(&run),
            run,
            by_asv: false,
        })
    }

    fn whole_of_asv(&self, (results, times): (Results, Vec<BenchmarkTime>)) -> Whole {
        let Results { provenance, outcomes, completeness } = self.declared(results);
        let run = Run { provenance, planned: vec![], problems: vec![], rounds: vec![], completeness };
        Whole { run, outcomes, times, by_asv: true }
    }

    fn read_record(&self, path: &Path) -> Result<Run> {
        self.store.read(path).map_err(|error| CommandError::of_record(&error))
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
        let runs = paths.iter().map(|path| self.read_record(path)).collect::<Result<Vec<Run>>>()?;
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

impl Kept {
    fn of_record(entry: &Entry) -> Kept {
        Kept {
            provenance: entry.provenance.clone(),
            completeness: entry.completeness,
            n_cases: Some(entry.n_cases),
            source: Source::Record(entry.path.clone()),
        }
    }

    fn of_asv(provenance: Provenance, file: &AsvFile) -> Kept {
        Kept { provenance, completeness: Completeness::Sealed, n_cases: None, source: Source::Asv(file.clone()) }
    }

    /// Returns the file.
    pub(crate) fn path(&self) -> &Path {
        match &self.source {
            Source::Record(path) => path,
            Source::Asv(file) => &file.path,
        }
    }

    /// Returns whether asv keeps it.
    pub(crate) fn is_asvs(&self) -> bool {
        matches!(self.source, Source::Asv(_))
    }

    fn record(&self) -> Option<&Path> {
        match &self.source {
            Source::Record(path) => Some(path),
            Source::Asv(_) => None,
        }
    }
}
