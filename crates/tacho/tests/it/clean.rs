//! `tacho clean`: what goes, what stays, and what is said about it.

use std::fs::File;

use crate::env::TestEnv;

/// Makes a project with a record, an environment, a build, a repository and the remains of something.
fn world() -> TestEnv {
    let env = TestEnv::new();
    env.write("tacho.toml", "[project]\nname = \"demo\"\n");
    env.write(".tacho/records/m/r.jsonl", "kept");
    for file in [
        "envs/0123456789abcdef/lib/a.py",
        "envs/0123456789abcdef.lock",
        "envs/0123456789abcdef.log",
        "builds/fedcba9876543210/wheel/a-1-py3-none-any.whl",
        "builds/fedcba9876543210.lock",
        "builds/slot-1.lock",
        "repos/demo-00112233.git/HEAD",
        "repos/demo-00112233.trees/1/a.py",
        "repos/demo-00112233.git.lock",
        "something/else",
    ] {
        env.write(&format!(".tacho/cache/{file}"), if file.ends_with(".lock") { "" } else { "x" });
    }
    env
}

fn names(json: &serde_json::Value, part: &str) -> Vec<String> {
    let mut names: Vec<String> =
        json[part].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

const ALL: [&str; 4] = ["builds/fedcba9876543210", "envs/0123456789abcdef", "repos/demo-00112233", "something"];

#[test]
fn everything_that_can_be_made_anew_goes_and_records_stay() {
    let env = world();
    let would = env.tacho(&["clean", "--dry-run", "--json"]).json(0);
    assert_eq!((names(&would, "removed"), would["dry_run"].as_bool()), (ALL.map(str::to_owned).to_vec(), Some(true)));
    assert!(env.path(".tacho/cache/something/else").exists(), "it was only asked");
    let said = env.tacho(&["clean"]).with_code(0);
    assert!(said.contains("4 things, ") && said.contains(" are free"), "{said}");
    let left: Vec<_> = walk(&env.path(".tacho/cache"));
    assert_eq!(left, ["builds", "envs", "repos"], "folders, and nothing in them");
    assert_eq!(std::fs::read_to_string(env.path(".tacho/records/m/r.jsonl")).unwrap(), "kept");
    assert_eq!(env.tacho(&["clean"]).with_code(0).trim(), "nothing to remove");
}

fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        found.push(entry.file_name().to_string_lossy().into_owned());
        if entry.file_type().unwrap().is_dir() {
            found.extend(walk(&entry.path()));
        }
    }
    found.sort();
    found
}

#[test]
fn what_is_in_use_is_named_and_stays() {
    let env = world();
    let lock = File::open(env.path(".tacho/cache/envs/0123456789abcdef.lock")).unwrap();
    lock.lock_shared().unwrap();
    let slot = File::open(env.path(".tacho/cache/builds/slot-1.lock")).unwrap();
    slot.lock().unwrap();
    // A build is under way in a checkout of the repository.
    let used = ["envs/0123456789abcdef", "repos/demo-00112233"];
    let json = env.tacho(&["clean", "--json"]).json(3);
    assert_eq!(names(&json, "in_use"), used);
    assert_eq!(names(&json, "removed"), ["builds/fedcba9876543210", "something"]);
    assert!(env.path(".tacho/cache/envs/0123456789abcdef/lib/a.py").exists());
    let said = env.tacho(&["clean"]);
    assert!(said.stderr.contains("hint: what is in use can go once the other `tacho` has ended"), "{}", said.all());
    drop((lock, slot));
    assert!(env.tacho(&["clean"]).with_code(0).contains("2 things, "));
}

#[test]
fn what_was_used_last_can_be_kept() {
    let env = world();
    let json = env.tacho(&["clean", "--keep", "1TiB", "--json"]).json(0);
    assert_eq!((names(&json, "kept").len(), names(&json, "removed").len()), (4, 0));
    assert!(json["left_bytes"].as_u64().unwrap() > 0);
    let said = env.tacho(&["clean", "--keep", "much"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("it is a number with a unit, as `20GiB` or `500MB`"), "{}", said.all());
}

#[test]
fn names_are_made_harmless() {
    let env = world();
    env.write(".tacho/cache/\u{1b}[31mred/x", "x");
    let said = env.tacho(&["clean", "--dry-run"]).with_code(0);
    assert!(!said.contains('\u{1b}') && said.contains("\\u{1b}[31mred"), "{said}");
}

#[test]
fn without_a_project_there_is_nothing_to_clean() {
    let env = TestEnv::new();
    let said = env.tacho(&["clean"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.starts_with("error: no `tacho.toml` or `asv.conf.json`"), "{}", said.all());
}
