//! Suites that do everything wrong: each costs itself and nothing else.

use std::process::Stdio;

use crate::env::TestEnv;

const GOOD: &str = "def track_good(): return 1\n";

/// Measures a suite of one bad module beside a good one, and returns what was said.
fn beside_a_good_one(bad: &str) -> (TestEnv, crate::env::Said) {
    let env = TestEnv::with_project(&[("benchmarks/bad.py", bad), ("benchmarks/good.py", GOOD)]);
    let said = env.tacho(&["run", "--quick"]);
    (env, said)
}

fn check_import(bad: &str, told: &str) {
    let (_env, said) = beside_a_good_one(bad);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stdout.contains("1 case: 1 measured"), "{}", said.all());
    assert!(said.stderr.contains("module bad") && said.stderr.contains(told), "{}", said.all());
}

#[test]
fn a_module_that_ends_the_interpreter_at_import_costs_itself() {
    check_import("import os\nos._exit(7)\n", "exited with status 7");
    check_import("import os\nos.abort()\n", "SIGABRT");
    check_import("import ctypes\nctypes.string_at(0)\n", "SIGSEGV");
    check_import("raise SystemExit('bye')\n", "SystemExit: bye");
}

#[test]
fn a_module_that_ends_its_second_import_costs_its_cases() {
    let bad = "
import os
if os.path.exists(os.environ['MARK']): os._exit(9)
open(os.environ['MARK'], 'w').close()
def track_bad(): return 1
";
    let env = TestEnv::with_project(&[("benchmarks/bad.py", bad), ("benchmarks/good.py", GOOD)]);
    env.write("tacho.toml", &format!("[environment.variables]\nMARK = '{}'\n", env.path("mark").display()));
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stdout.contains("2 cases: 1 measured, 1 failed"), "{}", said.all());
    assert!(said.stdout.contains("import: exited with status 9 before i"), "{}", said.all());
}

#[test]
fn limits_that_are_none_do_no_harm() {
    let suite = "
def track_a(): return 1
track_a.timeout = -1
def track_b(): return 1
track_b.timeout = 1e20
def track_c(): return 1
track_c.timeout = float('inf')
def track_d(): return 1
track_d.timeout = 'soon'
";
    let env = TestEnv::with_project(&[("benchmarks/limits.py", suite)]);
    let said = env.tacho(&["run", "--quick"]);
    assert!(said.stdout.contains("4 cases: 4 measured"), "{}", said.all());
    for flag in ["timeout=1e20", "timeout=-1", "timeout=inf"] {
        assert_eq!(env.tacho(&["run", "--quick", "-a", flag]).code, Some(2), "{flag}");
    }
}

#[test]
fn a_crash_is_told_at_once_though_a_child_lives_on() {
    let suite = "
import os, signal, time
def peakmem_crash():
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    os.kill(os.getpid(), signal.SIGSEGV)
peakmem_crash.timeout = 50
";
    let env = TestEnv::with_project(&[("benchmarks/crash.py", suite)]);
    let said = env.tacho(&["run", "--quick"]);
    assert!(said.stdout.contains("killed: ended by SIGSEGV"), "{}", said.all());
}

#[test]
fn last_words_before_a_crash_are_kept() {
    let suite = "
import os, sys
def peakmem_words():
    print('x' * 50000)
    print('last words', flush=True)
    os.abort()
";
    let env = TestEnv::with_project(&[("benchmarks/words.py", suite)]);
    let said = env.tacho(&["run", "--quick", "--show-stderr"]);
    assert!(said.stderr.contains("last words"), "{}", said.all());
}

/// Starts a run, waits for the file `mark` to appear, sends a signal and returns the exit code.
fn interrupted(env: &TestEnv, signal: &str) -> Option<i32> {
    let mut run = env.command(&["run", "--quick"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !env.path("mark").exists() {
        assert!(run.try_wait().unwrap().is_none(), "it is still measuring");
        std::thread::yield_now();
    }
    let _ = env.shell(&format!("kill -{signal} {}", run.id()));
    run.wait().unwrap().code()
}

const CHILDREN: &str = "
import os, subprocess
def track_first(): return 1
def track_sub():
    child = subprocess.Popen(['sleep', '1234.5'])
    with open(os.environ['MARK'] + '.tmp', 'w') as f: f.write(str(child.pid))
    os.rename(os.environ['MARK'] + '.tmp', os.environ['MARK'])
    child.wait()
";

fn with_children(kind: &str) -> TestEnv {
    let env = TestEnv::with_project(&[("benchmarks/kids.py", &CHILDREN.replace("track_sub", kind))]);
    env.write("tacho.toml", &format!("[environment.variables]\nMARK = '{}'\n", env.path("mark").display()));
    env
}

fn is_gone(env: &TestEnv) -> bool {
    let pid = std::fs::read_to_string(env.path("mark")).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.is_empty() || stat.contains(") Z ")
}

fn wait_until_gone(env: &TestEnv) {
    let began = std::time::Instant::now();
    while !is_gone(env) {
        assert!(began.elapsed().as_secs() < 20, "the benchmark's child is still there");
        std::thread::yield_now();
    }
}

#[test]
fn an_interruption_keeps_what_was_measured_and_leaves_no_process() {
    for kind in ["track_sub", "peakmem_sub"] {
        let env = with_children(kind);
        let expected = if kind == "track_sub" { Some(3) } else { Some(2) };
        let code = interrupted(&env, "INT");
        assert!(code == expected || code == Some(3), "{kind}: {code:?}");
        wait_until_gone(&env);
        let run = env.tacho(&["show", "--json"]).json(0)["runs"][0].clone();
        assert_eq!(run["complete"], false);
        assert_eq!(run["counts"]["cases"], 2);
    }
}

#[test]
fn nothing_outlives_a_launcher_that_is_killed() {
    for kind in ["track_sub", "peakmem_sub"] {
        let env = with_children(kind);
        let mut run = env.command(&["run", "--quick"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        env.wait_for("mark", || false);
        let _ = env.shell(&format!("kill -KILL $(cat /proc/{0}/task/{0}/children)", run.id()));
        assert!(matches!(run.wait().unwrap().code(), Some(2 | 3)), "{kind}");
        wait_until_gone(&env);
    }
}

#[test]
fn a_run_whose_scratch_folder_is_removed_stops_and_can_go_on() {
    let suite = "
import glob, os, shutil
class A:
    def track_removes(self):
        for path in glob.glob(os.environ['TMPDIR'] + '/tacho-run-*'): shutil.rmtree(path)
        return 1
class B:
    def track_forked(self): return 2
class C:
    def peakmem_spawned(self): pass
";
    let env = TestEnv::with_project(&[("benchmarks/removes.py", suite)]);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stdout.contains("3 cases: 1 measured, 2 not run"), "{}", said.all());
    assert!(said.stderr.contains("the copy of the suite was removed: `"), "{}", said.all());
    let said = env.tacho(&["run", "--resume"]);
    assert!(said.stdout.contains("3 cases: 3 measured"), "{}", said.all());
}

#[test]
fn a_launcher_that_dies_while_it_has_nothing_to_do_costs_nothing() {
    let suite = "
import os, signal
def fields(pid):
    with open(f'/proc/{pid}/stat') as stat: return stat.read().rpartition(')')[2].split()
def parent(pid): return int(fields(pid)[1])
class A:
    def peakmem_before(self): pass
class B:
    def track_kills(self):
        launcher = parent(os.getppid())
        tacho = parent(launcher)
        with open(f'/proc/{tacho}/task/{tacho}/children') as listed: pids = map(int, listed.read().split())
        others = [pid for pid in pids if pid != launcher]
        for pid in others: os.kill(pid, signal.SIGKILL)
        while any(fields(pid)[0] != 'Z' for pid in others): pass
        return len(others) or None
class C:
    def peakmem_after(self): pass
";
    let env = TestEnv::with_project(&[("benchmarks/idle.py", suite)]);
    let said = env.tacho(&["run", "--quick"]);
    assert!(said.stdout.contains("3 cases: 3 measured"), "{}", said.all());
}

#[test]
fn two_signals_at_once_are_one_interruption() {
    let env = with_children("track_sub");
    let mut run = env.command(&["run", "--quick"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !env.path("mark").exists() {
        std::thread::yield_now();
    }
    let _ = env.shell(&format!("kill -TERM {0}; kill -INT {0}; kill -TERM {0}", run.id()));
    assert_eq!(run.wait().unwrap().code(), Some(3));
    wait_until_gone(&env);
}

#[test]
fn a_run_that_is_killed_leaves_a_readable_record() {
    let env = with_children("track_sub");
    assert_eq!(interrupted(&env, "KILL"), None);
    let run = env.tacho(&["show", "--json"]).json(0)["runs"][0].clone();
    assert_eq!((run["complete"].as_bool(), run["results"][0]["state"].as_str()), (Some(false), Some("measured")));
    wait_until_gone(&env);
}

#[test]
fn a_module_that_is_not_safe_to_fork_is_spawned_and_the_others_are_not() {
    let threads = "
import threading, time
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
def track_threads(): return 1
";
    let env = TestEnv::with_project(&[("benchmarks/a.py", GOOD), ("benchmarks/b.py", threads)]);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(said.stderr.contains("Each case of b got a new interpreter"), "{}", said.all());
    assert!(!said.stderr.contains("case of a "), "{}", said.all());
}
