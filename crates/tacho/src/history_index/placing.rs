//! Where subjects stand in history, asked of the repository when it or what is measured has changed.

use std::collections::HashSet;

use tacho_measure::git::Git;
use tacho_model::Subject;
use tacho_query::{Placed, SubjectEntry, Update};

use crate::commands::show::series::first_parent_line;
use crate::commands::show::series::order::{Dated, in_history};
use crate::error::Result;
use crate::settings::Settings;

/// Returns the newest commit of the first-parent line: while it stays, the line does. Empty without a repository.
pub(super) fn tip(settings: Option<&Settings>) -> String {
    repository(settings).and_then(|git| git.head().ok()?).unwrap_or_default()
}

fn repository(settings: Option<&Settings>) -> Option<Git> {
    let settings = settings?;
    Some(Git::for_history(&settings.local_repo().unwrap_or_else(|| settings.root.clone())))
}

/// Keeps the order of history of all subjects.
pub(super) fn place(update: &mut Update<'_>, settings: Option<&Settings>, tip: &str) -> Result<()> {
    let line = first_parent_line(settings);
    let subjects = update.subjects()?;
    let commits = Commits::ask(&subjects, &line, settings);
    let dated = |SubjectEntry { id, subject, began }| Dated { subject, began, content: id };
    let ordered = in_history(subjects.into_iter().map(dated).collect(), &line);
    let placed = ordered.iter().enumerate().map(|(position, dated)| Placed {
        id: dated.content,
        position: position as u64,
        on_line: commits.is_on_line(&dated.subject),
    });
    Ok(update.place(&placed.collect::<Vec<Placed>>(), tip)?)
}

/// What the repository says of commits.
struct Commits<'a> {
    line: HashSet<&'a str>,
    off_line: HashSet<String>,
}

impl<'a> Commits<'a> {
    fn ask(subjects: &[SubjectEntry], line: &'a [String], settings: Option<&Settings>) -> Commits<'a> {
        let line: HashSet<&str> = line.iter().map(String::as_str).collect();
        let others = subjects.iter().filter_map(|entry| match &entry.subject {
            Subject::Commit { hash, .. } if !line.contains(hash.as_str()) => Some(hash.as_str()),
            _ => None,
        });
        let others: Vec<&str> = others.collect();
        let known = repository(settings).filter(|_| !line.is_empty()).and_then(|git| git.known_commits(&others).ok());
        Commits { off_line: known.unwrap_or_default(), line }
    }

    /// `None` for what is no commit that the repository knows.
    fn is_on_line(&self, subject: &Subject) -> Option<bool> {
        let Subject::Commit { hash, .. } = subject else { return None };
        match self.line.contains(hash.as_str()) {
            true => Some(true),
            false => self.off_line.contains(hash).then_some(false),
        }
    }
}
