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
    let found = settings.and_then(|settings| {
        let folder = settings.local_repo().unwrap_or_else(|| settings.root.clone());
        Git::of_commits(&folder).head().ok()?
    });
    found.unwrap_or_default()
}

/// Keeps the order of history of all subjects.
pub(super) fn place(update: &mut Update<'_>, settings: Option<&Settings>, tip: &str) -> Result<()> {
    let line = first_parent_line(settings);
    let on_line: HashSet<&str> = line.iter().map(String::as_str).collect();
    let is_on_line = |subject: &Subject| match subject {
        Subject::Commit { hash, .. } if !line.is_empty() => Some(on_line.contains(hash.as_str())),
        _ => None,
    };
    let dated = |SubjectEntry { id, subject, began }| Dated { subject, began, content: id };
    let ordered = in_history(update.subjects()?.into_iter().map(dated).collect(), &line);
    let placed = ordered.iter().enumerate().map(|(position, dated)| Placed {
        id: dated.content,
        position: position as u64,
        on_line: is_on_line(&dated.subject),
    });
    Ok(update.place(&placed.collect::<Vec<_>>(), tip)?)
}
