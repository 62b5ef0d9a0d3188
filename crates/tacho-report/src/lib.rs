//! What a person or a program reads: terminal text, Markdown and JSON made from the nouns.
//!
//! The crate is pure, knows nothing of where results are kept, and computes nothing but formats.
//! Pages hold raw text; whatever leaves them for a terminal or for Markdown is made harmless in one
//! place, `escape.rs`, because names, messages and parameters were written by others.

mod agenda;
mod answer;
mod axes;
mod changes;
mod check;
mod cleaning;
mod compare;
mod data_set;
mod doctor;
mod durations;
mod escape;
mod export;
#[cfg(test)]
mod fixture;
mod indexed;
pub mod json;
mod line;
mod list;
mod machine;
mod moment;
mod page;
mod problems;
mod quantity;
mod records;
mod series;
mod show;
pub mod site;
mod state;
mod style;
mod subject;
mod summary;
mod table;
mod width;

pub use agenda::{Agenda, PlannedBuild, PlannedRun, PlannedState, agenda};
pub use answer::{answer, number_text};
pub use changes::{Changes, Hidden, changes};
pub use check::{Checked, check};
pub use cleaning::{bytes_text, cleaning};
pub use compare::{CompareOptions, Compared, NoiseOrigin, Order, Side, compare};
pub use data_set::{DataSetPart, DataSetWritten, data_set};
pub use doctor::{Diagnosis, MeasuredControl, doctor};
pub use durations::durations;
pub use escape::{block as harmless_block, one_line as harmless_line};
pub use export::{Exported, LeftOut, exported};
pub use indexed::{Indexed, indexed};
pub use line::case_line;
pub use list::{case_names, list};
pub use machine::machine;
pub use moment::{moment_text, parse_moment, rfc3339};
pub use page::Page;
pub use problems::problems;
pub use records::{RecordEntry, records};
pub use series::{Point, Series, series};
pub use show::{ShowOptions, Shown, show};
pub use style::Screen;
pub use subject::subject_text;
pub use summary::{NextSteps, counts_text, run_summary};
