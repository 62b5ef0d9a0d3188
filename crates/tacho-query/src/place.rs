//! The order of history, as far as the index keeps it: who knows the repository hands it in.

use rusqlite::{Connection, Result, Row, params};
use tacho_model::{Subject, Timestamp};

/// A subject that there are results of.
#[derive(Debug, Clone, PartialEq)]
pub struct SubjectEntry {
    /// Its number in this index.
    pub id: i64,
    /// The subject, with its date where any run knew it.
    pub subject: Subject,
    /// When it was first measured.
    pub began: Timestamp,
}

/// Where a subject stands in history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Its number in this index.
    pub id: i64,
    /// Its place in the order of history, from 0.
    pub position: u64,
    /// Whether it is a commit of the first-parent line; `None` for what is no commit that the repository knows.
    pub on_line: Option<bool>,
}

/// Returns every subject that enters history.
pub(crate) fn subjects(connection: &Connection) -> Result<Vec<SubjectEntry>> {
    date(connection)?;
    let mut statement = connection.prepare(
        "SELECT j.id, j.kind, j.subject, j.date_us, min(c.started_us) FROM subjects j JOIN cells c ON c.subject_id = j.id \
         GROUP BY j.id ORDER BY j.id",
    )?;
    let rows = statement.query_map([], subject_entry)?;
    rows.collect()
}

/// Dates subjects. Of one's files one may know the date where another does not; where they differ the earlier one counts.
pub(crate) fn date(connection: &Connection) -> Result<()> {
    let sql = "UPDATE subjects SET date_us = f.date_us FROM (SELECT c.subject_id AS id, min(s.date_us) AS date_us \
               FROM sources s JOIN cells c ON c.id = s.cell_id GROUP BY c.subject_id) f \
               WHERE subjects.id = f.id AND subjects.date_us IS NOT f.date_us";
    connection.execute(sql, []).map(|_| ())
}

fn subject_entry(row: &Row<'_>) -> Result<SubjectEntry> {
    let (kind, text): (String, String) = (row.get(1)?, row.get(2)?);
    let date = row.get::<_, Option<i64>>(3)?.map(|unix_us| Timestamp { unix_us });
    let began = Timestamp { unix_us: row.get(4)? };
    Ok(SubjectEntry { id: row.get(0)?, subject: subject_of(&kind, text, date, began), began })
}

/// Returns a subject as the index keeps it; `began` is when it was measured.
pub(crate) fn subject_of(kind: &str, text: String, date: Option<Timestamp>, began: Timestamp) -> Subject {
    match kind {
        "commit" => Subject::Commit { hash: text, date },
        "version" => {
            let (package, version) = text.split_once("==").unwrap_or((&text, ""));
            Subject::Version { package: package.into(), version: version.into() }
        }
        "tree" => Subject::Tree { tree: text, parent: None },
        _ => Subject::Date { date: date.unwrap_or(began) },
    }
}

/// Keeps where subjects stand.
pub(crate) fn place(connection: &Connection, placed: &[Placed]) -> Result<()> {
    let mut statement = connection.prepare(
        "UPDATE subjects SET position = ?2, on_line = ?3 WHERE id = ?1 AND (position IS NOT ?2 OR on_line IS NOT ?3)",
    )?;
    for one in placed {
        statement.execute(params![one.id, one.position as i64, one.on_line])?;
    }
    Ok(())
}
