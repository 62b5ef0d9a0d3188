//! An environment of the project's that is there: where `list` and `check` look at a suite without making anything.

use std::sync::Arc;

use tacho_measure::history::{Range, Repository, version_order};
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

/// Returns the environment that was made for the newest commit of the checkout, or the newest version, if the project's
/// environments are made at all.
pub(crate) fn venue(settings: &Settings, context: &Context<'_>) -> Option<Venue> {
    let combinations = settings::chosen(settings, &EnvironmentWish::default()).ok()?;
    let combination = Arc::new(combinations.into_iter().find(needs_build)?);
    let near = match settings.history.value.as_str() {
        "versions" => versions(settings, context),
        "dates" => return None,
        _ => commits(settings)?,
    };
    let builds = Builds::new(settings, None, None, true, context).ok()?;
    near.into_iter().find_map(|(subject, work)| {
        let cell = Cell::new(Some(subject), None, work, Arc::clone(&combination));
        Some(made::venue(builds.ready(&cell)?, &cell))
    })
}

fn commits(settings: &Settings) -> Option<Vec<(Subject, Work)>> {
    let git = subject_choice::checked_out(settings).ok()??;
    let repository = Repository::local(git.root()).ok()?;
    let range = Range::parse(NEAR, |_| Ok(String::new())).ok()?;
    let near = range.select(&repository, &[], &|_| false, &[]).ok()?.commits;
    Some(near.into_iter().map(|commit| (Subject::Commit { hash: commit.hash, date: None }, Work::Commit)).collect())
}

/// Those that are listed, and those that were measured.
fn versions(settings: &Settings, context: &Context<'_>) -> Vec<(Subject, Work)> {
    let package = settings.package();
    let entries = context.store(Some(settings)).entries().map(|found| found.entries).unwrap_or_default();
    let measured = entries.into_iter().filter_map(|entry| match entry.provenance.subject {
        Subject::Version { package: found, version } if subject_choice::same_package(&found, package) => Some(version),
        _ => None,
    });
    let mut versions: Vec<String> = settings.versions.value.iter().cloned().chain(measured).collect();
    versions.sort_by(|one, other| version_order(other, one));
    versions.dedup();
    let subject = |version| Subject::Version { package: package.to_owned(), version };
    versions.into_iter().map(|version| (subject(version), Work::Release)).collect()
}
