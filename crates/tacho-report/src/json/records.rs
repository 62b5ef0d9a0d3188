//! `tacho.records/1` and `tacho.durations/1`.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::Completeness;

use super::nouns::SubjectTwin;
use super::seconds;
use crate::records::newest_first;
use crate::{RecordEntry, rfc3339};

#[derive(Serialize)]
pub(super) struct Records<'a> {
    records: Vec<RecordTwin<'a>>,
}

impl Records<'_> {
    pub(super) fn of(entries: &[RecordEntry]) -> Records<'_> {
        Records { records: newest_first(entries).into_iter().map(RecordTwin::of).collect() }
    }
}

#[derive(Serialize)]
struct RecordTwin<'a> {
    run_id: &'a str,
    started_at: Option<String>,
    subject: SubjectTwin<'a>,
    machine: &'a str,
    environment_label: &'a str,
    environment: &'a BTreeMap<String, String>,
    n_cases: Option<usize>,
    build_failure: Option<&'a str>,
    complete: Option<bool>,
    purpose: &'static str,
    quick: bool,
    by_asv: bool,
    file: &'a str,
}

impl RecordTwin<'_> {
    fn of(entry: &RecordEntry) -> RecordTwin<'_> {
        let RecordEntry {
            run_id,
            started_at,
            subject,
            machine,
            environment_label,
            axes,
            n_cases,
            build_failure,
            completeness,
            purpose,
            quick,
            by_asv,
            file,
        } = entry;
        RecordTwin {
            run_id,
            started_at: rfc3339(*started_at),
            subject: SubjectTwin::of(subject),
            machine,
            environment_label,
            environment: axes,
            n_cases: *n_cases,
            build_failure: build_failure.as_deref(),
            complete: (!by_asv).then_some(*completeness == Completeness::Sealed),
            purpose: purpose.word(),
            quick: *quick,
            by_asv: *by_asv,
            file,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Durations<'a> {
    durations: Vec<DurationTwin<'a>>,
    total_s: f64,
}

impl Durations<'_> {
    pub(super) fn of(durations: &[(String, u64)]) -> Durations<'_> {
        Durations {
            durations: durations
                .iter()
                .map(|(benchmark, duration_ns)| DurationTwin { benchmark, duration_s: seconds(*duration_ns) })
                .collect(),
            total_s: seconds(durations.iter().map(|(_, duration_ns)| duration_ns).sum()),
        }
    }
}

#[derive(Serialize)]
struct DurationTwin<'a> {
    benchmark: &'a str,
    duration_s: f64,
}
