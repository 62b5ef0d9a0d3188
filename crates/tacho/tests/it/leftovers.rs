//! What a benchmark leaves behind, however far it has gone, is gone before the next one, and when the run is.

use std::process::Stdio;

use tacho_store::Store;

use crate::env::TestEnv;

/// Leaves a process in its group, one in another session, and a daemon whose parent has ended.
const SUITE: &str = r#"
import os, time

def leave(*steps):
    reader, writer = os.pipe()
    if os.fork() == 0:
        for step in steps: step()
        os.write(writer, b'%d' % os.getpid())
        time.sleep(1234.5)
    with open(os.environ['MARK'] + '.new', 'a') as file:
        file.write(os.read(reader, 20).decode() + ' ')

def fork():
    if os.fork(): os._exit(0)

def leave_all():
    leave()
    leave(os.setsid)
    leave(fork, os.setsid, fork)
    os.rename(os.environ['MARK'] + '.new', os.environ['MARK'])

def is_alive(pid):
    try:
        return open('/proc/%s/stat' % pid).read().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False

def track_1_leaving():
    leave_all()
    return 1

def track_2_alive():
    return sum(map(is_alive, open(os.environ['MARK']).read().split()))
"#;

fn world(suite: &str) -> TestEnv {
    let env = TestEnv::with_project(&[("benchmarks/leaving.py", suite)]);
    env.write("tacho.toml", &format!("[environment.variables]\nMARK = '{}'\n", env.path("mark").display()));
    env
}

fn pids(env: &TestEnv) -> Vec<String> {
    let text = std::fs::read_to_string(env.path("mark")).unwrap();
    text.split_whitespace().map(str::to_owned).collect()
}

fn is_alive(pid: &String) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn check(method: &str) {
    let env = world(SUITE);
    let said = env.tacho(&["run", "--quick", "--launch-method", method]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    let store = Store::open(&env.path(".tacho"));
    let rounds = store.read(&store.entries().unwrap().entries.last().unwrap().path).unwrap().rounds;
    let value = |k: usize| rounds[k].samples["value"].values()[0];
    assert_eq!((value(0), value(1)), (1.0, 0.0), "{method}");
    let left = |k: usize| rounds[k].observed.get("leftover_processes").copied();
    assert_eq!((left(0), left(1)), (Some(2.0), None), "{method}");
    assert_eq!(pids(&env).len(), 3);
}

#[test]
fn the_next_case_meets_none_of_it() {
    check("fork");
    check("spawn");
}

/// Kills the run itself once a benchmark has left processes and stays.
fn check_killed(method: &str) {
    let env = world(&SUITE.replace("    return 1\n", "    time.sleep(1234.5)\n"));
    let flags = ["run", "--quick", "--launch-method", method];
    let mut run = env.command(&flags).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !env.path("mark").exists() {
        assert!(run.try_wait().unwrap().is_none(), "it is still measuring");
        std::thread::yield_now();
    }
    let pids = pids(&env);
    assert_eq!((pids.len(), pids.iter().filter(|pid| is_alive(pid)).count()), (3, 3));
    run.kill().unwrap();
    run.wait().unwrap();
    let began = std::time::Instant::now();
    while pids.iter().any(is_alive) {
        assert!(began.elapsed().as_secs() < 20, "{method}: a process outlives the run");
        std::thread::yield_now();
    }
}

#[test]
fn a_run_that_is_killed_takes_it_along() {
    check_killed("fork");
    check_killed("spawn");
}

#[test]
fn peak_memory_of_a_benchmark_is_its_own_however_large_its_starter() {
    let large = vec![1_u8; 300_000_000];
    let env = world("def peakmem_nothing(): pass\ndef peakmem_block(): return bytes(b'x' * 100_000_000)\n");
    let results = env.tacho(&["run", "--quick", "--json"]).json(0)["runs"][0]["results"].clone();
    let value = |k: usize| results[k]["value"].as_f64().unwrap();
    assert!((5e6..60e6).contains(&value(0)), "{}", value(0));
    assert!((100e6..260e6).contains(&value(1)), "{}", value(1));
    assert_eq!(large.iter().map(|byte| u64::from(*byte)).sum::<u64>(), 300_000_000);
}
