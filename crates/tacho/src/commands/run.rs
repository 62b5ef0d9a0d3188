//! `tacho run`: measures, and keeps every round as it comes.

mod agenda;
mod args;
mod attributes;
mod builds;
mod cell;
mod chosen;
mod commands;
mod conduct;
mod differences;
mod existing;
mod keep;
mod made;
mod outlook;
mod plan;
pub(crate) mod ready;
mod resume;
mod selection;
mod telling;

use std::path::{Path, PathBuf};
use std::time::Instant;

use tacho_measure::environments::{Combination, processors_text};
use tacho_measure::matching::Selection;

use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::exit;
use crate::interpreter;
use crate::lock::MeasuringLock;
use crate::machine_choice;
use crate::settings::{self, EnvironmentWish, Origin, Setting, Settings, SuitePath};
use crate::subject_choice::{self, Wish};
use crate::suite_session::SuiteCopy;
use crate::venue;

use agenda::Agenda;
pub(crate) use args::RunArgs;
use attributes::Attributes;
use cell::Cell;
use chosen::Chosen;
use conduct::Stage;
use existing::{Existing, Place, Skip};
use outlook::Outlook;
pub(crate) use telling::shorter;

pub(crate) fn run(args: RunArgs, context: &Context<'_>) -> Result<u8> {
    let mut wanted = Wanted::of(args, context)?;
    // The lock first: what is checked out may change while another run is waited for.
    let about = format!("tacho run in {}", context.cwd.display());
    let _lock = match wanted.args.dry_run {
        true => None,
        false => Some(MeasuringLock::take(&context.dirs, context.console, wanted.args.wait, &about)?),
    };
    let git = subject_choice::checked_out(&wanted.settings)?;
    let existing = Existing::read(&wanted, context)?;
    let chosen = Chosen::of(&wanted, context);
    let earlier = chosen.as_ref().and_then(|chosen| chosen.earlier.as_deref());
    let mut agenda = agenda::draw_up(&wanted, git.as_ref(), &existing, earlier, context)?;
    wanted.is_in_place = agenda.is_one_in_place();
    if wanted.is_in_place {
        // Before anything is started: there may be none.
        resume::unfinished(&wanted, context)?;
    }
    let copy = SuiteCopy::make(&wanted.settings, git.as_ref(), context.console)?;
    let place = place(&wanted, &copy, context)?;
    prepare(&mut agenda, &wanted, &existing, &place, earlier.is_some())?;
    if wanted.args.dry_run {
        return plan_only(&agenda, &wanted, &existing, &place, context);
    }
    if let Some(reason) = &agenda.empty_because {
        context.console.talk(reason);
    }
    let deadline = wanted.args.budget.and_then(|budget| Instant::now().checked_add(budget));
    if let Some(chosen) = chosen.as_ref().filter(|chosen| chosen.earlier.is_none()) {
        chosen.keep(agenda.open_ids());
    }
    let chosen = chosen.as_ref();
    let stage = Stage { agenda: &agenda, existing: &existing, place: &place, copy: &copy, deadline, chosen };
    conduct::conduct(&mut wanted, &stage, context)
}

/// Returns where everything is measured, as far as that is the same for all.
fn place(wanted: &Wanted, copy: &SuiteCopy, context: &Context<'_>) -> Result<Place> {
    let cpus = wanted.attributes.affinity.as_deref().map(|cpus| ("cpus".to_owned(), processors_text(cpus)));
    Ok(Place {
        machine: machine(wanted, context)?.name,
        harness: copy.harness.clone(),
        axes: cpus.into_iter().collect(),
        prefixes: keep::prefixes_of(wanted, &[], context),
    })
}

/// Takes out of an agenda what is there, what cannot be built, and what there is no time for.
///
/// `is_chosen` tells that an interrupted run has made the choice among the subjects.
fn prepare(agenda: &mut Agenda, wanted: &Wanted, existing: &Existing, place: &Place, is_chosen: bool) -> Result<()> {
    let skip = wanted.skip();
    let is_resumed = wanted.args.resume.is_some() && !wanted.is_in_place;
    let has_any = |cell: &Cell| existing.has_any(cell, place) && !(is_resumed && existing.is_open(cell, place));
    agenda.pass_over(|cell| {
        wanted.args.skip_existing_commits && !is_chosen && has_any(cell)
            || skip.is_any() && existing.has_all(cell, place, wanted, skip)
    });
    let failed = |cell: &Cell| existing.failed_build(cell, place);
    if skip.failed && !wanted.args.retry_failed {
        agenda.pass_over_failed(failed)?;
    }
    if !is_chosen {
        agenda.thin_out(wanted)?;
    }
    // Only now: what a run has done itself is a part of what it had chosen.
    agenda.pass_over(|cell| is_resumed && existing.is_done(cell, place, wanted));
    agenda.look_up_builds(failed, wanted.args.retry_failed)?;
    match wanted.args.budget {
        Some(budget) => Outlook::new(existing, place, wanted).fit(agenda, budget.as_secs_f64()),
        None => Ok(()),
    }
}

/// Prints what would be done.
fn plan_only(
    agenda: &Agenda,
    wanted: &Wanted,
    existing: &Existing,
    place: &Place,
    context: &Context<'_>,
) -> Result<u8> {
    let budget_s = wanted.args.budget.map(|budget| budget.as_secs_f64());
    let planned = Outlook::new(existing, place, wanted).of(agenda, budget_s)?;
    if wanted.args.json {
        context.console.data(&tacho_report::json::agenda(&planned))?;
        return Ok(exit::YES);
    }
    context.console.data(&tacho_report::agenda(&planned).terminal(&context.console.screen()))?;
    context
        .console
        .talk("Nothing was built or measured. To measure and keep nothing, as asv's --dry-run does: --keep-nothing");
    Ok(exit::YES)
}

/// What was asked for, with the settings it leads to.
pub(crate) struct Wanted {
    args: RunArgs,
    settings: Settings,
    attributes: Attributes,
    selection: Selection,
    given: Given,
    /// The processors of the NUMA node that benchmarks are bound to.
    node_processors: Option<Vec<u32>>,
    /// Whether what is checked out is measured in what is there, once.
    is_in_place: bool,
}

/// What the command line says itself, where a resumed run would go on with its own.
struct Given {
    attributes: bool,
    bench: bool,
}

impl Wanted {
    fn of(args: RunArgs, context: &Context<'_>) -> Result<Wanted> {
        let file = args.range.as_deref().filter(|word| is_file(&context.cwd, word)).map(Path::new);
        let mut settings = settings_asked(context, file, None, &[])?;
        settings.machine.take_from_flag(args.machine.clone().map(Some), "--machine");
        settings.launch_method.take_from_flag(args.launch_method.clone(), "--launch-method");
        settings.method.take_from_flag(args.method.clone(), "--method");
        let attributes = Attributes::parse(&args.attribute, args.quick, args.cpu_affinity.as_deref())?;
        let cpus = attributes.affinity.as_deref().map(|cpus| Some(processors_text(cpus)));
        settings.cpu_affinity.take_from_flag(cpus, "--cpu-affinity");
        settings.threads.take_from_flag(args.threads.map(|n| u32::try_from(n).ok()), "--threads");
        let selection = Selection::parse(&args.bench)?;
        let given = Given {
            attributes: !args.attribute.is_empty() || args.quick || args.cpu_affinity.is_some(),
            bench: !args.bench.is_empty(),
        };
        let node_processors = settings.numa_node.value.map(venue::processors_of_node).transpose()?;
        Ok(Wanted { args, settings, attributes, selection, given, node_processors, is_in_place: false })
    }

    /// Returns the range that is asked for, unless that word is a file.
    fn range(&self) -> Option<&str> {
        let is_file = matches!(self.settings.suite.origin, Origin::Flag(_));
        self.args.range.as_deref().filter(|_| !is_file)
    }

    /// Returns true where nothing says by what environments are made.
    fn may_choose_tool(&self) -> bool {
        let args = &self.args;
        args.environment.is_empty()
            && args.python.is_none()
            && !self.settings.manages_environments()
            && self.settings.environment.tool.value.is_none()
    }

    /// Returns the combinations that some words choose. Paths of interpreters start from where they are written down.
    fn combinations(&self, words: &[String], cwd: &Path) -> Result<Vec<Combination>> {
        let python = self.args.python.as_deref();
        let mut chosen = settings::chosen(&self.settings, &EnvironmentWish { words, python, active_python: None })?;
        let made = chosen.iter_mut().filter(|one| builds::needs_build(one));
        for python in made.filter_map(|one| one.environment.python.as_mut()) {
            if python.contains('/') && !python.starts_with(['/', '{']) {
                *python = self.python_base(cwd).join(&python).display().to_string();
            }
        }
        Ok(chosen)
    }

    /// Returns the folder that a relative path of an interpreter starts from.
    fn python_base(&self, cwd: &Path) -> PathBuf {
        let is_flag = self.args.python.is_some() || !self.args.environment.is_empty();
        if is_flag { cwd.to_owned() } else { self.settings.python_base(cwd) }
    }

    /// Returns true where what is measured depends on what is kept.
    fn asks_for_existing(&self) -> bool {
        let args = &self.args;
        let skips = self.skip().is_any() || args.skip_existing_commits || args.resume.is_some();
        self.range().is_some() || skips || args.budget.is_some() || args.dry_run
    }

    /// Returns true where what is kept can matter at all: also where a build may have failed before.
    fn needs_existing(&self) -> bool {
        let args = &self.args;
        let may_build = !args.environment.is_empty() || args.python.is_some() || self.settings.manages_environments();
        may_build || self.asks_for_existing()
    }

    fn skip(&self) -> Skip {
        let args = &self.args;
        Skip {
            successful: args.skip_existing || args.skip_existing_successful,
            failed: args.skip_existing || args.skip_existing_failed,
        }
    }

    fn wish(&self) -> Wish<'_> {
        Wish { range: self.range(), set_commit_hash: self.args.set_commit_hash.as_deref(), clean: self.args.clean }
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
