//! Writes a record: header and plan at once, each round when it is there, the seal at the end.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use tacho_model::{Planned, Problem, Provenance, Round, Run};

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
        lines.extend(plan_line(planned, problems, prefixes)?);
        Ok(Draft { lines })
    }
}

/// What a record holds so far.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Of all lines but the seal.
    pub(crate) hasher: Hasher,
    pub(crate) n_rounds: u64,
    pub(crate) n_bytes: u64,
    pub(crate) is_sealed: bool,
}

/// An open record. Dropped without [`RecordWriter::seal`] it stays on disk as an interrupted run.
///
/// No other process takes it up while this one writes: the file is locked.
#[derive(Debug)]
pub struct RecordWriter {
    path: PathBuf,
    file: File,
    prefixes: Prefixes,
    written: Written,
    synced_at: Instant,
}

impl RecordWriter {
    /// Creates the file with its first lines; a file that exists is left alone.
    pub(crate) fn create(path: PathBuf, draft: Draft, prefixes: Prefixes) -> Result<RecordWriter, StoreError> {
        for path in [compressed_path(&path), path.clone()] {
            if path.exists() {
                return Err(StoreError::Exists { path });
            }
        }
        // Whoever finds the file finds a header and a plan in it.
        let file = atomic::write_with(&path, |file| file.write_all(&draft.lines))?;
        let mut written = Written { n_bytes: draft.lines.len() as u64, ..Written::default() };
        written.hasher.update(&draft.lines);
        Ok(RecordWriter::over(path, file, prefixes, written))
    }

    /// Goes on with a file that holds `written` and nothing else.
    pub(crate) fn over(path: PathBuf, file: File, prefixes: Prefixes, written: Written) -> RecordWriter {
        RecordWriter { path, file, prefixes, written, synced_at: Instant::now() }
    }

    /// Returns where the record is while it is open.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the file is still where it was made.
    pub fn is_in_place(&self) -> bool {
        atomic::is_at(&self.file, &self.path)
    }

    /// Adds the plan to a record that has only a header.
    pub(crate) fn plan(&mut self, planned: &[Planned], problems: &[Problem]) -> Result<(), StoreError> {
        let line = plan_line(planned, problems, &self.prefixes)?;
        self.write(&line)
    }

    /// Adds a round. One that is refused, or that the disk has no room for, leaves the record as it was.
    pub fn append(&mut self, round: &Round) -> Result<(), StoreError> {
        if self.written.is_sealed {
            return Err(StoreError::Refused { what: format!("a round in `{}`: it is sealed", self.path.display()) });
        }
        let line = line_of(&Line::Round(Box::new(wire::Round::from_model(round)?)), &self.prefixes)?;
        self.write(&line)?;
        self.written.n_rounds += 1;
        if sync_is_due(self.synced_at, Instant::now()) {
            self.sync()?;
        }
        Ok(())
    }

    /// Ends the record: writes the seal, compresses the file, and returns its new path.
    ///
    /// Where only the compression fails, the open file is complete and sealed all the same.
    pub fn seal(mut self) -> Result<PathBuf, StoreError> {
        if !self.written.is_sealed {
            let seal = wire::Seal { n_rounds: self.written.n_rounds, sha256: self.written.hasher.hex() };
            let line = line_of(&Line::Seal(seal), &self.prefixes)?;
            self.write(&line)?;
        }
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
            let _ = self.file.set_len(self.written.n_bytes);
            return Err(StoreError::io("write", &self.path)(source));
        }
        self.written.hasher.update(lines);
        self.written.n_bytes += lines.len() as u64;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.synced_at = Instant::now();
        self.file.sync_data().map_err(StoreError::io("sync", &self.path))
    }
}

/// Returns what a reader would find of a run's provenance, plan and problems if it were kept: the rounds are
/// as they were.
pub fn as_kept(run: &Run, prefixes: &Prefixes) -> Result<Run, StoreError> {
    let unreadable = |error: serde_json::Error| StoreError::Refused { what: format!("a line: {error}") };
    let Draft { lines } = Draft::new(&run.provenance, &run.planned, &run.problems, prefixes)?;
    let mut lines = lines.split_inclusive(|byte| *byte == b'\n');
    let header: wire::Header = serde_json::from_slice(lines.next().unwrap_or_default()).map_err(unreadable)?;
    let plan: Line = serde_json::from_slice(lines.next().unwrap_or_default()).map_err(unreadable)?;
    let (planned, problems) = match plan {
        Line::Plan(plan) => plan.into_model(),
        Line::Round(_) | Line::Seal(_) => Default::default(),
    };
    Ok(Run { provenance: header.run.into_model()?, planned, problems, ..run.clone() })
}

fn plan_line(planned: &[Planned], problems: &[Problem], prefixes: &Prefixes) -> Result<Vec<u8>, StoreError> {
    line_of(&Line::Plan(wire::Plan::from_model(planned, problems)?), prefixes)
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
