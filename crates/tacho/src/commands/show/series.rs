//! `tacho show --series`: what is kept, case by case, over subjects in the order of history.

mod collected;
pub(crate) mod order;

use std::collections::BTreeMap;

use tacho_measure::git::Git;
use tacho_measure::matching::Selection;
use tacho_model::{Provenance, Purpose, Subject};

use super::{ShowArgs, choice, fits_environment, rendered};
use crate::commands::compare::library::{Kept, Library, Place, place};
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::exit;
use crate::settings::Settings;
use crate::suite_problems;

use collected::Collected;

pub(super) fn run(
    args: &ShowArgs,
    selection: &Selection,
    settings: Option<&Settings>,
    context: &Context<'_>,
) -> Result<u8> {
    let library = Library::open(settings, context)?;
    let kept = library.all(|provenance| fits(provenance, args));
    if kept.is_empty() {
        return Err(nothing(&library, args, settings));
    }
    let mut collected = Collected::default();
    let mut code = exit::YES;
    for (subject, runs) in in_order(kept, settings) {
        // One place at a time: what is in memory is the runs of one, and the points of all.
        for runs in by_place(runs).into_values() {
            match library.side(runs) {
                Ok(results) => results.iter().try_for_each(|one| collected.add(&subject, one, selection))?,
                Err(error) => {
                    context.console.complain(&error.text());
                    code = exit::PARTIAL;
                }
            }
        }
    }
    let (series, names) = collected.finish();
    if series.is_empty() && !names.is_empty() {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        return Err(suite_problems::not_found(&args.bench, &names, "tacho show --series"));
    }
    if series.is_empty() {
        return Err(CommandError::new("nothing of what is kept was ever measured")
            .hint("`tacho show --list` tells how each run ended, `tacho show RUN` why"));
    }
    let text = match args.json {
        true => tacho_report::json::series(&series),
        false => rendered(&tacho_report::series(&series), args, context),
    };
    context.console.data(&text)?;
    Ok(code)
}

fn fits(provenance: &Provenance, args: &ShowArgs) -> bool {
    provenance.subject.enters_history()
        && provenance.purpose == Purpose::History
        && args.machine.as_ref().is_none_or(|name| provenance.machine.name == *name)
        && args.environment.as_ref().is_none_or(|wanted| fits_environment(&provenance.environment, wanted))
}

fn nothing(library: &Library<'_>, args: &ShowArgs, settings: Option<&Settings>) -> CommandError {
    if args.machine.is_none() && args.environment.is_none() && !library.all(|_| true).is_empty() {
        return CommandError::new("no run that is kept enters a history: they are of work trees, or sides of pairs")
            .hint("commit what you measure, and measure it with `tacho run`");
    }
    CommandError::new("no runs are kept that a series could be made of").hints(choice::what_to_do(args, settings))
}

/// Returns the runs by subject, in the order of history.
fn in_order(kept: Vec<Kept>, settings: Option<&Settings>) -> Vec<(Subject, Vec<Kept>)> {
    let mut subjects: BTreeMap<(&'static str, String), Vec<Kept>> = BTreeMap::new();
    for one in kept {
        let subject = &one.provenance.subject;
        subjects.entry((subject.kind(), subject.id())).or_default().push(one);
    }
    let line = first_parent_line(settings);
    let mut dated = Vec::new();
    for runs in subjects.into_values() {
        // Of one subject's runs one may know its date where another does not.
        let subject = runs.iter().map(|kept| &kept.provenance.subject).max_by_key(|subject| has_date(subject)).cloned();
        let began = runs.iter().map(|kept| kept.provenance.started_at).min();
        if let (Some(subject), Some(began)) = (subject, began) {
            dated.push(order::Dated { subject, began, content: runs });
        }
    }
    order::in_history(dated, &line).into_iter().map(|dated| (dated.subject, dated.content)).collect()
}

fn has_date(subject: &Subject) -> bool {
    matches!(subject, Subject::Commit { date: Some(_), .. })
}

/// Returns the commits of the project's first-parent line, oldest first; none where there is no repository to ask.
pub(crate) fn first_parent_line(settings: Option<&Settings>) -> Vec<String> {
    let line = settings.and_then(|settings| Git::of_commits(&choice::repository(settings)).first_parent_line().ok());
    line.unwrap_or_default()
}

fn by_place(runs: Vec<Kept>) -> BTreeMap<Place, Vec<Kept>> {
    let mut places: BTreeMap<Place, Vec<Kept>> = BTreeMap::new();
    for one in runs {
        places.entry(place(&one.provenance)).or_default().push(one);
    }
    places
}
