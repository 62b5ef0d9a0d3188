//! JSON for programs: versioned documents made of serde twins of the nouns.
//!
//! Every twin is made by taking its noun apart without `..`, so that a new field of a noun does not
//! compile until somebody decided what JSON says about it. Absent is null, and no number is ever NaN.

use serde::Serialize;
use tacho_model::{Answer, Cleaning, Machine, Planned, Problem};

use crate::{
    Agenda, Changes, Checked, Compared, DataSetWritten, Diagnosis, Exported, Indexed, RecordEntry, Series, Shown,
};

mod agenda;
mod answer;
mod changes;
mod check;
mod cleaning;
mod compare;
mod data_set;
mod doctor;
mod export;
mod nouns;
mod provenance;
mod records;
mod series;
mod show;
mod suite;

pub(crate) use changes::verdict;

#[cfg(test)]
mod tests;

/// Returns `tacho.show/1`: each run's provenance and its outcomes, with all samples if asked for.
pub fn show(shown: &[Shown<'_>], samples: bool) -> String {
    document("tacho.show/1", show::Shows::of(shown, samples))
}

/// Returns `tacho.compare/1`: both sides with their runs, and every case of either.
pub fn compare(compared: &Compared<'_>) -> String {
    document("tacho.compare/1", compare::CompareTwin::of(compared))
}

/// Returns `tacho.list/1`: the selected part of a suite, with every case's name and parameters if asked for.
pub fn list(benchmarks: &[Planned], problems: &[Problem], cases: bool) -> String {
    document("tacho.list/1", suite::List::of(benchmarks, problems, cases))
}

/// Returns `tacho.plan/1`: what a run would do, in order.
pub fn agenda(agenda: &Agenda) -> String {
    document("tacho.plan/1", agenda::Plan::of(agenda))
}

/// Returns `tacho.check/1`: all that was found, and every case that was set up.
pub fn check(checked: &Checked<'_>) -> String {
    document("tacho.check/1", check::CheckDocument::of(checked))
}

/// Returns `tacho.clean/1`: what of the cache is gone, or would be, what is in use, and what was to stay.
pub fn clean(cleaning: &Cleaning, dry_run: bool) -> String {
    document("tacho.clean/1", cleaning::CleanDocument::of(cleaning, dry_run))
}

/// Returns `tacho.export/1`: the files that were written, and what was left out.
pub fn export(exported: &Exported) -> String {
    document("tacho.export/1", export::ExportDocument::of(exported))
}

/// Returns `tacho.export/1` of a data set: its files with their rows and sizes.
pub fn data_set(written: &DataSetWritten) -> String {
    document("tacho.export/1", data_set::DataSetDocument::of(written))
}

/// Returns `tacho.query/1`: the columns' names, and the rows as lists.
pub fn answer(answer: &Answer) -> String {
    document("tacho.query/1", answer::AnswerTwin::of(answer))
}

/// Returns `tacho.index/1`: where the index is, how much there is, and what could not be read.
pub fn indexed(indexed: &Indexed) -> String {
    document("tacho.index/1", answer::IndexedTwin::of(indexed))
}

/// Returns `tacho.records/1`: the runs that are kept, in the order of the listing for people.
pub fn records(entries: &[RecordEntry]) -> String {
    document("tacho.records/1", records::Records::of(entries))
}

/// Returns `tacho.series/1`: every series with its points, in the order of history.
pub fn series(series: &[Series]) -> String {
    document("tacho.series/1", series::SeriesDocument::of(series))
}

/// What [`changes`] is of.
pub(crate) const CHANGES_SCHEMA: &str = "tacho.changes/1";

/// Returns `tacho.changes/1`: every change that is listed, the groups they are in, what drifts, and how much is not listed.
pub fn changes(changes: &Changes) -> String {
    document(CHANGES_SCHEMA, changes::ChangesTwin::of(changes))
}

/// Returns `tacho.machine/1`.
pub fn machine(machine: &Machine) -> String {
    document("tacho.machine/1", MachineDocument { machine: nouns::MachineTwin::of(machine) })
}

/// Returns `tacho.doctor/1`: every condition with its finding, and the measured control.
pub fn doctor(diagnosis: &Diagnosis<'_>) -> String {
    document("tacho.doctor/1", doctor::DoctorTwin::of(diagnosis))
}

/// Returns `tacho.durations/1`: nanoseconds by benchmark, as seconds, and those of all together.
pub fn durations(durations: &[(String, u64)]) -> String {
    document("tacho.durations/1", records::Durations::of(durations))
}

#[derive(Serialize)]
struct MachineDocument<'a> {
    machine: nouns::MachineTwin<'a>,
}

#[derive(Serialize)]
struct Document<T> {
    schema: &'static str,
    #[serde(flatten)]
    content: T,
}

fn document<T: Serialize>(schema: &'static str, content: T) -> String {
    let text = serde_json::to_string_pretty(&Document { schema, content });
    text.expect("every twin has text keys only, and writing to memory does not fail") + "\n"
}

/// Returns a document on one line, for programs that read much of it.
pub(crate) fn compact<T: Serialize>(schema: &'static str, content: T) -> String {
    let text = serde_json::to_string(&Document { schema, content });
    text.expect("every twin has text keys only, and writing to memory does not fail") + "\n"
}

/// Returns the number where JSON has one; infinities and NaN are absent.
pub(crate) fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// Returns seconds.
fn seconds(duration_ns: u64) -> f64 {
    duration_ns as f64 / 1e9
}
