//! `tacho run --resume`: an interrupted run goes on where it stopped, or says why it may not.

use std::path::PathBuf;
use std::process::Stdio;

use tacho_model::{Completeness, Run, Samples};
use tacho_store::Store;

use crate::env::{Said, TestEnv};

/// Two rounds of each timed case; in the first, the fourth case to be measured waits.
const SUITE: &str = "
import os, time
class Bad:
    def time_bad(self): raise ValueError('no')
class Early:
    params = [1, 2]
    def time_early(self, n): pass
def time_waits():
    open(os.environ['MARK'], 'w').close()
    while not os.path.exists(os.environ['GO']): time.sleep(0.01)
def track_late(): return 1
";

const FAST: [&str; 6] = ["-a", "repeat=2", "-a", "number=3", "-a", "warmup_time=0"];

fn project() -> TestEnv {
    let env = TestEnv::with_project(&[("benchmarks/a.py", SUITE)]);
    env.write(".gitignore", "mark\ngo\n.tacho\n");
    declare_marks(&env);
    env.commit("marks");
    env
}

fn declare_marks(env: &TestEnv) {
    let (mark, go) = (env.path("mark").display().to_string(), env.path("go").display().to_string());
    env.write("tacho.toml", &format!("[environment.variables]\nMARK = '{mark}'\nGO = '{go}'\n"));
}

/// Interrupts a run while its fourth case waits; later runs do not wait.
fn interrupted(env: &TestEnv, flags: &[&str]) -> Said {
    let _ = std::fs::remove_file(env.path("go"));
    let _ = std::fs::remove_file(env.path("mark"));
    let said = env.tacho_until(&[&["run"], flags].concat(), "mark", "INT");
    env.write("go", "");
    said
}

fn records(env: &TestEnv) -> Vec<(PathBuf, Run)> {
    let store = Store::open(&env.path(".tacho"));
    let found = store.entries().unwrap();
    assert!(found.unreadable.is_empty(), "{:?}", found.unreadable);
    found.entries.iter().map(|entry| (entry.path.clone(), store.read(&entry.path).unwrap())).collect()
}

fn only_record(env: &TestEnv) -> (PathBuf, Run) {
    let mut records = records(env);
    assert_eq!(records.len(), 1, "{records:?}");
    records.remove(0)
}

/// Returns slot, case, number and state of every round, in order.
fn rounds(run: &Run) -> String {
    let line = |round: &tacho_model::Round| {
        let resumed = if round.resumed.is_some() { ", resumed" } else { "" };
        let parameters = round.parameters.join(", ");
        format!("{} {}({parameters}) {} {}{resumed}", round.slot, round.benchmark, round.round, round.state.word())
    };
    run.rounds.iter().map(line).collect::<Vec<String>>().join("\n")
}

/// Compares with what differs from run to run replaced.
fn normal() -> insta::internals::SettingsBindDropGuard {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d{8}T\d{6}Z-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{16}", "[RECORD]");
    settings.add_filter(r"\b[0-9a-f]{12}\b", "[TREE]");
    settings.add_filter(r"\b[0-9a-f]{8}\b", "[SHORT]");
    settings.add_filter(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", "[MOMENT]");
    settings.add_filter(r"CPython 3\.\d+\.\d+ \(.*?\) on .*\.", "CPython [VERSION] on [MACHINE].");
    settings.add_filter(r"records/.*?/\[RECORD\]", "records/[MACHINE]/[RECORD]");
    settings.add_filter(r"took [0-9.]+ m?s", "took [TIME]");
    settings.add_filter(r"[0-9.]+ ± [0-9.]+ [nμm]?s", "[VALUE]");
    settings.bind_to_scope()
}

#[test]
fn an_interrupted_run_goes_on_as_one_record() {
    let _normal = normal();
    let env = project();
    let said = interrupted(&env, &FAST);
    insta::assert_snapshot!(said.all(), @r"
    exit: 3
    ----- stdout
      a.Bad.time_bad                                      failed: ValueError: no
    5 cases: 2 measured, 1 failed, 2 not run; took [TIME]
      a.Bad.time_bad                                      failed: ValueError: no
    hint: tacho show
    hint: tacho run -b '^a\.Bad\.time_bad$' --show-stderr
    ----- stderr
    Measuring demo (commit [SHORT]), 5 cases of 4 benchmarks, in CPython [VERSION] on [MACHINE].
    Kept in .tacho/records/[MACHINE]/[RECORD].jsonl.open.
    Interrupted: 3 rounds kept, as a partial run.
    hint: tacho run --resume
    ");
    let (_, partial) = only_record(&env);
    let said = env.tacho(&["run", "--resume"]);
    insta::assert_snapshot!(said.all(), @r"
    exit: 3
    ----- stdout
      a.track_late                                        1
      a.Early.time_early(1)                               [VALUE]
      a.Early.time_early(2)                               [VALUE]
      a.time_waits                                        [VALUE]
    5 cases: 4 measured, 1 failed; took [TIME]
      a.Bad.time_bad                                      failed: ValueError: no
    hint: tacho show
    hint: tacho run -b '^a\.Bad\.time_bad$' --show-stderr
    ----- stderr
    Measuring demo (commit [SHORT]), 5 cases of 4 benchmarks, in CPython [VERSION] on [MACHINE].
    Going on with run [SHORT], begun [MOMENT]: 3 of 9 rounds are there.
    Kept in .tacho/records/[MACHINE]/[RECORD].jsonl.zst.
    ");
    let (path, run) = only_record(&env);
    assert!(path.to_str().unwrap().ends_with(".jsonl.zst"));
    assert_eq!(run.provenance, partial.provenance);
    assert_eq!((run.completeness, &run.rounds[..3]), (Completeness::Sealed, &partial.rounds[..]));
    insta::assert_snapshot!(rounds(&run), @"
    0 a.Bad.time_bad() 0 failed
    1 a.Early.time_early(1) 0 measured
    2 a.Early.time_early(2) 0 measured
    3 a.time_waits() 0 measured, resumed
    4 a.track_late() 0 measured
    5 a.Early.time_early(1) 1 measured
    6 a.Early.time_early(2) 1 measured
    7 a.time_waits() 1 measured
    ");
    let resumed = run.rounds[3].resumed.unwrap();
    assert!(resumed.at > run.provenance.started_at && resumed.at <= run.rounds[3].started_at && resumed.load.is_some());
    let numbers = run.rounds.iter().flat_map(|round| round.samples.values()).filter_map(|samples| match samples {
        Samples::Loops { number, loop_ns } => Some((*number, loop_ns.len())),
        Samples::Values(_) => None,
    });
    assert!(numbers.into_iter().all(|found| found == (3, 2)), "the attributes are those of the record");
}

#[test]
fn where_no_run_was_interrupted_that_is_told() {
    let env = project();
    insta::assert_snapshot!(env.tacho(&["run", "--resume"]).all(), @"
    exit: 2
    ----- stdout

    ----- stderr
    error: no interrupted run is kept in `[PROJECT]/.tacho`
    hint: begin one with `tacho run`
    ");
    env.write("go", "");
    env.tacho(&["run", "--quick", "-b", "late"]).with_code(0);
    let _ = env.tacho(&["run", "--resume"]).with_code(2);
    let _ = interrupted(&env, &FAST);
    let said = env.tacho(&["run", "--resume=feedfeed"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("no interrupted run is called `feedfeed`"), "{}", said.all());
}

fn check_refused(env: &TestEnv, flags: &[&str], words: &[&str]) {
    let (path, before) = only_record(env);
    let bytes = std::fs::read(&path).unwrap();
    let said = env.tacho(&[&["run", "--resume"], flags].concat());
    assert_eq!(said.code, Some(2), "{}", said.all());
    for word in words.iter().chain(&["cannot go on", "hint: "]) {
        assert!(said.stderr.contains(word), "`{word}` in {}", said.all());
    }
    assert_eq!(only_record(env), (path.clone(), before));
    assert!(std::fs::read(&path).unwrap() == bytes, "the record is as it was");
}

#[test]
fn what_was_asked_for_is_asked_for_again_or_left_out() {
    let env = project();
    let _ = interrupted(&env, &[&["-b", "a"], &FAST[..]].concat());
    check_refused(&env, &["-a", "repeat=3"], &["attribute repeat: 2 then, 3 now", "leave -a, -b"]);
    check_refused(&env, &["--quick"], &["--quick: no then, yes now", "attribute rounds: none then, 1 now"]);
    check_refused(&env, &["-b", "late"], &["--bench: a then, late now"]);
    let said = env.tacho(&[&["run", "--resume", "-b", "a"], &FAST[..]].concat());
    assert_eq!(said.code, Some(3), "one benchmark fails: {}", said.all());
    assert_eq!(only_record(&env).1.completeness, Completeness::Sealed);
}

#[test]
fn what_was_measured_has_to_be_there_still() {
    let env = project();
    let _ = interrupted(&env, &FAST);
    env.write("other.py", "X = 1\n");
    check_refused(&env, &[], &["measured: commit", "work tree", "begin anew with `tacho run`"]);
    std::fs::remove_file(env.path("other.py")).unwrap();
    env.write("tacho.toml", &format!("{}X = '1'\n", std::fs::read_to_string(env.path("tacho.toml")).unwrap()));
    env.commit("another variable");
    check_refused(&env, &[], &["measured: commit", "axis env.X: none then, 1 now"]);
    env.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    check_refused(&env, &["--machine", "other"], &["machine: ", "then, other now"]);
    check_refused(&env, &["--method", "asv/1"], &["method: asv/2 then, asv/1 now"]);
    assert_eq!(env.tacho(&["run", "--resume"]).code, Some(3));
    assert_eq!(only_record(&env).1.completeness, Completeness::Sealed);
}

#[test]
fn a_work_tree_goes_on_as_long_as_it_is_the_same() {
    let env = project();
    env.write("benchmarks/a.py", &format!("{SUITE}\n# changed\n"));
    let _ = interrupted(&env, &FAST);
    env.write("benchmarks/a.py", &format!("{SUITE}\n# changed again\n"));
    check_refused(&env, &[], &["measured: work tree", "suite: "]);
    env.write("benchmarks/a.py", &format!("{SUITE}\n# changed\n"));
    assert_eq!(env.tacho(&["run", "--resume"]).code, Some(3));
    assert_eq!(only_record(&env).1.completeness, Completeness::Sealed);
}

#[test]
fn the_newest_goes_on_unless_another_is_named() {
    let env = project();
    for _ in 0..3 {
        let _ = interrupted(&env, &FAST);
    }
    let ids: Vec<String> = records(&env).iter().map(|(_, run)| run.provenance.run_id.clone()).collect();
    let sealed = |env: &TestEnv| -> Vec<String> {
        let records = records(env).into_iter().map(|(_, run)| run);
        let sealed = records.filter(|run| run.completeness == Completeness::Sealed);
        sealed.map(|run| run.provenance.run_id).collect()
    };
    let said = env.tacho(&["run", &format!("--resume={}", &ids[0][..8])]);
    assert!(said.stderr.contains(&format!("run {}", &ids[0][..8])), "{}", said.all());
    assert_eq!(sealed(&env), [ids[0].clone()]);
    let said = env.tacho(&["run", "--resume"]);
    assert!(said.stderr.contains("It is the newest; 1 other could go on as well."), "{}", said.all());
    assert_eq!(sealed(&env), [ids[0].clone(), ids[2].clone()]);
}

#[test]
fn a_run_that_is_going_on_is_left_alone() {
    let env = project();
    let mut command = env.command(&[&["run"], &FAST[..]].concat());
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    env.wait_for("mark", || false);
    let said = env.tacho(&["run", "--resume"]);
    assert!(said.stderr.contains("is measuring on this machine"), "{}", said.all());
    // Another user, or another machine that shares the folder, has a lock of its own.
    let said = env.tacho_with(&["run", "--resume"], |command| {
        command.env("XDG_STATE_HOME", env.home("elsewhere"));
    });
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("is being written by another process"), "{}", said.all());
    env.write("go", "");
    assert_eq!(run.wait().unwrap().code(), Some(3));
    assert_eq!(only_record(&env).1.rounds.len(), 8);
}

#[test]
fn a_line_that_was_cut_in_the_middle_is_measured_again() {
    let env = project();
    let _ = interrupted(&env, &FAST);
    let (path, whole) = only_record(&env);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 40]).unwrap();
    assert_eq!(env.tacho(&["run", "--resume"]).code, Some(3));
    let (_, run) = only_record(&env);
    assert_eq!(run.rounds[..2], whole.rounds[..2]);
    assert_eq!(rounds(&run).lines().filter(|line| line.contains("time_early")).count(), 4);
    assert!(run.rounds[2].resumed.is_some());
}

#[test]
fn a_record_without_rounds_or_plan_goes_on() {
    for n_lines in [1, 2] {
        let env = project();
        let _ = interrupted(&env, &FAST);
        let (path, _) = only_record(&env);
        let text = std::fs::read_to_string(&path).unwrap();
        let head: String = text.split_inclusive('\n').take(n_lines).collect();
        std::fs::write(&path, head).unwrap();
        assert_eq!(env.tacho(&["run", "--resume"]).code, Some(3));
        let (_, run) = only_record(&env);
        assert_eq!((run.completeness, run.rounds.len()), (Completeness::Sealed, 8), "{n_lines} lines");
    }
}

#[test]
fn a_run_whose_record_was_only_to_be_compressed_is_ended() {
    let env = project();
    env.write("go", "");
    let _ = env.tacho(&[&["run"], &FAST[..]].concat());
    let (path, whole) = only_record(&env);
    // As it is where the program is killed just before the end.
    let bytes = zstd::decode_all(std::fs::File::open(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(path.with_extension("open"), bytes).unwrap();
    let said = env.tacho(&["run", "--resume"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stderr.contains("8 of 9 rounds are there"), "{}", said.all());
    assert_eq!(only_record(&env), (path, whole));
}

#[test]
fn samples_that_are_pooled_are_numbered_on() {
    let env = project();
    env.write("go", "");
    env.tacho(&[&["run", "-b", "early|waits"], &FAST[..]].concat()).with_code(0);
    let _ = interrupted(&env, &[&["-b", "early|waits", "--append-samples"], &FAST[..]].concat());
    env.tacho(&["run", "--resume"]).with_code(0);
    let records = records(&env);
    let numbers = |run: &Run| -> Vec<u32> { run.rounds.iter().map(|round| round.round).collect() };
    assert_eq!(numbers(&records[0].1), [0, 0, 0, 1, 1, 1]);
    assert_eq!(numbers(&records[1].1), [2, 2, 2, 3, 3, 3]);
    let shown = env.tacho(&["show", "--json", "--samples"]).json(0);
    assert_eq!(shown["runs"][0]["results"][0]["samples"].as_array().unwrap().len(), 8);
}

#[test]
fn a_file_outside_of_any_project_goes_on() {
    let env = TestEnv::new();
    env.write("my bench.py", SUITE);
    let marks = |command: &mut std::process::Command| {
        command.env("MARK", env.path("mark")).env("GO", env.path("go"));
    };
    let mut command = env.command(&[&["run", "my bench.py"], &FAST[..]].concat());
    marks(&mut command);
    let run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    env.wait_for("mark", || false);
    let _ = env.shell(&format!("kill -HUP {}", run.id()));
    let told = String::from_utf8(run.wait_with_output().unwrap().stderr).unwrap();
    env.write("go", "");
    let hint = told.lines().find(|line| line.contains("--resume")).expect("a hint").trim_start_matches("hint: tacho ");
    assert_eq!(hint, "run --resume 'my bench.py'");
    let said = env.tacho_with(&["run", "--resume", "my bench.py"], marks);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stderr.contains("3 of 9 rounds are there"), "{}", said.all());
}

#[test]
fn the_hint_holds_all_that_chooses_the_run() {
    let env = project();
    let config = env.path("").display().to_string();
    let hash = "0123456789abcdef0123456789abcdef01234567";
    let flags = ["--config", &config, "run", "--machine", "my box", "--set-commit-hash", hash, "-E", "existing:same"];
    let said = env.tacho_until(&[&flags[..], &FAST].concat(), "mark", "TERM");
    env.write("go", "");
    assert_eq!(said.code, Some(3), "{}", said.all());
    let hint = said.stderr.lines().find(|line| line.contains("--resume")).expect("a hint").to_owned();
    let command = hint.trim_start_matches("hint: tacho ").replace("[PROJECT]", config.trim_end_matches('/'));
    let again = env.shell(&format!("cd / && {} {command}", env!("CARGO_BIN_EXE_tacho")));
    assert_eq!(again.code, Some(3), "{hint}: {}", again.all());
    let (_, run) = only_record(&env);
    assert_eq!((run.completeness, run.provenance.subject.id().as_str()), (Completeness::Sealed, hash));
}

#[test]
fn cases_are_known_by_texts_that_tell_no_private_path() {
    let env = project();
    let suite = "
import os, time
HERE = os.path.dirname(__file__)
def time_path(path): len(open(path).read())
time_path.params = [os.path.join(HERE, 'data.txt'), os.path.join(HERE, '__init__.py')]
";
    let waits = SUITE.lines().filter(|line| !line.contains("params")).collect::<Vec<&str>>().join("\n");
    env.write("benchmarks/a.py", &waits.replace("(self, n)", "(self)"));
    env.write("benchmarks/_paths.py", suite);
    env.write("benchmarks/data.txt", "123");
    env.commit("paths");
    let _ = interrupted(&env, &FAST);
    assert_eq!(env.tacho(&["run", "--resume"]).code, Some(3));
    let (_, run) = only_record(&env);
    let paths: Vec<&str> = run.rounds.iter().filter_map(|round| Some(round.parameters.first()?.as_str())).collect();
    assert_eq!(paths.len(), 4, "each path once in each round: {paths:?}");
    assert!(paths.iter().all(|path| path.starts_with("'{project}/benchmarks/")), "{paths:?}");
}

#[test]
fn parameters_that_are_others_each_time_cannot_go_on() {
    let env = project();
    env.write(
        "benchmarks/z.py",
        "import random\ndef track_random(x): return 1\ntrack_random.params = [random.random()]\n",
    );
    env.commit("random");
    let _ = interrupted(&env, &FAST);
    check_refused(&env, &[], &["benchmark z.track_random: param1=[", "begin anew with `tacho run`"]);
}
