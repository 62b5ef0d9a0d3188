//! What an index does with what is new, gone, odd, or cannot be kept.

use serde_json::json;

use crate::compare;
use crate::env::TestEnv;
use crate::query::{commit, rows};
use crate::written::Written;

const COUNT: &str = "SELECT count(*) FROM results";
const PATH: &str = ".tacho/cache/index/index.sqlite";

#[test]
fn an_exported_file_counts_once_its_record_has_gone() {
    let env = TestEnv::with_project(&[]);
    let head = env.git(&["rev-parse", "HEAD"]).trim().to_owned();
    Written::new(commit(&head), &[("python", "3.12")], 1e-3).keep(&env);
    env.write("asv.conf.json", r#"{"version": 1, "project": "demo", "repo": ".", "results_dir": "results"}"#);
    assert_eq!(env.tacho(&["export", "asv"]).code, Some(0));
    let sql = "SELECT record IS NOT NULL, value FROM results WHERE outcome = 'measured'";
    let with_record = rows(&env, sql);
    assert_eq!(with_record, [json!([1, 1e-3])]);
    std::fs::remove_dir_all(env.path(".tacho/records")).unwrap();
    assert_eq!(rows(&env, sql), [json!([0, 1e-3])]);
    Written::new(commit(&head), &[("python", "3.12")], 2e-3).keep(&env);
    assert_eq!(rows(&env, sql), [json!([1, 2e-3])]);
}

#[test]
fn an_exported_file_counts_no_more_once_its_record_comes() {
    let env = TestEnv::with_project(&[]);
    let head = env.git(&["rev-parse", "HEAD"]).trim().to_owned();
    Written::new(commit(&head), &[("python", "3.12")], 1e-3).keep(&env);
    env.write("asv.conf.json", r#"{"version": 1, "project": "demo", "repo": ".", "results_dir": "results"}"#);
    assert_eq!(env.tacho(&["export", "asv"]).code, Some(0));
    let n_files = || env.tacho(&["index", "--json"]).json(0)["n_files"].clone();
    std::fs::rename(env.path(".tacho/records"), env.path("aside")).unwrap();
    assert_eq!(n_files(), 1);
    std::fs::rename(env.path("aside"), env.path(".tacho/records")).unwrap();
    assert_eq!(n_files(), 1);
}

#[test]
fn commits_off_the_branch_are_told_from_those_that_nobody_knows() {
    let env = TestEnv::with_project(&[]);
    let on_line = env.git(&["rev-parse", "HEAD"]).trim().to_owned();
    env.git(&["checkout", "--quiet", "-b", "side"]);
    env.commit("beside");
    let beside = env.git(&["rev-parse", "HEAD"]).trim().to_owned();
    env.git(&["checkout", "--quiet", "-"]);
    for hash in [&on_line, &beside, &"ab".repeat(20), &"cd".repeat(20)] {
        Written::new(commit(hash), &[("python", "3.12")], 1e-3).keep(&env);
    }
    let said = env.tacho(&["index"]);
    assert!(said.stderr.contains("2 commits are not in the repository: they stand by their dates"), "{}", said.all());
    let sql = "SELECT commit, on_line FROM results GROUP BY commit ORDER BY on_line DESC, commit";
    let expected =
        [json!([on_line, 1]), json!([beside, 0]), json!(["ab".repeat(20), null]), json!(["cd".repeat(20), null])];
    assert_eq!(rows(&env, sql), expected);
}

#[test]
fn definitions_that_change_are_read_again() {
    let env = compare::project();
    let sql = "SELECT DISTINCT unit FROM results WHERE benchmark = 'core.time_breaks'";
    assert_eq!(rows(&env, sql), [json!(["seconds"])]);
    env.write("results/benchmarks.json", r#"{"core.time_breaks": {"type": "time", "unit": "hours"}, "version": 2}"#);
    assert_eq!(rows(&env, sql), [json!(["hours"])]);
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let env = compare::project();
    let bytes = || {
        assert_eq!(env.tacho(&["index"]).code, Some(0));
        let bytes = std::fs::read(env.path(PATH)).unwrap();
        std::fs::remove_file(env.path(PATH)).unwrap();
        bytes
    };
    let first = bytes();
    assert!((0..3).all(|_| bytes() == first));
}

#[test]
fn a_project_that_cannot_be_written_has_its_index_elsewhere() {
    let env = compare::project();
    let expected = rows(&env, COUNT);
    std::fs::remove_dir_all(env.path(".tacho/cache")).unwrap();
    // Where the folder should be stands a file: nobody can write there, whatever they may do.
    env.write(".tacho/cache", "");
    let said = env.tacho(&["query", "--json", COUNT]);
    assert!(said.stderr.contains("the index is kept in"), "{}", said.all());
    assert_eq!(json!(said.json(0)["rows"]), json!(expected));
    let path = env.tacho(&["index", "--path"]);
    assert!(path.stdout.contains("indexes") && path.stderr.lines().count() == 1, "{}", path.all());
}

#[test]
fn odd_files_cost_nothing_but_themselves() {
    let env = compare::project();
    let expected = rows(&env, COUNT);
    std::os::unix::fs::symlink("..", env.path("results/lab/round")).unwrap();
    std::os::unix::fs::symlink("00000000-self.json", env.path("results/lab/00000000-self.json")).unwrap();
    env.write("results/lab/00000001-empty.json", "");
    env.write("results/lab/00000002-deep.json", &"[".repeat(1_000_000));
    env.write("results/lab/00000003-\u{1b}[31m\u{202e}'\"`$(x).json", "{");
    std::fs::File::create(env.path("results/lab/00000004-huge.json")).unwrap().set_len(1 << 40).unwrap();
    let said = env.tacho(&["query", "--json", COUNT]);
    assert!(!said.stderr.contains('\u{1b}') && !said.stderr.contains('\u{202e}'), "{}", said.all());
    assert_eq!(said.stderr.matches("left out").count(), 4, "{}", said.all());
    assert_eq!(json!(said.json(0)["rows"]), json!(expected));
}
