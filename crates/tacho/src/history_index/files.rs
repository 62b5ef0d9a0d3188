//! The files of a history, looked at without being opened.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tacho_query::FileStamp;
use tacho_store::{AsvFile, AsvResults, Store, StoreError, Unreadable};

use crate::as_one;
use crate::context::Context;
use crate::error::Result;
use crate::settings::Settings;

use super::fold::{Read, Said};

/// Everything that an index is made from.
pub(super) struct Files<'a> {
    pub(super) store: Store,
    pub(super) stamps: Vec<FileStamp>,
    /// Folders that cannot be listed, and files beside the results that cannot be read.
    pub(super) unreadable: Vec<Unreadable>,
    /// Tells everything beside the files that goes into an index.
    pub(super) recipe: String,
    /// The runs that there are records of.
    pub(super) runs: HashSet<String>,
    asv: Option<AsvResults>,
    sources: BTreeMap<String, Source>,
    settings: Option<&'a Settings>,
}

enum Source {
    Record(PathBuf),
    Asv(AsvFile),
}

impl<'a> Files<'a> {
    pub(super) fn find(settings: Option<&'a Settings>, context: &Context<'_>) -> Result<Files<'a>> {
        let store = context.store(settings);
        let folder = settings.and_then(|settings| Some(settings.path(settings.asv_results.value.as_ref()?)));
        let folder = folder.filter(|folder| folder.is_dir());
        let (records, unreadable) = store.files()?;
        let runs: HashSet<String> = records.iter().filter_map(|path| run_id_of(path)).collect();
        // What was exported from a record that is here counts once.
        let asv = folder.as_deref().map(AsvResults::open).transpose()?.map(|asv| asv.beside(runs.clone()));
        let asv_files = asv.as_ref().map(AsvResults::files).transpose()?.unwrap_or_default();
        let recipe = recipe(settings);
        let mut files =
            Files { store, stamps: vec![], unreadable, recipe, runs, asv, sources: BTreeMap::new(), settings };
        for path in records {
            files.add(&path.clone(), Source::Record(path));
        }
        for file in asv_files {
            files.add(&file.path.clone(), Source::Asv(file));
        }
        Ok(files)
    }

    fn add(&mut self, path: &Path, source: Source) {
        // What has gone since it was listed is no file; a link that leads nowhere is told when it is read.
        let Ok(metadata) = path.metadata().or_else(|_| path.symlink_metadata()) else { return };
        let mtime_ns = metadata.modified().map(ns_since_1970).unwrap_or_default();
        let name = self.name(path);
        let beside = match (&source, &self.asv) {
            (Source::Asv(file), Some(asv)) => asv.mark_beside(file).cast_signed(),
            _ => 0,
        };
        self.stamps.push(FileStamp { path: name.clone(), n_bytes: metadata.len(), mtime_ns, beside });
        self.sources.insert(name, source);
    }

    /// Returns the name of a file in the index: its path from the project's folder, where it lies below.
    pub(super) fn name(&self, path: &Path) -> String {
        let inner = self.settings.and_then(|settings| path.strip_prefix(&settings.root).ok());
        let name = inner.unwrap_or(path).as_os_str();
        // Bytes that are no text are told apart, as two files are.
        name.to_str().map_or_else(|| name.as_encoded_bytes().escape_ascii().to_string(), str::to_owned)
    }

    /// Returns true for a file that lies among asv's results.
    pub(super) fn is_asvs(&self, name: &str) -> bool {
        matches!(self.sources.get(name), Some(Source::Asv(_)))
    }

    /// Puts files in the order of history as far as their first words tell, place by place: what is asked for together then lies together.
    pub(super) fn in_history(&self, mut stamps: Vec<FileStamp>) -> Vec<FileStamp> {
        stamps.sort_by_cached_key(|stamp| match (self.sources.get(&stamp.path), &self.asv) {
            (Some(Source::Asv(file)), Some(asv)) => {
                Some((&file.machine, &file.environment, asv.peek(file).map(|(_, date)| date.unix_us)))
            }
            _ => None,
        });
        stamps
    }

    pub(super) fn read(&self, name: &str) -> std::result::Result<Read, StoreError> {
        let project = self.settings.map_or("", |settings| &settings.project.value);
        match (self.sources.get(name), &self.asv) {
            (Some(Source::Asv(file)), Some(asv)) => {
                asv.sheets(file, project).map(|(provenance, sheets, runs)| Read::Sheets(provenance, sheets, runs))
            }
            (Some(Source::Record(path)), _) => self.store.read_record(path).map(Read::Record),
            (Some(Source::Asv(_)) | None, _) => self.store.read_record(Path::new(name)).map(Read::Record),
        }
    }

    /// Returns what was said with metrics as the project declares them by now.
    pub(super) fn declared(&self, said: Said) -> Said {
        match said {
            Said::Results(results) => Said::Results(as_one::declared(results, self.settings)),
            Said::Sheets(provenance, mut sheets) => {
                as_one::declare_sheets(&mut sheets, self.settings);
                Said::Sheets(provenance, sheets)
            }
        }
    }
}

fn ns_since_1970(time: SystemTime) -> i64 {
    let ns = |distance: Duration| i64::try_from(distance.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(UNIX_EPOCH).map_or_else(|earlier| -ns(earlier.duration()), ns)
}

/// Returns the run's id, which ends the name of its record.
fn run_id_of(record: &Path) -> Option<String> {
    let name = record.file_name()?.to_str()?;
    let id = name.split('.').next()?.rsplit('-').next()?;
    (id.len() == 16).then(|| id.to_owned())
}

/// The project's rules decide what results are read as. A newer version may fold them in another way.
fn recipe(settings: Option<&Settings>) -> String {
    let mut hasher = DefaultHasher::new();
    if let Some(settings) = settings {
        settings.project.value.hash(&mut hasher);
        format!("{:?}", settings.metrics).hash(&mut hasher);
    }
    format!("tacho {} {:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
}
