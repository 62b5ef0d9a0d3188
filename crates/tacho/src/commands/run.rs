//! `tacho run`: measures, and keeps every round as it comes.

mod attributes;
mod keep;
mod plan;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use tacho_measure::{Event, ExecuteOptions, Finish, execute};
use tacho_model::{Completeness, Outcome, Run, State};
use tacho_report::Screen;

use crate::context::{Context, quoted};
use crate::error::{CommandError, Result};
use crate::exit;
use crate::interpreter;
use crate::lock::MeasuringLock;
use crate::machine_choice;
use crate::progress::Progress;
use crate::settings::{METHODS, Settings, SuitePath};
use crate::subject_choice::{self, Wish};
use crate::suite_session::{self, SuiteSession};

use attributes::Attributes;
use keep::Keeper;

/// Measure benchmarks and keep every reading
///
/// Without COMMIT the current checkout is measured: HEAD, or the work tree itself when it has changes. With a
/// file, the benchmarks in that file are measured, with or without a project around it.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// What to measure: HEAD or a name for the commit that is checked out, or a file of benchmarks
    #[arg(value_name = "COMMIT|FILE.py")]
    range: Option<String>,
    /// Only benchmarks or cases that this Python regular expression finds (can be repeated)
    #[arg(long, short = 'b', value_name = "REGEX")]
    bench: Vec<String>,
    /// One call, one sample, one round: shows whether everything works, never a baseline
    #[arg(long, short = 'q')]
    quick: bool,
    /// Measure, and keep nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Interpreter to measure in: a path, a name, a version, or `same` [default: the active python3]
    #[arg(long, value_name = "PROGRAM")]
    python: Option<String>,
    /// Environment to measure in: `existing` or `existing:PROGRAM`
    #[arg(long, short = 'E', value_name = "SPEC")]
    environment: Vec<String>,
    /// Name of this machine [default: see `tacho machine`]
    #[arg(long, short = 'm', value_name = "NAME")]
    machine: Option<String>,
    /// Override an attribute of all benchmarks: rounds, repeat, number, sample_time, warmup_time, timeout, …
    #[arg(long, short = 'a', value_name = "NAME=VALUE")]
    attribute: Vec<String>,
    /// Processors that benchmarks may use: `0`, `0-3`, `0,2`
    #[arg(long, value_name = "LIST")]
    cpu_affinity: Option<String>,
    /// How processes of cases are made: auto, fork (asv's `forkserver`), spawn
    #[arg(long, value_name = "METHOD", value_parser = ["auto", "fork", "forkserver", "spawn"])]
    launch_method: Option<String>,
    /// Measuring method
    #[arg(long, value_name = "METHOD", value_parser = METHODS)]
    method: Option<String>,
    /// Say that this commit is measured, whatever is checked out
    #[arg(long, value_name = "COMMIT")]
    set_commit_hash: Option<String>,
    /// Refuse a work tree with changes
    #[arg(long)]
    clean: bool,
    /// Print what failing benchmarks print
    #[arg(long, short = 'e')]
    show_stderr: bool,
    /// Pool with the samples that this commit has already
    #[arg(long)]
    append_samples: bool,
    /// Kept for scripts: samples are always recorded
    #[arg(long, overrides_with = "no_record_samples")]
    record_samples: bool,
    #[arg(long, hide = true)]
    no_record_samples: bool,
    /// Print how long benchmarks took: the slowest N, or `all`
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all")]
    durations: Option<String>,
    /// Wait while another run measures on this machine
    #[arg(long)]
    wait: bool,
}

pub(crate) fn run(args: RunArgs, context: &Context<'_>) -> Result<u8> {
    let wanted = Wanted::of(args, context)?;
    let choice = subject_choice::choose(&wanted.settings, &wanted.wish())?;
    let _lock =
        MeasuringLock::take(&context.dirs, wanted.args.wait, &format!("tacho run in {}", context.cwd.display()))?;
    let mut progress = Progress::new(context.console);
    progress.say("loading the suite");
    let commit = choice.subject.as_ref().filter(|subject| subject.enters_history()).map(tacho_model::Subject::id);
    let affinity = wanted.attributes.affinity.clone();
    let mut session = suite_session::open(context, &wanted.settings, affinity, commit.as_deref())?;
    let git = choice.git.clone();
    let run = plan::plan(&wanted, choice, &mut session, context)?;
    announce(&run, &session, &wanted, context, &progress);
    let mut keeper = Keeper::open(&wanted, &run, &session, context)?;
    progress.start();
    let began = Instant::now();
    let (run, finish) = measure(&wanted, run, &mut session, &mut keeper, context, &progress)?;
    progress.end();
    let kept = keeper.close(finish)?;
    if Some(plan::harness(&wanted, git.as_ref())?) != run.provenance.harness {
        context.console.warn("the suite was changed while it was measured: later rounds may be of another suite");
    }
    report(&wanted, &run, finish, kept.as_deref(), began, context)
}

/// What was asked for, with the settings it leads to.
pub(crate) struct Wanted {
    args: RunArgs,
    settings: Settings,
    attributes: Attributes,
}

impl Wanted {
    fn of(args: RunArgs, context: &Context<'_>) -> Result<Wanted> {
        let file = args.range.as_deref().map(Path::new).filter(|path| is_python_file(&context.cwd, path));
        let mut settings = match file {
            Some(file) => settings_for_file(context, file)?,
            None => context.settings()?,
        };
        let python = interpreter::from_flags(args.python.as_deref(), &args.environment)?;
        settings.python.take_from_flag(python.map(Some), "--python");
        settings.machine.take_from_flag(args.machine.clone().map(Some), "--machine");
        settings.launch_method.take_from_flag(args.launch_method.clone(), "--launch-method");
        settings.method.take_from_flag(args.method.clone(), "--method");
        settings.cpu_affinity.take_from_flag(args.cpu_affinity.clone().map(Some), "--cpu-affinity");
        let attributes = Attributes::parse(&args.attribute, args.quick, settings.cpu_affinity.value.as_deref())?;
        Ok(Wanted { args, settings, attributes })
    }

    fn wish(&self) -> Wish<'_> {
        let is_file = matches!(self.settings.suite.value, SuitePath::File(_));
        Wish {
            range: self.args.range.as_deref().filter(|range| !(is_file && range.ends_with(".py"))),
            set_commit_hash: self.args.set_commit_hash.as_deref(),
            clean: self.args.clean,
        }
    }
}

fn is_python_file(cwd: &Path, path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py") || cwd.join(path).is_file()
}

/// Returns the settings that hold for one file: the project's around it, if there is one, with the file as suite.
pub(crate) fn settings_for_file(context: &Context<'_>, file: &Path) -> Result<Settings> {
    let path: PathBuf = context.cwd.join(file);
    if !path.is_file() {
        return Err(CommandError::new(format!("no file `{}`", file.display())));
    }
    let folder = path.parent().unwrap_or(&context.cwd);
    let mut settings = match context.settings_if_any()? {
        Some(settings) => settings,
        None => Settings {
            store: crate::settings::Setting::default_value(context.store(None).root().to_owned()),
            ..Settings::defaults(folder)
        },
    };
    settings.suite.take_from_flag(Some(SuitePath::File(path.clone())), "FILE.py");
    Ok(settings)
}

/// Says on standard error what is about to be measured, and what should be known about it.
fn announce(run: &Run, session: &SuiteSession, wanted: &Wanted, context: &Context<'_>, progress: &Progress) {
    let Run { provenance, planned, problems, .. } = run;
    let n_cases: usize = planned.iter().map(|plan| plan.cases.len()).sum();
    let subject = tacho_report::subject_text(&provenance.subject);
    let environment = &provenance.environment;
    progress.around(|| {
        context.console.talk(&format!(
            "Measuring {} ({}), {n_cases} cases of {} benchmarks, in {} ({}) on {}.",
            provenance.project,
            subject,
            planned.len(),
            environment.interpreter,
            session.discovery.executable,
            provenance.machine.name,
        ));
        if std::env::var_os("PYTHONPATH").is_some() && std::env::var_os("ASV_PYTHONPATH").is_none() {
            context.console.warn("PYTHONPATH is not handed on to benchmarks; set ASV_PYTHONPATH to give them one");
        }
        let hazards = &session.discovery.fork_hazards;
        if !hazards.is_empty() && wanted.settings.launch_method.value == "auto" {
            let reasons = hazards.join(", ");
            context
                .console
                .talk(&format!("Each case gets a new interpreter, since forking is not safe here: {reasons}."));
        }
        if !problems.is_empty() {
            let screen = Screen { width: context.console.width, colour: false };
            context.console.complain(tacho_report::problems(problems, false).terminal(&screen).trim_end());
        }
    });
}

/// Runs the loop: each round is kept, each finished case told.
fn measure(
    wanted: &Wanted,
    run: Run,
    session: &mut SuiteSession,
    keeper: &mut Keeper,
    context: &Context<'_>,
    progress: &Progress,
) -> Result<(Run, Finish)> {
    let options = ExecuteOptions { settings: wanted.attributes.settings.clone(), numbers: keeper.numbers() };
    let mut run = run;
    let planned = std::mem::take(&mut run.planned);
    let mut failure: Option<CommandError> = None;
    let mut sink = |event: Event<'_>| match event {
        Event::Started { case, step, n_steps, .. } => {
            progress.step(step, n_steps, &case.full_name());
            std::ops::ControlFlow::Continue(())
        }
        Event::Finished { case, round, last } => {
            let benchmark = planned.iter().map(|plan| &plan.benchmark).find(|b| b.name == case.benchmark);
            let kept = keeper.keep(round).and_then(|()| match benchmark {
                Some(benchmark) if last => keeper.tell(benchmark, case, wanted.args.show_stderr, context, progress),
                _ => Ok(()),
            });
            kept.map_or_else(
                |error| {
                    failure = Some(error);
                    std::ops::ControlFlow::Break(())
                },
                std::ops::ControlFlow::Continue,
            )
        }
    };
    let finish = execute(&planned, &options, &mut session.executor, &mut sink);
    run.planned = planned;
    run.rounds = keeper.take_rounds();
    if let Some(error) = failure {
        return Err(error);
    }
    Ok((run, finish?))
}

/// Tells what came of it and what to do next; the exit code says the same.
fn report(
    wanted: &Wanted,
    run: &Run,
    finish: Finish,
    kept: Option<&Path>,
    began: Instant,
    context: &Context<'_>,
) -> Result<u8> {
    let outcomes = tacho_judge::outcomes(run);
    let screen = Screen { width: context.console.width, colour: context.console.colour };
    let counts = tacho_judge::counts(&outcomes);
    let wall_s = began.elapsed().as_secs_f64();
    context.console.data(&tacho_report::run_summary(&outcomes, &counts, wall_s, &show_command(context), &screen))?;
    if let Some(limit) = &wanted.args.durations {
        let limit = limit.parse().ok();
        context.console.data(&tacho_report::durations(&tacho_judge::durations(run), limit).terminal(&screen))?;
    }
    match kept {
        Some(path) => context.console.talk(&format!("Kept in {}.", quoted(&shorter(path, &context.cwd)))),
        None => context.console.talk("Nothing was kept (--dry-run)."),
    }
    if finish == Finish::Stopped {
        context.console.complain("Interrupted: what was measured so far is kept, as a partial run.");
    }
    Ok(code(wanted, run, &outcomes, finish))
}

/// The command that shows this run, from where the user is.
fn show_command(context: &Context<'_>) -> String {
    match &context.config_flag {
        Some(config) => format!("tacho --config {} show", quoted(config)),
        None => "tacho show".into(),
    }
}

fn shorter(path: &Path, cwd: &Path) -> PathBuf {
    path.strip_prefix(cwd).map_or_else(|_| path.to_owned(), Path::to_owned)
}

fn code(wanted: &Wanted, run: &Run, outcomes: &[Outcome], finish: Finish) -> u8 {
    let measured = outcomes.iter().any(|outcome| outcome.state == State::Measured);
    let failed = outcomes.iter().any(|outcome| outcome.state.is_failure());
    // A module that cannot be imported matters where everything was asked for; with -b it may be beside the point.
    let lost_modules = !run.problems.is_empty() && wanted.args.bench.is_empty();
    match (measured, failed || lost_modules || finish == Finish::Stopped) {
        (false, _) => exit::NO_ANSWER,
        (true, true) => exit::PARTIAL,
        (true, false) => exit::YES,
    }
}

/// Returns the completeness that a run has while it is going on.
const fn open() -> Completeness {
    Completeness::Interrupted
}

/// Returns this machine as it is kept in records.
fn machine(wanted: &Wanted, context: &Context<'_>) -> Result<tacho_model::Machine> {
    let name = wanted.settings.machine.value.as_deref();
    Ok(machine_choice::for_records(machine_choice::this_machine(context, name)?))
}
