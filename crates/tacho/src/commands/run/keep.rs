//! Keeps rounds as they come, and tells a case when its last round is in.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tacho_measure::Finish;
use tacho_model::{Benchmark, Case, Outcome, Resumption, Round, Run, Samples};
use tacho_store::{Prefixes, RecordWriter, Store, StoreError};

use super::Wanted;
use super::resume::TakenUp;
use crate::commands::show;
use crate::console::Console;
use crate::context::Context;
use crate::error::{CommandError, Result, WithHint};
use crate::suite_session::SuiteSession;

/// What to do where nothing can be written.
const NOT_KEPT: &str = "nothing has been measured; name another folder as `dir` in [store] of tacho.toml, or measure \
                        without keeping: --keep-nothing";

type CaseKey = (String, Vec<String>);

/// The record of a run that is going on, and its rounds in memory.
pub(crate) struct Keeper {
    record: Option<Record>,
    rounds: Vec<Round>,
    by_case: HashMap<CaseKey, Vec<usize>>,
    numbers: HashMap<CaseKey, u64>,
    /// The number that the first round gets: after those that these are pooled with.
    first_round: u32,
    /// What the next round tells of an interruption before it.
    resumption: Option<Resumption>,
}

/// An open record, and all that is needed to begin it anew.
struct Record {
    writer: RecordWriter,
    store: Store,
    head: Run,
    prefixes: Prefixes,
}

impl Record {
    fn create(store: Store, head: Run, prefixes: Prefixes) -> std::result::Result<Record, StoreError> {
        let writer = store.create(&head.provenance, &head.planned, &head.problems, &prefixes)?;
        Ok(Record { writer, store, head, prefixes })
    }

    /// Begins the record anew where somebody has removed its file, with all rounds so far.
    fn restore(&mut self, rounds: &[Round], console: &Console) -> std::result::Result<(), StoreError> {
        if self.writer.is_in_place() {
            return Ok(());
        }
        console.warn(&format!("`{}` was removed; it is written anew", self.writer.path().display()));
        let Run { provenance, planned, problems, .. } = &self.head;
        self.writer = self.store.create(provenance, planned, problems, &self.prefixes)?;
        rounds.iter().try_for_each(|round| self.writer.append(round))
    }
}

/// A run that has come to its end: where it is kept, if it is, and all its rounds in order.
pub(crate) struct Kept {
    pub(crate) path: Option<PathBuf>,
    pub(crate) rounds: Vec<Round>,
    /// Why it is not kept as it should be.
    pub(crate) trouble: Option<CommandError>,
}

/// What is printed of a case that is done.
pub(crate) struct Told {
    outcomes: Vec<Outcome>,
    detail: Option<String>,
}

impl Told {
    /// Prints the case's line, and what it printed itself.
    pub(crate) fn print(&self, console: &Console) {
        console.result(&tacho_report::case_line(&self.outcomes, &console.line_screen()));
        if let Some(detail) = &self.detail {
            console.complain(detail);
        }
    }
}

impl Keeper {
    /// Opens the record, unless nothing shall be kept.
    pub(crate) fn open(wanted: &Wanted, run: &Run, session: &SuiteSession, context: &Context<'_>) -> Result<Keeper> {
        let store = context.store(Some(&wanted.settings));
        let prefixes = prefixes(wanted, session, context);
        let mut head = run.clone();
        let mut numbers = HashMap::new();
        let mut first_round = 0;
        if wanted.args.append_samples {
            let earlier = show::same_series(&store, &head.provenance, &prefixes)?;
            if earlier.is_empty() {
                context.console.talk("There are no samples of this commit to pool with yet.");
            }
            numbers = numbers_of(&earlier, run, &prefixes);
            first_round = rounds_of(&earlier);
            head.provenance.experiment = earlier.last().map(experiment_of).or(head.provenance.experiment);
        }
        let record = if wanted.args.keep_nothing {
            None
        } else {
            store.tidy(&head.provenance.machine.name);
            let created = Record::create(store, head, prefixes).map_err(|error| CommandError::new(error.line()));
            Some(created.hint(NOT_KEPT)?)
        };
        Ok(Keeper { record, rounds: vec![], by_case: HashMap::new(), numbers, first_round, resumption: None })
    }

    /// Goes on with the record of an interrupted run.
    pub(crate) fn resume(
        taken_up: TakenUp,
        wanted: &Wanted,
        session: &SuiteSession,
        context: &Context<'_>,
    ) -> Result<Keeper> {
        let store = context.store(Some(&wanted.settings));
        let (head, rounds) = (taken_up.run(session), taken_up.rounds(session)?);
        let TakenUp { record, resumption, prefixes, .. } = taken_up;
        let earlier = show::pooled_before(&store, &head.provenance)?;
        let (numbers, first_round) = (numbers_of(&earlier, &head, &prefixes), rounds_of(&earlier));
        let writer = record.resume(&head.planned, &head.problems, &prefixes);
        let writer = writer.map_err(|error| CommandError::new(error.line()))?;
        store.tidy(&head.provenance.machine.name);
        let record = Some(Record { writer, store, head, prefixes });
        let resumption = Some(resumption);
        let mut keeper = Keeper { record, rounds: vec![], by_case: HashMap::new(), numbers, first_round, resumption };
        rounds.into_iter().for_each(|round| keeper.remember(round));
        Ok(keeper)
    }

    /// Returns the rounds that were there before anything was measured, numbered as the loop numbers them.
    pub(crate) fn earlier(&self) -> Vec<Round> {
        let own = |round: &Round| round.round.checked_sub(self.first_round);
        self.rounds.iter().filter_map(|round| Some(Round { round: own(round)?, ..round.clone() })).collect()
    }

    /// Returns `number` by case from the samples that these are pooled with.
    pub(crate) fn numbers(&self) -> HashMap<CaseKey, u64> {
        self.numbers.clone()
    }

    /// Writes a round down.
    pub(crate) fn keep(&mut self, round: &Round, console: &Console) -> Result<()> {
        let round = Round { round: self.first_round + round.round, resumed: self.resumption, ..round.clone() };
        if let Some(record) = &mut self.record {
            let kept = record.restore(&self.rounds, console).and_then(|()| record.writer.append(&round));
            kept.map_err(|error| CommandError::new(error.line()))?;
        }
        self.resumption = None;
        self.remember(round);
        Ok(())
    }

    fn remember(&mut self, round: Round) {
        let key = (round.benchmark.clone(), round.parameters.clone());
        self.by_case.entry(key).or_default().push(self.rounds.len());
        self.rounds.push(round);
    }

    /// Returns what is to be told of a case that is done.
    pub(crate) fn told(&self, benchmark: &Benchmark, case: &Case, with_detail: bool) -> Told {
        let indices = self.by_case.get(&(case.benchmark.clone(), case.texts()));
        let rounds: Vec<&Round> = indices.into_iter().flatten().map(|index| &self.rounds[*index]).collect();
        let outcomes = tacho_judge::case_outcomes(benchmark, case, &rounds);
        let detail = outcomes.iter().find_map(|outcome| outcome.detail.clone()).filter(|_| with_detail);
        Told { outcomes, detail }
    }

    /// Seals the record of a complete run; an interrupted one stays open, as a partial run.
    pub(crate) fn close(self, finish: Finish, console: &Console) -> Kept {
        let Some(mut record) = self.record else { return Kept { path: None, rounds: self.rounds, trouble: None } };
        let open = record.writer.path().to_owned();
        let closed = record.restore(&self.rounds, console).and_then(|()| match finish {
            Finish::Stopped => Ok(open.clone()),
            Finish::Complete => record.writer.seal(),
        });
        match closed {
            Ok(path) => Kept { path: Some(path), rounds: self.rounds, trouble: None },
            Err(error) => {
                let trouble = Some(CommandError::new(error.line()));
                Kept { path: Some(open).filter(|path| path.exists()), rounds: self.rounds, trouble }
            }
        }
    }
}

/// Returns the inner loop's `number` by live case, from stored rounds of the same version.
fn numbers_of(earlier: &[Run], run: &Run, prefixes: &Prefixes) -> HashMap<CaseKey, u64> {
    let mut stored: HashMap<(&str, &[String]), u64> = HashMap::new();
    for earlier in earlier {
        for round in &earlier.rounds {
            for samples in round.samples.values() {
                if let Samples::Loops { number, .. } = samples {
                    stored.insert((&round.benchmark, &round.parameters), *number);
                }
            }
        }
    }
    let versions: HashMap<&str, &str> = earlier
        .iter()
        .flat_map(|run| &run.planned)
        .map(|plan| (plan.benchmark.name.as_str(), plan.benchmark.version.as_str()))
        .collect();
    let mut numbers = HashMap::new();
    for plan in &run.planned {
        let Benchmark { name, version, .. } = &plan.benchmark;
        if versions.get(name.as_str()).copied() != Some(&prefixes.replace(version)) {
            continue;
        }
        for case in plan.cases.iter().filter_map(|index| plan.benchmark.case(*index)) {
            let texts: Vec<String> = case.texts().iter().map(|text| prefixes.replace_identity(text)).collect();
            if let Some(number) = stored.get(&(name.as_str(), &texts[..])) {
                numbers.insert((name.clone(), case.texts()), *number);
            }
        }
    }
    numbers
}

/// Returns how many rounds there are before those of a run whose samples are pooled with earlier ones.
fn rounds_of(earlier: &[Run]) -> u32 {
    earlier.iter().flat_map(|run| &run.rounds).map(|round| round.round.saturating_add(1)).max().unwrap_or(0)
}

/// Runs whose samples belong together share an experiment: the first one's, or its own id.
fn experiment_of(run: &Run) -> String {
    run.provenance.experiment.clone().unwrap_or_else(|| run.provenance.run_id.clone())
}

/// The private parts of paths that no record holds.
pub(super) fn prefixes(wanted: &Wanted, session: &SuiteSession, context: &Context<'_>) -> Prefixes {
    let own = session.venue.dir.as_deref().into_iter();
    let environments: Vec<&Path> = own.chain([Path::new(&session.discovery.prefix)]).collect();
    prefixes_of(wanted, &environments, context).tmp(session.copy.scratch.path())
}

/// The same where no suite is open.
pub(super) fn prefixes_of(wanted: &Wanted, environments: &[&Path], context: &Context<'_>) -> Prefixes {
    let prefixes = Prefixes::default().project(&wanted.settings.root).tmp(&std::env::temp_dir());
    let prefixes = environments.iter().fold(prefixes, |prefixes, folder| prefixes.env(folder));
    let prefixes = match &context.dirs.home {
        Some(home) => prefixes.home(home),
        None => prefixes,
    };
    match std::env::var("USER").or_else(|_| std::env::var("LOGNAME")) {
        Ok(user) if !user.is_empty() => prefixes.user(&user),
        _ => prefixes,
    }
}
