//! `tacho check`: whether a suite can be measured, without measuring it.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use tacho_measure::matching::Selection;
use tacho_measure::{Discovery, Finish, PythonExecutor, rehearse};
use tacho_model::unit::counted;
use tacho_model::{Planned, Problem, Rehearsal, Remark};
use tacho_report::Checked;

use crate::commands::list;
use crate::commands::run::{settings_asked, shorter};
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::exit;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::suite_problems;
use crate::suite_session;

/// Check that a suite can be measured, without measuring it
///
/// Every module is imported, what benchmarks declare is looked at, and every case is set up and torn down in a
/// process of its own, several at once. The benchmarks themselves are never called. Exits with 1 where something
/// is broken.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Check the benchmarks of one file instead of the suite's
    #[arg(value_name = "FILE.py")]
    file: Option<PathBuf>,
    /// Only benchmarks or cases that this Python regular expression finds (can be repeated)
    #[arg(long, short = 'b', value_name = "REGEX")]
    bench: Vec<String>,
    /// Interpreter to check with: a path, a name, a version, or `same` [default: the active python3]
    #[arg(long, value_name = "PROGRAM")]
    python: Option<String>,
    /// Environment to check in: `existing` or `existing:PROGRAM`
    #[arg(long, short = 'E', value_name = "SPEC")]
    environment: Vec<String>,
    /// How many cases are set up at once [default: the number of processors]
    #[arg(long, short = 'j', value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    jobs: Option<NonZeroUsize>,
    /// Tell how it happened too: tracebacks and what was printed
    #[arg(long)]
    details: bool,
    /// Print JSON (schema tacho.check/1)
    #[arg(long, conflicts_with = "details")]
    json: bool,
}

fn jobs(text: &str) -> std::result::Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "it is a whole number from 1 on".to_owned())
}

pub(crate) fn run(args: CheckArgs, context: &Context<'_>) -> Result<u8> {
    let selection = Selection::parse(&args.bench)?;
    let settings = settings_asked(context, args.file.as_deref(), args.python.as_deref(), &args.environment)?;
    let mut progress = Progress::new(context.console);
    progress.say("loading the suite");
    let (session, remarks) = suite_session::open_to_check(context, &settings)?;
    let discovery = session.discovery;
    let planned = list::select(discovery.benchmarks.clone(), &selection)?;
    if planned.is_empty() && (discovery.problems.is_empty() || !selection.is_everything()) {
        return Err(suite_problems::nothing_selected(&settings, &args.bench, &discovery));
    }
    progress.around(|| announce(&planned, &settings, &discovery, context));
    let (mut problems, mut remarks) = selected(&planned, discovery.problems.clone(), remarks, &selection);
    if !args.json {
        let places = problems.iter_mut().map(|problem| &mut problem.place);
        places.chain(remarks.iter_mut().map(|remark| &mut remark.place)).flatten().for_each(|place| {
            *place = shorter(Path::new(place), &context.cwd).display().to_string();
        });
    }
    let (rehearsals, finish) = rehearsed(&planned, session.executor, args.jobs, &mut progress)?;
    progress.end();
    let checked = Checked { planned: &planned, problems: &problems, remarks: &remarks, rehearsals: &rehearsals };
    print(&args, &checked, context)?;
    if let Some(hint) = suite_problems::missing_package(&settings, &discovery).filter(|_| !problems.is_empty()) {
        context.console.talk(&format!("hint: {hint}"));
    }
    if finish == Finish::Stopped {
        return Err(CommandError::new("interrupted before every case was set up"));
    }
    Ok(if checked.is_fine() { exit::YES } else { exit::NO })
}

/// Says on standard error what is about to be checked, and in what.
fn announce(planned: &[Planned], settings: &Settings, discovery: &Discovery, context: &Context<'_>) {
    let n_cases: usize = planned.iter().map(|plan| plan.cases.len()).sum();
    context.console.talk(&format!(
        "Checking {}, {} of {}, in {} ({}).",
        tacho_report::harmless_line(&settings.project.value),
        counted(n_cases, "case"),
        counted(planned.len(), "benchmark"),
        discovery.interpreter,
        discovery.executable,
    ));
}

fn rehearsed(
    planned: &[Planned],
    executor: PythonExecutor,
    n_jobs: Option<NonZeroUsize>,
    progress: &mut Progress,
) -> Result<(Vec<Rehearsal>, Finish)> {
    let n_jobs = n_jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let n_cases = planned.iter().map(|plan| plan.cases.len() as u64).sum();
    let mut n_done = 0;
    progress.start();
    Ok(rehearse(planned, executor, n_jobs, &mut |rehearsal| {
        n_done += 1;
        progress.step(n_done, n_cases, &rehearsal.case.full_name());
    })?)
}

/// Whoever asks for some benchmarks does not ask what became of the others, nor of modules that hold none of them.
fn selected(
    planned: &[Planned],
    mut problems: Vec<Problem>,
    mut remarks: Vec<Remark>,
    selection: &Selection,
) -> (Vec<Problem>, Vec<Remark>) {
    if !selection.is_everything() {
        let names: HashSet<&str> = planned.iter().map(|plan| plan.benchmark.name.as_str()).collect();
        let modules: HashSet<&str> = planned.iter().map(|plan| plan.benchmark.module.as_str()).collect();
        problems.retain(|problem| match &problem.benchmark {
            Some(name) => names.contains(name.as_str()) || selection.finds(name),
            None => modules.contains(problem.module.as_str()),
        });
        remarks.retain(|remark| names.contains(remark.name.as_str()) || selection.finds(&remark.name));
    }
    (problems, remarks)
}

fn print(args: &CheckArgs, checked: &Checked<'_>, context: &Context<'_>) -> Result<()> {
    if args.json {
        return context.console.data(&tacho_report::json::check(checked));
    }
    context.console.data(&tacho_report::check(checked, args.details).terminal(&context.console.screen()))?;
    let has_more = checked.rehearsals.iter().any(|rehearsal| rehearsal.detail.is_some())
        || checked.problems.iter().any(|problem| !problem.traceback.is_empty());
    if has_more && !args.details {
        context.console.talk("hint: --details tells how it happened");
    }
    Ok(())
}
