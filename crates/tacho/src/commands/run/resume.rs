//! `tacho run --resume`: which interrupted run goes on, and whether it may.

use std::collections::{HashMap, HashSet};

use tacho_measure::matching::Selection;
use tacho_model::unit::counted;
use tacho_model::{Completeness, Machine, Planned, Resumption, Round, Run, RunSettings};
use tacho_store::{Entry, Prefixes, Reopened, Store, StoreError, as_kept};

use super::attributes::Attributes;
use super::cell::Cell;
use super::conduct::Stage;
use super::differences::{Difference, differences, plan_differences};
use super::keep::prefixes;
use super::{Given, Wanted, machine, plan, selection};
use crate::commands::show::names_run;
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::suite_session::{SuiteSession, refuse_missing_processors};

/// So many differences are told one by one.
const TOLD: usize = 8;

/// An interrupted run that goes on: its record, held against other writers and not changed yet.
pub(super) struct TakenUp {
    pub(super) record: Reopened,
    pub(super) resumption: Resumption,
    pub(super) prefixes: Prefixes,
    /// What it measures, with the texts of the suite as it is loaded now.
    planned: Vec<Planned>,
    /// How many older runs could go on as well.
    n_others: usize,
}

/// Returns the runs that may go on, oldest first; `None` where a new run is asked for.
///
/// # Errors
/// There are none: told before anything is started.
pub(super) fn unfinished(wanted: &Wanted, context: &Context<'_>) -> Result<Option<Vec<Entry>>> {
    let Some(id) = &wanted.args.resume else { return Ok(None) };
    let store = context.store(Some(&wanted.settings));
    let mut entries = store.unfinished()?;
    let begin = "begin one with `tacho run`";
    if entries.is_empty() {
        let none = format!("no interrupted run is kept in `{}`", store.root().display());
        return Err(CommandError::new(none).hint(begin));
    }
    entries.retain(|entry| id.is_empty() || names_run(&entry.provenance, id));
    if entries.is_empty() {
        let error = CommandError::new(format!("no interrupted run is called `{id}`"));
        return Err(error.hint("see the runs that are kept with `tacho show --list`").hint(begin));
    }
    Ok(Some(entries))
}

/// Returns the record that a cell goes on with, where that is asked for.
///
/// What is checked out, measured alone, goes on with a run that is there and fits. Of many cells each goes on with its own
/// where there is one, and the others begin.
///
/// # Errors
/// The only cell has nothing to go on with, or nothing that it may.
pub(super) fn resumed(
    cell: &Cell,
    wanted: &mut Wanted,
    session: &mut SuiteSession,
    stage: &Stage<'_>,
    context: &Context<'_>,
) -> Result<Option<TakenUp>> {
    let Some(id) = wanted.args.resume.clone() else { return Ok(None) };
    if stage.agenda.is_one_in_place() {
        let entries = unfinished(wanted, context)?.unwrap_or_default();
        return take_up(&entries, wanted, cell, session, stage, context).map(Some);
    }
    let mut entries = context.store(Some(&wanted.settings)).unfinished()?;
    entries.retain(|entry| {
        stage.place.is_one_of(&entry.provenance, cell) && (id.is_empty() || names_run(&entry.provenance, &id))
    });
    if entries.is_empty() {
        return Ok(None);
    }
    // What the command line asks for holds for all cells alike.
    wanted.given = Given { attributes: true, bench: true };
    match take_up(&entries, wanted, cell, session, stage, context) {
        Ok(taken_up) => Ok(Some(taken_up)),
        Err(error) => {
            context.console.talk(&format!("Begun anew: {}.", error.message()));
            Ok(None)
        }
    }
}

/// Chooses the newest run that a run begun now would be the same as, and holds its record.
///
/// What was asked for by flags then holds now, unless it is asked for again.
fn take_up(
    entries: &[Entry],
    wanted: &mut Wanted,
    cell: &Cell,
    session: &mut SuiteSession,
    stage: &Stage<'_>,
    context: &Context<'_>,
) -> Result<TakenUp> {
    let prefixes = prefixes(wanted, session, context);
    let fitting = fitting(entries, wanted, cell, session, &prefixes, context)?;
    let (chosen, record) = held(&fitting, context.store(Some(&wanted.settings)))?;
    adopt(wanted, &chosen.provenance.settings)?;
    refuse_missing_processors(cell.affinity(wanted).as_deref())?;
    session.executor.pin(cell.affinity(wanted));
    let planned = match record.has_plan() {
        true => plan::planned(wanted, &session.discovery)?,
        false => plan::plan(wanted, cell, session, stage, context)?.planned,
    };
    let resumption = Resumption { at: tacho_measure::now(), load: tacho_measure::machine::load() };
    let n_others = fitting.len() - 1;
    let mut taken_up = TakenUp { record, resumption, prefixes, planned, n_others };
    taken_up.keep_to_plan(session)?;
    taken_up.refuse_another_plan(session)?;
    Ok(taken_up)
}

/// Returns the entries, newest first, that a run begun now would be the same as.
fn fitting<'a>(
    entries: &'a [Entry],
    wanted: &mut Wanted,
    cell: &Cell,
    session: &SuiteSession,
    prefixes: &Prefixes,
    context: &Context<'_>,
) -> Result<Vec<&'a Entry>> {
    let machine = machine(wanted, context)?;
    let mut fitting = Vec::new();
    let mut nearest: Option<(&Entry, Vec<Difference>)> = None;
    for entry in entries.iter().rev() {
        let found = against(entry, wanted, cell, session, prefixes, &machine)?;
        if found.is_empty() {
            fitting.push(entry);
        } else if nearest.as_ref().is_none_or(|(_, fewest)| found.len() < fewest.len()) {
            nearest = Some((entry, found));
        }
    }
    match nearest.filter(|_| fitting.is_empty()) {
        Some((entry, found)) => Err(refused(&entry.provenance, &found)),
        None => Ok(fitting),
    }
}

/// Holds the first record that nobody writes to: a run that is going on is not interrupted.
fn held<'a>(fitting: &[&'a Entry], store: Store) -> Result<(&'a Entry, Reopened)> {
    let mut in_use = None;
    for entry in fitting {
        match store.reopen(&entry.path) {
            Ok(record) => return Ok((entry, record)),
            Err(error @ StoreError::InUse { .. }) => in_use = in_use.or(Some(error)),
            Err(error) => return Err(CommandError::of_record(&error).hint("begin anew with `tacho run`")),
        }
    }
    let told = in_use.map_or_else(|| "no interrupted run is kept".to_owned(), |error| error.line());
    Err(CommandError::new(told).hint("let that run come to its end, or begin another with `tacho run`"))
}

/// Returns in what a run that would begin now differs from the one that an entry tells of.
fn against(
    entry: &Entry,
    wanted: &mut Wanted,
    cell: &Cell,
    session: &SuiteSession,
    prefixes: &Prefixes,
    machine: &Machine,
) -> Result<Vec<Difference>> {
    adopt(wanted, &entry.provenance.settings)?;
    let mut provenance = plan::provenance(wanted, cell, session, machine.clone());
    let bench = &entry.provenance.settings.bench;
    if selection::is_limited(bench) {
        // What there was no time for was not asked for otherwise: it goes on with the rest.
        provenance.settings.bench.clone_from(bench);
    }
    let now =
        Run { provenance, planned: vec![], problems: vec![], rounds: vec![], completeness: Completeness::Interrupted };
    Ok(differences(&entry.provenance, &as_kept(&now, prefixes)?.provenance))
}

/// Asks for what a run was asked for, as far as the command line does not say something else.
fn adopt(wanted: &mut Wanted, settings: &RunSettings) -> Result<()> {
    if !wanted.given.attributes {
        let texts: Vec<String> = settings.attributes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        wanted.attributes = Attributes::parse(&texts, settings.quick, None)?;
        wanted.args.quick = settings.quick;
    }
    if !wanted.given.bench {
        wanted.selection = Selection::parse(&settings.bench)?;
        wanted.args.bench.clone_from(&settings.bench);
    }
    Ok(())
}

fn refused(then: &tacho_model::Provenance, found: &[Difference]) -> CommandError {
    let id = short_id(&then.run_id);
    let mut text = format!("run {id} of {} cannot go on:", tacho_report::subject_text(&then.subject));
    for difference in found.iter().take(TOLD) {
        text.push_str(&format!("\n    {}", difference.text()));
    }
    if found.len() > TOLD {
        text.push_str(&format!("\n    and {} more", found.len() - TOLD));
    }
    let error = CommandError::new(text);
    let error = match found.iter().all(|difference| difference.asked) {
        true => error.hint("leave -a, -b, --quick and --cpu-affinity out: it goes on with its own"),
        false => error.hint("put back what differs and try again, or begin anew with `tacho run`"),
    };
    error.hint(format!("what it has measured is kept: `tacho show {id}`"))
}

/// Returns the digits of a run's id that commands take it by.
fn short_id(run_id: &str) -> &str {
    run_id.get(..8).unwrap_or(run_id)
}

impl TakenUp {
    /// A run goes on with what it was begun for: that is less than all where some of it was there already, or where there
    /// was no time for all.
    fn keep_to_plan(&mut self, session: &SuiteSession) -> Result<()> {
        if !self.record.has_plan() {
            return Ok(());
        }
        let cases = |plan: &Planned| {
            let benchmark = plan.benchmark.clone();
            plan.cases.iter().filter_map(move |index| benchmark.case(*index)).map(|case| case.full_name()).collect()
        };
        let then: HashMap<&str, HashSet<String>> =
            self.record.run().planned.iter().map(|plan| (plan.benchmark.name.as_str(), cases(plan))).collect();
        let kept = self.kept(session)?.planned;
        let is_meant = |kept: &Planned, index: usize| {
            let case = kept.benchmark.case(index).map(|case| case.full_name());
            case.is_some_and(|case| then.get(kept.benchmark.name.as_str()).is_some_and(|then| then.contains(&case)))
        };
        for (plan, kept) in self.planned.iter_mut().zip(&kept) {
            // Where no case is one of then's, that is told as a difference.
            if kept.cases.iter().any(|index| is_meant(kept, *index)) || !then.contains_key(kept.benchmark.name.as_str())
            {
                plan.cases.retain(|index| is_meant(kept, *index));
            }
        }
        self.planned.retain(|plan| !plan.cases.is_empty());
        Ok(())
    }

    /// A case is known by the texts of its parameters, and these have to be the ones that the record tells.
    fn refuse_another_plan(&self, session: &SuiteSession) -> Result<()> {
        let then = self.record.run();
        if !self.record.has_plan() {
            return Ok(());
        }
        let found = plan_differences(&then.planned, &self.kept(session)?.planned);
        if found.is_empty() { Ok(()) } else { Err(refused(&then.provenance, &found)) }
    }

    fn kept(&self, session: &SuiteSession) -> Result<Run> {
        Ok(as_kept(&self.run(session), &self.prefixes)?)
    }

    /// Returns the run as it goes on: without rounds, and with the texts of the suite as it is loaded now.
    pub(super) fn run(&self, session: &SuiteSession) -> Run {
        let then = self.record.run();
        let problems = match self.record.has_plan() {
            true => then.problems.clone(),
            false => session.discovery.problems.clone(),
        };
        Run { planned: self.planned.clone(), problems, rounds: vec![], ..then.clone() }
    }

    /// Returns the record's rounds with the texts of the suite as it is loaded now.
    pub(super) fn rounds(&self, session: &SuiteSession) -> Result<Vec<Round>> {
        let kept = self.kept(session)?.planned;
        let mut live = HashMap::new();
        for (kept, planned) in kept.iter().zip(&self.planned) {
            for index in &planned.cases {
                if let (Some(kept), Some(case)) = (kept.benchmark.case(*index), planned.benchmark.case(*index)) {
                    live.insert((kept.benchmark.clone(), kept.texts()), case);
                }
            }
        }
        let with_live_texts = |round: &Round| match live.get(&(round.benchmark.clone(), round.parameters.clone())) {
            Some(case) => Round { benchmark: case.benchmark.clone(), parameters: case.texts(), ..round.clone() },
            None => round.clone(),
        };
        Ok(self.record.run().rounds.iter().map(with_live_texts).collect())
    }

    /// Says how far the run had come.
    pub(super) fn text(&self) -> String {
        let then = self.record.run();
        let n_planned: usize = self.planned.iter().map(|plan| plan.cases.len() * plan.rounds as usize).sum();
        let others = match self.n_others {
            0 => String::new(),
            n => format!(" It is the newest; {} could go on as well.", counted(n, "other")),
        };
        format!(
            "Going on with run {}, begun {}: {} of {} are there.{others}",
            short_id(&then.provenance.run_id),
            tacho_report::moment_text(then.provenance.started_at),
            then.rounds.len(),
            counted(n_planned, "round"),
        )
    }
}
