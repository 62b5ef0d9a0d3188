//! The table: one row for each case, metric and place.

use std::collections::{BTreeMap, BTreeSet};

use tacho_model::{Comparison, Effect, Outcome, Standing, unit};

use super::{effect, group::Group};
use crate::axes::{ABSENT, value_text};
use crate::quantity::Quantity;
use crate::state::state_words;
use crate::style::Style;
use crate::table::{Cell, Holds, Table};

/// The longest verdict that is never shortened.
const LONGEST_VERDICT: usize = 16;

/// Which columns the rows need.
#[derive(Debug)]
pub(super) struct Columns {
    /// Several metrics of one benchmark stand in the table.
    metric: bool,
    /// Places differ; these facts tell them apart.
    places: Vec<String>,
}

impl Columns {
    /// `opposed` are the fields that the head tells of each side: a row would tell one of its two values.
    pub(super) fn of(rows: &[&Comparison], opposed: &BTreeMap<String, [String; 2]>) -> Columns {
        let mut metrics: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for row in rows {
            metrics.entry(&row.case.benchmark).or_default().insert(&row.metric.name);
        }
        let mut facts: BTreeMap<String, BTreeSet<Option<&String>>> = BTreeMap::new();
        let names: BTreeSet<&String> = rows.iter().flat_map(|row| row.axes.keys()).collect();
        for row in rows {
            facts.entry("machine".into()).or_default().insert(Some(&row.machine));
            for name in &names {
                facts.entry((*name).clone()).or_default().insert(row.axes.get(*name));
            }
        }
        let tells = |name: &String, n_values: usize| n_values > 1 && !opposed.contains_key(name);
        let places = facts.into_iter().filter(|(name, texts)| tells(name, texts.len())).map(|(name, _)| name).collect();
        Columns { metric: metrics.values().any(|names| names.len() > 1), places }
    }

    pub(super) fn table(&self, rows: &[&Comparison]) -> Table {
        // What one looks for is not shortened, unless a list of fields makes it long.
        let is_short = |row: &&Comparison| verdict(row, Group::of(row)).chars().count() <= LONGEST_VERDICT;
        let verdicts = if rows.iter().all(is_short) { Holds::Marks } else { Holds::Words };
        let mut columns: Vec<(String, Holds)> = vec![(String::new(), Holds::Marks), ("benchmark".into(), Holds::Names)];
        columns.extend(self.metric.then(|| ("metric".into(), Holds::Names)));
        columns.extend(self.places.iter().map(|name| (name.clone(), Holds::Names)));
        columns.extend([
            ("before".into(), Holds::Words),
            ("after".into(), Holds::Words),
            ("ratio".into(), Holds::Numbers),
            ("99 % interval".into(), Holds::Marks),
            ("verdict".into(), verdicts),
        ]);
        let mut table = Table::new(columns);
        for row in rows {
            table.push(self.row(row));
        }
        table
    }

    fn row(&self, row: &Comparison) -> Vec<Cell> {
        let group = Group::of(row);
        let mut cells = vec![Cell::text(group.mark()).styled(group.style()), Cell::text(row.case.full_name())];
        cells.extend(self.metric.then(|| Cell::text(row.metric.name.replace('_', " "))));
        cells.extend(self.places.iter().map(|name| match name.as_str() {
            "machine" => Cell::text(&row.machine),
            axis => match row.axes.get(axis) {
                Some(value) => Cell::text(value_text(axis, value)),
                None => Cell::text(ABSENT).styled(Style::Faint),
            },
        }));
        let (ratio, interval) = effect_texts(row);
        cells.extend([
            side(row.before.as_ref()),
            side(row.after.as_ref()),
            Cell::text(ratio),
            Cell::text(interval),
            Cell::text(verdict(row, group)).styled(group.style()),
        ]);
        cells
    }
}

/// The value without its spread: whether it matters is what the interval tells.
fn side(outcome: Option<&Outcome>) -> Cell {
    let Some(outcome) = outcome else { return Cell::text("").styled(Style::Faint) };
    match outcome.value {
        Some(value) => Cell::quantity(Quantity::new(value, None, &outcome.metric.unit)),
        None => Cell::text(state_words(outcome.state)).styled(crate::state::state_style(outcome.state)),
    }
}

/// Returns after over before as a row shows it, judged or not.
pub(super) fn ratio(row: &Comparison) -> Option<f64> {
    match effect(row) {
        Some(Effect::Ratio { value, .. }) => Some(value),
        Some(Effect::Difference { .. }) => None,
        None => {
            let (before, after) = (row.before.as_ref()?.value?, row.after.as_ref()?.value?);
            (before > 0.0 && after > 0.0).then_some(after / before)
        }
    }
}

fn effect_texts(row: &Comparison) -> (String, String) {
    let between = |interval: Option<(f64, f64)>, text: &dyn Fn(f64) -> String| {
        interval.map_or(String::new(), |(low, high)| format!("{} to {}", text(low), text(high)))
    };
    match effect(row) {
        Some(Effect::Ratio { value, interval }) => (ratio_text(value), between(interval, &ratio_text)),
        Some(Effect::Difference { value, interval }) => {
            let text = |value: f64| {
                let sign = if value > 0.0 { "+" } else { "" };
                format!("{sign}{}", unit::human(value, &row.metric.unit))
            };
            (text(value), between(interval, &text))
        }
        None => (ratio(row).map_or(String::new(), ratio_text), String::new()),
    }
}

/// Three decimals: a thousandth is the least that any machine resolves. Far from 1 three digits do.
fn ratio_text(value: f64) -> String {
    if (0.1..10.0).contains(&value) { format!("{value:.3}") } else { unit::significant(value) }
}

fn verdict(row: &Comparison, group: Group) -> String {
    match &row.standing {
        Standing::Incomparable(fields) => {
            let names: Vec<&str> = fields.iter().map(|one| one.field.as_str()).collect();
            format!("{} differ{}", names.join(", "), if names.len() == 1 { "s" } else { "" })
        }
        Standing::Judged(judgement) if judgement.within_band => format!("{}, within the band", group.words()),
        _ => group.words().to_owned(),
    }
}
