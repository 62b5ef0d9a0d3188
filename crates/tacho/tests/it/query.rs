//! `tacho query` and `tacho index` on records and on results of asv's.

use serde_json::{Value, json};
use tacho_model::{Subject, Timestamp};

use crate::compare;
use crate::env::TestEnv;
use crate::written::Written;

const COUNT: &str = "SELECT count(*) FROM results";
const ALL: &str = "SELECT benchmark, parameters, metric, unit, machine, environment, subject_kind, subject, commit, commit_date, position, \
                   on_line, value, lower, upper, n_samples, outcome, version, method, record, source, n_runs, quick, complete FROM results \
                   ORDER BY benchmark, parameters, machine, environment, position";
const PATH: &str = ".tacho/cache/index/index.sqlite";

pub(crate) fn rows(env: &TestEnv, sql: &str) -> Vec<Value> {
    let document = env.tacho(&["query", "--json", "--limit", "0", sql]).json(0);
    assert_eq!(document["schema"], "tacho.query/1");
    document["rows"].as_array().unwrap().clone()
}

pub(crate) fn commit(hash: &str) -> Subject {
    Subject::Commit { hash: hash.to_owned(), date: Some(Timestamp { unix_us: 1_767_323_045_000_000 }) }
}

/// A project with three commits, of which all are measured, the newest first.
fn measured() -> (TestEnv, Vec<String>) {
    let env = TestEnv::with_project(&[]);
    env.commit("second");
    env.commit("third");
    let hashes: Vec<String> = env.git(&["rev-list", "--reverse", "HEAD"]).lines().map(str::to_owned).collect();
    for (index, hash) in hashes.iter().enumerate().rev() {
        Written::new(commit(hash), &[("python", "3.12")], 1e-3 * (1.0 + index as f64)).keep(&env);
    }
    (env, hashes)
}

#[test]
fn records_are_rows_in_the_order_of_history() {
    let (env, hashes) = measured();
    let sql = "SELECT commit, position, on_line, value, param(environment, 'python'), length(record) FROM results ORDER BY position";
    let found = rows(&env, sql);
    let expected: Vec<Value> =
        (0..3).map(|at| json!([hashes[at], at, 1, 1e-3 * (1.0 + at as f64), 3.12, 64])).collect();
    assert_eq!(found, expected);
    // Another branch is checked out: what was on the line is not, and the order is asked for again.
    env.git(&["checkout", "--quiet", "--orphan", "other"]);
    env.commit("elsewhere");
    assert_eq!(rows(&env, "SELECT DISTINCT on_line FROM results"), [json!([0])]);
}

#[test]
fn several_runs_of_a_commit_are_one_row() {
    let (env, hashes) = measured();
    Written { minutes: 5, ..Written::new(commit(&hashes[0]), &[("python", "3.12")], 3e-3) }.keep(&env);
    let sql = "SELECT n_runs, n_samples, value FROM results ORDER BY position LIMIT 1";
    // Half of the samples are at most 1.01 ms, half at least 2.97 ms.
    assert_eq!(rows(&env, sql), [json!([2, 20, 1.99e-3])]);
    let shown = env.tacho(&["show", "--series", "--json"]).json(0);
    assert_eq!(shown["series"][0]["points"][0]["value"], 1.99e-3);
}

#[test]
fn asvs_results_are_rows_too() {
    let env = compare::project();
    let sql = "SELECT count(*), count(DISTINCT commit), sum(outcome = 'failed') FROM results WHERE benchmark = 'core.time_breaks'";
    assert_eq!(rows(&env, sql), [json!([compare::N_COMMITS, compare::N_COMMITS, 1])]);
    let sql = "SELECT param(parameters, 'param1') FROM results WHERE benchmark = 'core.time_cases' AND position = 0 ORDER BY case_index";
    assert_eq!(rows(&env, sql), [json!(["a|b\nc"]), json!(["<img src=x>"])]);
}

#[test]
fn what_is_deleted_is_made_again_as_it_was() {
    let env = compare::project();
    Written::new(commit(&"ab".repeat(20)), &[("python", "3.12")], 1e-3).keep(&env);
    let before = rows(&env, ALL);
    assert!(before.len() > 100);
    std::fs::remove_file(env.path(PATH)).unwrap();
    assert_eq!(rows(&env, ALL), before);
    std::fs::write(env.path(PATH), "damaged").unwrap();
    let said = env.tacho(&["query", COUNT]);
    assert!(said.stderr.contains("the index was damaged"), "{}", said.all());
    assert_eq!(rows(&env, ALL), before);
    let _ = env.tacho(&["index", "--rebuild"]).with_code(0);
    assert_eq!(rows(&env, ALL), before);
    std::fs::remove_dir_all(env.path(".tacho/cache")).unwrap();
    assert_eq!(rows(&env, ALL), before);
}

#[test]
fn step_by_step_comes_the_same_as_at_once() {
    let env = compare::project();
    let file = env.path("results/lab/abcd0003-virtualenv-py3.12.json");
    let whole = rows(&env, ALL);
    let text = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let less = rows(&env, ALL);
    assert_eq!(whole.len() - less.len(), 11);
    std::fs::write(&file, text).unwrap();
    assert_eq!(rows(&env, ALL), whole);
    // What the definitions say of all results counts for all of them.
    env.write("results/benchmarks.json", r#"{"version": 2, "core.time_same": {"name": "core.time_same", "unit": "fortnights", "type": "time", "params": [], "param_names": [], "version": "1"}}"#);
    let units = rows(&env, "SELECT unit, count(*) FROM results WHERE benchmark = 'core.time_same' GROUP BY 1");
    assert_eq!(units, [json!(["fortnights", compare::N_COMMITS])]);
}

#[test]
fn the_path_is_told_alone() {
    let (env, _) = measured();
    let path = env.tacho(&["index", "--path"]).with_code(0);
    assert_eq!(path.trim(), format!("[PROJECT]/{PATH}"));
    assert_eq!(std::fs::read_to_string(env.path(".tacho/.gitignore")).unwrap(), "cache/\n");
    insta::assert_snapshot!(env.tacho(&["index"]).all());
    let told = env.tacho(&["index", "--json"]).json(0);
    assert_eq!((&told["schema"], &told["n_points"]), (&json!("tacho.index/1"), &json!(3)));
}

#[test]
fn tables_csv_and_markdown_have_the_same_rows() {
    let (env, _) = measured();
    let sql = "SELECT benchmark, position, value, 'a,\"b\"', NULL AS empty FROM results ORDER BY position";
    insta::assert_snapshot!(env.tacho(&["query", sql]).all());
    insta::assert_snapshot!(env.tacho(&["query", "--csv", sql]).all());
    insta::assert_snapshot!(env.tacho(&["query", "--markdown", sql]).all());
    let said = env.tacho(&["query", "--csv", "--limit", "1", sql]);
    assert!(said.stderr.contains("only the first 1 rows are shown"), "{}", said.all());
    assert_eq!(said.with_code(0).lines().count(), 2);
}

#[test]
fn many_rows_of_csv_are_all_there() {
    let (env, _) = measured();
    let sql = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 30000) SELECT x FROM r";
    let text = env.tacho(&["query", "--csv", "--limit", "0", sql]).with_code(0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[30_000]), (30_001, "x", "30000"));
}

#[test]
fn work_trees_stay_out() {
    let (env, _) = measured();
    Written::new(Subject::Tree { tree: "ab".repeat(20), parent: None }, &[], 1.0).keep(&env);
    assert_eq!(rows(&env, COUNT), [json!([3])]);
}

#[test]
fn what_was_exported_to_asv_counts_once() {
    let env = TestEnv::with_project(&[("benchmarks/a.py", "def track_one():\n    return 1\n")]);
    env.tacho(&["run", "--quick"]).with_code(0);
    let count = || env.tacho(&["query", "--csv", "SELECT count(*) FROM results"]).with_code(0);
    let before = count();
    env.tacho(&["export", "asv", "--quick"]).with_code(0);
    assert!(env.shell("find results -name '*.json' | wc -l").with_code(0).trim() != "0");
    assert_eq!(count(), before);
}
