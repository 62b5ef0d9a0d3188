//! `tacho list`: the benchmarks and cases of a suite.

use clap::Args;
use tacho_measure::matching::Selection;
use tacho_model::{Benchmark, Planned};

use crate::context::Context;
use crate::error::Result;
use crate::exit;
use crate::interpreter;
use crate::settings::Settings;
use crate::suite_problems;
use crate::suite_session::{self, SuiteSession};

/// List the suite's benchmarks and cases
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only benchmarks or cases that this Python regular expression finds (can be repeated)
    #[arg(long, short = 'b', value_name = "REGEX")]
    bench: Vec<String>,
    /// List every case, a line each
    #[arg(long)]
    cases: bool,
    /// Interpreter to look with: a path, a name, a version, or `same` [default: the active python3]
    #[arg(long, value_name = "PROGRAM")]
    python: Option<String>,
    /// Environment to look in: `existing` or `existing:PROGRAM`
    #[arg(long, short = 'E', value_name = "SPEC")]
    environment: Vec<String>,
    /// List the benchmarks of one file instead of the suite's
    #[arg(value_name = "FILE.py")]
    file: Option<std::path::PathBuf>,
    /// Print JSON (schema tacho.list/1)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: ListArgs, context: &Context<'_>) -> Result<u8> {
    let selection = Selection::parse(&args.bench)?;
    let mut settings = match &args.file {
        Some(file) => super::run::settings_for_file(context, file)?,
        None => context.settings()?,
    };
    let python = interpreter::from_flags(args.python.as_deref(), &args.environment)?;
    settings.python.take_from_flag(python.map(Some), "--python");
    let discovery = opened(context, &settings)?.discovery;
    let planned = select(discovery.benchmarks.clone(), &selection)?;
    let problems = &discovery.problems;
    let screen = context.console.screen();
    let text = match (args.json, args.cases) {
        (true, _) => tacho_report::json::list(&planned, problems, args.cases),
        (false, true) => tacho_report::case_names(&planned).terminal(&screen),
        (false, false) => tacho_report::list(&planned).terminal(&screen),
    };
    if args.json || !planned.is_empty() {
        context.console.data(&text)?;
    }
    if !problems.is_empty() && !args.json {
        context
            .console
            .complain(tacho_report::problems(problems, true).terminal(&context.console.talk_screen()).trim_end());
    }
    if planned.is_empty() {
        return Err(suite_problems::nothing_selected(&settings, &args.bench, &discovery));
    }
    if let Some(hint) = suite_problems::missing_package(&settings, &discovery) {
        context.console.talk(&format!("hint: {hint}"));
    }
    Ok(exit::YES)
}

/// Opens the suite to be looked at only.
///
/// Nothing is forked from the interpreter afterwards, so that it may list the suite itself, which is quicker; where a benchmark's
/// definition ends it, the listing is done in a fork as before a run.
fn opened(context: &Context<'_>, settings: &Settings) -> Result<SuiteSession> {
    let mut quicker = settings.clone();
    quicker.launch_method.value = "spawn".into();
    suite_session::open(context, &quicker, None, None, None)
        .or_else(|_| suite_session::open(context, settings, None, None, None))
}

/// Returns the selected cases of each benchmark that has any, with the rounds that each case gets.
pub(crate) fn select(benchmarks: Vec<Benchmark>, selection: &Selection) -> Result<Vec<Planned>> {
    let mut planned = Vec::new();
    for benchmark in benchmarks {
        let cases = selection.select(&benchmark)?;
        // A benchmark may have no cases at all, where a parameter has no values; it is still part of the suite.
        if !cases.is_empty() || selection.is_everything() {
            let rounds = if benchmark.kind.is_timing() { benchmark.settings.rounds.unwrap_or(2) } else { 1 };
            planned.push(Planned { benchmark, cases, rounds: rounds.max(1) });
        }
    }
    Ok(planned)
}
