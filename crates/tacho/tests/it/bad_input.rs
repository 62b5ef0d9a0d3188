//! What users get wrong: each is told what failed, on what, and what to do; and nothing is lost by it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::env::{Said, TestEnv};

const GOOD: &str = "class Sorts:\n    params = [1, 2]\n    def time_sort(self, n): pass\ndef track_good(): return 1\n";

fn project() -> TestEnv {
    TestEnv::with_project(&[("benchmarks/good.py", GOOD)])
}

/// Asserts that the question could not be answered, and that standard error has all these words.
fn check(said: &Said, words: &[&str]) {
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert_eq!(said.stdout, "", "{}", said.all());
    for word in words {
        assert!(said.stderr.contains(word), "`{word}` is not in {}", said.all());
    }
    assert!(said.stderr.starts_with("error: ") || said.stderr.contains("\nerror: "), "{}", said.all());
}

const READING: [&[&str]; 4] = [&["list"], &["check"], &["run", "--quick"], &["config", "show"]];

#[test]
fn without_a_configuration_the_next_commands_are_told() {
    let env = TestEnv::new();
    for command in READING {
        check(&env.tacho(command), &["no `tacho.toml` or `asv.conf.json`", "`tacho init`", "tacho run FILE.py"]);
    }
    check(&env.tacho(&["show"]), &["no runs are kept in", "`tacho init`", "tacho run FILE.py"]);
}

#[test]
fn a_configuration_that_cannot_be_read_is_told_with_line_and_column() {
    for (file, text, place) in [
        ("asv.conf.json", "{\"project\": \"x\",\n  \"repo\": \".\" \"branches\": []}", "line 2 column 15"),
        ("asv.conf.json", "{\"project\":\n {\"x\": 1", "EOF parsing object at line 2 column 2"),
        ("tacho.toml", "[project]\nname = \"x\nrepo = 1\n", "line 2, column 10"),
        ("tacho.toml", "[run]\ntimeout_s = \"long\"\n", "line 2, column 13"),
        ("tacho.toml", "[run]\n\ntimeout = 3\n", "line 3, column 1"),
    ] {
        let env = TestEnv::new();
        env.write(file, text);
        for command in READING {
            check(&env.tacho(command), &[file, place]);
        }
    }
}

#[test]
fn a_suite_that_is_not_there_is_told_with_what_is() {
    let env = TestEnv::new();
    env.write("asv.conf.json", r#"{"project": "x", "benchmark_dir": "bench"}"#);
    let missing = ["no folder of benchmarks `[PROJECT]/bench`", "comes from asv.conf.json: benchmark_dir"];
    for command in &READING[..3] {
        check(&env.tacho(command), &missing);
    }
    env.write("bench.py", GOOD);
    check(&env.tacho(&["run"]), &["there is a file `[PROJECT]/bench.py`", "`file` in [[suite]] of tacho.toml"]);
    env.write("tacho.toml", "[[suite]]\nfile = \"bench.py\"\n");
    assert!(env.tacho(&["run", "--quick"]).with_code(0).contains("3 cases: 3 measured"));
    env.write("tacho.toml", "[[suite]]\ndir = \"bench.py\"\n");
    check(&env.tacho(&["run"]), &["no folder of benchmarks", "that is a file: name it as `file`"]);
}

#[test]
fn a_file_and_a_folder_of_one_name_are_told_and_the_folder_is_measured() {
    let env = project();
    env.write("benchmarks.py", "def track_other(): return 1\n");
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(said.stdout.contains("good.track_good") && !said.stdout.contains("other"), "{}", said.all());
    assert!(said.stderr.contains("`[PROJECT]/benchmarks.py` is not read"), "{}", said.all());
    env.write("benchmarks/twin.py", "def track_file(): return 1\n");
    env.write("benchmarks/twin/__init__.py", "def track_folder(): return 1\n");
    let said = env.tacho(&["list"]);
    assert!(said.stderr.contains("both a folder and a file are called `twin`"), "{}", said.all());
    assert!(said.stdout.contains("good.track_good"), "{}", said.all());
}

#[test]
fn a_syntax_error_costs_its_module() {
    let env = project();
    env.write("benchmarks/bad.py", "\ndef time_bad(:\n    pass\n");
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(3), "{}", said.all());
    assert!(said.stdout.contains("3 cases: 3 measured"), "{}", said.all());
    let told = "module bad: SyntaxError: invalid syntax";
    assert!(said.stderr.contains(told) && said.stderr.contains("benchmarks/bad.py:2"), "{}", said.all());
    assert!(env.tacho(&["show"]).with_code(0).contains(told));
    assert!(env.tacho(&["check"]).with_code(1).contains(told));
    let traceback = env.tacho(&["list"]).stderr;
    assert!(!traceback.contains("importlib"), "only what the author wrote: {traceback}");
}

/// Values whose text is none, another one each time, endless, or no text that can be shown.
const ODD: &str = r#"
import functools
class Raises:
    def __repr__(self): raise ValueError("no text")
class Plain: pass
class Huge:
    def __repr__(self): return "h" * 10_000_000
class Half:
    def __repr__(self): return "\udc80\ud800half"
class Lines:
    def __repr__(self): return "two\nlines|pipe\x1b[31m\u202ered"
class NoText:
    def __repr__(self): return 5
def track_odd(value): return 1
track_odd.params = [Raises(), Raises(), Plain(), Plain(), Huge(), Half(), Lines(), NoText(), lambda: 1]
class Exits:
    def __repr__(self): raise SystemExit(3)
def track_exits(value): return 1
track_exits.params = [Exits()]
"#;

#[test]
fn parameters_without_a_text_are_measured_all_the_same() {
    let env = TestEnv::with_project(&[("benchmarks/odd.py", ODD)]);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(3), "one benchmark is lost: {}", said.stderr);
    assert!(said.stdout.contains("9 cases: 9 measured"), "{}", said.stderr);
    assert!(said.stderr.contains("odd.track_exits: SystemExit: 3"), "{}", said.stderr);
    let run = env.tacho(&["show", "--json"]).json(0)["runs"][0].clone();
    let text = |index: usize| run["results"][index]["parameters"][0]["value"].as_str().unwrap().to_owned();
    let expected = ["<Raises> (0)", "<Raises> (1)", "<benchmarks.odd.Plain object> (0)"];
    assert_eq!([text(0), text(1), text(2)], expected);
    assert_eq!(text(4).len(), 10_000_000);
    assert_eq!([text(5), text(6)], ["??half", "two\nlines|pipe\u{1b}[31m\u{202e}red"]);
    for arguments in [&["run", "--quick"][..], &["show"], &["show", "--markdown"], &["check"], &["list"]] {
        let said = env.tacho(arguments);
        let longest = said.stdout.lines().chain(said.stderr.lines()).map(str::len).max();
        assert!(longest < Some(11_000), "{arguments:?}: a line of {longest:?} bytes");
        assert!(!said.stdout.contains('\u{1b}') && !said.stdout.contains('\u{202e}'), "{arguments:?}");
    }
}

/// Makes a store with one run, and does something to the file that holds it.
fn damaged(damage: impl FnOnce(&Path)) -> TestEnv {
    let env = project();
    env.tacho(&["run", "--quick", "--machine", "box"]).with_code(0);
    let folder = env.path(".tacho/records/box");
    let mut entries = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
    damage(&entries.find(|path| path.extension().is_some_and(|end| end == "zst")).unwrap());
    env
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn damaged_records_are_told_by_name_and_hide_no_others() {
    let cut = |path: &Path| change(path, |bytes| bytes.truncate(bytes.len() / 3));
    let foreign = |path: &Path| std::fs::write(path, "not a record").unwrap();
    let newer = |path: &Path| {
        std::fs::remove_file(path).unwrap();
        std::fs::write(path.with_extension(""), "{\"schema\": \"tacho.record/999\"}\n").unwrap();
    };
    for (damage, words) in [
        (&cut as &dyn Fn(&Path), "is cut short"),
        (&foreign, "is not a record"),
        (&newer, "reads up to `tacho.record/1`: update tacho"),
    ] {
        let env = damaged(damage);
        let told = ["warning: left out: ", ".tacho/records/box/", words, "none of the runs that are kept"];
        check(&env.tacho(&["show"]), &told);
        check(&env.tacho(&["show", "--list"]), &told);
        env.tacho(&["run", "--quick", "--machine", "box"]).with_code(0);
        let said = env.tacho(&["show"]);
        assert_eq!(said.code, Some(0), "{}", said.all());
        assert!(said.stderr.contains(words) && said.stdout.contains("3 cases: 3 measured"), "{}", said.all());
    }
}

#[test]
fn a_changed_byte_is_told_with_the_way_to_the_other_runs() {
    let env = damaged(|path| {
        let text = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("\"state\":\"measured\""), "{text}");
        std::fs::remove_file(path).unwrap();
        let changed = text.replacen("\"state\":\"measured\"", "\"state\":\"killed\"", 1);
        std::fs::write(path.with_extension(""), changed).unwrap();
    });
    check(&env.tacho(&["show"]), &["was changed after it was sealed", "hint: `tacho show --list` tells of the others"]);
    assert!(env.tacho(&["show", "--list"]).with_code(0).contains("box"));
    env.tacho(&["run", "--quick", "--machine", "box"]).with_code(0);
    env.tacho(&["show"]).with_code(0);
}

#[test]
fn patterns_that_select_nothing_are_answered_with_the_nearest_names() {
    let env = project();
    env.tacho(&["run", "--quick"]).with_code(0);
    for command in [&["run"][..], &["list"], &["check"], &["show"]] {
        let ask = |pattern: &str| env.tacho(&[command, &["-b", pattern]].concat());
        check(
            &ask("time_srot"),
            &["none of the 2 benchmarks is selected by `time_srot`", "did you mean `good.Sorts.time_sort`?"],
        );
        check(&ask(r"^good\.track_gud$"), &["did you mean `good.track_good`?"]);
        check(&ask("nothing_like_it"), &["hint: see them all with `tacho "]);
    }
    let said = env.tacho(&["list", "--json", "-b", "time_srot"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stdout.contains("\"benchmarks\": []") && said.stderr.contains("did you mean"), "{}", said.all());
}

#[test]
fn a_pattern_that_would_not_end_is_given_up() {
    let name = "a".repeat(3_000);
    let suite = format!("def track_{name}(): return 1\ndef track_b(x): return 1\ntrack_b.params = ['{name}!']\n");
    let env = TestEnv::with_project(&[("benchmarks/long.py", &suite)]);
    for command in [&["run", "--quick"][..], &["list"], &["check"]] {
        let ask = |pattern: &str| env.tacho(&[command, &["-b", pattern]].concat());
        check(&ask(r"(.*)\1\1\1x"), &["gave up on the pattern", "too many steps", "hint: write it without repeats"]);
        // The textbook's example is harmless here.
        assert_eq!(ask(r"(a+)+$").code, Some(0));
        check(&ask(r"(a{900}){900}"), &["repeats too often at position 8"]);
    }
}

#[test]
fn programs_that_are_no_python_are_told_so() {
    let env = project();
    env.write("silent.sh", "#!/bin/sh\nexit 0\n");
    env.write("says.sh", "#!/bin/sh\necho 'something else'\nexit 4\n");
    env.write("text.txt", "not a program");
    env.write("venv/bin/python", "");
    env.shell("chmod +x silent.sh says.sh").with_code(0);
    for command in &READING[..3] {
        let ask = |python: &str| env.tacho(&[*command, &["--python", python]].concat());
        check(&ask("/bin/ls"), &["`/bin/ls`", "it is no Python", "--request-fd", "--python PROGRAM"]);
        check(&ask("./silent.sh"), &["silent.sh`", "it is no Python", "exited with status 0"]);
        check(&ask("./says.sh"), &["it is no Python", "something else"]);
        check(&ask("./text.txt"), &["cannot start", "is not executable"]);
        check(&ask("./benchmarks"), &["`./benchmarks` is a folder, not an interpreter"]);
        check(&ask("./venv"), &["name the interpreter in it: --python ./venv/bin/python"]);
        check(&ask("./none"), &["no interpreter `./none`"]);
    }
    assert!(!env.path(".tacho").exists(), "nothing is kept");
}

/// Returns interpreters that are too old, where `pyenv` has some.
fn old_pythons() -> Vec<PathBuf> {
    let Ok(output) = Command::new("pyenv").arg("root").output() else { return vec![] };
    let versions = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).join("versions");
    let folders = std::fs::read_dir(versions).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_old = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ["2.7.", "3.5.", "3.6.", "3.7."].iter().any(|old| name.starts_with(old))
    };
    folders.filter(is_old).map(|path| path.join("bin/python")).filter(|path| path.is_file()).collect()
}

#[test]
fn a_python_that_is_too_old_is_told_which_is_not() {
    let pythons = old_pythons();
    if pythons.is_empty() {
        eprintln!("skipped: `pyenv` has no Python older than 3.8 here");
    }
    let env = project();
    for python in pythons {
        let python = python.display().to_string();
        for command in &READING[..3] {
            let said = env.tacho(&[*command, &["--python", python.as_str()]].concat());
            check(
                &said,
                &[
                    &format!("`{python}` cannot measure: Python 3.8 or newer is needed; this is"),
                    "hint: name a newer one",
                ],
            );
        }
    }
}

#[test]
fn a_results_folder_that_cannot_be_written_is_told_before_anything_is_measured() {
    let env = project();
    env.write("benchmarks/mark.py", "import os\ndef track_mark(): os.mkdir(os.environ['MARK']); return 1\n");
    let mark = format!("[environment.variables]\nMARK = '{}'\n", env.path("mark").display());
    env.write("tacho.toml", &mark);
    env.write(".tacho", "a file of the user's");
    let hint = "hint: nothing has been measured; name another folder as `dir` in [store] of tacho.toml";
    check(&env.tacho(&["run", "--quick"]), &["cannot create `[PROJECT]/.tacho`", hint]);
    check(&env.tacho(&["show"]), &["cannot read `[PROJECT]/.tacho/records`", "`tacho config show`"]);
    check(&env.tacho(&["show", "--list"]), &["cannot read `[PROJECT]/.tacho/records`"]);
    assert_eq!(std::fs::read_to_string(env.path(".tacho")).unwrap(), "a file of the user's");
    // Not even root may make anything there.
    env.write("tacho.toml", &format!("{mark}[store]\ndir = '/proc/tacho'\n"));
    check(&env.tacho(&["run", "--quick"]), &["cannot create `/proc/tacho`", hint]);
    assert!(!env.path("mark").exists(), "nothing was measured");
    env.tacho(&["run", "--quick", "--keep-nothing"]).with_code(0);
}

#[test]
fn an_environment_without_the_project_is_told_with_the_way_to_install_it() {
    let env = TestEnv::with_project(&[
        ("waypoint/__init__.py", ""),
        ("benchmarks/a.py", "import waypoint\ndef time_a(): pass\n"),
        ("benchmarks/b.py", "from waypoint.grid import Grid\ndef time_b(): pass\n"),
    ]);
    let told = "`waypoint`, the project itself, is not installed there: `[PYTHON] -m pip install [PROJECT]`";
    for command in &READING[..3] {
        let said = env.tacho(command);
        let code = if command[0] == "check" { 1 } else { 2 };
        assert_eq!(said.code, Some(code), "{}", said.all());
        assert!(said.stderr.contains(told) && said.stderr.contains("--python PROGRAM"), "{}", said.all());
    }
    env.write("benchmarks/b.py", "import a_package_of_others\n");
    env.write("benchmarks/a.py", "import a_package_of_others\n");
    env.write("benchmarks/good.py", GOOD);
    let told =
        "`a_package_of_others`, a package, is not installed there: `[PYTHON] -m pip install a_package_of_others`";
    let said = env.tacho(&["list"]);
    assert!(said.code == Some(0) && said.stderr.contains(told), "{}", said.all());
    env.write("benchmarks/a.py", "import good\n");
    env.write("benchmarks/b.py", "import good\n");
    let said = env.tacho(&["check"]);
    assert!(
        said.stderr.contains("`good` is a module of the suite itself: write `from . import good`"),
        "{}",
        said.all()
    );
}
