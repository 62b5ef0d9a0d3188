//! Rows that wait on disk until all of them are known: only then do the types of their columns stand.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use tacho_model::Datum;
use tempfile::SpooledTempFile;

/// Fewer bytes stay in memory.
const IN_MEMORY_BYTES: usize = 8 << 20;

/// Takes rows.
pub(super) struct Spool {
    writer: BufWriter<SpooledTempFile>,
    n_columns: usize,
    n_rows: usize,
}

/// Gives them back, from the first on.
pub(super) struct Spooled {
    reader: BufReader<SpooledTempFile>,
    n_columns: usize,
    pub(super) n_rows: usize,
}

impl Spool {
    pub(super) fn new() -> Spool {
        let file = tempfile::spooled_tempfile(IN_MEMORY_BYTES);
        Spool { writer: BufWriter::new(file), n_columns: 0, n_rows: 0 }
    }

    /// Takes a row; all have as many columns as the first.
    pub(super) fn push(&mut self, row: &[Datum]) -> io::Result<()> {
        self.n_columns = row.len();
        self.n_rows += 1;
        row.iter().try_for_each(|datum| write(&mut self.writer, datum))
    }

    pub(super) fn finish(self) -> io::Result<Spooled> {
        let Spool { writer, n_columns, n_rows } = self;
        let mut file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Spooled { reader: BufReader::new(file), n_columns, n_rows })
    }
}

impl Spooled {
    /// Returns the next row, column by column.
    pub(super) fn row(&mut self) -> io::Result<Vec<Datum>> {
        (0..self.n_columns).map(|_| read(&mut self.reader)).collect()
    }
}

fn write(writer: &mut impl Write, datum: &Datum) -> io::Result<()> {
    let mut long = |sign: u8, bytes: &[u8]| {
        writer.write_all(&[sign])?;
        writer.write_all(&(bytes.len() as u64).to_le_bytes())?;
        writer.write_all(bytes)
    };
    match datum {
        Datum::Text(text) => long(b't', text.as_bytes()),
        Datum::Bytes(bytes) => long(b'b', bytes),
        Datum::Null => writer.write_all(b"n"),
        Datum::Integer(whole) => {
            writer.write_all(b"i")?;
            writer.write_all(&whole.to_le_bytes())
        }
        Datum::Real(number) => {
            writer.write_all(b"r")?;
            writer.write_all(&number.to_le_bytes())
        }
    }
}

fn read(reader: &mut impl Read) -> io::Result<Datum> {
    let [sign] = bytes(reader)?;
    Ok(match sign {
        b't' => Datum::Text(String::from_utf8(long(reader)?).map_err(io::Error::other)?),
        b'b' => Datum::Bytes(long(reader)?),
        b'i' => Datum::Integer(i64::from_le_bytes(bytes(reader)?)),
        b'r' => Datum::Real(f64::from_le_bytes(bytes(reader)?)),
        _ => Datum::Null,
    })
}

fn long(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut text = vec![0; u64::from_le_bytes(bytes(reader)?) as usize];
    reader.read_exact(&mut text)?;
    Ok(text)
}

fn bytes<const N: usize>(reader: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}
