//! The past of series as an index has it: what the noise between runs can be read from without opening their files.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Result, params};
use tacho_model::{PastPoint, PastSeries};

use crate::{FileStamp, QueryError, guard, schema};

/// Which past is asked for.
#[derive(Debug, Clone, Copy)]
pub struct PastOf<'a> {
    /// The machine's name.
    pub machine: &'a str,
    /// The values of its axes.
    pub axes: &'a BTreeMap<String, String>,
    /// Up to this moment, in microseconds since 1970; later subjects only where those are too few.
    pub until_us: i64,
    /// So many subjects at most.
    pub most: usize,
}

/// A past, and what it was made from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    /// Every series of the place that has a value there.
    pub series: Vec<PastSeries>,
    /// How many subjects it is of.
    pub n_subjects: usize,
    /// The files it was made from, as they were when the index read them: whoever uses it sees to it that they still are.
    pub files: Vec<FileStamp>,
    /// How many files the index knows at all.
    pub n_files: usize,
}

/// Reads a past from the index at `path`: whole runs of what was built, in the order of their moments (a commit's date, else when it was
/// measured). `None` where the index is not there, or of another version.
///
/// # Errors
/// The index cannot be read.
pub fn past(
    path: &Path,
    of: PastOf<'_>,
    is_wanted: impl Fn(&str) -> bool,
) -> std::result::Result<Option<Past>, QueryError> {
    if !path.is_file() {
        return Ok(None);
    }
    let read = || {
        let connection = guard::reader_of_ours(path)?;
        if schema::version(&connection)? != schema::VERSION {
            return Ok(None);
        }
        read(&connection, of, &is_wanted).map(Some)
    };
    read().map_err(QueryError::index(path))
}

fn read(connection: &Connection, of: PastOf<'_>, is_wanted: &dyn Fn(&str) -> bool) -> Result<Past> {
    let axes = serde_json::to_string(of.axes).unwrap_or_default();
    let sql = "SELECT id FROM places WHERE machine = ?1 AND environment = ?2";
    let place: Option<i64> = connection.query_row(sql, params![of.machine, axes], |row| row.get(0)).optional()?;
    let Some(place) = place else { return Ok(Past::default()) };
    let cells = cells(connection, place, of)?;
    let list = cells.iter().map(|(id, _)| id.to_string()).collect::<Vec<String>>().join(",");
    let n_files = connection.query_row("SELECT count(*) FROM sources", [], |row| row.get(0))?;
    Ok(Past {
        series: series(connection, place, &cells, &list, is_wanted)?,
        n_subjects: cells.len(),
        files: files(connection, &list)?,
        n_files,
    })
}

/// Returns the cells of the subjects that count, with these, in the order of history.
fn cells(connection: &Connection, place: i64, of: PastOf<'_>) -> Result<Vec<(i64, Arc<str>)>> {
    let mut statement = connection.prepare(
        "SELECT c.id, j.subject, CASE j.kind WHEN 'version' THEN c.started_us ELSE coalesce(j.date_us, c.started_us) END AS moment \
         FROM cells c JOIN subjects j ON j.id = c.subject_id \
         WHERE c.place_id = ?1 AND NOT c.quick AND c.build_failure IS NULL ORDER BY moment, j.subject",
    )?;
    let rows =
        statement.query_map([place], |row| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?)))?;
    let all: Vec<(i64, String, i64)> = rows.collect::<Result<_>>()?;
    let n_before = all.partition_point(|(_, _, moment)| *moment <= of.until_us);
    let first = n_before.saturating_sub(of.most);
    let chosen = all.into_iter().skip(first).take(of.most);
    Ok(chosen.map(|(id, subject, _)| (id, Arc::from(subject))).collect())
}

fn files(connection: &Connection, cells: &str) -> Result<Vec<FileStamp>> {
    let sql = format!("SELECT path, n_bytes, mtime_ns, beside FROM sources WHERE cell_id IN ({cells}) ORDER BY path");
    let mut statement = connection.prepare(&sql)?;
    let stamp = |row: &rusqlite::Row<'_>| {
        let (path, n_bytes, mtime_ns) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(FileStamp { path, n_bytes, mtime_ns, beside: row.get(3)? })
    };
    statement.query_map([], stamp)?.collect()
}

/// What a series was declared to be: unit, version, method.
type Definition = (Arc<str>, Option<Arc<str>>, Option<Arc<str>>);

fn definitions(connection: &Connection, place: i64) -> Result<HashMap<i64, Definition>> {
    let mut statement = connection.prepare(
        "SELECT d.id, d.unit, d.version, d.method FROM definitions d JOIN series s ON s.id = d.series_id WHERE s.place_id = ?1",
    )?;
    let known = |text: String| Some(text).filter(|text| !text.is_empty()).map(Arc::from);
    let rows = statement.query_map([place], |row| {
        Ok((row.get(0)?, (Arc::from(row.get::<_, String>(1)?), known(row.get(2)?), known(row.get(3)?))))
    })?;
    rows.collect()
}

/// Returns the condition for points of these cells, and of few others. Cells that were read in the order of history lie side by side;
/// others are looked up one by one where the series lies, which are fewer steps than all of a long series has points.
fn among(cells: &[(i64, Arc<str>)], list: &str) -> String {
    let ids = || cells.iter().map(|(id, _)| *id);
    match ids().min().zip(ids().max()) {
        Some((first, last)) if (last - first) < 4 * cells.len() as i64 => format!("cell_id BETWEEN {first} AND {last}"),
        _ => format!("cell_id IN ({list})"),
    }
}

fn series(
    connection: &Connection,
    place: i64,
    cells: &[(i64, Arc<str>)],
    list: &str,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<PastSeries>> {
    let order: HashMap<i64, usize> = cells.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
    let definitions = definitions(connection, place)?;
    let mut names = connection
        .prepare("SELECT id, benchmark, parameter_texts, metric FROM series WHERE place_id = ?1 ORDER BY id")?;
    let sql = format!(
        "SELECT cell_id, value, definition_id FROM points WHERE series_id = ?1 AND {} AND value IS NOT NULL",
        among(cells, list)
    );
    let mut points = connection.prepare(&sql)?;
    // Value and definition of each cell.
    let mut placed: Vec<Option<(f64, i64)>> = vec![None; cells.len()];
    let mut found = Vec::new();
    let mut rows = names.query([place])?;
    while let Some(row) = rows.next()? {
        let benchmark: String = row.get(1)?;
        if !is_wanted(&benchmark) {
            continue;
        }
        let mut of_series = points.query([row.get::<_, i64>(0)?])?;
        let mut n_placed = 0;
        while let Some(point) = of_series.next()? {
            if let Some(at) = order.get(&point.get(0)?) {
                placed[*at] = Some((point.get(1)?, point.get(2)?));
                n_placed += 1;
            }
        }
        let mut of_cells = Vec::with_capacity(n_placed);
        for ((_, subject), place) in cells.iter().zip(&mut placed) {
            let Some((value, definition)) = place.take() else { continue };
            if let Some((unit, version, method)) = definitions.get(&definition) {
                let (unit, version, method) = (unit.clone(), version.clone(), method.clone());
                of_cells.push(PastPoint { subject: subject.clone(), value, unit, version, method });
            }
        }
        let texts: String = row.get(2)?;
        found.push(PastSeries {
            benchmark,
            texts: serde_json::from_str(&texts).unwrap_or_default(),
            metric: row.get(3)?,
            points: of_cells,
        });
    }
    Ok(found)
}
