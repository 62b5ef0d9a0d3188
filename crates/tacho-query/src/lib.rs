//! The index: one SQLite file, made from records and from asv's results; read-only SQL over it, and Parquet out of it.
//!
//! It holds nothing that is not kept elsewhere and may be deleted at any time. Whoever fills it reads the files and folds
//! outcomes; this crate knows which files it has seen, keeps what they say, and answers questions.
//! `docs/formats/index.md` describes what is in it.

mod aggregates;
mod error;
mod functions;
mod guard;
mod history;
mod index;
mod made_from;
mod noise;
mod parquet;
mod place;
mod query;
mod schema;
mod source;
mod sql_text;
#[cfg(test)]
mod tests;
mod update;

pub use error::QueryError;
pub use history::{Cell, Definition, HistoryReader, SeriesEntry, StoredPoint, StoredSeries};
pub use index::{Freshness, Index, Pending, Totals};
pub use made_from::made_from;
pub use noise::{Past, PastOf, past};
pub use parquet::{
    BenchmarkRows, DataSet, DataSetFile, ExportedSeries, ParquetError, RESULTS_SCHEMA, ResultsExport, WrittenAnswer,
    write_answer, write_answer_file,
};
pub use place::{Placed, SubjectEntry};
pub use query::{Limits, query};
pub use source::{FileStamp, Unread};
pub use update::{CellId, Update};
