//! A project with a compiled extension, built from its history, and released wheels on an axis of versions.
//!
//! The releases of one package become the commits of a repository. The index is the only thing asked of the network.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::env::{Said, TestEnv};

/// One benchmark of what the package is there for.
const SUITE: &str = "import bottleneck
import numpy


class Means:
    params = [1000]

    def setup(self, n):
        self.values = numpy.linspace(0.0, 1.0, n)

    def time_nanmean(self, n):
        bottleneck.nanmean(self.values)


def track_version():
    return float('.'.join(bottleneck.__version__.split('.')[:2]))
";

/// The folder of the releases, and their versions, oldest first; nothing where they are not prepared.
fn releases() -> Option<(PathBuf, Vec<String>)> {
    let Some(folder) = std::env::var_os("TACHO_REAL").map(|folder| Path::new(&folder).join("bottleneck")) else {
        eprintln!("skipped: bottleneck is not prepared; `cargo xtask test` does it");
        return None;
    };
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/real/history.json");
    let list: Value = serde_json::from_slice(&std::fs::read(list).unwrap()).unwrap();
    let versions = list["releases"].as_array().unwrap().iter().map(|release| release["version"].as_str().unwrap());
    Some((folder, versions.map(str::to_owned).collect()))
}

/// Runs with what the user's own tools need to reach the index.
fn tacho(env: &TestEnv, arguments: &[&str]) -> Said {
    let reaches =
        ["PIP_", "UV_", "SSL_", "REQUESTS_", "CURL_", "HTTP_", "HTTPS_", "http", "https", "NO_PROXY", "no_proxy"];
    let kept = std::env::vars().filter(|(name, _)| reaches.iter().any(|prefix| name.starts_with(prefix)));
    env.tacho_with(arguments, |command| {
        // What was fetched and built for one test serves the next.
        command.envs(kept).env("UV_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("uv"));
    })
}

/// Makes a repository with a commit for each release, oldest first.
fn repository(env: &TestEnv, folder: &Path, versions: &[String]) {
    env.git(&["init", "--quiet", "--initial-branch=main"]);
    for version in versions {
        for old in std::fs::read_dir(env.path("")).unwrap().map(|entry| entry.unwrap().path()) {
            match old.is_dir() {
                true if old.ends_with(".git") => {}
                true => std::fs::remove_dir_all(old).unwrap(),
                false => std::fs::remove_file(old).unwrap(),
            }
        }
        let source = folder.join(version).join("source");
        let status = Command::new("cp").arg("-r").arg(source.join(".")).arg(env.path("")).status().unwrap();
        assert!(status.success());
        env.write("tacho.toml", CONFIGURATION);
        env.write("speed/__init__.py", "");
        env.write("speed/means.py", SUITE);
        env.write(".gitignore", ".tacho/\n__pycache__/\n");
        env.git(&["add", "--all", "--force"]);
        env.git(&["commit", "--quiet", "-m", version]);
        env.git(&["tag", &format!("v{version}")]);
    }
}

const CONFIGURATION: &str = r#"
[project]
name = "bottleneck"

[[suite]]
dir = "speed"

[environment]
tool = "uv"

[axes]
build.CFLAGS = ["-O1", "-O3"]
threads = [1, 2]
"#;

#[test]
fn a_compiled_project_is_built_once_for_each_commit_and_flag_set() {
    let Some((folder, versions)) = releases() else { return };
    let env = TestEnv::new();
    repository(&env, &folder, &versions);
    let planned = tacho(&env, &["run", "ALL", "--dry-run", "--json"]).json(0);
    assert_eq!(planned["runs"].as_array().unwrap().len(), 16);
    let n_builds = planned["runs"].as_array().unwrap().iter().filter(|run| run["build"] == "needed").count();
    assert_eq!(n_builds, 8, "an axis of the run needs no build of its own");
    let runs = tacho(&env, &["run", "ALL", "--quick", "--json"]).json(0);
    let runs = runs["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 16);
    let built = runs.iter().filter(|run| run["provenance"]["build"]["reused"] == false).count();
    assert_eq!(built, 8, "8 builds, no more");
    let wheels: BTreeSet<&str> =
        runs.iter().map(|run| run["provenance"]["build"]["wheel"]["sha256"].as_str().unwrap()).collect();
    assert_eq!(wheels.len(), 8);
    for run in runs {
        let build = &run["provenance"]["build"];
        assert!(build["compilers"].as_object().unwrap().values().any(|told| told.as_str().unwrap().contains("cc")));
        assert!(build["dependencies"].as_object().unwrap().contains_key("numpy"));
        assert!(build["commands"].as_array().unwrap().iter().any(|line| line.as_str().unwrap().contains("uv build")));
        let axes = &run["provenance"]["environment"]["axes"];
        assert_eq!(build["variables"]["CFLAGS"], axes["build.CFLAGS"]);
        assert_eq!(run["provenance"]["environment"]["threads"]["cap"].to_string(), axes["threads"].as_str().unwrap());
    }
    let values: BTreeSet<String> = runs
        .iter()
        .flat_map(|run| run["results"].as_array().unwrap())
        .filter(|result| result["benchmark"] == "means.track_version")
        .map(|result| result["value"].to_string())
        .collect();
    assert_eq!(values, BTreeSet::from(["1.4", "1.5", "1.6"].map(str::to_owned)), "each commit is what was measured");
    let series = tacho(&env, &["show", "--series", "-b", "nanmean", "--json"]).json(0);
    let series = series["series"].as_array().unwrap();
    assert_eq!(series.len(), 4, "one for each combination of the axes");
    assert!(series.iter().all(|one| one["points"].as_array().unwrap().len() == 4));
    let again = tacho(&env, &["run", "ALL", "--quick", "--skip-existing", "--dry-run", "--json"]).json(0);
    assert!(again["runs"].as_array().unwrap().iter().all(|run| run["state"] == "exists"), "{again}");
    assert_eq!(env.git(&["status", "--porcelain"]), "", "the checkout is as it was");
    assert_eq!(env.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn released_wheels_stand_on_an_axis_of_versions() {
    let Some((_, versions)) = releases() else { return };
    let env = TestEnv::new();
    let list = versions.iter().rev().map(|version| format!("\"{version}\"")).collect::<Vec<_>>().join(", ");
    env.write(
        "tacho.toml",
        &format!(
            "[project]\nname = \"bottleneck\"\nhistory = \"versions\"\nversions = [{list}]\n[[suite]]\ndir = \"speed\"\n[environment]\ntool = \"uv\"\n"
        ),
    );
    env.write("speed/__init__.py", "");
    env.write("speed/means.py", SUITE);
    let runs = tacho(&env, &["run", "ALL", "--quick", "--json"]).json(0);
    let measured: Vec<&Value> =
        runs["runs"].as_array().unwrap().iter().map(|run| &run["provenance"]["subject"]).collect();
    assert_eq!(measured.len(), 4);
    assert!(measured.iter().all(|subject| subject["kind"] == "version"));
    let series = tacho(&env, &["show", "--series", "-b", "nanmean", "--json"]).json(0);
    let points = series["series"][0]["points"].as_array().unwrap();
    let shown: Vec<&str> = points.iter().map(|point| point["subject"]["version"].as_str().unwrap()).collect();
    assert_eq!(shown, versions, "in the order of versions");
}
