//! Signals, closed terminals and readers that go away: finished rounds are kept, and exit codes say what came of it.

use std::process::{Child, Stdio};

use tacho_model::Completeness;
use tacho_store::Store;

use crate::env::TestEnv;

const SUITE: &str = "
import os, time
def track_early(): return 1
def track_waits():
    open(os.environ['MARK'], 'w').close()
    while not os.path.exists(os.environ['GO']): time.sleep(0.01)
    return 2
";

fn project(suite: &str) -> TestEnv {
    let env = TestEnv::with_project(&[("benchmarks/waits.py", suite)]);
    let (mark, go) = (env.path("mark").display().to_string(), env.path("go").display().to_string());
    env.write("tacho.toml", &format!("[environment.variables]\nMARK = '{mark}'\nGO = '{go}'\n"));
    env.write(".gitignore", "mark\ngo\n");
    env.commit("marks");
    env
}

/// Says whether the only record is whole, and how many rounds it has.
fn kept(env: &TestEnv) -> (Completeness, usize) {
    let store = Store::open(&env.path(".tacho"));
    let entries = store.entries().unwrap().entries;
    assert_eq!(entries.len(), 1);
    let run = store.read(&entries[0].path).unwrap();
    (run.completeness, run.rounds.len())
}

fn check_goes_on(env: &TestEnv) {
    assert_eq!(kept(env), (Completeness::Interrupted, 1));
    env.write("go", "");
    env.tacho(&["run", "--resume"]).with_code(0);
    assert_eq!(kept(env), (Completeness::Sealed, 2));
}

#[test]
fn each_signal_that_asks_for_the_end_leaves_a_partial_run() {
    for signal in ["INT", "TERM", "HUP"] {
        let env = project(SUITE);
        let said = env.tacho_until(&["run", "--quick"], "mark", signal);
        assert_eq!(said.code, Some(3), "{signal}: {}", said.all());
        assert!(said.stdout.contains("2 cases: 1 measured, 1 not run"), "{signal}: {}", said.all());
        let told = "Interrupted: 1 round kept, as a partial run.\nhint: tacho run --resume";
        assert!(said.stderr.contains(told), "{signal}: {}", said.all());
        check_goes_on(&env);
    }
}

/// Returns a process with all that it has started, the last ones first.
fn tree(root: u32) -> Vec<u32> {
    let children = |pid: u32| {
        let listed = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        listed.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<u32>>()
    };
    let mut found: Vec<u32> = children(root).into_iter().flat_map(tree).collect();
    found.push(root);
    found
}

/// What stops a service or a job signals all of its processes at once.
#[test]
fn a_signal_to_all_processes_is_no_doing_of_the_case_that_runs() {
    for kind in ["track_waits", "peakmem_waits"] {
        let env = project(&SUITE.replace("track_early", "mem_early").replace("track_waits", kind));
        let run = started(&env, &[]);
        env.wait_for("mark", || false);
        let pids: Vec<String> = tree(run.id()).iter().map(u32::to_string).collect();
        let _ = env.shell(&format!("kill -TERM {}", pids.join(" ")));
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{kind}: {output:?}");
        check_goes_on(&env);
    }
}

#[test]
fn a_run_that_shall_outlive_its_terminal_does() {
    let env = project(SUITE);
    let tacho = env!("CARGO_BIN_EXE_tacho");
    // As `nohup` does.
    let first = format!("trap '' HUP; {tacho} run --quick & pid=$!; while [ ! -e mark ]; do sleep 0.05; done;");
    let said = env.shell(&format!("{first} kill -HUP $pid; sleep 0.5; echo > go; wait $pid"));
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert_eq!(kept(&env), (Completeness::Sealed, 2));
}

#[test]
fn an_interruption_before_the_first_round_is_no_answer() {
    let env = project(&SUITE.replace("def track_early(): return 1", ""));
    let said = env.tacho_until(&["run", "--quick"], "mark", "INT");
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert_eq!(kept(&env), (Completeness::Interrupted, 0));
    env.write("go", "");
    env.tacho(&["run", "--resume"]).with_code(0);
}

#[test]
fn an_interruption_while_the_suite_is_loaded_keeps_nothing() {
    let env = project("import os, time\nopen(os.environ['MARK'], 'w').close()\ntime.sleep(60)\n");
    let said = env.tacho_until(&["run", "--quick"], "mark", "INT");
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("nothing has been measured"), "{}", said.all());
    assert!(!env.path(".tacho").exists());
}

#[test]
fn a_run_that_keeps_nothing_that_is_interrupted_does_not_say_that_it_could_go_on() {
    let env = project(SUITE);
    let said = env.tacho_until(&["run", "--quick", "--keep-nothing"], "mark", "INT");
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stderr.contains("Interrupted: nothing is kept."), "{}", said.all());
    assert!(!said.stderr.contains("--resume"), "{}", said.all());
}

/// Runs `tacho` on a terminal that is closed once the file `mark` is there, and says how it ended.
const CLOSED_TERMINAL: &str = "
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
while not os.path.exists('mark'): time.sleep(0.01)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

#[test]
fn a_terminal_that_is_closed_leaves_a_partial_run() {
    let env = project(SUITE);
    env.write_home("closed.py", CLOSED_TERMINAL);
    let script = env.home("closed.py").display().to_string();
    let said = env.shell(&format!("python3 {script} {} run --quick", env!("CARGO_BIN_EXE_tacho")));
    assert_eq!(said.with_code(0), "3\n");
    check_goes_on(&env);
}

fn started(env: &TestEnv, flags: &[&str]) -> Child {
    let mut command = env.command(&[&["run", "--quick"], flags].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn nobody_has_to_listen() {
    for flags in [&[][..], &["--json"]] {
        let env = project(SUITE);
        let mut run = started(&env, flags);
        drop((run.stdout.take(), run.stderr.take()));
        env.write("go", "");
        assert_eq!(run.wait().unwrap().code(), Some(0));
        assert_eq!(kept(&env), (Completeness::Sealed, 2));
    }
}

#[test]
fn results_that_cannot_be_written_are_told_and_kept() {
    let env = project(SUITE);
    env.write("go", "");
    let said = env.shell(&format!("{} run --quick > /dev/full", env!("CARGO_BIN_EXE_tacho")));
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stderr.contains("warning: standard output could not be written to"), "{}", said.all());
    assert_eq!(kept(&env), (Completeness::Sealed, 2));
}
