//! Repositories that are elsewhere, bare, shallow or changed, and histories of something else than commits.

use super::project::{Project, result};
use crate::env::TestEnv;

const UV: &str = "[environment]\ntool = \"uv\"\n";

/// A project beside a repository that it names by an address.
fn remote(project: &Project) -> TestEnv {
    let env = TestEnv::new();
    let address = format!("file://{}", project.env.path("").display());
    env.write(
        "tacho.toml",
        &format!("[project]\nname = \"tiny-pkg\"\nrepo = \"{address}\"\n[[suite]]\ndir = \"speed\"\n{UV}"),
    );
    env.write("speed/__init__.py", "");
    env.write("speed/tiny.py", "import tiny_pkg\n\n\ndef track_value():\n    return tiny_pkg.VALUE\n");
    env
}

fn run(env: &TestEnv, project: &Project, arguments: &[&str]) -> serde_json::Value {
    let words: Vec<&str> = ["run", "--quick", "--json"].iter().chain(arguments).copied().collect();
    env.tacho_with(&words, |command| project.offline(command)).json(0)
}

#[test]
fn a_remote_repository_is_mirrored_and_a_force_push_is_told() {
    let project = Project::new(3, "");
    let env = remote(&project);
    assert_eq!(project.values(&run(&env, &project, &["NEW", "--steps", "1"])), ["value 3: 3"]);
    project.env.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    project.value(9);
    project.env.commit("value 9");
    assert_eq!(project.values(&run(&env, &project, &["LATEST", "--no-pull"])), ["value 3: 3"]);
    assert_eq!(project.values(&run(&env, &project, &["LATEST"])), ["value 9: 9"]);
    let said = env.tacho_with(&["run", "--quick", "EXISTING"], |command| project.offline(command));
    assert_eq!(said.code, Some(0), "{}", said.all());
}

#[test]
fn a_bare_repository_gives_its_commits() {
    let project = Project::new(2, "");
    project.env.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    let env = remote(&project);
    let bare = project.env.path("../bare.git").canonicalize().unwrap();
    let text = std::fs::read_to_string(env.path("tacho.toml")).unwrap();
    let address = format!("file://{}", project.env.path("").display());
    env.write("tacho.toml", &text.replace(&address, &bare.display().to_string()));
    assert_eq!(project.values(&run(&env, &project, &[])), ["value 2: 2"]);
    assert_eq!(project.values(&run(&env, &project, &["main~1"])), ["value 1: 1"]);
}

#[test]
fn what_a_shallow_clone_lacks_is_said_with_how_to_get_it() {
    let project = Project::new(3, UV);
    let env = TestEnv::new();
    let address = format!("file://{}", project.env.path("").display());
    env.shell(&format!("rm -rf ../project/* && git clone --quiet --depth 1 '{address}' .")).with_code(0);
    let said = env.tacho_with(&["run", "ALL", "--quick"], |command| project.offline(command));
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("git fetch --unshallow"), "{}", said.stderr);
    let said = env.tacho_with(&["run", "HEAD~1", "--quick"], |command| project.offline(command));
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("--unshallow"), "{}", said.stderr);
}

#[test]
fn a_commit_that_does_not_exist_is_named() {
    let project = Project::new(1, UV);
    for word in ["mian", "0123456789abcdef0123456789abcdef01234567", "HEAD..nope"] {
        let said = project.tacho(&["run", word, "--quick"]);
        assert_eq!(said.code, Some(2), "{}", said.all());
        assert!(said.stderr.contains("names no commit") && !said.stderr.contains("panicked"), "{}", said.stderr);
    }
    assert!(!project.exists(".tacho/records"));
}

#[test]
fn a_version_can_be_told_by_a_command() {
    let env = TestEnv::new();
    env.write(
        "tacho.toml",
        "[project]\nname = \"blas\"\nhistory = \"versions\"\nversion_command = \"sh -c 'echo 0.3.27'\"\n[[suite]]\ndir = \"speed\"\n",
    );
    env.write("speed/__init__.py", "");
    env.write("speed/one.py", "def track_one():\n    return 1\n");
    let shown = env.tacho(&["run", "--quick", "--json"]).json(0);
    let subject = &shown["runs"][0]["provenance"]["subject"];
    assert_eq!((subject["kind"].as_str(), subject["version"].as_str()), (Some("version"), Some("0.3.27")));
    let said = env.tacho(&["run", "--quick", "ALL"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("version_command"), "{}", said.stderr);
}

#[test]
fn a_work_tree_can_be_rebuilt_in_place() {
    let project = Project::new(1, "[environment]\nrebuild = \"sh -c 'echo VALUE = 5 > tiny_pkg.py'\"\n");
    project.env.write("speed/tiny.py", "import sys\nsys.path.insert(0, '.')\nimport os\n\n\ndef track_value():\n    return int(open(os.environ['ASV_CONF_DIR'] + '/tiny_pkg.py').read().split('=')[1])\n");
    let shown = project.tacho(&["run", "--quick", "--json"]).json(0);
    assert_eq!(result(&shown["runs"][0], "tiny.track_value"), 5.0);
    assert_eq!(shown["runs"][0]["provenance"]["build"]["commands"][0], "sh -c 'echo VALUE = 5 > tiny_pkg.py'");
    let failing = Project::new(1, "[environment]\nrebuild = \"sh -c 'echo no make here; exit 4'\"\n");
    let said = failing.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("no make here"), "{}", said.stderr);
}

#[test]
fn a_matrix_of_forty_packages_has_a_short_stable_name() {
    let axes: String = (0..40).map(|n| format!("req.some-package-{n} = [\"1.{n}\"]\n")).collect();
    let project = Project::new(1, &format!("{UV}[axes]\n{axes}"));
    let plan = || project.tacho(&["run", "HEAD", "--dry-run", "--json"]).json(0);
    let label = plan()["runs"][0]["environment_label"].as_str().unwrap().to_owned();
    assert!(label.len() < 60, "{label}");
    assert_eq!(plan()["runs"][0]["environment_label"], label.as_str());
    let said = project.tacho(&["run", "HEAD", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("some-package"), "the resolver's own words: {}", said.stderr);
}

#[test]
fn settings_of_the_work_tree_are_no_part_of_another_commits_build() {
    let project = Project::new(1, UV);
    // The commit has none of its own.
    project.env.write("pyproject.toml", &format!("{}[tool.uv]\nno-build = true\n", crate::workshop::PYPROJECT));
    project.env.write("uv.toml", "no-build = 1\n");
    let shown = project.tacho(&["run", "HEAD", "--quick", "--json"]).json(0);
    assert_eq!(project.values(&shown), ["value 1: 1"]);
}

#[test]
fn what_the_shell_says_to_python_and_pip_changes_no_build() {
    let leaks = [
        ("PYTHONWARNINGS", "error"),
        ("PIP_REQUIRE_VIRTUALENV", "1"),
        ("PIP_REQUIRE_HASHES", "1"),
        ("PIP_PYTHON", "/bin/false"),
        ("UV_REQUIRE_HASHES", "1"),
        ("UV_WORKING_DIR", "/"),
        ("UV_WORKING_DIRECTORY", "/"),
    ];
    for tool in ["uv", "venv"] {
        let project = Project::new(1, &format!("[environment]\ntool = \"{tool}\"\n"));
        let said = project.env.tacho_with(&["run", "HEAD", "--quick", "--json"], |command| {
            project.offline(command);
            command.envs(leaks);
        });
        assert_eq!(project.values(&said.json(0)), ["value 1: 1"], "{tool}");
    }
}

#[test]
fn what_the_shell_says_about_versions_is_another_build() {
    let project = Project::new(1, UV);
    let said = project.env.tacho_with(&["run", "HEAD", "--quick"], |command| {
        project.offline(command);
        command.env("UV_CONSTRAINT", "/nowhere/constraints.txt");
    });
    assert_eq!(said.code, Some(2), "{}", said.all());
    let shown = project.tacho(&["run", "HEAD", "--quick", "--json"]).json(0);
    assert_eq!(project.values(&shown), ["value 1: 1"], "without the constraints nothing has failed before");
}

#[test]
fn what_is_built_is_not_called_by_another_commit() {
    let project = Project::new(2, "[environment]\ntool = \"uv\"\n");
    let said = project.tacho(&["run", "--quick", "--set-commit-hash", "HEAD~1"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("hint: have that commit built: `tacho run 'HEAD~1'`"), "{}", said.stderr);
    assert_eq!(project.n_builds(), 0);
}

#[test]
fn a_node_of_memory_pins_to_its_processors_and_one_that_is_not_there_is_told() {
    let env = TestEnv::new();
    let text = |node: u32| format!("[project]\nname = \"x\"\n[[suite]]\ndir = \"speed\"\n[run]\nnuma_node = {node}\n");
    env.write("speed/__init__.py", "");
    env.write("speed/one.py", "import os\n\n\ndef track_processors():\n    return len(os.sched_getaffinity(0))\n");
    env.write("tacho.toml", &text(4096));
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("4096") && said.stderr.contains("hint:"), "{}", said.stderr);
    if !std::path::Path::new("/sys/devices/system/node/node0").exists() {
        return;
    }
    env.write("tacho.toml", &text(0));
    let shown = env.tacho(&["run", "--quick", "--json"]).json(0);
    let threads = &shown["runs"][0]["provenance"]["environment"]["threads"];
    assert_eq!(threads["memory_node"], 0);
    let n_pinned = threads["cpus"].as_array().unwrap().len() as f64;
    assert_eq!(result(&shown["runs"][0], "one.track_processors"), n_pinned);
}
