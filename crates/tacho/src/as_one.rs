//! Several runs of one subject at one place, read as one: which of them count, and what their metrics are.

use tacho_model::{Provenance, Purpose, Results, Run, Sheet};

use crate::settings::Settings;

/// Returns those that count, by their provenance: what was built before what was not, history before pairs, and whole runs before
/// quick ones, where there are both.
pub(crate) fn preferred<T>(runs: Vec<T>, provenance: impl Fn(&T) -> &Provenance) -> Vec<T> {
    let runs = if_any(runs, |run| provenance(run).build_failure().is_none());
    let runs = if_any(runs, |run| provenance(run).purpose == Purpose::History);
    if_any(runs, |run| !provenance(run).settings.quick)
}

fn if_any<T>(runs: Vec<T>, is_better: impl Fn(&T) -> bool) -> Vec<T> {
    if runs.iter().any(&is_better) { runs.into_iter().filter(|run| is_better(run)).collect() } else { runs }
}

/// Returns what a run says of each case.
pub(crate) fn results_of(run: Run) -> Results {
    let outcomes = tacho_judge::outcomes(&run);
    Results { provenance: run.provenance, outcomes, completeness: run.completeness }
}

/// Returns results in which metrics are what the project declares them to be by now.
pub(crate) fn declared(mut results: Results, settings: Option<&Settings>) -> Results {
    for rule in settings.iter().flat_map(|settings| &settings.metrics) {
        for outcome in &mut results.outcomes {
            rule.apply_to(&outcome.case.benchmark, &mut outcome.metric);
        }
    }
    results
}

/// Makes the metrics of sheets what the project declares them to be by now.
pub(crate) fn declare_sheets(sheets: &mut [Sheet], settings: Option<&Settings>) {
    for rule in settings.iter().flat_map(|settings| &settings.metrics) {
        sheets.iter_mut().for_each(|sheet| rule.apply_to(&sheet.benchmark, &mut sheet.metric));
    }
}
