//! `tacho show` and `tacho compare` where all that is kept is asv's: real result folders, and bad ones.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::compare::{self, N_COMMITS};
use crate::env::{Said, TestEnv};

/// Returns the folder of a real project's results; `None`, with a message, where it is not at hand.
fn set(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/asv-results").join(name);
    if !folder.join("results").is_dir() {
        eprintln!("skipped: there is no `{}`", folder.display());
        return None;
    }
    Some(folder)
}

/// Runs `tacho` in a folder of real results, with a home of its own.
fn tacho_in(folder: &Path, arguments: &[&str]) -> Said {
    TestEnv::new().tacho_with(arguments, |command| {
        command.current_dir(folder);
    })
}

fn records(said: Said) -> Vec<Value> {
    said.json(0)["records"].as_array().unwrap().clone()
}

/// The last commit of the made-up project that `tacho compare` is tested with.
fn last() -> String {
    format!("{:08x}", 0xabcd_0000_u32 + N_COMMITS as u32 - 1)
}

#[test]
fn every_file_of_a_real_folder_is_a_row_of_the_list() {
    for (name, n_files, n_machines) in [("pylcm", 22, 1), ("cvxpy", 802, 399), ("conda", 346, 1), ("bartz", 18, 2)] {
        let Some(folder) = set(name) else { continue };
        let rows = records(tacho_in(&folder, &["show", "--list", "--json"]));
        let machines: std::collections::BTreeSet<&str> =
            rows.iter().map(|row| row["machine"].as_str().unwrap()).collect();
        assert_eq!((rows.len(), machines.len()), (n_files, n_machines), "{name}");
        let first = &rows[0];
        assert_eq!(
            (&first["by_asv"], &first["n_cases"], &first["complete"]),
            (&json!(true), &Value::Null, &Value::Null)
        );
        assert!(folder.join(first["file"].as_str().unwrap()).is_file(), "{first}");
    }
}

/// What a file says, by another reader: the value of each benchmark without parameters.
fn values_in(file: &Path) -> Vec<(String, f64)> {
    let text = std::fs::read_to_string(file).unwrap();
    // Bare words are no JSON; none of them is a value here.
    let text = text.replace("-Infinity", "null").replace("Infinity", "null").replace("NaN", "null");
    let document: Value = serde_json::from_str(&text).unwrap();
    let rows = document["results"].as_object().unwrap().iter();
    let alone = rows.filter_map(|(name, row)| match row[0].as_array()?.as_slice() {
        [value] => Some((name.clone(), value.as_f64()?)),
        _ => None,
    });
    alone.collect()
}

#[test]
fn a_commit_is_found_by_its_hash_and_its_values_are_those_of_the_file() {
    let Some(folder) = set("pylcm") else { return };
    let rows = records(tacho_in(&folder, &["show", "--list", "--json"]));
    let (hash, file) = (rows[3]["subject"]["id"].as_str().unwrap(), rows[3]["file"].as_str().unwrap());
    let run_id = rows[3]["run_id"].as_str().unwrap();
    for word in [hash, &hash[..8], &hash[..6], run_id, &run_id[..8], file] {
        let shown = tacho_in(&folder, &["show", word, "--json"]).json(0);
        assert_eq!(shown["runs"].as_array().map(Vec::len), Some(1), "{word}");
        let results = shown["runs"][0]["results"].as_array().unwrap();
        let expected = values_in(&folder.join(file));
        assert!(expected.len() > 10);
        for (name, value) in &expected {
            let found = results.iter().find(|result| result["benchmark"] == name.as_str()).unwrap();
            assert_eq!(found["value"].as_f64(), Some(*value), "{name}");
        }
    }
    let newest = tacho_in(&folder, &["show", "--json"]).json(0);
    assert_eq!(newest["runs"][0]["provenance"]["run_id"], rows[0]["run_id"]);
    assert_eq!(newest["runs"][0]["provenance"]["environment"]["interpreter"], Value::Null);
}

#[test]
fn what_asv_show_tells_is_told() {
    let env = compare::project();
    let path = format!("results/lab/{}-virtualenv-py3.12.json", last());
    let text = std::fs::read_to_string(env.path(&path)).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["commit_hash"] = json!("12345678".repeat(5));
    document["durations"] = json!({"<build>": 12.5, "<setup_cache core:7>": 2.5});
    document["result_columns"] = json!([
        "result",
        "params",
        "version",
        "started_at",
        "duration",
        "stats_ci_99_a",
        "stats_ci_99_b",
        "stats_q_25",
        "stats_q_75",
        "stats_number",
        "stats_repeat",
        "samples"
    ]);
    let samples = [0.9e-3, 1e-3, 1.2e-3];
    document["results"] = json!({"core.time_x": [[1e-3], [], "7", 1_700_000_000_000_u64, 3.5, [0.8e-3], [1.3e-3], [0.95e-3],
        [1.1e-3], [11], [3], [samples]], "core.time_broken": null, "core.track_skipped": [[null], [["1"]], "1"]});
    env.write("results/new/12345678-existing.json", &document.to_string());
    let said = env.tacho(&["show", "12345678", "--details"]).with_code(0);
    for part in [
        "<build>",
        "13 s",
        "<setup_cache core:7>",
        "2.5 s",
        "version 7",
        "started 2023-11-14 22:13 UTC",
        "took 3.5 s",
        "800 μs to 1.30 ms",
        "core.time_broken",
        "failed",
    ] {
        assert!(said.contains(part), "`{part}` in {said}");
    }
    let shown = env.tacho(&["show", "12345678", "--json", "--samples"]).json(0);
    let run = &shown["runs"][0];
    let measured = run["results"].as_array().unwrap().iter().find(|one| one["benchmark"] == "core.time_x").unwrap();
    assert_eq!(measured["samples"], json!(samples));
    assert_eq!(
        (&measured["n_samples"], &measured["number"], &measured["n_rounds"]),
        (&json!(3), &json!(11), &Value::Null)
    );
    assert_eq!(run["benchmark_times"][0], json!({"name": "<build>", "started_at": null, "duration_s": 12.5}));
    let durations = env.tacho(&["show", "12345678", "--durations", "--json"]).json(0);
    assert_eq!(durations["durations"][0], json!({"benchmark": "<build>", "duration_s": 12.5}));
    assert_eq!(durations["total_s"], 18.5);
    assert!(env.tacho(&["show", "results/new", "--markdown"]).with_code(0).contains("core.time_x"));
}

#[test]
fn revisions_are_those_of_the_repository_and_an_unmeasured_one_has_neighbours() {
    let env = TestEnv::with_project(&[]);
    for message in ["second", "third", "fourth"] {
        env.commit(message);
    }
    env.git(&["tag", "v1", "HEAD~1"]);
    for revision in ["HEAD~3", "HEAD~1"] {
        let hash = env.git(&["rev-parse", revision]);
        let file = json!({"version": 2, "commit_hash": hash, "env_name": "e", "date": 1_700_000_000_000_u64, "python": "3.12",
            "requirements": {}, "env_vars": {}, "params": {"machine": "lab"}, "result_columns": ["result", "params", "version"],
            "results": {"m.time_x": [[1.0], [], "1"]}});
        env.write(&format!("results/lab/{}-e.json", &hash[..8]), &file.to_string());
    }
    for word in ["HEAD~1", "v1", "main~1", "HEAD~3"] {
        let shown = env.tacho(&["show", word, "--json"]).json(0);
        let expected = env.git(&["rev-parse", word]);
        assert_eq!(shown["runs"][0]["provenance"]["subject"]["id"], expected.as_str(), "{word}");
    }
    let said = env.tacho(&["show", "HEAD~2"]);
    let near = ["HEAD~3", "HEAD~1"].map(|revision| env.git(&["rev-parse", revision])[..8].to_owned());
    let hint = format!("hint: the nearest that was measured: `{}`, `{}`", near[0], near[1]);
    assert!(said.code == Some(2) && said.stderr.contains(&hint), "{}", said.all());
}

#[test]
fn bad_input_is_named_and_the_rest_is_used() {
    let env = compare::project();
    let whole = records(env.tacho(&["show", "--list", "--json"])).len();
    env.write("results/lab/abcd0001-broken.json", "{\"commit_hash\": \"abcd0001\", \"results\": {");
    env.write("results/lab/abcd0002-empty.json", "");
    env.write("results/lab/abcd0003-compare.json", "{\"before\": 1, \"after\": 2}");
    std::fs::write(env.path("results/lab/abcd0004-bytes.json"), b"{\"commit_hash\": \"\xff\xfe\"").unwrap();
    let said = env.tacho(&["show", "--list", "--json"]);
    for name in ["abcd0001-broken.json", "abcd0002-empty.json", "abcd0004-bytes.json"] {
        let line = said.stderr.lines().find(|line| line.contains(name)).unwrap_or_default();
        assert!(line.contains("left out"), "{name}: {}", said.all());
    }
    assert!(!said.stderr.contains("compare.json"), "{}", said.all());
    assert_eq!(said.json(3)["records"].as_array().map(Vec::len), Some(whole));
    let newest = env.tacho(&["show"]);
    assert!(newest.code == Some(3) && newest.stdout.contains("core.time_same"), "{}", newest.all());
    // Files of other commits are not opened.
    assert_eq!(env.tacho(&["show", &last()]).code, Some(0));
}

#[test]
fn words_that_fit_several_or_nothing_say_so() {
    let env = compare::project();
    let said = env.tacho(&["show", "abcd"]);
    assert!(said.code == Some(2) && said.stderr.contains("`abcd` fits 14 subjects"), "{}", said.all());
    let said = env.tacho(&["show", "abcd00ff"]);
    assert!(said.code == Some(2) && said.stderr.contains("the nearest that was measured: `abcd00"), "{}", said.all());
    let said = env.tacho(&["show", &last(), "-m", "nowhere"]);
    assert!(said.code == Some(2) && said.stderr.contains("leave -m and -E out"), "{}", said.all());
}

#[test]
fn a_results_folder_that_is_empty_or_not_there_is_told() {
    let env = TestEnv::with_project(&[]);
    env.write("asv.conf.json", r#"{"version": 1, "project": "demo", "repo": ".", "results_dir": "kept"}"#);
    let said = env.tacho(&["show"]);
    let missing = "asv's results would lie in `[PROJECT]/kept`, which is no folder";
    assert!(said.code == Some(2) && said.stderr.contains(missing), "{}", said.all());
    std::fs::create_dir(env.path("kept")).unwrap();
    let said = env.tacho(&["show"]);
    assert!(said.code == Some(2) && !said.stderr.contains("no folder"), "{}", said.all());
}

#[test]
fn hundreds_of_machines_fit_into_an_answer() {
    let Some(folder) = set("cvxpy") else { return };
    let said = tacho_in(&folder, &["show", "--series", "-b", "time_compile_problem"]).with_code(0);
    assert!(said.lines().count() < 1500, "{} lines", said.lines().count());
    assert!(said.contains("more series of") && said.contains("399 machines"), "{said}");
}

#[test]
fn more_that_is_better_is_an_improvement() {
    let Some(folder) = set("thematrix") else { return };
    let rows = records(tacho_in(&folder, &["show", "--list", "--json"]));
    let mut by_machine: std::collections::BTreeMap<&str, Vec<&str>> = std::collections::BTreeMap::new();
    for row in &rows {
        by_machine.entry(row["machine"].as_str().unwrap()).or_default().push(row["file"].as_str().unwrap());
    }
    let mut n_rates = 0;
    for files in by_machine.values().filter(|files| files.len() > 4).take(6) {
        let [after, before] = [files[0], files[4]];
        let said = tacho_in(&folder, &["compare", before, after, "--no-stats", "--json"]);
        if said.code != Some(0) {
            continue;
        }
        for one in said.json(0)["comparisons"].as_array().unwrap() {
            let (Some(ratio), Some(verdict)) = (one["ratio"].as_f64(), one["verdict"].as_str()) else { continue };
            if one["direction"] == "higher" && verdict != "unchanged" {
                assert_eq!(verdict == "faster", ratio > 1.0, "{one}");
                n_rates += 1;
            }
        }
    }
    assert!(n_rates > 10, "{n_rates} rates that differ");
}

#[test]
fn a_changed_version_is_a_changed_workload_and_no_regression() {
    let Some(folder) = set("kedro") else { return };
    // Neighbours between which the versions of ten and of four benchmarks changed.
    for (before, after, n_changed) in [("e94d14fe", "81ff4cff", 10), ("59c72859", "1c14a5db", 4)] {
        let said = tacho_in(&folder, &["compare", before, after, "--json"]).json(0);
        let rows = said["comparisons"].as_array().unwrap();
        let of_versions = |one: &&Value| {
            let versions = [&one["before"]["version"], &one["after"]["version"]];
            versions.iter().all(|version| version.is_string()) && versions[0] != versions[1]
        };
        let changed: Vec<&Value> = rows.iter().filter(of_versions).collect();
        let benchmarks: std::collections::BTreeSet<&str> =
            changed.iter().map(|one| one["benchmark"].as_str().unwrap()).collect();
        assert_eq!(benchmarks.len(), n_changed, "{before} {after}");
        for one in changed {
            assert_eq!((&one["standing"], &one["verdict"]), (&json!("not_compared"), &Value::Null), "{one}");
            assert_eq!(one["disagreements"][0]["field"], "version");
        }
    }
}

#[test]
fn the_noise_is_learnt_from_an_index_that_is_there() {
    let env = compare::project();
    let before = format!("{:08x}", 0xabcd_0000_u32 + N_COMMITS as u32 - 2);
    let compare = |flags: &[&str]| env.tacho(&[&["compare", &before, &last()], flags].concat());
    let without = compare(&["--json"]).json(0);
    assert!(without["noise"].as_array().unwrap().iter().all(|one| one["source"] == "files"), "{}", without["noise"]);
    let _ = env.tacho(&["index"]).with_code(0);
    let with = compare(&["--json"]).json(0);
    assert!(with["noise"].as_array().unwrap().iter().all(|one| one["source"] == "index"), "{}", with["noise"]);
    // The answer is the same.
    assert_eq!(with["comparisons"], without["comparisons"]);
    assert!(compare(&["--details"]).with_code(0).contains("was learnt from the index"));
    // A file that has changed since then makes the index unfit; so do many that it does not know.
    let changed = env.tacho(&["show", &before, "--list", "--json"]).json(0)["records"][0]["file"].clone();
    let path = env.path(changed.as_str().unwrap());
    std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + " ").unwrap();
    let again = compare(&["--json"]).json(0);
    assert!(again["noise"].as_array().unwrap().iter().any(|one| one["source"] == "files"), "{}", again["noise"]);
    assert_eq!(again["comparisons"], without["comparisons"]);
}
