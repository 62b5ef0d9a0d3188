//! The measuring loop: rounds outermost, each case in a fresh process, every round told as it ends.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use serde_json::{Map, Value};
use tacho_model::{Benchmark, Case, Planned, Round, State};

use crate::session::SessionError;

/// What measures cases: the Python runner, or a fake in tests.
pub trait Executor {
    /// Prepares round `round` (from 0): forks of one interpreter are no replicates, so this is where
    /// a new one begins.
    ///
    /// # Errors
    /// Where no further case can be measured at all.
    fn begin_round(&mut self, round: u32) -> Result<(), SessionError>;

    /// Ends what is kept between the cases of a round: another side may be measured next, and should be alone.
    fn end_round(&mut self) {}

    /// Measures one round of one case. What the benchmark does wrong is a state of the round.
    ///
    /// # Errors
    /// Only for what is not the benchmark's fault: an interruption, an interpreter that cannot start.
    fn measure(&mut self, task: &Task<'_>) -> Result<Round, SessionError>;
}

/// One round of one case, as asked of an executor.
#[derive(Debug)]
pub struct Task<'a> {
    /// The benchmark.
    pub benchmark: &'a Benchmark,
    /// The case.
    pub case: &'a Case,
    /// Which round of the case, from 0.
    pub round: u32,
    /// Position in the order of everything that is run, from 0.
    pub slot: u64,
    /// Attributes that override the benchmark's own.
    pub settings: Map<String, Value>,
}

/// What the loop tells while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// A case is about to be measured.
    Started {
        /// The case.
        case: &'a Case,
        /// Which round, from 0.
        round: u32,
        /// Steps done so far, of `n_steps`.
        step: u64,
        /// Steps in all, as far as is known.
        n_steps: u64,
    },
    /// A round has ended.
    Finished {
        /// The case.
        case: &'a Case,
        /// The round, ready to be kept.
        round: &'a Round,
        /// True where no further round of this case follows.
        last: bool,
    },
}

/// Settings of the loop.
#[derive(Debug, Clone, Default)]
pub struct ExecuteOptions {
    /// Attributes that override those of every benchmark.
    pub settings: Map<String, Value>,
    /// `number` by case (benchmark and parameter texts), from stored rounds that these are to be pooled with.
    pub numbers: HashMap<(String, Vec<String>), u64>,
    /// Rounds of this very run from before it was interrupted, in order: they are not measured again, and the loop
    /// goes on as it would have gone on then.
    pub earlier: Vec<Round>,
}

/// How the loop came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Everything that was planned has been tried.
    Complete,
    /// The sink or the user stopped it.
    Stopped,
}

/// One of several runs whose rounds alternate: what it measures, and with what.
pub struct Side<'a> {
    /// What is to be measured.
    pub planned: &'a [Planned],
    /// How.
    pub options: &'a ExecuteOptions,
    /// By what.
    pub executor: &'a mut dyn Executor,
}

/// Measures what is planned, round after round, and hands every event to `sink`.
///
/// A case that did not give readings is not tried again in later rounds; the inner loop's `number` is
/// found in the first round and used in the others (asv's rules).
///
/// # Errors
/// What the executor cannot blame on a benchmark.
pub fn execute(
    planned: &[Planned],
    options: &ExecuteOptions,
    executor: &mut dyn Executor,
    sink: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Finish, SessionError> {
    execute_interleaved(&mut [Side { planned, options, executor }], &mut |_, event| sink(event))
}

/// Measures several sides with their rounds in turn, and hands every event to `sink` with the side's index.
///
/// Each round goes through all sides, every other one in reverse (as asv's `--interleave-rounds` does), so that a machine that
/// gets slower or faster meanwhile does so for all of them alike. Slots count across the sides.
///
/// # Errors
/// What an executor cannot blame on a benchmark.
pub fn execute_interleaved(
    sides: &mut [Side<'_>],
    sink: &mut dyn FnMut(usize, Event<'_>) -> ControlFlow<()>,
) -> Result<Finish, SessionError> {
    let mut progress: Vec<Progress<'_>> = sides.iter().map(|side| Progress::new(side.planned, side.options)).collect();
    let rounds_of = |side: &Side<'_>| side.planned.iter().map(|plan| plan.rounds).max().unwrap_or(0);
    let n_rounds: Vec<u32> = sides.iter().map(rounds_of).collect();
    let mut slot = progress.iter().map(|progress| progress.slot).max().unwrap_or(0);
    for round in 0..n_rounds.iter().copied().max().unwrap_or(0) {
        let mut turns: Vec<usize> = (0..sides.len()).filter(|index| n_rounds[*index] > round).collect();
        if round % 2 == 1 {
            turns.reverse();
        }
        for index in turns {
            progress[index].slot = slot;
            let finish = one_round(&mut sides[index], round, &mut progress[index], &mut |event| sink(index, event))?;
            slot = progress[index].slot;
            if finish == Finish::Stopped {
                return Ok(finish);
            }
        }
    }
    Ok(Finish::Complete)
}

fn one_round(
    side: &mut Side<'_>,
    round: u32,
    progress: &mut Progress<'_>,
    sink: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Finish, SessionError> {
    side.executor.begin_round(round)?;
    let order = execution_order(side.planned);
    for plan in order.iter().map(|index| &side.planned[*index]).filter(|plan| plan.rounds > round) {
        for case in plan.cases.iter().filter_map(|index| plan.benchmark.case(*index)) {
            match step(plan, &case, round, progress, side.executor, sink) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) | Err(SessionError::Interrupted) => return Ok(Finish::Stopped),
                Err(error) => return Err(error),
            }
        }
    }
    side.executor.end_round();
    Ok(Finish::Complete)
}

/// Module by module, since each has an interpreter of its own; in a module those that share a cache run next to
/// each other, otherwise by name.
pub(crate) fn execution_order(planned: &[Planned]) -> Vec<usize> {
    let key = |index: &usize| {
        let benchmark = &planned[*index].benchmark;
        let cache = benchmark.setup_cache.as_ref().map(|cache| cache.key.clone());
        (benchmark.module.clone(), cache, benchmark.name.clone())
    };
    let mut order: Vec<usize> = (0..planned.len()).collect();
    order.sort_by_cached_key(key);
    order
}

struct Progress<'a> {
    options: &'a ExecuteOptions,
    numbers: HashMap<(String, Vec<String>), u64>,
    given_up: HashSet<(String, usize)>,
    /// Rounds that are there already.
    done: HashSet<(String, usize, u32)>,
    slot: u64,
    step: u64,
    n_steps: u64,
}

impl<'a> Progress<'a> {
    fn new(planned: &[Planned], options: &'a ExecuteOptions) -> Progress<'a> {
        let n_steps = planned.iter().map(|plan| plan.cases.len() as u64 * u64::from(plan.rounds)).sum();
        let mut progress = Progress {
            options,
            numbers: options.numbers.clone(),
            given_up: HashSet::new(),
            done: HashSet::new(),
            slot: 0,
            step: 0,
            n_steps,
        };
        progress.take_over(planned);
        progress
    }

    /// Notes the rounds that are there already.
    fn take_over(&mut self, planned: &[Planned]) {
        if self.options.earlier.is_empty() {
            return;
        }
        let mut cases: HashMap<(String, Vec<String>), (&Planned, Case)> = HashMap::new();
        for plan in planned {
            for case in plan.cases.iter().filter_map(|index| plan.benchmark.case(*index)) {
                cases.insert((case.benchmark.clone(), case.texts()), (plan, case));
            }
        }
        for round in &self.options.earlier {
            if let Some((plan, case)) = cases.get(&(round.benchmark.clone(), round.parameters.clone()))
                && self.done.insert((case.benchmark.clone(), case.index, round.round))
            {
                self.note(plan, case, round);
            }
            self.slot = self.slot.max(round.slot.saturating_add(1));
        }
    }

    fn is_over(&self, case: &Case, round: u32) -> bool {
        self.given_up.contains(&(case.benchmark.clone(), case.index))
            || self.done.contains(&(case.benchmark.clone(), case.index, round))
    }

    fn settings_for(&self, case: &Case) -> Map<String, Value> {
        let mut settings = self.options.settings.clone();
        if let Some(number) = self.numbers.get(&(case.benchmark.clone(), case.texts())) {
            settings.entry("number").or_insert_with(|| Value::from(*number));
        }
        settings
    }

    fn note(&mut self, plan: &Planned, case: &Case, round: &Round) {
        self.slot = self.slot.saturating_add(1);
        self.step += 1;
        if round.state != State::Measured {
            self.given_up.insert((case.benchmark.clone(), case.index));
            self.n_steps -= u64::from(plan.rounds.saturating_sub(round.round.saturating_add(1)));
        }
        for samples in round.samples.values() {
            if let tacho_model::Samples::Loops { number, .. } = samples {
                self.numbers.entry((case.benchmark.clone(), case.texts())).or_insert(*number);
            }
        }
    }
}

fn step(
    plan: &Planned,
    case: &Case,
    round: u32,
    progress: &mut Progress<'_>,
    executor: &mut dyn Executor,
    sink: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, SessionError> {
    if progress.is_over(case, round) {
        return Ok(ControlFlow::Continue(()));
    }
    let started = Event::Started { case, round, step: progress.step, n_steps: progress.n_steps };
    if sink(started).is_break() {
        return Ok(ControlFlow::Break(()));
    }
    let settings = progress.settings_for(case);
    let task = Task { benchmark: &plan.benchmark, case, round, slot: progress.slot, settings };
    let measured = executor.measure(&task)?;
    progress.note(plan, case, &measured);
    let last = round + 1 == plan.rounds || measured.state != State::Measured;
    Ok(sink(Event::Finished { case, round: &measured, last }))
}

#[cfg(test)]
mod tests;
