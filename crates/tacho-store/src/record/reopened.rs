//! An open record that somebody stopped writing, taken up again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tacho_model::{Completeness, Planned, Problem, Run};

use super::reader::{Whole, is_sealed, read, read_to_end};
use super::writer::Written;
use super::{Form, RecordWriter, compressed_path};
use crate::{Prefixes, StoreError, atomic};

// Whoever clears up holds a record for an instant.
const LOCK_TRIES: u32 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// An open record that no other process writes to for as long as this value lives. Nothing in it is changed yet.
#[derive(Debug)]
pub struct Reopened {
    path: PathBuf,
    file: File,
    run: Run,
    written: Written,
    has_plan: bool,
}

/// Takes an open record up.
pub(crate) fn reopen(path: &Path) -> Result<Reopened, StoreError> {
    let opened = OpenOptions::new().read(true).append(true).open(path);
    let file = opened.map_err(StoreError::io("open", path))?;
    lock(&file, path)?;
    if !atomic::is_at(&file, path) {
        // Sealed or removed while it was being opened.
        return Err(StoreError::InUse { path: path.to_owned() });
    }
    let Whole { record, n_bytes, hasher, has_plan } = read_to_end(path, Form::Open)?;
    let n_rounds = record.run.rounds.len() as u64;
    let is_sealed = record.run.completeness == Completeness::Sealed;
    let written = Written { hasher, n_rounds, n_bytes, is_sealed };
    Ok(Reopened { path: path.to_owned(), file, run: record.run, written, has_plan })
}

/// Compresses an open record that is sealed, and removes one whose compressed form is there as well.
pub(crate) fn clear_up(path: &Path) -> Result<(), StoreError> {
    let compressed = compressed_path(path);
    let is_double = compressed.exists();
    if !is_double && !is_sealed(path, Form::Open).map_err(StoreError::io("read", path))? {
        return Ok(());
    }
    let reopened = reopen(path)?;
    if !is_double {
        return reopened.resume(&[], &[], &Prefixes::default())?.seal().map(drop);
    }
    // The compressed form counts; but what is not in it is not thrown away.
    if read(&compressed, Form::Compressed)?.digest == reopened.written.hasher.hex() {
        fs::remove_file(path).map_err(StoreError::io("remove", path))?;
    }
    Ok(())
}

fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            // Where a file system has no locks nobody can be asked.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(StoreError::InUse { path: path.to_owned() })
}

impl Reopened {
    /// Returns the run as it stands in the record: sealed where only its compression is missing.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Returns whether the record tells what was to be measured. One whose writer ended at once does not.
    pub fn has_plan(&self) -> bool {
        self.has_plan
    }

    /// Cuts off a last line that was not written to its end, durably, and returns the writer that goes on.
    ///
    /// Plan and problems are written where the record has none yet. A sealed record takes no further rounds; its
    /// writer can only end it.
    pub fn resume(
        self,
        planned: &[Planned],
        problems: &[Problem],
        prefixes: &Prefixes,
    ) -> Result<RecordWriter, StoreError> {
        let Reopened { path, file, run: _, written, has_plan } = self;
        let cut = file.set_len(written.n_bytes).and_then(|()| file.sync_all());
        cut.map_err(StoreError::io("cut", &path))?;
        let mut writer = RecordWriter::over(path, file, prefixes.clone(), written);
        if !has_plan {
            writer.plan(planned, problems)?;
        }
        Ok(writer)
    }
}
