//! One Parquet file: its columns, how they are encoded, and row groups written column by column.

use std::io::Write;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::Result;
use ::parquet::file::metadata::{KeyValue, SortingColumn};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{ColumnPath, Type};

/// What every file of ours says in its metadata: the schema's name and version.
pub(super) const SCHEMA_KEY: &str = "tacho.schema";

/// Longer texts are cut in the statistics. Names of benchmarks have to stand there in full: by them a reader finds its row groups.
const LONGEST_IN_STATISTICS_BYTES: usize = 1 << 10;

/// Texts that runs share, such as their packages, are long, and are kept once for each row group.
const DICTIONARY_BYTES: usize = 4 << 20;

/// So many rows are turned into columns at a time.
const STRIDE: usize = 4096;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Bytes,
    Whole,
    Real,
    Truth,
    /// Microseconds since 1970, UTC.
    Moment,
}

/// A column as a file declares it.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Whether it never holds NULL.
    pub(super) is_needed: bool,
    pub(super) has_statistics: bool,
}

/// Opens a file of a schema, with more that its metadata says. `order` are the first columns by which rows are sorted.
pub(super) fn begin<W: Write + Send>(
    target: W,
    schema: &str,
    columns: &[Column],
    order: &[&str],
    facts: &[(&str, &str)],
) -> Result<SerializedFileWriter<W>> {
    let fields = columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<Vec<_>>>()?;
    let whole = Type::group_type_builder("schema").with_fields(fields).build()?;
    let version = env!("CARGO_PKG_VERSION");
    let said = [(SCHEMA_KEY, schema), ("tacho.version", version)].into_iter().chain(facts.iter().copied());
    let said = said.map(|(name, text)| KeyValue::new(name.to_owned(), text.to_owned())).collect();
    let place = |name: &&str| columns.iter().position(|column| column.name == **name);
    let sorted = order.iter().filter_map(place).map(|at| SortingColumn {
        column_idx: at as i32,
        descending: false,
        nulls_first: false,
    });
    let properties = WriterProperties::builder()
        .set_created_by(format!("tacho version {version}"))
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_statistics_truncate_length(Some(LONGEST_IN_STATISTICS_BYTES))
        .set_dictionary_page_size_limit(DICTIONARY_BYTES)
        // Row groups are small enough to be read whole.
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(said))
        .set_sorting_columns(Some(sorted.collect::<Vec<_>>()).filter(|sorted| !sorted.is_empty()));
    let properties = columns.iter().fold(properties, with_column);
    SerializedFileWriter::new(target, Arc::new(whole), Arc::new(properties.build()))
}

fn with_column(properties: WriterPropertiesBuilder, column: &Column) -> WriterPropertiesBuilder {
    let path = ColumnPath::from(vec![column.name.clone()]);
    let properties = match column.has_statistics {
        true => properties,
        false => properties.set_column_statistics_enabled(path.clone(), EnabledStatistics::None),
    };
    // Measured numbers hardly ever come twice: a dictionary of them is longer than they are.
    properties.set_column_dictionary_enabled(path, column.kind != Kind::Real)
}

fn field(column: &Column) -> Result<Type> {
    let (physical, logical) = match column.kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Bytes => (Physical::BYTE_ARRAY, None),
        Kind::Whole => (Physical::INT64, None),
        Kind::Real => (Physical::DOUBLE, None),
        Kind::Truth => (Physical::BOOLEAN, None),
        Kind::Moment => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MICROS))),
    };
    let repetition = if column.is_needed { Repetition::REQUIRED } else { Repetition::OPTIONAL };
    Type::primitive_type_builder(&column.name, physical).with_logical_type(logical).with_repetition(repetition).build()
}

/// A column of an open row group.
pub(super) struct OpenColumn<'a> {
    writer: SerializedColumnWriter<'a>,
    is_needed: bool,
}

/// Calls `fill` for every column of a row group, in their order.
pub(super) fn write_columns<W: Write + Send>(
    mut group: SerializedRowGroupWriter<'_, W>,
    columns: &[Column],
    mut fill: impl FnMut(usize, &mut OpenColumn<'_>) -> Result<()>,
) -> Result<()> {
    for (at, column) in columns.iter().enumerate() {
        let Some(writer) = group.next_column()? else { break };
        let mut open = OpenColumn { writer, is_needed: column.is_needed };
        fill(at, &mut open)?;
        open.writer.close()?;
    }
    group.close().map(drop)
}

impl OpenColumn<'_> {
    pub(super) fn texts<T>(&mut self, rows: &[T], read: impl Fn(&T) -> Option<ByteArray>) -> Result<()> {
        self.write::<ByteArrayType, T>(rows, read)
    }

    pub(super) fn wholes<T>(&mut self, rows: &[T], read: impl Fn(&T) -> Option<i64>) -> Result<()> {
        self.write::<Int64Type, T>(rows, read)
    }

    pub(super) fn reals<T>(&mut self, rows: &[T], read: impl Fn(&T) -> Option<f64>) -> Result<()> {
        self.write::<DoubleType, T>(rows, read)
    }

    pub(super) fn truths<T>(&mut self, rows: &[T], read: impl Fn(&T) -> Option<bool>) -> Result<()> {
        self.write::<BoolType, T>(rows, read)
    }

    fn write<D: DataType, T>(&mut self, rows: &[T], read: impl Fn(&T) -> Option<D::T>) -> Result<()> {
        let writer = self.writer.typed::<D>();
        let (mut values, mut levels) = (Vec::with_capacity(STRIDE), Vec::with_capacity(STRIDE));
        for some in rows.chunks(STRIDE) {
            values.clear();
            levels.clear();
            for row in some {
                let value = read(row);
                levels.push(i16::from(value.is_some()));
                values.extend(value);
            }
            writer.write_batch(&values, Some(&levels).filter(|_| !self.is_needed).map(Vec::as_slice), None)?;
        }
        Ok(())
    }
}
