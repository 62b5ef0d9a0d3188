//! Writes a record: header and plan at once, each round when it is there, the seal at the end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use tacho_model::{Planned, Problem, Provenance, Round};

use super::compressed_path;
use crate::digest::Hasher;
use crate::wire::{self, Line};
use crate::{Prefixes, StoreError, atomic};

// Often enough that little is lost with the power, and seldom enough that disks do not disturb what is measured.
const SYNC_EVERY: Duration = Duration::from_secs(1);

// Records are small and read often; higher levels gain little on them.
const COMPRESSION_LEVEL: i32 = 9;

/// The first lines of a record, ready to be written.
pub(crate) struct Draft {
    lines: Vec<u8>,
}

impl Draft {
    /// Refuses what must not be stored before any file exists.
    pub(crate) fn new(
        provenance: &Provenance,
        planned: &[Planned],
        problems: &[Problem],
        prefixes: &Prefixes,
    ) -> Result<Draft, StoreError> {
        let run = wire::Provenance::from_model(provenance)?;
        let n_cases = planned.iter().map(|plan| plan.cases.len() as u64).sum();
        let header = wire::Header { schema: wire::RECORD_SCHEMA.to_owned(), n_cases, run };
        let mut lines = line_of(&header, prefixes)?;
        lines.extend(line_of(&Line::Plan(wire::Plan::from_model(planned, problems)?), prefixes)?);
        Ok(Draft { lines })
    }
}

/// An open record. Dropped without [`RecordWriter::seal`] it stays on disk as an interrupted run.
#[derive(Debug)]
pub struct RecordWriter {
    path: PathBuf,
    file: File,
    prefixes: Prefixes,
    hasher: Hasher,
    n_rounds: u64,
    n_bytes: u64,
    synced_at: Instant,
}

impl RecordWriter {
    /// Creates the file and writes its first lines; a file that exists is left alone.
    pub(crate) fn create(path: PathBuf, draft: Draft, prefixes: Prefixes) -> Result<RecordWriter, StoreError> {
        let sealed = compressed_path(&path);
        if sealed.exists() {
            return Err(StoreError::Exists { path: sealed });
        }
        let opened = OpenOptions::new().read(true).append(true).create_new(true).open(&path);
        let file = opened.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists { path: path.clone() },
            _ => StoreError::io("create", &path)(source),
        })?;
        let synced_at = Instant::now();
        let hasher = Hasher::default();
        let mut writer = RecordWriter { path, file, prefixes, hasher, n_rounds: 0, n_bytes: 0, synced_at };
        writer.write(&draft.lines)?;
        writer.sync()?;
        atomic::sync_folder_of(&writer.path)?;
        Ok(writer)
    }

    /// Returns where the record is while it is open.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a round. One that is refused, or that the disk has no room for, leaves the record as it was.
    pub fn append(&mut self, round: &Round) -> Result<(), StoreError> {
        let line = line_of(&Line::Round(wire::Round::from_model(round)?), &self.prefixes)?;
        self.write(&line)?;
        self.n_rounds += 1;
        if sync_is_due(self.synced_at, Instant::now()) {
            self.sync()?;
        }
        Ok(())
    }

    /// Ends the record: writes the seal, compresses the file, and returns its new path.
    ///
    /// Where only the compression fails, the open file is complete and sealed all the same.
    pub fn seal(mut self) -> Result<PathBuf, StoreError> {
        let seal = wire::Seal { n_rounds: self.n_rounds, sha256: self.hasher.hex() };
        let line = line_of(&Line::Seal(seal), &self.prefixes)?;
        self.write(&line)?;
        self.sync()?;
        let sealed = compressed_path(&self.path);
        atomic::write_with(&sealed, |out| compress(&mut self.file, out))?;
        fs::remove_file(&self.path).map_err(StoreError::io("remove", &self.path))?;
        Ok(sealed)
    }

    // One write of whole lines: a crash cuts off the last line at most.
    fn write(&mut self, lines: &[u8]) -> Result<(), StoreError> {
        if let Err(source) = self.file.write_all(lines) {
            // A full disk takes a part of a line. Where it cannot be cut off again, a reader drops it
            // as long as it is the last one.
            let _ = self.file.set_len(self.n_bytes);
            return Err(StoreError::io("write", &self.path)(source));
        }
        self.hasher.update(lines);
        self.n_bytes += lines.len() as u64;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.synced_at = Instant::now();
        self.file.sync_data().map_err(StoreError::io("sync", &self.path))
    }
}

fn sync_is_due(synced_at: Instant, now: Instant) -> bool {
    now.duration_since(synced_at) >= SYNC_EVERY
}

fn line_of(line: &impl Serialize, prefixes: &Prefixes) -> Result<Vec<u8>, StoreError> {
    let refused = |error: serde_json::Error| StoreError::Refused { what: format!("a line: {error}") };
    let value = serde_json::to_value(line).map_err(refused)?;
    let mut bytes = serde_json::to_vec(&wire::without_private(value, prefixes)).map_err(refused)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn compress(lines: &mut File, out: &mut File) -> io::Result<()> {
    lines.rewind()?;
    zstd::stream::copy_encode(lines, out, COMPRESSION_LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_are_asked_at_most_once_a_second() {
        let start = Instant::now();
        assert!(!sync_is_due(start, start + Duration::from_millis(999)));
        assert!(sync_is_due(start, start + Duration::from_secs(1)));
    }
}
