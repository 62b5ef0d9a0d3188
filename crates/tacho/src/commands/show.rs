//! `tacho show`: reads runs back.

mod choice;
pub(crate) mod series;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use tacho_measure::matching::Selection;
use tacho_model::{BenchmarkTime, Outcome, Run, Subject};
use tacho_report::{RecordEntry, ShowOptions, Shown};
use tacho_store::Unreadable;

use crate::commands::compare::library::{Kept, Library, Whole};
use crate::context::{Context, shell_word};
use crate::error::{CommandError, Result, WithHint, way_out};
use crate::exit;
use crate::settings::Settings;
use crate::suite_problems;

pub(crate) use choice::{fits_environment, fits_subject, names_run, pooled_before, resolved, same_series};

/// Show what was measured: values, spread, outcomes, and where they come from
///
/// Without COMMIT the newest run is shown. With one, the newest run of each machine and environment at that
/// commit, work tree or version. asv's results are read as they lie, beside records.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A commit (revision or prefix of a hash), a work tree's id, a version, a run's id, or a path: a record, a result file of asv's, a
    /// folder of either
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
    let asked = Asked::of(&args, context);
    let library = match &asked {
        Asked::Folder(path) => Library::of_folder(path, settings.as_ref(), context)?,
        _ => Library::open(settings.as_ref(), context)
            .hint("records are looked for where `store.dir` says: see `tacho config show`")?,
    };
    if library.has_only_unreadable() && !matches!(asked, Asked::File(_)) {
        let message = format!("none of the runs that are kept in `{}` can be read", library.root().display());
        return Err(CommandError::new(message).hint("each is named above, with what is wrong with it"));
    }
    let (wholes, others, mut code) = match &asked {
        Asked::File(path) => (vec![library.whole_file(path)?], vec![], exit::YES),
        _ => {
            let kept = kept(&asked, &args, &library)?;
            if args.list {
                return list(&args, &kept, settings.as_ref(), context).map(|code| partial(code, &library));
            }
            let chosen = match asked {
                Asked::Subject(_) => choice::of_each_place(&kept),
                _ => choice::newest(&kept, &args, settings.as_ref(), library.root())?,
            };
            let (wholes, code) = readable(&library, &chosen, context)?;
            (wholes, if args.commit.is_none() { kept } else { vec![] }, code)
        }
    };
    code = partial(code, &library);
    if let Some(limit) = args.durations {
        return durations(&args, &selection, &wholes, limit.0, context).map(|_| code);
    }
    show(&args, &selection, &wholes, context)?;
    tell_of_others(&wholes, &others, context);
    Ok(code)
}

/// What COMMIT asks for.
enum Asked {
    /// The newest run.
    Newest,
    /// A commit, a version, a work tree or a run.
    Subject(String),
    /// A file of benchmarks that was measured on its own.
    Suite(String),
    /// A record, or a result file of asv's.
    File(PathBuf),
    /// A folder of either.
    Folder(PathBuf),
}

impl Asked {
    /// What is a file or folder and looks like one is one.
    fn of(args: &ShowArgs, context: &Context<'_>) -> Asked {
        let Some(word) = &args.commit else { return Asked::Newest };
        let path = context.cwd.join(word);
        if word.ends_with(".py") {
            Asked::Suite(word.clone())
        } else if path.is_file() && Path::new(word).extension().is_some() {
            Asked::File(path)
        } else if path.is_dir() && (word.contains('/') || word == ".") {
            Asked::Folder(path)
        } else {
            Asked::Subject(word.clone())
        }
    }
}

/// Returns the runs that are asked for, oldest first.
fn kept(asked: &Asked, args: &ShowArgs, library: &Library<'_>) -> Result<Vec<Kept>> {
    let all = || choice::sorted(library.all(|provenance| choice::passes(provenance, args)));
    match asked {
        Asked::Subject(word) => {
            let at_subject = library.at_subject(word)?;
            let n_all = at_subject.len();
            let left: Vec<Kept> =
                at_subject.into_iter().filter(|kept| choice::passes(&kept.provenance, args)).collect();
            match left.is_empty() && n_all > 0 {
                true => {
                    Err(CommandError::new(format!("no results of `{word}` on this machine or in this environment"))
                        .hint(format!(
                            "leave -m and -E out, or see where it was measured with `tacho show {} --list`",
                            shell_word(word)
                        )))
                }
                false => Ok(choice::sorted(left)),
            }
        }
        Asked::Suite(word) => choice::of_file(all(), word),
        _ => Ok(all()),
    }
}

/// Returns the exit code of an answer that files may be missing from.
fn partial(code: u8, library: &Library<'_>) -> u8 {
    if code == exit::YES && library.is_partial() { exit::PARTIAL } else { code }
}

/// Who asks for the newest run sees one environment of many: says so, and what shows them all.
fn tell_of_others(shown: &[Whole], kept: &[Kept], context: &Context<'_>) {
    let [Whole { run, .. }] = shown else { return };
    let others = choice::n_places_beside(&run.provenance, kept);
    let subject = &run.provenance.subject;
    if others > 0 && !matches!(subject, Subject::Date { .. }) {
        let word = match subject {
            Subject::Version { version, .. } => version.clone(),
            _ => subject.short(),
        };
        let word = shell_word(&word);
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
fn readable(library: &Library<'_>, chosen: &[Vec<&Kept>], context: &Context<'_>) -> Result<(Vec<Whole>, u8)> {
    let (mut wholes, mut errors) = (Vec::new(), Vec::new());
    for group in chosen {
        match library.whole(group) {
            Ok(whole) => wholes.push(whole),
            Err(error) => errors.push(error),
        }
    }
    let Some(last) = errors.pop() else { return Ok((wholes, exit::YES)) };
    errors.iter().for_each(|error| context.console.complain(&error.text()));
    if wholes.is_empty() {
        return Err(last.hint("`tacho show --list` tells of the others, `tacho show RUN` shows one"));
    }
    context.console.complain(&last.text());
    Ok((wholes, exit::PARTIAL))
}

fn show(args: &ShowArgs, selection: &Selection, wholes: &[Whole], context: &Context<'_>) -> Result<()> {
    let outcomes = wholes.iter().map(|whole| selected(whole, selection)).collect::<Result<Vec<Vec<Outcome>>>>()?;
    // Of what could not be built there is nothing to find, and its page says why.
    let is_built = wholes.iter().any(|whole| whole.run.provenance.build_failure().is_none());
    if is_built && outcomes.iter().all(Vec::is_empty) && !args.bench.is_empty() {
        let names: BTreeSet<&str> = wholes.iter().flat_map(Whole::benchmarks).collect();
        let names: Vec<&str> = names.into_iter().collect();
        return Err(suite_problems::not_found(&args.bench, &names, "tacho show"));
    }
    // Who asks for some benchmarks does not ask what became of the others.
    let without_problems = |run: &Run| match args.bench.is_empty() {
        true => run.clone(),
        false => Run { problems: vec![], ..run.clone() },
    };
    let runs: Vec<Run> = wholes.iter().map(|whole| without_problems(&whole.run)).collect();
    let counts: Vec<_> = outcomes.iter().map(|outcomes| tacho_judge::counts(outcomes)).collect();
    let of = |index: usize| Shown {
        run: &runs[index],
        outcomes: &outcomes[index],
        counts: &counts[index],
        times: &wholes[index].times,
        by_asv: wholes[index].by_asv,
    };
    let shown: Vec<Shown<'_>> = (0..wholes.len()).map(of).collect();
    if args.json {
        return context.console.data(&tacho_report::json::show(&shown, args.samples));
    }
    let options = ShowOptions { details: args.details };
    let pages: Vec<String> =
        shown.iter().map(|shown| rendered(&tacho_report::show(shown, &options), args, context)).collect();
    context.console.data(&pages.join("\n"))
}

impl Whole {
    /// Returns the names of its benchmarks, with repetitions.
    fn benchmarks(&self) -> impl Iterator<Item = &str> {
        let planned = self.run.planned.iter().map(|plan| plan.benchmark.name.as_str());
        planned.chain(self.outcomes.iter().map(|outcome| outcome.case.benchmark.as_str()))
    }
}

/// Returns the outcomes of the selected cases of a run.
fn selected(whole: &Whole, selection: &Selection) -> Result<Vec<Outcome>> {
    let mut selected = Vec::new();
    if selection.is_everything() {
        return Ok(whole.outcomes.clone());
    }
    if whole.by_asv {
        for group in whole.outcomes.chunk_by(|a, b| a.case.benchmark == b.case.benchmark) {
            let cases: Vec<_> = group.iter().map(|outcome| &outcome.case).collect();
            selected.extend(selection.select_cases(&cases)?.into_iter().map(|at| group[at].clone()));
        }
        return Ok(selected);
    }
    let mut wanted = std::collections::HashSet::new();
    for plan in &whole.run.planned {
        let cases = selection.select(&plan.benchmark)?;
        wanted.extend(cases.into_iter().map(|index| (plan.benchmark.name.as_str(), index)));
    }
    let is_wanted = |outcome: &&Outcome| wanted.contains(&(outcome.case.benchmark.as_str(), outcome.case.index));
    selected.extend(whole.outcomes.iter().filter(is_wanted).cloned());
    Ok(selected)
}

fn rendered(page: &tacho_report::Page, args: &ShowArgs, context: &Context<'_>) -> String {
    if args.markdown { page.markdown() } else { page.terminal(&context.console.screen()) }
}

fn list(args: &ShowArgs, kept: &[Kept], settings: Option<&Settings>, context: &Context<'_>) -> Result<u8> {
    let rows: Vec<RecordEntry> = kept.iter().map(|kept| record_entry(kept, settings)).collect();
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

fn record_entry(kept: &Kept, settings: Option<&Settings>) -> RecordEntry {
    let provenance = &kept.provenance;
    let inner = settings.and_then(|settings| kept.path().strip_prefix(&settings.root).ok());
    RecordEntry {
        run_id: provenance.run_id.clone(),
        started_at: provenance.started_at,
        subject: provenance.subject.clone(),
        machine: provenance.machine.name.clone(),
        environment_label: provenance.environment.label.clone(),
        axes: provenance.environment.axes.clone(),
        n_cases: kept.n_cases.map(|n| n as usize),
        build_failure: provenance.build_failure().map(str::to_owned),
        completeness: kept.completeness,
        purpose: provenance.purpose,
        quick: provenance.settings.quick,
        by_asv: kept.is_asvs(),
        file: inner.unwrap_or(kept.path()).to_string_lossy().into_owned(),
    }
}

fn durations(
    args: &ShowArgs,
    selection: &Selection,
    wholes: &[Whole],
    limit: Option<usize>,
    context: &Context<'_>,
) -> Result<()> {
    let mut times: Vec<BenchmarkTime> = wholes.iter().flat_map(|whole| whole.times.clone()).collect();
    if !selection.is_everything() {
        let mut names = BTreeSet::new();
        for whole in wholes {
            names.extend(selected(whole, selection)?.into_iter().map(|outcome| outcome.case.benchmark));
        }
        times.retain(|time| names.contains(&time.name));
    }
    let mut rows = tacho_judge::durations_of(&times);
    let text = if args.json {
        rows.truncate(limit.unwrap_or(usize::MAX));
        tacho_report::json::durations(&rows)
    } else {
        rendered(&tacho_report::durations(&rows, limit), args, context)
    };
    context.console.data(&text)
}
