//! `tacho publish`: a site of a history with known changes.

use serde_json::Value;

use crate::env::TestEnv;

fn json(env: &TestEnv, path: &str) -> Value {
    serde_json::from_slice(&std::fs::read(env.path(path)).unwrap()).unwrap()
}

/// Returns every file below a folder with its content.
fn all(env: &TestEnv, folder: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    let mut folders = vec![env.path(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(found.insert(path.display().to_string(), std::fs::read(&path).unwrap())),
            }
        }
    }
    found
}

#[test]
fn a_history_becomes_a_site() {
    let env = crate::compare::project();
    let said = env.tacho(&["publish"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    let site = json(&env, "site/data/site.json");
    assert_eq!((&site["schema"], &site["project"]["name"]), (&"tacho.site/1".into(), &"demo".into()));
    let names: Vec<&str> =
        site["benchmarks"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"core.time_slower") && names.contains(&"core.time_cases"), "{names:?}");
    let rows: u64 = site["benchmarks"].as_array().unwrap().iter().map(|one| one["n_rows"].as_u64().unwrap()).sum();
    let count = env.tacho(&["query", "--json", "SELECT count(*) FROM results"]).json(0);
    assert_eq!(count["rows"][0][0].as_u64(), Some(rows));
    // Every file of data is listed with what it is, and there.
    let index = json(&env, "site/data/index.json");
    for file in index["files"].as_array().unwrap() {
        let path = env.path("site").join(file["path"].as_str().unwrap());
        assert_eq!(std::fs::metadata(&path).unwrap().len(), file["bytes"].as_u64().unwrap(), "{}", path.display());
    }
    let schema_of = |path: &str| {
        index["files"].as_array().unwrap().iter().find(|file| file["path"] == path).unwrap()["schema"].clone()
    };
    assert_eq!(schema_of("data/site.json"), "tacho.site/1");
    assert_eq!(schema_of("data/changes.json"), "tacho.changes/1");
    // What failed at its newest commit says so, whatever it was before.
    let breaks = site["benchmarks"].as_array().unwrap().iter().find(|one| one["name"] == "core.time_breaks").unwrap();
    assert_eq!(breaks["series"][0]["state"], "failed");
    let paths: Vec<&str> =
        index["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert!(
        paths.contains(&"raw/asv/lab/machine.json") && paths.contains(&"data/results/results-00.parquet"),
        "{paths:?}"
    );
}

#[test]
fn it_is_the_same_to_the_byte_and_not_made_twice() {
    let env = crate::compare::project();
    env.tacho(&["publish"]).with_code(0);
    let first = all(&env, "site");
    let said = env.tacho(&["publish"]).all();
    assert!(said.contains("Nothing changed"), "{said}");
    env.tacho(&["publish", "--rebuild"]).with_code(0);
    assert!(first == all(&env, "site"), "a rebuilt site differs");
    // What is not raw is left out where that is asked for.
    env.tacho(&["publish", "--no-raw"]).with_code(0);
    assert!(!env.path("site/raw").exists());
}

#[test]
fn a_folder_of_others_is_refused() {
    let env = crate::compare::project();
    env.write("docs/precious.md", "x");
    let said = env.tacho(&["publish", "-o", "docs"]);
    insta::assert_snapshot!(said.all());
    assert!(env.path("docs/precious.md").exists());
}

#[test]
fn a_project_without_results_has_a_site_all_the_same() {
    let env = TestEnv::new();
    env.write("asv.conf.json", r#"{"version": 1, "project": "demo", "repo": "."}"#);
    env.tacho(&["publish"]).with_code(0);
    assert!(std::fs::read_to_string(env.path("site/index.html")).unwrap().contains("<h1>Overview</h1>"));
}
