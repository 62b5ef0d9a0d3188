//! `tacho run`: measures, and keeps every round as it comes.

mod attributes;
mod differences;
mod keep;
mod plan;
mod resume;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use tacho_measure::matching::Selection;
use tacho_measure::{Event, ExecuteOptions, Finish, execute};
use tacho_model::unit::counted;
use tacho_model::{Benchmark, Completeness, Outcome, Problem, Run, State};
use tacho_report::{NextSteps, Shown};

use crate::commands::show::Limit;
use crate::context::{Context, quoted, shell_word};
use crate::error::{CommandError, Result};
use crate::exit;
use crate::interpreter;
use crate::lock::MeasuringLock;
use crate::machine_choice;
use crate::progress::Progress;
use crate::settings::{METHODS, Origin, Setting, Settings, SuitePath};
use crate::subject_choice::{self, Wish};
use crate::suite_session::{self, SuiteSession};

use attributes::Attributes;
use keep::Keeper;
use resume::TakenUp;

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
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all", value_parser = Limit::parse)]
    durations: Option<Limit>,
    /// Print the run as JSON at its end (schema tacho.show/1) instead of a line for each case
    #[arg(long, conflicts_with = "durations")]
    json: bool,
    /// Wait while another run measures on this machine
    #[arg(long)]
    wait: bool,
    /// Go on with the newest interrupted run of what is checked out, or with the one that is named
    #[arg(
        long,
        value_name = "RUN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["dry_run", "append_samples"]
    )]
    resume: Option<String>,
}

pub(crate) fn run(args: RunArgs, context: &Context<'_>) -> Result<u8> {
    let mut wanted = Wanted::of(args, context)?;
    // The lock first: what is checked out may change while another run is waited for.
    let about = format!("tacho run in {}", context.cwd.display());
    let _lock = MeasuringLock::take(&context.dirs, context.console, wanted.args.wait, &about)?;
    let unfinished = resume::unfinished(&wanted, context)?;
    let choice = subject_choice::choose(&wanted.settings, &wanted.wish(), context.console)?;
    let mut progress = Progress::new(context.console);
    progress.say("loading the suite");
    let commit = choice.subject.as_ref().filter(|subject| subject.enters_history()).map(tacho_model::Subject::id);
    let affinity = wanted.attributes.affinity.clone();
    let mut session = suite_session::open(context, &wanted.settings, affinity, commit.as_deref(), choice.git.as_ref())?;
    let taken_up = match &unfinished {
        Some(entries) => Some(resume::take_up(entries, &mut wanted, &choice, &mut session, context)?),
        None => None,
    };
    let run = match &taken_up {
        Some(taken_up) => taken_up.run(&session),
        None => plan::plan(&wanted, &choice, &session, context)?,
    };
    announce(&run, taken_up.as_ref(), &session, &wanted, context, &progress);
    let mut keeper = match taken_up {
        Some(taken_up) => Keeper::resume(taken_up, &wanted, &session, context)?,
        None => Keeper::open(&wanted, &run, &session, context)?,
    };
    progress.start();
    let began = Instant::now();
    let (finish, trouble) = measure(&wanted, &run, &mut session, &mut keeper, context, &progress);
    progress.end();
    let kept = keeper.close(finish, context.console);
    let run = Run { rounds: kept.rounds, ..run };
    let troubles = [trouble, kept.trouble].into_iter().flatten().collect();
    let done = Done { finish, kept: kept.path, troubles, wall_s: began.elapsed().as_secs_f64() };
    report(&wanted, &run, &session, &done, context)
}

/// How a run came to its end.
struct Done {
    finish: Finish,
    kept: Option<PathBuf>,
    /// What kept it from coming to a better one.
    troubles: Vec<CommandError>,
    wall_s: f64,
}

/// What was asked for, with the settings it leads to.
pub(crate) struct Wanted {
    args: RunArgs,
    settings: Settings,
    attributes: Attributes,
    selection: Selection,
    given: Given,
}

/// What the command line says itself, where a resumed run would go on with its own.
struct Given {
    attributes: bool,
    bench: bool,
}

impl Wanted {
    fn of(args: RunArgs, context: &Context<'_>) -> Result<Wanted> {
        let file = args.range.as_deref().filter(|word| is_file(&context.cwd, word)).map(Path::new);
        let mut settings = settings_asked(context, file, args.python.as_deref(), &args.environment)?;
        settings.machine.take_from_flag(args.machine.clone().map(Some), "--machine");
        settings.launch_method.take_from_flag(args.launch_method.clone(), "--launch-method");
        settings.method.take_from_flag(args.method.clone(), "--method");
        settings.cpu_affinity.take_from_flag(args.cpu_affinity.clone().map(Some), "--cpu-affinity");
        let attributes = Attributes::parse(&args.attribute, args.quick, settings.cpu_affinity.value.as_deref())?;
        let selection = Selection::parse(&args.bench)?;
        let given = Given {
            attributes: !args.attribute.is_empty() || args.quick || args.cpu_affinity.is_some(),
            bench: !args.bench.is_empty(),
        };
        Ok(Wanted { args, settings, attributes, selection, given })
    }

    fn wish(&self) -> Wish<'_> {
        let is_file = matches!(self.settings.suite.origin, Origin::Flag(_));
        Wish {
            range: self.args.range.as_deref().filter(|_| !is_file),
            set_commit_hash: self.args.set_commit_hash.as_deref(),
            clean: self.args.clean,
        }
    }
}

/// A word that ends in `.py` is a file; so is a path to one. Everything else names a commit.
fn is_file(cwd: &Path, word: &str) -> bool {
    word.ends_with(".py") || word.contains('/') && cwd.join(word).is_file()
}

/// Returns the settings that hold for the suite or for one file, in the interpreter that the flags name.
pub(crate) fn settings_asked(
    context: &Context<'_>,
    file: Option<&Path>,
    python: Option<&str>,
    environment: &[String],
) -> Result<Settings> {
    let mut settings = match file {
        Some(file) => settings_for_file(context, file)?,
        None => context.settings()?,
    };
    let python = interpreter::from_flags(python, environment)?;
    settings.python.take_from_flag(python.map(Some), "--python");
    Ok(settings)
}

/// Returns the settings that hold for one file: the project's around the user, if there is one, with the file as suite.
///
/// Without a project the file stands for it, and its records are kept in the user's own folder.
fn settings_for_file(context: &Context<'_>, file: &Path) -> Result<Settings> {
    let path = context.cwd.join(file);
    if !path.is_file() {
        return Err(CommandError::new(format!("no file `{}`", file.display()))
            .hint("a file is named by its path from the current folder; a benchmark of the suite by -b"));
    }
    let mut settings = match context.settings_if_any()? {
        Some(settings) => settings,
        None => {
            let folder = path.parent().unwrap_or(&context.cwd);
            let mut settings = Settings::without_project(folder, &context.dirs)?;
            settings.store = Setting::default_value(context.store(None).root().to_owned());
            settings.project = Setting::default_value(crate::commands::show::file_project(&path));
            settings
        }
    };
    settings.suite.take_from_flag(Some(SuitePath::File(path)), "FILE.py");
    Ok(settings)
}

/// Says on standard error what is about to be measured, and what should be known about it.
fn announce(
    run: &Run,
    taken_up: Option<&TakenUp>,
    session: &SuiteSession,
    wanted: &Wanted,
    context: &Context<'_>,
    progress: &Progress,
) {
    let everything = wanted.args.bench.is_empty();
    let Run { provenance, planned, problems, .. } = run;
    let n_cases: usize = planned.iter().map(|plan| plan.cases.len()).sum();
    let subject = tacho_report::subject_text(&provenance.subject);
    let environment = &provenance.environment;
    progress.around(|| {
        context.console.talk(&format!(
            "Measuring {} ({subject}), {} of {}, in {} ({}) on {}.",
            tacho_report::harmless_line(&provenance.project),
            counted(n_cases, "case"),
            counted(planned.len(), "benchmark"),
            environment.interpreter,
            session.discovery.executable,
            provenance.machine.name,
        ));
        if let Some(taken_up) = taken_up {
            context.console.talk(&taken_up.text());
        }
        if std::env::var_os("PYTHONPATH").is_some() && std::env::var_os("ASV_PYTHONPATH").is_none() {
            context.console.warn("PYTHONPATH is not handed on to benchmarks; set ASV_PYTHONPATH to give them one");
        }
        if !problems.is_empty() && everything {
            let page = tacho_report::problems(problems, false);
            context.console.complain(page.terminal(&context.console.talk_screen()).trim_end());
        }
    });
}

/// Runs the loop: each round is kept, each finished case told. Returns what stopped it, too.
fn measure(
    wanted: &Wanted,
    run: &Run,
    session: &mut SuiteSession,
    keeper: &mut Keeper,
    context: &Context<'_>,
    progress: &Progress,
) -> (Finish, Option<CommandError>) {
    let options = ExecuteOptions {
        settings: wanted.attributes.settings.clone(),
        numbers: keeper.numbers(),
        earlier: keeper.earlier(),
    };
    let by_name: HashMap<&str, &Benchmark> =
        run.planned.iter().map(|plan| (plan.benchmark.name.as_str(), &plan.benchmark)).collect();
    let lines = !wanted.args.json;
    let mut failure: Option<CommandError> = None;
    let mut sink = |event: Event<'_>| match event {
        Event::Started { case, step, n_steps, .. } => {
            progress.step(step, n_steps, &case.full_name());
            std::ops::ControlFlow::Continue(())
        }
        Event::Finished { case, round, last } => {
            let kept = keeper.keep(round, context.console);
            if let Some(benchmark) = by_name.get(case.benchmark.as_str()).filter(|_| last && lines) {
                let told = keeper.told(benchmark, case, wanted.args.show_stderr);
                progress.around(|| told.print(context.console));
            }
            kept.map_or_else(
                |error| {
                    failure = Some(error);
                    std::ops::ControlFlow::Break(())
                },
                std::ops::ControlFlow::Continue,
            )
        }
    };
    let finish = execute(&run.planned, &options, &mut session.executor, &mut sink);
    match (failure, finish) {
        (None, Ok(finish)) => (finish, None),
        (None, Err(error)) => (Finish::Stopped, Some(error.into())),
        (failure, _) => (Finish::Stopped, failure),
    }
}

/// Tells what came of it and what to do next; the exit code says the same.
fn report(wanted: &Wanted, run: &Run, session: &SuiteSession, done: &Done, context: &Context<'_>) -> Result<u8> {
    let console = context.console;
    let outcomes = tacho_judge::outcomes(run);
    let counts = tacho_judge::counts(&outcomes);
    if wanted.args.json {
        print_json(wanted, run, done, context);
    } else {
        let next = next_steps(wanted, done, context);
        console.result(&tacho_report::run_summary(&outcomes, &counts, done.wall_s, &next, &console.line_screen()));
        if let Some(limit) = wanted.args.durations {
            console.result(&tacho_report::durations(&tacho_judge::durations(run), limit.0).terminal(&console.screen()));
        }
    }
    let how = match wanted.settings.launch_method.value.as_str() {
        "fork" | "forkserver" => "was forked as asked, which is not safe",
        _ => "got a new interpreter; forking is not safe",
    };
    for (module, reasons) in session.executor.fork_hazards() {
        console.talk(&format!("Each case of {module} {how}: {}.", reasons.join(", ")));
    }
    match &done.kept {
        Some(path) => console.talk(&format!("Kept in {}.", quoted(&shorter(path, &context.cwd)))),
        None if wanted.args.dry_run => console.talk("Nothing was kept (--dry-run)."),
        None => {}
    }
    tell_of_interruption(wanted, done, context);
    let lost = console.tell_of_lost_output();
    if done.kept.is_none() && !wanted.args.dry_run {
        return Ok(exit::NO_ANSWER);
    }
    Ok(code(wanted, run, &outcomes, done.is_whole() && !lost))
}

impl Done {
    fn is_whole(&self) -> bool {
        self.finish == Finish::Complete && self.troubles.is_empty()
    }
}

/// Says why a run did not come to its end, what is left of it, and how it goes on.
fn tell_of_interruption(wanted: &Wanted, done: &Done, context: &Context<'_>) {
    let console = context.console;
    for trouble in &done.troubles {
        console.complain(&trouble.text());
    }
    if done.is_whole() {
        return;
    }
    let kept = done.kept.as_ref().and_then(|path| context.store(Some(&wanted.settings)).read(path).ok());
    let Some(kept) = kept else {
        return console.complain("Interrupted: nothing is kept.");
    };
    let n_rounds = counted(kept.rounds.len(), "round");
    console.complain(&match (kept.completeness, done.troubles.is_empty()) {
        (Completeness::Sealed, _) => format!("All {n_rounds} are kept; the record is not compressed yet."),
        (_, true) => format!("Interrupted: {n_rounds} kept, as a partial run."),
        (_, false) => format!("Interrupted: {n_rounds} kept, as a partial run. Once that is put right it can go on."),
    });
    console.complain(&format!("hint: {}", resuming(wanted, context)));
}

/// Prints the run as it is kept, so that it reads the same here and from `tacho show`.
fn print_json(wanted: &Wanted, run: &Run, done: &Done, context: &Context<'_>) {
    let store = context.store(Some(&wanted.settings));
    let kept = done.kept.as_deref().and_then(|path| store.read(path).ok());
    let run = kept.as_ref().unwrap_or(run);
    let outcomes = tacho_judge::outcomes(run);
    let shown = Shown { run, outcomes: &outcomes, counts: &tacho_judge::counts(&outcomes) };
    context.console.result(&tacho_report::json::show(&[shown], false));
}

/// The commands that go on from here, as the user would type them.
fn next_steps(wanted: &Wanted, done: &Done, context: &Context<'_>) -> NextSteps {
    if context.console.quiet {
        return NextSteps { show: None, again: None };
    }
    let config = context.config_flag.as_deref().map(|path| format!(" --config {}", quoted(path))).unwrap_or_default();
    let file = wanted.args.range.as_deref().filter(|_| matches!(wanted.settings.suite.origin, Origin::Flag(_)));
    let file = file.map(|file| format!(" {}", shell_word(file))).unwrap_or_default();
    let python =
        wanted.args.python.as_deref().map(|program| format!(" --python {}", shell_word(program))).unwrap_or_default();
    NextSteps {
        show: done.kept.is_some().then(|| format!("tacho{config} show")),
        again: Some(format!("tacho{config} run{file}{python}")),
    }
}

/// The command that goes on with the run that was interrupted, as the user would type it. What selects cases and
/// overrides attributes stands in the record.
fn resuming(wanted: &Wanted, context: &Context<'_>) -> String {
    let args = &wanted.args;
    let mut words = vec!["tacho".to_owned()];
    words.extend(context.config_flag.as_deref().map(|path| format!("--config {}", quoted(path))));
    words.push("run --resume".to_owned());
    words.extend(args.range.as_deref().map(shell_word));
    words.extend(args.environment.iter().map(|spec| format!("-E {}", shell_word(spec))));
    let flags = [
        ("--python", &args.python),
        ("--machine", &args.machine),
        ("--method", &args.method),
        ("--launch-method", &args.launch_method),
        ("--set-commit-hash", &args.set_commit_hash),
    ];
    let given = flags.iter().filter_map(|(flag, value)| Some(format!("{flag} {}", shell_word(value.as_deref()?))));
    words.extend(given);
    words.join(" ")
}

pub(crate) fn shorter(path: &Path, cwd: &Path) -> PathBuf {
    let inside = path.strip_prefix(cwd).ok().filter(|_| cwd.parent().is_some());
    inside.unwrap_or(path).to_owned()
}

fn code(wanted: &Wanted, run: &Run, outcomes: &[Outcome], is_whole: bool) -> u8 {
    let measured = outcomes.iter().any(|outcome| outcome.state == State::Measured);
    let failed = outcomes.iter().any(|outcome| outcome.state.is_failure());
    // A module that cannot be imported matters where everything was asked for; with -b it may be beside the point.
    let listed = |name: &String| run.planned.iter().any(|plan| plan.benchmark.name == *name);
    let loses = |problem: &Problem| !problem.benchmark.as_ref().is_some_and(listed);
    let lost_modules = wanted.args.bench.is_empty() && run.problems.iter().any(loses);
    match (measured, failed || lost_modules || !is_whole) {
        (false, _) => exit::NO_ANSWER,
        (true, true) => exit::PARTIAL,
        (true, false) => exit::YES,
    }
}

/// Returns this machine as it is kept in records.
fn machine(wanted: &Wanted, context: &Context<'_>) -> Result<tacho_model::Machine> {
    let name = wanted.settings.machine.value.as_deref();
    Ok(machine_choice::for_records(machine_choice::this_machine(context, name)?))
}
