//! The head: what each side is, what both share, and what sets one against the other.

use std::collections::{BTreeMap, BTreeSet};

use tacho_model::{Completeness, Results};

use super::{Compared, Side};
use crate::axes::{ABSENT, axes_text, value_text};
use crate::page::Fact;
use crate::{moment_text, subject_text};

/// Returns the fields, `machine` or an axis, that have one value on all of each side, and not the same, with the two values.
pub(super) fn opposed(compared: &Compared<'_>) -> BTreeMap<String, [String; 2]> {
    let sides = [compared.before.results, compared.after.results];
    let mut names: BTreeSet<&str> = BTreeSet::from(["machine"]);
    names.extend(sides.iter().flat_map(|side| side.iter()).flat_map(axis_names));
    let opposed = |name: &str| {
        let [before, after] = sides.map(|side| of_all(side, name));
        let (before, after) = (before?, after?);
        (before != after).then(|| (name.to_owned(), [before, after]))
    };
    names.into_iter().filter_map(opposed).collect()
}

fn axis_names(run: &Results) -> impl Iterator<Item = &str> {
    run.provenance.environment.axes.keys().map(String::as_str)
}

/// Returns the value that all runs of a side have, in words.
fn of_all(side: &[Results], name: &str) -> Option<String> {
    let value = |run: &Results| match name {
        "machine" => run.provenance.machine.name.clone(),
        axis => run.provenance.environment.axes.get(axis).map_or(ABSENT, |value| value_text(axis, value)).to_owned(),
    };
    let values: BTreeSet<String> = side.iter().map(value).collect();
    values.first().filter(|_| values.len() == 1).cloned()
}

pub(super) fn head(compared: &Compared<'_>, opposed: &BTreeMap<String, [String; 2]>) -> Vec<Fact> {
    let own = |index: usize| -> Vec<String> {
        opposed.iter().map(|(name, values)| format!("{name} {}", values[index])).collect()
    };
    let mut facts =
        vec![Fact::new("before", side(&compared.before, own(0))), Fact::new("after", side(&compared.after, own(1)))];
    let shared = |facts: &mut Vec<Fact>, label: &str, texts: BTreeSet<String>| {
        if let (1, Some(text)) = (texts.len(), texts.first()) {
            facts.push(Fact::new(label, text));
        }
    };
    let runs = || compared.before.results.iter().chain(compared.after.results);
    shared(&mut facts, "machine", runs().map(|run| run.provenance.machine.name.clone()).collect());
    let axes = |run: &Results| {
        let mut axes = run.provenance.environment.axes.clone();
        axes.retain(|name, _| !opposed.contains_key(name));
        axes_text(&axes)
    };
    shared(&mut facts, "environment", runs().map(axes).filter(|text| !text.is_empty()).collect());
    facts
}

/// What a side is: its subjects, what it has and the other has not, and when it was measured.
fn side(side: &Side<'_>, own: Vec<String>) -> String {
    let subjects: BTreeSet<String> = side.results.iter().map(|run| subject_text(&run.provenance.subject)).collect();
    let newest = side.results.iter().map(|run| run.provenance.started_at).max_by_key(|at| at.unix_us);
    let mut words: Vec<String> = subjects.into_iter().chain(own).collect();
    words.extend(newest.map(|at| format!("measured {}", moment_text(at))));
    if side.results.len() > 1 {
        words.push(format!("{} machines and environments", side.results.len()));
    }
    if side.results.iter().any(|run| run.provenance.settings.quick) {
        words.push("quick: one sample a case".into());
    }
    if side.results.iter().any(|run| run.completeness == Completeness::Interrupted) {
        words.push("partial: a run was interrupted, or is still going on".into());
    }
    words.join(", ")
}
