//! The files of one subject at one place, read as one: as `tacho show --series` and `tacho compare` read them.

use tacho_model::{Provenance, Results, Run, Sheet};
use tacho_store::Record;

use crate::as_one::{preferred, results_of};

/// A file that was read.
pub(super) enum Read {
    Record(Record),
    /// One of asv's, with the runs that it was exported from.
    Sheets(Provenance, Vec<Sheet>, Vec<String>),
}

/// What several runs say as one.
pub(super) struct Whole {
    pub(super) said: Said,
    /// The name of the newest run's file.
    pub(super) source: String,
    pub(super) n_runs: usize,
}

/// The outcomes of records, or the sheets of a file of asv's.
pub(super) enum Said {
    Results(Results),
    Sheets(Provenance, Vec<Sheet>),
}

impl Read {
    pub(super) fn provenance(&self) -> &Provenance {
        match self {
            Read::Record(record) => &record.run.provenance,
            Read::Sheets(provenance, ..) => provenance,
        }
    }

    pub(super) fn digest(&self) -> Option<&str> {
        match self {
            Read::Record(record) => Some(&record.digest),
            Read::Sheets(..) => None,
        }
    }

    /// Returns the ids of the runs that a file of asv's was exported from.
    pub(super) fn exported_from(&self) -> &[String] {
        match self {
            Read::Record(_) => &[],
            Read::Sheets(_, _, runs) => runs,
        }
    }

    fn said(self) -> Said {
        match self {
            Read::Record(record) => Said::Results(results_of(record.run)),
            Read::Sheets(provenance, sheets, _) => Said::Sheets(provenance, sheets),
        }
    }
}

/// Returns what the runs say as one: records of the newest method are merged; of asv's files the newest counts. `None` without any.
pub(super) fn folded(read: Vec<(String, Read)>) -> Option<Whole> {
    let mut read = preferred(read, |(_, read)| read.provenance());
    read.sort_by(|(a_name, a), (b_name, b)| {
        let moment = |read: &Read| read.provenance().started_at;
        moment(a).cmp(&moment(b)).then_with(|| a_name.cmp(b_name))
    });
    let method = read.last()?.1.provenance().method.clone();
    let is_mergeable = |read: &Read| matches!(read, Read::Record(_)) && read.provenance().method == method;
    if !read.iter().any(|(_, read)| is_mergeable(read)) {
        let (source, newest) = read.pop()?;
        return Some(Whole { said: newest.said(), source, n_runs: 1 });
    }
    read.retain(|(_, read)| is_mergeable(read));
    let source = read.last()?.0.clone();
    let runs: Vec<Run> = read.into_iter().filter_map(|(_, read)| run_of(read)).collect();
    let n_runs = runs.len();
    Some(Whole { said: Said::Results(results_of(tacho_judge::merged(runs)?)), source, n_runs })
}

fn run_of(read: Read) -> Option<Run> {
    match read {
        Read::Record(record) => Some(record.run),
        Read::Sheets(..) => None,
    }
}
