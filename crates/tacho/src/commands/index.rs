//! `tacho index`: brings the index up to date and tells where it is.

use clap::Args;

use crate::context::Context;
use crate::error::Result;
use crate::exit;
use crate::history_index::{self, Indexed};

/// Bring the index of the history up to date, and tell where it is
///
/// The index is one SQLite file, made from records and asv's results. Commands that need it bring it up to date by
/// themselves, and it may be deleted at any time.
#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// Print the path of the index and nothing else
    #[arg(long, conflicts_with = "json")]
    path: bool,
    /// Read everything again
    #[arg(long)]
    rebuild: bool,
    /// Print JSON (schema tacho.index/1)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: IndexArgs, context: &Context<'_>) -> Result<u8> {
    let settings = context.settings_if_any()?;
    let Indexed { index, unread } = history_index::up_to_date(settings.as_ref(), context, args.rebuild)?;
    let totals = index.totals().map_err(|error| history_index::with_way_out(error.into()))?;
    match index.n_unknown_commits()? {
        0 => {}
        1 => context.console.talk("1 commit is not in the repository: it stands by its date"),
        n => context.console.talk(&format!("{n} commits are not in the repository: they stand by their dates")),
    }
    let code = if unread.is_empty() { exit::YES } else { exit::PARTIAL };
    let shown = tacho_report::Indexed {
        path: index.path().display().to_string(),
        n_files: totals.n_files,
        n_series: totals.n_series,
        n_points: totals.n_points,
        unread,
    };
    context.console.data(&match (args.path, args.json) {
        (true, _) => shown.path,
        (false, true) => tacho_report::json::indexed(&shown),
        (false, false) => tacho_report::indexed(&shown).terminal(&context.console.screen()),
    })?;
    Ok(code)
}
