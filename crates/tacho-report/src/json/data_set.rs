//! `tacho.export/1` of a data set.

use serde::Serialize;

use crate::{DataSetPart, DataSetWritten};

#[derive(Serialize)]
pub(super) struct DataSetDocument<'a> {
    format: &'static str,
    folder: String,
    data_schema: &'a str,
    n_rows: u64,
    n_benchmarks: u64,
    n_series: u64,
    size_bytes: u64,
    written: Vec<String>,
    files: Vec<PartTwin>,
}

#[derive(Serialize)]
struct PartTwin {
    path: String,
    n_rows: u64,
    size_bytes: u64,
}

impl DataSetDocument<'_> {
    pub(super) fn of(data_set: &DataSetWritten) -> DataSetDocument<'_> {
        let DataSetWritten { folder, files, n_benchmarks, n_series, schema } = data_set;
        let twin = |DataSetPart { path, n_rows, size_bytes }: &DataSetPart| PartTwin {
            path: path.display().to_string(),
            n_rows: *n_rows,
            size_bytes: *size_bytes,
        };
        let files: Vec<PartTwin> = files.iter().map(twin).collect();
        DataSetDocument {
            format: "parquet",
            folder: folder.display().to_string(),
            data_schema: schema,
            n_rows: data_set.n_rows(),
            n_benchmarks: *n_benchmarks,
            n_series: *n_series,
            size_bytes: data_set.size_bytes(),
            written: files.iter().map(|file| file.path.clone()).collect(),
            files,
        }
    }
}
