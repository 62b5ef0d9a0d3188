//! Full disks, limits on files, folders that cannot be written or are removed: what was finished is kept, and
//! what to do is told.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tacho_model::{Completeness, Run};
use tacho_store::Store;

use crate::env::{Said, TestEnv};

/// Twelve cases whose rounds take 15 kB and more each in a record.
const LONG: &str = "
class Long:
    params = list(range(12))
    def time_long(self, n): pass
";

const FLAGS: &str = "run -a rounds=1 -a repeat=5000 -a number=1 -a warmup_time=0";

fn records(folder: &Path) -> Vec<(PathBuf, Run)> {
    let store = Store::open(folder);
    let entries = store.entries().unwrap().entries;
    entries.into_iter().map(|entry| (entry.path.clone(), store.read(&entry.path).unwrap())).collect()
}

fn only_record(env: &TestEnv) -> (PathBuf, Run) {
    let mut records = records(&env.path(".tacho"));
    assert_eq!(records.len(), 1, "{records:?}");
    records.remove(0)
}

fn tacho() -> &'static str {
    env!("CARGO_BIN_EXE_tacho")
}

fn check_told(said: &Said, words: &[&str]) {
    for word in words {
        assert!(said.stderr.contains(word), "`{word}` in {}", said.all());
    }
}

#[test]
fn a_record_that_may_not_grow_keeps_its_rounds_and_goes_on() {
    for ignored in ["", "trap '' XFSZ; "] {
        let env = TestEnv::with_project(&[("benchmarks/long.py", LONG)]);
        let _ = env.tacho(&["list"]).with_code(0);
        // In units of 512 or 1024 bytes.
        let said = env.shell(&format!("{ignored}ulimit -f 120; exec {} {FLAGS}", tacho()));
        assert_eq!(said.code, Some(3), "{}", said.all());
        check_told(
            &said,
            &[".jsonl.open`: File too large", "rounds kept, as a partial run", "hint: tacho run --resume"],
        );
        let (path, partial) = only_record(&env);
        assert!(!partial.rounds.is_empty() && partial.rounds.len() < 12, "{}", partial.rounds.len());
        assert!(std::fs::read(&path).unwrap().ends_with(b"}\n"), "no half line is left");
        env.tacho(&["run", "--resume"]).with_code(0);
        let (_, run) = only_record(&env);
        assert_eq!((run.completeness, run.rounds.len()), (Completeness::Sealed, 12));
        assert_eq!(run.rounds[..partial.rounds.len()], partial.rounds);
    }
}

#[test]
fn a_record_that_cannot_be_compressed_is_whole_and_is_compressed_later() {
    let suite = "
import glob, os
def track_a(): return 1
def track_z():
    for path in glob.glob(os.environ['STORE'] + '/records/*/*.open'): os.mkdir(path[:-5] + '.zst')
    return 2
";
    let env = TestEnv::with_project(&[("benchmarks/blocks.py", suite)]);
    env.write("tacho.toml", &format!("[environment.variables]\nSTORE = '{}'\n", env.path(".tacho").display()));
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stdout.contains("2 cases: 2 measured"), "{}", said.all());
    check_told(&said, &[".jsonl.zst`: Is a directory", "All 2 rounds are kept; the record is not compressed yet."]);
    let (path, run) = only_record(&env);
    assert_eq!((path.extension().unwrap().to_str(), run.completeness), (Some("open"), Completeness::Sealed));
    std::fs::remove_dir(path.with_extension("zst")).unwrap();
    let said = env.tacho(&["run", "--resume"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert_eq!(only_record(&env), (path.with_extension("zst"), run));
}

#[test]
fn a_store_that_cannot_be_written_is_told_before_anything_is_measured() {
    let env = TestEnv::with_project(&[("benchmarks/a.py", "def track_a(): return 1\n")]);
    env.write(".tacho/records", "a file where the folder should be");
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    check_told(
        &said,
        &["error: cannot create `[PROJECT]/.tacho/records/", "nothing has been measured; name another folder"],
    );
    assert!(!said.stdout.contains("measured"), "{}", said.all());
}

#[test]
fn a_lock_that_cannot_be_made_is_told() {
    let env = TestEnv::with_project(&[("benchmarks/a.py", "def track_a(): return 1\n")]);
    env.write_home("state", "a file where the folder should be");
    let said = env.tacho_with(&["run", "--quick"], |command| {
        command.env("XDG_STATE_HOME", env.home("state"));
    });
    assert_eq!(said.code, Some(2), "{}", said.all());
    check_told(&said, &["error: cannot make `[HOME]/state/tacho`", "hint: set XDG_STATE_HOME"]);
}

#[test]
fn a_scratch_folder_that_cannot_be_made_is_told() {
    let env = TestEnv::with_project(&[("benchmarks/a.py", "def track_a(): return 1\n")]);
    let said = env.tacho_with(&["run", "--quick"], |command| {
        command.env("TMPDIR", env.home("no-such"));
    });
    assert_eq!(said.code, Some(2), "{}", said.all());
    check_told(&said, &["cannot make a scratch folder in `[HOME]/no-such`", "hint: set TMPDIR"]);
}

#[test]
fn a_scratch_folder_that_is_removed_ends_the_run_and_keeps_what_was_measured() {
    let suite = "
import glob, os, shutil
def peakmem_a(): pass
def track_b():
    for path in glob.glob(os.environ['TMPDIR'] + '/tacho-run-*'):
        shutil.rmtree(path, ignore_errors=True)
        open(path, 'w').close()
    return 1
def track_c(): return 1
";
    let env = TestEnv::with_project(&[("benchmarks/removes.py", suite)]);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    check_told(&said, &["error: the copy of the suite was removed: `", "as a partial run", "hint: tacho run --resume"]);
    let (_, run) = only_record(&env);
    assert_eq!((run.completeness, run.rounds.len()), (Completeness::Interrupted, 2));
}

#[test]
fn a_store_that_is_removed_and_cannot_be_made_anew_is_told() {
    let suite = "
import os, shutil
def track_a(): return 1
def track_b():
    shutil.rmtree(os.environ['STORE'])
    open(os.environ['STORE'], 'w').close()
    return 2
def track_c(): return 3
";
    let env = TestEnv::with_project(&[("benchmarks/removes.py", suite)]);
    env.write("tacho.toml", &format!("[environment.variables]\nSTORE = '{}'\n", env.path(".tacho").display()));
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    check_told(
        &said,
        &["was removed; it is written anew", "error: cannot create `[PROJECT]/.tacho`", "nothing is kept"],
    );
}

/// Returns what a shell script says in which folders can be mounted; `None` where the system allows nobody that.
fn with_mounts(env: &TestEnv, script: &str) -> Option<Said> {
    if env.shell("unshare --user --map-root-user --mount true").code != Some(0) {
        eprintln!("skipped: no user namespaces here, so no small file system can be mounted");
        return None;
    }
    env.write_home("script", &format!("set -eu\n{script}"));
    Some(env.shell(&format!("exec unshare --user --map-root-user --mount sh {}", env.home("script").display())))
}

fn json(env: &TestEnv, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(env.home(name)).unwrap()).unwrap()
}

#[test]
fn a_disk_that_becomes_full_costs_the_round_that_found_no_room() {
    let env = TestEnv::with_project(&[("benchmarks/long.py", LONG), (".tacho/.gitignore", "cache/\n")]);
    let (home, tacho) = (env.home(""), tacho());
    let home = home.display();
    let script = format!(
        "mount -t tmpfs -o size=80k none .tacho
        head -c 1m /dev/zero > .tacho/full || true
        code=0; {tacho} {FLAGS} > {home}none.out 2> {home}none.err || code=$?
        echo none $code $(find .tacho -type f | wc -l)
        rm .tacho/full
        code=0; {tacho} {FLAGS} > {home}some.out 2> {home}some.err || code=$?
        echo some $code
        {tacho} show --json > {home}some.json
        mount -o remount,size=10m .tacho
        code=0; {tacho} run --resume > {home}all.out 2> {home}all.err || code=$?
        echo all $code $(find .tacho -name '*.zst' | wc -l) $(find .tacho -name '*.open' | wc -l)
        {tacho} show --json > {home}all.json"
    );
    let Some(said) = with_mounts(&env, &script) else { return };
    assert_eq!(said.stdout, "none 2 1\nsome 3\nall 0 1 0\n", "{}", said.all());
    let told = |name: &str| std::fs::read_to_string(env.home(name)).unwrap();
    assert!(told("none.err").contains("No space left on device"), "{}", told("none.err"));
    assert!(told("none.err").contains("nothing has been measured"), "{}", told("none.err"));
    for words in [".jsonl.open`: No space left on device", "rounds kept, as a partial run", "hint: tacho run --resume"]
    {
        assert!(told("some.err").contains(words), "{}", told("some.err"));
    }
    let some = json(&env, "some.json")["runs"][0]["counts"].clone();
    assert!(some["measured"].as_u64().is_some_and(|n| (1..12).contains(&n)), "{some}");
    let all = json(&env, "all.json")["runs"][0].clone();
    assert_eq!((&all["counts"]["measured"], &all["complete"]), (&12.into(), &true.into()));
    assert_eq!(all["resumptions"].as_array().unwrap().len(), 1);
}

#[test]
fn a_disk_without_room_for_the_compressed_record_keeps_the_open_one() {
    // What is random takes as much room compressed; the last benchmark leaves room for its own round only.
    let suite = "
import os
def track_a(): raise ValueError(os.urandom(30_000).hex())
def track_z():
    with open(os.environ['STORE'] + '/full', 'wb', buffering=0) as full:
        try:
            while True: full.write(bytes(4096))
        except OSError:
            full.truncate(full.tell() - 8192)
    return 1
";
    let env = TestEnv::with_project(&[("benchmarks/fills.py", suite), (".tacho/.gitignore", "cache/\n")]);
    env.write("tacho.toml", &format!("[environment.variables]\nSTORE = '{}'\n", env.path(".tacho").display()));
    env.commit("variable");
    let (home, tacho) = (env.home(""), tacho());
    let home = home.display();
    let script = format!(
        "mount -t tmpfs -o size=400k none .tacho
        code=0; {tacho} run --quick > {home}out 2> {home}err || code=$?
        echo run $code $(find .tacho -name '.*.tmp' | wc -l)
        {tacho} show --json > {home}open.json
        rm .tacho/full
        code=0; {tacho} run --resume > /dev/null 2> {home}err2 || code=$?
        echo all $code $(find .tacho -name '*.zst' | wc -l) $(find .tacho -name '*.open' | wc -l)"
    );
    let Some(said) = with_mounts(&env, &script) else { return };
    let told = std::fs::read_to_string(env.home("err")).unwrap();
    assert_eq!(said.stdout, "run 3 0\nall 3 1 0\n", "{} {told}", said.all());
    for words in [".jsonl.zst`: No space left on device", "All 2 rounds are kept; the record is not compressed yet."] {
        assert!(told.contains(words), "{told}");
    }
    assert_eq!(json(&env, "open.json")["runs"][0]["complete"], true);
}

#[test]
fn a_store_that_is_read_only_is_read_and_not_written() {
    let env = TestEnv::with_project(&[("benchmarks/a.py", "def track_a(): return 1\n")]);
    env.tacho(&["run", "--quick"]).with_code(0);
    let tacho = tacho();
    let script = format!(
        "mount --bind .tacho .tacho
        mount -o remount,bind,ro .tacho
        {tacho} show --json > /dev/null
        code=0; {tacho} run --quick || code=$?
        echo code $code"
    );
    let Some(said) = with_mounts(&env, &script) else { return };
    assert_eq!(said.stdout, "code 2\n", "{}", said.all());
    check_told(&said, &["Read-only file system", "nothing has been measured"]);
}
