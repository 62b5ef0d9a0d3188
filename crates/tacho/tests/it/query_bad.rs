//! What goes wrong with questions, and what the index survives.

use serde_json::json;

use crate::compare;
use crate::env::{TestEnv, test_python};
use crate::query::{commit, rows};
use crate::written::Written;

const COUNT: &str = "SELECT count(*) FROM results";

fn one() -> TestEnv {
    let env = TestEnv::with_project(&[]);
    Written::new(commit(&"ab".repeat(20)), &[("python", "3.12")], 1e-3).keep(&env);
    env
}

#[test]
fn mistakes_are_told_with_the_way_out() {
    let env = one();
    let mut told = String::new();
    for sql in [
        "DELETE FROM points",
        "SELECT bench, commit FROM results",
        "SELECT commit FROM results WHER x",
        "SELECT * FROM result",
        "SELECT 1; SELECT 2",
        "",
        "SELECT zeroblob(900000000)",
    ] {
        let said = env.tacho(&["query", sql]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{sql}");
        told.push_str(&format!("> {sql}\n{}\n", said.stderr));
    }
    insta::assert_snapshot!(told);
    assert_eq!(rows(&env, COUNT), [json!([1])]);
}

#[test]
fn a_question_from_standard_input_is_taken_whole_or_not() {
    let env = one();
    let asked = |text: String| {
        env.write("question.sql", &text);
        let input = std::fs::File::open(env.path("question.sql")).unwrap();
        env.tacho_with(&["query", "--csv", "-"], |command| {
            command.stdin(input);
        })
    };
    assert_eq!(asked("SELECT 1 AS x UNION ALL SELECT 2".into()).with_code(0), "x\n1\n2\n");
    let said = asked(format!("SELECT 1 AS x --{}\nUNION ALL SELECT 2", "x".repeat(1 << 20)));
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{}", said.all());
}

#[test]
fn a_question_that_never_ends_is_given_up() {
    let env = one();
    let endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT max(x) FROM r";
    insta::assert_snapshot!(env.tacho(&["query", "--time-limit", "0.1", endless]).all());
    assert_eq!(env.tacho(&["query", "--time-limit", "never", endless]).code, Some(2));
}

#[test]
fn without_records_there_are_no_rows() {
    let env = TestEnv::with_project(&[]);
    insta::assert_snapshot!(env.tacho(&["query", "SELECT benchmark FROM results"]).all());
    let nowhere = TestEnv::new();
    let said = nowhere.tacho(&["query", COUNT]);
    assert_eq!(said.code, Some(0), "{}", said.all());
}

#[test]
fn what_cannot_be_read_is_named_and_hides_nothing() {
    let env = compare::project();
    let n_rows = rows(&env, COUNT);
    env.write("results/lab/deadbeef-virtualenv-py3.12.json", "{\"version\": 2, \"results\": {");
    env.write("results/lab/pair-compare.json", "{\"other\": 1}");
    env.write(".tacho/records/lab/20260102T030405Z-abababab-00000000-0123456789abcdef.jsonl.zst", "no record");
    for _ in 0..2 {
        let said = env.tacho(&["query", "--json", COUNT]);
        assert!(
            said.stderr.contains("deadbeef-virtualenv-py3.12.json") && said.stderr.contains("0123456789abcdef"),
            "{}",
            said.all()
        );
        assert!(!said.stderr.contains("pair-compare"), "{}", said.all());
        assert_eq!(said.json(0)["rows"][0], n_rows[0]);
    }
    assert_eq!(env.tacho(&["index", "--json"]).json(3)["unread"].as_array().unwrap().len(), 2);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_named() {
    let env = compare::project();
    let n_rows = rows(&env, COUNT);
    std::os::unix::fs::symlink("nowhere", env.path("results/lab/deadbeef-virtualenv-py3.12.json")).unwrap();
    for _ in 0..2 {
        let said = env.tacho(&["query", "--json", COUNT]);
        assert!(said.stderr.contains("left out") && said.stderr.contains("deadbeef"), "{}", said.all());
        assert_eq!(said.json(0)["rows"][0], n_rows[0]);
    }
}

#[test]
fn an_index_without_its_tables_is_made_anew() {
    let env = compare::project();
    let expected = rows(&env, COUNT);
    let path = env.path(".tacho/cache/index/index.sqlite");
    let script =
        "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute('DROP TABLE sources')";
    let mut python = std::process::Command::new(test_python());
    assert!(python.args(["-c", script]).arg(&path).status().unwrap().success());
    let said = env.tacho(&["query", "--json", COUNT]);
    assert!(said.stderr.contains("the index was damaged: it is made anew"), "{}", said.all());
    assert_eq!(json!(said.json(0)["rows"]), json!(expected));
}

#[test]
fn an_index_with_damaged_pages_is_made_anew_by_rebuild() {
    let env = compare::project();
    let expected = rows(&env, COUNT);
    let path = env.path(".tacho/cache/index/index.sqlite");
    let mut bytes = std::fs::read(&path).unwrap();
    // The first page tells what there is and stays.
    bytes[4096..].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(env.tacho(&["index", "--rebuild"]).code, Some(0));
    assert_eq!(rows(&env, COUNT), expected);
}

#[test]
fn what_others_wrote_obeys_nobody() {
    let env = one();
    let said = env.tacho(&["query", "SELECT char(27) || '[31mred' AS x, char(10) || 'y' AS y"]);
    assert_eq!(said.code, Some(0));
    assert!(!said.stdout.contains('\u{1b}'), "{}", said.all());
    assert!(said.stdout.contains("\\u{1b}[31mred"), "{}", said.all());
}

#[test]
fn several_at_once_and_killed_ones_leave_a_whole_index() {
    let env = compare::project();
    let expected = rows(&env, COUNT);
    for round in 0..4 {
        std::fs::remove_file(env.path(".tacho/cache/index/index.sqlite")).unwrap();
        let mut all: Vec<_> = (0..4).map(|_| env.command(&["query", COUNT]).spawn().unwrap()).collect();
        let mut doomed = env.command(&["index", "--rebuild"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(3 * round));
        doomed.kill().unwrap();
        doomed.wait().unwrap();
        for child in &mut all {
            assert!(child.wait().unwrap().success());
        }
        assert_eq!(rows(&env, COUNT), expected);
    }
}
