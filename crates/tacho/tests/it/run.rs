//! `tacho run`: what is measured, what is kept, what is refused.

use crate::env::TestEnv;

const SUITE: &str = "
class Sorts:
    params = [10, 100]
    def time_sort(self, n):
        sorted(range(n))
def time_plain(): pass
def track_answer(): return 42
";

fn project() -> TestEnv {
    TestEnv::with_project(&[("benchmarks/sorts.py", SUITE)])
}

fn newest(env: &TestEnv) -> serde_json::Value {
    env.tacho(&["show", "--json", "--samples"]).json(0)["runs"][0].clone()
}

#[test]
fn the_commit_that_is_checked_out_is_measured_with_all_provenance() {
    let env = project();
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    let run = newest(&env);
    let provenance = &run["provenance"];
    assert_eq!(provenance["subject"]["kind"], "commit");
    assert_eq!(provenance["subject"]["id"], env.git(&["rev-parse", "HEAD"]).as_str());
    assert_eq!(provenance["harness"], env.git(&["rev-parse", "HEAD:benchmarks"]).as_str());
    assert_eq!(provenance["branch"], "main");
    assert_eq!(provenance["settings"]["quick"], true);
    for field in ["run_id", "tool_version", "runner", "method", "started_at"] {
        assert!(provenance[field].as_str().is_some_and(|text| !text.is_empty()), "{field} in {provenance}");
    }
    assert!(provenance["environment"]["packages"].is_object());
    assert!(provenance["load"].is_object(), "{provenance}");
    assert_eq!(run["results"].as_array().unwrap().len(), 4);
}

#[test]
fn a_second_run_of_a_clean_checkout_is_still_clean() {
    let env = project();
    env.tacho(&["run", "--quick"]).with_code(0);
    env.tacho(&["run", "--quick", "--clean"]).with_code(0);
}

#[test]
fn a_dirty_work_tree_is_local_only() {
    let env = project();
    env.write("benchmarks/sorts.py", &format!("{SUITE}\n# changed\n"));
    env.tacho(&["run", "--quick"]).with_code(0);
    let subject = newest(&env)["provenance"]["subject"].clone();
    assert_eq!((&subject["kind"], &subject["local_only"]), (&"tree".into(), &true.into()));
    assert_eq!(subject["parent"], env.git(&["rev-parse", "HEAD"]).as_str());
}

#[test]
fn a_dirty_work_tree_is_refused_where_a_clean_one_is_asked_for() {
    let env = project();
    env.write("untracked.txt", "counts");
    for flags in [&["run", "--clean"][..], &["run", "HEAD"]] {
        let said = env.tacho(flags);
        assert_eq!(said.code, Some(2), "{}", said.all());
        for words in ["has changes that no commit holds", "hint: commit first"] {
            assert!(said.stderr.contains(words), "{}", said.all());
        }
    }
    assert!(!env.path(".tacho").exists(), "nothing was measured or kept");
}

#[test]
fn rounds_are_fresh_processes_with_raw_samples() {
    let env = project();
    env.tacho(&["run", "-b", "time_plain", "-a", "rounds=3", "-a", "repeat=4", "-a", "warmup_time=0"]).with_code(0);
    let result = newest(&env)["results"][0].clone();
    assert_eq!(result["n_rounds"], 3);
    assert_eq!(result["samples"].as_array().unwrap().len(), 12, "{result}");
    assert!(result["number"].as_u64().unwrap() > 1, "found by itself, and the same in all rounds: {result}");
}

#[test]
fn a_run_that_keeps_nothing_measures_and_keeps_nothing() {
    let env = project();
    let said = env.tacho(&["run", "--quick", "--keep-nothing"]);
    assert!(said.stdout.contains("4 cases: 4 measured"), "{}", said.all());
    assert!(!env.path(".tacho").exists());
}

#[test]
fn one_failed_parameter_costs_one_case() {
    let suite = "class P:\n    params = [False, True]\n    def time_half(self, good):\n        if not good: raise ValueError('bad')\n";
    let env = TestEnv::with_project(&[("benchmarks/half.py", suite)]);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stdout.contains("2 cases: 1 measured, 1 failed"), "{}", said.all());
    let run = newest(&env);
    assert_eq!(run["results"][0]["state"], "failed");
    assert_eq!(run["results"][1]["state"], "measured");
    assert!(env.tacho(&["show"]).with_code(0).contains("failed: ValueError: bad"));
}

#[test]
fn nothing_measured_is_no_answer() {
    let env = TestEnv::with_project(&[("benchmarks/bad.py", "def time_bad(): raise ValueError('no')\n")]);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
}

#[test]
fn a_pattern_that_selects_nothing_is_told_before_anything_is_kept() {
    let env = project();
    insta::assert_snapshot!(env.tacho(&["run", "-b", "no_such"]).all(), @r"
    exit: 2
    ----- stdout

    ----- stderr
    error: none of the 3 benchmarks is selected by `no_such`
    hint: see them all with `tacho list --cases`
    ");
    assert!(!env.path(".tacho").exists());
}

#[test]
fn a_file_is_measured_without_any_configuration_and_keeps_its_ids() {
    let env = TestEnv::new();
    env.write("speed.py", SUITE);
    env.tacho(&["run", "speed.py", "--quick"]).with_code(0);
    let alone = newest(&env);
    assert_eq!(alone["results"][0]["benchmark"], "speed.Sorts.time_sort");
    assert!(!env.path(".tacho").exists(), "a folder that is no project stays as it was");
    let suite = TestEnv::with_project(&[("benchmarks/speed.py", SUITE)]);
    suite.tacho(&["run", "--quick"]).with_code(0);
    let ids = |run: &serde_json::Value| -> Vec<String> {
        let results = run["results"].as_array().unwrap();
        results.iter().map(|r| format!("{} {} {}", r["benchmark"], r["parameters"], r["version"])).collect()
    };
    assert_eq!(ids(&alone), ids(&newest(&suite)));
}

#[test]
fn a_label_says_which_commit_is_measured() {
    let env = project();
    env.write("dirty.txt", "");
    let hash = "0123456789abcdef0123456789abcdef01234567";
    env.tacho(&["run", "--quick", "--set-commit-hash", hash]).with_code(0);
    assert_eq!(newest(&env)["provenance"]["subject"]["id"], hash);
    let said = env.tacho(&["run", "--quick", "--set-commit-hash", "nonsense"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
}

#[test]
fn commits_that_are_not_checked_out_are_refused_with_the_way_out() {
    let env = project();
    env.commit("second");
    for range in ["HEAD~1", "HEAD~1..HEAD", "ALL", "NEW", "HASHFILE:x"] {
        let said = env.tacho(&["run", range, "-E", "existing"]);
        assert_eq!(said.code, Some(2), "{}", said.all());
        assert!(said.stderr.contains("not checked out") && said.stderr.contains("hint:"), "{}", said.all());
    }
    env.tacho(&["run", "HEAD^!", "--quick"]).with_code(0);
}

#[test]
fn without_a_repository_the_installed_version_is_measured() {
    let env = TestEnv::new();
    env.write("asv.conf.json", r#"{"project": "PIP", "repo": "https://example.org/pip.git"}"#);
    env.write("benchmarks/__init__.py", "");
    env.write("benchmarks/a.py", "def track_one(): return 1\n");
    env.tacho(&["run", "--quick"]).with_code(0);
    let subject = newest(&env)["provenance"]["subject"].clone();
    assert_eq!((&subject["kind"], &subject["package"]), (&"version".into(), &"pip".into()), "{subject}");
}

#[test]
fn samples_of_one_commit_can_be_pooled() {
    let env = project();
    let flags = ["run", "-b", "time_plain", "-a", "rounds=1", "-a", "repeat=2", "-a", "warmup_time=0"];
    env.tacho(&flags).with_code(0);
    let first = newest(&env)["results"][0].clone();
    let appended: Vec<&str> = flags.iter().copied().chain(["--append-samples"]).collect();
    env.tacho(&appended).with_code(0);
    env.tacho(&appended).with_code(0);
    let pooled = newest(&env)["results"][0].clone();
    assert_eq!(pooled["samples"].as_array().unwrap().len(), 6, "{pooled}");
    assert_eq!(pooled["number"], first["number"], "the stored number is used again");
    assert_eq!(pooled["samples"][0], first["samples"][0], "old samples come first");
}

#[test]
fn attributes_that_are_none_are_told() {
    let env = project();
    for flag in ["nonsense=1", "rounds", "rounds=0", "repeat=x"] {
        let said = env.tacho(&["run", "-a", flag]);
        assert_eq!(said.code, Some(2), "{}", said.all());
        assert!(said.stderr.contains(flag), "{}", said.all());
    }
}

#[test]
fn setup_cache_serves_its_cases_and_its_failure_is_told_once() {
    let suite = "
import os
class Shared:
    def setup_cache(self):
        with open('data.txt', 'w') as f: f.write('12')
        return {'n': 30}
    def track_sum(self, cache): return cache['n'] + int(open('data.txt').read())
class Broken:
    def setup_cache(self): raise OSError('no network')
    def track_a(self, cache): return 1
    def track_b(self, cache): return 1
";
    let env = TestEnv::with_project(&[("benchmarks/caches.py", suite)]);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    let results = newest(&env)["results"].clone();
    assert_eq!(results[0]["value"], 42.0);
    for index in [1, 2] {
        assert_eq!(results[index]["state"], "failed");
        assert!(results[index]["message"].as_str().unwrap().contains("no network"), "{results}");
    }
    let told = [1, 2].iter().filter(|index| results[**index]["detail"].is_string()).count();
    assert_eq!(told, 1, "the traceback stands once: {results}");
}

#[test]
fn declared_variables_reach_the_benchmarks_and_are_axes() {
    let env = project();
    env.write("benchmarks/envs.py", "import os\ndef track_env(): return int(os.environ['DEMO_N'])\n");
    env.write("tacho.toml", "[environment.variables]\nDEMO_N = \"7\"\n");
    env.tacho(&["run", "--quick", "-b", "track_env"]).with_code(0);
    let result = newest(&env)["results"][0].clone();
    assert_eq!((&result["value"], &result["environment"]["env.DEMO_N"]), (&7.0.into(), &"7".into()));
}

#[test]
fn metrics_can_be_given_a_direction_and_a_unit() {
    let env = project();
    env.write("tacho.toml", "[[metric]]\nbenchmark = \"sorts.track_*\"\nbetter = \"higher\"\nunit = \"points\"\n");
    env.tacho(&["run", "--quick", "-b", "track_answer"]).with_code(0);
    let result = newest(&env)["results"][0].clone();
    assert_eq!((&result["direction"], &result["unit"]), (&"higher".into(), &"points".into()));
}

#[test]
fn private_paths_and_names_are_not_kept() {
    let suite = "import os\ndef time_bad(): open(os.path.expanduser('~/secret/file'))\n";
    let env = TestEnv::with_project(&[("benchmarks/paths.py", suite)]);
    let _ = env.tacho_with(&["run", "--quick"], |command| {
        command.env("USER", "somebody").env("SECRET_TOKEN", "hunter2");
    });
    let text = env.tacho(&["show", "--json", "--samples"]).with_code(0);
    for private in ["[HOME]/secret", "hunter2", "somebody"] {
        assert!(!text.contains(private), "{private} in {text}");
    }
    assert!(text.contains("{home}/secret/file"), "{text}");
}

#[test]
fn durations_are_told_slowest_first() {
    let env = project();
    let said = env.tacho(&["run", "--quick", "--durations", "all"]).with_code(0);
    assert!(said.contains("sorts.Sorts.time_sort"), "{said}");
    assert!(env.tacho(&["show", "--durations=2"]).with_code(0).contains("sorts."));
}

#[test]
fn a_second_run_says_who_measures() {
    let suite = "import time\ndef time_long(): time.sleep(3)\n";
    let env = TestEnv::with_project(&[("benchmarks/long.py", suite)]);
    let mut first = env.command(&["run", "--quick"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let state = env.home(".local/state/tacho");
    let is_locked = || {
        let entries = std::fs::read_dir(&state).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| {
            entry.path().extension().is_some_and(|end| end == "lock") && entry.metadata().unwrap().len() > 0
        })
    };
    while !is_locked() {
        assert!(first.try_wait().unwrap().is_none(), "the first run holds the lock while it measures");
        std::thread::yield_now();
    }
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("is measuring") && said.stderr.contains("--wait"), "{}", said.all());
    assert!(first.wait().unwrap().success());
}

#[test]
fn asvs_flags_are_taken() {
    let env = project();
    let python = env.tacho(&["list", "--json"]).code;
    assert_eq!(python, Some(0));
    let flags = ["run", "--quick", "-E", "existing:same", "--record-samples", "--show-stderr", "--cpu-affinity", "0"];
    env.tacho(&flags).with_code(0);
    let run = newest(&env);
    assert_eq!(run["provenance"]["environment"]["axes"]["cpus"], "0");
    let said = env.tacho(&["run", "--quick", "-E", "virtualenvv:3.11"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("TOOL:PYTHON"), "{}", said.all());
}

#[test]
fn an_edit_while_the_suite_is_measured_changes_nothing() {
    let suite = "import os
def track_before(): return 1
def time_edit():
    pass
def setup():
    # What an author would do in another window, between two rounds.
    with open(os.environ['ORIGINAL'], 'w') as f: f.write('def time_edit(): raise ValueError()\\n')
";
    let env = TestEnv::with_project(&[("benchmarks/edits.py", suite)]);
    let original = env.path("benchmarks/edits.py");
    env.write("tacho.toml", &format!("[environment.variables]\nORIGINAL = '{}'\n", original.display()));
    let said = env.tacho(&["run", "-a", "repeat=1", "-a", "warmup_time=0"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(std::fs::read_to_string(original).unwrap().contains("ValueError"), "the original was edited");
}

#[test]
fn a_suite_may_read_what_lies_around_it_and_is_told_of_by_its_own_path() {
    let suite = "import os
HERE = os.path.dirname(__file__)
def track_data(): return int(open(os.path.join(HERE, '..', 'tests', 'data.txt')).read())
def track_bad(): raise ValueError(__file__)
";
    let env = TestEnv::with_project(&[("benchmarks/reads.py", suite), ("tests/data.txt", "7")]);
    let said = env.tacho(&["run", "--quick", "--show-stderr"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    let results = newest(&env)["results"].clone();
    assert_eq!(results[0]["value"], 7.0);
    assert!(said.stderr.contains("[PROJECT]/benchmarks/reads.py"), "{}", said.all());
    let message = results[1]["message"].as_str().unwrap();
    assert_eq!(message, "ValueError: {project}/benchmarks/reads.py");
}

#[test]
fn parameters_that_are_paths_are_one_case_wherever_they_are() {
    let suite = "import os
def track_path(path): return len(open(path).read())
track_path.params = [os.path.join(os.path.dirname(__file__), 'data.txt')]
";
    let env = TestEnv::with_project(&[("benchmarks/paths.py", suite), ("benchmarks/data.txt", "123")]);
    env.tacho(&["run", "--quick"]).with_code(0);
    let result = newest(&env)["results"][0].clone();
    assert_eq!(result["value"], 3.0);
    assert_eq!(result["parameters"][0]["value"], "'{project}/benchmarks/data.txt'");
}

#[test]
fn asvs_folders_are_left_out_unless_git_tracks_them() {
    let env = TestEnv::with_project(&[("benchmarks/a.py", "def track_a(): return 1\n"), ("html/__init__.py", "")]);
    env.write("results/box/untracked.json", "{}");
    env.tacho(&["run", "--quick", "--clean"]).with_code(0);
    env.write("html/__init__.py", "changed = True\n");
    let said = env.tacho(&["run", "--quick", "--clean"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("`html/__init__.py`"), "{}", said.all());
}

#[test]
fn a_repository_that_is_not_there_is_told() {
    let env = project();
    env.write("asv.conf.json", r#"{"project": "demo", "repo": "../typo"}"#);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("typo") && said.stderr.contains("asv.conf.json: repo"), "{}", said.all());
    env.write("asv.conf.json", r#"{"project": "demo", "repo": "https://example.org/a/demo.git"}"#);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(said.stderr.contains("is no clone of"), "{}", said.all());
    let said = env.tacho(&["run", "--quick", "--clean"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    env.git(&["remote", "add", "origin", "git@example.org:me/demo.git"]);
    env.commit("configured");
    env.tacho(&["run", "--quick", "--clean"]).with_code(0);
    assert_eq!(newest(&env)["provenance"]["subject"]["kind"], "commit", "a fork is a clone");
}

#[test]
fn the_run_itself_can_be_printed_as_json() {
    let env = project();
    let said = env.tacho(&["run", "--quick", "--json"]).json(0);
    assert_eq!(said["schema"], "tacho.show/1");
    assert_eq!(said["runs"][0]["counts"]["measured"], 4);
}

#[test]
fn a_reader_that_goes_away_does_not_stop_the_measurement() {
    let env = project();
    let mut child = env.command(&["run", "--quick"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(newest(&env)["counts"]["measured"], 4);
}

#[test]
fn a_store_that_is_removed_is_written_anew() {
    let suite = "import os, shutil
def track_a(): return 1
def track_b(): shutil.rmtree(os.environ['STORE']); return 2
def track_c(): return 3
";
    let env = TestEnv::with_project(&[("benchmarks/removes.py", suite)]);
    env.write("tacho.toml", &format!("[environment.variables]\nSTORE = '{}'\n", env.path(".tacho").display()));
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(said.stderr.contains("was removed"), "{}", said.all());
    assert_eq!(newest(&env)["counts"]["measured"], 3);
}

#[test]
fn hints_after_a_failure_can_be_pasted() {
    let env = TestEnv::new();
    env.write("my bench.py", "def time_bad(): raise ValueError('no')\ndef track_good(): return 1\n");
    let said = env.tacho(&["run", "my bench.py", "--quick"]);
    let hint = said.stdout.lines().find(|line| line.contains("--show-stderr")).expect("a hint").to_owned();
    let command = hint.trim_start_matches("hint: tacho ").to_owned();
    let again = env.shell(&format!("{} {command} --quick", env!("CARGO_BIN_EXE_tacho")));
    assert!(again.stderr.contains("ValueError: no") && again.stdout.contains("1 case: 1 failed"), "{}", again.all());
}

#[test]
fn machine_names_come_from_flag_variable_project_and_user_in_that_order() {
    let env = project();
    let name = |flags: &[&str], variable: Option<&str>| {
        let said = env.tacho_with(&[&["run", "--quick", "-b", "track", "--json"], flags].concat(), |command| {
            if let Some(value) = variable {
                command.env("TACHO_MACHINE", value);
            }
        });
        said.json(0)["runs"][0]["provenance"]["machine"]["name"].as_str().unwrap().to_owned()
    };
    env.write_home(".config/tacho/tacho.toml", "[run]\nmachine = 'user'\n");
    assert_eq!(name(&[], None), "user");
    env.write("tacho.toml", "[run]\nmachine = 'project'\n");
    assert_eq!(name(&[], None), "project");
    assert_eq!(name(&[], Some("variable")), "variable");
    assert_eq!(name(&["--machine", "flag"], Some("variable")), "flag");
}

#[test]
fn processors_that_are_not_there_are_refused() {
    let env = project();
    let said = env.tacho(&["run", "--cpu-affinity", "4000"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("no processor 4000") && said.stderr.contains("may use 0"), "{}", said.all());
}

#[test]
fn parameters_that_read_differently_in_each_process_are_measured() {
    let suite = "
import functools, random
def track_set(s): return len(s)
track_set.params = [frozenset('abc'), frozenset('de')]
def track_random(x): return 1
track_random.params = [random.random(), random.random()]
def track_partial(f): return f()
track_partial.params = [functools.partial(int, '3')]
";
    let env =
        TestEnv::with_project(&[("benchmarks/odd.py", suite), ("benchmarks/other.py", "def track_a(): return 1\n")]);
    let said = env.tacho(&["run", "--quick"]);
    assert!(said.stdout.contains("6 cases: 6 measured"), "{}", said.all());
    let results = newest(&env)["results"].clone();
    assert_eq!((results[0]["value"].as_f64(), results[1]["value"].as_f64()), (Some(3.0), Some(2.0)));
}

#[test]
fn parameters_that_hold_the_projects_own_path_are_found_again() {
    let env = TestEnv::with_project(&[("hard.txt", "12345")]);
    let path = env.path("hard.txt").display().to_string();
    let suite = format!("def track_path(p): return len(open(p).read())\ntrack_path.params = ['{path}']\n");
    env.write("benchmarks/hard.py", &suite);
    env.tacho(&["run", "--quick"]).with_code(0);
    let result = newest(&env)["results"][0].clone();
    assert_eq!((&result["value"], &result["parameters"][0]["value"]), (&5.0.into(), &"'{project}/hard.txt'".into()));
}

#[test]
fn a_file_above_is_measured_from_below() {
    let env = project();
    env.write("sub/deep/x.txt", "");
    env.write("speed.py", "def track_one(): return 1\n");
    let said = env.shell(&format!("cd sub/deep && {} run ../../speed.py --quick", env!("CARGO_BIN_EXE_tacho")));
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(said.stdout.contains("speed.track_one"), "{}", said.all());
}

#[test]
fn a_linked_suite_keeps_the_name_it_is_called_by() {
    let env = TestEnv::with_project(&[]);
    env.write("real/__init__.py", "");
    env.write("real/a.py", "from benchmarks.common import X\ndef track_x(): return X\n");
    env.write("real/common.py", "X = 4\n");
    env.shell("rm -r benchmarks && ln -s real benchmarks").with_code(0);
    env.tacho(&["run", "--quick"]).with_code(0);
    assert_eq!(newest(&env)["results"][0]["value"], 4.0);
}

#[test]
fn the_json_of_a_run_is_that_of_showing_it() {
    let env = TestEnv::with_project(&[(
        "benchmarks/a.py",
        "def track_a(): raise ValueError(__file__)\ndef track_b(): return 1\n",
    )]);
    let run = env.tacho(&["run", "--quick", "--json"]).json(3);
    assert_eq!(run, env.tacho(&["show", "--json"]).json(0));
}
