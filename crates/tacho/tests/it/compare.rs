//! `tacho compare` on records and on results of asv's, as its users meet it.

use serde_json::{Value, json};

use crate::env::TestEnv;

/// Commits of the history that these tests compare in, oldest first.
pub(crate) const N_COMMITS: usize = 14;

fn hash(index: usize) -> String {
    format!("{:08x}", 0xabcd_0000_u32 + index as u32).repeat(5)
}

/// Benchmarks by name: (value, version, parameters' texts).
type Benchmarks<'a> = Vec<(&'a str, Value, &'a str, Value)>;

/// One result file of asv's; values in seconds, null for a failure.
fn result_file(env: &TestEnv, machine: &str, python: &str, commit: usize, benchmarks: Benchmarks<'_>) {
    let results: serde_json::Map<String, Value> = benchmarks
        .into_iter()
        .map(|(name, values, version, params)| (name.to_owned(), json!([values, params, version])))
        .collect();
    let document = json!({
        "version": 2,
        "commit_hash": hash(commit),
        "env_name": format!("virtualenv-py{python}"),
        "date": 1_700_000_000_000_u64 + commit as u64 * 86_400_000,
        "python": python,
        "requirements": {},
        "env_vars": {},
        "params": {"machine": machine, "os": "Linux", "arch": "x86_64", "cpu": "c", "num_cpu": "4", "ram": "8", "python": python},
        "durations": {},
        "result_columns": ["result", "params", "version"],
        "results": results,
    });
    let path = format!("results/{machine}/{}-virtualenv-py{python}.json", &hash(commit)[..8]);
    env.write(&path, &document.to_string());
    env.write(&format!("results/{machine}/machine.json"), &json!({"machine": machine, "version": 1}).to_string());
}

/// Values that go up and down by one in two hundred.
fn wobble(commit: usize) -> f64 {
    1.0 + 0.005 * [0.0, 1.0, -1.0, 0.5, -0.5][commit % 5]
}

/// A project whose last two commits differ in one of every way.
pub(crate) fn project() -> TestEnv {
    let env = TestEnv::new();
    env.write("asv.conf.json", r#"{"version": 1, "project": "demo", "repo": "."}"#);
    for commit in 0..N_COMMITS {
        let is_last = commit + 1 == N_COMMITS;
        let after = |before: f64, after: f64| if is_last { after } else { before } * wobble(commit);
        let no_parameters = || json!([]);
        let mut benchmarks = vec![
            ("core.time_slower", json!([after(1e-3, 1.2e-3)]), "1", no_parameters()),
            ("core.time_faster", json!([after(1e-3, 0.8e-3)]), "1", no_parameters()),
            ("core.time_same", json!([after(1e-3, 1e-3)]), "1", no_parameters()),
            (
                "core.time_unsure",
                json!([after(1e-3, 1e-3) * (1.0 + 0.2 * ((commit % 3) as f64))]),
                "1",
                no_parameters(),
            ),
            ("core.time_changed", json!([after(1e-3, 9e-3)]), if is_last { "2" } else { "1" }, no_parameters()),
            ("core.time_breaks", if is_last { json!([null]) } else { json!([1e-3]) }, "1", no_parameters()),
            ("core.time_fixed", if is_last { json!([1e-3]) } else { json!([null]) }, "1", no_parameters()),
            ("core.time_broken", json!([null]), "1", no_parameters()),
            (
                "core.time_cases",
                json!([after(2e-3, 3e-3), after(2e-3, 2e-3)]),
                "1",
                json!([["'a|b\\nc'", "'<img src=x>'"]]),
            ),
        ];
        benchmarks.push(match is_last {
            true => ("core.time_new", json!([1e-3]), "1", no_parameters()),
            false => ("core.time_gone", json!([1e-3]), "1", no_parameters()),
        });
        result_file(&env, "lab", "3.12", commit, benchmarks);
    }
    env
}

fn last_two() -> [String; 2] {
    [hash(N_COMMITS - 2)[..8].to_owned(), hash(N_COMMITS - 1)[..8].to_owned()]
}

fn compare(env: &TestEnv, more: &[&str]) -> crate::env::Said {
    let [before, after] = last_two();
    let mut arguments = vec!["compare", &before, &after];
    arguments.extend(more);
    env.tacho(&arguments)
}

#[test]
fn every_kind_of_answer_has_its_row() {
    insta::assert_snapshot!(compare(&project(), &[]).all());
}

#[test]
fn a_narrow_terminal_loses_nothing_that_matters() {
    let [before, after] = last_two();
    let said = project().tacho_with(&["compare", &before, &after], |command| {
        command.env("COLUMNS", "60");
    });
    insta::assert_snapshot!(said.all());
}

#[test]
fn groups_stand_apart_and_empty_ones_say_so() {
    insta::assert_snapshot!(compare(&project(), &["--split", "-b", "slower|same|fixed"]).all());
}

#[test]
fn markdown_keeps_a_case_on_one_row() {
    let text = compare(&project(), &["--markdown", "--only-changed"]).with_code(0);
    insta::assert_snapshot!(text);
    let rows = text.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(rows, 2 + 5, "a header, a rule, five changes");
}

#[test]
fn json_says_the_same() {
    let answer = compare(&project(), &["--json"]).json(0);
    assert_eq!(answer["schema"], "tacho.compare/1");
    let of = |name: &str| {
        let rows = answer["comparisons"].as_array().unwrap();
        rows.iter().find(|row| row["benchmark"] == format!("core.{name}")).unwrap().clone()
    };
    assert_eq!(of("time_slower")["verdict"], "slower");
    assert_eq!(of("time_slower")["basis"]["kind"], "history");
    let ratio = of("time_slower")["ratio"].as_f64().unwrap();
    assert!((ratio / 1.2 - 1.0).abs() < 0.02, "{ratio}");
    let interval = &of("time_slower")["ratio_interval_99"];
    assert!(interval[0].as_f64().unwrap() < ratio && ratio < interval[1].as_f64().unwrap());
    assert_eq!(of("time_breaks")["standing"], "newly_failing");
    assert_eq!(of("time_changed")["standing"], "not_compared");
    assert_eq!(of("time_changed")["disagreements"], json!([{"field": "version", "before": "1", "after": "2"}]));
    assert_eq!(of("time_new")["before"], Value::Null);
    assert_eq!(answer["counts"]["slower"], 2);
}

#[test]
fn fail_on_slower_is_an_exit_code() {
    let env = project();
    for (bench, code) in [("slower", 1), ("breaks", 1), ("same", 0), ("faster|fixed", 0), ("unsure", 0), ("changed", 0)]
    {
        let said = compare(&env, &["--fail-on", "slower", "-b", bench]);
        assert_eq!(said.code, Some(code), "{bench}: {}", said.all());
    }
    assert_eq!(compare(&env, &["-b", "slower"]).code, Some(0));
}

#[test]
fn a_band_is_set_by_flag_or_file() {
    let env = project();
    let verdict = |more: &[&str]| {
        let answer = compare(&env, &[&["--json", "-b", "core.time_slower"], more].concat()).json(0);
        answer["comparisons"][0]["verdict"].clone()
    };
    assert_eq!(verdict(&[]), "slower");
    assert_eq!(verdict(&["--factor", "1.5"]), "unchanged");
    env.write("tacho.toml", "[judge]\nband_percent = 1\nbands = [{ benchmark = \"core.*\", percent = 40 }]\n");
    assert_eq!(verdict(&[]), "unchanged");
    assert_eq!(verdict(&["--factor", "1.02"]), "slower");
    env.write("tacho.toml", "[judge]\nband_percent = -1\n");
    insta::assert_snapshot!(compare(&env, &[]).all());
}

#[test]
fn asvs_rule_is_there_by_name() {
    let env = project();
    let said = compare(&env, &["--stats", "asv", "--sort", "ratio", "--only-changed"]).with_code(0);
    insta::assert_snapshot!(said);
    let bare = compare(&env, &["--no-stats", "--factor", "1.01", "-b", "time_same", "--json"]).json(0);
    assert_eq!(bare["comparisons"][0]["basis"]["kind"], "asv");
}

#[test]
fn machines_and_axes_are_sides_too() {
    let env = project();
    for commit in [3, N_COMMITS - 1] {
        result_file(&env, "pi", "3.12", commit, vec![("core.time_same", json!([8e-3]), "1", json!([]))]);
        result_file(&env, "lab", "3.13", commit, vec![("core.time_same", json!([2e-3]), "1", json!([]))]);
    }
    let same = ["-b", "time_same"];
    let told =
        |sides: [&str; 2], more: &[&str]| env.tacho(&[&["compare", sides[0], sides[1]], &same[..], more].concat());
    insta::assert_snapshot!("two_machines", told(["machine=lab,python=3.12", "machine=pi"], &[]).all());
    insta::assert_snapshot!("two_pythons", told(["python=3.12", "python=3.13"], &[]).all());
    let [before, after] = last_two();
    let undeclared = [format!("{before},machine=lab"), format!("{after},machine=pi")];
    let across = told([&undeclared[0], &undeclared[1]], &[]);
    assert_eq!(across.code, Some(0), "naming two machines declares the comparison: {}", across.all());
    let one = format!("{},machine=lab,python=3.12", hash(2));
    insta::assert_snapshot!("not_declared", told([&one, &format!("{},machine=pi", hash(3))], &[]).all());
    insta::assert_snapshot!("files", {
        let file = |machine: &str, python: &str| {
            format!("results/{machine}/{}-virtualenv-py{python}.json", &hash(N_COMMITS - 1)[..8])
        };
        told([&file("lab", "3.12"), &file("pi", "3.12")], &[]).all()
    });
}

#[test]
fn records_are_compared_by_their_processes() {
    let env = TestEnv::with_project(&[("benchmarks/bench.py", SUITE)]);
    for (value, message) in [("100", "slow"), ("50", "fast")] {
        env.write("value.txt", value);
        env.commit(message);
        env.tacho(&["run", "-a", "rounds=5", "--machine", "lab"]).with_code(0);
    }
    let said = env.tacho(&["compare", "HEAD~1", "HEAD", "--json"]).json(0);
    let row = |name: &str| {
        let rows = said["comparisons"].as_array().unwrap();
        rows.iter().find(|row| row["benchmark"] == format!("bench.{name}")).unwrap().clone()
    };
    assert_eq!(
        row("time_nothing")["basis"],
        json!({"kind": "processes", "n_differences": null, "n_processes": [5, 5]})
    );
    // Rounds that are asked for are for all kinds: a tracked value has five processes too.
    assert_eq!(row("track_value")["verdict"], "faster");
    assert!((row("track_value")["ratio"].as_f64().unwrap() - 0.5).abs() < 1e-12);
}

#[test]
fn an_exact_metric_needs_two_processes_and_too_little_is_told() {
    let env = TestEnv::with_project(&[("benchmarks/bench.py", SUITE)]);
    env.write("tacho.toml", "[[metric]]\nbenchmark = \"bench.track_value\"\nexact = true\n");
    let measure = |value: &str, rounds: &str| {
        env.write("value.txt", value);
        env.commit(value);
        env.tacho(&["run", "-b", "track", "-a", rounds]).with_code(0);
        env.tacho(&["compare", "HEAD~1", "HEAD", "--json"])
    };
    let _ = measure("100", "rounds=2");
    let said = measure("101", "rounds=2").json(0);
    assert_eq!(said["comparisons"][0]["basis"]["kind"], "exact");
    assert_eq!(
        (&said["comparisons"][0]["verdict"], &said["comparisons"][0]["within_band"]),
        (&json!("slower"), &json!(true))
    );
    let text = env.tacho(&["compare", "HEAD~1", "HEAD", "--fail-on", "slower"]).with_code(0);
    assert!(text.contains("slower, within the band"), "{text}");
    let said = measure("102", "rounds=1").json(0);
    assert_eq!(said["comparisons"][0]["basis"]["kind"], "too_little");
    let text = env.tacho(&["compare", "HEAD~1", "HEAD"]).with_code(0);
    assert!(text.contains("hint: measure more at both sides with `tacho run -a rounds=5`"), "{text}");
}

#[test]
fn a_dot_is_the_checkout_as_it_is() {
    let env = TestEnv::with_project(&[("benchmarks/bench.py", SUITE)]);
    env.write("value.txt", "100");
    env.commit("slow");
    env.tacho(&["run", "-b", "track"]).with_code(0);
    env.write("value.txt", "25");
    let said = env.tacho(&["compare", "HEAD", "."]);
    assert_eq!(said.code, Some(2));
    assert!(said.stderr.contains("hint: measure it with `tacho run`"), "{}", said.all());
    env.tacho(&["run", "-b", "track"]).with_code(0);
    let said = env.tacho(&["compare", "HEAD", ".", "--json"]).json(0);
    assert_eq!(said["comparisons"][0]["ratio"], 0.25);
    assert_eq!(said["after"]["runs"][0]["subject"]["kind"], "tree");
}

const SUITE: &str = r#"
import os

def time_nothing():
    pass
time_nothing.number = 10
time_nothing.repeat = 3
time_nothing.warmup_time = 0

def track_value():
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return 100.0 if not os.path.exists(os.path.join(folder, "value.txt")) else float(
        open(os.path.join(folder, "value.txt")).read())
track_value.unit = "bytes"
"#;

#[test]
fn what_cannot_be_compared_is_told() {
    let env = project();
    let [before, after] = last_two();
    let told = |arguments: &[&str]| {
        let said = env.tacho(&[&["compare"], arguments].concat());
        assert_eq!(said.code, Some(2), "{}", said.all());
        said.stderr.trim().to_owned()
    };
    let texts = [
        told(&["ffffffff", &after]),
        told(&["abcd0", &after]),
        told(&[&before, &before]),
        told(&[&before, &format!("{after},machine=nobody")]),
        told(&[&before, "a,b"]),
        told(&["machine=nobody", "machine=lab"]),
        told(&[&before, &after, "-b", "no_such"]),
        told(&[&before, &after, "-b", "("]),
        told(&[&before, &after, "--factor", "0.5"]),
        told(&["asv.conf.json", &after]),
    ];
    insta::assert_snapshot!(texts.join("\n\n"));
    let empty = TestEnv::with_project(&[]);
    insta::assert_snapshot!("nothing_kept", empty.tacho(&["compare", "HEAD~1", "HEAD"]).all());
}

/// A result file as it is, moved or changed.
fn edited(env: &TestEnv, from: &str, to: &str, edit: impl Fn(&mut Value)) {
    let text = std::fs::read_to_string(env.path(from)).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    edit(&mut document);
    env.write(to, &document.to_string());
}

#[test]
fn files_of_one_name_are_two_files() {
    let env = project();
    let file = format!("lab/{}-virtualenv-py3.12.json", &hash(0)[..8]);
    let (before, after) = (format!("results/{file}"), format!("ours/{file}"));
    edited(&env, &before, &after, |document| document["results"]["core.time_same"][0] = json!([9e-3]));
    let answer = env.tacho(&["compare", &before, &after, "-b", "time_same", "--json"]).json(0);
    assert_eq!(answer["comparisons"][0]["after"]["value"], 9e-3);
    let said = env.tacho(&["compare", &before, &format!("./{before}")]);
    assert_eq!(said.code, Some(2), "one file by two names: {}", said.all());
    let said = env.tacho(&["compare", &before, "machine=lab"]);
    assert!(said.stderr.starts_with("error: `machine=lab` names no commit"), "{}", said.all());
}

#[test]
fn an_environment_whose_label_asv_digests_has_its_past() {
    let env = project();
    let label = format!("virtualenv-py3.12-{}", "numpy".repeat(30));
    for commit in 0..N_COMMITS {
        let prefix = hash(commit)[..8].to_owned();
        let from = format!("results/lab/{prefix}-virtualenv-py3.12.json");
        let to = format!("results/lab/{prefix}-env-0123456789abcdef0123456789abcdef.json");
        edited(&env, &from, &to, |document| document["env_name"] = json!(label));
        std::fs::remove_file(env.path(&from)).unwrap();
    }
    let answer = compare(&env, &["--json", "-b", "time_slower"]).json(0);
    assert_eq!(answer["comparisons"][0]["basis"]["kind"], "history", "{answer}");
}

#[test]
fn a_past_that_asv_measured_counts_under_another_label() {
    let env = project();
    let [before, after] = last_two();
    let from = format!("results/lab/{after}-virtualenv-py3.12.json");
    // As a tool of another name would have measured it: the same machine and the same axes.
    edited(&env, &from, "elsewhere/new.json", |document| document["env_name"] = json!("existing-py3.12"));
    let arguments = ["compare", &before, "elsewhere/new.json", "--json", "-b", "time_slower"];
    let answer = env.tacho(&arguments).json(0);
    assert_eq!(answer["comparisons"][0]["basis"]["kind"], "history", "{answer}");
}

#[test]
fn many_runs_of_one_commit_hide_no_other() {
    let env = project();
    for commit in 0..N_COMMITS {
        let prefix = hash(commit)[..8].to_owned();
        let from = format!("results/lab/{prefix}-virtualenv-py3.12.json");
        for copy in 0..8 {
            edited(&env, &from, &format!("results/lab/{prefix}-env-{copy}.json"), |_| {});
        }
    }
    let answer = compare(&env, &["--json", "-b", "time_slower"]).json(0);
    let basis = &answer["comparisons"][0]["basis"];
    assert_eq!((&basis["kind"], &basis["n_differences"]), (&json!("history"), &json!(12)), "{answer}");
}

#[test]
fn a_quick_run_counts_where_its_machine_has_no_other() {
    let env = TestEnv::with_project(&[("benchmarks/bench.py", SUITE)]);
    env.tacho(&["run", "-b", "track", "--machine", "lab"]).with_code(0);
    env.tacho(&["run", "-b", "track", "--machine", "pi"]).with_code(0);
    env.write("value.txt", "50");
    env.commit("half");
    env.tacho(&["run", "-b", "track", "--machine", "lab"]).with_code(0);
    env.tacho(&["run", "-b", "track", "--machine", "pi", "--quick"]).with_code(0);
    let answer = env.tacho(&["compare", "HEAD~1", "HEAD", "--json"]).json(0);
    let pi = answer["comparisons"].as_array().unwrap().iter().find(|row| row["machine"] == "pi").unwrap();
    assert_eq!(pi["disagreements"], json!([{"field": "quick", "before": "false", "after": "true"}]), "{answer}");
}

#[test]
fn a_field_that_nothing_has_is_told() {
    let env = project();
    let warning = "warning: nothing here has a field `pyhton` to compare across; there are machine, method, python, quick, unit, version";
    let said = compare(&env, &["--across", "pyhton", "--across", "version", "-b", "time_changed"]);
    assert_eq!((said.code, said.stderr.trim()), (Some(0), warning));
    assert_eq!(compare(&env, &["--across", "python", "-b", "time_changed"]).stderr, "");
}
