//! The index of a project's history, brought up to date: files that changed are read, outcomes folded, subjects placed.

mod files;
mod fold;
mod placing;
mod reading;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use tacho_query::{CellId, FileStamp, Freshness, Index, QueryError, Update};

use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::progress::Progress;
use crate::settings::Settings;

use files::Files;
use fold::{Said, Whole, folded};
use reading::Taken;

/// So many files that cannot be read are named; the others are counted.
const MOST_NAMED: usize = 20;

/// Fewer files are taken in as they are, however many there are beside them.
const MANY_CHANGED: usize = 64;

/// The index, and what of the history it could not take in.
pub(crate) struct Indexed {
    pub(crate) index: Index,
    /// Files that could not be read, and why.
    pub(crate) unread: Vec<(String, String)>,
}

/// Opens the index and brings it up to date; with `rebuild` everything is read again. What cannot be read is told.
pub(crate) fn up_to_date(settings: Option<&Settings>, context: &Context<'_>, rebuild: bool) -> Result<Indexed> {
    let files = Files::find(settings, context)?;
    let index = match files.store.cache_folder() {
        Ok(folder) => match updated(&path_in(&folder), settings, context, &files, rebuild) {
            Err(Failure::Unwritable(error)) => elsewhere(error, settings, context, &files, rebuild),
            result => result.map_err(CommandError::from),
        },
        Err(error) => elsewhere(error.into(), settings, context, &files, rebuild),
    }?;
    let mut unread: Vec<(String, String)> =
        files.unreadable.iter().map(|file| (files.name(&file.path), file.error.line())).collect();
    unread.extend(index.unread()?.into_iter().map(|file| (file.path, file.reason)));
    tell_of_unread(&unread, context);
    Ok(Indexed { index, unread })
}

fn path_in(cache: &Path) -> PathBuf {
    cache.join("index").join("index.sqlite")
}

/// Uses an index below the user's own cache, where the project's cannot be written.
fn elsewhere(
    error: CommandError,
    settings: Option<&Settings>,
    context: &Context<'_>,
    files: &Files<'_>,
    rebuild: bool,
) -> Result<Index> {
    let root = files.store.root().canonicalize().unwrap_or_else(|_| files.store.root().to_owned());
    let mut hasher = DefaultHasher::new();
    root.hash(&mut hasher);
    let path = path_in(&context.dirs.cache.join("indexes").join(format!("{:016x}", hasher.finish())));
    context.console.talk(&format!("{}: the index is kept in `{}`", error.message(), path.display()));
    updated(&path, settings, context, files, rebuild).map_err(CommandError::from)
}

/// Why an index could not be brought up to date.
enum Failure {
    /// Its place cannot be written.
    Unwritable(CommandError),
    /// It turned out to be damaged.
    Damaged(CommandError),
    Other(CommandError),
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> CommandError {
        match failure {
            Failure::Unwritable(error) | Failure::Damaged(error) | Failure::Other(error) => error,
        }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Failure {
        match (error.is_unwritable(), error.is_damage()) {
            (true, _) => Failure::Unwritable(error.into()),
            (false, true) => Failure::Damaged(error.into()),
            (false, false) => Failure::Other(error.into()),
        }
    }
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Failure {
        Failure::Other(error)
    }
}

/// Brings the index up to date, one that is found damaged meanwhile by making it anew.
fn updated(
    path: &Path,
    settings: Option<&Settings>,
    context: &Context<'_>,
    files: &Files<'_>,
    rebuild: bool,
) -> std::result::Result<Index, Failure> {
    match updated_once(path, settings, context, files, rebuild) {
        Err(Failure::Damaged(_)) if !rebuild => {
            tell_of(Freshness::Damaged, context);
            updated_once(path, settings, context, files, true)
        }
        result => result,
    }
}

fn updated_once(
    path: &Path,
    settings: Option<&Settings>,
    context: &Context<'_>,
    files: &Files<'_>,
    rebuild: bool,
) -> std::result::Result<Index, Failure> {
    let (mut index, freshness) = match Index::open(path, &files.recipe) {
        Err(error) if !error.is_unwritable() => {
            let hint = "it is made from records and can be made again: `tacho index --rebuild`, or remove it";
            return Err(Failure::Other(CommandError::from(error).hint(hint)));
        }
        result => result?,
    };
    tell_of(freshness, context);
    let tip = placing::tip(settings);
    if rebuild {
        // Nothing is asked of what is there: it may be why somebody wants it made anew.
        index.clear(&files.recipe)?;
    } else {
        let pending = index.pending(&files.stamps, &files.runs)?;
        // Rows that nearly all change are written faster in order than one by one.
        let is_most = pending.changed.len() > MANY_CHANGED && 2 * pending.changed.len() > files.stamps.len();
        if is_most && freshness == Freshness::Kept {
            index.clear(&files.recipe)?;
        } else if pending.is_empty() && index.line()?.as_deref() == Some(&tip) {
            return Ok(index);
        }
    }
    let mut update = index.update()?;
    let progress = Progress::new(context.console);
    let taken_in = take_in(&mut update, files, &progress);
    progress.end();
    taken_in?;
    placing::place(&mut update, settings, &tip)?;
    update.commit()?;
    Ok(index)
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

/// Reads what has changed, and writes one file at a time.
fn take_in(update: &mut Update<'_>, files: &Files<'_>, progress: &Progress) -> std::result::Result<(), Failure> {
    let pending = update.pending(&files.stamps, &files.runs)?;
    for path in pending.vanished.iter().chain(pending.changed.iter().map(|stamp| &stamp.path)) {
        update.forget(path)?;
    }
    let changed = files.in_history(pending.changed);
    let mut step = 0;
    reading::in_order(files, &changed, |stamp, taken| {
        progress.step(step, changed.len() as u64, &stamp.path);
        step += 1;
        Ok::<(), Failure>(take_file(update, stamp, taken)?)
    })?;
    Ok(write_stale(update, files)?)
}

fn take_file(update: &mut Update<'_>, stamp: &FileStamp, taken: Taken) -> std::result::Result<(), QueryError> {
    match taken {
        Taken::Whole { provenance, digest, exported_from, whole } => {
            let cell = update.attach(stamp, digest.as_deref(), &provenance)?;
            if !exported_from.is_empty() {
                update.is_exported(stamp, &exported_from)?;
            }
            if let Some(cell) = cell {
                write(update, cell, &whole)?;
            }
        }
        Taken::Nothing => update.pass_over(stamp, None)?,
        Taken::Hidden(run_id) => update.hide(stamp, &run_id)?,
        Taken::Unread(reason) => update.pass_over(stamp, Some(&reason))?,
    }
    Ok(())
}

fn write(update: &mut Update<'_>, cell: CellId, whole: &Whole) -> std::result::Result<(), QueryError> {
    let Whole { said, source, n_runs } = whole;
    match said {
        Said::Results(results) => update.write(cell, results, source, *n_runs)?,
        Said::Sheets(provenance, sheets) => update.write_sheets(cell, provenance, sheets, source)?,
    }
    Ok(())
}

/// Writes the cells whose files are more or fewer than they were.
fn write_stale(update: &mut Update<'_>, files: &Files<'_>) -> std::result::Result<(), QueryError> {
    for (cell, paths) in update.stale()? {
        let read = paths.into_iter().filter_map(|path| files.read(&path).ok().map(|read| (path, read)));
        match folded(read.collect()) {
            Some(whole) => write(update, cell, &reading::declared(files, whole))?,
            None => update.drop_cell(cell)?,
        }
    }
    Ok(())
}

/// The way out where the index itself is in trouble.
pub(crate) fn with_way_out(error: CommandError) -> CommandError {
    error.hint("`tacho index --rebuild` makes the index anew from what is kept")
}
