//! A small site.

use super::*;
use crate::changes::tests as sample;

pub(crate) fn small() -> Site {
    let key = |name: &str, n: &str| sample::key(name, Some(n), "lab");
    let series = |id: u64, key: SeriesKey| SiteSeries {
        id,
        key,
        last: Some((3, 0.0012)),
        month_ago: Some(0.001),
        state: State::Measured,
        spark: vec![Some(0.0), None, Some(1.0)],
        levels: vec![(0, 1, 0.001, None), (2, 3, 0.0012, None)],
        changes: vec![],
        events: vec![],
        spikes: vec![],
    };
    let mut slow = series(1, key("lin.Solve.time_lu", "100"));
    let change = sample::change(slow.key.clone(), 1.2, (2, 2));
    slow.changes = vec![change.clone()];
    let field = Disagreement { field: "version".into(), before: Some("1".into()), after: Some("2".into()) };
    slow.events = vec![(1, vec![field])];
    let subjects = [('a', 1), ('b', 2), ('c', 3), ('d', 4)].map(|(letter, day)| SiteSubject {
        subject: sample::commit(letter, day),
        title: Some(format!("Commit {letter} <b>")),
        tags: vec![],
    });
    let facts = |kernel: &str| BTreeMap::from([("kernel".to_owned(), kernel.to_owned())]);
    let lab = SiteMachine {
        name: "lab".into(),
        last_run: Timestamp { unix_us: 1_760_000_000_000_000 },
        last_position: 3,
        n_series: 3,
        n_points: 12,
        is_stale: false,
        facts: vec![(0, facts("5")), (2, facts("6"))],
    };
    let hostile = "<img src=x onerror=alert(1)>.time_'\"&";
    Site {
        project: "demo".into(),
        project_url: None,
        commit_url: Some("https://example.org/c/{commit}".into()),
        range_url: None,
        tool_version: "0.1.0".into(),
        subjects: subjects.into(),
        machines: vec![lab],
        benchmarks: vec![
            SiteBenchmark {
                name: hostile.into(),
                rows: SiteRows { file: 0, first_row: 0, n_rows: 4 },
                series: vec![series(0, key(hostile, "10"))],
            },
            SiteBenchmark {
                name: "lin.Solve.time_lu".into(),
                rows: SiteRows { file: 0, first_row: 4, n_rows: 8 },
                series: vec![slow, series(2, key("lin.Solve.time_lu", "20"))],
            },
        ],
        changes: sample::listed(vec![sample::group(vec![change])]),
    }
}

#[test]
fn documents_are_what_the_page_reads() {
    for file in documents(&small()) {
        let value: serde_json::Value = serde_json::from_slice(&file.content).unwrap();
        insta::assert_snapshot!(file.path.replace('/', "_"), serde_json::to_string_pretty(&value).unwrap());
    }
}

fn assets() -> SiteAssets {
    SiteAssets { script: Some("assets/app.js".into()), styles: vec!["assets/app.css".into()] }
}

#[test]
fn pages_have_real_tables_and_no_foreign_markup() {
    let files = made_with(&small(), &assets());
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}"));
        String::from_utf8(file.content.clone()).unwrap()
    };
    insta::assert_snapshot!("index.html", text("index.html").replace("><", ">\n<"));
    insta::assert_snapshot!("feed.xml", text("feed.xml"));
    insta::assert_snapshot!("badge.svg", text("badge.svg"));
    insta::assert_snapshot!("summary.json", text("summary.json"));
    for file in files.iter().filter(|file| file.path.ends_with(".html") || file.path.ends_with(".xml")) {
        let text = String::from_utf8_lossy(&file.content);
        assert!(!text.contains("<img") && !text.contains("Commit c <b>"), "{}", file.path);
    }
    assert!(
        text("machines.html").contains("kernel") && text("benchmarks.html").contains("data/csv/lin.Solve.time_lu.csv")
    );
}

#[test]
fn a_site_of_nothing_has_all_documents() {
    let nothing =
        Site { subjects: vec![], machines: vec![], benchmarks: vec![], changes: sample::listed(vec![]), ..small() };
    assert!(files(&nothing).iter().all(|file| !file.content.is_empty()));
    for file in documents(&nothing) {
        let value: serde_json::Value = serde_json::from_slice(&file.content).unwrap();
        assert!(value["schema"].as_str().unwrap().starts_with("tacho."), "{}", file.path);
    }
}

#[test]
fn files_are_named_after_benchmarks_without_any_harm() {
    for (name, expected) in
        [("a.time_x", "a.time_x"), ("../x", "_.._x-"), ("", "_-"), (".hidden", "_.hidden-"), ("ä", "__-")]
    {
        let stem = document::file_stem(name);
        assert!(stem.starts_with(expected), "{stem}");
        assert!(!stem.contains('/') && stem.len() < 200);
    }
    let long = "x".repeat(4000);
    assert!(document::file_stem(&long).len() < 200);
    assert_ne!(document::file_stem(&long), document::file_stem(&format!("{long}y")));
}
