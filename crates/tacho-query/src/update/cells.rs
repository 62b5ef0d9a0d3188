//! Cells, with the subjects and places that they are of.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Result, params};
use serde_json::{Map, Value};
use tacho_model::{Completeness, Provenance, Subject};

use super::CellId;

/// Where the numbers of a cell come from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) provenance: &'a Provenance,
    pub(super) completeness: Completeness,
    /// The newest run's file.
    pub(super) source: &'a str,
    /// How many runs were read as one.
    pub(super) n_runs: usize,
}

/// Returns a map as JSON, in the order of its names.
pub(super) fn json(map: &BTreeMap<String, String>) -> String {
    let object: Map<String, Value> = map.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect();
    Value::Object(object).to_string()
}

/// Returns the cell of a run, made if need be.
pub(super) fn find_or_add(connection: &Connection, provenance: &Provenance) -> Result<CellId> {
    let subject = subject(connection, &provenance.subject)?;
    let Provenance { machine, environment, .. } = provenance;
    let axes = json(&environment.axes);
    let add = "INSERT INTO places (machine, environment) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    connection.prepare_cached(add)?.execute(params![machine.name, axes])?;
    let find = "SELECT id FROM places WHERE machine = ?1 AND environment = ?2";
    let place: i64 = connection.prepare_cached(find)?.query_row(params![machine.name, axes], |row| row.get(0))?;
    let add = "INSERT INTO cells (subject_id, place_id, started_us) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    connection.prepare_cached(add)?.execute(params![subject, place, provenance.started_at.unix_us])?;
    let find = "SELECT id FROM cells WHERE subject_id = ?1 AND place_id = ?2";
    connection.prepare_cached(find)?.query_row(params![subject, place], |row| row.get(0)).map(CellId)
}

/// Returns the date that a run knows of its subject, in microseconds since 1970.
pub(super) fn date_us(subject: &Subject) -> Option<i64> {
    match subject {
        Subject::Commit { date, .. } => date.map(|date| date.unix_us),
        Subject::Date { date } => Some(date.unix_us),
        Subject::Tree { .. } | Subject::Version { .. } => None,
    }
}

fn subject(connection: &Connection, subject: &Subject) -> Result<i64> {
    let add = "INSERT INTO subjects (kind, subject) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    let (kind, id) = (subject.kind(), subject.id());
    connection.prepare_cached(add)?.execute(params![kind, id])?;
    let find = "SELECT id FROM subjects WHERE kind = ?1 AND subject = ?2";
    connection.prepare_cached(find)?.query_row(params![kind, id], |row| row.get(0))
}

/// Returns the number of a cell's place.
pub(super) fn place_of(connection: &Connection, cell: CellId) -> Result<i64> {
    connection.prepare_cached("SELECT place_id FROM cells WHERE id = ?1")?.query_row([cell.0], |row| row.get(0))
}

/// Returns when the newest run of a cell began, and its file.
pub(super) fn began(connection: &Connection, cell: CellId) -> Result<(i64, String)> {
    let sql = "SELECT started_us, source FROM cells WHERE id = ?1";
    connection.prepare_cached(sql)?.query_row([cell.0], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Keeps where the numbers of a cell come from; it is no longer stale.
pub(super) fn describe(connection: &Connection, cell: CellId, origin: &Origin<'_>) -> Result<()> {
    let Origin { provenance, completeness, source, n_runs } = *origin;
    let digest = "SELECT digest FROM sources WHERE path = ?1";
    let digest: Option<String> =
        connection.prepare_cached(digest)?.query_row([source], |row| row.get(0)).optional()?.flatten();
    let sql = "UPDATE cells SET is_stale = 0, started_us = ?2, record = ?3, source = ?4, n_runs = ?5, project = ?6, branch = ?7, \
               environment_label = ?8, machine_facts = ?9, packages = ?10, tool_version = ?11, quick = ?12, complete = ?13, \
               build_failure = ?14, setup = ?15 WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![
        cell.0,
        provenance.started_at.unix_us,
        digest,
        source,
        n_runs.max(1),
        provenance.project,
        provenance.branch,
        provenance.environment.label,
        json(&provenance.machine.facts),
        json(&provenance.environment.packages),
        provenance.tool_version,
        provenance.settings.quick,
        completeness == Completeness::Sealed,
        provenance.build_failure(),
        json(&provenance.setup()),
    ])?;
    Ok(())
}

/// Returns the stale cells with their files.
pub(super) fn stale(connection: &Connection) -> Result<Vec<(CellId, Vec<String>)>> {
    let cells: Vec<i64> = connection
        .prepare_cached("SELECT id FROM cells WHERE is_stale ORDER BY id")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_>>()?;
    let mut files = connection.prepare_cached("SELECT path FROM sources WHERE cell_id = ?1 ORDER BY path")?;
    let mut found = Vec::with_capacity(cells.len());
    for cell in cells {
        found.push((CellId(cell), files.query_map([cell], |row| row.get(0))?.collect::<Result<_>>()?));
    }
    Ok(found)
}

/// Removes a cell that has no points; its files are remembered as giving nothing.
pub(super) fn remove(connection: &Connection, cell: CellId) -> Result<()> {
    connection.execute("UPDATE sources SET cell_id = NULL WHERE cell_id = ?1", [cell.0])?;
    connection.execute("DELETE FROM cells WHERE id = ?1", [cell.0])?;
    Ok(())
}

/// Removes what no cell is of any more.
pub(super) fn clean(connection: &Connection) -> Result<()> {
    connection.execute("DELETE FROM subjects WHERE id NOT IN (SELECT subject_id FROM cells)", [])?;
    connection.execute(
        "DELETE FROM places WHERE id NOT IN (SELECT place_id FROM cells) AND id NOT IN (SELECT place_id FROM series)",
        [],
    )?;
    Ok(())
}
