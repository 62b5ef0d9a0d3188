//! Comparisons as they are read.

use std::collections::BTreeMap;

use tacho_model::{Basis, Completeness, Disagreement, Judgement, Outcome, State, Verdict};

use super::*;
use crate::fixture::{NARROW, WIDE, measured, provenance, unmeasured};

fn row(name: &str, before: Option<Outcome>, after: Option<Outcome>, standing: Standing) -> Comparison {
    let either = after.clone().or_else(|| before.clone()).unwrap();
    Comparison {
        case: tacho_model::Case { benchmark: name.into(), ..either.case.clone() },
        metric: either.metric.clone(),
        machine: "bench1".into(),
        axes: [("python".to_owned(), "3.11".to_owned())].into(),
        before,
        after,
        standing,
    }
}

fn judged(name: &str, verdict: Verdict, ratio: f64, basis: Basis) -> Comparison {
    let effect = Effect::Ratio { value: ratio, interval: Some((ratio * 0.98, ratio * 1.02)) };
    let standing = Standing::Judged(Judgement { verdict, effect, basis, within_band: false });
    row(name, Some(measured(name, &[], 1e-3)), Some(measured(name, &[], ratio * 1e-3)), standing)
}

fn results() -> [Results; 1] {
    [Results { provenance: provenance(), outcomes: vec![], completeness: Completeness::Sealed }]
}

fn page(comparisons: &[Comparison], options: &CompareOptions) -> Page {
    let results = results();
    let side = Side { word: "HEAD", results: &results };
    compare(&Compared { before: side, after: side, comparisons, noise: &[] }, options)
}

#[test]
fn a_side_that_was_interrupted_says_so() {
    let mut cut_short = results();
    cut_short[0].completeness = Completeness::Interrupted;
    let whole = results();
    let (before, after) = (Side { word: "a", results: &whole }, Side { word: "b", results: &cut_short });
    let rows = [judged("a", Verdict::Unchanged, 1.0, PAST)];
    let page = compare(&Compared { before, after, comparisons: &rows, noise: &[] }, &CompareOptions::default());
    let text = page.terminal(&WIDE);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("partial: a run was interrupted")).collect();
    assert!(matches!(lines[..], [line] if line.starts_with("after")), "{text}");
}

#[test]
fn a_field_of_somebody_elses_naming_is_one_word_of_the_command() {
    let differs = |field: &str| {
        let fields = vec![Disagreement { field: field.into(), before: None, after: Some("1".into()) }];
        let side = || Some(measured("a", &[], 1e-3));
        page(&[row("a", side(), side(), Standing::Incomparable(fields))], &CompareOptions::default()).terminal(&WIDE)
    };
    assert!(differs("req.numpy").contains("--across req.numpy\n"));
    assert!(differs("req.a;reboot").contains("--across 'req.a;reboot'\n"));
    assert!(differs("req.a'$(reboot)").contains(r"--across 'req.a'\''$(reboot)'"));
}

#[test]
fn an_axis_that_is_absent_and_one_that_is_empty_read_differently() {
    let with = |value: Option<&str>| {
        let mut row = judged("a", Verdict::Unchanged, 1.0, PAST);
        row.axes.extend(value.map(|value| ("req.six".to_owned(), value.to_owned())));
        row
    };
    let text = page(&[with(None), with(Some("")), with(Some("1.16"))], &CompareOptions::default()).terminal(&WIDE);
    let cells: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("     a "))
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assert_eq!(cells, ["absent", "newest", "1.16"], "{text}");
}

#[test]
fn what_differs_is_absent_newest_or_unknown() {
    let check = |field: &str, before: Option<&str>, expected: &str| {
        let differs =
            vec![Disagreement { field: field.into(), before: before.map(str::to_owned), after: Some("1.16".into()) }];
        let side = || Some(measured("a", &[], 1e-3));
        let text = page(&[row("a", side(), side(), Standing::Incomparable(differs))], &CompareOptions::default());
        let text = text.terminal(&WIDE);
        assert!(text.contains(&format!("because {field} ({expected} before, 1.16 after) differs")), "{text}");
    };
    check("req.six", None, "absent");
    check("req.six", Some(""), "newest");
    check("unit", None, "unknown");
}

const PAST: Basis = Basis::History { n_differences: 20 };

#[test]
fn what_the_verdicts_rest_on_is_told() {
    let too_little = Basis::TooLittle { n_before: 2, n_after: 2 };
    let rows = [
        judged("a.past", Verdict::Slower, 1.3, PAST),
        judged("b.past", Verdict::Unchanged, 1.0, Basis::History { n_differences: 9 }),
        judged("c.processes", Verdict::Faster, 0.7, Basis::Processes { n_before: 5, n_after: 6 }),
        judged("d.exact", Verdict::Unchanged, 1.0, Basis::Exact),
        judged("e.few", Verdict::Inconclusive, 2.0, too_little),
    ];
    let options = CompareOptions { more: Some("measure more".into()), ..CompareOptions::default() };
    insta::assert_snapshot!(page(&rows, &options).terminal(&WIDE));
}

#[test]
fn the_expected_number_of_chance_verdicts_is_told_where_it_matters() {
    let rows: Vec<Comparison> =
        (0..300).map(|index| judged(&format!("b{index}"), Verdict::Unchanged, 1.0, PAST)).collect();
    let text = page(&rows, &CompareOptions { only_changed: true, ..CompareOptions::default() }).terminal(&WIDE);
    assert!(text.contains("about 3 would be called"), "{text}");
    assert!(text.contains("No case is faster, slower, newly failing or fixed."), "{text}");
}

#[test]
fn differences_and_changes_within_the_band_have_words() {
    let mut zero = judged("zero", Verdict::Slower, 1.0, PAST);
    zero.before = Some(measured("zero", &[], 0.0));
    zero.standing = Standing::Judged(Judgement {
        verdict: Verdict::Slower,
        effect: Effect::Difference { value: 2e-3, interval: Some((1e-3, 3e-3)) },
        basis: PAST,
        within_band: false,
    });
    let mut tiny = judged("exact", Verdict::Slower, 1.001, Basis::Exact);
    if let Standing::Judged(judgement) = &mut tiny.standing {
        judgement.within_band = true;
    }
    let huge = judged("huge", Verdict::Slower, 12345.6, PAST);
    insta::assert_snapshot!(page(&[zero, tiny, huge], &CompareOptions::default()).terminal(&WIDE));
}

#[test]
fn rows_go_by_ratio_or_name() {
    let rows = [
        judged("b", Verdict::Slower, 1.3, PAST),
        judged("c", Verdict::Slower, 9.0, PAST),
        row("a", None, Some(measured("a", &[], 1.0)), Standing::OnlyAfter),
    ];
    let names = |order: Order| {
        let options = CompareOptions { order, ..CompareOptions::default() };
        ordered(&rows, &options).iter().map(|row| row.case.benchmark.clone()).collect::<Vec<String>>()
    };
    assert_eq!(names(Order::Suite), ["b", "c", "a"]);
    assert_eq!(names(Order::Name), ["a", "b", "c"]);
    assert_eq!(names(Order::Ratio), ["c", "b", "a"]);
}

#[test]
fn fields_that_differ_are_told_once() {
    let differs = |before: &str| {
        let field = |field: &str, before: &str, after: &str| Disagreement {
            field: field.into(),
            before: Some(before.into()),
            after: Some(after.into()),
        };
        Standing::Incomparable(vec![field("machine", "m1", "m2"), field("version", before, "9")])
    };
    let one = |name: &str, version: &str| {
        row(name, Some(measured(name, &[], 1.0)), Some(measured(name, &[], 2.0)), differs(version))
    };
    let text = page(&[one("a", "1"), one("b", "2")], &CompareOptions::default()).terminal(&WIDE);
    assert!(text.contains("2 cases not compared, because machine (m1 before, m2 after) and version differ"), "{text}");
    assert!(text.contains("--across machine --across version"), "{text}");
}

#[test]
fn what_others_wrote_stays_harmless() {
    let evil = "evil\u{1b}[31m\n| `<script>`";
    let mut rows = vec![judged(evil, Verdict::Slower, 2.0, PAST)];
    rows.push(row(
        evil,
        Some(measured(evil, &[], 1.0)),
        Some(unmeasured(evil, &[], State::Failed, "x")),
        Standing::NewlyFailing,
    ));
    rows[0].machine = evil.into();
    rows[0].axes = BTreeMap::from([(evil.into(), evil.into())]);
    let page = page(&rows, &CompareOptions::default());
    for text in [page.terminal(&WIDE), page.terminal(&NARROW)] {
        assert!(!text.contains('\u{1b}'), "{text}");
    }
    let markdown = page.markdown();
    assert!(!markdown.contains("<script>"), "{markdown}");
    let rows = markdown.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(rows, 4, "{markdown}");
}
