//! Changes as people read them.

use tacho_model::{Case, Direction, Metric, Outlook, Parameter, Timestamp};

use super::*;
use crate::style::Screen;

pub(crate) fn commit(letter: char, day: i64) -> Subject {
    let date = Some(Timestamp { unix_us: 1_760_000_000_000_000 + day * 86_400_000_000 });
    Subject::Commit { hash: letter.to_string().repeat(40), date }
}

pub(crate) fn key(benchmark: &str, parameter: Option<&str>, machine: &str) -> SeriesKey {
    let parameters = parameter.map(|text| Parameter { name: "n".into(), text: text.into() });
    SeriesKey {
        case: Case { benchmark: benchmark.into(), index: 0, parameters: parameters.into_iter().collect() },
        metric: Metric::new("time", "seconds", Some(Direction::Lower)),
        machine: machine.into(),
        axes: [("python".to_owned(), "3.12".to_owned())].into(),
    }
}

pub(crate) fn change(series: SeriesKey, ratio: f64, range: (u64, u64)) -> Change {
    Change {
        id: "0123456789abcdef".into(),
        series,
        previous: commit('a', 1),
        first: commit('c', 3),
        position: range.1,
        innocent: Some(commit('a', 1)),
        latest: commit('c', 3),
        range,
        effect: Effect::Ratio { value: ratio, interval: Some((ratio * 0.99, ratio * 1.01)) },
        levels: (0.001, 0.001 * ratio),
        is_worse: Some(ratio > 1.0),
        sigmas: Some(12.0),
        p: 1e-9,
        state: ChangeState::Confirmed,
        n_steps: 1,
        last_position: range.1,
        outlook: Outlook::Holds,
        moved: vec![],
    }
}

pub(crate) fn group(changes: Vec<Change>) -> ChangeGroup {
    ChangeGroup { changes, moved_as_one: vec![], title: Some("Use blocked LU".into()), n_candidates: Some(1) }
}

pub(crate) fn listed(groups: Vec<ChangeGroup>) -> Changes {
    Changes {
        groups,
        drifts: vec![],
        hidden: Hidden::default(),
        n_series: 12,
        n_points: 3000,
        n_events: 0,
        expected_false: Some(0.3),
        n_more: 0,
        repository: true,
    }
}

pub(crate) fn rich() -> Changes {
    let moved = |field: &str, before: Option<&str>, after: Option<&str>| Disagreement {
        field: field.into(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    };
    let mut slow = change(key("solve.time_lu", Some("100"), "lab"), 1.123, (5, 7));
    slow.moved = vec![moved("numpy", Some("2.1"), Some("2.2")), moved("kernel", Some("6.1.0"), Some("6.2.0"))];
    let mut new = change(key("solve.time_qr", None, "arm-7"), 4.2, (7, 7));
    (new.state, new.n_steps) = (ChangeState::Provisional, 2);
    new.moved = vec![moved("gone", Some("1"), None), moved("numpy", Some("2.1"), Some("2.2"))];
    let mut range = group(vec![slow, new]);
    (range.n_candidates, range.moved_as_one) = (Some(4), vec!["arm-7".into()]);
    let better = group(vec![change(key("fft.time_fft", None, "lab"), 0.8, (3, 3))]);
    let drift = Drift {
        series: key("io.time_read", None, "lab"),
        from: commit('a', 1),
        to: commit('c', 3),
        effect: Effect::Ratio { value: 1.07, interval: None },
        is_worse: Some(true),
    };
    let hidden = Hidden { n_small: 3, n_undone: 1, n_ended: 0, n_provisional: 2 };
    Changes {
        drifts: vec![drift],
        hidden,
        n_more: 4,
        n_events: 2,
        expected_false: Some(12.4),
        ..listed(vec![range, better])
    }
}

fn shown(changes: &Changes, width: usize) -> String {
    super::changes(changes, false).terminal(&Screen { width, colour: false })
}

#[test]
fn groups_come_with_what_may_be_to_blame() {
    insta::assert_snapshot!(shown(&rich(), 120));
}

#[test]
fn they_fit_a_narrow_terminal() {
    insta::assert_snapshot!(shown(&rich(), 60));
}

#[test]
fn markdown_is_a_table_for_each_group() {
    insta::assert_snapshot!(super::changes(&rich(), false).markdown());
}

#[test]
fn nothing_is_said_in_a_line() {
    insta::assert_snapshot!(shown(&listed(vec![]), 100), @r"
    Nothing to look at.

    Searched: 12 series with 3000 points; chance alone would confirm less than one change in as many.
    ");
}

#[test]
fn a_crowd_is_cut() {
    let many = (0..30).map(|n| change(key("b.time_x", Some(&n.to_string()), "lab"), 1.5, (7, 7))).collect();
    let text = shown(&listed(vec![group(many)]), 120);
    assert_eq!(text.matches("b.time_x").count(), MOST_ROWS, "{text}");
    assert!(text.contains("18 changes"), "{text}");
}

#[test]
fn what_a_group_is_called_is_harmless() {
    let mut hostile = group(vec![change(key("b.time_\u{1b}[31m<script>|`", None, "lab"), 1.5, (7, 7))]);
    hostile.title = Some("\u{1b}]0;x\u{7}<img src=x> | `rm -rf`".into());
    let changes = listed(vec![hostile]);
    assert!(!shown(&changes, 120).contains('\u{1b}'));
    let markdown = super::changes(&changes, false).markdown();
    assert!(!markdown.contains("<script>") || markdown.contains("`"), "{markdown}");
    assert!(!markdown.contains("<img"), "{markdown}");
}

#[test]
fn without_a_repository_no_commit_is_blamed_alone() {
    let mut group = group(vec![change(key("b.time_x", None, "lab"), 1.5, (7, 7))]);
    (group.n_candidates, group.title) = (None, None);
    let text = shown(&Changes { repository: false, expected_false: None, ..listed(vec![group]) }, 120);
    insta::assert_snapshot!(text);
}
