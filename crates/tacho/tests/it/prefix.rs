//! Programs that stand before the interpreter, those that give way to it and those that stay its parent.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tacho_measure::{
    Discovery, Executor, Launch, LaunchMethod, Launchers, PythonConfig, PythonExecutor, SessionError, SuiteSource,
    Task, unpack_runner,
};
use tacho_model::{Round, State};

use crate::env::test_python;

/// A shell that waits for what it starts, and passes on how that ended.
const SHELL: &[&str] = &["sh", "-c", "\"$@\"; exit $?", "sh"];

const PREFIXES: [&[&str]; 5] = [&[], &["env", "LED=1"], &["nice", "-n", "1"], &["setsid", "-w"], SHELL];

const SUITE: &str = "
import os, time

def time_quick():
    pass

def peakmem_large():
    return b'x' * 60_000_000

def time_crash():
    os.kill(os.getpid(), 11)

def time_never():
    with open(os.environ['MARK'], 'w') as file:
        file.write(str(os.getpid()))
    time.sleep(600)
time_never.timeout = 4
";

/// A suite that is measured behind a prefix.
struct World {
    folder: tempfile::TempDir,
    executor: PythonExecutor,
}

impl World {
    fn new(prefix: &[&str], program: &str, launch_method: LaunchMethod) -> World {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite.py");
        std::fs::write(&suite, SUITE).unwrap();
        let scratch = folder.path().join("scratch");
        std::fs::create_dir(&scratch).unwrap();
        let mark = folder.path().join("mark").display().to_string();
        let launch = Launch {
            launchers: Launchers::new(env!("CARGO_BIN_EXE_tacho").into()),
            prefix: prefix.iter().map(ToString::to_string).collect(),
            program: program.into(),
            runner: unpack_runner(folder.path()).unwrap(),
            variables: vec![("MARK".into(), Some(mark))],
            output_limit_bytes: 64 * 1024,
            interrupted: Arc::new(AtomicBool::new(false)),
            places: None,
        };
        let executor = PythonExecutor::new(PythonConfig {
            launch,
            suite: SuiteSource::File(suite),
            launch_method,
            method: "asv/2".into(),
            default_timeout_s: 60.0,
            affinity: None,
            scratch,
        });
        World { folder, executor }
    }

    fn measure(&mut self, name: &str) -> Round {
        let Discovery { benchmarks, .. } = self.executor.discover().unwrap();
        let benchmark = benchmarks.iter().find(|benchmark| benchmark.name == name).unwrap();
        let case = benchmark.case(0).unwrap();
        let settings = [("repeat", 2), ("number", 1), ("warmup_time", 0)];
        let settings = settings.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        let task = Task { benchmark, case: &case, round: 0, slot: 0, settings };
        self.executor.begin_round(0).unwrap();
        self.executor.measure(&task).unwrap()
    }
}

fn check(prefix: &[&str], launch_method: LaunchMethod, name: &str, expected: State) -> (World, Round) {
    let mut world = World::new(prefix, &test_python(), launch_method);
    let round = world.measure(&format!("suite.{name}"));
    assert_eq!(round.state, expected, "{prefix:?} {launch_method:?}: {round:?}");
    (world, round)
}

#[test]
fn cases_are_measured_behind_any_program() {
    for prefix in PREFIXES {
        for method in [LaunchMethod::Auto, LaunchMethod::Spawn] {
            let (_world, round) = check(prefix, method, "time_quick", State::Measured);
            assert_eq!(round.observed.get("leftover_processes"), None, "{prefix:?}");
        }
    }
}

#[test]
fn memory_is_that_of_the_interpreter() {
    for prefix in PREFIXES {
        let (_world, round) = check(prefix, LaunchMethod::Auto, "peakmem_large", State::Measured);
        let peak = round.samples["peak_memory"].values()[0];
        assert!((60e6..200e6).contains(&peak), "{prefix:?}: {peak}");
    }
}

#[test]
fn a_crash_is_told_as_the_signal_that_it_was() {
    for prefix in [&[][..], &["env", "LED=1"], &["nice", "-n", "1"], SHELL] {
        for method in [LaunchMethod::Auto, LaunchMethod::Spawn] {
            let (_world, round) = check(prefix, method, "time_crash", State::Killed);
            let message = round.message.unwrap_or_default();
            assert!(message.contains("SIGSEGV"), "{prefix:?} {method:?}: {message}");
        }
    }
}

fn check_late(prefix: &[&str], method: LaunchMethod) {
    let (world, round) = check(prefix, method, "time_never", State::TimedOut);
    let detail = round.detail.unwrap_or_default();
    assert!(detail.contains("in time_never"), "{prefix:?} {method:?}: {detail}");
    let pid = std::fs::read_to_string(world.folder.path().join("mark")).unwrap();
    assert!(!Path::new("/proc").join(&pid).exists(), "{prefix:?} {method:?}: {pid} still runs");
}

#[test]
fn what_takes_too_long_says_where_it_is_and_is_gone() {
    // All at once: each waits for its limit, and does nothing else.
    std::thread::scope(|scope| {
        for prefix in PREFIXES {
            scope.spawn(move || check_late(prefix, LaunchMethod::Spawn));
        }
        scope.spawn(|| check_late(SHELL, LaunchMethod::Auto));
    });
}

fn check_error(prefix: &[&str], program: &str, expected: &str) -> String {
    let mut world = World::new(prefix, program, LaunchMethod::Auto);
    let error = world.executor.discover().unwrap_err();
    assert_eq!(error.to_string(), expected, "{prefix:?}");
    match error {
        SessionError::NoRunner { output, .. } => output,
        _ => String::new(),
    }
}

#[test]
fn the_program_that_is_missing_is_named() {
    check_error(&["no-such-prefix", "-x"], &test_python(), "no program `no-such-prefix`");
    check_error(&["/no/such/prefix"], &test_python(), "no program `/no/such/prefix`");
    let unled = "it is no Python to measure in: it exited with status 127 before it answered";
    let output = check_error(&["env", "LED=1"], "no-such-python", unled);
    assert!(output.contains("no-such-python"), "{output}");
}
