//! Works an agenda off: each cell is begun, measured, kept and told.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

use tacho_measure::environments::MakeError;
use tacho_measure::{Event, ExecuteOptions, Finish, Side, execute_interleaved};
use tacho_model::unit::counted;
use tacho_model::{Benchmark, Run};

use super::agenda::Agenda;
use super::builds::needs_build;
use super::cell::Cell;
use super::chosen::Chosen;
use super::existing::{Existing, Place};
use super::keep::Keeper;
use super::resume::{self, TakenUp};
use super::telling::{self, Done, Tally};
use super::{Wanted, made, plan};
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::interrupts;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::suite_session::{self, SuiteCopy, SuiteSession};
use crate::venue::Venue;

/// A cell that has been begun: its suite is open, and its record too.
pub(super) struct Begun {
    pub(super) run: Run,
    pub(super) session: SuiteSession,
    pub(super) keeper: Keeper,
    options: ExecuteOptions,
}

/// What has come of beginning a cell.
enum Start {
    Begun(Box<Begun>),
    /// There is nothing to measure: it is all there, or it could not be built.
    Nothing,
    /// The budget's time was up before anything was opened.
    Late,
    Interrupted,
    /// What is wrong says nothing about the commit: no other would come further.
    Hopeless(CommandError),
}

/// What the cells of a run share.
pub(super) struct Stage<'a> {
    pub(super) agenda: &'a Agenda,
    pub(super) existing: &'a Existing,
    pub(super) place: &'a Place,
    pub(super) copy: &'a Rc<SuiteCopy>,
    /// When there is no more time.
    pub(super) deadline: Option<Instant>,
    /// What is forgotten once all is done.
    pub(super) chosen: Option<&'a Chosen>,
}

/// Measures every cell of an agenda. Returns the exit code.
///
/// # Errors
/// What kept the only cell from being begun.
pub(super) fn conduct(wanted: &mut Wanted, stage: &Stage<'_>, context: &Context<'_>) -> Result<u8> {
    let groups = stage.agenda.groups(wanted.args.interleave_rounds);
    let mut tally = Tally::new(groups.iter().map(Vec::len).sum(), stage.agenda);
    telling::pass_over(stage.agenda, context);
    for (position, group) in groups.iter().enumerate() {
        if stage.is_over() {
            tally.run_out_of_time(context);
            break;
        }
        build_together(&groups[position..], wanted, stage, context);
        let next = groups.get(position + 1).and_then(|group| group.first()).filter(|_| wanted.args.build_ahead);
        let finish = std::thread::scope(|scope| {
            if let Some(next) = next {
                scope.spawn(|| stage.agenda.builds.make_together(&[next]));
            }
            one_group(group, wanted, stage, &mut tally, context)
        })?;
        if finish == Finish::Stopped {
            tally.stop();
            break;
        }
    }
    if let Some(chosen) = stage.chosen.filter(|_| tally.is_done()) {
        chosen.forget();
    }
    tally.close(wanted, context)
}

impl Stage<'_> {
    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Makes what the next cells need at the same time, where that is asked for.
fn build_together(groups: &[Vec<&Cell>], wanted: &Wanted, stage: &Stage<'_>, context: &Context<'_>) {
    if wanted.args.parallel < 2 {
        return;
    }
    let builds = &stage.agenda.builds;
    let is_missing = |cell: &&Cell| cell.build_key.is_some() && !builds.is_ready(cell);
    let first_is_missing = groups.first().is_some_and(|group| group.iter().any(is_missing));
    if !first_is_missing {
        return;
    }
    let mut keys = HashSet::new();
    let missing = groups.iter().flatten().copied().filter(is_missing).filter(|cell| keys.insert(&cell.build_key));
    let missing: Vec<&Cell> = missing.take(wanted.args.parallel).collect();
    let progress = Progress::new(context.console);
    progress.say(&format!("building {} at the same time", counted(missing.len(), "environment")));
    builds.make_together(&missing);
}

/// Measures cells whose rounds alternate; usually it is one alone.
fn one_group(
    cells: &[&Cell],
    wanted: &mut Wanted,
    stage: &Stage<'_>,
    tally: &mut Tally,
    context: &Context<'_>,
) -> Result<Finish> {
    let mut progress = Progress::new(context.console);
    // Runs whose rounds alternate are one experiment.
    let experiment = (cells.len() > 1).then(|| {
        let earlier = || cells.iter().find_map(|cell| stage.existing.open_experiment(cell, stage.place));
        wanted.args.resume.as_ref().and_then(|_| earlier()).unwrap_or_else(tacho_store::draw_run_id)
    });
    let mut begun = Vec::new();
    let mut is_late = false;
    for cell in cells {
        match begin(cell, experiment.as_deref(), wanted, stage, tally, context, &progress) {
            Ok(Start::Begun(one)) => begun.push(*one),
            Ok(Start::Nothing) => {}
            Ok(Start::Late) => {
                progress.around(|| tally.run_out_of_time(context));
                is_late = true;
                break;
            }
            Ok(Start::Interrupted) => {
                progress
                    .around(|| context.console.complain("Interrupted while it was built; nothing half made is used."));
                return Ok(Finish::Stopped);
            }
            Err(error) | Ok(Start::Hopeless(error)) if tally.is_single() => return Err(error),
            Ok(Start::Hopeless(error)) => {
                progress.around(|| tally.lose(cell, &error, context));
                return Ok(Finish::Stopped);
            }
            Err(error) => {
                progress.around(|| tally.lose(cell, &error, context));
                if interrupts::is_set() {
                    return Ok(Finish::Stopped);
                }
            }
        }
    }
    if begun.is_empty() {
        return Ok(if interrupts::is_set() || is_late { Finish::Stopped } else { Finish::Complete });
    }
    progress.start();
    let began = Instant::now();
    let (finish, mut trouble) = measure(wanted, &mut begun, stage, context, &progress);
    progress.end();
    for Begun { run, session, keeper, .. } in begun {
        let kept = keeper.close(finish, context.console);
        let run = Run { rounds: kept.rounds, ..run };
        let troubles = [trouble.take(), kept.trouble].into_iter().flatten().collect();
        let is_out_of_time = finish == Finish::Stopped && stage.is_over();
        let done = Done { finish, kept: kept.path, troubles, wall_s: began.elapsed().as_secs_f64(), is_out_of_time };
        tally.report(wanted, run, &session, &done, context)?;
    }
    Ok(finish)
}

/// Opens a cell's suite in its venue, and its record.
fn begin(
    cell: &Cell,
    experiment: Option<&str>,
    wanted: &mut Wanted,
    stage: &Stage<'_>,
    tally: &mut Tally,
    context: &Context<'_>,
    progress: &Progress,
) -> Result<Start> {
    let venue = match venue(cell, wanted, stage, tally, context, progress)? {
        Found::Venue(venue) => *venue,
        Found::NotBuilt => return Ok(Start::Nothing),
        Found::Interrupted => return Ok(Start::Interrupted),
        Found::Hopeless(error) => return Ok(Start::Hopeless(error)),
    };
    if stage.is_over() {
        return Ok(Start::Late);
    }
    progress.say("loading the suite");
    let commit = cell.commit();
    let affinity = cell.affinity(wanted);
    let mut session = suite_session::open(context, &wanted.settings, stage.copy, venue, affinity, commit.as_deref())?;
    let discovery = &session.discovery;
    if discovery.benchmarks.is_empty() && !discovery.problems.is_empty() && !wanted.is_in_place {
        let kept = made::keep_unloaded(cell, &session, wanted, context)?;
        progress.around(|| tally.not_loaded(cell, kept, context));
        return Ok(Start::Nothing);
    }
    let taken_up = resume::resumed(cell, wanted, &mut session, stage, context)?;
    let mut run = match &taken_up {
        Some(taken_up) => taken_up.run(&session),
        None => plan::plan(wanted, cell, &session, stage, context)?,
    };
    run.provenance.experiment = run.provenance.experiment.take().or(experiment.map(str::to_owned));
    if run.planned.is_empty() {
        progress.around(|| tally.has_all(cell, context));
        return Ok(Start::Nothing);
    }
    tally.begin();
    progress.around(|| telling::announce(&run, taken_up.as_ref().map(TakenUp::text), &session, wanted, tally, context));
    let keeper = match taken_up {
        Some(taken_up) => Keeper::resume(taken_up, wanted, &session, context)?,
        None => Keeper::open(wanted, &run, &session, context)?,
    };
    let options = ExecuteOptions {
        settings: wanted.attributes.settings.clone(),
        numbers: keeper.numbers(),
        earlier: keeper.earlier(),
    };
    Ok(Start::Begun(Box::new(Begun { run, session, keeper, options })))
}

/// What has come of looking for a cell's venue.
enum Found {
    Venue(Box<Venue>),
    NotBuilt,
    Interrupted,
    Hopeless(CommandError),
}

/// Returns where a cell is measured; what has to be made for that is made.
fn venue(
    cell: &Cell,
    wanted: &Wanted,
    stage: &Stage<'_>,
    tally: &mut Tally,
    context: &Context<'_>,
    progress: &Progress,
) -> Result<Found> {
    let settings = &wanted.settings;
    let environment = &cell.combination.environment;
    let mut venue = if needs_build(&cell.combination) {
        let say = |words: &str| progress.say(&format!("{words} ({})", cell.words()));
        // At a terminal the line at its bottom says so.
        if !context.console.live && !cell.is_ready && !stage.agenda.builds.is_ready(cell) {
            context.console.talk(&format!("Building {} of {}.", environment.label, cell.words()));
        }
        match stage.agenda.builds.make(cell, &say) {
            Ok(made) => {
                if !made.build.reused {
                    stage.agenda.builds.prune(cache_limit_bytes(settings)).map_err(made::told)?;
                }
                progress.around(|| tally.tell_of_tool(&made.tool, cell, context));
                made::venue(made, cell)
            }
            Err(MakeError::Interrupted) => return Ok(Found::Interrupted),
            Err(MakeError::Failed(build)) => {
                let kept = made::keep_failure(cell, &build, &stage.copy.harness, wanted, context)?;
                progress.around(|| tally.not_built(cell, &build, kept, context));
                return Ok(Found::NotBuilt);
            }
            Err(error) if made::is_about_source(&error) => return Err(made::told(error)),
            Err(error) => return Ok(Found::Hopeless(made::told(error))),
        }
    } else {
        let run = cell.combination.run.clone();
        let found = Venue::existing_with(environment.python.as_deref(), &wanted.python_base(&context.cwd), run)?;
        Venue { label: cell.label(&found.label), build: stage.agenda.rebuilt.clone(), ..found }
    };
    venue.lead_with(environment.run_line.as_deref(), settings.numa_node.value)?;
    Ok(Found::Venue(Box::new(venue)))
}

/// Runs the loop: each round is kept, each finished case told. Returns what stopped it, too.
fn measure(
    wanted: &Wanted,
    begun: &mut [Begun],
    stage: &Stage<'_>,
    context: &Context<'_>,
    progress: &Progress,
) -> (Finish, Option<CommandError>) {
    let mut sides = Vec::new();
    let mut keepers = Vec::new();
    for Begun { run, session, keeper, options } in begun {
        let by_name: HashMap<&str, &Benchmark> =
            run.planned.iter().map(|plan| (plan.benchmark.name.as_str(), &plan.benchmark)).collect();
        keepers.push((keeper, by_name));
        sides.push(Side { planned: &run.planned, options, executor: &mut session.executor });
    }
    let mut failure: Option<CommandError> = None;
    let mut sink = |side: usize, event: Event<'_>| match event {
        Event::Started { .. } if stage.is_over() => ControlFlow::Break(()),
        Event::Started { case, step, n_steps, .. } => {
            progress.step(step, n_steps, &case.full_name());
            ControlFlow::Continue(())
        }
        Event::Finished { case, round, last } => {
            let (keeper, by_name) = &mut keepers[side];
            let kept = keeper.keep(round, context.console);
            if let Some(benchmark) = by_name.get(case.benchmark.as_str()).filter(|_| last && !wanted.args.json) {
                let told = keeper.told(benchmark, case, wanted.args.show_stderr);
                progress.around(|| told.print(context.console));
            }
            kept.map_or_else(
                |error| {
                    failure = Some(error);
                    ControlFlow::Break(())
                },
                ControlFlow::Continue,
            )
        }
    };
    let finish = execute_interleaved(&mut sides, &mut sink);
    match (failure, finish) {
        (None, Ok(finish)) => (finish, None),
        (None, Err(error)) => (Finish::Stopped, Some(error.into())),
        (failure, _) => (Finish::Stopped, failure),
    }
}

fn cache_limit_bytes(settings: &Settings) -> u64 {
    (settings.cache_limit_gb.value * 1e9) as u64
}
