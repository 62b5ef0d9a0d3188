//! What comes of making a cell's environment: a venue, a record of the failure, or an error for the user.

use std::path::PathBuf;

use tacho_measure::environments::{Made, MakeError};
use tacho_measure::history::HistoryError;
use tacho_model::{Build, Completeness, Environment, Problem, Provenance, Run, Threads};
use tacho_store::Prefixes;

use super::cell::Cell;
use super::{Wanted, existing, keep, machine, plan};
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::suite_session::SuiteSession;
use crate::venue::Venue;

/// A run that came to its end before anything was measured, and where it is kept.
pub(super) struct Alone {
    pub(super) run: Run,
    pub(super) path: Option<PathBuf>,
}

/// Returns the error that the user reads.
pub(super) fn told(error: MakeError) -> CommandError {
    match error {
        MakeError::Tool { problem, hint } => CommandError::new(problem).hint(hint),
        MakeError::CheckOut(source) => {
            let hint = source.downcast_ref::<HistoryError>().and_then(HistoryError::hint);
            CommandError::new(format!("cannot check the code out: {source}")).hints(hint)
        }
        MakeError::DiskFull { .. } => CommandError::new(error)
            .hint("make room: `tacho clean --keep 5GB` removes environments that were not used for the longest time"),
        MakeError::Unreachable { .. } => CommandError::new(error).hint("try again when the network is there"),
        other => CommandError::new(other),
    }
}

/// Tells whether an error is one of what is built: another commit may come further.
pub(super) fn is_about_source(error: &MakeError) -> bool {
    let is_full = |text: &str| text.contains("No space left on device") || text.contains("is there room?");
    if matches!(error, MakeError::CheckOut(source) if is_full(&source.to_string())) {
        return false;
    }
    !matches!(
        error,
        MakeError::Tool { .. } | MakeError::DiskFull { .. } | MakeError::Unreachable { .. } | MakeError::Launch(_)
    )
}

/// Returns the venue that an environment of our own is.
pub(super) fn venue(made: Made, cell: &Cell) -> Venue {
    Venue {
        program: made.python.clone(),
        label: cell.label(&made.label),
        tool: made.tool.clone(),
        dir: Some(made.dir.clone()),
        run: cell.combination.run.clone(),
        build: Some(made.build.clone()),
        prefix: vec![],
        _held: Some(made),
    }
}

/// Writes a failed build down as what came of its commit, unless nothing shall be kept.
///
/// # Errors
/// It cannot be written.
pub(super) fn keep_failure(
    cell: &Cell,
    build: &Build,
    harness: &str,
    wanted: &Wanted,
    context: &Context<'_>,
) -> Result<Alone> {
    let provenance = failed(cell, build, harness, wanted, context)?;
    keep_alone(provenance, vec![], &keep::prefixes_of(wanted, &[], context), wanted, context)
}

/// Writes down that no part of the suite could be loaded with a commit.
///
/// # Errors
/// It cannot be written.
pub(super) fn keep_unloaded(
    cell: &Cell,
    session: &SuiteSession,
    wanted: &Wanted,
    context: &Context<'_>,
) -> Result<Alone> {
    let provenance = plan::provenance(wanted, cell, session, machine(wanted, context)?);
    let problems = session.discovery.problems.clone();
    keep_alone(provenance, problems, &keep::prefixes(wanted, session, context), wanted, context)
}

fn keep_alone(
    provenance: Provenance,
    problems: Vec<Problem>,
    prefixes: &Prefixes,
    wanted: &Wanted,
    context: &Context<'_>,
) -> Result<Alone> {
    let run = Run { provenance, planned: vec![], problems, rounds: vec![], completeness: Completeness::Sealed };
    if wanted.args.keep_nothing {
        return Ok(Alone { run, path: None });
    }
    let writer = context.store(Some(&wanted.settings)).create(&run.provenance, &[], &run.problems, prefixes);
    let sealed = writer.and_then(tacho_store::RecordWriter::seal);
    let path = sealed.map_err(|error| CommandError::new(error.line()))?;
    Ok(Alone { run, path: Some(path) })
}

fn failed(cell: &Cell, build: &Build, harness: &str, wanted: &Wanted, context: &Context<'_>) -> Result<Provenance> {
    let spec = &cell.combination.environment;
    let mut axes = cell.axes(wanted);
    axes.extend(spec.python.as_deref().and_then(existing::python_axis).map(|python| ("python".to_owned(), python)));
    let environment = Environment {
        label: cell.label(&spec.label),
        tool: spec.tool.word().to_owned(),
        axes,
        threads: Threads { cap: cell.combination.run.threads, cpus: cell.affinity(wanted), memory_node: None },
        ..Environment::default()
    };
    Ok(Provenance {
        subject: cell.subject.clone().unwrap_or(tacho_model::Subject::Date { date: tacho_measure::now() }),
        branch: cell.branch.clone(),
        harness: Some(harness.to_owned()),
        environment,
        build: Some(build.clone()),
        ..plan::common(wanted, machine(wanted, context)?)
    })
}
