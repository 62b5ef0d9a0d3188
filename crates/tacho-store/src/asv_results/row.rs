//! The row of one benchmark in a result file: lists that run over its cases.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::figure::{Figure, Listed, figure, text};

/// What a file says of one benchmark. The lists run over its cases and may have any length.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The values; `None` where all cases failed.
    pub(super) result: Option<Vec<Figure>>,
    /// The parameters' texts as they were then, first slowest.
    pub(super) params: Vec<Vec<String>>,
    /// The version of the benchmark.
    pub(super) version: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub(super) started_at_ms: Option<f64>,
    /// How long all of its cases took together, in seconds.
    pub(super) duration_s: Option<f64>,
    /// What was computed from the samples.
    pub(super) statistics: Statistics,
    /// The samples, where they were recorded.
    pub(super) samples: Vec<Listed<Figure>>,
}

/// What asv computed from the samples of each case.
#[derive(Debug, Default)]
pub(super) struct Statistics {
    /// The lower end of the 99 % interval of the median.
    pub(super) interval_low: Vec<Figure>,
    /// The upper end.
    pub(super) interval_high: Vec<Figure>,
    /// The 25 % quantile.
    pub(super) q_25: Vec<Figure>,
    /// The 75 % quantile.
    pub(super) q_75: Vec<Figure>,
    /// Calls in each sample.
    pub(super) number: Vec<Figure>,
    /// How many samples there were.
    pub(super) repeat: Vec<Figure>,
}

/// A column of format version 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Result,
    Params,
    Version,
    StartedAt,
    Duration,
    IntervalLow,
    IntervalHigh,
    Q25,
    Q75,
    Number,
    Repeat,
    Samples,
    /// A profile, or a column that is not known here.
    Ignored,
}

impl Column {
    /// Returns the column that a file's `result_columns` calls `name`.
    pub(super) fn of_name(name: &str) -> Column {
        match name {
            "result" => Column::Result,
            "params" => Column::Params,
            "version" => Column::Version,
            "started_at" => Column::StartedAt,
            "duration" => Column::Duration,
            "stats_ci_99_a" => Column::IntervalLow,
            "stats_ci_99_b" => Column::IntervalHigh,
            "stats_q_25" => Column::Q25,
            "stats_q_75" => Column::Q75,
            "stats_number" => Column::Number,
            "stats_repeat" => Column::Repeat,
            "samples" => Column::Samples,
            _ => Column::Ignored,
        }
    }
}

/// Reads one row of either format: a list is of version 2, anything else of version 1.
pub(super) struct RowSeed<'a> {
    /// The columns of a list; `None` where they are not known yet.
    pub(super) columns: Option<&'a [Column]>,
    /// What of it is asked for.
    pub(super) wanted: Wanted,
}

/// What of a row is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All that is known here.
    #[default]
    Everything,
    /// The values, with what tells whose they are.
    Values,
    /// Only [`Row::started_at_ms`].
    Start,
}

impl Wanted {
    fn has(self, column: Column) -> bool {
        match self {
            Wanted::Everything => true,
            Wanted::Values => matches!(column, Column::Result | Column::Params | Column::Version),
            Wanted::Start => column == Column::StartedAt,
        }
    }
}

/// A row as it was found.
pub(super) enum Found {
    /// The row.
    Row(Box<Row>),
    /// A list whose columns are not known yet.
    WithoutColumns,
}

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = Found;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Found, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what a benchmark gave")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Found, A::Error> {
        let mut row = Row::default();
        for column in self.columns.unwrap_or_default() {
            let column = if self.wanted.has(*column) { *column } else { Column::Ignored };
            if !row.take(column, &mut items)? {
                break;
            }
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(if self.columns.is_some() { Found::Row(Box::new(row)) } else { Found::WithoutColumns })
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Found, A::Error> {
        let entries = MapAccessDeserializer::new(entries);
        let is_read = self.wanted != Wanted::Start;
        let row = if is_read { Row::of_version_1(Map::deserialize(entries)?) } else { ignored(entries)? };
        Ok(Found::Row(Box::new(row)))
    }

    fn visit_unit<E>(self) -> Result<Found, E> {
        Ok(Found::Row(Box::default()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Found, E> {
        Ok(alone(Value::from(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Found, E> {
        Ok(alone(Value::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Found, E> {
        Ok(alone(Value::from(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Found, E> {
        Ok(alone(Value::from(value)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Found, E> {
        Ok(alone(Value::from(text)))
    }
}

fn alone(value: Value) -> Found {
    Found::Row(Box::new(Row { result: Some(vec![figure(&value)]), ..Row::default() }))
}

fn ignored<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Row, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| Row::default())
}

impl Row {
    /// Takes the next item in as that column; returns false where there is none left.
    fn take<'de, A: SeqAccess<'de>>(&mut self, column: Column, items: &mut A) -> Result<bool, A::Error> {
        let statistics = &mut self.statistics;
        Ok(match column {
            Column::Result => put(&mut self.result, items.next_element()?.map(|Listed(list)| list)),
            Column::Params => put(&mut self.params, items.next_element()?.map(axes)),
            Column::Version => put(&mut self.version, items.next_element()?.map(text)),
            Column::StartedAt => put(&mut self.started_at_ms, items.next_element()?.map(Figure::finite)),
            Column::Duration => put(&mut self.duration_s, items.next_element()?.map(Figure::finite)),
            Column::IntervalLow => put(&mut statistics.interval_low, next_list(items)?),
            Column::IntervalHigh => put(&mut statistics.interval_high, next_list(items)?),
            Column::Q25 => put(&mut statistics.q_25, next_list(items)?),
            Column::Q75 => put(&mut statistics.q_75, next_list(items)?),
            Column::Number => put(&mut statistics.number, next_list(items)?),
            Column::Repeat => put(&mut statistics.repeat, next_list(items)?),
            Column::Samples => put(&mut self.samples, next_list(items)?),
            Column::Ignored => items.next_element::<IgnoredAny>()?.is_some(),
        })
    }

    /// Takes an entry of format version 1; its start, duration and version stand elsewhere in the file.
    fn of_version_1(mut entry: Map<String, Value>) -> Row {
        let mut statistics = Statistics::default();
        match entry.remove("stats") {
            Some(Value::Array(list)) => list.iter().for_each(|of_case| statistics.push(of_case)),
            Some(alone) => statistics.push(&alone),
            None => {}
        }
        Row {
            result: entry.remove("result").and_then(listed),
            params: entry.remove("params").map(axes).unwrap_or_default(),
            samples: entry.remove("samples").and_then(listed).unwrap_or_default(),
            statistics,
            ..Row::default()
        }
    }
}

impl Statistics {
    /// Takes in what format version 1 says of the next case.
    fn push(&mut self, of_case: &Value) {
        let get = |name: &str| of_case.get(name).map_or(Figure::Null, figure);
        let end = |k: usize| of_case.get("ci_99").and_then(|ends| ends.get(k)).map_or(Figure::Null, figure);
        self.interval_low.push(end(0));
        self.interval_high.push(end(1));
        self.q_25.push(get("q_25"));
        self.q_75.push(get("q_75"));
        self.number.push(get("number"));
        self.repeat.push(get("repeat"));
    }
}

fn put<T>(place: &mut T, found: Option<T>) -> bool {
    found.map(|value| *place = value).is_some()
}

fn next_list<'de, A, T>(items: &mut A) -> Result<Option<Vec<T>>, A::Error>
where
    A: SeqAccess<'de>,
    T: Deserialize<'de> + From<Figure>,
{
    Ok(items.next_element()?.map(|Listed(list)| list.unwrap_or_default()))
}

fn listed<T: DeserializeOwned + From<Figure>>(value: Value) -> Option<Vec<T>> {
    // Every JSON value is a list of figures, or a figure that stands alone.
    serde_json::from_value(value).ok().and_then(|Listed(list)| list)
}

/// Returns the parameters' texts: a list of lists, or a flat list for a single parameter.
fn axes(params: Value) -> Vec<Vec<String>> {
    let Value::Array(list) = params else { return Vec::new() };
    if list.iter().all(Value::is_array) {
        let items = |axis: Value| if let Value::Array(items) = axis { items } else { Vec::new() };
        list.into_iter().map(|axis| texts(items(axis))).collect()
    } else {
        vec![texts(list)]
    }
}

fn texts(items: Vec<Value>) -> Vec<String> {
    items.into_iter().map(|item| text(item).unwrap_or_else(|| "None".to_owned())).collect()
}
