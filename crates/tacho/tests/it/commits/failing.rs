//! Builds that fail, hang or are interrupted, and backfills that go on.

use super::project::Project;

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
