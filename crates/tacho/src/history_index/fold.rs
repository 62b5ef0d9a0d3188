//! The files of one subject at one place, read as one: as `tacho show --series` and `tacho compare` read them.

use tacho_model::{Provenance, Results, Run};
use tacho_store::Record;

use crate::as_one::{preferred, results_of};

/// A file that was read.
pub(super) enum Read {
    Record(Record),
    Results(Results),
}

/// What several runs say as one.
pub(super) struct Whole {
    pub(super) results: Results,
    /// The name of the newest run's file.
    pub(super) source: String,
    pub(super) n_runs: usize,
}

impl Read {
    pub(super) fn provenance(&self) -> &Provenance {
        match self {
            Read::Record(record) => &record.run.provenance,
            Read::Results(results) => &results.provenance,
        }
    }

    pub(super) fn digest(&self) -> Option<&str> {
        match self {
            Read::Record(record) => Some(&record.digest),
            Read::Results(_) => None,
        }
    }

    fn into_results(self) -> Results {
        match self {
            Read::Record(record) => results_of(record.run),
            Read::Results(results) => results,
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
        return Some(Whole { results: newest.into_results(), source, n_runs: 1 });
    }
    read.retain(|(_, read)| is_mergeable(read));
    let source = read.last()?.0.clone();
    let runs: Vec<Run> = read.into_iter().filter_map(|(_, read)| run_of(read)).collect();
    let n_runs = runs.len();
    Some(Whole { results: results_of(tacho_judge::merged(runs)?), source, n_runs })
}

fn run_of(read: Read) -> Option<Run> {
    match read {
        Read::Record(record) => Some(record.run),
        Read::Results(_) => None,
    }
}
