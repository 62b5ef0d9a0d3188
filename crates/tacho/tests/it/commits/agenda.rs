//! Which commits are measured, in what, and what is planned.

use serde_json::Value;

use super::project::{Project, result};

const UV: &str = "[environment]\ntool = \"uv\"\n";

fn check(project: &Project, arguments: &[&str], expected: &[&str]) {
    let words: Vec<&str> = ["run", "--quick", "--json"].iter().chain(arguments).copied().collect();
    let shown = project.tacho(&words).json(0);
    assert_eq!(project.values(&shown), expected, "{arguments:?}");
}

#[test]
fn each_commit_of_a_range_is_what_was_measured_and_nothing_of_the_users_is_touched() {
    let project = Project::new(3, UV);
    let before = project.state();
    check(&project, &["HEAD~2..HEAD"], &["value 3: 3", "value 2: 2"]);
    assert_eq!(project.n_builds(), 2);
    check(&project, &["HEAD~2"], &["value 1: 1"]);
    check(&project, &["ALL"], &["value 3: 3", "value 2: 2", "value 1: 1"]);
    assert_eq!(project.n_builds(), 3, "each commit is built once");
    assert_eq!(project.state(), before);
}

#[test]
fn ranges_know_what_has_results() {
    let project = Project::new(4, UV);
    check(&project, &["HEAD~2"], &["value 2: 2"]);
    check(&project, &["EXISTING"], &["value 2: 2"]);
    check(&project, &["NEW", "--steps", "1"], &["value 4: 4"]);
    check(&project, &["MISSING"], &["value 3: 3", "value 1: 1"]);
    let said = project.tacho(&["run", "--quick", "NEW"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""));
    assert!(said.stderr.contains("Nothing to do"), "{}", said.stderr);
    check(&project, &["ALL", "--skip-existing"], &[]);
    check(&project, &["LATEST"], &["value 4: 4"]);
}

#[test]
fn steps_are_taken_of_what_is_left() {
    let project = Project::new(5, UV);
    for expected in [&["value 5: 5", "value 1: 1"][..], &["value 4: 4", "value 2: 2"], &["value 3: 3"], &[]] {
        check(&project, &["ALL", "--skip-existing-commits", "--steps", "2"], expected);
    }
}

#[test]
fn without_a_range_the_checkout_is_built_as_it_is() {
    let project = Project::new(2, UV);
    check(&project, &[], &["value 2: 2"]);
    project.value(7);
    let shown = project.tacho(&["run", "--quick", "--json"]).json(0);
    let run = &shown["runs"][0];
    assert_eq!(run["provenance"]["subject"]["kind"], "tree");
    assert_eq!(result(run, "tiny.track_value"), 7.0);
    assert_eq!(std::fs::read_to_string(project.env.path("tiny_pkg.py")).unwrap(), "VALUE = 7\n");
}

#[test]
fn nothing_declared_means_what_is_there_until_other_commits_are_asked_for() {
    let project = Project::new(2, "");
    let said = project.tacho(&["run", "--quick", "HEAD~1"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(said.stderr.contains("environments of their own"), "{}", said.stderr);
    // Here the package is not installed.
    assert_eq!(project.tacho(&["run", "--quick"]).code, Some(2));
    let said = project.tacho(&["run", "--quick", "HEAD~1", "-E", "existing"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("not checked out"), "{}", said.stderr);
}

const AXES: &str = "[environment]\ntool = \"uv\"\n[axes]\nbuild.FLAGS = [\"-O1\", \"-O2\"]\nthreads = [1, 2]\n";

#[test]
fn an_axis_of_the_run_needs_no_build_and_every_axis_is_part_of_a_series() {
    let project = Project::new(2, AXES);
    let shown = project.tacho(&["run", "ALL", "--quick", "--json"]).json(0);
    let runs = shown["runs"].as_array().unwrap();
    assert_eq!((runs.len(), project.n_builds()), (8, 4));
    for run in runs {
        let environment = &run["provenance"]["environment"];
        assert_eq!(
            result(run, "tiny.track_threads").to_string(),
            format!("{}.0", environment["axes"]["threads"].as_str().unwrap())
        );
        assert_eq!(run["provenance"]["build"]["variables"]["FLAGS"], environment["axes"]["build.FLAGS"]);
    }
    let series = project.tacho(&["show", "--series", "--json", "-b", "track_value"]).json(0);
    assert_eq!(series["series"].as_array().unwrap().len(), 4);
    let chosen = project.tacho(&["run", "HEAD", "--quick", "--json", "-E", "threads=2,build.FLAGS=-O2"]).json(0);
    assert_eq!(chosen["runs"].as_array().unwrap().len(), 1);
    assert_eq!(project.n_builds(), 4);
}

#[test]
fn a_plan_says_what_would_be_built_and_measured_and_does_nothing() {
    let project = Project::new(2, AXES);
    let plan = |arguments: &[&str]| {
        let words: Vec<&str> = ["run", "ALL", "--dry-run", "--json"].iter().chain(arguments).copied().collect();
        project.tacho(&words).json(0)
    };
    let builds = |plan: &Value| -> Vec<String> {
        plan["runs"].as_array().unwrap().iter().map(|run| run["build"].as_str().unwrap().to_owned()).collect()
    };
    let first = plan(&[]);
    assert_eq!(builds(&first), ["needed", "shared", "needed", "shared", "needed", "shared", "needed", "shared"]);
    assert_eq!(first["runs"][0]["estimate_s"], Value::Null);
    assert!(!project.exists(".tacho/records") && project.n_builds() == 0);
    project.tacho(&["run", "HEAD", "-a", "rounds=1", "-E", "threads=1"]).with_code(0);
    let second = plan(&["--skip-existing"]);
    let states: Vec<&str> =
        second["runs"].as_array().unwrap().iter().map(|run| run["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["exists", "measure", "exists", "measure", "measure", "measure", "measure", "measure"]);
    assert!(second["runs"][4]["estimate_s"].as_f64().unwrap() > 0.0, "{second}");
    assert_eq!(second["runs"][4]["n_cases"], 2);
}

#[test]
fn a_budget_takes_what_tells_most_and_names_what_it_leaves_out() {
    let project = Project::new(3, UV);
    project.tacho(&["run", "HEAD", "-a", "rounds=1"]).with_code(0);
    let all = project.tacho(&["run", "ALL", "--dry-run", "--json", "--budget", "1h"]).json(0);
    assert!(all["runs"].as_array().unwrap().iter().all(|run| run["state"] == "measure"));
    let tight = project.tacho(&["run", "ALL", "--dry-run", "--json", "--budget", "0.000001"]).json(0);
    assert!(tight["runs"].as_array().unwrap().iter().all(|run| run["state"] == "left_out"), "{tight}");
    let said = project.tacho(&["run", "ALL", "--budget", "soon"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("30m"), "{}", said.stderr);
}

#[test]
fn rounds_of_several_commits_take_turns_where_that_is_asked_for() {
    let project = Project::new(2, UV);
    project.env.write("speed/timed.py", "import tiny_pkg\n\n\ndef time_it():\n    tiny_pkg.VALUE\n");
    let words = ["run", "HEAD~1", "HEAD", "--interleave-rounds"];
    assert_eq!(project.tacho(&words).code, Some(2), "a range is one word");
    let words = [
        "run",
        "ALL",
        "-b",
        "time_it",
        "-a",
        "rounds=2",
        "-a",
        "repeat=1",
        "-a",
        "warmup_time=0",
        "--interleave-rounds",
        "--json",
    ];
    let shown = project.tacho(&words).json(0);
    let runs = shown["runs"].as_array().unwrap();
    let experiments: Vec<&Value> = runs.iter().map(|run| &run["provenance"]["experiment"]).collect();
    assert!(experiments[0].is_string() && experiments[0] == experiments[1], "{experiments:?}");
    let folder = project.env.path(".tacho/records");
    let records = project.env.shell(&format!("find {} -name '*.zst' | wc -l", folder.display())).with_code(0);
    assert_eq!(records.trim(), "2");
}

#[test]
fn a_commit_without_results_is_compared_after_a_run_that_builds_it() {
    let project = Project::new(2, UV);
    let short = project.env.git(&["rev-parse", "--short=8", "HEAD~1"]);
    let said = project.tacho(&["compare", "HEAD~1", "HEAD"]);
    assert!(
        said.stderr.contains(&format!("hint: build and measure it with `tacho run {}`", short.trim())),
        "{}",
        said.all()
    );
}

#[test]
fn what_a_budget_leaves_out_is_not_taken_for_measured() {
    let project = Project::new(2, UV);
    // The slow one is known to take longer than the time there is.
    project.env.write("speed/slow.py", "import time\n\n\ndef track_slow():\n    time.sleep(3)\n    return 1\n");
    project.env.commit("slow");
    project.tacho(&["run", "HEAD", "--quick"]).with_code(0);
    let shown = project.tacho(&["run", "HEAD~1", "--quick", "--budget", "2.5", "--json"]).json(0);
    let run = &shown["runs"][0];
    assert_eq!((result(run, "slow.track_slow"), result(run, "tiny.track_value")), (Value::Null, 2.0.into()), "{run}");
    // What came of it goes on when it is resumed, and nothing is measured twice.
    let resumed = project.tacho(&["run", "--resume", "HEAD~1", "--quick", "--json"]).json(0);
    assert_eq!(resumed["runs"], Value::Array(vec![]));
    let rest = project.tacho(&["run", "HEAD~1", "--quick", "--skip-existing", "--json"]).json(0);
    let run = &rest["runs"][0];
    assert_eq!((result(run, "slow.track_slow"), result(run, "tiny.track_value")), (1.0.into(), Value::Null), "{run}");
    let none = project.tacho(&["run", "HEAD~1", "--quick", "--skip-existing", "--json"]).json(0);
    assert_eq!(none["runs"], Value::Array(vec![]));
}

#[test]
fn an_environment_that_nothing_is_known_of_is_taken_to_be_like_the_others() {
    let project = Project::new(1, AXES);
    project.tacho(&["run", "HEAD", "--quick", "-E", "threads=1"]).with_code(0);
    let plan = project.tacho(&["run", "HEAD", "--quick", "--dry-run", "--json", "--budget", "0.000001"]).json(0);
    let states: Vec<&Value> = plan["runs"].as_array().unwrap().iter().map(|run| &run["state"]).collect();
    assert!(states.iter().all(|state| *state == "left_out"), "{states:?}");
}

#[test]
fn a_time_that_is_up_is_said_and_leaves_nothing_half_begun() {
    let project = Project::new(3, UV);
    let said = project.tacho(&["run", "ALL", "--quick", "--budget", "0.01"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("The time is up: 3 runs not begun."), "{}", said.stderr);
    assert!(said.stderr.contains("hint: tacho run --resume ALL --quick"), "{}", said.stderr);
    assert!(!project.exists(".tacho/records"));
    let said = project.tacho(&["run", "ALL", "--quick", "--interleave-rounds", "--budget", "0.01"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(project.n_builds() < 3, "nothing more is built when the time is up");
}

#[test]
fn a_plan_writes_nothing_at_all() {
    let project = Project::new(2, UV);
    project.env.shell("rm -rf .tacho").with_code(0);
    project.value(7);
    let before = project.env.shell("find . | sort").with_code(0);
    for range in ["ALL", "NEW"] {
        project.tacho(&["run", range, "--dry-run"]).with_code(0);
    }
    project.tacho(&["run", "--dry-run"]).with_code(0);
    assert_eq!(project.env.shell("find . | sort").with_code(0), before);
}

#[test]
fn commits_that_asv_has_results_of_are_known() {
    let project = Project::new(3, &format!("{UV}[store]\nasv_results = \"results\"\n[run]\nmachine = \"box\"\n"));
    let hash = project.env.git(&["rev-parse", "HEAD~1"]);
    project.env.write("results/box/machine.json", "{\"machine\": \"box\", \"version\": 1}");
    project.env.write(&format!("results/box/{}-virtualenv-py3.11.json", &hash[..8]), "{}");
    check(&project, &["EXISTING"], &["value 2: 2"]);
    check(&project, &["MISSING"], &["value 3: 3", "value 1: 1"]);
    check(&project, &["ALL", "--skip-existing-commits"], &[]);
    let other = ["ALL", "--skip-existing-commits", "--machine", "other"];
    check(&project, &other, &["value 3: 3", "value 2: 2", "value 1: 1"]);
}
