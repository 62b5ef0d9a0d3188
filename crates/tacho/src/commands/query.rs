//! `tacho query`: one read-only statement of SQL over the index.

mod parquet;

use std::io::{self, Read as _};
use std::path::PathBuf;

use clap::Args;
use tacho_model::{Answer, Datum};
use tacho_query::{Limits, QueryError};

use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::exit;
use crate::history_index::{self, with_way_out};

/// So many bytes of CSV are collected before they are written.
const CHUNK_BYTES: usize = 1 << 16;

/// So much of an answer is kept in memory before it is laid out.
const MOST_BYTES: usize = 1 << 30;

/// The longest question that is read from standard input.
const LONGEST_QUESTION_BYTES: u64 = 1 << 20;

/// Ask the history in SQL
///
/// There is one row of `results` for each case, metric, machine, environment and commit.
/// Columns of `results` are benchmark, parameters, metric, unit, machine, environment, commit, commit_date, position, value, lower,
/// upper, n_samples, outcome, version, method and more: `SELECT * FROM results LIMIT 1` shows all. Beside SQLite's own functions there
/// are param(parameters, 'n'), median(x), quantile(x, q), geomean(x), stddev(x), slope(y, x) and loglog_slope(y, x).
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// One statement of SQLite's SQL; `-` reads it from standard input
    #[arg(value_name = "SQL")]
    sql: String,
    /// Print CSV
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    csv: bool,
    /// Print JSON (schema tacho.query/1)
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
    /// Write the answer into a Parquet file; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "json", "markdown"])]
    parquet: Option<PathBuf>,
    /// Replace a file that tacho did not write
    #[arg(long, requires = "parquet")]
    force: bool,
    /// Print at most N rows; 0 prints all
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    limit: usize,
    /// Give up after this many seconds; 0 never does
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    time_limit: f64,
}

fn seconds(text: &str) -> std::result::Result<f64, String> {
    let parsed = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    parsed.ok_or_else(|| "it is a number of seconds, or 0 for no limit".to_owned())
}

pub(crate) fn run(args: QueryArgs, context: &Context<'_>) -> Result<u8> {
    let sql = match args.sql.as_str() {
        "-" => from_input()?,
        sql => sql.to_owned(),
    };
    let settings = context.settings_if_any()?;
    let indexed = history_index::up_to_date(settings.as_ref(), context, false)?;
    if indexed.index.totals().map_err(told)?.n_files == 0 {
        context.console.talk("No runs are kept here yet: measure with `tacho run`");
    }
    let limits = Limits {
        seconds: Some(args.time_limit).filter(|seconds| *seconds > 0.0),
        rows: Some(args.limit).filter(|rows| *rows > 0),
    };
    let path = indexed.index.path().to_owned();
    // Nobody who writes has to wait for a question to be answered.
    drop(indexed);
    let is_cut = match &args.parquet {
        Some(file) => parquet::write(&path, &sql, &limits, file, args.force, context)?,
        None if args.csv => csv(&path, &sql, &limits, context)?,
        None => table(&path, &sql, &limits, &args, context)?,
    };
    if is_cut {
        context.console.warn(&format!("only the first {} rows are shown: `--limit 0` shows all", args.limit));
    }
    Ok(exit::YES)
}

fn from_input() -> Result<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LONGEST_QUESTION_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_QUESTION_BYTES {
        return Err(CommandError::new(
            "what stands on standard input is too long for a question: it has more than 1 MiB",
        ));
    }
    String::from_utf8(bytes).map_err(|_| CommandError::new("what stands on standard input is no text in UTF-8"))
}

fn table(path: &std::path::Path, sql: &str, limits: &Limits, args: &QueryArgs, context: &Context<'_>) -> Result<bool> {
    let (mut columns, mut rows, mut n_bytes) = (Vec::new(), Vec::new(), 0);
    let is_cut = tacho_query::query(
        path,
        sql,
        limits,
        |names| {
            columns = names;
            Ok(())
        },
        |row| {
            n_bytes += row.iter().map(bytes_of).sum::<usize>();
            rows.push(row);
            if n_bytes > MOST_BYTES { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(()) }
        },
    );
    let answer = Answer { columns, rows, is_cut: is_cut.map_err(told)? };
    let page = || tacho_report::answer(&answer);
    context.console.data(&match (args.json, args.markdown) {
        (true, _) => tacho_report::json::answer(&answer),
        (false, true) => page().markdown(),
        (false, false) => page().terminal(&context.console.screen()),
    })?;
    Ok(answer.is_cut)
}

fn bytes_of(datum: &Datum) -> usize {
    let beside = match datum {
        Datum::Text(text) => text.len(),
        Datum::Bytes(bytes) => bytes.len(),
        Datum::Null | Datum::Integer(_) | Datum::Real(_) => 0,
    };
    size_of::<Datum>() + beside
}

/// Writes rows as they come: there may be more than fit into memory.
fn csv(path: &std::path::Path, sql: &str, limits: &Limits, context: &Context<'_>) -> Result<bool> {
    let lines = std::cell::RefCell::new(Lines { writer: csv::Writer::from_writer(Vec::new()), context, failure: None });
    let is_cut = tacho_query::query(
        path,
        sql,
        limits,
        |names| lines.borrow_mut().add(&names),
        |row| lines.borrow_mut().add(&row.iter().map(field).collect::<Vec<String>>()),
    );
    let mut lines = lines.into_inner();
    if let Some(failure) = lines.failure {
        return Err(failure);
    }
    let is_cut = is_cut.map_err(told)?;
    let _ = lines.pass_on();
    lines.failure.map_or(Ok(is_cut), Err)
}

struct Lines<'a> {
    writer: csv::Writer<Vec<u8>>,
    context: &'a Context<'a>,
    /// What kept lines from being written.
    failure: Option<CommandError>,
}

impl Lines<'_> {
    fn add(&mut self, fields: &[String]) -> io::Result<()> {
        self.writer.write_record(fields)?;
        if self.writer.get_ref().len() >= CHUNK_BYTES { self.pass_on() } else { Ok(()) }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        let fresh = csv::Writer::from_writer(Vec::new());
        let whole = std::mem::replace(&mut self.writer, fresh).into_inner().map_err(|error| error.into_error())?;
        self.context.console.data(&String::from_utf8_lossy(&whole)).map_err(|failure| {
            self.failure = Some(failure);
            io::Error::other("standard output takes no more")
        })
    }
}

/// A text, a number that reads back as the same, nothing for NULL, hexadecimal digits for bytes.
fn field(datum: &Datum) -> String {
    match datum {
        Datum::Null => String::new(),
        Datum::Integer(whole) => whole.to_string(),
        Datum::Real(number) => tacho_report::number_text(*number),
        Datum::Text(text) => text.clone(),
        Datum::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// Returns the error with the way out.
pub(crate) fn told(error: QueryError) -> CommandError {
    let hint = match &error {
        QueryError::Sql { message, .. } if message.contains("no such column") || message.contains("no such table") => {
            "results are in the table `results`; `SELECT * FROM results LIMIT 1` shows its columns, and texts stand in single quotes"
        }
        QueryError::Sql { .. } => "it is SQL as SQLite understands it; texts stand in single quotes",
        QueryError::Refused => "ask with SELECT or WITH; what is in the index comes from records and results alone",
        QueryError::Several => "ask them one after the other, or join them by UNION ALL",
        QueryError::Nothing => "ask with SELECT, such as `SELECT benchmark, value FROM results`",
        QueryError::TooSlow { .. } => "narrow it by WHERE or LIMIT, or give it longer with --time-limit SECONDS",
        QueryError::TooLarge { .. } => "ask for fewer rows at a time, or aggregate less in one row",
        QueryError::InUse { .. } => "let that process come to its end",
        QueryError::Index { .. } => return with_way_out(error.into()),
        QueryError::Receiver(error) if error.kind() == io::ErrorKind::OutOfMemory => {
            return CommandError::new("the answer is too long to be laid out: it has more than 1 GiB")
                .hint("ask for less of it, or take it with --csv or --parquet FILE, which write rows as they come");
        }
        QueryError::Receiver(_) => return error.into(),
    };
    CommandError::from(error).hint(hint)
}
