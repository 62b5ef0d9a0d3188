//! Series and their definitions, found by what makes them and remembered while the index is changed.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rusqlite::{Connection, OptionalExtension, Result, params};
use serde_json::{Map, Value};
use tacho_model::{Case, Metric, Outcome, Parameter, Reading, Sheet};

use super::CellId;
use super::points::Ids;

/// So many forms of one benchmark's sheets are remembered: a form changes with the suite, which files of one time share.
const MOST_FORMS: usize = 8;

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

/// What one point says of its series and definition.
#[derive(Debug, Clone, Copy)]
struct Told<'a> {
    case: &'a Case,
    metric: &'a Metric,
    version: Option<&'a str>,
    method: Option<&'a str>,
}

/// Everything in a sheet that series and definitions are made of, and which those of its cases are.
#[derive(Debug)]
struct Form {
    metric: Metric,
    version: Option<String>,
    method: Option<String>,
    names: Vec<String>,
    axes: Vec<Vec<String>>,
    /// Which series each case is of, by its position among all, and the number of the definition; where it was met.
    cases: Vec<Option<(usize, i64)>>,
}

impl Definition {
    fn of(told: Told<'_>) -> Definition {
        Definition {
            case_index: told.case.index,
            parameters: told.case.parameters.clone(),
            unit: told.metric.unit.clone(),
            direction: told.metric.direction.word(),
            exact: told.metric.exact,
            version: told.version.unwrap_or_default().to_owned(),
            method: told.method.unwrap_or_default().to_owned(),
        }
    }

    fn is_of(&self, told: Told<'_>) -> bool {
        self.case_index == told.case.index
            && self.version == told.version.unwrap_or_default()
            && self.method == told.method.unwrap_or_default()
            && self.unit == told.metric.unit
            && self.direction == told.metric.direction.word()
            && self.exact == told.metric.exact
            && self.parameters == told.case.parameters
    }
}

impl Form {
    fn of(sheet: &Sheet, method: Option<&str>) -> Form {
        Form {
            metric: sheet.metric.clone(),
            version: sheet.version.clone(),
            method: method.map(str::to_owned),
            names: sheet.names.clone(),
            axes: sheet.axes.clone(),
            cases: Vec::new(),
        }
    }

    fn is_of(&self, sheet: &Sheet, method: Option<&str>) -> bool {
        self.version == sheet.version
            && self.method.as_deref() == method
            && self.metric == sheet.metric
            && self.names == sheet.names
            && self.axes == sheet.axes
    }
}

/// All series that were met.
#[derive(Debug, Default)]
pub(super) struct AllSeries {
    all: Vec<Known>,
    by_place: HashMap<i64, HashMap<String, usize>>,
    forms: HashMap<i64, HashMap<String, Vec<Form>>>,
    key: String,
    /// Points that were taken from series and not given back: series, definition and cell.
    lost: BTreeSet<(i64, i64, CellId)>,
    /// The cell that is being filled, where it began no earlier than before.
    refilled: Option<CellId>,
}

impl AllSeries {
    /// Returns the numbers of an outcome's series and definition, both made if need be.
    pub(super) fn of(
        &mut self,
        connection: &Connection,
        place: i64,
        outcome: &Outcome,
        moment: &Moment,
    ) -> Result<Ids> {
        let Outcome { case, metric, version, method, .. } = outcome;
        let told = Told { case, metric, version: version.as_deref(), method: method.as_deref() };
        let (at, definition) = self.find(connection, place, told)?;
        Ok(self.used(at, definition, moment))
    }

    /// Hands over what each case of a sheet says, with the numbers of its series and definition.
    pub(super) fn of_sheet(
        &mut self,
        connection: &Connection,
        place: i64,
        sheet: &Sheet,
        moment: &Moment,
        mut take: impl FnMut(Ids, &Reading),
    ) -> Result<()> {
        let mut forms = self.forms.entry(place).or_default().remove(&sheet.benchmark).unwrap_or_default();
        // What has no value was measured by no method.
        for method in if sheet.method.is_some() { vec![None, sheet.method.as_deref()] } else { vec![None] } {
            let is_of_method =
                |reading: &Reading| sheet.method.is_none() || reading.value.is_some() == method.is_some();
            let form = form(&mut forms, sheet, method);
            form.cases.resize(sheet.readings.len().max(form.cases.len()), None);
            for (index, reading) in sheet.readings.iter().enumerate().filter(|(_, reading)| is_of_method(reading)) {
                let (at, definition) = match form.cases[index] {
                    Some(found) => found,
                    None => {
                        let (case, version) = (&sheet.case(index), sheet.version.as_deref());
                        let found =
                            self.find(connection, place, Told { case, metric: &sheet.metric, version, method })?;
                        *form.cases[index].insert(found)
                    }
                };
                take(self.used(at, definition, moment), reading);
            }
        }
        self.forms.entry(place).or_default().insert(sheet.benchmark.clone(), forms);
        Ok(())
    }

    /// Returns the series' position among all, and the number of the definition.
    fn find(&mut self, connection: &Connection, place: i64, told: Told<'_>) -> Result<(usize, i64)> {
        self.key.clear();
        let parts = [&told.case.benchmark, &told.metric.name].into_iter();
        for part in parts.chain(told.case.parameters.iter().map(|parameter| &parameter.text)) {
            self.key.push_str(part);
            self.key.push('\0');
        }
        let here = self.by_place.entry(place).or_default();
        let at = match here.get(&self.key) {
            Some(at) => *at,
            None => {
                self.all.push(series(connection, place, told)?);
                here.insert(self.key.clone(), self.all.len() - 1);
                self.all.len() - 1
            }
        };
        let known = &mut self.all[at];
        if let Some((_, id)) = known.definitions.iter().find(|(definition, _)| definition.is_of(told)) {
            return Ok((at, *id));
        }
        let definition = Definition::of(told);
        let id = definition_id(connection, known.id, &definition)?;
        known.definitions.push((definition, id));
        Ok((at, id))
    }

    /// Notes that a series has a point of that definition, and returns the numbers of both.
    fn used(&mut self, at: usize, definition: i64, moment: &Moment) -> Ids {
        let ids = self.all[at].is_used(definition, moment);
        if !self.lost.is_empty() && self.refilled == Some(moment.cell) {
            self.lost.remove(&(ids.0, ids.1, moment.cell));
        }
        ids
    }

    /// Notes points that were taken from series: what was newest there may be gone.
    pub(super) fn have_lost(&mut self, cell: CellId, points: &[Ids]) {
        self.lost.extend(points.iter().map(|(series, definition)| (*series, *definition, cell)));
    }

    /// Notes which cell is filled next. Where it began no earlier than it did, what it gives back is as if it had not been lost: what was
    /// the newest of a series still is, and a definition that was used still is.
    pub(super) fn refills(&mut self, cell: Option<CellId>) {
        self.refilled = cell;
    }

    /// Keeps the newest definition of each series, and removes series and definitions that have no points.
    pub(super) fn finish(&mut self, connection: &Connection) -> Result<()> {
        let mut set =
            connection.prepare_cached("UPDATE series SET definition_id = ?2, defined_by = ?3 WHERE id = ?1")?;
        for known in self.all.iter().filter(|known| known.has_newer) {
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
        let have_lost: BTreeSet<i64> = self.lost.iter().map(|(series, ..)| *series).collect();
        for series in &have_lost {
            for sql in [newest, unused, empty] {
                connection.prepare_cached(sql)?.execute([series])?;
            }
        }
        Ok(())
    }
}

impl Known {
    /// Notes that a definition was used, and returns the numbers of the series and of that definition.
    fn is_used(&mut self, definition: i64, moment: &Moment) -> Ids {
        if self.newest.as_ref().is_none_or(|(newest, _)| newest <= moment) {
            self.newest = Some((moment.clone(), definition));
            self.has_newer = true;
        }
        (self.id, definition)
    }
}

/// Returns the form that a sheet has, remembered from now on.
fn form<'a>(forms: &'a mut Vec<Form>, sheet: &Sheet, method: Option<&str>) -> &'a mut Form {
    let at = match forms.iter().position(|form| form.is_of(sheet, method)) {
        Some(at) => at,
        None => {
            if forms.len() == MOST_FORMS {
                forms.remove(0);
            }
            forms.push(Form::of(sheet, method));
            forms.len() - 1
        }
    };
    &mut forms[at]
}

fn series(connection: &Connection, place: i64, told: Told<'_>) -> Result<Known> {
    let (benchmark, metric) = (&told.case.benchmark, &told.metric.name);
    let texts = Value::from(told.case.texts()).to_string();
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
    let values = params![series, *case_index as i64, named, unit, direction, exact, version, method];
    let find = "SELECT id FROM definitions WHERE series_id = ?1 AND case_index = ?2 AND parameters = ?3 AND unit = ?4 \
                AND direction = ?5 AND exact = ?6 AND version = ?7 AND method = ?8";
    if let Some(id) = connection.prepare_cached(find)?.query_row(values, |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let add = "INSERT INTO definitions (series_id, case_index, parameters, unit, direction, exact, version, method) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    connection.prepare_cached(add)?.execute(values)?;
    Ok(connection.last_insert_rowid())
}
