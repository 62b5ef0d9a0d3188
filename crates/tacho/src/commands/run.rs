//! `tacho run`: measures, and keeps every round as it comes.

mod agenda;
mod attributes;
mod cell;
mod conduct;
mod differences;
mod keep;
mod plan;
mod resume;
mod telling;

use std::path::Path;

use clap::Args;
use tacho_measure::matching::Selection;

use crate::commands::show::Limit;
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::interpreter;
use crate::lock::MeasuringLock;
use crate::machine_choice;
use crate::settings::{METHODS, Origin, Setting, Settings, SuitePath};
use crate::subject_choice::Wish;

use attributes::Attributes;
pub(crate) use telling::shorter;

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
    /// Measure, and keep nothing (asv's --dry-run)
    #[arg(long)]
    keep_nothing: bool,
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
        conflicts_with_all = ["keep_nothing", "append_samples"]
    )]
    resume: Option<String>,
}

pub(crate) fn run(args: RunArgs, context: &Context<'_>) -> Result<u8> {
    let mut wanted = Wanted::of(args, context)?;
    // The lock first: what is checked out may change while another run is waited for.
    let about = format!("tacho run in {}", context.cwd.display());
    let _lock = MeasuringLock::take(&context.dirs, context.console, wanted.args.wait, &about)?;
    // Before anything is started: there may be none.
    resume::unfinished(&wanted, context)?;
    let agenda = agenda::draw_up(&wanted, context)?;
    conduct::conduct(&mut wanted, &agenda, context)
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

/// Returns this machine as it is kept in records.
fn machine(wanted: &Wanted, context: &Context<'_>) -> Result<tacho_model::Machine> {
    let name = wanted.settings.machine.value.as_deref();
    Ok(machine_choice::for_records(machine_choice::this_machine(context, name)?))
}
