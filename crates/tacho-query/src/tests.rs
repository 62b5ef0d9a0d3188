//! An index filled by hand.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use tacho_model::{
    Case, Completeness, Datum, Environment, Machine, Metric, Outcome, Parameter, Provenance, Purpose, Reading, Results,
    RunSettings, Sheet, State, Subject, Timestamp,
};

use crate::{FileStamp, Freshness, Index, Limits, Placed, QueryError, query};

pub(crate) const LIMITS: Limits = Limits { seconds: Some(60.0), rows: None };

pub(crate) struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("index.sqlite")
    }

    pub(crate) fn open(&self) -> Index {
        Index::open(&self.path(), "recipe").unwrap().0
    }

    /// Returns the rows as texts.
    pub(crate) fn ask(&self, sql: &str) -> Result<String, QueryError> {
        let mut lines = Vec::new();
        query(
            &self.path(),
            sql,
            &LIMITS,
            |_| Ok(()),
            |row| {
                let cell = |datum: &Datum| match datum {
                    Datum::Null => "null".to_owned(),
                    Datum::Integer(whole) => whole.to_string(),
                    Datum::Real(number) => format!("{number:?}"),
                    Datum::Text(text) => text.clone(),
                    Datum::Bytes(bytes) => format!("{bytes:?}"),
                };
                lines.push(row.iter().map(cell).collect::<Vec<_>>().join(" | "));
                Ok(())
            },
        )?;
        Ok(lines.join("\n"))
    }
}

fn stamp(path: &str) -> FileStamp {
    FileStamp { path: path.into(), n_bytes: 1, mtime_ns: 1, beside: 0 }
}

pub(crate) fn outcome(name: &str, parameter: (&str, &str), version: &str, value: f64) -> Outcome {
    let parameters = vec![Parameter { name: parameter.0.into(), text: parameter.1.into() }];
    Outcome {
        case: Case { benchmark: name.into(), index: 0, parameters },
        metric: Metric::new("time", "seconds", None),
        version: Some(version.into()),
        state: if value.is_nan() { State::Failed } else { State::Measured },
        value: Some(value).filter(|value| !value.is_nan()),
        spread: None,
        quartiles: None,
        interval: Some((value * 0.9, value * 1.1)).filter(|_| !value.is_nan()),
        samples: vec![],
        n_samples: 3,
        round_values: vec![],
        number: None,
        n_rounds: 1,
        duration_ns: 0,
        method: Some("asv/2".into()),
        message: None,
        detail: None,
    }
}

pub(crate) fn results(hash: &str, machine: &str, minute: i64, outcomes: Vec<Outcome>) -> Results {
    let provenance = Provenance {
        run_id: hash.into(),
        project: "p".into(),
        subject: Subject::Commit { hash: hash.into(), date: Some(Timestamp { unix_us: 60_000_000 * minute }) },
        branch: None,
        harness: None,
        machine: Machine { name: machine.into(), facts: BTreeMap::new() },
        environment: Environment { axes: BTreeMap::from([("python".into(), "3.12".into())]), ..Environment::default() },
        build: None,
        purpose: Purpose::History,
        experiment: None,
        tool_version: "1".into(),
        runner: "r".into(),
        method: "asv/2".into(),
        started_at: Timestamp { unix_us: 60_000_000 * minute },
        load: None,
        settings: RunSettings::default(),
    };
    Results { provenance, outcomes, completeness: Completeness::Sealed }
}

/// Takes a file in that is the only one of its cell.
pub(crate) fn take(index: &mut Index, path: &str, results: &Results) {
    let mut update = index.update().unwrap();
    let cell = update.attach(&stamp(path), Some("d1"), &results.provenance).unwrap().unwrap();
    update.write(cell, results, path, 1).unwrap();
    update.commit().unwrap();
}

/// Places subjects in the order in which they came.
pub(crate) fn place_all(index: &mut Index) {
    let mut update = index.update().unwrap();
    let subjects = update.subjects().unwrap();
    let placed = (0..).zip(subjects).map(|(position, entry)| Placed { id: entry.id, position, on_line: None });
    update.place(&placed.collect::<Vec<_>>(), "").unwrap();
    update.commit().unwrap();
}

fn forget(index: &mut Index, path: &str) {
    let mut update = index.update().unwrap();
    update.forget(path).unwrap();
    for (cell, files) in update.stale().unwrap() {
        assert!(files.is_empty());
        update.drop_cell(cell).unwrap();
    }
    update.commit().unwrap();
}

const ALL: &str =
    "SELECT benchmark, parameters, machine, commit, value, lower, outcome, version FROM results ORDER BY 1, 2, 3, 4";

#[test]
fn a_row_is_a_case_at_a_commit_and_what_is_gone_leaves() {
    let folder = Folder::new();
    let mut index = folder.open();
    take(
        &mut index,
        "a",
        &results("aa", "lab", 1, vec![outcome("x", ("n", "1"), "v1", 1.0), outcome("y", ("n", "1"), "v1", f64::NAN)]),
    );
    take(&mut index, "b", &results("bb", "lab", 2, vec![outcome("x", ("n", "1"), "v2", 2.0)]));
    insta::assert_snapshot!(folder.ask(ALL).unwrap(), @r#"
    x | {"n":"1"} | lab | aa | 1.0 | 0.9 | measured | v1
    x | {"n":"1"} | lab | bb | 2.0 | 1.8 | measured | v2
    y | {"n":"1"} | lab | aa | null | null | failed | v1
    "#);
    forget(&mut index, "a");
    insta::assert_snapshot!(folder.ask(ALL).unwrap(), @r#"x | {"n":"1"} | lab | bb | 2.0 | 1.8 | measured | v2"#);
    let counts =
        "SELECT (SELECT count(*) FROM series), (SELECT count(*) FROM definitions), (SELECT count(*) FROM subjects)";
    assert_eq!(folder.ask(counts).unwrap(), "1 | 1 | 1");
    forget(&mut index, "b");
    let nothing = "SELECT (SELECT count(*) FROM series), (SELECT count(*) FROM points), (SELECT count(*) FROM places)";
    assert_eq!(folder.ask(nothing).unwrap(), "0 | 0 | 0");
}

#[test]
fn names_are_those_of_the_newest_definition_whatever_comes_last() {
    let [old, new] = [("n", 1), ("size", 2)].map(|(name, minute)| {
        results(if minute == 1 { "aa" } else { "bb" }, "lab", minute, vec![outcome("x", (name, "1"), "v", 1.0)])
    });
    let names = "SELECT parameters FROM results";
    for order in [[("a", &old), ("b", &new)], [("b", &new), ("a", &old)]] {
        let folder = Folder::new();
        let mut index = folder.open();
        for (path, results) in order {
            take(&mut index, path, results);
        }
        assert_eq!(folder.ask(names).unwrap(), "{\"size\":\"1\"}\n{\"size\":\"1\"}");
        forget(&mut index, "b");
        assert_eq!(folder.ask(names).unwrap(), "{\"n\":\"1\"}");
    }
}

#[test]
fn a_cell_that_gets_a_second_file_has_to_be_read_again() {
    let folder = Folder::new();
    let mut index = folder.open();
    let one = results("aa", "lab", 1, vec![outcome("x", ("n", "1"), "v", 1.0)]);
    take(&mut index, "a", &one);
    let mut update = index.update().unwrap();
    assert_eq!(update.attach(&stamp("b"), None, &one.provenance).unwrap(), None);
    let stale = update.stale().unwrap();
    assert_eq!(stale.iter().map(|(_, files)| files.join(",")).collect::<Vec<_>>(), ["a,b"]);
    let both = results("aa", "lab", 3, vec![outcome("x", ("n", "1"), "v", 1.5)]);
    update.write(stale[0].0, &both, "b", 2).unwrap();
    update.commit().unwrap();
    assert_eq!(folder.ask("SELECT value, n_runs, source, record FROM results").unwrap(), "1.5 | 2 | b | null");
}

#[test]
fn only_what_changed_is_pending() {
    let folder = Folder::new();
    let mut index = folder.open();
    take(&mut index, "a", &results("aa", "lab", 1, vec![]));
    assert!(index.pending(&[stamp("a")], &HashSet::new()).unwrap().is_empty());
    let touched = FileStamp { mtime_ns: 2, ..stamp("a") };
    let pending = index.pending(&[touched.clone(), stamp("b")], &HashSet::new()).unwrap();
    assert_eq!((pending.changed, pending.vanished), (vec![touched, stamp("b")], vec![]));
    assert_eq!(index.pending(&[], &HashSet::new()).unwrap().vanished, ["a"]);
}

#[test]
fn an_update_that_is_not_committed_leaves_nothing() {
    let folder = Folder::new();
    let mut index = folder.open();
    let mut update = index.update().unwrap();
    update.pass_over(&stamp("a"), Some("why")).unwrap();
    drop(update);
    assert_eq!(index.unread().unwrap(), []);
}

#[test]
fn an_index_of_another_kind_is_made_anew() {
    let folder = Folder::new();
    let fill = || take(&mut folder.open(), "a", &results("aa", "lab", 1, vec![]));
    let freshness = |recipe: &str| {
        let (index, freshness) = Index::open(&folder.path(), recipe).unwrap();
        (freshness, index.pending(&[stamp("a")], &HashSet::new()).unwrap().is_empty())
    };
    fill();
    assert_eq!(freshness("recipe"), (Freshness::Kept, true));
    assert_eq!(freshness("another"), (Freshness::OtherRecipe, false));
    for (version, is_newer) in [(99, true), (-1, false)] {
        fill();
        rusqlite::Connection::open(folder.path()).unwrap().pragma_update(None, "user_version", version).unwrap();
        assert_eq!(freshness("recipe"), (Freshness::OtherVersion { is_newer }, false));
    }
    fill();
    std::fs::write(folder.path(), "no index at all, and quite some bytes of it".repeat(100)).unwrap();
    assert_eq!(freshness("recipe"), (Freshness::Damaged, false));
    assert_eq!(freshness("recipe"), (Freshness::Kept, false));
}

#[test]
fn subjects_are_placed_by_whoever_knows() {
    let folder = Folder::new();
    let mut index = folder.open();
    take(&mut index, "a", &results("aa", "lab", 1, vec![outcome("x", ("n", "1"), "v", 1.0)]));
    let mut update = index.update().unwrap();
    let subject = update.subjects().unwrap().remove(0);
    assert_eq!(subject.subject.id(), "aa");
    update.place(&[Placed { id: subject.id, position: 7, on_line: Some(true) }], "tip").unwrap();
    update.commit().unwrap();
    assert_eq!(index.line().unwrap().as_deref(), Some("tip"));
    assert_eq!(
        folder.ask("SELECT position, on_line, commit_date FROM results").unwrap(),
        "7 | 1 | 1970-01-01T00:01:00Z"
    );
}

#[test]
fn a_date_goes_with_the_file_that_told_it() {
    let folder = Folder::new();
    let mut index = folder.open();
    take(&mut index, "lab/a.json", &results("c1", "lab", 5, vec![outcome("b", ("n", "1"), "1", 1.0)]));
    take(&mut index, "den/a.json", &results("c1", "den", 2, vec![outcome("b", ("n", "1"), "1", 1.0)]));
    let dates = "SELECT DISTINCT machine, commit_date FROM results ORDER BY 1";
    assert_eq!(folder.ask(dates).unwrap(), "den | 1970-01-01T00:02:00Z\nlab | 1970-01-01T00:02:00Z");
    let mut update = index.update().unwrap();
    update.forget("den/a.json").unwrap();
    let stale = update.stale().unwrap();
    update.drop_cell(stale[0].0).unwrap();
    let subjects: Vec<_> = update.subjects().unwrap().into_iter().map(|entry| entry.subject).collect();
    let date = Some(Timestamp { unix_us: 300_000_000 });
    assert_eq!(subjects, [Subject::Commit { hash: "c1".into(), date }]);
    update.commit().unwrap();
    assert_eq!(folder.ask(dates).unwrap(), "lab | 1970-01-01T00:05:00Z");
}

#[test]
fn functions_give_known_answers() {
    let folder = Folder::new();
    let _index = folder.open();
    let check = |expression: &str, expected: &str| {
        let sql = format!(
            "WITH t(x, y) AS (VALUES (1, 2.0), (2, 8.0), (4, 32.0), (NULL, 'text')) SELECT {expression} FROM t"
        );
        assert_eq!(folder.ask(&sql).unwrap(), expected, "{expression}");
    };
    check("median(x)", "2.0");
    check("median(y)", "8.0");
    check("quantile(x, 0.25)", "1.5");
    check("quantile(x, 1)", "4.0");
    check("round(geomean(x), 9)", "2.0");
    check("geomean(x - 1)", "null");
    // Sample variance of 1, 2, 4: 7/3.
    check("round(stddev(x) * stddev(x), 9)", "2.333333333");
    check("stddev(NULL)", "null");
    check("round(slope(y, x), 6)", "10.285714");
    check("round(loglog_slope(y, x), 9)", "2.0");
    check("slope(y, 1)", "null");
    check("DISTINCT param('{\"n\":\"100\",\"s\":\"''a''\",\"f\":\"1e-05\"}', 'n')", "100");
    check("DISTINCT param('{\"s\":\"''a''\"}', 's')", "a");
    check("DISTINCT param('{\"f\":\"1e-05\"}', 'f')", "1e-5");
    check("DISTINCT param('{}', 'n')", "null");
    check("DISTINCT param('no json', 'n')", "null");
}

#[test]
fn nothing_but_reading_is_possible() {
    let folder = Folder::new();
    let _index = folder.open();
    let check =
        |sql: &str| assert!(matches!(folder.ask(sql), Err(QueryError::Refused)), "{sql}: {:?}", folder.ask(sql));
    for sql in [
        "DELETE FROM points",
        "UPDATE series SET benchmark = 'x'",
        "DROP TABLE points",
        "CREATE TEMP TABLE t (x)",
        "ATTACH 'other.sqlite' AS o",
        "VACUUM INTO 'copy.sqlite'",
        "PRAGMA user_version = 4",
        "BEGIN",
        "COMMIT",
        "SELECT 1; DELETE FROM points",
        "WITH t AS (SELECT 1) INSERT INTO points SELECT * FROM points",
    ] {
        check(sql);
    }
    assert!(matches!(folder.ask("SELECT 1; SELECT 2"), Err(QueryError::Several)));
    assert!(matches!(folder.ask(" -- nothing"), Err(QueryError::Nothing)));
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let folder = Folder::new();
    let _index = folder.open();
    insta::assert_snapshot!(folder.ask("SELECT commit,\n  bench\nFROM results").unwrap_err(), @"
    no such column: bench
          bench
          ^
    ");
    insta::assert_snapshot!(folder.ask("SELECT commit FORM results").unwrap_err(), @r#"
    near "results": syntax error
        SELECT commit FORM results
                           ^
    "#);
}

#[test]
fn a_question_ends_at_its_limits() {
    let folder = Folder::new();
    let _index = folder.open();
    let endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT";
    let limits = Limits { seconds: Some(0.05), rows: None };
    let found = query(&folder.path(), &format!("{endless} max(x) FROM r"), &limits, |_| Ok(()), |_| Ok(()));
    assert!(matches!(found, Err(QueryError::TooSlow { .. })), "{found:?}");
    let mut n_rows = 0;
    let limits = Limits { seconds: None, rows: Some(3) };
    let is_cut = query(
        &folder.path(),
        &format!("{endless} x FROM r"),
        &limits,
        |_| Ok(()),
        |_| {
            n_rows += 1;
            Ok(())
        },
    );
    assert_eq!((is_cut.unwrap(), n_rows), (true, 3));
    let limits = Limits { seconds: None, rows: Some(1) };
    assert!(!query(&folder.path(), "SELECT 1", &limits, |_| Ok(()), |_| Ok(())).unwrap());
    assert!(matches!(folder.ask("SELECT zeroblob(900000000)"), Err(QueryError::TooLarge { .. })));
}

#[test]
fn what_a_record_hid_is_read_again_without_it() {
    let folder = Folder::new();
    let mut index = folder.open();
    let mut update = index.update().unwrap();
    update.hide(&stamp("a"), "run").unwrap();
    update.commit().unwrap();
    let runs = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    assert!(index.pending(&[stamp("a")], &runs(&["other", "run"])).unwrap().is_empty());
    assert_eq!(index.pending(&[stamp("a")], &runs(&["other"])).unwrap().changed, [stamp("a")]);
}

#[test]
fn what_was_exported_is_read_again_once_its_record_comes() {
    let folder = Folder::new();
    let mut index = folder.open();
    take(&mut index, "a", &results("aa", "lab", 1, vec![]));
    let mut update = index.update().unwrap();
    update.is_exported(&stamp("a"), &["one".into(), "run".into()]).unwrap();
    update.commit().unwrap();
    let runs = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    assert!(index.pending(&[stamp("a")], &runs(&["other"])).unwrap().is_empty());
    assert_eq!(index.pending(&[stamp("a")], &runs(&["other", "run"])).unwrap().changed, [stamp("a")]);
}

#[test]
fn what_is_beside_a_file_counts_as_the_file_does() {
    let folder = Folder::new();
    let mut index = folder.open();
    take(&mut index, "a", &results("aa", "lab", 1, vec![]));
    let other = FileStamp { beside: 1, ..stamp("a") };
    assert_eq!(index.pending(std::slice::from_ref(&other), &HashSet::new()).unwrap().changed, [other]);
}

fn sheet(version: &str, method: Option<&str>, values: &[f64]) -> Sheet {
    let reading = |value: &f64| Reading {
        state: if value.is_nan() { State::Failed } else { State::Measured },
        value: Some(*value).filter(|value| !value.is_nan()),
        spread: Some(value / 4.0).filter(|spread| *spread > 1.0),
        interval: Some((value * 0.9, value * 1.1)).filter(|_| !value.is_nan()),
        n_samples: 3,
        message: value.is_nan().then_some("its value is infinite"),
    };
    Sheet {
        benchmark: "x".into(),
        metric: Metric::new("time", "seconds", None),
        version: Some(version.into()),
        method: method.map(str::to_owned),
        names: vec!["n".into(), "s".into()],
        axes: vec![vec!["1".into(), "2".into()], vec!["'a'".into(), "'b'".into(), "'c'".into()]],
        readings: values.iter().map(reading).collect(),
    }
}

/// Returns the outcomes that say what a sheet does.
fn outcomes(sheet: &Sheet) -> Vec<Outcome> {
    let outcome = |(index, reading): (usize, &Reading)| Outcome {
        case: sheet.case(index),
        state: reading.state,
        value: reading.value,
        spread: reading.spread,
        interval: reading.interval,
        version: sheet.version.clone(),
        method: sheet.method.clone().filter(|_| reading.value.is_some()),
        message: reading.message.map(str::to_owned),
        ..outcome("x", ("", ""), "", 1.0)
    };
    sheet.readings.iter().enumerate().map(outcome).collect()
}

#[test]
fn a_sheet_says_what_outcomes_do() {
    // More forms than are remembered, and again the first.
    let versions: Vec<String> = (0..12).chain(0..2).map(|version| format!("v{version}")).collect();
    let values: [&[f64]; 3] = [&[1.0, f64::NAN, 3.0, 4.0, 5.0, 6.0], &[1.5, 2.5], &[f64::NAN]];
    let (by_sheets, by_outcomes) = (Folder::new(), Folder::new());
    let (mut sheets, mut others) = (by_sheets.open(), by_outcomes.open());
    let mut update = sheets.update().unwrap();
    for (at, version) in versions.iter().enumerate() {
        let (sheet, path) = (sheet(version, (at % 3 == 0).then_some("asv/2"), values[at % 3]), format!("f{at}"));
        let said = results(&format!("{at:040}"), "lab", at as i64, outcomes(&sheet));
        take(&mut others, &path, &said);
        let cell = update.attach(&stamp(&path), Some("d1"), &said.provenance).unwrap().unwrap();
        update.write_sheets(cell, &said.provenance, &[sheet], &path).unwrap();
    }
    update.commit().unwrap();
    let all = "SELECT benchmark, parameters, commit, value, lower, upper, spread, n_samples, outcome, message, version, \
               method, source, case_index, unit FROM results ORDER BY commit, parameters";
    let expected = by_outcomes.ask(all).unwrap();
    assert!(expected.lines().count() > 40);
    // Not by `assert_eq`, which would print both.
    assert!(by_sheets.ask(all).unwrap() == expected);
}

#[test]
fn points_are_counted_and_definitions_are_the_newest_whatever_a_file_becomes() {
    let folder = Folder::new();
    let mut index = folder.open();
    let x = |version: &str| outcome("x", ("n", "1"), version, 1.0);
    let y = || outcome("y", ("n", "1"), "1", 2.0);
    let mut check = |steps: &[(&str, i64, Vec<Outcome>)], expected: &str| {
        for (hash, minute, outcomes) in steps {
            let mut update = index.update().unwrap();
            update.forget(hash).unwrap();
            let results = results(hash, "m", *minute, outcomes.clone());
            let cell = update.attach(&stamp(hash), None, &results.provenance).unwrap().unwrap();
            update.write(cell, &results, hash, 1).unwrap();
            update.commit().unwrap();
        }
        let sql = "SELECT s.benchmark, d.version, c.source, (SELECT count(*) FROM definitions WHERE series_id = s.id) FROM series s \
                   JOIN definitions d ON d.id = s.definition_id JOIN cells c ON c.id = s.defined_by ORDER BY s.benchmark";
        assert_eq!(folder.ask(sql).unwrap(), expected);
        assert_eq!(folder.ask("SELECT count(*) FROM points").unwrap(), index.totals().unwrap().n_points.to_string());
    };
    check(&[("a", 1, vec![x("1"), y()]), ("b", 2, vec![x("2")])], "x | 2 | b | 2\ny | 1 | a | 1");
    // As it was, and as it was but newer.
    check(&[("b", 2, vec![x("2")])], "x | 2 | b | 2\ny | 1 | a | 1");
    check(&[("a", 3, vec![x("1"), y()])], "x | 1 | a | 2\ny | 1 | a | 1");
    // Older again: what counted is no longer the newest.
    check(&[("a", 1, vec![x("1"), y()])], "x | 2 | b | 2\ny | 1 | a | 1");
    // Another version, and a benchmark less; the same twice.
    check(&[("b", 2, vec![x("3"), x("3")])], "x | 3 | b | 2\ny | 1 | a | 1");
    check(&[("a", 1, vec![x("3")])], "x | 3 | b | 1");
}
