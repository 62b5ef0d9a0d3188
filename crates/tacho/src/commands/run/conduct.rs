//! Works an agenda off: each cell is begun, measured, kept and told.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

use tacho_measure::{Event, ExecuteOptions, Finish, Side, execute_interleaved};
use tacho_model::{Benchmark, Run};

use super::agenda::Agenda;
use super::cell::Cell;
use super::keep::Keeper;
use super::resume::{self, TakenUp};
use super::telling::{self, Done, Tally};
use super::{Wanted, plan};
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::progress::Progress;
use crate::suite_session::{self, SuiteCopy, SuiteSession};
use crate::venue::Venue;

/// A cell that has been begun: its suite is open, and its record too.
pub(super) struct Begun {
    pub(super) run: Run,
    pub(super) session: SuiteSession,
    pub(super) keeper: Keeper,
    options: ExecuteOptions,
}

/// Measures every cell of an agenda. Returns the exit code.
///
/// # Errors
/// What kept the only cell from being begun.
pub(super) fn conduct(wanted: &mut Wanted, agenda: &Agenda, context: &Context<'_>) -> Result<u8> {
    let mut tally = Tally::new(agenda.cells.len());
    let progress = Progress::new(context.console);
    progress.say("loading the suite");
    let copy = SuiteCopy::make(&wanted.settings, agenda.git.as_ref(), context.console)?;
    drop(progress);
    for cell in &agenda.cells {
        let finish = one_group(std::slice::from_ref(cell), wanted, &copy, &mut tally, context)?;
        if finish == Finish::Stopped {
            break;
        }
    }
    tally.close(wanted, context)
}

/// Measures cells whose rounds alternate; usually it is one alone.
fn one_group(
    cells: &[Cell],
    wanted: &mut Wanted,
    copy: &Rc<SuiteCopy>,
    tally: &mut Tally,
    context: &Context<'_>,
) -> Result<Finish> {
    let mut progress = Progress::new(context.console);
    let mut begun = Vec::new();
    for cell in cells {
        progress.say("loading the suite");
        match begin(cell, wanted, copy, tally, context, &progress) {
            Ok(one) => {
                tally.begin();
                begun.push(one);
            }
            Err(error) if tally.is_single() => return Err(error),
            Err(error) => progress.around(|| tally.lose(cell, &error, context)),
        }
    }
    progress.start();
    let began = Instant::now();
    let (finish, mut trouble) = measure(wanted, &mut begun, context, &progress);
    progress.end();
    for Begun { run, session, keeper, .. } in begun {
        let kept = keeper.close(finish, context.console);
        let run = Run { rounds: kept.rounds, ..run };
        let troubles = [trouble.take(), kept.trouble].into_iter().flatten().collect();
        let done = Done { finish, kept: kept.path, troubles, wall_s: began.elapsed().as_secs_f64() };
        tally.report(wanted, run, &session, &done, context)?;
    }
    Ok(finish)
}

/// Opens a cell's suite in its venue, and its record.
fn begin(
    cell: &Cell,
    wanted: &mut Wanted,
    copy: &Rc<SuiteCopy>,
    tally: &Tally,
    context: &Context<'_>,
    progress: &Progress,
) -> Result<Begun> {
    let unfinished = resume::unfinished(wanted, context)?;
    let venue = venue(cell, wanted, context)?;
    let commit = cell.commit();
    let affinity = cell.affinity(wanted);
    let mut session = suite_session::open(context, &wanted.settings, copy, venue, affinity, commit.as_deref())?;
    let taken_up = match &unfinished {
        Some(entries) => Some(resume::take_up(entries, wanted, cell, &mut session, context)?),
        None => None,
    };
    let run = match &taken_up {
        Some(taken_up) => taken_up.run(&session),
        None => plan::plan(wanted, cell, &session, context)?,
    };
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
    Ok(Begun { run, session, keeper, options })
}

/// Returns where a cell is measured.
fn venue(cell: &Cell, wanted: &Wanted, context: &Context<'_>) -> Result<Venue> {
    let settings = &wanted.settings;
    let environment = &cell.combination.environment;
    let base = settings.python_base(&context.cwd);
    Venue::existing_with(environment.python.as_deref(), &base, cell.combination.run.clone())
}

/// Runs the loop: each round is kept, each finished case told. Returns what stopped it, too.
fn measure(
    wanted: &Wanted,
    begun: &mut [Begun],
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
