//! Keeps rounds as they come, and tells a case when its last round is in.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tacho_measure::Finish;
use tacho_model::{Benchmark, Case, Round, Run, Samples};
use tacho_report::Screen;
use tacho_store::{Prefixes, RecordWriter};

use super::Wanted;
use crate::context::Context;
use crate::error::{CommandError, Result, WithHint};
use crate::progress::Progress;
use crate::suite_session::SuiteSession;

type CaseKey = (String, Vec<String>);

/// The record of a run that is going on, and its rounds in memory.
pub(crate) struct Keeper {
    writer: Option<RecordWriter>,
    rounds: Vec<Round>,
    by_case: HashMap<CaseKey, Vec<usize>>,
    numbers: HashMap<CaseKey, u64>,
}

impl Keeper {
    /// Opens the record, unless nothing shall be kept.
    pub(crate) fn open(wanted: &Wanted, run: &Run, session: &SuiteSession, context: &Context<'_>) -> Result<Keeper> {
        let store = context.store(Some(&wanted.settings));
        let mut provenance = run.provenance.clone();
        let mut numbers = HashMap::new();
        if wanted.args.append_samples {
            let earlier = crate::commands::show::same_series(&store, &provenance)?;
            numbers = numbers_of(&earlier);
            provenance.experiment = earlier.last().map(experiment_of);
        }
        let writer = if wanted.args.dry_run {
            None
        } else {
            let prefixes = prefixes(wanted, session, context);
            let created = store.create(&provenance, &run.planned, &run.problems, &prefixes);
            Some(created.hint("nothing has been measured; --dry-run measures without keeping")?)
        };
        Ok(Keeper { writer, rounds: vec![], by_case: HashMap::new(), numbers })
    }

    /// Returns `number` by case from the samples that these are pooled with.
    pub(crate) fn numbers(&self) -> HashMap<CaseKey, u64> {
        self.numbers.clone()
    }

    /// Writes a round down.
    pub(crate) fn keep(&mut self, round: &Round) -> Result<()> {
        if let Some(writer) = &mut self.writer {
            let path = writer.path().to_owned();
            let kept = writer.append(round);
            kept.hint(format!("the rounds before this one are kept in {}", path.display()))?;
        }
        let key = (round.benchmark.clone(), round.parameters.clone());
        self.by_case.entry(key).or_default().push(self.rounds.len());
        self.rounds.push(round.clone());
        Ok(())
    }

    /// Prints the line of a case that is done.
    pub(crate) fn tell(
        &self,
        benchmark: &Benchmark,
        case: &Case,
        show_stderr: bool,
        context: &Context<'_>,
        progress: &Progress,
    ) -> Result<()> {
        let indices = self.by_case.get(&(case.benchmark.clone(), case.texts()));
        let rounds: Vec<&Round> = indices.into_iter().flatten().map(|index| &self.rounds[*index]).collect();
        let screen = Screen { width: context.console.width, colour: context.console.colour };
        let outcomes = tacho_judge::case_outcomes(benchmark, case, &rounds);
        let detail = outcomes.iter().find_map(|outcome| outcome.detail.as_deref()).filter(|_| show_stderr);
        progress.around(|| {
            context.console.data(&tacho_report::case_line(&outcomes, &screen))?;
            if let Some(detail) = detail {
                context.console.complain(detail);
            }
            Ok(())
        })
    }

    /// Returns all rounds, in order.
    pub(crate) fn take_rounds(&mut self) -> Vec<Round> {
        self.by_case.clear();
        std::mem::take(&mut self.rounds)
    }

    /// Seals the record of a complete run; an interrupted one stays open, as a partial run.
    pub(crate) fn close(self, finish: Finish) -> Result<Option<PathBuf>> {
        match (self.writer, finish) {
            (None, _) => Ok(None),
            (Some(writer), Finish::Stopped) => Ok(Some(writer.path().to_owned())),
            (Some(writer), Finish::Complete) => {
                let path = writer.path().to_owned();
                let sealed = writer.seal().map_err(CommandError::from);
                sealed.map(Some).hint(format!("all rounds are kept in {}", path.display()))
            }
        }
    }
}

fn numbers_of(earlier: &[Run]) -> HashMap<CaseKey, u64> {
    let mut numbers = HashMap::new();
    for round in earlier.iter().flat_map(|run| &run.rounds) {
        for samples in round.samples.values() {
            if let Samples::Loops { number, .. } = samples {
                numbers.insert((round.benchmark.clone(), round.parameters.clone()), *number);
            }
        }
    }
    numbers
}

/// Runs whose samples belong together share an experiment: the first one's, or its own id.
fn experiment_of(run: &Run) -> String {
    run.provenance.experiment.clone().unwrap_or_else(|| run.provenance.run_id.clone())
}

/// The private parts of paths that no record holds.
fn prefixes(wanted: &Wanted, session: &SuiteSession, context: &Context<'_>) -> Prefixes {
    let prefixes = Prefixes::default()
        .project(&wanted.settings.root)
        .env(Path::new(&session.discovery.prefix))
        .tmp(session.scratch.path())
        .tmp(&std::env::temp_dir());
    let prefixes = match &context.dirs.home {
        Some(home) => prefixes.home(home),
        None => prefixes,
    };
    match std::env::var("USER").or_else(|_| std::env::var("LOGNAME")) {
        Ok(user) if !user.is_empty() => prefixes.user(&user),
        _ => prefixes,
    }
}
