//! `tacho show`: reading runs back.

use crate::env::TestEnv;

const SUITE: &str = "
class Tracks:
    params = ([1, 2], ['a|b', 'two\\nlines'])
    param_names = ['n', 'text']
    def track_n(self, n, text): return n
    track_n.unit = 'items'
def track_fails(): raise ValueError('no <b>bold</b> \\x1b[31mred')
";

fn measured() -> TestEnv {
    let env = TestEnv::with_project(&[("benchmarks/tracks.py", SUITE)]);
    let _ = env.tacho(&["run", "--quick", "--machine", "box"]);
    env
}

/// Replaces what differs from run to run in what `show` says.
fn check(env: &TestEnv, arguments: &[&str], name: &str) {
    let said = env.tacho(arguments).all();
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"[0-9a-f]{40}", "[HASH]");
    settings.add_filter(r"\b[0-9a-f]{16}\b", "[RUN]");
    settings.add_filter(r"\b[0-9a-f]{8}\b", "[SHORT]");
    settings.add_filter(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?", "[MOMENT]");
    settings.add_filter(r"CPython 3\.\d+\.\d+", "CPython [VERSION]");
    settings.add_filter(r"python 3\.\d+", "python [AXIS]");
    settings.bind(|| insta::assert_snapshot!(name, said));
}

#[test]
fn a_run_is_shown_with_its_provenance() {
    check(&measured(), &["show"], "text");
}

#[test]
fn markdown_cannot_be_broken_out_of() {
    check(&measured(), &["show", "--markdown"], "markdown");
}

#[test]
fn runs_are_listed() {
    check(&measured(), &["show", "--list"], "list");
}

#[test]
fn a_run_is_found_by_hash_prefix_revision_and_run_id() {
    let env = measured();
    let hash = env.git(&["rev-parse", "HEAD"]);
    let newest = env.tacho(&["show", "--json"]).json(0);
    let run_id = newest["runs"][0]["provenance"]["run_id"].as_str().unwrap().to_owned();
    for word in [&hash[..], &hash[..8], "HEAD", "main", &run_id] {
        let found = env.tacho(&["show", word, "--json"]).json(0);
        assert_eq!(found["runs"][0]["provenance"]["run_id"], run_id.as_str(), "{word}");
    }
}

#[test]
fn each_machine_has_its_run_of_a_commit() {
    let env = measured();
    let _ = env.tacho(&["run", "--quick", "--machine", "other", "-b", "track_n"]);
    let found = env.tacho(&["show", "HEAD", "--json"]).json(0);
    assert_eq!(found["runs"].as_array().unwrap().len(), 2);
    let one = env.tacho(&["show", "HEAD", "--json", "--machine", "box"]).json(0);
    assert_eq!(one["runs"][0]["provenance"]["machine"]["name"], "box");
    assert_eq!(one["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn details_tell_tracebacks_and_packages() {
    let said = measured().tacho(&["show", "--details"]).with_code(0);
    for word in ["Traceback", "pip", "load before", "suite "] {
        assert!(said.contains(word), "{word} in {said}");
    }
    assert!(!said.contains('\u{1b}'), "no escape sequence of a benchmark reaches the terminal: {said}");
}

#[test]
fn what_is_not_there_is_told() {
    let env = TestEnv::with_project(&[]);
    insta::assert_snapshot!(env.tacho(&["show"]).all(), @"
    exit: 2
    ----- stdout

    ----- stderr
    error: no runs are kept in `[PROJECT]/.tacho`
    hint: measure with `tacho run`
    ");
    let said = env.tacho(&["show", "-m", "nowhere"]).all();
    assert!(said.contains("hint: leave -m and -E out"), "{said}");
    let said = env.tacho(&["show", "--list"]);
    assert_eq!(said.stderr.trim(), "No runs are kept here yet.\nhint: measure with `tacho run`");
    env.write("results/benchmarks.json", "{}");
    env.write("results/lab/machine.json", "{}");
    env.write("results/lab/0123abcd-existing.json", "{}");
    for arguments in [&["show"][..], &["show", "--list"]] {
        let said = env.tacho(arguments).all();
        let is_told = said.contains("no runs are kept") || said.contains("No runs are kept");
        assert!(is_told && !said.contains("left out"), "{said}");
    }
    insta::assert_snapshot!(measured().tacho(&["show", "feedfeed"]).all(), @"
    exit: 2
    ----- stdout

    ----- stderr
    error: no results of `feedfeed` are kept
    hint: see what is kept with `tacho show --list`
    ");
}

#[test]
fn a_file_that_is_no_record_hides_nothing() {
    let env = measured();
    env.write(".tacho/records/box/garbage.jsonl", "not a record\n");
    let said = env.tacho(&["show"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(said.stderr.contains("garbage.jsonl") && said.stdout.contains("track_n"), "{}", said.all());
}

#[test]
fn options_narrow_what_is_shown() {
    let env = measured();
    let rows = |flags: &[&str]| -> usize {
        let said = env.tacho(&[&["show", "--json"], flags].concat()).json(0);
        let list = said.get("durations").or_else(|| said.get("records")).unwrap();
        list.as_array().unwrap().len()
    };
    assert_eq!(rows(&["--durations"]), 2);
    assert_eq!(rows(&["--durations", "1"]), 1);
    assert_eq!(rows(&["--durations", "-b", "track_n"]), 1);
    assert_eq!(rows(&["--list", "HEAD"]), 1);
    assert_eq!(env.tacho(&["show", "deadbeef", "--list"]).code, Some(2));
}

#[test]
fn environments_are_named_as_when_they_were_measured() {
    let env = measured();
    let label = env.tacho(&["show", "--json"]).json(0)["runs"][0]["provenance"]["environment"]["label"].clone();
    let label = label.as_str().unwrap().to_owned();
    let program = label.trim_start_matches("existing-").to_owned();
    for spec in
        ["existing", "existing:same", &format!("existing:{program}"), &format!("existing:/usr/bin/{program}"), &label]
    {
        assert_eq!(env.tacho(&["show", "-E", spec]).code, Some(0), "{spec}");
    }
    for spec in ["1", "virtualenv", "existing:other"] {
        assert_eq!(env.tacho(&["show", "-E", spec]).code, Some(2), "{spec}");
    }
}

/// Measures twice, damages the newer record, and returns both ids, older first.
fn with_damage(damage: impl FnOnce(Vec<u8>) -> Vec<u8>) -> (TestEnv, [String; 2]) {
    let env = measured();
    let _ = env.tacho(&["run", "--quick", "--machine", "other"]);
    let records = env.tacho(&["show", "--list", "--json"]).json(0)["records"].clone();
    let ids = [1, 0].map(|index| records[index]["run_id"].as_str().unwrap().to_owned());
    let folder = std::fs::read_dir(env.path(".tacho/records/other")).unwrap();
    let newer = folder.map(|entry| entry.unwrap().path()).find(|path| path.extension().unwrap() == "zst").unwrap();
    let lines = zstd::decode_all(std::fs::File::open(&newer).unwrap()).unwrap();
    std::fs::remove_file(&newer).unwrap();
    std::fs::write(newer.with_file_name("damaged.jsonl"), damage(lines)).unwrap();
    (env, ids)
}

fn replaced(lines: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(lines.to_vec()).unwrap();
    assert!(text.contains(from));
    text.replace(from, to).into_bytes()
}

/// A record whose first line can be read is listed; what is wrong with the rest is told when it is asked for.
fn check_damaged_inside(damage: impl FnOnce(Vec<u8>) -> Vec<u8>, why: &str) {
    let (env, [older, newer]) = with_damage(damage);
    let list = env.tacho(&["show", "--list"]);
    assert!(list.code == Some(0) && list.stdout.contains(&older[..8]) && list.stdout.contains(&newer[..8]));
    for word in [None, Some(&newer[..])] {
        let said = env.tacho(&[&["show"], word.as_slice()].concat());
        assert_eq!(said.code, Some(2), "{}", said.all());
        let hint = "hint: put a damaged record back from a copy, or move it away";
        for part in ["[PROJECT]/.tacho/records/other/damaged.jsonl", why, hint, "`tacho show --list`"] {
            assert!(said.stderr.contains(part), "`{part}` in {}", said.all());
        }
    }
    assert_eq!(env.tacho(&["show", &older]).code, Some(0));
    let both = env.tacho(&["show", "HEAD"]);
    assert_eq!(both.code, Some(3), "{}", both.all());
    assert!(both.stdout.contains("tracks.Tracks.track_n") && both.stderr.contains(why), "{}", both.all());
}

#[test]
fn a_damaged_record_is_named_and_hides_no_other() {
    check_damaged_inside(|lines| replaced(&lines, "\"round\":0", "\"round\":1"), "was changed after it was sealed");
    check_damaged_inside(|lines| lines[..lines.len() / 2].to_vec(), "is cut short");
    check_damaged_inside(|lines| replaced(&lines, "{\"round\"", "{\"wrong\""), "cannot read line 3");
}

/// A record whose first line cannot be read is left out, and the newest of the others is shown.
fn check_damaged_head(damage: impl FnOnce(Vec<u8>) -> Vec<u8>, why: &str, way_out: &str) {
    let (env, [older, _]) = with_damage(damage);
    for flags in [&["show"][..], &["show", "--list"]] {
        let said = env.tacho(flags);
        assert_eq!(said.code, Some(0), "{}", said.all());
        let told = format!("warning: left out: `[PROJECT]/.tacho/records/other/damaged.jsonl` {why}");
        assert!(said.stderr.contains(&told) && said.stderr.contains(way_out), "{}", said.all());
    }
    assert_eq!(env.tacho(&["show", "--json"]).json(0)["runs"][0]["provenance"]["run_id"], older.as_str());
}

#[test]
fn a_record_that_cannot_be_told_from_another_file_is_left_out() {
    let newer = |lines: Vec<u8>| replaced(&lines, "tacho.record/1", "tacho.record/2");
    check_damaged_head(newer, "is written in `tacho.record/2`", "update tacho");
    let hint = "hint: put a damaged record back from a copy, or move it away";
    check_damaged_head(|lines| lines[..100].to_vec(), "is cut short: it ends inside a line", hint);
    check_damaged_head(|_| b"<<<<<<< HEAD\n".to_vec(), "is not a record", hint);
}

#[test]
fn a_run_that_is_going_on_is_shown_as_far_as_it_is() {
    let suite = "
import os, time
def track_early(): return 1
def track_waits():
    open(os.environ['MARK'], 'w').close()
    while not os.path.exists(os.environ['GO']): time.sleep(0.01)
    return 2
";
    let env = TestEnv::with_project(&[("benchmarks/waits.py", suite)]);
    let (mark, go) = (env.path("mark").display().to_string(), env.path("go").display().to_string());
    env.write("tacho.toml", &format!("[environment.variables]\nMARK = '{mark}'\nGO = '{go}'\n"));
    let mut command = env.command(&["run", "--quick"]);
    let null = std::process::Stdio::null;
    let mut run = command.stdout(null()).stderr(null()).spawn().unwrap();
    env.wait_for("mark", || false);
    let said = env.tacho(&["show"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    for part in ["partial: the run was interrupted, or is still going on", "2 cases: 1 measured, 1 not run"] {
        assert!(said.stdout.contains(part), "`{part}` in {}", said.all());
    }
    assert!(env.tacho(&["show", "--list"]).with_code(0).contains("partial"));
    env.write("go", "");
    assert!(run.wait().unwrap().success());
    assert!(env.tacho(&["show"]).with_code(0).contains("2 cases: 2 measured"));
}
