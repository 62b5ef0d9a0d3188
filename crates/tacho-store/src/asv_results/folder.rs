//! The folder: which files it has, and each of them as results.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, DirEntry};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tacho_model::{BenchmarkTime, Completeness, Machine, Outcome, Provenance, Results, Sheet, Subject, Timestamp};

use super::definitions::Definitions;
use super::document::{self, Document};
use super::exported::{BenchmarkMetric, Exported};
use super::glance;
use super::machine_file;
use super::outcomes::{Sheets, outcomes};
use super::provenance::{Place, provenance, run_id, timestamp};
use super::row::Row;
use super::times::times;
use crate::{StoreError, Unreadable};

const MACHINE_FILE: &str = "machine.json";
const DEFINITIONS_FILE: &str = "benchmarks.json";

/// asv's results folder.
#[derive(Debug)]
pub struct AsvResults {
    definitions: Definitions,
    // The machine of each folder that holds result files, `None` without a readable `machine.json`.
    folders: BTreeMap<PathBuf, Option<Machine>>,
    unreadable: Vec<Unreadable>,
    // Tells `definitions` apart from others.
    definitions_mark: OnceLock<u64>,
    // Runs whose records are at hand: what was exported from them says nothing new.
    known_runs: HashSet<String>,
}

/// A result file, as far as its name and place tell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AsvFile {
    /// The file.
    pub path: PathBuf,
    /// The machine by `machine.json` beside the file, else the folder's name. What the file itself says
    /// ([`AsvResults::head`]) counts more.
    pub machine: String,
    /// The first eight characters of the commit's hash.
    pub commit_prefix: String,
    /// The environment's name; asv puts `env-` and a digest for a long one.
    pub environment: String,
}

impl AsvFile {
    /// Returns the run's id of a file that was not exported from records: what its place and name make it.
    pub fn run_id(&self) -> String {
        run_id(self.path.parent().map_or("", name_of), name_of(&self.path))
    }
}

impl AsvResults {
    /// Opens `results_dir`: reads `benchmarks.json`, if there is one, and every `machine.json`.
    ///
    /// Folders of machines are those right in `results_dir`, and deeper ones that have a `machine.json`; hidden
    /// folders and links to folders are passed over. What cannot be read is told by [`AsvResults::unreadable`]
    /// and does without.
    ///
    /// # Errors
    /// `results_dir` is no folder that can be listed.
    pub fn open(results_dir: &Path) -> Result<AsvResults, StoreError> {
        let mut found = AsvResults {
            definitions: Definitions::default(),
            folders: BTreeMap::new(),
            unreadable: Vec::new(),
            definitions_mark: OnceLock::new(),
            known_runs: HashSet::new(),
        };
        for folder in subfolders(results_dir)? {
            found.take_folder(folder, true);
        }
        // Somebody may point at the folder of one machine.
        found.take_machine(results_dir, found.folders.is_empty());
        let is_machine = found.folders.contains_key(results_dir);
        let above = results_dir.parent().filter(|_| is_machine);
        found.definitions = definitions([Some(results_dir), above], &mut found.unreadable);
        Ok(found)
    }

    /// Returns the results beside records of these runs: a file that was exported from one of them is passed over, as
    /// [`StoreError::Exported`], which is foreign.
    pub fn beside(mut self, run_ids: impl IntoIterator<Item = String>) -> AsvResults {
        self.known_runs.extend(run_ids);
        self
    }

    /// Returns `benchmarks.json`, machine files and folders that could not be read, and what is wrong with them.
    pub fn unreadable(&self) -> &[Unreadable] {
        &self.unreadable
    }

    /// Lists the result files by machine folder and name, without opening them.
    ///
    /// A result file is named as asv does: at most eight characters, a hyphen, an environment, `.json`. Other
    /// files are not listed; one that is named so and is something else is told apart when it is read
    /// ([`StoreError::is_foreign`]).
    ///
    /// # Errors
    /// A folder can no longer be listed.
    pub fn files(&self) -> Result<Vec<AsvFile>, StoreError> {
        let mut files = Vec::new();
        for (folder, machine) in &self.folders {
            let machine = machine.as_ref().map(|machine| machine.name.as_str()).filter(|name| !name.is_empty());
            let machine = machine.unwrap_or(name_of(folder));
            let named = |entry: &DirEntry| {
                let (commit_prefix, environment) = parts_of_name(entry.file_name().to_str()?)?;
                is_file(entry).then(|| AsvFile {
                    path: entry.path(),
                    machine: machine.to_owned(),
                    commit_prefix,
                    environment,
                })
            };
            files.extend(entries(folder)?.iter().filter_map(named));
        }
        Ok(files)
    }

    /// Returns a number that changes with whatever beside a file decides how it is read: its machine's facts, and what is
    /// taken from `benchmarks.json`.
    pub fn mark_beside(&self, file: &AsvFile) -> u64 {
        let definitions = self.definitions_mark.get_or_init(|| mark(&self.definitions));
        mark(&(definitions, self.machine_of(&file.path)))
    }

    /// Returns where the numbers of a file come from, without making anything of its results.
    ///
    /// # Errors
    /// The file cannot be read, is damaged ([`StoreError::BadJson`]), is something else
    /// ([`StoreError::is_foreign`]), or has a newer format.
    pub fn head(&self, file: &AsvFile, project: &str) -> Result<Provenance, StoreError> {
        let document = document::read_head(&file.path)?;
        self.refuse_known(&document, &file.path)?;
        Ok(provenance_of(document, &file.path, self.machine_of(&file.path), project).0)
    }

    /// Returns what [`AsvResults::head`] does without reading the file to its end, for lists of many files. The run's start is that of
    /// one of the first benchmarks in the file, which need not be the first that was measured.
    ///
    /// # Errors
    /// As [`AsvResults::head`]; what is wrong with the results themselves goes unnoticed.
    pub fn glance(&self, file: &AsvFile, project: &str) -> Result<Provenance, StoreError> {
        let document = glance::read(&file.path)?;
        self.refuse_known(&document, &file.path)?;
        Ok(provenance_of(document, &file.path, self.machine_of(&file.path), project).0)
    }

    /// Returns the subject of a file by its first words, with its date; `None` where these do not tell both, which says nothing of the
    /// file. For those who choose among many files.
    pub fn peek(&self, file: &AsvFile) -> Option<(Subject, Timestamp)> {
        let (hash, date_ms) = glance::peek(&file.path)?;
        let date = timestamp(date_ms)?;
        Some((Subject::Commit { hash, date: Some(date) }, date))
    }

    /// Reads a file as results of `project`: one outcome for each case of each benchmark, by the benchmark's name.
    ///
    /// # Errors
    /// As [`AsvResults::head`]; or the file describes more cases than fit into memory.
    pub fn read(&self, file: &AsvFile, project: &str) -> Result<Results, StoreError> {
        let document = document::read(&file.path)?;
        self.refuse_known(&document, &file.path)?;
        results(document, &file.path, &self.definitions, self.machine_of(&file.path), project)
    }

    /// Reads a file as [`AsvResults::read`] does, as one sheet for each benchmark: for those who read many files. With the ids of
    /// the runs that it was exported from, if it was.
    ///
    /// # Errors
    /// As [`AsvResults::read`].
    pub fn sheets(&self, file: &AsvFile, project: &str) -> Result<(Provenance, Vec<Sheet>, Vec<String>), StoreError> {
        let document = document::read(&file.path)?;
        self.refuse_known(&document, &file.path)?;
        let records = document.head.exported.iter().flat_map(|exported| &exported.records);
        let exported_from = records.map(|record| record.run_id.clone()).collect();
        let mut sheets = Vec::with_capacity(document.rows.len());
        let machine = self.machine_of(&file.path);
        let provenance =
            each_sheet(document, &file.path, &self.definitions, machine, project, |sheet, _| sheets.push(sheet))?;
        Ok((provenance, sheets, exported_from))
    }

    /// Reads a file as [`AsvResults::sheets`] does, for the values alone: their intervals, spreads and numbers of samples are left out where
    /// leaving them is quicker, and so is the run's start.
    ///
    /// # Errors
    /// As [`AsvResults::read`]; what is wrong with the parts that are not read goes unnoticed.
    pub fn values(&self, file: &AsvFile, project: &str) -> Result<Vec<Sheet>, StoreError> {
        let document = document::read_values(&file.path)?;
        self.refuse_known(&document, &file.path)?;
        let mut sheets = Vec::with_capacity(document.rows.len());
        let machine = self.machine_of(&file.path);
        each_sheet(document, &file.path, &self.definitions, machine, project, |sheet, _| sheets.push(sheet))?;
        Ok(sheets)
    }

    /// Reads a file as [`AsvResults::read`] does, with the times that it tells: of each benchmark, of the build, of set-up caches.
    ///
    /// # Errors
    /// As [`AsvResults::read`].
    pub fn read_timed(&self, file: &AsvFile, project: &str) -> Result<(Results, Vec<BenchmarkTime>), StoreError> {
        let document = document::read(&file.path)?;
        self.refuse_known(&document, &file.path)?;
        let times = times(&document);
        let results = results(document, &file.path, &self.definitions, self.machine_of(&file.path), project)?;
        Ok((results, times))
    }

    fn refuse_known(&self, document: &Document, path: &Path) -> Result<(), StoreError> {
        let records = document.head.exported.iter().flat_map(|exported| &exported.records);
        let mut known = records.filter(|record| self.known_runs.contains(&record.run_id));
        match known.next() {
            Some(record) => Err(StoreError::Exported { path: path.to_owned(), run_id: record.run_id.clone() }),
            None => Ok(()),
        }
    }

    fn machine_of(&self, path: &Path) -> Option<&Machine> {
        self.folders.get(path.parent()?)?.as_ref()
    }

    // A folder that cannot be listed hides no other.
    fn take_folder(&mut self, folder: PathBuf, is_top: bool) {
        self.take_machine(&folder, is_top);
        match subfolders(&folder) {
            Ok(inner) => inner.into_iter().for_each(|inner| self.take_folder(inner, false)),
            Err(error) => {
                self.folders.remove(&folder);
                self.unreadable.push(Unreadable { path: folder, error });
            }
        }
    }

    fn take_machine(&mut self, folder: &Path, is_folder_of_machine: bool) {
        let path = folder.join(MACHINE_FILE);
        let machine = or_default(machine_file::read(&path), path, &mut self.unreadable);
        if is_folder_of_machine || machine.is_some() {
            self.folders.insert(folder.to_owned(), machine);
        }
    }
}

/// Reads one result file, wherever it lies, as results of `project`.
///
/// `machine.json` beside it and `benchmarks.json` beside or above it are used where they are there and readable.
///
/// # Errors
/// As [`AsvResults::read`].
pub fn read_asv_file(path: &Path, project: &str) -> Result<Results, StoreError> {
    read_asv_file_timed(path, project).map(|(results, _)| results)
}

/// Reads one result file as [`read_asv_file`] does, with the times that it tells.
///
/// # Errors
/// As [`AsvResults::read`].
pub fn read_asv_file_timed(path: &Path, project: &str) -> Result<(Results, Vec<BenchmarkTime>), StoreError> {
    let absolute = std::path::absolute(path).map_err(StoreError::io("read", path))?;
    let folder = absolute.parent().unwrap_or(&absolute);
    let mut left_aside = Vec::new();
    let machine_path = folder.join(MACHINE_FILE);
    let machine = or_default(machine_file::read(&machine_path), machine_path, &mut left_aside);
    let definitions = definitions([Some(folder), folder.parent()], &mut left_aside);
    let document = document::read(path)?;
    let times = times(&document);
    Ok((results(document, path, &definitions, machine.as_ref(), project)?, times))
}

fn results(
    document: Document,
    path: &Path,
    definitions: &Definitions,
    machine: Option<&Machine>,
    project: &str,
) -> Result<Results, StoreError> {
    let mut found = Vec::new();
    let provenance = each_sheet(document, path, definitions, machine, project, |sheet, row| {
        let method = sheet.method.as_ref();
        let with_method = |outcome: Outcome| Outcome { method: outcome.value.and(method).cloned(), ..outcome };
        found.extend(outcomes(&sheet, row).map(with_method));
    })?;
    Ok(Results { provenance, outcomes: found, completeness: Completeness::Sealed })
}

/// Hands over each benchmark's sheet, with the row that it was made of; returns where the numbers come from.
fn each_sheet(
    document: Document,
    path: &Path,
    definitions: &Definitions,
    machine: Option<&Machine>,
    project: &str,
    mut take: impl FnMut(Sheet, &Row),
) -> Result<Provenance, StoreError> {
    let exported = document.head.exported.clone();
    let (provenance, rows) = provenance_of(document, path, machine, project);
    let mut sheets = Sheets::new(definitions);
    for (benchmark, mut row) in rows {
        let sheet = sheets.next(benchmark, &mut row);
        let mut sheet = sheet.map_err(|what| StoreError::TooLarge { path: path.to_owned(), what })?;
        exported.iter().for_each(|exported| give_names_back(&mut sheet, exported));
        take(sheet, &row);
    }
    Ok(provenance)
}

/// Returns a benchmark and its metric to the names that they have in records, and their method with them.
fn give_names_back(sheet: &mut Sheet, exported: &Exported) {
    sheet.method = Some(exported.methods.get(&sheet.benchmark).unwrap_or(&exported.method).clone());
    if let Some(BenchmarkMetric { benchmark, metric }) = exported.metrics.get(&sheet.benchmark) {
        sheet.benchmark.clone_from(benchmark);
        sheet.metric.name.clone_from(metric);
    }
}

fn provenance_of(
    document: Document,
    path: &Path,
    machine: Option<&Machine>,
    project: &str,
) -> (Provenance, BTreeMap<String, Row>) {
    let Document { head, rows } = document;
    // A path such as `x.json` has its folder's name only in the absolute form.
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let place = Place { folder: absolute.parent().map_or("", name_of), file: name_of(path), machine };
    let starts_ms = rows.values().filter_map(|row| row.started_at_ms);
    (provenance(head, starts_ms, place, project), rows)
}

fn mark(what: &impl std::fmt::Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{what:?}").hash(&mut hasher);
    hasher.finish()
}

/// Reads the first `benchmarks.json` that there is in these folders.
fn definitions(folders: [Option<&Path>; 2], unreadable: &mut Vec<Unreadable>) -> Definitions {
    let mut paths = folders.into_iter().flatten().map(|folder| folder.join(DEFINITIONS_FILE));
    let path = paths.find(|path| path.is_file());
    path.map(|path| or_default(Definitions::read(&path), path, unreadable)).unwrap_or_default()
}

fn or_default<T: Default>(result: Result<T, StoreError>, path: PathBuf, unreadable: &mut Vec<Unreadable>) -> T {
    result.unwrap_or_else(|error| {
        unreadable.push(Unreadable { path, error });
        T::default()
    })
}

// asv writes the first eight characters of a hash, or of the name that it was given in its place.
fn parts_of_name(file: &str) -> Option<(String, String)> {
    let (commit, environment) = file.strip_suffix(".json")?.split_once('-')?;
    let is_named = !commit.is_empty() && !environment.is_empty() && commit.chars().count() <= 8;
    (is_named && !commit.starts_with('.')).then(|| (commit.to_owned(), environment.to_owned()))
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn subfolders(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let is_folder = |entry: &&DirEntry| {
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    Ok(entries(folder)?.iter().filter(is_folder).map(DirEntry::path).collect())
}

// A pipe would keep a reader waiting for ever. A link that leads nowhere stands for a file that cannot be read.
fn is_file(entry: &DirEntry) -> bool {
    let Ok(kind) = entry.file_type() else { return false };
    kind.is_file() || (kind.is_symlink() && entry.path().metadata().map_or(true, |target| target.is_file()))
}

fn entries(folder: &Path) -> Result<Vec<DirEntry>, StoreError> {
    let entries: io::Result<Vec<DirEntry>> = fs::read_dir(folder).and_then(Iterator::collect);
    let mut entries = entries.map_err(StoreError::io("read", folder))?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}
