//! `tacho changes`: what lastingly changed in the history, newest first.

mod bound;
mod collect;
mod commits;
mod listing;
mod moved;

use clap::Args;
use tacho_measure::matching::Selection;
use tacho_model::{Case, Environment};
use tacho_query::{HistoryReader, SeriesEntry};
use tacho_report::Changes;

use crate::commands::show::{Limit, fits_environment};
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::exit;
use crate::history_index::{self, with_way_out};
use crate::mainline::Mainline;
use crate::nearest;
use crate::progress::Progress;
use crate::searched::{self, Detector};
use crate::settings::Settings;
use crate::suite_problems;

use bound::Bounds;

pub(crate) use collect::{Collector, Found};

/// List what changed in the history for good, newest first
///
/// Each series of the history is searched for lasting changes; those that one commit can explain stand together, with the commits that
/// can be to blame and what else moved with them. Shown is what still holds, is larger than the band of `judge.band_percent`, and is confirmed,
/// or new and large or seen in three series; the rest is counted, and `--all` shows it.
#[derive(Debug, Default, Args)]
pub(crate) struct ChangesArgs {
    /// Only changes after this commit, version or date (`HEAD~20`, `v2.1`, `2026-11-01`, `2weeks`); exit with 1 if one of them is for the worse
    #[arg(long, value_name = "COMMIT|DATE")]
    since: Option<String>,
    /// Only changes up to this commit, version or date
    #[arg(long, value_name = "COMMIT|DATE")]
    until: Option<String>,
    /// Only benchmarks or cases that this Python regular expression finds (can be repeated)
    #[arg(long, short = 'b', value_name = "REGEX")]
    bench: Vec<String>,
    /// Only this machine
    #[arg(long, short = 'm', value_name = "NAME")]
    machine: Option<String>,
    /// Only these environments: values of axes (`python=3.12,req.numpy=2.*`), a label, a tool, or a version of Python
    #[arg(long, short = 'E', value_name = "SPEC")]
    environment: Option<String>,
    /// Only this metric (`time`, `peak_memory`, …)
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// How many times larger or smaller a value must be to matter [default: the band of `judge.band_percent`; with --all 1]
    #[arg(long, short = 'f', value_name = "FACTOR", value_parser = crate::commands::compare::factor, allow_negative_numbers = true)]
    factor: Option<f64>,
    /// Only what got worse
    #[arg(long, conflicts_with = "improvements")]
    regressions: bool,
    /// Only what got better
    #[arg(long)]
    improvements: bool,
    /// Every change that was ever found, of any size, undone or not
    #[arg(long)]
    all: bool,
    /// Find changes by tacho's own method, or by asv's step detection
    #[arg(long, value_name = "METHOD", value_parser = ["own", "asv"], default_value = "own")]
    stats: String,
    /// Show at most N groups of changes, or `all` [default: 20; with --all all]
    #[arg(long, value_name = "N", value_parser = Limit::parse)]
    limit: Option<Limit>,
    /// Print JSON (schema tacho.changes/1)
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

/// So many groups are shown where nobody says how many.
const USUAL_LIMIT: usize = 20;

/// So often the history is searched where others write to the index meanwhile.
const MOST_TRIES: usize = 5;

pub(crate) fn run(args: ChangesArgs, context: &Context<'_>) -> Result<u8> {
    let selection = Selection::parse(&args.bench)?;
    let settings = context.settings_if_any()?;
    let mainline = Mainline::of(settings.as_ref());
    let search = || searched_once(&args, &selection, settings.as_ref(), &mainline, context);
    let tried = (0..MOST_TRIES).find_map(|_| search().transpose());
    let mut listed = tried.unwrap_or_else(|| {
        Err(CommandError::new("the index was written to again and again while it was read")
            .hint("try again when no other `tacho` works on this project"))
    })?;
    // Whatever the limit is.
    let is_worse = listed.groups.iter().flat_map(|group| &group.changes).any(|change| change.is_worse == Some(true));
    let limit = match (args.limit, args.all || args.json) {
        (Some(limit), _) => limit.0,
        (None, everything) => Some(USUAL_LIMIT).filter(|_| !everything),
    };
    listed.n_more = limit.map_or(0, |limit| listed.groups.len().saturating_sub(limit));
    listed.groups.truncate(limit.unwrap_or(usize::MAX));
    commits::describe(&mut listed, &mainline);
    show(&listed, &args, context)?;
    Ok(if args.since.is_some() && is_worse { exit::NO } else { exit::YES })
}

/// Searches the history as it is now; `None` where somebody wrote to the index meanwhile, and what was read does not belong together.
fn searched_once(
    args: &ChangesArgs,
    selection: &Selection,
    settings: Option<&Settings>,
    mainline: &Mainline,
    context: &Context<'_>,
) -> Result<Option<Changes>> {
    let indexed = history_index::up_to_date(settings, context, false)?;
    let path = indexed.index.path().to_owned();
    // Nobody who writes has to wait for the search.
    drop(indexed);
    let reader = HistoryReader::open(&path).map_err(told)?;
    let (all, cells) = (reader.series().map_err(told)?, reader.cells().map_err(told)?);
    if !reader.is_unchanged().map_err(told)? {
        return Ok(None);
    }
    let bounds = Bounds::of(args, &cells, mainline)?;
    let chosen = chosen(&all, selection, args, &cells)?;
    let progress = Progress::new(context.console);
    progress.say("looking for changes");
    let band = |benchmark: &str| match (args.factor, args.all) {
        (Some(factor), _) => factor - 1.0,
        (None, true) => 0.0,
        (None, false) => settings.map_or(crate::commands::compare::DEFAULT_BAND, |s| s.band(benchmark)),
    };
    let detector = if args.stats == "asv" { Detector::Asv } else { Detector::Own };
    let collector = collect::Collector::new(&cells, settings.map_or("", |s| &s.project.value), &band);
    let found = searched::each(&path, &chosen, &cells, detector, |series| collector.of(&series));
    progress.end();
    // Before what went wrong is told: an index that was emptied under the search is no fault of anything.
    if !reader.is_unchanged().map_err(told)? {
        return Ok(None);
    }
    let listed = listing::listed(found?, args, &bounds);
    if all.is_empty() {
        context.console.talk("No runs are kept here yet: measure with `tacho run`");
    }
    tell_of_aside(&cells, context);
    Ok(Some(listed))
}

/// Returns what is listed of all that was found where nothing is asked for but the usual.
pub(crate) fn usually_listed(found: Vec<Found>, mainline: &Mainline) -> Changes {
    let mut listed = listing::listed(found, &ChangesArgs::default(), &Bounds::none());
    commits::describe(&mut listed, mainline);
    listed
}

fn told(error: tacho_query::QueryError) -> CommandError {
    with_way_out(error.into())
}

fn show(listed: &tacho_report::Changes, args: &ChangesArgs, context: &Context<'_>) -> Result<()> {
    let page = || tacho_report::changes(listed, args.all);
    context.console.data(&match (args.json, args.markdown) {
        (true, _) => tacho_report::json::changes(listed),
        (false, true) => page().markdown(),
        (false, false) => page().terminal(&context.console.screen()),
    })
}

/// Returns the series that are asked for.
fn chosen<'a>(
    all: &'a [SeriesEntry],
    selection: &Selection,
    args: &ChangesArgs,
    cells: &collect::Cells,
) -> Result<Vec<&'a SeriesEntry>> {
    let labels = args.environment.as_ref().map(|_| collect::environments(cells));
    let fits = |entry: &SeriesEntry| {
        let key = &entry.key;
        let of_place = |wanted: &String| {
            let known = labels.as_ref().and_then(|labels| labels.get(&(key.machine.clone(), key.axes.clone())));
            let bare = Environment { axes: key.axes.clone(), ..Environment::default() };
            known.map_or_else(
                || fits_environment(&bare, wanted),
                |known| known.iter().any(|e| fits_environment(e, wanted)),
            )
        };
        args.machine.as_ref().is_none_or(|name| key.machine == *name)
            && args.metric.as_ref().is_none_or(|name| key.metric.name == *name)
            && args.environment.as_ref().is_none_or(of_place)
    };
    let mut chosen = Vec::new();
    for group in all.chunk_by(|a, b| a.key.case.benchmark == b.key.case.benchmark) {
        let group: Vec<&SeriesEntry> = group.iter().filter(|entry| fits(entry)).collect();
        let cases: Vec<&Case> = group.iter().map(|entry| &entry.key.case).collect();
        chosen.extend(selection.select_cases(&cases)?.into_iter().map(|at| group[at]));
    }
    if chosen.is_empty() && !all.is_empty() {
        return Err(nothing(all, args));
    }
    Ok(chosen)
}

fn nothing(all: &[SeriesEntry], args: &ChangesArgs) -> CommandError {
    let names = |of: fn(&SeriesEntry) -> &str| {
        let mut names: Vec<&str> = all.iter().map(of).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    if let Some(name) = args.machine.as_ref().filter(|name| all.iter().all(|entry| entry.key.machine != **name)) {
        let known = names(|entry| &entry.key.machine);
        return CommandError::new(format!("no series of a machine `{name}`")).hint(nearest_or_all(name, &known));
    }
    if let Some(name) = args.metric.as_ref().filter(|name| all.iter().all(|entry| entry.key.metric.name != **name)) {
        let known = names(|entry| &entry.key.metric.name);
        return CommandError::new(format!("no series of a metric `{name}`")).hint(nearest_or_all(name, &known));
    }
    if !args.bench.is_empty() {
        return suite_problems::not_found(&args.bench, &names(|entry| &entry.key.case.benchmark), ALL_NAMES);
    }
    CommandError::new("no series fits all that is asked for")
        .hint("`tacho show --list` tells machines and environments")
}

/// Lists all benchmarks of the history.
const ALL_NAMES: &str = "tacho query 'SELECT DISTINCT benchmark FROM results'";

/// So many names are listed where none is near.
const MOST_NAMES: usize = 12;

fn nearest_or_all(name: &str, known: &[&str]) -> String {
    let near = nearest::names(name, known);
    match (near.is_empty(), known.len() > MOST_NAMES) {
        (false, _) => format!("did you mean `{}`?", near.join("`, or `")),
        (true, false) => format!("known here: {}", known.join(", ")),
        (true, true) => format!("known here: {} and {} more", known[..MOST_NAMES].join(", "), known.len() - MOST_NAMES),
    }
}

/// Commits that the repository has beside the line are not searched: says so once, however many there are.
fn tell_of_aside(cells: &collect::Cells, context: &Context<'_>) {
    let aside: std::collections::BTreeSet<String> =
        cells.values().filter(|cell| cell.is_aside).map(|cell| cell.subject.id()).collect();
    if !aside.is_empty() {
        let words = if aside.len() == 1 { "commit that was measured is" } else { "commits that were measured are" };
        let n = aside.len();
        context.console.talk(&format!("{n} {words} not on the project's first-parent line: left out here"));
    }
}
