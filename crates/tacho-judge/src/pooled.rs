//! Several runs whose samples belong together, read as one.

use std::collections::HashMap;

use tacho_model::{Completeness, Planned, Round, Run};

#[cfg(test)]
mod tests;

/// Returns runs of one series, oldest first, as one: the newest one's provenance, plan and problems with the
/// rounds of all; `None` without a run.
///
/// Rounds of an older run are left out where it measured another version of their benchmark, or where the
/// newest run does not plan it. Rounds are numbered on from run to run, so that each number of a case
/// stands once. One interrupted run makes the whole interrupted.
pub fn pooled(mut runs: Vec<Run>) -> Option<Run> {
    let mut newest = runs.pop()?;
    let wanted = versions(&newest.planned);
    let mut n_before = 0;
    let mut rounds = Vec::new();
    for older in runs {
        if older.completeness == Completeness::Interrupted {
            newest.completeness = Completeness::Interrupted;
        }
        rounds.extend(numbered_on(rounds_of_versions(older, &wanted), &mut n_before));
    }
    rounds.extend(numbered_on(std::mem::take(&mut newest.rounds), &mut n_before));
    newest.rounds = rounds;
    Some(newest)
}

/// Returns runs of one series, oldest first, as one that says whatever any of them says: of each benchmark the newest
/// definition, with the cases that runs of that version planned and the rounds of all of these.
///
/// Provenance is the newest run's. `None` without a run.
pub fn merged(mut runs: Vec<Run>) -> Option<Run> {
    let planned = newest_plans(&runs);
    runs.last_mut()?.planned = planned;
    pooled(runs)
}

fn newest_plans(runs: &[Run]) -> Vec<Planned> {
    let mut plans: Vec<Planned> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for plan in runs.iter().rev().flat_map(|run| &run.planned) {
        match places.get(plan.benchmark.name.as_str()) {
            None => {
                places.insert(&plan.benchmark.name, plans.len());
                plans.push(plan.clone());
            }
            Some(place) if plans[*place].benchmark.version == plan.benchmark.version => {
                let cases = &mut plans[*place].cases;
                cases.extend(&plan.cases);
                cases.sort_unstable();
                cases.dedup();
            }
            Some(_) => {}
        }
    }
    plans
}

type Versions<'a> = HashMap<&'a str, &'a str>;

fn versions(planned: &[Planned]) -> Versions<'_> {
    planned.iter().map(|plan| (plan.benchmark.name.as_str(), plan.benchmark.version.as_str())).collect()
}

fn rounds_of_versions(run: Run, wanted: &Versions<'_>) -> Vec<Round> {
    let theirs = versions(&run.planned);
    let is_wanted = |name: &str| theirs.get(name).is_some_and(|version| wanted.get(name) == Some(version));
    run.rounds.into_iter().filter(|round| is_wanted(&round.benchmark)).collect()
}

/// Numbers the rounds of one run from `n_before` on, and moves it behind the last of them.
fn numbered_on(mut rounds: Vec<Round>, n_before: &mut u32) -> Vec<Round> {
    let first = *n_before;
    for round in &mut rounds {
        round.round = round.round.saturating_add(first);
        *n_before = (*n_before).max(round.round.saturating_add(1));
    }
    rounds
}
