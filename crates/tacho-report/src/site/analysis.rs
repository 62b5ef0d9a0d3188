//! `tacho.analysis/1`: what was found in each series, by its number.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::{Change, Disagreement, Effect};

use super::{Site, SiteSeries};
use crate::json::{compact, finite, verdict};

pub(super) const SCHEMA: &str = "tacho.analysis/1";

#[derive(Serialize)]
struct Document<'a> {
    series: BTreeMap<String, Found<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    levels: Vec<Level>,
    changes: Vec<ChangeMark<'a>>,
    events: Vec<EventMark<'a>>,
    spikes: &'a [u64],
}

#[derive(Serialize)]
struct Level {
    from: u64,
    to: u64,
    level: Option<f64>,
    /// How far it drifts: a ratio less 1.
    drift: Option<f64>,
}

#[derive(Serialize)]
struct ChangeMark<'a> {
    id: &'a str,
    position: u64,
    first: u64,
    last: u64,
    effect: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    state: &'static str,
    verdict: Option<&'static str>,
}

#[derive(Serialize)]
struct EventMark<'a> {
    position: u64,
    fields: Vec<FieldTwin<'a>>,
}

#[derive(Serialize)]
struct FieldTwin<'a> {
    field: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

/// Series in which nothing was found, and which have one level, are left out.
pub(super) fn analysis(site: &Site) -> String {
    let is_plain = |series: &SiteSeries| {
        let SiteSeries { levels, changes, events, spikes, .. } = series;
        levels.len() < 2 && changes.is_empty() && events.is_empty() && spikes.is_empty()
    };
    let told = site.series().filter(|(_, series)| !is_plain(series));
    compact(SCHEMA, Document { series: told.map(|(_, one)| (one.id.to_string(), found(one))).collect() })
}

fn found(series: &SiteSeries) -> Found<'_> {
    let level = |(from, to, level, drift): &(u64, u64, f64, Option<Effect>)| Level {
        from: *from,
        to: *to,
        level: finite(Some(*level)),
        drift: drift.and_then(|drift| less_1(drift).0),
    };
    Found {
        levels: series.levels.iter().map(level).collect(),
        changes: series.changes.iter().map(change).collect(),
        events: series
            .events
            .iter()
            .map(|(position, fields)| EventMark { position: *position, fields: twins(fields) })
            .collect(),
        spikes: &series.spikes,
    }
}

fn twins(fields: &[Disagreement]) -> Vec<FieldTwin<'_>> {
    let twins = fields.iter().map(|Disagreement { field, before, after }| FieldTwin {
        field,
        before: before.as_deref(),
        after: after.as_deref(),
    });
    twins.collect()
}

fn change(change: &Change) -> ChangeMark<'_> {
    let (effect, lower, upper) = less_1(change.effect);
    ChangeMark {
        id: &change.id,
        position: change.position,
        first: change.range.0,
        last: change.range.1,
        effect,
        lower,
        upper,
        state: change.state.word(),
        verdict: verdict(change.is_worse),
    }
}

/// Returns a ratio less 1 with its interval; a difference in the metric's unit has none.
pub(super) fn less_1(effect: Effect) -> (Option<f64>, Option<f64>, Option<f64>) {
    match effect {
        Effect::Ratio { value, interval } => {
            let (lower, upper) = (interval.map(|ends| ends.0 - 1.0), interval.map(|ends| ends.1 - 1.0));
            (finite(Some(value - 1.0)), finite(lower), finite(upper))
        }
        Effect::Difference { .. } => (None, None, None),
    }
}
