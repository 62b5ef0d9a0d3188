//! One CSV file for each benchmark, for readers without a script and for spreadsheets.

use flate2::Compression;
use flate2::write::GzEncoder;
use tacho_model::Datum;
use tacho_query::ResultsExport;
use tacho_report::{number_text, site};
use tacho_store::StagedSite;

use super::{parquet_told, told};
use crate::error::{CommandError, Result};

/// The columns; the first tells which file a row belongs to.
const COLUMNS: [&str; 14] = [
    "benchmark",
    "parameters",
    "metric",
    "unit",
    "machine",
    "environment",
    "position",
    "subject",
    "subject_time",
    "value",
    "lower",
    "upper",
    "n_samples",
    "outcome",
];
const TIME: usize = 8;

/// A benchmark's file while its rows come.
struct Open {
    benchmark: String,
    writer: csv::Writer<GzEncoder<Vec<u8>>>,
}

/// Writes the files: rows of a benchmark come together.
pub(super) fn write(export: &ResultsExport, staged: &mut StagedSite<'_>) -> Result<()> {
    let mut open: Option<Open> = None;
    let result = export.each_row(&COLUMNS, &mut |row| {
        let Datum::Text(benchmark) = &row[0] else { return Ok(()) };
        if open.as_ref().is_none_or(|open| open.benchmark != *benchmark) {
            if let Some(done) = open.take() {
                finish(done, staged).map_err(std::io::Error::other)?;
            }
            let mut writer = csv::Writer::from_writer(GzEncoder::new(Vec::new(), Compression::default()));
            writer.write_record(&COLUMNS[1..])?;
            open = Some(Open { benchmark: benchmark.clone(), writer });
        }
        if let Some(open) = &mut open {
            let fields = row.iter().enumerate().skip(1).map(|(at, datum)| field(at, datum));
            open.writer.write_record(fields.collect::<Vec<String>>())?;
        }
        Ok(())
    });
    result.map_err(parquet_told)?;
    match open {
        Some(done) => finish(done, staged).map_err(CommandError::new),
        None => Ok(()),
    }
}

fn finish(done: Open, staged: &mut StagedSite<'_>) -> std::result::Result<(), String> {
    let packed = done.writer.into_inner().map_err(|error| error.to_string())?.finish();
    let packed = packed.map_err(|error| error.to_string())?;
    staged.write(&site::csv_path(&done.benchmark), &packed, None).map_err(|error| told(error).message())
}

fn field(at: usize, datum: &Datum) -> String {
    match datum {
        Datum::Integer(unix_us) if at == TIME => {
            tacho_report::rfc3339(tacho_model::Timestamp { unix_us: *unix_us }).unwrap_or_default()
        }
        Datum::Null | Datum::Bytes(_) => String::new(),
        Datum::Integer(whole) => whole.to_string(),
        Datum::Real(number) => number_text(*number),
        Datum::Text(text) => text.clone(),
    }
}
