//! Where subjects stand in history, asked of the repository when it or what is measured has changed.

use std::collections::HashSet;

use tacho_model::Subject;
use tacho_query::{Placed, SubjectEntry, Update};

use crate::commands::show::series::order::{Dated, in_history};
use crate::error::Result;
use crate::mainline::{self, Mainline};
use crate::settings::Settings;

/// Returns the newest commit of the first-parent line: while it stays, the line does. Empty without a repository.
pub(super) fn tip(settings: Option<&Settings>) -> String {
    settings.and_then(mainline::tip).unwrap_or_default()
}

/// Keeps the order of history of all subjects.
pub(super) fn place(update: &mut Update<'_>, settings: Option<&Settings>, tip: &str) -> Result<()> {
    let mainline = Mainline::of(settings);
    let subjects = update.subjects()?;
    let aside = aside(&subjects, &mainline);
    // `None` for what is no commit that the repository knows.
    let is_on_line = |subject: &Subject| match subject {
        Subject::Commit { hash, .. } => match mainline.place_of(hash) {
            Some(_) => Some(true),
            None => aside.contains(hash).then_some(false),
        },
        _ => None,
    };
    let dated = |SubjectEntry { id, subject, began }| Dated { subject, began, content: id };
    let ordered = in_history(subjects.into_iter().map(dated).collect(), mainline.commits());
    let placed = ordered.iter().enumerate().map(|(position, dated)| Placed {
        id: dated.content,
        position: position as u64,
        on_line: is_on_line(&dated.subject),
    });
    Ok(update.place(&placed.collect::<Vec<Placed>>(), tip)?)
}

/// Returns the commits that the repository knows beside the line.
fn aside(subjects: &[SubjectEntry], mainline: &Mainline) -> HashSet<String> {
    let others = subjects.iter().filter_map(|entry| match &entry.subject {
        Subject::Commit { hash, .. } if mainline.place_of(hash).is_none() => Some(hash.as_str()),
        _ => None,
    });
    let others: Vec<&str> = others.collect();
    if mainline.commits().is_empty() { HashSet::new() } else { mainline.known(&others) }
}
