//! `tacho list`.

use crate::env::TestEnv;
use crate::init::at_a_terminal;

const SUITE: &str = "
class Sorts:
    params = ([10, 100], ['a', 'b'])
    param_names = ['n', 'kind']
    def time_sort(self, n, kind): pass
    def track_size(self, n, kind): return n
def time_plain(): pass
";

fn project() -> TestEnv {
    TestEnv::with_project(&[("benchmarks/sorts.py", SUITE)])
}

#[test]
fn benchmarks_are_listed_with_their_cases() {
    insta::assert_snapshot!(project().tacho(&["list"]).all(), @"
    exit: 0
    ----- stdout
      benchmark               kind   cases  version
      ────────────────────────────────────────────────
      sorts.Sorts.time_sort   time       4  951972598d
      sorts.Sorts.track_size  track      4  7ebdee7d24
      sorts.time_plain        time       1  2c3a06ba0d

    3 benchmarks, 9 cases
    ----- stderr
    ");
}

#[test]
fn a_benchmark_without_cases_is_part_of_the_suite() {
    let env = TestEnv::with_project(&[(
        "benchmarks/a.py",
        "def track_a(n): return n\ntrack_a.params = []\nclass C:\n    params = [[], [1]]\n    def track_none(self, a, b): return 1\n",
    )]);
    let said = env.tacho(&["list", "--json"]).json(0);
    let counts: Vec<_> = said["benchmarks"].as_array().unwrap().iter().map(|b| b["n_cases"].clone()).collect();
    assert_eq!(counts, [1, 0]);
    let _ = env.tacho(&["run", "--quick"]);
    assert_eq!(env.tacho(&["show", "--json"]).json(0)["runs"][0]["counts"]["cases"], 1);
}

#[test]
fn patterns_select_benchmarks_and_single_cases() {
    let env = project();
    let names = |pattern: &str| env.tacho(&["list", "--cases", "-b", pattern]).with_code(0);
    assert_eq!(names("plain"), "sorts.time_plain\n");
    assert_eq!(names(r"time_sort\(.*, 'b'\)"), "sorts.Sorts.time_sort(10, 'b')\nsorts.Sorts.time_sort(100, 'b')\n");
    assert_eq!(names(r"^(?!.*Sorts)"), "sorts.time_plain\n");
}

#[test]
fn a_pattern_that_is_none_is_told() {
    insta::assert_snapshot!(project().tacho(&["list", "-b", "a(b"]).all(), @r"
    exit: 2
    ----- stdout

    ----- stderr
    error: cannot read the pattern `a(b`: missing ), unterminated subpattern at position 1
    hint: it is read as a Python regular expression: a backslash before a sign, as in `\(`, means the sign itself
    ");
}

#[test]
fn a_file_that_has_none_such_is_the_one_to_list() {
    let env = TestEnv::new();
    env.write("alone.py", "def time_it(): pass\n");
    for arguments in [["list", "alone.py", "-b", "other"], ["run", "alone.py", "-b", "other"]] {
        let said = env.tacho(&arguments);
        assert!(said.stderr.contains("`tacho list [PROJECT]/alone.py --cases`"), "{}", said.all());
    }
}

#[test]
fn json_has_definitions_and_cases() {
    let said = project().tacho(&["list", "--json", "--cases"]).json(0);
    assert_eq!(said["schema"], "tacho.list/1");
    let first = &said["benchmarks"][0];
    assert_eq!(first["benchmark"], "sorts.Sorts.time_sort");
    assert_eq!(first["n_cases"], 4);
    assert_eq!(first["cases"][3]["name"], "sorts.Sorts.time_sort(100, 'b')");
}

#[test]
fn a_module_that_cannot_be_imported_is_told_and_the_others_are_listed() {
    let env = project();
    env.write("benchmarks/broken.py", "import nothing_of_that_name\n");
    let said = env.tacho(&["list"]);
    assert!(said.stdout.contains("sorts.time_plain"), "{}", said.all());
    assert!(said.stderr.contains("No module named 'nothing_of_that_name'"), "{}", said.all());
    assert!(said.stderr.contains("benchmarks/broken.py:1"), "{}", said.all());
}

#[test]
fn no_escape_sequence_is_shown_as_text_at_a_terminal() {
    let env = TestEnv::with_project(&[("benchmarks/broken.py", "import nothing_of_that_name\n")]);
    let said = at_a_terminal(&env, &["list"], "");
    assert!(said.stdout.contains("Could not be loaded"), "{}", said.all());
    assert!(!said.stdout.contains("u{1b}"), "{}", said.all());
}

#[test]
fn what_is_missing_is_told() {
    let env = TestEnv::new();
    env.write("asv.conf.json", r#"{"repo": "."}"#);
    insta::assert_snapshot!(env.tacho(&["list"]).all(), @"
    exit: 2
    ----- stdout

    ----- stderr
    error: no folder of benchmarks `[PROJECT]/benchmarks`
    hint: no setting names one, and that is the default; `tacho init` writes a first one there
    ");
    env.write("benchmarks/a.py", "");
    insta::assert_snapshot!(env.tacho(&["list"]).all(), @"
    exit: 2
    ----- stdout

    ----- stderr
    error: the suite `[PROJECT]/benchmarks` has no `__init__.py`
    hint: a suite is a package: make the file, it may be empty
    ");
    env.write("benchmarks/__init__.py", "");
    insta::assert_snapshot!(env.tacho(&["list", "--python", "no-such-python"]).all(), @"
    exit: 2
    ----- stdout

    ----- stderr
    error: no interpreter `no-such-python`
    hint: name a program that is there: --python PROGRAM
    ");
}

#[test]
fn a_definition_that_ends_the_interpreter_costs_its_benchmark() {
    let suite = "
import os
class Ends:
    def __repr__(self): os._exit(3)
def time_ends(n): pass
time_ends.params = [Ends()]
def time_good(): pass
";
    let said = TestEnv::with_project(&[("benchmarks/bench.py", suite)]).tacho(&["list", "--cases"]);
    assert_eq!((said.code, said.stdout.trim()), (Some(0), "bench.time_good"), "{}", said.all());
    assert!(said.stderr.contains("time_ends") && said.stderr.contains("exited with status 3"), "{}", said.all());
}
