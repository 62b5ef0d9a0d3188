//! `tacho export parquet` and `tacho query --parquet`; what other programs read of it stands in `real/readers.rs`.

use std::path::Path;

use serde_json::{Value, json};

use crate::compare;
use crate::env::TestEnv;
use crate::query::{commit, rows};
use crate::written::Written;

/// What a Parquet file begins and ends with.
const MARK: &[u8] = b"PAR1";

fn is_parquet(path: &Path) -> bool {
    let bytes = std::fs::read(path).unwrap();
    bytes.len() > 8 && bytes.starts_with(MARK) && bytes.ends_with(MARK)
}

fn entries(env: &TestEnv, folder: &str) -> Vec<String> {
    let names = std::fs::read_dir(env.path(folder)).unwrap();
    let mut names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn all_rows_are_written_and_told_of() {
    let env = compare::project();
    insta::assert_snapshot!(sizeless(&env.tacho(&["export", "parquet", "--dir", "out/set"]).all()));
    let told = env.tacho(&["export", "parquet", "--dir", "out/set", "--json"]).json(0);
    let counts = rows(&env, "SELECT count(*), count(DISTINCT benchmark), count(DISTINCT series_id) FROM results");
    assert_eq!(json!([told["n_rows"], told["n_benchmarks"], told["n_series"]]), counts[0]);
    assert_eq!((&told["schema"], &told["format"]), (&json!("tacho.export/1"), &json!("parquet")));
    assert_eq!(told["data_schema"], "tacho.results/1");
    assert_eq!(told["written"], json!(["[PROJECT]/out/set/results-00.parquet"]));
    let file = env.path("out/set/results-00.parquet");
    assert!(is_parquet(&file));
    assert_eq!(told["size_bytes"], json!(file.metadata().unwrap().len()));
    assert_eq!(entries(&env, "out"), ["set"]);
}

/// How large a file is depends on how it is compressed.
fn sizeless(said: &str) -> String {
    let line = |line: &str| match line.split_once(": 1 file, ") {
        Some((before, _)) => format!("{before}: 1 file, SIZE"),
        None => line.to_owned(),
    };
    said.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn benchmarks_and_machines_are_chosen() {
    let env = compare::project();
    let n_rows = |more: &[&str]| {
        let told = env.tacho(&[&["export", "parquet", "--dir", "set", "--json"], more].concat()).json(0);
        told["n_rows"].as_u64().unwrap()
    };
    let n_commits = compare::N_COMMITS as u64;
    assert_eq!(n_rows(&["-b", "time_same"]), n_commits);
    assert_eq!(n_rows(&["-b", "time_same", "-b", r"time_cases\('a"]), 2 * n_commits);
    assert_eq!(n_rows(&["-b", "time_same", "-m", "lab", "-m", "none"]), n_commits);
    let before = std::fs::read(env.path("set/results-00.parquet")).unwrap();
    let said = env.tacho(&["export", "parquet", "--dir", "set", "-b", "time_same", "-m", "none"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("hint: "), "{}", said.all());
    assert_eq!(std::fs::read(env.path("set/results-00.parquet")).unwrap(), before, "what was there stays");
}

#[test]
fn a_folder_with_other_things_is_refused() {
    let env = compare::project();
    env.write("mine/notes.txt", "mine");
    let said = env.tacho(&["export", "parquet", "--dir", "mine"]);
    insta::assert_snapshot!(said.all());
    assert_eq!(entries(&env, "mine"), ["notes.txt"]);
    env.tacho(&["export", "parquet", "--dir", "set"]).with_code(0);
    let said = env.tacho_with(&["export", "parquet", "--dir", "."], |command| {
        command.current_dir(env.path("set"));
    });
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("that this was called from"), "{}", said.all());
    assert_eq!(entries(&env, "set"), ["results-00.parquet"]);
}

#[test]
fn nothing_measured_makes_columns_without_rows() {
    let env = TestEnv::with_project(&[]);
    let said = env.tacho(&["export", "parquet", "--dir", "set"]);
    assert!(said.stderr.contains("measure with `tacho run`"), "{}", said.all());
    assert!(said.with_code(0).starts_with("0 rows of 0 benchmarks and 0 series in "));
    assert!(is_parquet(&env.path("set/results-00.parquet")));
}

#[test]
fn what_cannot_be_read_makes_it_partial() {
    let env = compare::project();
    env.write("results/lab/deadbeef-virtualenv-py3.12.json", "{\"version\": 2, \"results\": {");
    let said = env.tacho(&["export", "parquet", "--dir", "set"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stderr.contains("deadbeef-virtualenv-py3.12.json"), "{}", said.all());
    assert!(is_parquet(&env.path("set/results-00.parquet")));
}

#[test]
fn one_that_is_killed_leaves_the_old_data_set() {
    let env = compare::project();
    env.tacho(&["export", "parquet", "--dir", "out/set", "-b", "time_same"]).with_code(0);
    let file = env.path("out/set/results-00.parquet");
    for round in 0..6 {
        let mut doomed = env.command(&["export", "parquet", "--dir", "out/set"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(4 * round));
        doomed.kill().unwrap();
        doomed.wait().unwrap();
        assert_eq!(entries(&env, "out/set"), ["results-00.parquet"]);
        assert!(is_parquet(&file));
    }
    env.tacho(&["export", "parquet", "--dir", "out/set"]).with_code(0);
    assert_eq!(entries(&env, "out"), ["set"], "leftovers are gone");
}

fn one() -> TestEnv {
    let env = TestEnv::with_project(&[]);
    Written::new(commit(&"ab".repeat(20)), &[("python", "3.12")], 1e-3).keep(&env);
    env
}

#[test]
fn an_answer_becomes_a_file() {
    let env = one();
    let said = env.tacho(&["query", "--parquet", "a.parquet", "SELECT benchmark, value FROM results"]);
    assert_eq!(said.all(), "exit: 0\n----- stdout\n\n----- stderr\n1 row of 2 columns in `a.parquet`");
    assert!(is_parquet(&env.path("a.parquet")));
    let endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r";
    let said = env.tacho(&["query", "--parquet", "a.parquet", "--limit", "7", endless]);
    assert!(said.stderr.contains("7 rows of 1 column") && said.stderr.contains("--limit 0"), "{}", said.all());
    let before = std::fs::read(env.path("a.parquet")).unwrap();
    for refused in [&["--limit", "0", "--time-limit", "0.1", endless][..], &["DELETE FROM points"], &["SELECT bench"]] {
        let said = env.tacho(&[&["query", "--parquet", "a.parquet"], refused].concat());
        assert_eq!(said.code, Some(2), "{}", said.all());
        assert!(said.stderr.contains("hint: "), "{}", said.all());
    }
    assert_eq!(std::fs::read(env.path("a.parquet")).unwrap(), before);
}

#[test]
fn a_file_of_others_is_replaced_only_by_force() {
    let env = one();
    env.write("mine.parquet", "mine");
    let query = |more: &[&str]| env.tacho(&[&["query", "--parquet"], more, &["SELECT 1 AS x"]].concat());
    insta::assert_snapshot!(query(&["mine.parquet"]).all());
    assert_eq!(std::fs::read_to_string(env.path("mine.parquet")).unwrap(), "mine");
    query(&["mine.parquet", "--force"]).with_code(0);
    assert!(is_parquet(&env.path("mine.parquet")));
    assert_eq!(query(&[".", "--force"]).code, Some(2));
    assert_eq!(query(&["none/x.parquet"]).code, Some(2));
}

#[test]
fn standard_output_takes_the_file_but_no_terminal_does() {
    let env = one();
    let said = env.command(&["query", "--parquet", "-", "SELECT 1 AS x"]).output().unwrap();
    assert_eq!(said.status.code(), Some(0));
    assert!(said.stdout.starts_with(MARK) && said.stdout.ends_with(MARK));
    let tacho = env!("CARGO_BIN_EXE_tacho");
    let said = env.shell(&format!("script -qec \"{tacho} query --parquet - 'SELECT 1'\" /dev/null < /dev/null"));
    if said.stderr.contains("not found") {
        eprintln!("skipped: no `script` to make a terminal");
        return;
    }
    assert!(said.stdout.contains("nothing to be shown on a terminal"), "{}", said.all());
    assert!(!said.stdout.contains("PAR1"), "{}", said.all());
}

#[test]
fn names_of_others_obey_nobody() {
    let env = one();
    let said = env.tacho(&["export", "parquet", "--dir", "o'u\u{1b}[31m"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(!said.stdout.contains('\u{1b}'), "{}", said.all());
    let told: Value = env.tacho(&["export", "parquet", "--dir", "o'u\u{1b}[31m", "--json"]).json(0);
    assert_eq!(told["n_rows"], 1);
}
