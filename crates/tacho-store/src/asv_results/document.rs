//! A result file as it stands, in either format version, before anything is made of it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Value};

use super::exported::{self, Exported};
use super::figure::{figure, text};
use super::python_json;
use super::row::{Column, Found, Row, RowSeed, Wanted};
use super::thin::thinned;
use crate::StoreError;

const KIND: &str = "result file of asv";
const NEWEST: u64 = 2;

/// A result file.
#[derive(Debug)]
pub(super) struct Document {
    /// Everything but the results.
    pub(super) head: Head,
    /// What each benchmark gave, by its name.
    pub(super) rows: BTreeMap<String, Row>,
}

/// Everything in a result file but the results.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// The commit's full hash, or the name that asv was given for it.
    pub(super) commit_hash: String,
    /// The commit's date, in milliseconds since 1970.
    pub(super) date_ms: Option<f64>,
    /// The environment's name; `None` in old files.
    pub(super) env_name: Option<String>,
    /// The interpreter's version or path.
    pub(super) python: Option<String>,
    /// Versions of packages by their names; an empty text means the newest.
    pub(super) requirements: BTreeMap<String, String>,
    /// Environment variables by their names.
    pub(super) env_vars: BTreeMap<String, String>,
    /// Facts of the machine, and again the interpreter and the requirements.
    pub(super) params: Map<String, Value>,
    /// How long asv took for what is no benchmark, in seconds: `<build>`, `<setup_cache NAME>`.
    pub(super) durations_s: BTreeMap<String, f64>,
    /// Which records the file was made of, where it was exported from records.
    pub(super) exported: Option<Exported>,
}

/// Reads a result file whole.
pub(super) fn read(path: &Path) -> Result<Document, StoreError> {
    parse(path, &python_json::read(path)?, Wanted::Everything)
}

/// Reads a result file for its values; everything else in the rows may be absent, and what is wrong there may go unnoticed.
pub(super) fn read_values(path: &Path) -> Result<Document, StoreError> {
    let mut bytes = python_json::read_as_it_is(path)?;
    if let Some(mut thin) = thinned(&bytes) {
        python_json::quote_words(&mut thin);
        if let Ok(document) = parse(path, &thin, Wanted::Values) {
            return Ok(document);
        }
    }
    python_json::quote_words(&mut bytes);
    parse(path, &bytes, Wanted::Values)
}

/// Reads a result file for its head and the starts of its benchmarks; everything else in the rows is empty.
pub(super) fn read_head(path: &Path) -> Result<Document, StoreError> {
    parse(path, &python_json::read(path)?, Wanted::Start)
}

pub(super) fn parse(path: &Path, bytes: &[u8], wanted: Wanted) -> Result<Document, StoreError> {
    let parse = |columns| {
        let draft = Draft { columns, wanted, ..Draft::default() };
        python_json::parse(bytes, draft).map_err(|error| unreadable(path, bytes, error))
    };
    let mut draft = parse(None)?;
    // asv writes the columns before the rows; where somebody sorted the keys, they are known only now.
    if draft.has_unknown_columns && draft.columns.is_some() {
        draft = parse(draft.columns)?;
    }
    draft.finish().map_err(|refusal| refusal.of(path))
}

/// Why a JSON document is no result file that can be read here.
#[derive(Debug)]
enum Refusal {
    Foreign(String),
    Newer(u64),
}

impl Refusal {
    fn of(self, path: &Path) -> StoreError {
        let path = path.to_owned();
        match self {
            Refusal::Foreign(why) => StoreError::NotOurs { path, kind: KIND, why },
            Refusal::Newer(version) => StoreError::Newer {
                path,
                found: format!("version {version} of asv's result format"),
                known: "version 2",
            },
        }
    }
}

// What is not JSON is damaged; JSON of another shape is something else, or was made by a newer asv.
fn unreadable(path: &Path, bytes: &[u8], error: serde_json::Error) -> StoreError {
    #[derive(Deserialize)]
    struct Probe {
        version: u64,
    }
    if error.classify() != Category::Data {
        return StoreError::BadJson { path: path.to_owned(), source: error };
    }
    let refusal = match serde_json::from_slice(bytes) {
        Ok(Probe { version }) if version > NEWEST => Refusal::Newer(version),
        _ => Refusal::Foreign(error.to_string()),
    };
    refusal.of(path)
}

/// What has been read of a file so far.
#[derive(Debug, Default)]
struct Draft {
    wanted: Wanted,
    columns: Option<Vec<Column>>,
    has_unknown_columns: bool,
    version: Option<Value>,
    commit_hash: Option<String>,
    head: Head,
    rows: Option<BTreeMap<String, Row>>,
    // Format version 1 keeps these beside the results.
    starts: Map<String, Value>,
    durations: Map<String, Value>,
    versions: Map<String, Value>,
}

impl<'de> DeserializeSeed<'de> for Draft {
    type Value = Draft;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Draft, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Draft {
    type Value = Draft;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `version` and `results`")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Draft, A::Error> {
        while let Some(key) = entries.next_key::<String>()? {
            match key.as_str() {
                "version" => self.version = Some(entries.next_value()?),
                "commit_hash" => self.commit_hash = text(entries.next_value()?),
                "date" => self.head.date_ms = figure(&entries.next_value()?).finite(),
                "env_name" => self.head.env_name = text(entries.next_value()?),
                "python" => self.head.python = text(entries.next_value()?),
                "requirements" => self.head.requirements = texts(entries.next_value()?),
                "env_vars" => self.head.env_vars = texts(entries.next_value()?),
                "params" => self.head.params = object(entries.next_value()?),
                "result_columns" => self.columns = columns(&entries.next_value()?),
                "results" => self.rows = Some(self.next_rows(&mut entries)?),
                "durations" => self.head.durations_s = seconds(entries.next_value()?),
                "started_at" => self.starts = object(entries.next_value()?),
                "duration" => self.durations = object(entries.next_value()?),
                exported::KEY => self.head.exported = Exported::of(entries.next_value()?),
                "benchmark_version" => self.versions = object(entries.next_value()?),
                _ => drop(entries.next_value::<IgnoredAny>()?),
            }
        }
        Ok(self)
    }
}

impl Draft {
    fn next_rows<'de, A: MapAccess<'de>>(&mut self, entries: &mut A) -> Result<BTreeMap<String, Row>, A::Error> {
        let columns = self.columns.as_deref();
        let seed = RowsSeed { columns, wanted: self.wanted, unknown: &mut self.has_unknown_columns };
        entries.next_value_seed(seed)
    }

    fn finish(self) -> Result<Document, Refusal> {
        let foreign = |why: &str| Err(Refusal::Foreign(why.to_owned()));
        let version = self.version.as_ref().and_then(Value::as_u64);
        match (&self.version, version) {
            (_, Some(1..=NEWEST)) => {}
            (_, Some(version)) if version > NEWEST => return Err(Refusal::Newer(version)),
            (None, _) => return foreign("it has no `version`"),
            (Some(other), _) => return Err(Refusal::Foreign(format!("its version is {other}"))),
        }
        let Some(mut rows) = self.rows else { return foreign("it has no `results`") };
        let Some(commit_hash) = self.commit_hash else { return foreign("it names no commit") };
        if self.has_unknown_columns {
            return foreign("it has no `result_columns`");
        }
        let beside = self.durations.iter().filter(|(name, _)| name.starts_with('<'));
        let beside = beside.filter_map(|(name, value)| Some((name.clone(), figure(value).finite()?)));
        let durations_s = self.head.durations_s.into_iter().chain(beside).collect();
        for (name, row) in &mut rows {
            let number = |map: &Map<String, Value>| map.get(name).and_then(|value| figure(value).finite());
            row.started_at_ms = row.started_at_ms.or_else(|| number(&self.starts));
            row.duration_s = row.duration_s.or_else(|| number(&self.durations));
            let version = row.version.take();
            row.version = version.or_else(|| self.versions.get(name).cloned().and_then(text));
        }
        Ok(Document { head: Head { commit_hash, durations_s, ..self.head }, rows })
    }
}

struct RowsSeed<'a> {
    columns: Option<&'a [Column]>,
    wanted: Wanted,
    unknown: &'a mut bool,
}

impl<'de> DeserializeSeed<'de> for RowsSeed<'_> {
    type Value = BTreeMap<String, Row>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowsSeed<'_> {
    type Value = BTreeMap<String, Row>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("results by benchmark")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut rows = BTreeMap::new();
        while let Some(name) = entries.next_key::<String>()? {
            match entries.next_value_seed(RowSeed { columns: self.columns, wanted: self.wanted })? {
                Found::Row(row) => drop(rows.insert(name, *row)),
                Found::WithoutColumns => *self.unknown = true,
            }
        }
        Ok(rows)
    }
}

fn columns(names: &Value) -> Option<Vec<Column>> {
    Some(names.as_array()?.iter().map(|name| Column::of_name(name.as_str().unwrap_or_default())).collect())
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}

fn seconds(value: Value) -> BTreeMap<String, f64> {
    object(value).into_iter().filter_map(|(name, value)| Some((name, figure(&value).finite()?))).collect()
}

// Null means absent: a package that is not installed, a variable that is not set.
fn texts(value: Value) -> BTreeMap<String, String> {
    object(value).into_iter().filter_map(|(name, value)| Some((name, text(value)?))).collect()
}
