//! The agenda of `run`: the cells that it measures, in order.

use tacho_measure::environments::{Combination, Commands, EnvironmentSpec, RunSpec, Tool};
use tacho_measure::git::Git;

use super::Wanted;
use super::cell::{Cell, Work};
use crate::context::Context;
use crate::error::Result;
use crate::settings::Settings;
use crate::subject_choice;

/// What is to be measured.
pub(super) struct Agenda {
    pub(super) cells: Vec<Cell>,
    /// The repository of the project, where it is checked out.
    pub(super) git: Option<Git>,
}

/// Decides what is measured, before anything is started.
///
/// # Errors
/// What is asked for cannot be measured.
pub(super) fn draw_up(wanted: &Wanted, context: &Context<'_>) -> Result<Agenda> {
    let choice = subject_choice::choose(&wanted.settings, &wanted.wish(), context.console)?;
    let cells = combinations(&wanted.settings).into_iter().map(|combination| Cell {
        subject: choice.subject.clone(),
        branch: choice.branch.clone(),
        work: Work::Here,
        combination,
    });
    Ok(Agenda { cells: cells.collect(), git: choice.git.clone() })
}

fn combinations(settings: &Settings) -> Vec<Combination> {
    let variables = &settings.variables.value;
    let run = RunSpec {
        variables: variables.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect(),
        axes: variables.iter().map(|(name, value)| (format!("env.{name}"), value.clone())).collect(),
        ..RunSpec::default()
    };
    let environment = EnvironmentSpec {
        tool: Tool::Existing,
        python: settings.python.value.clone(),
        requirements: vec![],
        packages: vec![],
        lock: None,
        environment_file: None,
        channels: vec![],
        build_variables: Default::default(),
        commands: Commands::default(),
        run_line: None,
        label: "existing".into(),
        axes: Default::default(),
    };
    vec![Combination { environment, run }]
}
