//! One measurement at a time: who holds the machine is told, waited for, and forgotten when it is gone.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use tacho_model::Run;
use tacho_store::Store;

use crate::env::TestEnv;

const SUITE: &str = "
import os, time
def track_waits():
    open(os.environ['MARK'], 'w').close()
    while not os.path.exists(os.environ['GO']): time.sleep(0.01)
    return 1
";

fn project() -> TestEnv {
    let env = TestEnv::with_project(&[("benchmarks/waits.py", SUITE)]);
    let (mark, go) = (env.path("mark").display().to_string(), env.path("go").display().to_string());
    env.write("tacho.toml", &format!("[environment.variables]\nMARK = '{mark}'\nGO = '{go}'\n"));
    env.write(".gitignore", "mark\ngo\n");
    env.commit("marks");
    env
}

/// Starts a run that holds the lock until the file `go` is there.
fn holder(env: &TestEnv) -> Child {
    let mut command = env.command(&["run", "--quick"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    env.wait_for("mark", || false);
    child
}

/// Starts a run that waits, and returns it with what it says of whom it waits for.
fn waiting(env: &TestEnv) -> (Child, String) {
    let mut command = env.command(&["run", "--quick", "--wait"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut told).unwrap();
    // Whatever else it says is read, so that it can be said.
    std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    (child, told)
}

fn lock_text(env: &TestEnv) -> String {
    let entries = std::fs::read_dir(env.home(".local/state/tacho")).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    let lock = paths.find(|path| path.extension().is_some_and(|end| end == "lock")).unwrap();
    std::fs::read_to_string(lock).unwrap()
}

fn runs(env: &TestEnv) -> Vec<Run> {
    let store = Store::open(&env.path(".tacho"));
    let entries = store.entries().unwrap().entries;
    entries.into_iter().map(|entry| store.read(&entry.path).unwrap()).collect()
}

#[test]
fn who_measures_is_told_by_process_and_folder() {
    let env = project();
    let mut first = holder(&env);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    let holder = format!("error: process {} (tacho run in [PROJECT]) is measuring on this machine", first.id());
    assert!(said.stderr.contains(&holder) && said.stderr.contains("hint: wait for it with --wait"), "{}", said.all());
    env.write("go", "");
    assert!(first.wait().unwrap().success());
    assert_eq!(runs(&env).len(), 1, "the other run measured nothing");
}

#[test]
fn a_run_that_waits_measures_after_the_other() {
    let env = project();
    let mut first = holder(&env);
    let (mut second, told) = waiting(&env);
    assert!(told.starts_with(&format!("Waiting: process {} (tacho run in ", first.id())), "{told}");
    assert!(second.try_wait().unwrap().is_none());
    env.write("go", "");
    assert!(first.wait().unwrap().success() && second.wait().unwrap().success());
    let [first, second] = &runs(&env)[..] else { panic!("two runs") };
    let end = first.rounds[0].started_at.unix_us + (first.rounds[0].duration_ns / 1000) as i64;
    assert!(second.provenance.started_at.unix_us >= end);
}

#[test]
fn a_holder_that_was_killed_holds_nothing() {
    let env = project();
    let mut first = holder(&env);
    let (mut second, _) = waiting(&env);
    first.kill().unwrap();
    first.wait().unwrap();
    env.write("go", "");
    assert!(second.wait().unwrap().success(), "it is not waited for any longer");
    assert_eq!(lock_text(&env).split(' ').nth(1), Some(second.id().to_string().as_str()));
    // What the dead one left in the file is no lock.
    env.tacho(&["run", "--quick"]).with_code(0);
}

#[test]
fn a_run_that_waits_can_be_interrupted() {
    let env = project();
    let mut first = holder(&env);
    let (mut second, _) = waiting(&env);
    let _ = env.shell(&format!("kill -INT {}", second.id()));
    assert!(!second.wait().unwrap().success());
    env.write("go", "");
    assert!(first.wait().unwrap().success());
    assert_eq!(runs(&env).len(), 1);
}
