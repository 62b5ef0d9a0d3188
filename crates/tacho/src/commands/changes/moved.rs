//! What else moved between two runs of a series: beside the commit, each of these can be the cause.

use std::collections::{BTreeMap, BTreeSet};

use tacho_model::Disagreement;
use tacho_query::Cell;

use crate::subject_choice::same_package;

/// Returns what moved where a change was found, and what else moved where it may have been instead.
pub(super) fn moved_within(
    (old, new): (&Cell, &Cell),
    (good, latest): (&Cell, &Cell),
    project: &str,
) -> Vec<Disagreement> {
    let mut found = moved(old, new, project);
    for other in moved(good, latest, project) {
        if found.iter().all(|one| one.field != other.field) {
            found.push(other);
        }
    }
    found
}

/// Returns what is known of both runs and differs: packages, facts of the machine, and in what else they were measured.
fn moved(old: &Cell, new: &Cell, project: &str) -> Vec<Disagreement> {
    let mut moved = packages(&old.packages, &new.packages, project);
    moved.extend(differing(&old.machine_facts, &new.machine_facts));
    moved.extend(differing(&old.setup, &new.setup));
    moved
}

/// What is installed in one and not in the other counts too. The project's own version moves with every commit.
fn packages(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>, project: &str) -> Vec<Disagreement> {
    if old.is_empty() || new.is_empty() {
        return vec![];
    }
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).filter(|name| !same_package(name, project)).collect();
    names.into_iter().filter_map(|name| disagreement(name, old.get(name), new.get(name))).collect()
}

fn differing(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Disagreement> {
    let both = |(name, text)| Some((name, text, new.get(name)?));
    old.iter().filter_map(both).filter_map(|(name, old, new)| disagreement(name, Some(old), Some(new))).collect()
}

fn disagreement(name: &str, before: Option<&String>, after: Option<&String>) -> Option<Disagreement> {
    (before != after).then(|| Disagreement { field: name.to_owned(), before: before.cloned(), after: after.cloned() })
}

#[cfg(test)]
mod tests {
    use tacho_model::{Subject, Timestamp};

    use super::*;

    fn cell(packages: &[(&str, &str)], facts: &[(&str, &str)], setup: &[(&str, &str)]) -> Cell {
        let map = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Cell {
            subject: Subject::Date { date: Timestamp { unix_us: 0 } },
            began: Timestamp { unix_us: 0 },
            position: 0,
            is_aside: false,
            quick: false,
            machine: "lab".into(),
            axes: BTreeMap::new(),
            environment_label: String::new(),
            machine_facts: map(facts),
            packages: map(packages),
            setup: map(setup),
        }
    }

    #[test]
    fn what_is_known_of_both_and_differs_is_told() {
        let old = cell(
            &[("numpy", "1"), ("my_pkg", "3"), ("gone", "1")],
            &[("kernel", "5"), ("os", "L")],
            &[("runner", "1")],
        );
        let new =
            cell(&[("numpy", "2"), ("my_pkg", "4"), ("new", "1")], &[("kernel", "6"), ("os", "L")], &[("method", "2")]);
        let told = |one: Disagreement| {
            let side = |text: Option<String>| text.unwrap_or_else(|| "-".into());
            format!("{} {} {}", one.field, side(one.before), side(one.after))
        };
        let found: Vec<String> = moved(&old, &new, "My.Pkg").into_iter().map(told).collect();
        assert_eq!(found, ["gone 1 -", "new - 1", "numpy 1 2", "kernel 5 6"]);
        // Nobody knows what was installed.
        assert_eq!(moved(&cell(&[], &[], &[]), &new, ""), []);
    }
}
