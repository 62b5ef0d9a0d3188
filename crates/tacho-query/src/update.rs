//! One change of the index, seen by others as a whole or not at all.

mod cells;
mod points;
mod runs;
mod series;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension, Transaction, params};
use tacho_model::{Completeness, Provenance, Results, Sheet};

use crate::{FileStamp, Pending, Placed, QueryError, SubjectEntry, place, schema};

use cells::Origin;
use points::Points;
use series::{AllSeries, Moment};

/// A subject at a place, by its number in this index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub(crate) i64);

/// What is remembered of a file beside its stamp.
#[derive(Debug, Clone, Copy, Default)]
struct Kept<'a> {
    digest: Option<&'a str>,
    cell: Option<CellId>,
    /// The subject's date, in microseconds since 1970.
    date_us: Option<i64>,
    reason: Option<&'a str>,
    hidden_by: Option<&'a str>,
}

/// A change of the index.
///
/// Files are forgotten, then those that are there are attached, each to its cell; cells are written from the results of their
/// files. A cell that lost or gained a file is stale until it is written again.
#[derive(Debug)]
pub struct Update<'a> {
    transaction: Transaction<'a>,
    path: PathBuf,
    series: AllSeries,
    points: Points,
    has_dropped: bool,
}

impl<'a> Update<'a> {
    pub(crate) fn new(transaction: Transaction<'a>, path: &Path) -> Update<'a> {
        Update {
            transaction,
            path: path.to_owned(),
            series: AllSeries::default(),
            points: Points::in_folder(path.parent()),
            has_dropped: false,
        }
    }

    fn told<T>(&self, result: rusqlite::Result<T>) -> Result<T, QueryError> {
        result.map_err(QueryError::index(&self.path))
    }

    /// Returns what [`Index::pending`](crate::Index::pending) does, now that nobody else can change it.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn pending(&self, files: &[FileStamp], runs: &HashSet<String>) -> Result<Pending, QueryError> {
        self.told(crate::index::pending(&self.transaction, files, runs))
    }

    /// Forgets a file; its cell becomes stale.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn forget(&mut self, path: &str) -> Result<(), QueryError> {
        let forget = || {
            let stale = "UPDATE cells SET is_stale = 1 WHERE id = (SELECT cell_id FROM sources WHERE path = ?1)";
            self.transaction.prepare_cached(stale)?.execute([path])?;
            self.transaction.prepare_cached("DELETE FROM sources WHERE path = ?1")?.execute([path])
        };
        self.told(forget()).map(|_| ())
    }

    /// Remembers a file that gives nothing to the index, with the reason where it should have.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn pass_over(&mut self, file: &FileStamp, reason: Option<&str>) -> Result<(), QueryError> {
        self.told(self.keep_source(file, Kept { reason, ..Kept::default() }))
    }

    /// Remembers a file that gives nothing to the index as long as there is the record of that run, which says all that the file does.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn hide(&mut self, file: &FileStamp, run_id: &str) -> Result<(), QueryError> {
        self.told(self.keep_source(file, Kept { hidden_by: Some(run_id), ..Kept::default() }))
    }

    /// Remembers a file with the cell that its provenance tells. Returns the cell where this is its only file, so
    /// that it can be written at once.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn attach(
        &mut self,
        file: &FileStamp,
        digest: Option<&str>,
        provenance: &Provenance,
    ) -> Result<Option<CellId>, QueryError> {
        let attach = || {
            let cell = cells::find_or_add(&self.transaction, provenance)?;
            let date_us = cells::date_us(&provenance.subject);
            self.keep_source(file, Kept { digest, cell: Some(cell), date_us, ..Kept::default() })?;
            let sql = "SELECT count(*) FROM sources WHERE cell_id = ?1";
            let n_files: i64 = self.transaction.prepare_cached(sql)?.query_row([cell.0], |row| row.get(0))?;
            if n_files > 1 {
                self.transaction.prepare_cached("UPDATE cells SET is_stale = 1 WHERE id = ?1")?.execute([cell.0])?;
            }
            Ok((n_files == 1).then_some(cell))
        };
        self.told(attach())
    }

    /// Remembers the runs that an attached file was exported from: with the record of one of them it says nothing new.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn is_exported(&mut self, file: &FileStamp, run_ids: &[String]) -> Result<(), QueryError> {
        let sql = "UPDATE sources SET exported_from = ?2 WHERE path = ?1";
        let runs = serde_json::Value::from(run_ids).to_string();
        let kept = self.transaction.prepare_cached(sql).and_then(|mut sql| sql.execute(params![file.path, runs]));
        self.told(kept).map(|_| ())
    }

    fn keep_source(&self, file: &FileStamp, kept: Kept<'_>) -> rusqlite::Result<()> {
        let FileStamp { path, n_bytes, mtime_ns, beside } = file;
        let Kept { digest, cell, date_us, reason, hidden_by } = kept;
        let sql = "INSERT OR REPLACE INTO sources (path, n_bytes, mtime_ns, beside, digest, cell_id, date_us, reason, \
                   hidden_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let cell = cell.map(|cell: CellId| cell.0);
        let values = params![path, n_bytes, mtime_ns, beside, digest, cell, date_us, reason, hidden_by];
        self.transaction.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Returns the cells that have to be written, each with its files; a cell without files is to be dropped.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn stale(&self) -> Result<Vec<(CellId, Vec<String>)>, QueryError> {
        self.told(cells::stale(&self.transaction))
    }

    /// Writes what a cell says, from the newest of `n_runs` runs that were read as one. `source` is that run's file.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn write(&mut self, cell: CellId, results: &Results, source: &str, n_runs: usize) -> Result<(), QueryError> {
        let Results { provenance, outcomes, completeness } = results;
        let origin = Origin { provenance, completeness: *completeness, source, n_runs };
        let written = self.write_all(cell, &origin, |this, place, moment| {
            for outcome in outcomes {
                let ids = this.series.of(&this.transaction, place, outcome, moment)?;
                this.points.push(points::of_outcome(ids, cell, outcome));
            }
            Ok(())
        });
        self.told(written)
    }

    /// Writes what a cell says from the sheets of a single file.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn write_sheets(
        &mut self,
        cell: CellId,
        provenance: &Provenance,
        sheets: &[Sheet],
        source: &str,
    ) -> Result<(), QueryError> {
        let origin = Origin { provenance, completeness: Completeness::Sealed, source, n_runs: 1 };
        let written = self.write_all(cell, &origin, |this, place, moment| {
            for sheet in sheets {
                this.series.of_sheet(&this.transaction, place, sheet, moment, |ids, reading| {
                    this.points.push(points::of_reading(ids, cell, reading));
                })?;
            }
            Ok(())
        });
        self.told(written)
    }

    fn write_all(
        &mut self,
        cell: CellId,
        origin: &Origin<'_>,
        points: impl FnOnce(&mut Self, i64, &Moment) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let started_us = origin.provenance.started_at.unix_us;
        let is_no_earlier = cells::began(&self.transaction, cell)? <= (started_us, origin.source.to_owned());
        self.remove_points(cell)?;
        self.series.refills(Some(cell).filter(|_| is_no_earlier));
        cells::describe(&self.transaction, cell, origin)?;
        let place = cells::place_of(&self.transaction, cell)?;
        points(self, place, &Moment { started_us, source: origin.source.into(), cell })?;
        self.points.flush_if_many(&self.transaction)
    }

    fn remove_points(&mut self, cell: CellId) -> rusqlite::Result<()> {
        let sql = "SELECT 1 FROM cells WHERE id = ?1 AND n_runs > 0";
        if self.transaction.prepare_cached(sql)?.query_row([cell.0], |_| Ok(())).optional()?.is_some() {
            let lost = self.points.remove_of(&self.transaction, cell)?;
            self.series.have_lost(cell, &lost);
        }
        Ok(())
    }

    /// Drops a cell that has no files any more, or none that give anything.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn drop_cell(&mut self, cell: CellId) -> Result<(), QueryError> {
        self.has_dropped = true;
        let dropped = self.remove_points(cell).and_then(|()| cells::remove(&self.transaction, cell));
        self.told(dropped)
    }

    /// Returns every subject that there are cells of, with the date that the files which are there by now tell.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn subjects(&self) -> Result<Vec<SubjectEntry>, QueryError> {
        self.told(place::subjects(&self.transaction))
    }

    /// Keeps where subjects stand in history, and the line by which they were placed.
    ///
    /// # Errors
    /// The index cannot be written.
    pub fn place(&mut self, placed: &[Placed], line: &str) -> Result<(), QueryError> {
        let placed = place::place(&self.transaction, placed);
        self.told(placed.and_then(|()| schema::set_fact(&self.transaction, schema::LINE, line)))
    }

    /// Makes the change known to all.
    ///
    /// # Errors
    /// The index cannot be written, or others read it for too long.
    pub fn commit(mut self) -> Result<(), QueryError> {
        let path = self.path.clone();
        let mut finish = || {
            self.points.flush(&self.transaction)?;
            schema::count_points(&self.transaction, self.points.n_more())?;
            self.series.finish(&self.transaction)?;
            if self.has_dropped {
                cells::clean(&self.transaction)?;
            }
            place::date(&self.transaction)?;
            schema::analyze_if_grown(&self.transaction)
        };
        finish().and_then(|()| self.transaction.commit()).map_err(QueryError::index(&path))
    }
}
