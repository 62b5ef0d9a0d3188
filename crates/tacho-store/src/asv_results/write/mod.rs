//! asv's results folder, written from records so that asv reads it as its own.
//!
//! `docs/formats/asv-results.md` says what becomes of what. Every file carries an extra key that asv passes over; a file
//! without it belongs to somebody else and stays.

mod benchmarks_file;
mod columns;
mod json;
mod machine_file;
mod result_file;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tacho_model::{Machine, Outcome, Run, Timestamp};

use self::benchmarks_file::BenchmarksFile;
use super::exported::RecordName;
use crate::name::folder_name;
use crate::{StoreError, atomic};

/// Runs of one commit, machine and environment, pooled to one: what goes into one result file.
#[derive(Debug, Clone, Copy)]
pub struct AsvRun<'a> {
    /// The run. Its subject is a commit.
    pub run: &'a Run,
    /// Its outcomes; `interval` is asv's, `None` where asv's has no ends.
    pub outcomes: &'a [Outcome],
    /// Run id and digest of each record that it was pooled from, oldest first.
    pub records: &'a [(String, String)],
}

/// What writing a results folder did. Paths are those of result files, `machine.json` and `benchmarks.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AsvWritten {
    /// Files that are new or say something else now.
    pub written: Vec<PathBuf>,
    /// Files that said the same already.
    pub unchanged: Vec<PathBuf>,
    /// Files that somebody else wrote, and that were left as they are.
    pub not_ours: Vec<PathBuf>,
    /// Benchmarks that the `benchmarks.json` of somebody else lacks or has in another version: asv passes over their results.
    pub unlisted: Vec<String>,
}

/// Writes runs into a results folder, one after the other.
#[derive(Debug)]
pub struct AsvWriter {
    folder: PathBuf,
    force: bool,
    machines: BTreeMap<PathBuf, (Timestamp, Machine)>,
    benchmarks: BenchmarksFile,
    taken: BTreeSet<PathBuf>,
    done: AsvWritten,
}

/// Whose a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Ours,
    SomebodyElse,
}

impl AsvWriter {
    /// Returns a writer into `results_dir`, which need not exist yet. With `force` the files of others are replaced too.
    pub fn new(results_dir: &Path, force: bool) -> AsvWriter {
        AsvWriter {
            folder: results_dir.to_owned(),
            force,
            machines: BTreeMap::new(),
            benchmarks: BenchmarksFile::default(),
            taken: BTreeSet::new(),
            done: AsvWritten::default(),
        }
    }

    /// Writes the result file of a run.
    ///
    /// The file is named as asv does: eight digits of the hash, the environment's label. Where two environments of one
    /// machine and commit have the same label, the later ones get eight digits of their axes' digest behind it.
    ///
    /// # Errors
    /// The run measured no commit, describes more cases than asv could read, or the file cannot be written.
    pub fn add(&mut self, of: &AsvRun<'_>) -> Result<(), StoreError> {
        let started_at = of.run.provenance.started_at;
        let machine = &of.run.provenance.machine;
        let folder = self.folder.join(machine_folder(&machine.name));
        let file = result_file::ResultFile::of(of)?;
        let environment = self.free_name(&folder, &file);
        let path = folder.join(file.name(&environment));
        self.put(&path, &file.bytes(&environment), result_file::owner)?;
        let known = self.machines.get(&folder);
        if known.is_none_or(|(known_at, _)| *known_at <= started_at) {
            self.machines.insert(folder, (started_at, machine.clone()));
        }
        self.benchmarks.add(&of.run.planned, started_at);
        Ok(())
    }

    /// Writes `machine.json` of each machine and `benchmarks.json`, and tells what was done.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(mut self) -> Result<AsvWritten, StoreError> {
        for (folder, (_, machine)) in std::mem::take(&mut self.machines) {
            let path = folder.join("machine.json");
            // asv's own file of the machine says the same, and asv needs no more than that there is one.
            if self.force || !machine_file::is_of(&path, &machine.name) {
                self.put(&path, &machine_file::bytes(&machine)?, machine_file::owner)?;
            }
        }
        if !self.benchmarks.is_empty() {
            self.finish_benchmarks()?;
        }
        Ok(self.done)
    }

    fn finish_benchmarks(&mut self) -> Result<(), StoreError> {
        let path = self.folder.join("benchmarks.json");
        let there = benchmarks_file::read(&path);
        if !self.force && benchmarks_file::owner(&path) == Owner::SomebodyElse {
            self.done.unlisted = self.benchmarks.unlisted_in(&there);
            if self.done.unlisted.is_empty() {
                return Ok(());
            }
        }
        let bytes = std::mem::take(&mut self.benchmarks).over(there)?;
        self.put(&path, &bytes, benchmarks_file::owner)
    }

    fn free_name(&mut self, folder: &Path, file: &result_file::ResultFile) -> String {
        let [plain, distinct] = file.environments();
        let is_free = self.taken.insert(folder.join(file.name(&plain)));
        if is_free { plain } else { distinct }
    }

    fn put(&mut self, path: &Path, bytes: &[u8], owner: fn(&Path) -> Owner) -> Result<(), StoreError> {
        let path_buf = path.to_owned();
        if fs::read(path).is_ok_and(|found| found == bytes) {
            self.done.unchanged.push(path_buf);
        } else if !self.force && owner(path) == Owner::SomebodyElse {
            self.done.not_ours.push(path_buf);
        } else {
            atomic::create_folder(path.parent().unwrap_or(&self.folder))?;
            atomic::replace(path, bytes)?;
            self.done.written.push(path_buf);
        }
        Ok(())
    }
}

/// Returns the name of a machine's folder: the machine's own name, because asv looks there, unless it would lead elsewhere or
/// be passed over.
fn machine_folder(machine: &str) -> String {
    let is_plain = !machine.is_empty() && !machine.starts_with('.') && machine.len() <= 100;
    let leads_elsewhere = machine.chars().any(|c| c == '/' || c == '\\' || c.is_control());
    if is_plain && !leads_elsewhere { machine.to_owned() } else { folder_name(machine) }
}

fn names(records: &[(String, String)]) -> Vec<RecordName> {
    let name = |(run_id, sha256): &(String, String)| RecordName { run_id: run_id.clone(), sha256: sha256.clone() };
    records.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(machine: &str, expected: &str) {
        assert_eq!(machine_folder(machine), expected, "{machine:?}");
    }

    #[test]
    fn a_machine_has_the_folder_that_asv_looks_for_unless_it_would_lead_elsewhere() {
        check("lab-7", "lab-7");
        check("my machine (ä)", "my machine (ä)");
        check("", "%");
        check("..", "%2E.");
        check("../../etc", "%2E.%2F..%2Fetc");
        check(".hidden", "%2Ehidden");
        check("a/b", "a%2Fb");
        check("a\0b", "a%00b");
        assert!(machine_folder(&"x".repeat(300)).len() <= 100);
    }
}
