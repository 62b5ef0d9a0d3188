//! Reads a record line by line, and holds it against its seal.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tacho_model::{Completeness, Provenance, Run};

use super::{Form, check_record_schema};
use crate::StoreError;
use crate::digest::Hasher;
use crate::error::Misfit;
use crate::wire::{self, Line};

/// A run as it was read from its record.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The run.
    pub run: Run,
    /// SHA-256 of all lines before the seal, as 64 hexadecimal digits: that of the seal where there is one.
    pub digest: String,
}

/// Reads a whole record; the last line of an open one is dropped where it was cut off.
pub(crate) fn read(path: &Path, form: Form) -> Result<Record, StoreError> {
    Ok(read_to_end(path, form)?.record)
}

/// A record with what is needed to add to it.
pub(crate) struct Whole {
    pub(crate) record: Record,
    /// The number of bytes of all whole lines.
    pub(crate) n_bytes: u64,
    /// Of all whole lines but the seal.
    pub(crate) hasher: Hasher,
    pub(crate) has_plan: bool,
}

/// Reads a whole record as [`read`] does, and tells where its last whole line ends.
pub(crate) fn read_to_end(path: &Path, form: Form) -> Result<Whole, StoreError> {
    let mut lines = Lines::open(path, form)?;
    let mut body = Body::default();
    let Header { provenance, n_cases: _ } = lines.header(&mut body.hasher)?;
    let mut n_bytes = lines.line.len() as u64;
    while lines.advance()? {
        body.add(&lines)?;
        n_bytes += lines.line.len() as u64;
    }
    let (hasher, has_plan) = (body.hasher.clone(), body.plan.is_some());
    Ok(Whole { record: body.finish(&lines, provenance)?, n_bytes, hasher, has_plan })
}

/// What the first line of a record tells.
pub(crate) struct Header {
    pub(crate) provenance: Provenance,
    pub(crate) n_cases: u64,
}

/// Reads the first line of a record and nothing else.
pub(crate) fn read_header(path: &Path, form: Form) -> Result<Header, StoreError> {
    Lines::open(path, form)?.header(&mut Hasher::default())
}

/// Returns whether a record has its seal, from its form and its last bytes.
pub(crate) fn is_sealed(path: &Path, form: Form) -> io::Result<bool> {
    // Longer than any seal, shorter than a reader would notice.
    const TAIL: u64 = 256;
    if form != Form::Open {
        return Ok(true);
    }
    let mut file = File::open(path)?;
    let n_bytes = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(n_bytes.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let last = tail.strip_suffix(b"\n").and_then(|lines| lines.rsplit(|byte| *byte == b'\n').next());
    Ok(last.is_some_and(|line| matches!(serde_json::from_slice(line), Ok(Line::Seal(_)))))
}

/// The lines of a file, one at a time.
struct Lines {
    path: PathBuf,
    form: Form,
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    number: usize,
}

impl Lines {
    fn open(path: &Path, form: Form) -> Result<Lines, StoreError> {
        let file = File::open(path).map_err(StoreError::io("read", path))?;
        let reader: Box<dyn BufRead> = match form {
            Form::Open | Form::Plain => Box::new(BufReader::new(file)),
            Form::Compressed => {
                let decoder = zstd::Decoder::new(file).map_err(StoreError::io("read", path))?;
                Box::new(BufReader::new(decoder))
            }
        };
        Ok(Lines { path: path.to_owned(), form, reader, line: Vec::new(), number: 0 })
    }

    /// Goes to the next whole line; returns false where there is none.
    fn advance(&mut self) -> Result<bool, StoreError> {
        self.line.clear();
        if let Err(source) = self.reader.read_until(b'\n', &mut self.line) {
            return Err(self.failed(source));
        }
        self.number += 1;
        match self.line.last() {
            None => Ok(false),
            Some(b'\n') => Ok(true),
            Some(_) if self.form == Form::Open => Ok(false),
            Some(_) => Err(StoreError::CutShort { path: self.path.clone(), place: "inside a line" }),
        }
    }

    fn header(&mut self, hasher: &mut Hasher) -> Result<Header, StoreError> {
        #[derive(Deserialize)]
        struct Probe {
            schema: String,
        }
        self.refuse_foreign_start()?;
        if !self.advance()? {
            return Err(StoreError::CutShort { path: self.path.clone(), place: "before its header does" });
        }
        let Ok(Probe { schema }) = serde_json::from_slice(&self.line) else {
            return Err(self.foreign("its first line names no schema".to_owned()));
        };
        check_record_schema(&self.path, &schema)?;
        hasher.update(&self.line);
        let wire::Header { schema: _, n_cases, run } = self.parse()?;
        let provenance = run.into_model().map_err(|misfit| self.misfit(misfit))?;
        Ok(Header { provenance, n_cases })
    }

    // Before anything is read up to a line's end: a large file of another kind may have no lines.
    fn refuse_foreign_start(&mut self) -> Result<(), StoreError> {
        match self.reader.fill_buf().map(|bytes| bytes.first().copied()) {
            Ok(None | Some(b'{')) => Ok(()),
            Ok(Some(_)) => Err(self.foreign("it does not begin with a JSON object".to_owned())),
            Err(source) if self.form == Form::Compressed && source.kind() != io::ErrorKind::UnexpectedEof => {
                Err(self.foreign(format!("it cannot be unpacked: {source}")))
            }
            Err(source) => Err(self.failed(source)),
        }
    }

    fn parse<'a, T: Deserialize<'a>>(&'a self) -> Result<T, StoreError> {
        serde_json::from_slice(&self.line).map_err(|source| StoreError::BadLine {
            path: self.path.clone(),
            line: self.number,
            source,
        })
    }

    fn failed(&self, source: io::Error) -> StoreError {
        match source.kind() {
            io::ErrorKind::UnexpectedEof => StoreError::CutShort { path: self.path.clone(), place: "inside a block" },
            _ => StoreError::io("read", &self.path)(source),
        }
    }

    fn foreign(&self, why: String) -> StoreError {
        StoreError::NotOurs { path: self.path.clone(), kind: "record", why }
    }

    fn misfit(&self, Misfit(what): Misfit) -> StoreError {
        StoreError::Misfit { path: self.path.clone(), line: self.number, what }
    }
}

/// What follows the header.
#[derive(Default)]
struct Body {
    hasher: Hasher,
    plan: Option<wire::Plan>,
    rounds: Vec<tacho_model::Round>,
    seal: Option<wire::Seal>,
}

impl Body {
    fn add(&mut self, lines: &Lines) -> Result<(), StoreError> {
        let misplaced = |what: &str| Err(lines.misfit(Misfit(what.to_owned())));
        if self.seal.is_some() {
            return misplaced("something follows the seal");
        }
        match lines.parse()? {
            Line::Plan(_) if self.plan.is_some() => return misplaced("a second plan"),
            Line::Round(_) if self.plan.is_none() => return misplaced("a round before the plan"),
            Line::Plan(plan) => self.plan = Some(plan),
            Line::Round(round) => self.rounds.push(round.into_model().map_err(|misfit| lines.misfit(misfit))?),
            // Not part of the digest that it carries.
            Line::Seal(seal) => {
                self.seal = Some(seal);
                return Ok(());
            }
        }
        self.hasher.update(&lines.line);
        Ok(())
    }

    fn finish(self, lines: &Lines, provenance: Provenance) -> Result<Record, StoreError> {
        let digest = self.hasher.hex();
        let completeness = match &self.seal {
            Some(seal) => self.verified(seal, &digest, lines)?,
            None if lines.form == Form::Open => Completeness::Interrupted,
            None => return Err(StoreError::CutShort { path: lines.path.clone(), place: "before its seal" }),
        };
        let (planned, problems) = self.plan.unwrap_or_default().into_model();
        Ok(Record { run: Run { provenance, planned, problems, rounds: self.rounds, completeness }, digest })
    }

    fn verified(&self, seal: &wire::Seal, digest: &str, lines: &Lines) -> Result<Completeness, StoreError> {
        let wire::Seal { n_rounds, sha256 } = seal;
        let path = lines.path.clone();
        let found = self.rounds.len() as u64;
        if *n_rounds != found {
            return Err(StoreError::WrongCount { path, sealed: *n_rounds, found });
        }
        if sha256 != digest {
            return Err(StoreError::WrongDigest { path, sealed: sha256.clone(), found: digest.to_owned() });
        }
        Ok(Completeness::Sealed)
    }
}
