//! `tacho export parquet`: the whole history as an open data set.

use std::path::PathBuf;

use clap::Args;
use tacho_measure::matching::Selection;
use tacho_model::{Case, Parameter};
use tacho_query::{DataSet, ExportedSeries, ParquetError, RESULTS_SCHEMA, ResultsExport};
use tacho_report::{DataSetPart, DataSetWritten};

use crate::commands::query;
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::exit;
use crate::history_index;
use crate::progress::Progress;

/// Write the history as Parquet: DuckDB, pandas, Polars and Spark read it
///
/// There is one row for each case, metric, machine, environment and commit, with the columns that `results` has in `tacho query`.
/// The folder holds up to 64 files, ordered by benchmark. One that was written before is replaced as a whole.
#[derive(Debug, Args)]
pub(crate) struct ParquetArgs {
    /// The folder of the data set: it is new, empty, or was written by this command
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Only benchmarks or cases that this Python regular expression finds (can be repeated)
    #[arg(long, short = 'b', value_name = "REGEX")]
    bench: Vec<String>,
    /// Only results of this machine (can be repeated)
    #[arg(long, short = 'm', value_name = "NAME")]
    machine: Vec<String>,
    /// Print JSON (schema tacho.export/1)
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ParquetArgs, context: &Context<'_>) -> Result<u8> {
    let selection = Selection::parse(&args.bench)?;
    let settings = context.settings_if_any()?;
    let indexed = history_index::up_to_date(settings.as_ref(), context, false)?;
    let path = indexed.index.path().to_owned();
    drop(indexed.index);
    let mut export = ResultsExport::open(&path).map_err(told)?;
    if !selection.is_everything() || !args.machine.is_empty() {
        let wanted = wanted(&export, &selection, &args.machine)?;
        if !wanted.contains(&true) {
            return Err(nothing_wanted());
        }
        export.retain(&wanted);
    }
    let folder = context.cwd.join(&args.dir);
    let progress = Progress::new(context.console);
    let written = export.write(&folder, &mut |n_done, n_rows| progress.step(n_done, n_rows, "rows"));
    progress.end();
    let written = shown(folder, written.map_err(told)?);
    context.console.data(&match args.json {
        true => tacho_report::json::data_set(&written),
        false => tacho_report::data_set(&written).terminal(&context.console.line_screen()),
    })?;
    if written.n_series == 0 {
        context.console.talk("No results are kept here yet: measure with `tacho run`");
    }
    Ok(if indexed.unread.is_empty() { exit::YES } else { exit::PARTIAL })
}

/// Returns for every series whether it was asked for.
fn wanted(export: &ResultsExport, selection: &Selection, machines: &[String]) -> Result<Vec<bool>> {
    let all: Vec<ExportedSeries<'_>> = export.series().collect();
    let mut wanted = Vec::with_capacity(all.len());
    for of_benchmark in all.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let cases: Vec<Case> = of_benchmark.iter().enumerate().map(|(at, key)| case(at, key)).collect();
        let mut selected = vec![false; cases.len()];
        for at in selection.select_cases(&cases.iter().collect::<Vec<_>>())? {
            selected[at] = machines.is_empty() || machines.iter().any(|name| name == of_benchmark[at].machine);
        }
        wanted.extend(selected);
    }
    Ok(wanted)
}

fn case(index: usize, key: &ExportedSeries<'_>) -> Case {
    let texts: Vec<String> = serde_json::from_str(key.parameter_texts).unwrap_or_default();
    let parameters = texts.into_iter().map(|text| Parameter { name: String::new(), text }).collect();
    Case { benchmark: key.benchmark.to_owned(), index, parameters }
}

fn nothing_wanted() -> CommandError {
    CommandError::new("no series of the history is of these benchmarks and machines").hint(
        "`tacho query \"SELECT DISTINCT benchmark, machine FROM results\"` names all; -b takes Python regular expressions, --machine whole names",
    )
}

fn shown(folder: PathBuf, written: DataSet) -> DataSetWritten {
    let part = |file: tacho_query::DataSetFile| DataSetPart {
        path: folder.join(file.name),
        n_rows: file.n_rows,
        size_bytes: file.n_bytes,
    };
    DataSetWritten {
        files: written.files.into_iter().map(part).collect(),
        n_benchmarks: written.benchmarks.len() as u64,
        n_series: written.n_series,
        schema: RESULTS_SCHEMA.to_owned(),
        folder,
    }
}

fn told(error: ParquetError) -> CommandError {
    let hint = match error {
        ParquetError::HoldsOthers { .. } => {
            "name a new or an empty folder with `--dir DIR`: all of it is replaced the next time"
        }
        ParquetError::Inside { .. } => "call it from another folder, or name another with `--dir DIR`",
        ParquetError::Io { .. } | ParquetError::Format(_) => {
            "choose another folder with `--dir DIR`, or make this one and that above it writable; there has to be room for both old and new"
        }
        ParquetError::NotOurs { .. } | ParquetError::NoFile { .. } => "name another file",
        ParquetError::Query(error) => return query::told(error),
    };
    CommandError::from(error).hint(hint)
}
