//! `tacho export asv`: asv itself reads what is written.

use std::path::PathBuf;

use serde_json::Value;

use crate::env::{Said, TestEnv, test_python};

const SUITE: &str = "\
import os

VALUE = float(open(os.path.join(os.path.dirname(__file__), 'value.txt')).read())


def track_value():
    return VALUE


track_value.unit = 'widgets'


def track_each(n, s):
    if n == 3:
        raise ValueError('no')
    return VALUE * n


track_each.params = ([1, 2, 3], ['a', 'b'])
track_each.param_names = ['n', 's']


def setup_each(n, s):
    if n == 2:
        raise NotImplementedError


track_each.setup = setup_each


def time_nothing():
    pass


time_nothing.number = 2
time_nothing.repeat = 3
time_nothing.rounds = 1
time_nothing.warmup_time = 0
";

/// A project of three commits, each measured, and asv beside it.
struct Project {
    env: TestEnv,
    commits: Vec<String>,
}

impl Project {
    fn new() -> Project {
        let env = TestEnv::new();
        let conf =
            r#"{"version": 1, "project": "demo", "repo": ".", "branches": ["main"], "environment_type": "existing"}"#;
        env.write("asv.conf.json", conf);
        env.write("benchmarks/__init__.py", "");
        env.write("benchmarks/demo.py", SUITE);
        env.write(".gitignore", ".tacho/\ntacho.toml\nresults/\nhtml/\n__pycache__/\n");
        env.git(&["init", "--quiet", "--initial-branch=main"]);
        let mut commits = Vec::new();
        for value in ["10", "20", "50"] {
            env.write("benchmarks/value.txt", value);
            env.commit(value);
            commits.push(env.git(&["rev-parse", "HEAD"]));
        }
        let project = Project { env, commits };
        for commit in &project.commits {
            project.env.git(&["checkout", "--quiet", commit]);
            project.run(&[]);
        }
        project.env.git(&["checkout", "--quiet", "main"]);
        project
    }

    fn run(&self, more: &[&str]) {
        let said = self.env.tacho(&[&["run", "-E", "existing", "-m", "lab"], more].concat());
        // Some cases fail on purpose.
        assert!(matches!(said.code, Some(0 | 3)), "{}", said.all());
    }

    fn asv(&self, arguments: &str) -> Said {
        self.env.shell(&format!("'{}' -m asv {arguments} 2>&1", test_python()))
    }

    /// Returns the only result file of a commit.
    fn file(&self, n: usize) -> PathBuf {
        let start = &self.commits[n][..8];
        let files = std::fs::read_dir(self.env.path("results/lab")).unwrap().map(|entry| entry.unwrap().path());
        let mut found = files.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(start));
        let file = found.next().unwrap();
        assert_eq!(found.next(), None);
        file
    }
}

/// Tells whether the tests' interpreter has asv.
fn has_asv(env: &TestEnv) -> bool {
    let is_there = env.shell(&format!("'{}' -c 'import asv'", test_python())).code == Some(0);
    if !is_there {
        eprintln!("skipped: no asv beside {}", test_python());
    }
    is_there
}

#[test]
fn asv_shows_compares_and_publishes_what_was_exported() {
    let project = Project::new();
    if !has_asv(&project.env) {
        return;
    }
    let said = project.env.tacho(&["export", "asv"]);
    assert_eq!(said.with_code(0), "3 runs in `[PROJECT]/results`: 5 files written\n");

    let list = project.asv("show").with_code(0);
    for commit in &project.commits {
        assert!(list.contains(&commit[..8]), "{list}");
    }
    let shown = project.asv(&format!("show --details {}", project.commits[1])).with_code(0);
    let flat = shown.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(flat.contains("demo.track_value [lab/existing-"), "{shown}");
    assert!(flat.contains("demo.track_value [lab/existing-python3] 20.0 started: "), "{shown}");
    // Two of six cases failed and two were skipped.
    assert!(flat.contains("2/6 failed"), "{shown}");
    assert!(flat.contains("1 20.0 20.0 2 n/a n/a 3 failed failed"), "{shown}");
    assert!(flat.contains("repeat: 3 number: 2 ci_99: ("), "{shown}");

    let compared = project.asv(&format!("compare {} {}", project.commits[0], project.commits[2])).with_code(0);
    let rows: Vec<&str> = compared.lines().filter(|line| line.contains("track_")).collect();
    let row = |name: &str| {
        let row = rows.iter().find(|row| row.contains(name)).unwrap_or_else(|| panic!("{compared}"));
        row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<&str>>().join(" ")
    };
    assert_eq!(row("track_value"), "+ 10.0 50.0 5.00 demo.track_value");
    assert_eq!(row("track_each(1, 'b')"), "+ 10.0 50.0 5.00 demo.track_each(1, 'b')");
    assert_eq!(row("track_each(3, 'a')"), "failed failed n/a demo.track_each(3, 'a')");

    project.asv("publish --no-pull").with_code(0);
    let index: Value = serde_json::from_slice(&std::fs::read(project.env.path("html/index.json")).unwrap()).unwrap();
    assert_eq!(index["machines"]["lab"]["machine"], "lab");
    assert_eq!(index["benchmarks"]["demo.track_value"]["unit"], "widgets");
    assert_eq!(graph(&project, "demo.track_value"), "[[0,10.0],[1,20.0],[2,50.0]]");
}

/// Returns the values of a published graph.
fn graph(project: &Project, benchmark: &str) -> String {
    let found = project.env.shell(&format!("find html/graphs/arch-* -name '{benchmark}.json'")).with_code(0);
    let files: Vec<&str> = found.lines().collect();
    assert_eq!(files.len(), 1, "{found}");
    std::fs::read_to_string(project.env.path(files[0])).unwrap().replace([' ', '\n'], "")
}

#[test]
fn axes_that_asv_has_no_word_for_part_its_graphs_all_the_same() {
    let project = Project::new();
    if !has_asv(&project.env) {
        return;
    }
    project.env.write("tacho.toml", "[environment]\ntool = \"existing\"\n[axes]\nthreads = [1, 2]\n");
    let said = project.env.tacho(&["run", "-m", "axes", "-b", "track_value"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    project.env.tacho(&["export", "asv"]).with_code(0);
    project.asv("publish --no-pull").with_code(0);
    let found = project.env.shell("find html/graphs -path '*threads-*' -name demo.track_value.json").with_code(0);
    let threads = |line: &str| line.split('/').find(|part| part.starts_with("threads-")).unwrap().to_owned();
    let mut all: Vec<String> = found.lines().map(threads).collect();
    all.sort();
    // Null is asv's word for the runs that have no such axis.
    assert_eq!(all, ["threads-1", "threads-2", "threads-null"], "{found}");
}

/// Reads a file as asv does, computes the statistics anew from the samples, and prints what asv would have written.
const REWRITE: &str = r#"
import json, sys
from asv.results import Results
from asv_runner.statistics import compute_stats

path, folder = sys.argv[1:]
results = Results.load(path, machine_name='lab')
for name, of_cases in results._samples.items():
    for case, samples in enumerate(of_cases or []):
        if samples is not None:
            number = results._stats[name][case]['number']
            results._results[name][case], results._stats[name][case] = compute_stats(samples, number)
results._filename = 'lab/rewritten.json'
results.save(folder)
written, ours = json.load(open(folder + '/lab/rewritten.json')), json.load(open(path))
del ours['tacho']
for build in (written, ours):
    del build['durations']
print(json.dumps(written, sort_keys=True) == json.dumps(ours, sort_keys=True))
"#;

#[test]
fn asv_would_have_written_the_same_file() {
    let project = Project::new();
    if !has_asv(&project.env) {
        return;
    }
    project.env.tacho(&["export", "asv"]).with_code(0);
    project.env.write("rewrite.py", REWRITE);
    let said = project.env.shell(&format!("'{}' rewrite.py '{}' again", test_python(), project.file(1).display()));
    assert_eq!(said.with_code(0), "True\n");
}

#[test]
fn what_was_exported_is_not_read_beside_its_records_and_is_without_them() {
    let project = Project::new();
    project.env.tacho(&["export", "asv"]).with_code(0);
    let answer = |project: &Project| {
        let words = ["compare", &project.commits[0], &project.commits[2], "--json", "--stats", "asv"];
        project.env.tacho(&words).json(0)
    };
    let with_records = answer(&project);
    assert_eq!(with_records["before"]["runs"].as_array().unwrap().len(), 1);
    std::fs::remove_dir_all(project.env.path(".tacho/records")).unwrap();
    let without = answer(&project);
    for side in ["before", "after"] {
        let identity = |answer: &Value| {
            let run = &answer[side]["runs"][0];
            (run["run_id"].clone(), run["environment"].clone(), run["machine"]["name"].clone(), run["method"].clone())
        };
        assert_eq!(identity(&without), identity(&with_records));
    }
    let answers = |answer: &Value| {
        let of = |one: &Value| {
            let side =
                |side: &str| (one[side]["state"].clone(), one[side]["value"].clone(), one[side]["version"].clone());
            (one["benchmark"].clone(), one["parameters"].clone(), one["unit"].clone(), side("before"), side("after"))
        };
        let mut all: Vec<_> = answer["comparisons"].as_array().unwrap().iter().map(of).collect();
        all.sort_by_key(|(benchmark, parameters, ..)| format!("{benchmark}{parameters}"));
        all
    };
    assert_eq!(answers(&without), answers(&with_records));
    assert_eq!(answers(&without).len(), 8);
}

#[test]
fn runs_of_one_commit_are_one_result() {
    let project = Project::new();
    project.run(&["-b", "time_nothing"]);
    project.env.tacho(&["export", "asv"]).with_code(0);
    let file: Value =
        serde_json::from_str(&std::fs::read_to_string(project.file(2)).unwrap().replace("NaN", "-1")).unwrap();
    assert_eq!(file["tacho"]["records"].as_array().unwrap().len(), 2);
    let repeat = &file["results"]["demo.time_nothing"][10];
    assert_eq!(repeat.to_string(), "[6]", "{file}");
    assert_eq!(file["results"]["demo.track_value"][0].to_string(), "[50.0]");
}

#[test]
fn what_is_no_history_is_left_out_and_counted() {
    let project = Project::new();
    project.run(&["--quick"]);
    project.env.write("benchmarks/value.txt", "70");
    project.run(&["-b", "track_value"]);
    let answer = project.env.tacho(&["export", "asv", "--json"]).json(0);
    assert_eq!(answer["schema"], "tacho.export/1");
    assert_eq!((&answer["n_runs"], &answer["left_out"]["quick"]), (&3.into(), &1.into()), "{answer}");
    assert_eq!(answer["left_out"]["work_trees"], 1);
    let said = project.env.tacho(&["export", "asv"]);
    insta::assert_snapshot!(said.all(), @r"
    exit: 0
    ----- stdout
    3 runs in `[PROJECT]/results`: 0 files written, 5 unchanged
    2 runs left out: 1 of work trees, 1 quick
    ----- stderr
    ");
}

#[test]
fn files_of_asv_stay() {
    let project = Project::new();
    project.env.tacho(&["export", "asv"]).with_code(0);
    let file = project.file(0);
    let theirs = std::fs::read_to_string(&file).unwrap().replace("\"tacho\": {", "\"other\": {");
    std::fs::write(&file, &theirs).unwrap();
    let said = project.env.tacho(&["export", "asv"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stderr.contains("was not written by tacho and stays as it is"), "{}", said.all());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs);
    project.env.tacho(&["export", "asv", "--force"]).with_code(0);
    assert_ne!(std::fs::read_to_string(&file).unwrap(), theirs);
}

#[test]
fn without_a_folder_or_runs_it_says_what_to_do() {
    let env = TestEnv::new();
    insta::assert_snapshot!(env.tacho(&["export", "asv"]).all(), @r"
    exit: 2
    ----- stdout

    ----- stderr
    error: no results folder of asv's is configured here
    hint: name one with `--dir DIR`, or in asv.conf.json as `results_dir`
    ");
    env.write("tacho.toml", "[project]\nname = \"demo\"\n");
    insta::assert_snapshot!(env.tacho(&["export", "asv", "--dir", "out"]).all(), @r"
    exit: 2
    ----- stdout

    ----- stderr
    error: no runs are kept in `[PROJECT]/.tacho`
    hint: measure with `tacho run`, and see what is kept with `tacho show --list`
    ");
}
