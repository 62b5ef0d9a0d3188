//! `tacho show`: reads runs back.

mod choice;
pub(crate) mod series;

use std::collections::BTreeSet;

use clap::Args;
use tacho_measure::matching::Selection;
use tacho_model::{Outcome, Run, Subject};
use tacho_report::{RecordEntry, ShowOptions, Shown};
use tacho_store::{Entry, Store, Unreadable};

use crate::context::Context;
use crate::error::{CommandError, Result, WithHint, way_out};
use crate::exit;
use crate::settings::Settings;
use crate::suite_problems;

pub(crate) use choice::{fits_environment, fits_subject, names_run, pooled_before, resolved, same_series};

/// Show what was measured: values, spread, outcomes, and where they come from
///
/// Without COMMIT the newest run is shown. With one, the newest run of each machine and environment at that
/// commit, work tree or version.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A commit (revision or prefix of a hash), a work tree's id, a version, or a run's id
    #[arg(value_name = "COMMIT")]
    commit: Option<String>,
    /// Only benchmarks or cases that this Python regular expression finds (can be repeated)
    #[arg(long, short = 'b', value_name = "REGEX")]
    bench: Vec<String>,
    /// Only runs of this machine
    #[arg(long, short = 'm', value_name = "NAME")]
    machine: Option<String>,
    /// Only runs in these environments: values of axes (`python=3.12,req.numpy=2.*`), a label, a tool, `existing:PROGRAM`, or a
    /// version of Python
    #[arg(long, short = 'E', value_name = "SPEC")]
    environment: Option<String>,
    /// Tell everything: quartiles, intervals, versions, tracebacks, all provenance
    #[arg(long)]
    details: bool,
    /// Show how long benchmarks took: the slowest N, or `all`
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all", value_parser = Limit::parse)]
    durations: Option<Limit>,
    /// List the runs that are kept
    #[arg(long)]
    list: bool,
    /// Show each case over all commits, versions or dates, one table for each machine and combination of axes
    #[arg(long, conflicts_with_all = ["commit", "list", "durations", "details", "samples"])]
    series: bool,
    /// Print JSON (schemas tacho.show/1, tacho.series/1, tacho.records/1, tacho.durations/1)
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print every sample too, in JSON
    #[arg(long, requires = "json")]
    samples: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

/// How many rows: a number, or all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit(pub(crate) Option<usize>);

impl Limit {
    /// Reads a number or `all`.
    pub(crate) fn parse(text: &str) -> std::result::Result<Limit, String> {
        match text {
            "all" => Ok(Limit(None)),
            _ => text.parse().map(|n| Limit(Some(n))).map_err(|_| "it is a number, or `all`".to_owned()),
        }
    }
}

/// Returns the name of the project that a single file stands for.
pub(crate) fn file_project(path: &std::path::Path) -> String {
    path.file_name().map_or_else(|| "file".into(), |name| name.to_string_lossy().into_owned())
}

pub(crate) fn run(args: ShowArgs, context: &Context<'_>) -> Result<u8> {
    let selection = Selection::parse(&args.bench)?;
    let settings = context.settings_if_any()?;
    if args.series {
        return series::run(&args, &selection, settings.as_ref(), context);
    }
    let store = context.store(settings.as_ref());
    let found = store.entries().hint("records are looked for where `store.dir` says: see `tacho config show`")?;
    tell_of_unreadable(&found.unreadable, context);
    if found.entries.is_empty() && !found.unreadable.is_empty() {
        let message = format!("none of the runs that are kept in `{}` can be read", store.root().display());
        return Err(CommandError::new(message).hint("each is named above, with what is wrong with it"));
    }
    let entries = choice::filtered(found.entries, &args);
    if args.list {
        let entries = match &args.commit {
            Some(word) => choice::matching(&entries, word, settings.as_ref())?.into_iter().cloned().collect(),
            None => entries,
        };
        return list(&args, &entries, settings.as_ref(), context);
    }
    let chosen = choice::choose(&entries, &args, settings.as_ref(), store.root())?;
    let (mut runs, code) = readable(&store, &chosen, context)?;
    if !args.bench.is_empty() {
        // Who asks for some benchmarks does not ask what became of the others.
        runs.iter_mut().for_each(|run| run.problems.clear());
    }
    if let Some(limit) = args.durations {
        return durations(&args, &selection, &mut runs, limit.0, context).map(|_| code);
    }
    show(&args, &selection, &runs, context)?;
    if args.commit.is_none() {
        tell_of_others(&runs, &entries, context);
    }
    Ok(code)
}

/// Who asks for the newest run sees one environment of many: says so, and what shows them all.
fn tell_of_others(runs: &[Run], entries: &[Entry], context: &Context<'_>) {
    let [run] = runs else { return };
    let others = choice::n_places_beside(&run.provenance, entries);
    let subject = &run.provenance.subject;
    if others > 0 && !matches!(subject, Subject::Date { .. }) {
        let word = match subject {
            Subject::Version { version, .. } => version.clone(),
            _ => subject.short(),
        };
        let word = crate::context::shell_word(&word);
        context.console.talk(&format!(
            "It was measured in other environments or on other machines too ({others}): `tacho show {word}` shows all"
        ));
    }
}

/// Says of each file that is no record, or cannot be read as one, why it is left out, and what to do about it.
pub(crate) fn tell_of_unreadable(unreadable: &[Unreadable], context: &Context<'_>) {
    for file in unreadable {
        context.console.warn(&format!("left out: {}", file.error.line()));
    }
    let hints: BTreeSet<&str> = unreadable.iter().filter_map(|file| way_out(&file.error)).collect();
    for hint in hints {
        context.console.talk(&format!("hint: {hint}"));
    }
}

/// Reads the runs that can be read, with the exit code that this deserves. One that is damaged hides no other.
fn readable(store: &Store, chosen: &[Vec<&Entry>], context: &Context<'_>) -> Result<(Vec<Run>, u8)> {
    let (mut runs, mut errors) = (Vec::new(), Vec::new());
    for group in chosen {
        match choice::pooled(store, group) {
            Ok(run) => runs.push(run),
            Err(error) => errors.push(error),
        }
    }
    let Some(last) = errors.pop() else { return Ok((runs, exit::YES)) };
    errors.iter().for_each(|error| context.console.complain(&error.text()));
    if runs.is_empty() {
        return Err(last.hint("`tacho show --list` tells of the others, `tacho show RUN` shows one"));
    }
    context.console.complain(&last.text());
    Ok((runs, exit::PARTIAL))
}

fn show(args: &ShowArgs, selection: &Selection, runs: &[Run], context: &Context<'_>) -> Result<u8> {
    let outcomes = runs.iter().map(|run| selected(run, selection)).collect::<Result<Vec<Vec<Outcome>>>>()?;
    // Of what could not be built there is nothing to find, and its page says why.
    let is_built = runs.iter().any(|run| run.provenance.build_failure().is_none());
    if is_built && outcomes.iter().all(Vec::is_empty) && !args.bench.is_empty() {
        let planned = runs.iter().flat_map(|run| &run.planned);
        let names: BTreeSet<&str> = planned.map(|plan| plan.benchmark.name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        return Err(suite_problems::not_found(&args.bench, &names, "tacho show"));
    }
    let counts: Vec<_> = outcomes.iter().map(|outcomes| tacho_judge::counts(outcomes)).collect();
    let shown = Shown::each(runs, &outcomes, &counts);
    if args.json {
        context.console.data(&tacho_report::json::show(&shown, args.samples))?;
        return Ok(exit::YES);
    }
    let options = ShowOptions { details: args.details };
    let pages: Vec<String> =
        shown.iter().map(|shown| rendered(&tacho_report::show(shown, &options), args, context)).collect();
    context.console.data(&pages.join("\n"))?;
    Ok(exit::YES)
}

/// Returns the outcomes of the selected cases of a run.
fn selected(run: &Run, selection: &Selection) -> Result<Vec<Outcome>> {
    let mut outcomes = tacho_judge::outcomes(run);
    if !selection.is_everything() {
        let mut wanted = std::collections::HashSet::new();
        for plan in &run.planned {
            let cases = selection.select(&plan.benchmark)?;
            wanted.extend(cases.into_iter().map(|index| (plan.benchmark.name.as_str(), index)));
        }
        outcomes.retain(|outcome| wanted.contains(&(outcome.case.benchmark.as_str(), outcome.case.index)));
    }
    Ok(outcomes)
}

fn rendered(page: &tacho_report::Page, args: &ShowArgs, context: &Context<'_>) -> String {
    if args.markdown { page.markdown() } else { page.terminal(&context.console.screen()) }
}

fn list(args: &ShowArgs, entries: &[Entry], settings: Option<&Settings>, context: &Context<'_>) -> Result<u8> {
    let rows: Vec<RecordEntry> = entries.iter().map(record_entry).collect();
    if args.json {
        context.console.data(&tacho_report::json::records(&rows))?;
    } else if rows.is_empty() {
        let is_filtered = args.machine.is_some() || args.environment.is_some();
        context.console.talk(if is_filtered { "No such runs are kept here." } else { "No runs are kept here yet." });
        for hint in choice::what_to_do(args, settings) {
            context.console.talk(&format!("hint: {hint}"));
        }
    } else {
        context.console.data(&rendered(&tacho_report::records(&rows), args, context))?;
    }
    Ok(exit::YES)
}

fn record_entry(entry: &Entry) -> RecordEntry {
    let provenance = &entry.provenance;
    RecordEntry {
        run_id: provenance.run_id.clone(),
        started_at: provenance.started_at,
        subject: provenance.subject.clone(),
        machine: provenance.machine.name.clone(),
        environment_label: provenance.environment.label.clone(),
        axes: provenance.environment.axes.clone(),
        n_cases: entry.n_cases as usize,
        build_failure: provenance.build_failure().map(str::to_owned),
        completeness: entry.completeness,
        purpose: provenance.purpose,
        quick: provenance.settings.quick,
    }
}

fn durations(
    args: &ShowArgs,
    selection: &Selection,
    runs: &mut [Run],
    limit: Option<usize>,
    context: &Context<'_>,
) -> Result<u8> {
    for run in &mut *runs {
        let mut kept = Vec::new();
        for plan in std::mem::take(&mut run.planned) {
            if !selection.select(&plan.benchmark)?.is_empty() {
                kept.push(plan);
            }
        }
        run.planned = kept;
    }
    let mut rows = tacho_judge::durations_of(runs);
    let text = if args.json {
        rows.truncate(limit.unwrap_or(usize::MAX));
        tacho_report::json::durations(&rows)
    } else {
        rendered(&tacho_report::durations(&rows, limit), args, context)
    };
    context.console.data(&text)?;
    Ok(exit::YES)
}
