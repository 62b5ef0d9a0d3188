//! `tacho.query/1` and `tacho.index/1`.

use serde::{Serialize, Serializer};
use tacho_model::{Answer, Datum};

use crate::Indexed;
use crate::answer::hexadecimal;

#[derive(Serialize)]
pub(super) struct AnswerTwin<'a> {
    columns: &'a [String],
    rows: Vec<Vec<DatumTwin<'a>>>,
    truncated: bool,
}

impl AnswerTwin<'_> {
    pub(super) fn of(answer: &Answer) -> AnswerTwin<'_> {
        let Answer { columns, rows, is_cut } = answer;
        let rows = rows.iter().map(|row| row.iter().map(DatumTwin).collect()).collect();
        AnswerTwin { columns, rows, truncated: *is_cut }
    }
}

struct DatumTwin<'a>(&'a Datum);

impl Serialize for DatumTwin<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Datum::Integer(whole) => serializer.serialize_i64(*whole),
            Datum::Real(number) if number.is_finite() => serializer.serialize_f64(*number),
            Datum::Null | Datum::Real(_) => serializer.serialize_none(),
            Datum::Text(text) => serializer.serialize_str(text),
            Datum::Bytes(bytes) => serializer.serialize_str(&hexadecimal(bytes)),
        }
    }
}

#[derive(Serialize)]
pub(super) struct IndexedTwin<'a> {
    path: &'a str,
    n_files: u64,
    n_series: u64,
    n_points: u64,
    unread: Vec<UnreadTwin<'a>>,
}

#[derive(Serialize)]
struct UnreadTwin<'a> {
    path: &'a str,
    reason: &'a str,
}

impl IndexedTwin<'_> {
    pub(super) fn of(indexed: &Indexed) -> IndexedTwin<'_> {
        let Indexed { path, n_files, n_series, n_points, unread } = indexed;
        let unread = unread.iter().map(|(path, reason)| UnreadTwin { path, reason }).collect();
        IndexedTwin { path, n_files: *n_files, n_series: *n_series, n_points: *n_points, unread }
    }
}
