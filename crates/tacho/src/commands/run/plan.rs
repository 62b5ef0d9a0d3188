//! The plan of a run: which cases, how many rounds, and where the numbers will come from.

use tacho_measure::threads::agreed_cap;
use tacho_measure::{Discovery, machine as facts};
use tacho_model::{
    Completeness, Environment, Machine, Planned, Provenance, Purpose, Run, RunSettings, Subject, Threads,
};

use super::cell::Cell;
use super::conduct::Stage;
use super::{Wanted, keep, machine, selection};
use crate::commands::list;
use crate::context::Context;
use crate::error::Result;
use crate::interpreter;
use crate::subject_choice;
use crate::suite_problems;
use crate::suite_session::SuiteSession;

/// Returns the run as it is before its first round. It has no cases where all of them are there already.
pub(super) fn plan(
    wanted: &Wanted,
    cell: &Cell,
    session: &SuiteSession,
    stage: &Stage<'_>,
    context: &Context<'_>,
) -> Result<Run> {
    let mut planned = planned(wanted, &session.discovery)?;
    planned.retain(|plan| !cell.left_out.contains(&plan.benchmark.name));
    let problems = session.discovery.problems.clone();
    let provenance = provenance(wanted, cell, session, machine(wanted, context)?);
    // Until it is sealed a run is an interrupted one.
    let completeness = Completeness::Interrupted;
    let mut run = Run { provenance, planned, problems, rounds: vec![], completeness };
    let skip = wanted.skip();
    if skip.is_any() {
        let mut planned = run.planned.clone();
        stage.existing.leave_out(&mut planned, &run, &keep::prefixes(wanted, session, context), skip)?;
        run.planned = planned;
    }
    Ok(run)
}

/// Returns where the numbers of a run that begins now come from.
pub(super) fn provenance(wanted: &Wanted, cell: &Cell, session: &SuiteSession, machine: Machine) -> Provenance {
    let settings = &wanted.settings;
    let unnamed = || subject_choice::without_repository(&settings.project.value, &session.discovery.packages);
    let mut provenance = Provenance {
        subject: cell.subject.clone().unwrap_or_else(unnamed),
        branch: cell.branch.clone(),
        harness: Some(session.copy.harness.clone()),
        environment: environment(wanted, cell, session),
        build: session.venue.build.clone(),
        runner: session.discovery.runner.clone(),
        ..common(wanted, machine)
    };
    provenance.settings.bench = selection::limited(&wanted.args.bench, &cell.left_out);
    provenance
}

/// Returns what is the same for whatever a run measures and in what.
pub(super) fn common(wanted: &Wanted, machine: Machine) -> Provenance {
    let settings = &wanted.settings;
    let started_at = tacho_measure::now();
    Provenance {
        run_id: tacho_store::draw_run_id(),
        project: settings.project.value.clone(),
        subject: Subject::Date { date: started_at },
        branch: None,
        harness: None,
        machine,
        environment: Environment::default(),
        build: None,
        purpose: Purpose::History,
        experiment: None,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        runner: String::new(),
        method: settings.method.value.clone(),
        started_at,
        load: facts::load(),
        settings: RunSettings {
            quick: wanted.args.quick,
            attributes: wanted.attributes.texts.clone(),
            bench: wanted.args.bench.clone(),
            default_timeout_s: settings.timeout_s.value,
        },
    }
}

/// Returns the selected cases with the rounds that each gets.
pub(super) fn planned(wanted: &Wanted, discovery: &Discovery) -> Result<Vec<Planned>> {
    let mut planned = list::select(discovery.benchmarks.clone(), &wanted.selection)?;
    for plan in &mut planned {
        // asv lets only timings have rounds. Who asks for them by name means them for all kinds.
        if let Some(rounds) = wanted.attributes.rounds {
            plan.rounds = rounds;
        }
        if let Some(version) = &wanted.attributes.version {
            plan.benchmark.version.clone_from(version);
        }
        for rule in &wanted.settings.metrics {
            rule.apply(&mut plan.benchmark);
        }
    }
    if planned.iter().all(|plan| plan.cases.is_empty()) {
        return Err(suite_problems::nothing_selected(&wanted.settings, &wanted.args.bench, discovery));
    }
    Ok(planned)
}

fn environment(wanted: &Wanted, cell: &Cell, session: &SuiteSession) -> Environment {
    let found = &session.discovery;
    let venue = &session.venue;
    let variables = interpreter::recorded_variables(&venue.variables(&wanted.settings, None), &venue.run);
    let mut axes = cell.axes(wanted);
    axes.insert("python".into(), python_axis(found));
    Environment {
        label: venue.label.clone(),
        tool: venue.tool.clone(),
        axes,
        interpreter: found.interpreter.clone(),
        executable: found.executable.clone(),
        packages: found.packages.clone(),
        threads: Threads {
            cap: agreed_cap(&variables),
            cpus: cell.affinity(wanted),
            memory_node: wanted.settings.numa_node.value,
        },
        variables,
    }
}

/// CPython's version alone, others with their name: asv's way to write a python.
fn python_axis(found: &Discovery) -> String {
    match found.interpreter.split_once(' ') {
        Some(("PyPy", _)) => format!("pypy{}", found.python),
        Some(("CPython", _)) | None => found.python.clone(),
        Some((other, _)) => format!("{}{}", other.to_lowercase(), found.python),
    }
}
