//! The answer as a Parquet file.

use std::io::{IsTerminal as _, Seek as _};
use std::path::Path;

use tacho_model::unit::counted;
use tacho_query::{Limits, ParquetError, WrittenAnswer, write_answer, write_answer_file};

use super::told;
use crate::context::Context;
use crate::error::{CommandError, Result};

/// Writes the answer into a file, or to standard output for `-`. Returns whether there were more rows than the limit.
pub(super) fn write(
    index: &Path,
    sql: &str,
    limits: &Limits,
    file: &Path,
    force: bool,
    context: &Context<'_>,
) -> Result<bool> {
    if file == Path::new("-") {
        return to_output(index, sql, limits, context);
    }
    let path = context.cwd.join(file);
    let WrittenAnswer { n_rows, n_columns, is_cut } =
        write_answer_file(index, sql, limits, &path, force).map_err(with_way_out)?;
    context.console.talk(&format!(
        "{} of {} in `{}`",
        counted(n_rows, "row"),
        counted(n_columns, "column"),
        file.display()
    ));
    Ok(is_cut)
}

fn to_output(index: &Path, sql: &str, limits: &Limits, context: &Context<'_>) -> Result<bool> {
    if std::io::stdout().is_terminal() {
        return Err(CommandError::new("a Parquet file is nothing to be shown on a terminal")
            .hint("name a file with `--parquet FILE`, or lead the output into another program"));
    }
    // What ends with an error has written nothing.
    let mut whole = tempfile::tempfile()?;
    let written = write_answer(index, sql, limits, &whole).map_err(with_way_out)?;
    whole.rewind()?;
    context.console.bytes(&mut whole)?;
    Ok(written.is_cut)
}

fn with_way_out(error: ParquetError) -> CommandError {
    let hint = match error {
        ParquetError::Query(error) => return told(error),
        ParquetError::NotOurs { .. } => "name another file; `--force` replaces one that tacho did not write",
        ParquetError::Io { .. }
        | ParquetError::Format(_)
        | ParquetError::NoFile { .. }
        | ParquetError::HoldsOthers { .. }
        | ParquetError::Inside { .. } => "name a file in a folder that is there and can be written to",
    };
    CommandError::from(error).hint(hint)
}
