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
    hint: measure with `tacho run`, or leave the filters out
    ");
    insta::assert_snapshot!(measured().tacho(&["show", "feedfeed"]).all(), @"
    exit: 2
    ----- stdout

    ----- stderr
    error: no run of `feedfeed` is kept
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
