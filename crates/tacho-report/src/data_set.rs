//! What an export to Parquet wrote, and how others read it.

use std::path::PathBuf;

use tacho_model::unit::counted;

use crate::cleaning::bytes_text;
use crate::page::Page;
use crate::style::Style;

#[cfg(test)]
mod tests;

/// A data set that was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataSetWritten {
    /// Its folder.
    pub folder: PathBuf,
    /// Its files, in the order of their rows.
    pub files: Vec<DataSetPart>,
    /// How many benchmarks there are.
    pub n_benchmarks: u64,
    /// How many series.
    pub n_series: u64,
    /// The name and version of the files' schema.
    pub schema: String,
}

/// A file of a data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSetPart {
    /// Where it is.
    pub path: PathBuf,
    /// How many rows it holds.
    pub n_rows: u64,
    /// Its size.
    pub size_bytes: u64,
}

impl DataSetWritten {
    pub(crate) fn n_rows(&self) -> u64 {
        self.files.iter().map(|file| file.n_rows).sum()
    }

    pub(crate) fn size_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size_bytes).sum()
    }
}

/// Returns one line on what was written, and one for each program that may read it, ready to be pasted.
pub fn data_set(written: &DataSetWritten) -> Page {
    let mut page = Page::default();
    let count = |n: u64, noun| counted(usize::try_from(n).unwrap_or(usize::MAX), noun);
    let line = format!(
        "{} of {} and {} in `{}`: {}, {}",
        count(written.n_rows(), "row"),
        count(written.n_benchmarks, "benchmark"),
        // The plural is the same.
        format_args!("{} series", written.n_series),
        written.folder.display(),
        counted(written.files.len(), "file"),
        bytes_text(written.size_bytes()),
    );
    page.line(line, Style::Plain);
    let folder = written.folder.display().to_string();
    let python = format!("'{}'", folder.replace('\\', "\\\\").replace('\'', "\\'"));
    page.line(format!("DuckDB: SELECT * FROM '{}/*.parquet'", folder.replace('\'', "''")), Style::Plain);
    page.line(format!("pandas: pandas.read_parquet({python})"), Style::Plain);
    page.line(format!("Polars: polars.read_parquet({python})"), Style::Plain);
    page
}
