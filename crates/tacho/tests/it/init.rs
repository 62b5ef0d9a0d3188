//! `tacho init`: what it writes works, and what is there stays.

use std::collections::BTreeMap;
use std::path::Path;

use crate::env::{Said, TestEnv};

const ASV: &str = r#"{
    // Everything that a project of asv's may say.
    "version": 1, "project": "demo", "repo": ".", "results_dir": "kept",
    "pythons": ["3.11"], "matrix": {"req": {"numpy": []}}, "show_commit_url": "https://example.org/",
}
"#;

/// Returns every file below a folder with its text.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, text)| (format!("{name}/{inner}"), text)));
        } else {
            found.insert(name, std::fs::read_to_string(path).unwrap());
        }
    }
    found
}

/// Runs `tacho` at a terminal where the answers are typed, and returns what the screen showed.
pub(crate) fn at_a_terminal(env: &TestEnv, arguments: &[&str], answers: &str) -> Said {
    let script = "
import os, pty, select, sys
answers = sys.argv[1].encode()
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shown = b''
while select.select([fd], [], [], 60)[0]:
    try:
        data = os.read(fd, 4096)
    except OSError:
        break
    if not data:
        break
    shown += data
    if answers and shown.rstrip().endswith(b']:'):
        line, _, answers = answers.partition(b'/')
        os.write(fd, line + b'\\n')
        shown += b'\\n'
# Whoever still waits for an answer gets none.
os.close(fd)
status = os.waitpid(pid, 0)[1]
sys.stdout.write(shown.decode().replace('\\r', ''))
sys.exit(os.waitstatus_to_exitcode(status))
";
    let tacho = env!("CARGO_BIN_EXE_tacho");
    let words: Vec<String> = [&[answers, tacho], arguments].concat().iter().map(|word| format!("'{word}'")).collect();
    env.write("../terminal.py", script);
    env.shell(&format!("python3 ../terminal.py {}", words.join(" ")))
}

#[test]
fn a_new_project_is_checked_and_measured_as_it_was_written() {
    let env = TestEnv::new();
    insta::assert_snapshot!(env.tacho(&["init", "--yes"]).all());
    let written = files(&env.path(""));
    assert_eq!(written.keys().collect::<Vec<_>>(), ["benchmarks/__init__.py", "benchmarks/example.py", "tacho.toml"]);
    assert_eq!(env.tacho(&["check"]).with_code(0), "3 benchmarks, 9 cases: 9 ready\n");
    assert!(env.tacho(&["run", "--quick"]).with_code(0).contains("9 cases: 9 measured"));
    env.tacho(&["show"]).with_code(0);
}

#[test]
fn a_folder_is_made_and_named_in_the_next_steps() {
    let env = TestEnv::new();
    let said = env.tacho(&["init", "--yes", "new/one"]).with_code(0);
    assert!(said.contains("Wrote new/one/tacho.toml.") && said.contains("  cd new/one\n"), "{said}");
    let toml = std::fs::read_to_string(env.path("new/one/tacho.toml")).unwrap();
    assert!(toml.contains("name = \"one\""), "{toml}");
}

#[test]
fn nothing_that_is_there_is_changed() {
    let env = TestEnv::new();
    env.write("pyproject.toml", "[project]\nname = \"waypoint\"\n");
    env.write("benchmarks/notes.txt", "mine");
    let said = env.tacho(&["init", "--yes"]).with_code(0);
    assert!(said.contains("Wrote asv_benchmarks/example.py."), "{said}");
    let once = files(&env.path(""));
    assert!(once["tacho.toml"].contains("name = \"waypoint\"") && once["tacho.toml"].contains("\"asv_benchmarks\""));
    let said = env.tacho(&["init", "--yes"]).with_code(0);
    assert!(said.contains("`tacho.toml` is there already and stays as it is."), "{said}");
    assert_eq!(files(&env.path("")), once);
    env.tacho(&["check"]).with_code(0);
}

#[test]
fn a_suite_that_is_there_is_taken() {
    let env = TestEnv::new();
    env.write("asv_bench/benchmarks/speed.py", "class A:\n    def time_a(self): pass\ndef track_b(): return 1\n");
    let said = env.tacho(&["init", "--yes"]).with_code(0);
    assert!(said.contains("Found asv_bench/benchmarks (2 functions in 1 file look like benchmarks)."), "{said}");
    assert!(said.contains("Wrote asv_bench/benchmarks/__init__.py: a suite is a package."), "{said}");
    assert!(!env.path("asv_bench/benchmarks/example.py").exists());
    assert_eq!(env.tacho(&["check"]).with_code(0), "2 benchmarks, 2 cases: 2 ready\n");
}

#[test]
fn a_project_of_asvs_is_understood_and_nothing_is_written() {
    let env = TestEnv::new();
    env.write("asv.conf.json", ASV);
    env.write("benchmarks/__init__.py", "");
    env.write("benchmarks/a.py", "def time_a(): pass\n");
    for file in ["kept/box/machine.json", "kept/box/1234-env.json", "kept/lab/5678-env.json", "kept/benchmarks.json"] {
        env.write(file, "{}");
    }
    let before = files(&env.path(""));
    let said = env.tacho(&["init", "--yes"]).all();
    insta::assert_snapshot!(said);
    assert_eq!(env.tacho(&["init"]).all(), said, "nobody has to agree to what changes nothing");
    let asked = at_a_terminal(&env, &["init"], "n/").with_code(0);
    let places = ["This is a project of asv's", "goes over `asv.conf.json`? [y/N]", "Nothing was written"];
    assert!(places.map(|text| asked.find(text).unwrap()).is_sorted(), "{asked}");
    assert_eq!(files(&env.path("")), before);
    let said = env.tacho(&["run", "--quick"]);
    assert_eq!(said.code, Some(0), "{}", said.all());
    assert!(said.stderr.contains("no repository") && said.stderr.contains("what is installed"), "{}", said.stderr);
    let said = env.tacho(&["run", "--quick", "HEAD"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("no git repository") && said.stderr.contains("-E existing"), "{}", said.stderr);
}

#[test]
fn of_many_environments_some_are_named() {
    let said = |conf: &str| {
        let env = TestEnv::new();
        env.write("asv.conf.json", conf);
        env.tacho(&["init", "--yes"]).with_code(0)
    };
    let matrix = r#"{"environment_type": "conda", "pythons": ["3.12"], "matrix": {"env": {"N": ["1","2","3","4","5","6","7","8"]}}}"#;
    let text = said(matrix);
    assert!(text.contains("environments   8: conda-py3.12-N1, conda-py3.12-N2, "), "{text}");
    assert!(text.contains("conda-py3.12-N6, 2 more\n"), "{text}");
    let text = said(r#"{"environment_type": "existing", "matrix": {"env": {"N": ["1", "2"]}}}"#);
    assert!(text.contains("environments   none to make: benchmarks run in the active python3"), "{text}");
    let text = said(r#"{"environment_type": "conda", "exclude": [{}]}"#);
    assert!(text.contains("environments   none (no environment is left)"), "{text}");
}

#[test]
fn a_tacho_toml_beside_asvs_file_hides_nothing_of_it() {
    let env = TestEnv::new();
    env.write("asv.conf.json", ASV);
    let before = env.tacho(&["config", "show", "--json"]).json(0)["settings"].clone();
    let said = env.tacho(&["init", "--yes", "--toml"]).with_code(0);
    assert!(said.contains("Wrote tacho.toml."), "{said}");
    assert_eq!(env.tacho(&["config", "show", "--json"]).json(0)["settings"], before);
}

#[test]
fn settings_without_a_suite_get_one() {
    let env = TestEnv::new();
    env.write("tacho.toml", "[[suite]]\ndir = \"perf/suite\"\n");
    let said = env.tacho(&["list"]);
    assert!(said.stderr.contains("hint: write a first one with `tacho init`"), "{}", said.all());
    env.tacho(&["init", "--yes"]).with_code(0);
    env.tacho(&["check"]).with_code(0);
}

#[test]
fn settings_above_are_not_hidden() {
    let env = TestEnv::new();
    env.write("asv.conf.json", "{}");
    env.write("sub/file.txt", "");
    let said = env.tacho(&["init", "--yes", "sub"]);
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stderr.contains("would hide it") && said.stderr.contains("hint: work there"), "{}", said.all());
    assert!(!env.path("sub/tacho.toml").exists());
}

#[test]
fn what_is_in_the_way_is_told() {
    let check = |file: &str, arguments: &[&str], words: &str| {
        let env = TestEnv::new();
        env.write(file, "{");
        let before = files(&env.path(""));
        let said = env.tacho(&[&["init"], arguments].concat());
        assert_eq!(said.code, Some(2), "{}", said.all());
        assert!(said.stderr.contains(words), "{words}: {}", said.all());
        assert_eq!(files(&env.path("")), before);
    };
    check("taken", &["--yes", "taken"], "is no folder");
    check("taken", &["--yes", "taken/below"], "cannot write");
    check("asv.conf.json", &["--yes"], "asv.conf.json");
    check("tacho.toml", &["--yes"], "tacho.toml");
    check("a", &["--yes", "/proc/none"], "cannot write");
    check("a", &["--yes", "--config", "a"], "init looks for no configuration");
    check("a", &[], "hint: take the default of every question with --yes");
}

#[test]
fn answers_are_taken_at_a_terminal() {
    let env = TestEnv::new();
    env.write("taken/notes.txt", "");
    let said = at_a_terminal(&env, &["init"], "my project/taken/my-suite/perf/n/");
    assert_eq!(said.code, Some(0), "{}", said.all());
    insta::assert_snapshot!(said.stdout);
    let written = files(&env.path(""));
    assert_eq!(written.keys().collect::<Vec<_>>(), ["perf/__init__.py", "tacho.toml", "taken/notes.txt"]);
    let said = at_a_terminal(&env, &["init", "other"], "maybe/y////");
    assert!(said.stdout.contains("answer y or n"), "{}", said.all());
}

#[test]
fn an_interrupted_question_writes_nothing() {
    let env = TestEnv::new();
    let said = at_a_terminal(&env, &["init"], "name/\u{4}/");
    assert_eq!(said.code, Some(2), "{}", said.all());
    assert!(said.stdout.contains("no answer to: Folder of the benchmarks"), "{}", said.all());
    assert!(files(&env.path("")).is_empty());
}
