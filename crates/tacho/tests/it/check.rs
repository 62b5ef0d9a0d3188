//! `tacho check`: what is broken, without measuring anything.

use std::process::Stdio;

use crate::env::TestEnv;

const FINE: &str = "
import os
class Sorts:
    params = [10, 100]
    param_names = ['n']
    def setup(self, n): self.data = list(range(n))
    def teardown(self, n): del self.data
    def time_sort(self, n): os.abort()
def track_answer(): os.abort()
track_answer.version = '7'
";

fn check(files: &[(&str, &str)], arguments: &[&str]) -> String {
    TestEnv::with_project(files).tacho(&[&["check"], arguments].concat()).all()
}

fn broken() -> TestEnv {
    let suite = "
class Broken:
    params = ([1, 2, 3], ['a'])
    param_names = ['n', 'kind']
    def setup(self, n, kind):
        print('preparing', n)
        if n < 3: raise ValueError('no data')
    def time_it(self, n, kind): pass
    def track_arguments(self, n): return n
def track_skipped(): return 1
def setup_nothing(): raise NotImplementedError('only on Mondays')
track_skipped.setup = setup_nothing
def time_slow(): pass
time_slow.timeout = 'abc'
def time_typo(): pass
time_typo.time_out = 5
def time_twice(): pass
def time_twice(): pass
class Cached:
    def setup_cache(self): raise OSError('no network')
    def track_a(self, cache): return 1
    def track_b(self, cache): return 1
";
    TestEnv::with_project(&[("benchmarks/bad.py", suite), ("benchmarks/syntax.py", "def time_x(:\n")])
}

#[test]
fn a_suite_that_is_fine_is_one_line_and_no_benchmark_is_called() {
    let env = TestEnv::with_project(&[("benchmarks/a.py", FINE)]);
    let said = env.tacho(&["check"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert_eq!(said.stdout, "2 benchmarks, 3 cases: 3 ready\n");
    assert!(!env.path(".tacho").exists(), "nothing is kept");
}

#[test]
fn everything_that_is_broken_is_told() {
    let said = broken().tacho(&["check"]);
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"CPython 3\.\d+\.\d+", "CPython [VERSION]");
    settings.add_filter(r"SyntaxError: .*", "SyntaxError: [WORDS]");
    settings.bind(|| insta::assert_snapshot!(said.all()));
}

#[test]
fn details_tell_how_it_happened() {
    let said = broken().tacho(&["check", "--details", "-b", "time_it", "-b", "Cached"]);
    assert_eq!(said.code, Some(1), "{}", said.all());
    for words in ["[PROJECT]/benchmarks/bad.py\", line 7, in setup", "preparing 1", "OSError: no network"] {
        assert!(said.stdout.contains(words), "{words} in {}", said.all());
    }
}

#[test]
fn json_has_every_case_and_every_finding() {
    let said = broken().tacho(&["check", "--json"]).json(1);
    assert_eq!((&said["schema"], &said["fine"]), (&"tacho.check/1".into(), &false.into()));
    let counts = &said["counts"];
    assert_eq!((&counts["cases"], &counts["ready"], &counts["skipped"]), (&12.into(), &4.into(), &1.into()));
    let of = |name: &str| -> Vec<String> {
        let cases = said["cases"].as_array().unwrap().iter().filter(|case| case["benchmark"] == name);
        cases.map(|case| format!("{} {}", case["state"].as_str().unwrap(), case["phase"])).collect()
    };
    assert_eq!(of("bad.Broken.time_it"), ["failed \"setup\"", "failed \"setup\"", "ready null"]);
    assert_eq!(of("bad.Broken.track_arguments")[2], "failed \"arguments\"");
    assert_eq!(of("bad.track_skipped"), ["skipped null"]);
    let levels: Vec<_> = said["remarks"].as_array().unwrap().iter().map(|f| f["level"].clone()).collect();
    assert_eq!(levels, ["error", "note"]);
    let problems: Vec<_> = said["problems"].as_array().unwrap().iter().map(|p| p["error"].clone()).collect();
    assert_eq!(problems[1], "its timeout is 'abc'");
}

#[test]
fn patterns_narrow_what_is_checked_and_what_counts() {
    let env = broken();
    assert_eq!(env.tacho(&["check", "-b", r"time_it\(3"]).with_code(0), "1 benchmark, 1 case: 1 ready\n");
    let typo = env.tacho(&["check", "-b", "time_typo"]).with_code(0);
    assert!(typo.contains("is `timeout` meant?") && typo.contains("1 ready"), "{typo}");
    env.tacho(&["check", "-b", "time_slow"]).with_code(1);
    let said = env.tacho(&["check", "-b", "time_tpyo"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("did you mean `bad.time_typo`?"), "{}", said.all());
}

#[test]
fn a_file_is_checked_without_any_project() {
    let env = TestEnv::new();
    env.write("speed.py", FINE);
    assert_eq!(env.tacho(&["check", "speed.py"]).with_code(0), "2 benchmarks, 3 cases: 3 ready\n");
}

#[test]
fn a_suite_that_cannot_be_loaded_at_all_is_broken_and_an_empty_one_is_no_answer() {
    let said = check(&[("benchmarks/__init__.py", "import nothing_of_that_name\n")], &[]);
    assert!(said.starts_with("exit: 1") && said.contains("the suite's __init__.py: ModuleNotFoundError"), "{said}");
    let said = check(&[("benchmarks/a.py", "def speed(): pass\n")], &[]);
    assert!(said.starts_with("exit: 2") && said.contains("whose name starts with time_"), "{said}");
}

#[test]
fn cases_that_end_their_process_or_their_time_cost_themselves() {
    let suite = "
import os, time
class Ends:
    params = ['exit', 'abort', 'hang', 'fine']
    def setup(self, how):
        if how == 'exit': os._exit(7)
        if how == 'abort': os.abort()
        while how == 'hang': pass
    def track_it(self, how): return 1
    track_it.timeout = 0.5
";
    let env = TestEnv::with_project(&[("benchmarks/ends.py", suite)]);
    let states: Vec<_> = env.tacho(&["check", "--json"]).json(1)["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| (case["state"].clone(), case["message"].clone()))
        .collect();
    let expected = [
        ("failed", "exited with status 7 before it answered".into()),
        ("killed", "ended by SIGABRT".into()),
        ("timed_out", "ran longer than its limit of 0.5 s".into()),
        ("ready", serde_json::Value::Null),
    ];
    assert_eq!(states, expected.map(|(state, message)| (state.into(), message)));
}

#[test]
fn modules_that_cannot_be_forked_and_shared_caches_are_checked_too() {
    let threads = "
import threading, time
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
class Shared:
    params = list(range(4))
    def setup_cache(self): return {'n': 3}
    def setup(self, cache, n): assert cache['n'] == 3
    def track_it(self, cache, n): return 1
";
    let env = TestEnv::with_project(&[("benchmarks/threads.py", threads), ("benchmarks/a.py", FINE)]);
    let said = env.tacho(&["check", "-j", "3"]);
    assert_eq!(said.stdout, "3 benchmarks, 7 cases: 7 ready\n", "{}", said.all());
}

#[test]
fn cases_are_set_up_at_the_same_time() {
    // Each case waits for the other one: in turn, neither could be set up.
    let suite = "
import os, time
class Meets:
    params = ['a', 'b']
    timeout = 20
    def setup(self, me):
        other = {'a': 'b', 'b': 'a'}[me]
        open(os.environ['PLACE'] + me, 'w').close()
        while not os.path.exists(os.environ['PLACE'] + other): time.sleep(0.01)
    def track_it(self, me): return 1
";
    let one = suite.replace("['a', 'b']", "['a']");
    let other = suite.replace("['a', 'b']", "['b']");
    let env = TestEnv::with_project(&[("benchmarks/one.py", &one), ("benchmarks/other.py", &other)]);
    let place = env.path("place-");
    env.write("tacho.toml", &format!("[environment.variables]\nPLACE = '{}'\n", place.display()));
    let said = env.tacho(&["check", "-j", "2"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
}

#[test]
fn an_interruption_is_no_answer() {
    let suite = "
import os, time
def setup():
    open(os.environ['MARK'], 'w').close()
    while True: time.sleep(60)
def track_it(): return 1
";
    let env = TestEnv::with_project(&[("benchmarks/slow.py", suite)]);
    env.write("tacho.toml", &format!("[environment.variables]\nMARK = '{}'\n", env.path("mark").display()));
    let mut child = env.command(&["check"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !env.path("mark").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it is still setting up");
        std::thread::yield_now();
    }
    let _ = env.shell(&format!("kill -INT {}", child.id()));
    assert_eq!(child.wait().unwrap().code(), Some(2));
}
