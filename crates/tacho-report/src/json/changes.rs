//! `tacho.changes/1`.

use std::collections::BTreeMap;

use serde::Serialize;
use tacho_model::{Change, ChangeGroup, Drift, Effect, SeriesKey, Subject};

use super::compare::DisagreementTwin;
use super::finite;
use super::nouns::{ParameterTwin, SubjectTwin, parameters};
use crate::{Changes, Hidden};

#[derive(Serialize)]
pub(super) struct ChangesTwin<'a> {
    changes: Vec<ChangeTwin<'a>>,
    groups: Vec<GroupTwin<'a>>,
    drifts: Vec<DriftTwin<'a>>,
    not_listed: HiddenTwin,
    n_series: usize,
    n_points: usize,
    n_events: usize,
    expected_false: Option<f64>,
    n_more_groups: usize,
}

impl ChangesTwin<'_> {
    pub(super) fn of(changes: &Changes) -> ChangesTwin<'_> {
        let Changes { groups, drifts, hidden, n_series, n_points, n_events, expected_false, n_more, repository: _ } =
            changes;
        let members =
            groups.iter().enumerate().flat_map(|(at, group)| group.changes.iter().map(move |change| (at, change)));
        ChangesTwin {
            changes: members.map(|(at, change)| ChangeTwin::of(change, at)).collect(),
            groups: groups.iter().map(GroupTwin::of).collect(),
            drifts: drifts.iter().map(DriftTwin::of).collect(),
            not_listed: HiddenTwin::of(hidden),
            n_series: *n_series,
            n_points: *n_points,
            n_events: *n_events,
            expected_false: finite(*expected_false),
            n_more_groups: *n_more,
        }
    }
}

#[derive(Serialize)]
struct SeriesKeyTwin<'a> {
    benchmark: &'a str,
    parameters: Vec<ParameterTwin<'a>>,
    metric: &'a str,
    unit: &'a str,
    machine: &'a str,
    environment: &'a BTreeMap<String, String>,
    direction: &'static str,
    exact: bool,
}

impl SeriesKeyTwin<'_> {
    fn of(key: &SeriesKey) -> SeriesKeyTwin<'_> {
        let SeriesKey { case, metric, machine, axes } = key;
        SeriesKeyTwin {
            benchmark: &case.benchmark,
            parameters: parameters(case),
            metric: &metric.name,
            unit: &metric.unit,
            machine,
            environment: axes,
            direction: metric.direction.word(),
            exact: metric.exact,
        }
    }
}

/// How far: a ratio less 1, or a difference in the metric's unit where a side is zero or negative.
#[derive(Serialize)]
struct EffectTwin {
    effect: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    difference: Option<f64>,
    difference_lower: Option<f64>,
    difference_upper: Option<f64>,
}

impl EffectTwin {
    fn of(effect: Effect) -> EffectTwin {
        let (ratio, difference) = match effect {
            Effect::Ratio { value, interval } => (Some((value, interval)), None),
            Effect::Difference { value, interval } => (None, Some((value, interval))),
        };
        let lower = |side: Option<(f64, Option<(f64, f64)>)>| Some(side?.1?.0);
        let upper = |side: Option<(f64, Option<(f64, f64)>)>| Some(side?.1?.1);
        let less_1 = |value: Option<f64>| finite(value.map(|value| value - 1.0));
        EffectTwin {
            effect: less_1(ratio.map(|side| side.0)),
            lower: less_1(lower(ratio)),
            upper: less_1(upper(ratio)),
            difference: finite(difference.map(|side| side.0)),
            difference_lower: finite(lower(difference)),
            difference_upper: finite(upper(difference)),
        }
    }
}

#[derive(Serialize)]
struct ChangeTwin<'a> {
    id: &'a str,
    group: usize,
    series: SeriesKeyTwin<'a>,
    commit: Option<&'a str>,
    previous_commit: Option<&'a str>,
    subject: SubjectTwin<'a>,
    previous_subject: SubjectTwin<'a>,
    last_good_subject: Option<SubjectTwin<'a>>,
    last_suspect_subject: SubjectTwin<'a>,
    position: u64,
    first_suspect_position: u64,
    last_suspect_position: u64,
    #[serde(flatten)]
    effect: EffectTwin,
    before: Option<f64>,
    after: Option<f64>,
    verdict: Option<&'static str>,
    state: &'static str,
    outlook: &'static str,
    n_steps: usize,
    sigmas: Option<f64>,
    p: Option<f64>,
    moved: Vec<DisagreementTwin<'a>>,
}

impl ChangeTwin<'_> {
    fn of(change: &Change, group: usize) -> ChangeTwin<'_> {
        let Change {
            id,
            series,
            previous,
            first,
            position,
            innocent,
            latest,
            range,
            effect,
            levels,
            is_worse,
            sigmas,
            p,
            state,
            n_steps,
            last_position: _,
            outlook,
            moved,
        } = change;
        ChangeTwin {
            id,
            group,
            series: SeriesKeyTwin::of(series),
            commit: commit(first),
            previous_commit: commit(previous),
            subject: SubjectTwin::of(first),
            previous_subject: SubjectTwin::of(previous),
            last_good_subject: innocent.as_ref().map(SubjectTwin::of),
            last_suspect_subject: SubjectTwin::of(latest),
            position: *position,
            first_suspect_position: range.0,
            last_suspect_position: range.1,
            effect: EffectTwin::of(*effect),
            before: finite(Some(levels.0)),
            after: finite(Some(levels.1)),
            verdict: verdict(*is_worse),
            state: state.word(),
            outlook: outlook.word(),
            n_steps: *n_steps,
            sigmas: finite(*sigmas),
            p: finite(Some(*p)),
            moved: moved.iter().map(DisagreementTwin::of).collect(),
        }
    }
}

fn commit(subject: &Subject) -> Option<&str> {
    match subject {
        Subject::Commit { hash, .. } => Some(hash),
        _ => None,
    }
}

/// `slower` and `faster` mean worse and better, whatever the metric.
pub(crate) fn verdict(is_worse: Option<bool>) -> Option<&'static str> {
    is_worse.map(|is_worse| if is_worse { "slower" } else { "faster" })
}

/// Changes that the same few commits can explain.
#[derive(Serialize)]
struct GroupTwin<'a> {
    last_good_subject: Option<SubjectTwin<'a>>,
    last_suspect_subject: SubjectTwin<'a>,
    n_candidates: Option<usize>,
    title: Option<&'a str>,
    machine_events: &'a [String],
}

impl GroupTwin<'_> {
    fn of(group: &ChangeGroup) -> GroupTwin<'_> {
        let ChangeGroup { changes: _, moved_as_one, title, n_candidates } = group;
        GroupTwin {
            last_good_subject: group.innocent().map(SubjectTwin::of),
            last_suspect_subject: SubjectTwin::of(group.latest()),
            n_candidates: *n_candidates,
            title: title.as_deref(),
            machine_events: moved_as_one,
        }
    }
}

#[derive(Serialize)]
struct DriftTwin<'a> {
    series: SeriesKeyTwin<'a>,
    from_subject: SubjectTwin<'a>,
    to_subject: SubjectTwin<'a>,
    #[serde(flatten)]
    effect: EffectTwin,
    verdict: Option<&'static str>,
}

impl DriftTwin<'_> {
    fn of(drift: &Drift) -> DriftTwin<'_> {
        let Drift { series, from, to, effect, is_worse } = drift;
        DriftTwin {
            series: SeriesKeyTwin::of(series),
            from_subject: SubjectTwin::of(from),
            to_subject: SubjectTwin::of(to),
            effect: EffectTwin::of(*effect),
            verdict: verdict(*is_worse),
        }
    }
}

#[derive(Serialize)]
struct HiddenTwin {
    n_small: usize,
    n_undone: usize,
    n_ended: usize,
    n_provisional: usize,
}

impl HiddenTwin {
    fn of(hidden: &Hidden) -> HiddenTwin {
        let Hidden { n_small, n_undone, n_ended, n_provisional } = *hidden;
        HiddenTwin { n_small, n_undone, n_ended, n_provisional }
    }
}
