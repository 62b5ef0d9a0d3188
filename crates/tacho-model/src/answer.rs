//! An answer: what a question about the index gives, as rows of plain values.

/// One place of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// Nothing is known.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// Rows under named columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The columns' names, which need not differ.
    pub columns: Vec<String>,
    /// The rows, each with a place for every column.
    pub rows: Vec<Vec<Datum>>,
    /// Whether there were more rows than were wanted.
    pub is_cut: bool,
}
