//! The answer to a question as one Parquet file, its columns typed by what they hold.

use std::collections::HashSet;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use ::parquet::data_type::ByteArray;
use tacho_model::Datum;

use super::file::{self, Column, Kind, OpenColumn};
use super::spool::{Spool, Spooled};
use super::{ParquetError, ours};
use crate::{Limits, query};

const SCHEMA: &str = "tacho.answer/1";

/// So many rows, or so many bytes of texts, make a row group.
const ROWS_OF_A_GROUP: usize = 1 << 16;
const BYTES_OF_A_GROUP: usize = 32 << 20;

/// An answer that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenAnswer {
    /// How many rows.
    pub n_rows: usize,
    /// How many columns.
    pub n_columns: usize,
    /// Whether there were more rows than the limit.
    pub is_cut: bool,
}

/// Writes the answer to a question into a new file, as a whole or not at all; over one only where it was written here,
/// or `replaces_any`.
///
/// # Errors
/// As [`query`](crate::query); or the file is not ours, or cannot be written.
pub fn write_answer_file(
    index: &Path,
    sql: &str,
    limits: &Limits,
    path: &Path,
    replaces_any: bool,
) -> Result<WrittenAnswer, ParquetError> {
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return Err(ParquetError::NoFile { path: path.to_owned() });
    }
    // A link stays one.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real.exists() && !replaces_any && ours::schema_of(&real).is_none() {
        return Err(ParquetError::NotOurs { path: path.to_owned() });
    }
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp").permissions(Permissions::from_mode(0o666));
    let hidden = builder.tempfile_in(folder).map_err(ParquetError::io(path))?;
    let written = write_answer(index, sql, limits, hidden.as_file())?;
    hidden.as_file().sync_all().map_err(ParquetError::io(path))?;
    hidden.persist(&real).map_err(|error| ParquetError::io(path)(error.error))?;
    Ok(written)
}

/// Writes the answer to a question. Nothing is written where there is none.
///
/// # Errors
/// As [`query`](crate::query); or `target` does not take it.
pub fn write_answer(
    index: &Path,
    sql: &str,
    limits: &Limits,
    target: impl Write + Send,
) -> Result<WrittenAnswer, ParquetError> {
    let mut spool = Spool::new();
    let (mut names, mut seen): (Vec<String>, Vec<Seen>) = (vec![], vec![]);
    let is_cut = query(
        index,
        sql,
        limits,
        |columns| {
            names = columns;
            Ok(())
        },
        |row| {
            seen.resize(row.len(), Seen::default());
            seen.iter_mut().zip(&row).for_each(|(seen, datum)| seen.note(datum));
            spool.push(&row)
        },
    )?;
    seen.resize(names.len(), Seen::default());
    let columns: Vec<Column> = distinct(&names).into_iter().zip(&seen).map(|(name, seen)| seen.column(name)).collect();
    let spooled = spool.finish().map_err(crate::QueryError::Receiver)?;
    let written = WrittenAnswer { n_rows: spooled.n_rows, n_columns: columns.len(), is_cut };
    write_rows(spooled, &columns, sql, target)?;
    Ok(written)
}

/// What kinds of values a column holds.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    null: bool,
    whole: bool,
    real: bool,
    text: bool,
    bytes: bool,
}

impl Seen {
    fn note(&mut self, datum: &Datum) {
        match datum {
            Datum::Null => self.null = true,
            Datum::Integer(_) => self.whole = true,
            Datum::Real(_) => self.real = true,
            Datum::Text(_) => self.text = true,
            Datum::Bytes(_) => self.bytes = true,
        }
    }

    /// Whole numbers beside others are numbers; whatever stands beside texts is written as one.
    fn kind(self) -> Kind {
        match self {
            Seen { whole: true, real: false, text: false, bytes: false, .. } => Kind::Whole,
            Seen { real: true, text: false, bytes: false, .. } => Kind::Real,
            Seen { bytes: true, whole: false, real: false, text: false, .. } => Kind::Bytes,
            _ => Kind::Text,
        }
    }

    fn column(self, name: String) -> Column {
        Column { name, kind: self.kind(), is_needed: false, has_statistics: true }
    }
}

/// Returns names of which no two are alike, with small letters for capital ones too: a second `x` becomes `x_2`, and one
/// without a name `column`.
fn distinct(names: &[String]) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut free_name = |name: &String| {
        let name = if name.is_empty() { "column" } else { name };
        let mut free = name.to_owned();
        for number in 2.. {
            if taken.insert(free.to_lowercase()) {
                break;
            }
            free = format!("{name}_{number}");
        }
        free
    };
    names.iter().map(&mut free_name).collect()
}

fn write_rows(
    mut spooled: Spooled,
    columns: &[Column],
    sql: &str,
    target: impl Write + Send,
) -> Result<(), ParquetError> {
    let mut writer = file::begin(target, SCHEMA, columns, &[], &[("tacho.sql", sql)])?;
    let mut n_left = spooled.n_rows;
    while n_left > 0 {
        let (mut rows, mut n_bytes) = (Vec::new(), 0);
        while n_left > 0 && rows.len() < ROWS_OF_A_GROUP && n_bytes < BYTES_OF_A_GROUP {
            let row = spooled.row().map_err(crate::QueryError::Receiver)?;
            n_bytes += row.iter().map(size_bytes).sum::<usize>();
            rows.push(row);
            n_left -= 1;
        }
        file::write_columns(writer.next_row_group()?, columns, |at, open| fill(&rows, at, columns[at].kind, open))?;
    }
    writer.close()?;
    Ok(())
}

fn size_bytes(datum: &Datum) -> usize {
    size_of::<Datum>()
        + match datum {
            Datum::Text(text) => text.len(),
            Datum::Bytes(bytes) => bytes.len(),
            Datum::Null | Datum::Integer(_) | Datum::Real(_) => 0,
        }
}

fn fill(rows: &[Vec<Datum>], at: usize, kind: Kind, open: &mut OpenColumn<'_>) -> ::parquet::errors::Result<()> {
    match kind {
        Kind::Whole | Kind::Moment | Kind::Truth => open.wholes(rows, |row| match row[at] {
            Datum::Integer(whole) => Some(whole),
            _ => None,
        }),
        Kind::Real => open.reals(rows, |row| match row[at] {
            Datum::Integer(whole) => Some(whole as f64),
            Datum::Real(number) => Some(number),
            _ => None,
        }),
        Kind::Text => open.texts(rows, |row| text(&row[at])),
        Kind::Bytes => open.texts(rows, |row| match &row[at] {
            Datum::Bytes(bytes) => Some(ByteArray::from(bytes.as_slice())),
            _ => None,
        }),
    }
}

/// A number reads back as the same, bytes are hexadecimal digits: as in CSV.
fn text(datum: &Datum) -> Option<ByteArray> {
    Some(match datum {
        Datum::Null => return None,
        Datum::Text(text) => ByteArray::from(text.as_str()),
        Datum::Integer(whole) => ByteArray::from(whole.to_string().as_str()),
        Datum::Real(number) => ByteArray::from(format!("{number:?}").as_str()),
        Datum::Bytes(bytes) => {
            ByteArray::from(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().as_str())
        }
    })
}
