//! The machines of a history: when they measured last, and what they were.

use std::collections::{BTreeMap, HashMap};

use tacho_query::{Cell, CellId};
use tacho_report::site::{SiteMachine, SiteSeries};

/// A machine that is so many microseconds behind the newest run of all is stale: 30 days.
const STALE_US: i64 = 30 * 86_400 * 1_000_000;

/// Returns the machines by name.
pub(super) fn machines(cells: &HashMap<CellId, Cell>, series: &[(&SiteSeries, usize)]) -> Vec<SiteMachine> {
    let mut of_machine: BTreeMap<&str, Vec<&Cell>> = BTreeMap::new();
    for cell in cells.values() {
        of_machine.entry(&cell.machine).or_default().push(cell);
    }
    let newest = cells.values().map(|cell| cell.began.unix_us).max().unwrap_or_default();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (series, n_points) in series {
        let (n_series, all) = counts.entry(&series.key.machine).or_default();
        (*n_series, *all) = (*n_series + 1, *all + n_points);
    }
    let mut machines: Vec<SiteMachine> = Vec::new();
    for (name, mut cells) in of_machine {
        cells.sort_by_key(|cell| (cell.position, cell.began));
        let Some(last_run) = cells.iter().map(|cell| cell.began).max() else { continue };
        let (n_series, n_points) = counts.get(name).copied().unwrap_or_default();
        machines.push(SiteMachine {
            name: name.to_owned(),
            last_run,
            last_position: cells.last().map_or(0, |cell| cell.position),
            n_series,
            n_points,
            is_stale: newest.saturating_sub(last_run.unix_us) > STALE_US,
            facts: facts(&cells),
        });
    }
    machines
}

/// Returns what was observed, from each position on at which it was something new.
fn facts(cells: &[&Cell]) -> Vec<(u64, BTreeMap<String, String>)> {
    let mut facts: Vec<(u64, BTreeMap<String, String>)> = Vec::new();
    for cell in cells {
        if facts.last().is_none_or(|(_, last)| *last != cell.machine_facts) {
            facts.push((cell.position, cell.machine_facts.clone()));
        }
    }
    facts
}
