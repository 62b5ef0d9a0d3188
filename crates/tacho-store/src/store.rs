//! The folder of a project's records.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tacho_model::{Completeness, Machine, Planned, Problem, Provenance, Run};

use crate::machines::{read_machine, write_machine};
use crate::name::{folder_name, record_stem};
use crate::record::{self, Draft, Form};
use crate::{Prefixes, Record, RecordWriter, Reopened, StoreError, atomic};

/// The folder of a project's records (`.tacho`), made when something is first written to it.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

/// A record in a list: what its first line and its name tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The file.
    pub path: PathBuf,
    /// Where the numbers come from, without the log of its build: a list of many records would hold too much.
    pub provenance: Provenance,
    /// How many cases the run means to measure.
    pub n_cases: u64,
    /// The size of the file.
    pub n_bytes: u64,
    /// Whether there is a seal; only [`Store::read`] holds the record against it.
    pub completeness: Completeness,
}

/// A file that should be a record and cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: StoreError,
}

/// All records of a store.
#[derive(Debug, Default)]
pub struct Entries {
    /// The readable ones, oldest first.
    pub entries: Vec<Entry>,
    /// The others, by path.
    pub unreadable: Vec<Unreadable>,
}

impl Store {
    /// Returns the store in the folder `root`, which need not exist yet.
    pub fn open(root: &Path) -> Store {
        Store { root: root.to_owned() }
    }

    /// Returns the store's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of a machine's records.
    pub fn machine_folder(&self, machine: &str) -> PathBuf {
        self.records_folder().join(folder_name(machine))
    }

    /// Creates the record of a run that is about to begin, and keeps the machine's facts beside it.
    pub fn create(
        &self,
        provenance: &Provenance,
        planned: &[Planned],
        problems: &[Problem],
        prefixes: &Prefixes,
    ) -> Result<RecordWriter, StoreError> {
        let draft = Draft::new(provenance, planned, problems, prefixes)?;
        let axes = provenance.environment.axes.iter();
        let stored = |text: &str| prefixes.replace_identity(text);
        let axes = axes.map(|(name, value)| (stored(name), stored(value))).collect();
        let stem = record_stem(provenance, &axes)?;
        self.write_machine(&provenance.machine)?;
        let path = self.machine_folder(&provenance.machine.name).join(format!("{stem}.jsonl.open"));
        RecordWriter::create(path, draft, prefixes.clone())
    }

    /// Keeps a machine's facts beside its records, replacing older ones.
    pub fn write_machine(&self, machine: &Machine) -> Result<(), StoreError> {
        self.prepare()?;
        let folder = self.machine_folder(&machine.name);
        atomic::create_folder(&folder)?;
        write_machine(&folder.join("machine.json"), machine)
    }

    /// Returns the facts of the machine of that name, where they are kept here.
    pub fn read_machine(&self, machine: &str) -> Result<Option<Machine>, StoreError> {
        read_machine(&self.machine_folder(machine).join("machine.json"))
    }

    /// Lists all records, with those that cannot be read; reads one line of each.
    pub fn entries(&self) -> Result<Entries, StoreError> {
        let mut found = Entries::default();
        for machine in sorted_folder(&self.records_folder())? {
            if machine.is_dir() {
                list_machine(&machine, &mut found);
            }
        }
        found.entries.sort_by(|a, b| (a.provenance.started_at, &a.path).cmp(&(b.provenance.started_at, &b.path)));
        Ok(found)
    }

    /// Lists the files of all records without opening one, the most certain form of each; and folders that cannot be listed.
    ///
    /// # Errors
    /// The folder of all records cannot be listed.
    pub fn files(&self) -> Result<(Vec<PathBuf>, Vec<Unreadable>), StoreError> {
        let (mut files, mut unreadable) = (Vec::new(), Vec::new());
        for machine in sorted_folder(&self.records_folder())?.into_iter().filter(|path| path.is_dir()) {
            match sorted_folder(&machine) {
                Err(error) => unreadable.push(Unreadable { path: machine, error }),
                Ok(found) => {
                    let forms = forms_by_stem(&found);
                    files.extend(forms.into_values().filter_map(|forms| Some(forms.last()?.1.to_owned())));
                }
            }
        }
        Ok((files, unreadable))
    }

    /// Returns the folder for what can be made anew, below the store's own, which is made if need be.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn cache_folder(&self) -> Result<PathBuf, StoreError> {
        self.prepare()?;
        Ok(self.root.join("cache"))
    }

    /// Reads a run. A seal is held against the bytes; without one the run is an interrupted one.
    pub fn read(&self, path: &Path) -> Result<Run, StoreError> {
        Ok(self.read_record(path)?.run)
    }

    /// Reads a run as [`Store::read`] does, with the digest of its record.
    pub fn read_record(&self, path: &Path) -> Result<Record, StoreError> {
        let form = Form::of(path).unwrap_or(Form::Plain);
        match record::read(path, form) {
            // Its writer sealed it after it was listed.
            Err(error) if form == Form::Open && error.is_not_found() => {
                record::read(&record::compressed_path(path), Form::Compressed)
            }
            result => result,
        }
    }

    /// Lists the runs whose records are open, oldest first: interrupted ones, those that are going on, and those that
    /// are sealed and not compressed yet.
    pub fn unfinished(&self) -> Result<Vec<Entry>, StoreError> {
        let mut entries = self.entries()?.entries;
        entries.retain(|entry| Form::of(&entry.path) == Some(Form::Open));
        Ok(entries)
    }

    /// Takes an open record up, so that its run can go on. Nothing is changed by that alone.
    ///
    /// # Errors
    /// [`StoreError::InUse`] where another process writes to it; what [`Store::read`] says of a damaged one.
    pub fn reopen(&self, path: &Path) -> Result<Reopened, StoreError> {
        record::reopen(path)
    }

    /// Clears up after writers of a machine's records that were killed at the very end or while they wrote a file
    /// beside its place: sealed records are compressed, doubles and hidden files are removed. What is in use stays, and
    /// so does what cannot be cleared up.
    pub fn tidy(&self, machine: &str) {
        let folder = self.machine_folder(machine);
        atomic::sweep(&folder);
        for path in sorted_folder(&folder).unwrap_or_default() {
            if Form::of(&path) == Some(Form::Open) {
                // A record that cannot be cleared up is read as it is.
                let _ = record::clear_up(&path);
            }
        }
    }

    fn records_folder(&self) -> PathBuf {
        self.root.join("records")
    }

    // The folder says by itself what of it does not belong into version control.
    fn prepare(&self) -> Result<(), StoreError> {
        atomic::create_folder(&self.root)?;
        let path = self.root.join(".gitignore");
        if path.exists() { Ok(()) } else { atomic::replace(&path, b"cache/\n") }
    }
}

fn list_machine(folder: &Path, found: &mut Entries) {
    let files = match sorted_folder(folder) {
        Ok(files) => files,
        Err(error) => return found.unreadable.push(Unreadable { path: folder.to_owned(), error }),
    };
    for forms in forms_by_stem(&files).into_values() {
        list_best(&forms, found);
    }
}

/// Returns the forms of each record, the most certain last: a writer that ended before it could tidy up leaves the open form
/// beside the sealed one.
fn forms_by_stem(files: &[PathBuf]) -> BTreeMap<&str, Vec<(Form, &Path)>> {
    let mut by_stem: BTreeMap<&str, Vec<(Form, &Path)>> = BTreeMap::new();
    for path in files {
        if let Some((stem, form)) = Form::split(path) {
            by_stem.entry(stem).or_default().push((form, path));
        }
    }
    by_stem.values_mut().for_each(|forms| forms.sort());
    by_stem
}

/// Lists the most certain form of a record that can be read.
fn list_best(forms: &[(Form, &Path)], found: &mut Entries) {
    for (form, path) in forms.iter().rev() {
        match entry(path, *form) {
            Ok(entry) => return found.entries.push(entry),
            Err(error) => found.unreadable.push(Unreadable { path: path.to_path_buf(), error }),
        }
    }
}

fn entry(path: &Path, form: Form) -> Result<Entry, StoreError> {
    match entry_as_named(path, form) {
        Err(error) if form == Form::Open && error.is_not_found() => {
            entry_as_named(&record::compressed_path(path), Form::Compressed)
        }
        result => result,
    }
}

fn entry_as_named(path: &Path, form: Form) -> Result<Entry, StoreError> {
    let n_bytes = fs::metadata(path).map_err(StoreError::io("read", path))?.len();
    let record::Header { mut provenance, n_cases } = record::read_header(path, form)?;
    if let Some(build) = &mut provenance.build {
        build.log_tail = String::new();
    }
    let is_sealed = record::is_sealed(path, form).map_err(StoreError::io("read", path))?;
    let completeness = if is_sealed { Completeness::Sealed } else { Completeness::Interrupted };
    Ok(Entry { path: path.to_owned(), provenance, n_cases, n_bytes, completeness })
}

// Empty for a folder that does not exist.
fn sorted_folder(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        result => result.map_err(StoreError::io("read", folder))?,
    };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(StoreError::io("read", folder))?;
    paths.sort();
    Ok(paths)
}
