//! asv's results folder, read as outcomes, and written from records.
//!
//! `docs/formats/asv-results.md` says what is read and what it becomes. Nothing that asv wrote is ever changed. Lengths, names and types in the files
//! are taken as claims: a list that is too short or too long, an unknown column, a value of another type costs
//! that value and nothing else.

mod definitions;
mod document;
mod exported;
mod figure;
mod folder;
mod glance;
mod machine_file;
mod outcomes;
mod provenance;
mod python_json;
mod row;
mod thin;
mod times;
mod write;

pub use folder::{AsvFile, AsvResults, read_asv_file, read_asv_file_timed};
pub use write::{AsvRun, AsvWriter, AsvWritten};
