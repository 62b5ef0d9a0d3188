//! `tacho.subjects/1`: what was measured, by position.

use serde::Serialize;
use tacho_model::Subject;

use super::{Site, SiteSubject};
use crate::json::compact;
use crate::rfc3339;

pub(super) const SCHEMA: &str = "tacho.subjects/1";

#[derive(Serialize)]
struct Document<'a> {
    subjects: Vec<SubjectTwin<'a>>,
}

#[derive(Serialize)]
struct SubjectTwin<'a> {
    position: u64,
    kind: &'static str,
    subject: String,
    time: Option<String>,
    title: Option<&'a str>,
    tags: &'a [String],
}

pub(super) fn subjects(site: &Site) -> String {
    let subjects = (0..).zip(&site.subjects).map(|(position, SiteSubject { subject, title, tags })| SubjectTwin {
        position,
        kind: subject.kind(),
        subject: name(subject),
        time: subject.date().and_then(rfc3339),
        title: title.as_deref(),
        tags,
    });
    compact(SCHEMA, Document { subjects: subjects.collect() })
}

/// The hash, `package==version`, or the date.
pub(super) fn name(subject: &Subject) -> String {
    match subject {
        Subject::Date { date } => rfc3339(*date).unwrap_or_else(|| subject.id()),
        Subject::Commit { .. } | Subject::Version { .. } | Subject::Tree { .. } => subject.id(),
    }
}
