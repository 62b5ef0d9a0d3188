//! The two sides of a comparison: which place of one stands against which of the other, and which case against which.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tacho_model::{Disagreement, Outcome, Provenance, Results};

/// Where numbers come from: the part of a series key that a whole run shares.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) machine: String,
    pub(super) axes: BTreeMap<String, String>,
}

impl Place {
    /// Returns the place of a run.
    pub(super) fn of(provenance: &Provenance) -> Place {
        Place { machine: provenance.machine.name.clone(), axes: provenance.environment.axes.clone() }
    }

    /// Returns the fields in which two places differ, by name.
    fn disagreements(&self, after: &Place) -> Vec<Disagreement> {
        let mut fields = Vec::new();
        push_if_different(&mut fields, "machine", Some(&self.machine), Some(&after.machine));
        let names: BTreeSet<&String> = self.axes.keys().chain(after.axes.keys()).collect();
        for name in names {
            push_if_different(&mut fields, name, self.axes.get(name), after.axes.get(name));
        }
        fields
    }
}

fn push_if_different(fields: &mut Vec<Disagreement>, field: &str, before: Option<&String>, after: Option<&String>) {
    if before != after {
        fields.push(Disagreement { field: field.to_owned(), before: before.cloned(), after: after.cloned() });
    }
}

/// What identifies an outcome at one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CaseKey {
    pub(super) benchmark: String,
    pub(super) texts: Vec<String>,
    pub(super) metric: String,
}

impl CaseKey {
    /// Returns the key of an outcome.
    pub(super) fn of(outcome: &Outcome) -> CaseKey {
        CaseKey {
            benchmark: outcome.case.benchmark.clone(),
            texts: outcome.case.texts(),
            metric: outcome.metric.name.clone(),
        }
    }
}

/// Two runs that stand against each other; one that has no counterpart stands alone.
#[derive(Debug)]
pub(super) struct PlacePair<'a> {
    pub(super) before: Option<&'a Results>,
    pub(super) after: Option<&'a Results>,
    /// What keeps them apart and was not declared.
    pub(super) disagreements: Vec<Disagreement>,
}

impl PlacePair<'_> {
    /// Tells whether machine or axes differ undeclared. A `--quick` run is at the same place as a full one.
    pub(super) fn has_moved(&self) -> bool {
        self.disagreements.iter().any(|one| one.field != QUICK)
    }
}

/// The field of runs that took one sample a case.
const QUICK: &str = "quick";

/// Pairs the runs of two sides: those of one place first, then those that differ in declared fields only, then, so that
/// it can be said why they are not compared, those that differ least.
pub(super) fn place_pairs<'a>(
    before: &'a [Results],
    after: &'a [Results],
    across: &BTreeSet<String>,
) -> Vec<PlacePair<'a>> {
    let mut left: Vec<&Results> = before.iter().collect();
    let mut right: Vec<&Results> = after.iter().collect();
    let mut pairs = Vec::new();
    take_pairs(&mut left, &mut right, &mut pairs, across, |all, _| all.is_empty());
    take_pairs(&mut left, &mut right, &mut pairs, across, |_, undeclared| undeclared.is_empty());
    take_pairs(&mut left, &mut right, &mut pairs, across, |_, _| true);
    pairs.extend(left.into_iter().map(|run| PlacePair { before: Some(run), after: None, disagreements: vec![] }));
    pairs.extend(right.into_iter().map(|run| PlacePair { before: None, after: Some(run), disagreements: vec![] }));
    pairs
}

/// Moves from both sides the pairs that `fits` accepts, those that differ in the fewest fields first.
fn take_pairs<'a>(
    left: &mut Vec<&'a Results>,
    right: &mut Vec<&'a Results>,
    pairs: &mut Vec<PlacePair<'a>>,
    across: &BTreeSet<String>,
    fits: impl Fn(&[Disagreement], &[Disagreement]) -> bool,
) {
    let mut candidates = Vec::new();
    for (i, before) in left.iter().enumerate() {
        for (j, after) in right.iter().enumerate() {
            let all = run_disagreements(before, after);
            let undeclared: Vec<_> = all.iter().filter(|one| !across.contains(&one.field)).cloned().collect();
            if fits(&all, &undeclared) {
                candidates.push((all.len(), i, j, undeclared));
            }
        }
    }
    candidates.sort_by_key(|(n_fields, i, j, _)| (*n_fields, *i, *j));
    let (mut taken_left, mut taken_right) = (BTreeSet::new(), BTreeSet::new());
    for (_, i, j, disagreements) in candidates {
        if !taken_left.contains(&i) && !taken_right.contains(&j) {
            taken_left.insert(i);
            taken_right.insert(j);
            pairs.push(PlacePair { before: Some(left[i]), after: Some(right[j]), disagreements });
        }
    }
    keep_untaken(left, &taken_left);
    keep_untaken(right, &taken_right);
}

fn keep_untaken(side: &mut Vec<&Results>, taken: &BTreeSet<usize>) {
    let mut index = 0;
    side.retain(|_| {
        index += 1;
        !taken.contains(&(index - 1))
    });
}

/// The fields in which whole runs differ.
fn run_disagreements(before: &Results, after: &Results) -> Vec<Disagreement> {
    let (a, b) = (&before.provenance, &after.provenance);
    let mut fields = Place::of(a).disagreements(&Place::of(b));
    let quick = |provenance: &Provenance| Some(provenance.settings.quick.to_string());
    push_if_different(&mut fields, QUICK, quick(a).as_ref(), quick(b).as_ref());
    fields
}

/// The fields in which two measured outcomes differ. What one side does not know is no difference.
pub(super) fn outcome_disagreements(before: &Outcome, after: &Outcome) -> Vec<Disagreement> {
    let mut fields = Vec::new();
    push_if_different(&mut fields, "unit", Some(&before.metric.unit), Some(&after.metric.unit));
    for (field, a, b) in [("version", &before.version, &after.version), ("method", &before.method, &after.method)] {
        if let (Some(a), Some(b)) = (a, b) {
            push_if_different(&mut fields, field, Some(a), Some(b));
        }
    }
    fields
}

/// Returns what each side says of every case of a pair, in the order of names and cases.
pub(super) fn case_pairs<'a>(pair: &PlacePair<'a>) -> Vec<(Option<&'a Outcome>, Option<&'a Outcome>)> {
    let mut befores = by_key(pair.before);
    let mut found: Vec<(Option<&Outcome>, Option<&Outcome>)> = Vec::new();
    for after in pair.after.iter().flat_map(|run| &run.outcomes) {
        found.push((befores.remove(&CaseKey::of(after)), Some(after)));
    }
    let alone =
        pair.before.iter().flat_map(|run| &run.outcomes).filter(|before| befores.contains_key(&CaseKey::of(before)));
    found.extend(alone.map(|before| (Some(before), None)));
    found.sort_by_key(|(before, after)| {
        let outcome = after.or(*before);
        outcome.map(|outcome| (outcome.case.benchmark.as_str(), outcome.case.index))
    });
    found
}

fn by_key(run: Option<&Results>) -> HashMap<CaseKey, &Outcome> {
    run.iter().flat_map(|run| &run.outcomes).map(|outcome| (CaseKey::of(outcome), outcome)).collect()
}
