//! Cases are forked where that is safe, spawned where it is not, and spawned once more where nobody could know.

use std::path::Path;

use tacho_model::{Isolation, Round, State};
use tacho_store::Store;

use crate::env::{Said, TestEnv};

const GOOD: &str = "def track_good(): return 1\n";

/// A world with these modules, in which the fake libraries can be imported.
fn world(modules: &[(&str, &str)], timeout_s: f64) -> TestEnv {
    let files: Vec<(String, &str)> =
        modules.iter().map(|(name, text)| (format!("benchmarks/{name}.py"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let env = TestEnv::with_project(&files);
    let fakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/tests/fakes").canonicalize().unwrap();
    let settings = "[run]\ntimeout_s = {timeout}\n[environment.variables]\nPYTHONPATH = '{fakes}'\n";
    let settings = settings.replace("{timeout}", &timeout_s.to_string());
    env.write("tacho.toml", &settings.replace("{fakes}", &fakes.display().to_string()));
    env
}

/// The rounds of the newest record.
fn rounds(env: &TestEnv) -> Vec<Round> {
    let store = Store::open(&env.path(".tacho"));
    store.read(&store.entries().unwrap().entries.last().unwrap().path).unwrap().rounds
}

/// Returns `benchmark: state isolation values`, with `hung` where a fork was.
fn told(round: &Round) -> String {
    let values: Vec<f64> = round.samples.values().flat_map(|samples| samples.values()).collect();
    let hung = if round.observed.contains_key("hung_forks") { " hung" } else { "" };
    format!("{}: {} {} {values:?}{hung}", round.benchmark, round.state.word(), round.isolation.word())
}

fn check(modules: &[(&str, &str)], timeout_s: f64, flags: &[&str], expected: &[&str]) -> Said {
    let env = world(modules, timeout_s);
    let said = env.tacho(&[&["run", "--quick"], flags].concat());
    let made: Vec<String> = rounds(&env).iter().map(told).collect();
    assert_eq!(made, expected, "{}", said.all());
    said
}

#[test]
fn libraries_that_are_known_to_suffer_are_spawned() {
    let import = |name: &str| format!("import {name}\ndef track_it(): return 2\n");
    let [jax, tensorflow, cupy] = ["jax", "tensorflow", "cupy"].map(import);
    let cuda = "import torch\ntorch.cuda.init()\ndef track_it(): return 2\n";
    let idle = "import torch\ndef track_it(): return 2\n";
    let modules = [("a", jax.as_str()), ("b", &tensorflow), ("c", &cupy), ("d", cuda), ("e", idle), ("f", GOOD)];
    let expected = [
        "a.track_it: measured spawn [2.0]",
        "b.track_it: measured spawn [2.0]",
        "c.track_it: measured spawn [2.0]",
        "d.track_it: measured spawn [2.0]",
        "e.track_it: measured fork [2.0]",
        "f.track_good: measured fork [1.0]",
    ];
    let said = check(&modules, 20.0, &[], &expected);
    let talk: Vec<&str> = said.stderr.lines().filter(|line| line.contains("forking is not safe")).collect();
    insta::assert_snapshot!(talk.join("\n"), @r"
    Each case of a got a new interpreter; forking is not safe: jax is loaded.
    Each case of b got a new interpreter; forking is not safe: tensorflow is loaded.
    Each case of c got a new interpreter; forking is not safe: cupy is loaded.
    Each case of d got a new interpreter; forking is not safe: torch has initialised CUDA.
    ");
}

const POOLED: &str = "import pooled\ndef track_it(): return pooled.double(21)\n";

#[test]
fn a_thread_is_seen_before_anything_stands_still() {
    let modules = [("a", POOLED), ("b", GOOD)];
    let expected = ["a.track_it: measured spawn [42.0]", "b.track_good: measured fork [1.0]"];
    let said = check(&modules, 20.0, &[], &expected);
    assert!(said.stderr.contains("Each case of a got a new interpreter; forking is not safe: 2 Python threads"));
}

#[test]
fn a_fork_that_stands_still_is_tried_once_in_a_new_interpreter() {
    let hidden = "
import hidden_lock
def track_1(): return hidden_lock.double(21)
def track_2(): return hidden_lock.double(22)
class Cases:
    params = [1, 2]
    def track_3(self, n): return hidden_lock.double(n)
";
    let modules = [("a", hidden), ("b", GOOD)];
    // The first case shows what its module is like.
    let expected = [
        "a.Cases.track_3: measured spawn [2.0] hung",
        "a.Cases.track_3: measured spawn [4.0]",
        "a.track_1: measured spawn [42.0]",
        "a.track_2: measured spawn [44.0]",
        "b.track_good: measured fork [1.0]",
    ];
    let said = check(&modules, 2.0, &[], &expected);
    let told = "Each case of a got a new interpreter; forking is not safe: one that was forked stood still until its time was up.";
    assert!(said.stderr.contains(told), "{}", said.all());
}

#[test]
fn so_is_one_that_never_begins() {
    let modules = [("a", "import forks_never\ndef track_it(): return forks_never.double(21)\n"), ("b", GOOD)];
    let expected = ["a.track_it: measured spawn [42.0] hung", "b.track_good: measured fork [1.0]"];
    assert_eq!(check(&modules, 2.0, &[], &expected).code, Some(0));
}

#[test]
fn so_is_a_cache() {
    let cached = "
import hidden_lock
class Cached:
    def setup_cache(self): return hidden_lock.double(21)
    def track_it(self, cache): return cache + hidden_lock.double(1)
";
    let expected = ["a.Cached.track_it: measured spawn [44.0]"];
    let said = check(&[("a", cached)], 2.0, &[], &expected);
    assert!(said.stderr.contains("stood still"), "{}", said.all());
}

#[test]
fn what_sleeps_too_long_is_timed_out_and_its_module_forked_all_the_same() {
    let sleepy = "
import time
def track_1(): time.sleep(1000)
def track_2(): return 2
def track_3():
    while True: pass
";
    let expected =
        ["a.track_1: timed_out fork [] hung", "a.track_2: measured fork [2.0]", "a.track_3: timed_out fork []"];
    let said = check(&[("a", sleepy)], 1.0, &[], &expected);
    assert!(!said.stderr.contains("forking is not safe"), "{}", said.all());
}

#[test]
fn what_is_asked_is_done_and_told() {
    let modules = [
        ("a", "import jax\ndef track_it(): return 2\n"),
        ("b", "def timeraw_it(): return 'pass'\ndef peakmem_it(): pass\n"),
    ];
    let env = world(&modules, 20.0);
    for (method, expected) in [("auto", "spawn"), ("fork", "fork"), ("forkserver", "fork"), ("spawn", "spawn")] {
        let said = env.tacho(&["run", "--quick", "--launch-method", method]);
        let made = rounds(&env);
        // Whatever is asked, these are never forked: the other memory would count, and they start processes themselves.
        assert!(made.iter().filter(|round| round.benchmark.starts_with('b')).all(|r| r.isolation == Isolation::Spawn));
        assert_eq!(made.iter().find(|round| round.benchmark.starts_with('a')).unwrap().isolation.word(), expected);
        assert!(made.iter().all(|round| round.state == State::Measured));
        assert_eq!(said.stderr.contains("was forked as asked, which is not safe: jax"), expected == "fork", "{method}");
        assert_eq!(said.stderr.contains("got a new interpreter"), method == "auto", "{method}");
    }
    let said = env.tacho(&["run", "--launch-method", "thread"]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("[possible values: auto, fork, forkserver, spawn]"), "{}", said.all());
}
