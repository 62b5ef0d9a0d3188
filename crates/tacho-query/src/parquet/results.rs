//! The view `results` as a data set: up to 64 files, benchmark by benchmark, a moment of the index as a whole.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ::parquet::data_type::ByteArray;
use ::parquet::file::writer::SerializedFileWriter;
use rusqlite::Connection;
use tacho_model::Datum;

use super::ParquetError;
use super::columns::{COLUMNS, ORDER, Read, declared};
use super::file::{self, Column, OpenColumn};
use super::folder::{Target, file_name};
use super::rows::{self, Batch, Cells, Line, Point, Series};
use crate::{QueryError, guard};

/// The name of the schema, before its version.
pub(super) const SCHEMA_NAME: &str = "tacho.results";

/// The name and version of the schema that files say they are of. The version is raised where a column goes or changes its meaning.
pub const RESULTS_SCHEMA: &str = "tacho.results/1";

/// A page that reads by ranges asks every file for its end.
const MOST_FILES: u64 = 64;

/// Below twice as many rows one file is as good as two.
const ROWS_OF_A_FILE: u64 = 200_000;

/// A benchmark with more has several row groups.
const ROWS_OF_A_GROUP: usize = 1 << 16;

/// A moment of the index, and what of it is to be written.
pub struct ResultsExport {
    connection: Connection,
    series: Vec<Series>,
    cells: Cells,
    path: PathBuf,
}

/// A series, as far as it is chosen by.
#[derive(Debug, Clone, Copy)]
pub struct ExportedSeries<'a> {
    /// Its number in the index; in the files it has that of its place among all series that are written.
    pub id: i64,
    /// The benchmark's name.
    pub benchmark: &'a str,
    /// The texts of its parameters, as a JSON list.
    pub parameter_texts: &'a str,
    /// The machine's name.
    pub machine: &'a str,
}

/// A data set that was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataSet {
    /// Its files, in the order of their rows.
    pub files: Vec<DataSetFile>,
    /// Where the rows of each benchmark are, in the order of the files.
    pub benchmarks: Vec<BenchmarkRows>,
    /// How many series.
    pub n_series: u64,
}

/// Where the rows of a benchmark are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchmarkRows {
    /// The benchmark's name.
    pub benchmark: String,
    /// Which of the files holds them: an index.
    pub file: usize,
    /// The first of them, counted from the file's beginning.
    pub first_row: u64,
    /// How many.
    pub n_rows: u64,
}

/// A file of a data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSetFile {
    /// Its name in the folder.
    pub name: String,
    /// How many rows it holds.
    pub n_rows: u64,
    /// Its size.
    pub n_bytes: u64,
}

impl ResultsExport {
    /// Opens the index at `path` as it is now. Others that write to it wait until this is gone.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn open(path: &Path) -> Result<ResultsExport, ParquetError> {
        let open = || {
            let connection = guard::snapshot(path)?;
            let (series, cells) = (rows::all_series(&connection)?, rows::cells(&connection)?);
            Ok(ResultsExport { connection, series, cells, path: path.to_owned() })
        };
        Ok(open().map_err(QueryError::index(path))?)
    }

    /// Returns every series that is to be written, those of one benchmark together.
    pub fn series(&self) -> impl Iterator<Item = ExportedSeries<'_>> {
        self.series.iter().map(|series| ExportedSeries {
            id: series.id,
            benchmark: text(&series.benchmark),
            parameter_texts: &series.texts,
            machine: text(&series.machine),
        })
    }

    /// Leaves out the series that `is_wanted`, in the order of [`ResultsExport::series`], says no to.
    pub fn retain(&mut self, is_wanted: &[bool]) {
        let mut wanted = is_wanted.iter();
        self.series.retain(|_| wanted.next().copied().unwrap_or(false));
    }

    /// Writes the data set in the place of `folder`, as a whole or not at all. The folder holds nothing yet, or a data
    /// set that was written before. `progress` is told how many rows are written, of how many.
    ///
    /// # Errors
    /// The folder holds something else or cannot be written; the index cannot be read.
    pub fn write(&self, folder: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<DataSet, ParquetError> {
        let target = Target::of(folder)?;
        let staged = target.stage()?;
        let n_rows = n_rows_of(&self.series);
        let mut data_set = DataSet { n_series: self.series.len() as u64, ..DataSet::default() };
        let mut n_done = 0;
        for (number, part) in parts(&self.series).into_iter().enumerate() {
            let name = file_name(number);
            let file = File::create_new(staged.path().join(&name)).map_err(ParquetError::io(folder))?;
            let mut told = |n: u64| progress(n_done + n, n_rows);
            let n_here = self.write_part(&file, part.clone(), &mut told)?;
            file.sync_all().map_err(ParquetError::io(folder))?;
            let n_bytes = file.metadata().map_err(ParquetError::io(folder))?.len();
            data_set.files.push(DataSetFile { name, n_rows: n_here, n_bytes });
            data_set.benchmarks.extend(self.rows_of_part(number, part));
            n_done += n_here;
        }
        target.show(staged)?;
        Ok(data_set)
    }

    /// Returns where the rows of each benchmark of a file are.
    fn rows_of_part(&self, file: usize, part: Range<usize>) -> impl Iterator<Item = BenchmarkRows> {
        let mut first_row = 0;
        self.series[part].chunk_by(|a, b| a.benchmark == b.benchmark).map(move |series| {
            let n_rows = n_rows_of(series);
            first_row += n_rows;
            let benchmark = text(&series[0].benchmark).to_owned();
            BenchmarkRows { benchmark, file, first_row: first_row - n_rows, n_rows }
        })
    }

    /// Hands over some columns of every row, in the order of the files; moments are microseconds since 1970. A name that is no column's is left out.
    ///
    /// # Errors
    /// The index cannot be read, or the receiver failed.
    pub fn each_row(
        &self,
        columns: &[&str],
        row: &mut dyn FnMut(&[Datum]) -> std::io::Result<()>,
    ) -> Result<(), ParquetError> {
        let find = |name: &&str| COLUMNS.iter().find(|column| column.0 == *name).map(|column| &column.1);
        let reads: Vec<&Read> = columns.iter().filter_map(find).collect();
        let mut batch = Batch::default();
        for (at, series) in self.series.iter().enumerate() {
            batch.add(&self.connection, &self.cells, series.id, at).map_err(QueryError::index(&self.path))?;
            for point in &batch.points {
                let line = self.line(&batch, point);
                let data: Vec<Datum> = reads.iter().map(|read| datum(read, &line)).collect();
                row(&data).map_err(QueryError::from)?;
            }
            batch.clear();
        }
        Ok(())
    }

    /// Writes some of the series into a file. Returns how many rows they are.
    fn write_part(&self, file: &File, part: Range<usize>, progress: &mut dyn FnMut(u64)) -> Result<u64, ParquetError> {
        let columns = declared();
        let mut writer = file::begin(file, RESULTS_SCHEMA, &columns, &ORDER, &[])?;
        let mut n_rows = 0;
        let mut batch = Batch::default();
        for at in part.clone() {
            let series = &self.series[at];
            let is_first = at == part.start || self.series[at - 1].benchmark != series.benchmark;
            if is_first || batch.points.len() + series.n_points as usize > ROWS_OF_A_GROUP {
                n_rows += self.write_group(&mut writer, &columns, &mut batch)?;
                progress(n_rows);
            }
            batch.add(&self.connection, &self.cells, series.id, at).map_err(QueryError::index(&self.path))?;
        }
        n_rows += self.write_group(&mut writer, &columns, &mut batch)?;
        writer.close()?;
        Ok(n_rows)
    }

    /// Writes what waits as a row group. Returns how many rows that were.
    fn write_group(
        &self,
        writer: &mut SerializedFileWriter<&File>,
        columns: &[Column],
        batch: &mut Batch,
    ) -> Result<u64, ParquetError> {
        let n_rows = batch.points.len();
        if n_rows > 0 {
            file::write_columns(writer.next_row_group()?, columns, |at, open| self.fill(at, batch, open))?;
        }
        batch.clear();
        Ok(n_rows as u64)
    }

    fn fill(&self, at: usize, batch: &Batch, open: &mut OpenColumn<'_>) -> ::parquet::errors::Result<()> {
        match &COLUMNS[at].1 {
            Read::Text(read) => open.texts(&batch.points, |point| read(&self.line(batch, point))),
            Read::Whole(read) | Read::Moment(read) => {
                open.wholes(&batch.points, |point| read(&self.line(batch, point)))
            }
            Read::Real(read) => {
                open.reals(&batch.points, |point| Some(read(&self.line(batch, point))).filter(|value| !value.is_nan()))
            }
            Read::Truth(read) => open.truths(&batch.points, |point| read(&self.line(batch, point))),
        }
    }

    fn line<'a>(&'a self, batch: &'a Batch, point: &'a Point) -> Line<'a> {
        Line {
            series: &self.series[point.series],
            series_number: point.series as i64,
            cell: &self.cells.all[point.cell],
            definition: &batch.definitions[point.definition],
            point,
        }
    }
}

fn datum(read: &Read, line: &Line<'_>) -> Datum {
    let known = match read {
        Read::Text(read) => read(line).map(|value| Datum::Text(text(&value).to_owned())),
        Read::Whole(read) | Read::Moment(read) => read(line).map(Datum::Integer),
        Read::Real(read) => Some(read(line)).filter(|value| !value.is_nan()).map(Datum::Real),
        Read::Truth(read) => read(line).map(|value| Datum::Integer(value.into())),
    };
    known.unwrap_or(Datum::Null)
}

fn n_rows_of(series: &[Series]) -> u64 {
    series.iter().map(|series| series.n_points).sum()
}

/// Shares series out among files, those of one benchmark into one. Without any there is one file all the same: it has the columns.
fn parts(series: &[Series]) -> Vec<Range<usize>> {
    let benchmarks: Vec<&[Series]> = series.chunk_by(|a, b| a.benchmark == b.benchmark).collect();
    let mut parts: Vec<Range<usize>> = Vec::new();
    let (mut end, mut last) = (0, None);
    for (benchmark, file) in
        benchmarks.iter().zip(shares(benchmarks.iter().map(|of_benchmark| n_rows_of(of_benchmark))))
    {
        let start = end;
        end += benchmark.len();
        match parts.last_mut() {
            Some(part) if last == Some(file) => part.end = end,
            _ => parts.push(start..end),
        }
        last = Some(file);
    }
    if parts.is_empty() {
        parts.push(Range::default());
    }
    parts
}

/// Returns for each benchmark, by its number of rows, the number of the file that it falls into; not every number is given.
pub(super) fn shares(n_rows: impl Iterator<Item = u64> + Clone) -> impl Iterator<Item = usize> {
    let n_all: u64 = n_rows.clone().sum();
    let n_files = (n_all / ROWS_OF_A_FILE).clamp(1, MOST_FILES);
    n_rows.scan(0, move |n_before, n| {
        let file = *n_before * n_files / n_all.max(1);
        *n_before += n;
        Some(file as usize)
    })
}

fn text(text: &ByteArray) -> &str {
    // It was read as a text.
    text.as_utf8().unwrap_or_default()
}
