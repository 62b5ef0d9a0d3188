//! An environment of the project's that is there: where `list` and `check` look at a suite without making anything.

use std::sync::Arc;

use tacho_measure::history::{Range, Repository};
use tacho_model::Subject;

use super::builds::{Builds, needs_build};
use super::cell::{Cell, Work};
use super::made;
use crate::context::Context;
use crate::settings::{self, EnvironmentWish, Settings};
use crate::subject_choice;
use crate::venue::Venue;

/// So many commits back an environment is near enough to look at a suite in.
const NEAR: &str = "-n 50 HEAD";

/// Returns the environment that was made for the newest commit of the checkout, if the project's environments are made at all.
pub(crate) fn venue(settings: &Settings, context: &Context<'_>) -> Option<Venue> {
    let combinations = settings::chosen(settings, &EnvironmentWish::default()).ok()?;
    let combination = Arc::new(combinations.into_iter().find(needs_build)?);
    let git = subject_choice::checked_out(settings).ok()??;
    let repository = Repository::local(git.root()).ok()?;
    let range = Range::parse(NEAR, |_| Ok(String::new())).ok()?;
    let near = range.select(&repository, &[], &|_| false, &[]).ok()?.commits;
    let builds = Builds::new(settings, None, None, true, context).ok()?;
    near.into_iter().find_map(|commit| {
        let subject = Subject::Commit { hash: commit.hash, date: None };
        let cell = Cell::new(Some(subject), None, Work::Commit, Arc::clone(&combination));
        Some(made::venue(builds.ready(&cell)?, &cell))
    })
}
