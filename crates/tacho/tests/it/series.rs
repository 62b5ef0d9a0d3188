//! `tacho show --series`: one table for each combination of axes, subjects in the order of history.

use serde_json::Value;
use tacho_model::{Subject, Timestamp};

use crate::compare;
use crate::env::{Said, TestEnv};
use crate::written::Written;

/// A project with four commits of one moment; returns their hashes, oldest first.
fn four_commits() -> (TestEnv, Vec<String>) {
    let env = TestEnv::with_project(&[]);
    for message in ["second", "third", "fourth"] {
        env.commit(message);
    }
    let hashes = env.git(&["rev-list", "--reverse", "HEAD"]).lines().map(str::to_owned).collect();
    (env, hashes)
}

fn commit(hash: &str) -> Subject {
    Subject::Commit { hash: hash.to_owned(), date: Some(Timestamp { unix_us: 1_767_323_045_000_000 }) }
}

fn release(version: &str) -> Subject {
    Subject::Version { package: "bottleneck".into(), version: version.into() }
}

/// Two sets of flags over four commits, each with two caps on threads; the third commit does not build with one of the flags.
fn measured() -> (TestEnv, Vec<String>) {
    let (env, hashes) = four_commits();
    // The newest first: the order of history is not that of measuring.
    for (index, hash) in hashes.iter().enumerate().rev() {
        for (flags, factor) in [("-O1", 1.0), ("-O3", 0.5)] {
            let built = [("build.CFLAGS", flags), ("python", "3.12")];
            if (index, flags) == (2, "-O3") {
                Written::unbuilt(commit(hash), &built, "`cc` exited with status 1", "").keep(&env);
                continue;
            }
            for threads in ["1", "2"] {
                let axes = [&built[..], &[("threads", threads)]].concat();
                Written::new(commit(hash), &axes, 1e-3 * factor * (1.0 + index as f64)).keep(&env);
            }
        }
    }
    (env, hashes)
}

fn ids(series: &Value) -> Vec<String> {
    let points = series["points"].as_array().unwrap().iter();
    points.map(|point| point["subject"]["id"].as_str().unwrap().to_owned()).collect()
}

fn series(said: Said) -> Vec<Value> {
    let document = said.json(0);
    assert_eq!(document["schema"], "tacho.series/1");
    document["series"].as_array().unwrap().clone()
}

#[test]
fn each_combination_of_axes_has_its_commits_in_the_order_of_history() {
    let (env, hashes) = measured();
    let found = series(env.tacho(&["show", "--series", "--json"]));
    let axes: Vec<String> = found.iter().map(|one| one["environment"].to_string()).collect();
    insta::assert_snapshot!(axes.join("\n"), @r#"
    {"build.CFLAGS":"-O1","python":"3.12","threads":"1"}
    {"build.CFLAGS":"-O1","python":"3.12","threads":"2"}
    {"build.CFLAGS":"-O3","python":"3.12","threads":"1"}
    {"build.CFLAGS":"-O3","python":"3.12","threads":"2"}
    "#);
    for one in &found {
        assert_eq!(ids(one), hashes);
        assert_eq!(one["benchmark"], "suite.time_sum");
    }
    let values: Vec<Option<f64>> = (0..4).map(|at| found[3]["points"][at]["value"].as_f64()).collect();
    assert_eq!(values, [Some(0.0005), Some(0.001), None, Some(0.002)]);
    assert_eq!(found[3]["points"][2]["message"], "not built: `cc` exited with status 1");
    let first = &found[0]["points"][0];
    assert!(first["lower"].as_f64() <= first["value"].as_f64() && first["value"].as_f64() <= first["upper"].as_f64());
}

#[test]
fn the_tables_tell_in_what_they_differ() {
    let (env, hashes) = measured();
    let mut text = env.tacho(&["show", "--series"]).all();
    for (index, hash) in hashes.iter().enumerate() {
        text = text.replace(&hash[..8], &format!("commit-{index}"));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn versions_stand_in_version_order_without_any_project() {
    let env = TestEnv::new();
    env.write("tacho.toml", "[project]\nname = \"demo\"\n");
    for (version, value) in [("1.4.0", 4e-3), ("1.10.0", 5e-3), ("1.3.5", 1e-3), ("1.4.0rc1", 3e-3)] {
        Written::new(release(version), &[("python", "3.12")], value).keep(&env);
    }
    let found = series(env.tacho(&["show", "--series", "--json"]));
    assert_eq!(found.len(), 1);
    assert_eq!(
        ids(&found[0]),
        ["bottleneck==1.3.5", "bottleneck==1.4.0rc1", "bottleneck==1.4.0", "bottleneck==1.10.0"]
    );
    insta::assert_snapshot!(env.tacho(&["show", "--series", "--markdown"]).with_code(0));
}

#[test]
fn what_is_asked_for_is_shown_alone() {
    let (env, _) = measured();
    let _ = env.tacho(&["show", "--series", "-b", "time_sum", "-m", "lab", "-E", "uv-py3.12"]).with_code(0);
    insta::assert_snapshot!(env.tacho(&["show", "--series", "-b", "time_sun"]).all());
    insta::assert_snapshot!(env.tacho(&["show", "--series", "-m", "elsewhere"]).all());
    assert_eq!(env.tacho(&["show", "HEAD", "--series"]).code, Some(2));
}

#[test]
fn results_of_asvs_are_points_too() {
    let env = compare::project();
    let found = series(env.tacho(&["show", "--series", "-b", "time_slower", "--json"]));
    assert_eq!(found.len(), 1);
    assert_eq!(ids(&found[0]).len(), compare::N_COMMITS);
    let last = found[0]["points"][compare::N_COMMITS - 1]["value"].as_f64().unwrap();
    assert!((last - 1.203e-3).abs() < 1e-9, "{last}");
}

#[test]
fn a_damaged_record_hides_no_other() {
    let (env, _) = measured();
    let folder = std::fs::read_dir(env.path(".tacho/records/lab")).unwrap();
    let mut files: Vec<_> = folder
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "zst"))
        .collect();
    files.sort();
    let bytes = std::fs::read(&files[0]).unwrap();
    let text = zstd::decode_all(&bytes[..]).unwrap();
    // The header stays readable, and so does the seal; a round has gone.
    let lines: Vec<&[u8]> =
        text.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"{\"round\"")).collect();
    std::fs::write(&files[0], zstd::encode_all(&lines.concat()[..], 1).unwrap()).unwrap();
    let said = env.tacho(&["show", "--series", "--json"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let n_points: usize = found["series"].as_array().unwrap().iter().map(|one| ids(one).len()).sum();
    assert_eq!(n_points, 15);
}

#[test]
fn work_trees_make_no_history() {
    let env = TestEnv::with_project(&[]);
    Written::new(Subject::Tree { tree: "ab".repeat(20), parent: None }, &[], 1.0).keep(&env);
    insta::assert_snapshot!(env.tacho(&["show", "--series"]).all());
}

#[test]
fn environments_are_chosen_by_their_axes_as_for_a_run() {
    let (env, _) = measured();
    let check = |word: &str, expected: usize| {
        assert_eq!(series(env.tacho(&["show", "--series", "--json", "-E", word])).len(), expected, "{word}");
        let listed = env.tacho(&["show", "--list", "--json", "-E", word]).json(0);
        assert!(!listed["records"].as_array().unwrap().is_empty(), "{word}");
    };
    check("python=3.12", 4);
    check("build.CFLAGS=-O3", 2);
    check("build.CFLAGS=-O*,threads=2", 2);
}

#[test]
fn of_versions_the_newest_is_compared_whenever_it_was_measured() {
    let env = TestEnv::new();
    env.write("tacho.toml", "[project]\nname = \"demo\"\n");
    for version in ["1.10.0", "1.9.0"] {
        for python in ["3.11", "3.12"] {
            Written::new(release(version), &[("python", python)], 1e-3).keep(&env);
        }
    }
    let found = env.tacho(&["compare", "python=3.11", "python=3.12", "--json"]).json(0);
    assert_eq!(found["before"]["runs"][0]["subject"]["id"], "bottleneck==1.10.0", "{found}");
}

#[test]
fn the_newest_run_is_told_to_be_one_of_several_places() {
    let (env, hashes) = measured();
    let said = env.tacho(&["show"]);
    let shown = hashes.iter().find(|hash| said.stdout.contains(&hash[..8])).unwrap();
    let expected = format!("in other environments or on other machines too (3): `tacho show {}`", &shown[..8]);
    assert!(said.stderr.contains(&expected), "{}", said.all());
    assert!(!env.tacho(&["show", &hashes[0]]).stderr.contains("in other environments"));
    assert!(!env.tacho(&["show", "--quiet"]).stderr.contains("in other environments"));
}
