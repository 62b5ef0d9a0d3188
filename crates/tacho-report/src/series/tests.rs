//! Tests of series: axis combinations, versions, what was not built, and another version of a benchmark.

use insta::assert_snapshot;
use tacho_model::{Parameter, Timestamp};

use super::*;
use crate::fixture::{NARROW, NOON, WIDE};

fn commit(day: i64) -> Subject {
    let date = Timestamp { unix_us: NOON.unix_us + day * 86_400_000_000 };
    Subject::Commit { hash: format!("{day:08x}").repeat(5), date: Some(date) }
}

fn release(version: &str) -> Subject {
    Subject::Version { package: "bottleneck".into(), version: version.into() }
}

pub(crate) fn point(subject: Subject, value: f64) -> Point {
    Point {
        subject,
        run_id: "0123456789abcdef".into(),
        state: State::Measured,
        value: Some(value),
        spread: Some(value / 64.0),
        interval: Some((value * 0.96875, value * 1.03125)),
        n_samples: 10,
        version: Some("v1".into()),
        message: None,
        quick: false,
        complete: true,
    }
}

fn missing(subject: Subject, state: State, message: &str) -> Point {
    Point {
        state,
        value: None,
        spread: None,
        interval: None,
        n_samples: 0,
        version: None,
        message: Some(message.into()),
        ..point(subject, 0.0)
    }
}

pub(crate) fn one(machine: &str, axes: &[(&str, &str)], points: Vec<Point>) -> Series {
    let parameters = vec![Parameter { name: "n".into(), text: "100".into() }];
    Series {
        case: Case { benchmark: "reduce.time_nansum".into(), index: 0, parameters },
        metric: Metric::new("time", "seconds", None),
        machine: machine.into(),
        axes: axes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        points,
    }
}

fn combinations() -> Vec<Series> {
    let points = |factor: f64| {
        vec![
            point(commit(1), 1e-3 * factor),
            missing(commit(2), State::NotRun, "not built: `uv build` exited with status 1"),
            Point { quick: true, complete: false, ..point(commit(3), 1.1e-3 * factor) },
            Point { version: Some("v2".into()), ..point(commit(4), 2e-3 * factor) },
            missing(commit(5), State::Failed, "ValueError: x"),
        ]
    };
    let axes = |flags| [("python", "3.12"), ("build.CFLAGS", flags), ("threads", "1")];
    vec![one("lab", &axes("-O1"), points(1.0)), one("lab", &axes("-O3")[..2], points(0.5))]
}

#[test]
fn each_combination_of_axes_is_a_series_whose_heading_tells_in_what_it_differs() {
    assert_snapshot!(series(&combinations()).terminal(&WIDE));
}

#[test]
fn a_narrow_terminal_and_markdown_have_the_same_rows() {
    assert_snapshot!(series(&combinations()[..1]).terminal(&NARROW));
    assert_snapshot!(series(&combinations()).markdown());
}

#[test]
fn versions_stand_in_the_order_they_are_given_in_and_machines_are_told_apart() {
    let points = || ["1.3.5", "1.10.0"].map(|version| point(release(version), 1e-3)).to_vec();
    assert_snapshot!(series(&[one("lab", &[], points()), one("pi", &[], points())]).terminal(&WIDE));
}

#[test]
fn without_a_series_the_page_says_so() {
    assert_eq!(series(&[]).terminal(&WIDE), "no series are kept here\n");
}

#[test]
fn hostile_texts_stay_in_their_place() {
    let hostile = "\u{1b}]0;x\u{7}`|<img src=x>\n# @everyone";
    let mut odd = one(hostile, &[(hostile, hostile)], vec![missing(release(hostile), State::Failed, hostile)]);
    odd.case.benchmark = hostile.into();
    odd.case.parameters[0].text = hostile.into();
    odd.metric = Metric::new(hostile, hostile, None);
    let page = series(&[odd.clone(), Series { axes: BTreeMap::new(), machine: "lab".into(), ..odd }]);
    let terminal = page.terminal(&NARROW);
    assert!(!terminal.contains(|c: char| c.is_control() && c != '\n'), "{terminal:?}");
    let markdown = page.markdown();
    assert!(!markdown.lines().any(|line| line.starts_with("# ")), "{markdown}");
}

#[test]
fn a_heading_that_is_too_long_goes_on_below_the_name() {
    let series = [
        one("bench1", &[("build.CFLAGS", "-O3 -march=native"), ("python", "3.12"), ("req.numpy", "")], vec![]),
        one("bench1", &[("build.CFLAGS", "-O2"), ("python", "3.13")], vec![]),
    ];
    let text = super::series(&series).terminal(&NARROW);
    let expected =
        "reduce.time_nansum(100)\n  time, build.CFLAGS -O3 -march=native, python 3.12,\n  req.numpy newest\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= NARROW.width), "{text}");
}
