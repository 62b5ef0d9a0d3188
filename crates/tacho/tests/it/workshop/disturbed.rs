//! Builds that hang, are interrupted or killed, that several want at once, and machines that are to blame.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tacho_measure::environments::{Code, MakeError, Order, Source, Tool};

use super::bench::{Bench, search};

/// Tells the process that a test starts where to work.
const CHILD: &str = "TACHO_TEST_WORKSHOP_CHILD";

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed().as_secs() < 60, "{} is still awaited", path.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn nothing_is_left(bench: &Bench) {
    assert_eq!(bench.environments(), Vec::<String>::new());
    let marker = bench.path("cache").display().to_string();
    let running = std::fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let read = |file: &str| std::fs::read(entry.path().join(file)).unwrap_or_default();
        String::from_utf8_lossy(&read("environ")).contains(&marker)
    });
    assert_eq!(running.count(), 0, "processes of the build still run");
}

#[test]
fn a_build_that_hangs_is_killed_with_all_it_has_started() {
    let bench = Bench::new(Tool::Uv);
    let mark = bench.path("hangs");
    bench.write("code/hang.txt", &mark.display().to_string());
    let workshop = bench.workshop_with(Duration::from_secs(2), search());
    let MakeError::Failed(build) = bench.make(&workshop, "one").unwrap_err() else { panic!("it has not failed") };
    let told = build.failure.unwrap();
    assert!(told.starts_with("`uv build` did not end within 2 s and was killed"), "{told}");
    assert!(mark.exists());
    nothing_is_left(&bench);
}

#[test]
fn an_interrupt_ends_a_build_and_leaves_nothing_that_could_be_used() {
    let bench = Bench::new(Tool::Uv);
    let mark = bench.path("hangs");
    bench.write("code/hang.txt", &mark.display().to_string());
    let workshop = bench.workshop();
    let interrupted = std::sync::Arc::clone(&bench.interrupted);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            wait_for(&mark);
            interrupted.store(true, Ordering::Relaxed);
        });
        assert!(matches!(bench.make(&workshop, "one").unwrap_err(), MakeError::Interrupted));
    });
    nothing_is_left(&bench);
    assert!(bench.with_order("one", |order| workshop.failed_before(order)).is_none(), "an interrupt is no outcome");
    bench.interrupted.store(false, Ordering::Relaxed);
    std::fs::remove_file(bench.path("code/hang.txt")).unwrap();
    bench.make(&workshop, "one").unwrap();
}

/// The other process of the next test: it makes an environment and is killed meanwhile.
#[test]
fn other_process() {
    let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let bench = Bench::at(&folder, Tool::Uv);
    let workshop = bench.workshop();
    bench.make(&workshop, "one").unwrap();
}

fn child(folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["workshop::disturbed::other_process", "--exact", "--test-threads=1"]).env(CHILD, folder);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
}

#[test]
fn whenever_it_is_killed_the_next_try_makes_a_whole_environment() {
    let bench = Bench::new(Tool::Uv);
    for round in 0..12_u64 {
        let mut process = child(&bench.path(""));
        // From before the first command to after the last.
        std::thread::sleep(Duration::from_millis(30 + round * 45));
        let _ = process.kill();
        process.wait().unwrap();
        let made = bench.make(&bench.workshop(), "one").unwrap();
        assert_eq!(bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.VALUE)"), "1", "{round}");
        drop(made);
        if round % 2 == 0 {
            std::fs::remove_dir_all(bench.path("cache")).unwrap();
        }
    }
}

#[test]
fn what_an_interrupted_build_has_left_is_made_anew() {
    let bench = Bench::new(Tool::Uv);
    let workshop = bench.workshop();
    let made = bench.make(&workshop, "one").unwrap();
    let package = made.python.parent().unwrap().join("../lib");
    drop(made);
    // Without the marker, and with half of the files: as a kill leaves it.
    let folder = bench.path("cache/envs").join(&bench.environments()[0]);
    std::fs::remove_file(folder.join("tacho-made.json")).unwrap();
    std::fs::remove_dir_all(package).unwrap();
    assert!(bench.with_order("one", |order| workshop.ready(order)).is_none());
    let made = bench.make(&workshop, "one").unwrap();
    assert_eq!(bench.run(&made.python, "import tiny_pkg; print(tiny_pkg.VALUE)"), "1");
    assert_eq!(bench.n_checkouts.get(), 1, "the wheel was whole");
    // An environment whose interpreter is gone is none.
    std::fs::remove_file(&made.python).unwrap();
    drop(made);
    assert!(bench.with_order("one", |order| workshop.ready(order)).is_none());
    bench.make(&workshop, "one").unwrap();
}

#[test]
fn of_several_that_want_the_same_one_makes_it() {
    let mut bench = Bench::new(Tool::Uv);
    let log = bench.path("built.log");
    bench.spec.build_variables.insert("TINY_LOG".into(), log.display().to_string());
    let code = bench.path("code");
    let (spec, workshops) = (&bench.spec, [bench.workshop(), bench.workshop()]);
    std::thread::scope(|scope| {
        for k in 0..4 {
            let (workshop, code) = (&workshops[k % 2], &code);
            scope.spawn(move || {
                let check_out = |_: &str| Ok(code.clone().into());
                let code = Code { id: "one", commit: None, check_out: &check_out, subdir: None };
                let order = Order { project: "tiny-pkg", spec, source: Source::Code(code) };
                workshop.make(&order, &|_| {}).unwrap();
            });
        }
    });
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "\n");
    assert_eq!(bench.environments().len(), 1);
}

#[test]
fn different_orders_are_made_at_once_in_slots_of_their_own() {
    let bench = Bench::new(Tool::Uv);
    let workshop = bench.workshop();
    let (code, busy) = (bench.path("code"), std::sync::Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for id in ["one", "two", "three"] {
            let (workshop, code, busy, spec) = (&workshop, &code, &busy, &bench.spec);
            scope.spawn(move || {
                let check_out = |slot: &str| {
                    busy.lock().unwrap().push(slot.to_owned());
                    Ok(code.clone().into())
                };
                let code = Code { id, commit: None, check_out: &check_out, subdir: None };
                let order = Order { project: "tiny-pkg", spec, source: Source::Code(code) };
                workshop.make(&order, &|_| {}).unwrap();
            });
        }
    });
    assert_eq!(bench.environments().len(), 3);
    assert!(busy.lock().unwrap().iter().all(|slot| ["1", "2", "3"].contains(&slot.as_str())));
}

fn check_blame(words: &str, expected: &str) {
    let bench = Bench::new(Tool::Uv);
    bench.write("code/refuse.txt", words);
    let workshop = bench.workshop();
    let error = bench.make(&workshop, "one").unwrap_err();
    assert!(error.to_string().starts_with(expected), "{error}");
    assert!(bench.with_order("one", |order| workshop.failed_before(order)).is_none(), "it is not the commit's failure");
    nothing_is_left(&bench);
}

#[test]
fn what_the_machine_is_to_blame_for_is_no_outcome_of_the_commit() {
    check_blame("cannot write a.o: No space left on device", "no room on the disk: ");
    check_blame("urlopen error: Temporary failure in name resolution", "the network did not answer: ");
}

#[test]
fn a_checkout_that_fails_is_told_as_it_is() {
    let bench = Bench::new(Tool::Uv);
    let check_out = |_: &str| Err("no commit `one`".into());
    let code = Code { id: "one", commit: None, check_out: &check_out, subdir: None };
    let order = Order { project: "tiny-pkg", spec: &bench.spec, source: Source::Code(code) };
    let error = bench.workshop().make(&order, &|_| {}).unwrap_err();
    assert_eq!((matches!(error, MakeError::CheckOut(_)), error.to_string()), (true, "no commit `one`".into()));
}
