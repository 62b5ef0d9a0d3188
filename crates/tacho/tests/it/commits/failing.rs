//! Builds that fail, hang or are interrupted, and backfills that go on.

use std::process::Stdio;

use serde_json::Value;

use super::project::{Project, result};

const UV: &str = "[environment]\ntool = \"uv\"\n";

/// A project whose second commit of three cannot be built.
fn broken() -> Project {
    let project = Project::new(1, UV);
    project.env.write("refuse.txt", "no compiler today");
    project.value(2);
    project.env.commit("value 2");
    std::fs::remove_file(project.env.path("refuse.txt")).unwrap();
    project.value(3);
    project.env.commit("value 3");
    project
}

#[test]
fn a_commit_that_cannot_be_built_is_an_outcome_and_the_next_goes_on() {
    let project = broken();
    let said = project.tacho(&["run", "ALL", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stderr.contains("no compiler today"), "{}", said.stderr);
    assert_eq!(project.n_builds(), 3);
    let shown = project.tacho(&["show", "HEAD~1"]).with_code(0);
    assert!(shown.contains("not built: ") && shown.contains("no compiler today"), "{shown}");
    // It is not tried again, unless that is asked for.
    let said = project.tacho(&["run", "HEAD~1", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("no compiler today") && said.stderr.contains("--retry-failed"), "{}", said.stderr);
    assert_eq!(project.n_builds(), 3);
    project.env.shell("rm -rf .tacho/cache").with_code(0);
    assert_eq!(project.tacho(&["run", "HEAD~1", "--quick"]).code, Some(2), "its record tells");
    assert_eq!(project.n_builds(), 3);
    assert_eq!(project.tacho(&["run", "HEAD~1", "--quick", "--retry-failed"]).code, Some(2));
    assert_eq!(project.n_builds(), 4);
    let said = project.tacho(&["run", "ALL", "--quick", "--skip-existing"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
}

#[test]
fn a_commit_with_which_the_suite_cannot_be_loaded_is_an_outcome_too() {
    let project = Project::new(1, UV);
    project.env.write("tiny_pkg.py", "def broken(:\n");
    project.env.commit("value 2");
    project.value(3);
    project.env.commit("value 3");
    let said = project.tacho(&["run", "ALL", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stderr.contains("SyntaxError"), "{}", said.stderr);
    let shown = project.tacho(&["show", "HEAD~1"]).with_code(0);
    assert!(shown.contains("SyntaxError"), "{shown}");
    assert_eq!(project.tacho(&["run", "ALL", "--quick", "-k"]).code, Some(0), "all of it is known");
}

#[test]
fn a_build_that_hangs_is_ended_and_told() {
    let project = Project::new(1, "[environment]\ntool = \"uv\"\nbuild_timeout_s = 3\n");
    project.env.write("hang.txt", &project.env.path("mark").display().to_string());
    project.env.commit("value 2");
    let said = project.tacho(&["run", "HEAD", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("3 s"), "{}", said.stderr);
    assert!(project.exists("mark"));
}

#[test]
fn an_interrupted_build_leaves_nothing_that_is_used() {
    let project = Project::new(1, UV);
    let hang = project.env.path("../hang-here");
    project.env.write("hang.txt", &project.env.path("mark").display().to_string());
    project.env.commit("value 2");
    let mut command = project.env.command(&["run", "ALL", "--quick"]);
    project.offline(&mut command);
    let run = command.stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    project.env.wait_for("mark", || false);
    let _ = project.env.shell(&format!("kill -INT {}", run.id()));
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Interrupted"));
    std::fs::remove_file(project.env.path("mark")).unwrap();
    std::fs::remove_file(project.env.path("hang.txt")).unwrap();
    let shown = project.tacho(&["run", "HEAD~1", "--quick", "--json"]).json(0);
    assert_eq!(project.values(&shown), ["value 1: 1"]);
    assert!(!hang.exists());
}

#[test]
fn a_backfill_goes_on_where_it_was_interrupted() {
    let project = Project::new(3, UV);
    // The second commit's case waits to be interrupted.
    project.env.write(
        "speed/tiny.py",
        "import os, time\nimport tiny_pkg\n\n\ndef track_value():\n    if tiny_pkg.VALUE == 2 and not os.path.exists(os.environ['MARK']):\n        open(os.environ['MARK'], 'w').close()\n        time.sleep(60)\n    return tiny_pkg.VALUE\n",
    );
    let mark = project.env.path("mark");
    let mut command = project.env.command(&["run", "ALL", "--quick"]);
    project.offline(&mut command);
    let run = command
        .env("MARK", &mark)
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    project.env.wait_for("mark", || false);
    let _ = project.env.shell(&format!("kill -INT {}", run.id()));
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("hint: tacho run --resume ALL --quick"), "{said}");
    let resumed = project.env.tacho_with(&["run", "--resume", "ALL", "--quick", "--json"], |command| {
        project.offline(command);
        command.env("MARK", &mark);
    });
    let shown = resumed.json(0);
    assert_eq!(project.values(&shown), ["value 2: 2", "value 1: 1"], "what is done stays as it is");
    let listed = project.tacho(&["show", "--list", "--json"]).json(0);
    let complete = listed["records"].as_array().unwrap().iter().filter(|record| record["complete"] == true).count();
    assert_eq!((listed["records"].as_array().unwrap().len(), complete), (3, 3));
}

/// A case that waits to be interrupted with the package's value of `MARK`'s name, and measures with others.
const WAITING: &str = "import os, time
import tiny_pkg


def track_value():
    mark = os.environ.get('MARK')
    if mark and mark.endswith('mark%d' % tiny_pkg.VALUE) and not os.path.exists(mark):
        open(mark, 'w').close()
        time.sleep(60)
    return tiny_pkg.VALUE


def track_other():
    return 7
";

/// Runs until the suite waits with the package's value `value`, then sends `signal`. Returns what was said.
fn interrupted(project: &Project, value: usize, signal: &str, arguments: &[&str]) -> String {
    let mark = format!("mark{value}");
    let mut command = project.env.command(arguments);
    project.offline(&mut command);
    command.env("MARK", project.env.path(&mark)).stderr(Stdio::piped()).stdout(Stdio::piped());
    let run = command.spawn().unwrap();
    project.env.wait_for(&mark, || false);
    let _ = project.env.shell(&format!("kill -{signal} {}", run.id()));
    let output = run.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Goes on with an interrupted run. The mark is there, so nothing waits any more; it is no part of the suite.
fn resumed(project: &Project, value: usize, arguments: &[&str]) -> Value {
    let mark = project.env.path(&format!("mark{value}"));
    let said = project.env.tacho_with(arguments, |command| {
        project.offline(command);
        command.env("MARK", mark);
    });
    said.json(0)
}

fn waiting(n: usize) -> Project {
    waiting_in(Project::new(n, UV))
}

fn waiting_in(project: Project) -> Project {
    project.env.write("speed/tiny.py", WAITING);
    project.env.write(".gitignore", ".tacho/\n__pycache__/\nmark*\n");
    project.env.commit("value");
    project
}

fn subjects(shown: &Value) -> Vec<String> {
    let runs = shown["runs"].as_array().unwrap().iter();
    runs.map(|run| result(run, "tiny.track_value").to_string()).collect()
}

#[test]
fn steps_are_those_of_the_interrupted_run() {
    for signal in ["INT", "KILL"] {
        let project = waiting(5);
        // The values of the five commits are 5, 5, 4, 3 and 2: the newest changes the suite alone.
        let said = interrupted(&project, 4, signal, &["run", "HEAD~5..HEAD", "--quick", "--steps", "3"]);
        assert!(
            signal == "KILL" || said.contains("hint: tacho run --resume 'HEAD~5..HEAD' --quick --steps 3"),
            "{said}"
        );
        assert!(said.matches("hint: tacho run --resume").count() < 2, "{said}");
        let words = ["run", "--resume", "HEAD~5..HEAD", "--quick", "--steps", "3", "--json"];
        assert_eq!(subjects(&resumed(&project, 4, &words)), ["4.0", "2.0"], "{signal}");
        assert_eq!(subjects(&resumed(&project, 4, &words)), Vec::<String>::new(), "{signal}: all of it is done");
    }
}

#[test]
fn new_commits_are_those_that_were_new_when_the_interrupted_run_began() {
    for range in ["NEW", "MISSING"] {
        let project = waiting(3);
        project.tacho(&["run", "HEAD~3", "--quick"]).with_code(0);
        interrupted(&project, 2, "INT", &["run", range, "--quick"]);
        let words = ["run", "--resume", range, "--quick", "--json"];
        assert_eq!(subjects(&resumed(&project, 2, &words)), ["2.0"], "{range}");
        assert_eq!(subjects(&resumed(&project, 2, &words)), Vec::<String>::new(), "{range}");
    }
}

#[test]
fn what_was_there_already_is_no_reason_to_begin_anew() {
    let project = waiting(2);
    project.tacho(&["run", "HEAD~1", "--quick", "-b", "track_other"]).with_code(0);
    let words = ["run", "HEAD~1", "--quick", "--skip-existing"];
    let said = interrupted(&project, 2, "INT", &words);
    assert!(said.contains("Interrupted"), "{said}");
    let shown = resumed(&project, 2, &["run", "HEAD~1", "--quick", "--skip-existing", "--resume", "--json"]);
    assert_eq!(subjects(&shown), ["2.0"]);
    let listed = project.tacho(&["show", "--list", "--json"]).json(0);
    assert_eq!(listed["records"].as_array().unwrap().len(), 2, "the interrupted record went on: {listed}");
}

#[test]
fn an_older_run_that_ended_does_not_hide_one_that_was_interrupted() {
    let project = waiting(2);
    project.tacho(&["run", "HEAD~2..HEAD~1", "--quick"]).with_code(0);
    interrupted(&project, 2, "INT", &["run", "HEAD~2..HEAD~1", "--quick"]);
    let words = ["run", "--resume", "HEAD~2..HEAD~1", "--quick", "--json"];
    assert_eq!(subjects(&resumed(&project, 2, &words)), ["2.0"]);
}

#[test]
fn what_could_not_be_built_or_loaded_stands_in_the_document() {
    let project = broken();
    project.env.write("tiny_pkg.py", "def broken(:\n");
    project.env.commit("value 4");
    let shown = project.tacho(&["run", "ALL", "--quick", "--json"]).json(3);
    let runs = shown["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4, "{shown}");
    assert!(runs[0]["problems"].to_string().contains("SyntaxError"), "{}", runs[0]);
    assert!(runs[2]["provenance"]["build"]["failure"].as_str().unwrap().contains("no compiler today"), "{}", runs[2]);
    // Known as they are by now, they are no less a part of what was asked for, unless that leaves them out.
    project.tacho(&["run", "ALL", "--quick", "--json"]).json(3);
    let said = project.tacho(&["run", "ALL", "--quick", "--skip-existing-failed"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    // What failed is no step of those that are left.
    let said = project.tacho(&["run", "HEAD~1", "--quick", "-k"]);
    assert_eq!((said.code, said.stderr.contains("could not be built")), (Some(0), false), "{}", said.all());
}

#[test]
fn one_side_that_cannot_be_built_leaves_the_others_to_take_turns() {
    let project = broken();
    let shown = project.tacho(&["run", "ALL", "--quick", "--interleave-rounds", "--json"]).json(3);
    let runs = shown["runs"].as_array().unwrap();
    let measured: Vec<&Value> = runs.iter().filter(|run| run["provenance"]["experiment"].is_string()).collect();
    assert_eq!((runs.len(), measured.len()), (3, 2), "{shown}");
}

#[test]
fn an_interleaved_run_stays_one_experiment() {
    let project = waiting(2);
    interrupted(&project, 2, "KILL", &["run", "ALL", "-a", "rounds=2", "--interleave-rounds"]);
    let words = ["run", "--resume", "ALL", "-a", "rounds=2", "--interleave-rounds", "--json"];
    let shown = resumed(&project, 2, &words);
    let runs = shown["runs"].as_array().unwrap();
    let experiments: Vec<&Value> = runs.iter().map(|run| &run["provenance"]["experiment"]).collect();
    assert_eq!(runs.len(), 3);
    assert!(experiments.iter().all(|one| one.is_string() && *one == experiments[0]), "{experiments:?}");
}

#[test]
fn an_axis_whose_value_is_a_path_is_known_again() {
    let project = Project::new(2, UV);
    let data = project.env.path("data").display().to_string();
    let configuration = std::fs::read_to_string(project.env.path("tacho.toml")).unwrap();
    project.env.write("tacho.toml", &format!("{configuration}[axes]\nenv.DATA = \"{data}\"\n"));
    let project = waiting_in(project);
    interrupted(&project, 2, "INT", &["run", "HEAD~2..HEAD", "--quick"]);
    let words = ["run", "--resume", "HEAD~2..HEAD", "--quick", "--json"];
    assert_eq!(subjects(&resumed(&project, 2, &words)), ["2.0", "2.0"]);
    let listed = project.tacho(&["show", "--list", "--json"]).json(0);
    assert_eq!(listed["records"].as_array().unwrap().len(), 2, "{listed}");
    assert_eq!(subjects(&resumed(&project, 2, &words)), Vec::<String>::new());
}

#[test]
fn what_old_commits_lack_is_told_once() {
    let project = Project::new(3, UV);
    project
        .env
        .write("speed/newer.py", "import tiny_pkg\n\nif tiny_pkg.VALUE < 3:\n    raise ImportError('not yet')\n");
    project.env.commit("newer");
    let said = project.tacho(&["run", "ALL", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert_eq!(said.stderr.matches("not yet").count(), 1, "{}", said.stderr);
    assert_eq!(
        said.stderr.matches("1 part of the suite could not be loaded, as before.").count(),
        1,
        "{}",
        said.stderr
    );
}

#[test]
fn a_case_that_lacks_rounds_is_not_there_already() {
    let project = waiting(2);
    interrupted(&project, 2, "INT", &["run", "HEAD~1", "-a", "rounds=2"]);
    let words = ["run", "HEAD~1", "-a", "rounds=2", "--skip-existing", "--json"];
    let shown = resumed(&project, 2, &words);
    assert_eq!(result(&shown["runs"][0], "tiny.track_other"), 7.0, "{shown}");
    assert_eq!(resumed(&project, 2, &words)["runs"], Value::Array(vec![]));
}

#[test]
fn a_network_that_does_not_answer_is_met_once() {
    let project = Project::new(3, "[environment]\ntool = \"uv\"\nrequirements = [\"not-on-any-index\"]\n");
    let said = project.env.tacho_with(&["run", "ALL", "--quick"], |command| {
        command.env_remove("UV_NO_INDEX").env("UV_INDEX_URL", "http://127.0.0.1:9/simple").env("UV_HTTP_RETRIES", "0");
    });
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert_eq!(said.stderr.matches("did not answer").count(), 1, "it says nothing about a commit: {}", said.stderr);
    assert!(!project.exists(".tacho/records"));
}
