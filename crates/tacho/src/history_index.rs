//! The index of a project's history, brought up to date: files that changed are read, outcomes folded, subjects placed.

mod files;
mod fold;
mod placing;

use tacho_model::Purpose;
use tacho_query::{FileStamp, Freshness, Index, Update};

use crate::context::Context;
use crate::error::{CommandError, Result, WithHint};
use crate::progress::Progress;
use crate::settings::Settings;

use files::Files;
use fold::{Read, folded};

/// So many files that cannot be read are named; the others are counted.
const MOST_NAMED: usize = 20;

/// The index, and what of the history it could not take in.
pub(crate) struct Indexed {
    pub(crate) index: Index,
    /// Files that could not be read, and why.
    pub(crate) unread: Vec<(String, String)>,
}

/// Opens the index and brings it up to date; with `rebuild` everything is read again. What cannot be read is told.
pub(crate) fn up_to_date(settings: Option<&Settings>, context: &Context<'_>, rebuild: bool) -> Result<Indexed> {
    let files = Files::find(settings, context)?;
    let path = files.store.cache_folder()?.join("index").join("index.sqlite");
    let (mut index, freshness) = Index::open(&path, &files.recipe)
        .hint("it is made from records and can be made again: `tacho index --rebuild`, or remove it")?;
    tell_of(freshness, context);
    if rebuild {
        index.clear(&files.recipe)?;
    }
    let tip = placing::tip(settings);
    if !index.pending(&files.stamps)?.is_empty() || index.line()?.as_deref() != Some(&tip) {
        let mut update = index.update()?;
        let progress = Progress::new(context.console);
        take_in(&mut update, &files, &progress)?;
        progress.end();
        placing::place(&mut update, settings, &tip)?;
        update.commit()?;
    }
    let mut unread: Vec<(String, String)> =
        files.unreadable.iter().map(|file| (files.name(&file.path), file.error.line())).collect();
    unread.extend(index.unread()?.into_iter().map(|file| (file.path, file.reason)));
    tell_of_unread(&unread, context);
    Ok(Indexed { index, unread })
}

fn tell_of(freshness: Freshness, context: &Context<'_>) {
    match freshness {
        Freshness::OtherVersion { is_newer: true } => {
            context.console.talk("The index was made by a newer version of tacho: it is made anew");
        }
        Freshness::Damaged => context.console.warn("the index was damaged: it is made anew"),
        Freshness::Kept | Freshness::New | Freshness::OtherVersion { .. } | Freshness::OtherRecipe => {}
    }
}

fn tell_of_unread(unread: &[(String, String)], context: &Context<'_>) {
    for (_, reason) in unread.iter().take(MOST_NAMED) {
        context.console.warn(&format!("left out: {reason}"));
    }
    if unread.len() > MOST_NAMED {
        let n = unread.len() - MOST_NAMED;
        context.console.warn(&format!("left out: {n} more: `tacho index --json` names all"));
    }
}

/// Reads what has changed, one file at a time.
fn take_in(update: &mut Update<'_>, files: &Files<'_>, progress: &Progress) -> Result<()> {
    let pending = update.pending(&files.stamps)?;
    for path in &pending.vanished {
        update.forget(path)?;
    }
    for stamp in &pending.changed {
        update.forget(&stamp.path)?;
    }
    for (step, stamp) in pending.changed.iter().enumerate() {
        progress.step(step as u64, pending.changed.len() as u64, &stamp.path);
        take_file(update, files, stamp)?;
    }
    write_stale(update, files)
}

fn take_file(update: &mut Update<'_>, files: &Files<'_>, stamp: &FileStamp) -> Result<()> {
    match files.read(&stamp.path) {
        Ok(read) if enters_history(&read) => {
            if let Some(cell) = update.attach(stamp, read.digest(), read.provenance())?
                && let Some(whole) = folded(vec![(stamp.path.clone(), read)])
            {
                update.write(cell, &files.declared(whole.results), &whole.source, whole.n_runs)?;
            }
        }
        Ok(_) => update.pass_over(stamp, None)?,
        // Other JSON among asv's results.
        Err(error) if error.is_foreign() && files.is_asvs(&stamp.path) => update.pass_over(stamp, None)?,
        Err(error) => update.pass_over(stamp, Some(&error.line()))?,
    }
    Ok(())
}

/// Writes the cells whose files are more or fewer than they were.
fn write_stale(update: &mut Update<'_>, files: &Files<'_>) -> Result<()> {
    for (cell, paths) in update.stale()? {
        let read = paths.into_iter().filter_map(|path| files.read(&path).ok().map(|read| (path, read)));
        match folded(read.collect()) {
            Some(whole) => update.write(cell, &files.declared(whole.results), &whole.source, whole.n_runs)?,
            None => update.drop_cell(cell)?,
        }
    }
    Ok(())
}

fn enters_history(read: &Read) -> bool {
    let provenance = read.provenance();
    provenance.purpose == Purpose::History && provenance.subject.enters_history()
}

/// The way out where the index itself is in trouble.
pub(crate) fn with_way_out(error: CommandError) -> CommandError {
    error.hint("`tacho index --rebuild` makes the index anew from what is kept")
}
