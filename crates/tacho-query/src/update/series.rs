//! Series and their definitions, found by what makes them and remembered while the index is changed.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rusqlite::{Connection, OptionalExtension, Result, params};
use serde_json::{Map, Value};
use tacho_model::{Outcome, Parameter};

use super::CellId;

/// When a definition was used, so that the newest counts; ties by the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) started_us: i64,
    pub(super) source: Rc<str>,
    pub(super) cell: CellId,
}

/// A series as far as it is known here.
#[derive(Debug)]
struct Known {
    id: i64,
    /// Its newest definition, and when that was used.
    newest: Option<(Moment, i64)>,
    has_newer: bool,
    definitions: Vec<(Definition, i64)>,
}

#[derive(Debug)]
struct Definition {
    case_index: usize,
    parameters: Vec<Parameter>,
    unit: String,
    direction: &'static str,
    exact: bool,
    version: String,
    method: String,
}

impl Definition {
    fn of(outcome: &Outcome) -> Definition {
        Definition {
            case_index: outcome.case.index,
            parameters: outcome.case.parameters.clone(),
            unit: outcome.metric.unit.clone(),
            direction: outcome.metric.direction.word(),
            exact: outcome.metric.exact,
            version: outcome.version.clone().unwrap_or_default(),
            method: outcome.method.clone().unwrap_or_default(),
        }
    }

    fn is_of(&self, outcome: &Outcome) -> bool {
        self.case_index == outcome.case.index
            && self.version == outcome.version.as_deref().unwrap_or_default()
            && self.method == outcome.method.as_deref().unwrap_or_default()
            && self.unit == outcome.metric.unit
            && self.direction == outcome.metric.direction.word()
            && self.exact == outcome.metric.exact
            && self.parameters == outcome.case.parameters
    }
}

/// All series that were met.
#[derive(Debug, Default)]
pub(super) struct AllSeries {
    by_place: HashMap<i64, HashMap<String, Known>>,
    key: String,
    have_lost: BTreeSet<i64>,
}

impl AllSeries {
    /// Returns the numbers of an outcome's series and definition, both made if need be.
    pub(super) fn of(
        &mut self,
        connection: &Connection,
        place: i64,
        outcome: &Outcome,
        moment: &Moment,
    ) -> Result<(i64, i64)> {
        self.key.clear();
        for part in [&outcome.case.benchmark, &outcome.metric.name] {
            self.key.push_str(part);
            self.key.push('\0');
        }
        for parameter in &outcome.case.parameters {
            self.key.push_str(&parameter.text);
            self.key.push('\0');
        }
        let here = self.by_place.entry(place).or_default();
        if !here.contains_key(&self.key) {
            here.insert(self.key.clone(), series(connection, place, outcome)?);
        }
        // It has just been put there if it was not.
        let Some(known) = here.get_mut(&self.key) else { return Err(rusqlite::Error::QueryReturnedNoRows) };
        let definition = match known.definitions.iter().find(|(definition, _)| definition.is_of(outcome)) {
            Some((_, id)) => *id,
            None => {
                let definition = Definition::of(outcome);
                let id = definition_id(connection, known.id, &definition)?;
                known.definitions.push((definition, id));
                id
            }
        };
        if known.newest.as_ref().is_none_or(|(newest, _)| newest <= moment) {
            known.newest = Some((moment.clone(), definition));
            known.has_newer = true;
        }
        Ok((known.id, definition))
    }

    /// Notes series that points were taken from: what was newest there may be gone.
    pub(super) fn have_lost(&mut self, series: Vec<i64>) {
        self.have_lost.extend(series);
    }

    /// Keeps the newest definition of each series, and removes series and definitions that have no points.
    pub(super) fn finish(&mut self, connection: &Connection) -> Result<()> {
        let mut set =
            connection.prepare_cached("UPDATE series SET definition_id = ?2, defined_by = ?3 WHERE id = ?1")?;
        for known in self.by_place.values().flat_map(HashMap::values).filter(|known| known.has_newer) {
            if let Some((moment, definition)) = &known.newest {
                set.execute(params![known.id, definition, moment.cell.0])?;
            }
        }
        let newest = "UPDATE series SET (definition_id, defined_by) = (SELECT p.definition_id, p.cell_id FROM points p \
                      JOIN cells c ON c.id = p.cell_id WHERE p.series_id = series.id \
                      ORDER BY c.started_us DESC, c.source DESC, p.cell_id DESC LIMIT 1) WHERE id = ?1";
        let unused = "DELETE FROM definitions WHERE series_id = ?1 AND id NOT IN \
                      (SELECT definition_id FROM points WHERE series_id = ?1)";
        let empty = "DELETE FROM series WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM points WHERE series_id = ?1)";
        for series in &self.have_lost {
            for sql in [newest, unused, empty] {
                connection.prepare_cached(sql)?.execute([series])?;
            }
        }
        Ok(())
    }
}

fn series(connection: &Connection, place: i64, outcome: &Outcome) -> Result<Known> {
    let (benchmark, metric) = (&outcome.case.benchmark, &outcome.metric.name);
    let texts = Value::from(outcome.case.texts()).to_string();
    let find = "SELECT s.id, s.definition_id, c.started_us, c.source, c.id FROM series s LEFT JOIN cells c ON c.id = s.defined_by \
                WHERE s.benchmark = ?1 AND s.parameter_texts = ?2 AND s.metric = ?3 AND s.place_id = ?4";
    let found = connection.prepare_cached(find)?.query_row(params![benchmark, texts, metric, place], |row| {
        let definition: Option<i64> = row.get(1)?;
        let moment =
            match (row.get::<_, Option<i64>>(2)?, row.get::<_, Option<String>>(3)?, row.get::<_, Option<i64>>(4)?) {
                (Some(started_us), Some(source), Some(cell)) => {
                    Some(Moment { started_us, source: source.into(), cell: CellId(cell) })
                }
                _ => None,
            };
        Ok(Known { id: row.get(0)?, newest: moment.zip(definition), has_newer: false, definitions: vec![] })
    });
    if let Some(known) = found.optional()? {
        return Ok(known);
    }
    let add = "INSERT INTO series (benchmark, parameter_texts, metric, place_id) VALUES (?1, ?2, ?3, ?4)";
    connection.prepare_cached(add)?.execute(params![benchmark, texts, metric, place])?;
    Ok(Known { id: connection.last_insert_rowid(), newest: None, has_newer: false, definitions: vec![] })
}

fn definition_id(connection: &Connection, series: i64, definition: &Definition) -> Result<i64> {
    let Definition { case_index, parameters, unit, direction, exact, version, method } = definition;
    // Names that are told twice keep their last value, as in any JSON.
    let named: Map<String, Value> =
        parameters.iter().map(|parameter| (parameter.name.clone(), parameter.text.as_str().into())).collect();
    let named = Value::Object(named).to_string();
    let add = "INSERT INTO definitions (series_id, case_index, parameters, unit, direction, exact, version, method) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING";
    let values = params![series, *case_index as i64, named, unit, direction, exact, version, method];
    connection.prepare_cached(add)?.execute(values)?;
    let find = "SELECT id FROM definitions WHERE series_id = ?1 AND case_index = ?2 AND parameters = ?3 AND unit = ?4 \
                AND direction = ?5 AND exact = ?6 AND version = ?7 AND method = ?8";
    connection.prepare_cached(find)?.query_row(values, |row| row.get(0))
}
