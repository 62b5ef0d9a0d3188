//! Parquet, how data leaves: the view `results` as an open data set, and the answer to a question as one file.
//!
//! `docs/formats/parquet.md` describes both.

mod answer;
mod columns;
mod error;
mod file;
mod folder;
mod ours;
mod results;
mod rows;
mod spool;
#[cfg(test)]
mod tests;

pub use answer::{WrittenAnswer, write_answer, write_answer_file};
pub use error::ParquetError;
pub use results::{BenchmarkRows, DataSet, DataSetFile, ExportedSeries, RESULTS_SCHEMA, ResultsExport};
