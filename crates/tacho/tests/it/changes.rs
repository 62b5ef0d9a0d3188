//! `tacho changes` on histories with known changes, as their maintainers meet them.

use serde_json::{Value, json};
use tacho_model::Subject;

use crate::env::TestEnv;
use crate::written::Written;

/// Returns a number between 0 and 1 for each whole number, without any order to it.
fn scattered(seed: u64) -> f64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Noise of about half a per cent, of which a series has its own.
fn noisy(level: f64, series: u64, commit: usize) -> f64 {
    let around = (0..4).map(|part| scattered(series * 100_000 + commit as u64 * 4 + part) - 0.5).sum::<f64>();
    level * (1.0 + 0.008 * around)
}

/// What a benchmark has for a commit: a value, or null.
type Level<'a> = &'a dyn Fn(usize) -> Value;

fn steps(series: u64, levels: &[(usize, f64)]) -> impl Fn(usize) -> Value {
    let levels = levels.to_vec();
    move |commit| {
        let level = levels.iter().rfind(|(from, _)| *from <= commit).map_or(1.0, |(_, level)| *level);
        json!(noisy(level * 1e-3, series, commit))
    }
}

/// A history of asv results over real commits.
struct History {
    env: TestEnv,
    commits: Vec<String>,
}

impl History {
    /// Makes `n` commits, one a day.
    fn new(n: usize) -> History {
        let env = TestEnv::new();
        env.write("asv.conf.json", r#"{"version": 1, "project": "demo", "repo": ".", "branches": ["main"]}"#);
        env.git(&["init", "--quiet", "--initial-branch=main"]);
        env.git(&["add", "asv.conf.json"]);
        let mut commits = Vec::new();
        for number in 0..n {
            let date = format!("{} +0000", 1_700_000_000 + number * 86_400);
            let message = format!("Step {number} <b>");
            env.git(&[
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@t",
                "commit",
                "--quiet",
                "--allow-empty",
                "-m",
                &message,
                "--date",
                &date,
            ]);
            commits.push(env.git(&["rev-parse", "HEAD"]).trim().to_owned());
        }
        History { env, commits }
    }

    /// Writes a result for each of some commits.
    fn measured(
        &self,
        machine: &str,
        facts: &[(&str, &str)],
        commits: &[usize],
        benchmarks: &[(&str, &str, Level<'_>)],
    ) {
        for &commit in commits {
            let results: serde_json::Map<String, Value> = benchmarks
                .iter()
                .map(|(name, version, level)| ((*name).to_owned(), json!([[level(commit)], [], version])))
                .collect();
            let mut params = json!({"machine": machine, "os": "Linux", "arch": "x86_64", "cpu": "c", "num_cpu": "4", "ram": "8", "python": "3.12"});
            for (name, value) in facts {
                params[*name] = json!(value);
            }
            let document = json!({
                "version": 2, "commit_hash": self.commits[commit], "env_name": "virtualenv-py3.12",
                "date": 1_700_000_000_000_u64 + commit as u64 * 86_400_000, "python": "3.12", "requirements": {}, "env_vars": {},
                "params": params, "durations": {}, "result_columns": ["result", "params", "version"], "results": results,
            });
            let path = format!("results/{machine}/{}-virtualenv-py3.12.json", &self.commits[commit][..8]);
            self.env.write(&path, &document.to_string());
            self.env.write(
                &format!("results/{machine}/machine.json"),
                &json!({"machine": machine, "version": 1}).to_string(),
            );
        }
    }

    fn changes(&self, more: &[&str]) -> crate::env::Said {
        self.env.tacho(&[&["changes"], more].concat())
    }

    /// Returns what `--json` tells of each change: benchmark, commit by its number, per cent, state.
    fn told(&self, more: &[&str]) -> Vec<(String, usize, i64, String)> {
        let document = self.changes(&[&["--json"], more].concat()).json(0);
        assert_eq!(document["schema"], "tacho.changes/1");
        let number = |hash: &Value| self.commits.iter().position(|commit| hash == commit).unwrap();
        let changes = document["changes"].as_array().unwrap().iter().map(|change| {
            let percent = (change["effect"].as_f64().unwrap() * 100.0).round() as i64;
            assert!(change["lower"].is_null() || change["lower"].as_f64() <= change["effect"].as_f64());
            assert_eq!(number(&change["previous_commit"]) + 1, number(&change["commit"]));
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            (text(&change["series"]["benchmark"]), number(&change["commit"]), percent, text(&change["state"]))
        });
        let mut changes: Vec<_> = changes.collect();
        changes.sort();
        changes
    }
}

fn expected(changes: &[(&str, usize, i64, &str)]) -> Vec<(String, usize, i64, String)> {
    changes
        .iter()
        .map(|(name, commit, percent, state)| ((*name).to_owned(), *commit, *percent, (*state).to_owned()))
        .collect()
}

fn every(n: usize) -> Vec<usize> {
    (0..n).collect()
}

/// Sixty commits with a loss of two benchmarks at 20, a gain at 40 and a small loss at 45.
fn project() -> History {
    let history = History::new(60);
    let benchmarks: [(&str, &str, Level<'_>); 5] = [
        ("lin.time_lu", "1", &steps(1, &[(20, 1.2)])),
        ("lin.time_qr", "1", &steps(2, &[(20, 1.1)])),
        ("fft.time_fft", "1", &steps(3, &[(40, 0.7)])),
        ("io.time_read", "1", &steps(4, &[])),
        ("io.time_small", "1", &steps(5, &[(45, 1.017)])),
    ];
    history.measured("lab", &[], &every(60), &benchmarks);
    history
}

#[test]
fn what_changed_is_listed_newest_first() {
    let history = project();
    let short = |text: &str| {
        let mut text = text.to_owned();
        for (number, commit) in history.commits.iter().enumerate() {
            text = text.replace(&commit[..8], &format!("<{number:06}>"));
        }
        text
    };
    insta::assert_snapshot!("listed", short(&history.changes(&[]).all()));
    insta::assert_snapshot!("markdown", short(&history.changes(&["--markdown", "-b", "lin"]).all()));
    let listed = expected(&[
        ("fft.time_fft", 40, -30, "confirmed"),
        ("lin.time_lu", 20, 20, "confirmed"),
        ("lin.time_qr", 20, 10, "confirmed"),
    ]);
    assert_eq!(history.told(&[]), listed);
    let small = history.told(&["--all"]).into_iter().filter(|change| change.0 == "io.time_small").collect::<Vec<_>>();
    assert_eq!(small, expected(&[("io.time_small", 45, 2, "confirmed")]));
}

#[test]
fn filters_leave_what_is_asked_for() {
    let history = project();
    let names = |more: &[&str]| history.told(more).into_iter().map(|change| change.0).collect::<Vec<_>>();
    assert_eq!(names(&["-b", "lin"]), ["lin.time_lu", "lin.time_qr"]);
    assert_eq!(names(&["--improvements"]), ["fft.time_fft"]);
    assert_eq!(names(&["--regressions"]), ["lin.time_lu", "lin.time_qr"]);
    assert_eq!(names(&["--factor", "1.15"]), ["fft.time_fft", "lin.time_lu"]);
    assert_eq!(names(&["--until", &history.commits[30]]), ["lin.time_lu", "lin.time_qr"]);
    assert_eq!(names(&["--since", &history.commits[30]]), ["fft.time_fft"]);
    assert_eq!(names(&["--limit", "1"]), ["fft.time_fft"]);
    assert_eq!(names(&["--stats", "asv", "-b", "lin|fft"]), ["fft.time_fft", "lin.time_lu", "lin.time_qr"]);
}

#[test]
fn since_is_a_question_about_losses() {
    let history = project();
    let code = |since: &str| history.changes(&["--since", since]).code;
    assert_eq!(code(&history.commits[19]), Some(1));
    assert_eq!(code(&history.commits[20]), Some(0));
    assert_eq!(code(&history.commits[20][..10]), Some(0));
    assert_eq!(code("HEAD~41"), Some(1));
    assert_eq!(code("HEAD~39"), Some(0));
    // The day of commit 20, and the day after.
    assert_eq!(code("2023-12-04"), Some(1));
    assert_eq!(code("2023-12-05T12:00:00Z"), Some(0));
    assert_eq!(code("2weeks"), Some(0));
    // A tag, and a branch that left the line at commit 30.
    history.env.git(&["tag", "v1", &history.commits[10]]);
    assert_eq!(code("v1"), Some(1));
    history.env.git(&["checkout", "--quiet", "-b", "side", &history.commits[30]]);
    history.env.git(&["-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--allow-empty", "-m", "s"]);
    assert_eq!(code("side"), Some(0));
    let said = history.changes(&["--since", "no-such-thing"]);
    insta::assert_snapshot!(said.all());
}

#[test]
fn small_losses_in_a_row_are_seen_as_one() {
    let history = History::new(90);
    let benchmarks: [(&str, &str, Level<'_>); 1] = [("b.time_creep", "1", &steps(1, &[(30, 1.04), (60, 1.08)]))];
    history.measured("lab", &[], &every(90), &benchmarks);
    let creep = |commit, percent| expected(&[("b.time_creep", commit, percent, "confirmed")]);
    assert_eq!(history.told(&["--factor", "1.05"]), creep(30, 8));
    assert_eq!(history.told(&["--factor", "1.1"]), []);
    assert_eq!(history.told(&["--all"]), [creep(30, 4), creep(60, 4)].concat());
    // It goes on after commit 40, and so is new since then.
    assert_eq!(history.changes(&["--factor", "1.05", "--since", &history.commits[40]]).code, Some(1));
    assert_eq!(history.changes(&["--factor", "1.05", "--since", &history.commits[70]]).code, Some(0));
}

#[test]
fn another_version_or_processor_is_an_event_and_no_change() {
    let history = History::new(60);
    let level = steps(1, &[(30, 3.0)]);
    let half = |range: std::ops::Range<usize>| range.collect::<Vec<usize>>();
    history.measured("lab", &[], &half(0..30), &[("b.time_x", "1", &level)]);
    history.measured("lab", &[], &half(30..60), &[("b.time_x", "2", &level)]);
    history.measured("other", &[("cpu", "old")], &half(0..30), &[("b.time_x", "1", &level)]);
    history.measured("other", &[("cpu", "new")], &half(30..60), &[("b.time_x", "1", &level)]);
    // Neither memory nor kernel is one.
    history.measured("third", &[("ram", "8000000000"), ("kernel", "5")], &half(0..30), &[("b.time_x", "1", &level)]);
    history.measured("third", &[("ram", "16000000000"), ("kernel", "6")], &half(30..60), &[("b.time_x", "1", &level)]);
    let document = history.changes(&["--all", "--json"]).json(0);
    let changes = document["changes"].as_array().unwrap();
    assert_eq!((changes.len(), &changes[0]["series"]["machine"]), (1, &json!("third")));
    assert_eq!(
        changes[0]["moved"],
        json!([{"field": "kernel", "before": "5", "after": "6"}, {"field": "ram", "before": "8GB", "after": "16GB"}])
    );
    assert_eq!((&document["n_events"], &document["n_series"]), (&json!(2), &json!(3)));
}

#[test]
fn more_is_better_where_the_unit_says_so() {
    let history = History::new(60);
    let level = steps(1, &[(30, 1.3)]);
    history.measured("lab", &[], &every(60), &[("b.track_speed", "1", &level)]);
    let define = |unit: &str| {
        let definition = json!({"b.track_speed": {"name": "b.track_speed", "params": [], "param_names": [], "type": "track", "unit": unit, "version": "1", "code": ""}, "version": 2});
        history.env.write("results/benchmarks.json", &definition.to_string());
    };
    for (unit, verdict) in [("GFLOP/s", "faster"), ("gflopss", "faster"), ("runtime (s)", "slower"), ("unit", "slower")]
    {
        define(unit);
        let document = history.changes(&["--json"]).json(0);
        assert_eq!(document["changes"][0]["verdict"], verdict, "{unit}");
    }
}

#[test]
fn new_points_alone_make_a_change_provisional_and_few_of_them_are_listed() {
    let history = History::new(44);
    let benchmarks: [(&str, &str, Level<'_>); 2] =
        [("b.time_large", "1", &steps(1, &[(40, 1.25)])), ("b.time_little", "1", &steps(2, &[(40, 1.03)]))];
    history.measured("lab", &[], &every(44), &benchmarks);
    assert_eq!(history.told(&[]), expected(&[("b.time_large", 40, 25, "provisional")]));
    let all = history.told(&["--all"]);
    assert!(all.contains(&("b.time_little".to_owned(), 40, 3, "provisional".to_owned())), "{all:?}");
    let text = history.changes(&[]).with_code(0);
    assert!(text.contains("1 provisional and small"), "{text}");
}

#[test]
fn what_was_undone_or_ended_is_only_counted() {
    let history = History::new(80);
    history.measured("lab", &[], &every(80), &[("b.time_back", "1", &steps(1, &[(20, 1.2), (50, 1.0)]))]);
    let env = &history.env;
    assert_eq!(history.told(&["--regressions"]), []);
    let text = history.changes(&["--regressions"]).with_code(0);
    assert!(text.contains("1 undone since"), "{text}");
    // Written before all was measured anew without it.
    let ended = steps(2, &[(20, 1.2)]);
    for commit in every(50) {
        let path = format!("results/lab/{}-virtualenv-py3.12.json", &history.commits[commit][..8]);
        let mut document: Value = serde_json::from_str(&std::fs::read_to_string(env.path(&path)).unwrap()).unwrap();
        document["results"]["b.time_ended"] = json!([[ended(commit)], [], "1"]);
        env.write(&path, &document.to_string());
    }
    assert_eq!(history.told(&["-b", "ended"]), []);
    assert!(history.changes(&["-b", "ended"]).with_code(0).contains("of series that are measured no more"));
    assert_eq!(history.told(&["-b", "ended", "--all"]), expected(&[("b.time_ended", 20, 20, "confirmed")]));
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let history = History::new(5);
    insta::assert_snapshot!("nothing_kept", history.changes(&[]).all());
    let bare = TestEnv::new();
    assert_eq!(bare.tacho(&["changes"]).code, Some(0));
    let project = project();
    for (name, more) in
        [("no_benchmark", ["-b", "no_such"]), ("no_machine", ["-m", "lap"]), ("no_metric", ["--metric", "tim"])]
    {
        insta::assert_snapshot!(name, project.changes(&more).all());
    }
}

#[test]
fn commits_that_nobody_knows_are_placed_by_date() {
    let mut history = History::new(60);
    history.commits = (0..60).map(|number| format!("{:08x}", 0xbeef_0000_u32 + number).repeat(5)).collect();
    history.measured("lab", &[], &every(60), &[("b.time_x", "1", &steps(1, &[(30, 1.3)]))]);
    assert_eq!(history.told(&[]), expected(&[("b.time_x", 30, 30, "confirmed")]));
    assert_eq!(history.changes(&["--since", &history.commits[29][..12]]).code, Some(1));
    assert_eq!(history.changes(&["--since", &history.commits[30][..12]]).code, Some(0));
}

#[test]
fn a_loss_beyond_the_limit_is_still_one() {
    let history = project();
    let said = history.changes(&["--since", "HEAD~50", "--limit", "1"]);
    assert_eq!(said.code, Some(1), "{}", said.all());
    assert_eq!(history.changes(&["--since", "HEAD~50", "--limit", "0", "--improvements"]).code, Some(0));
}

#[test]
fn a_release_on_a_branch_that_was_merged_bounds_where_it_left_the_line() {
    let history = project();
    let git = |arguments: &[&str]| {
        history.env.git(&[&["-c", "user.name=t", "-c", "user.email=t@t"], arguments].concat());
    };
    for (name, from) in [("early", 10), ("late", 30)] {
        git(&["checkout", "--quiet", "-b", name, &history.commits[from]]);
        git(&["commit", "--quiet", "--allow-empty", "-m", "release"]);
        git(&["checkout", "--quiet", "main"]);
        git(&["merge", "--quiet", "--no-ff", "-m", "merged", name]);
    }
    let told = |since: &str| history.env.tacho(&["changes", "--json", "--since", since]);
    assert_eq!(told("early").code, Some(1), "{}", told("early").all());
    assert_eq!(told("late").code, Some(0), "{}", told("late").all());
    git(&["checkout", "--quiet", "late"]);
    assert_eq!(told("HEAD").code, Some(0), "{}", told("HEAD").all());
}

#[test]
fn a_version_is_meant_where_versions_were_measured_whatever_is_tagged() {
    let env = TestEnv::with_project(&[]);
    env.git(&["tag", "1.30"]);
    env.git(&["tag", "1.3"]);
    for minor in 0..40 {
        let version = Subject::Version { package: "demo".into(), version: format!("1.{minor}") };
        let level = if minor < 20 { 1e-3 } else { 1.3e-3 };
        Written::new(version, &[("python", "3.12")], noisy(level, 1, minor)).keep(&env);
    }
    for (since, code) in [("1.3", 1), ("1.30", 0), ("demo==1.19", 1), ("1.20", 0)] {
        let said = env.tacho(&["changes", "--since", since]);
        assert_eq!(said.code, Some(code), "{since}: {}", said.all());
    }
}

#[test]
fn what_moved_anywhere_in_the_range_is_told() {
    let history = History::new(80);
    let level = steps(1, &[(40, 1.006)]);
    history.measured("lab", &[("kernel", "5")], &every(39), &[("b.time_x", "1", &level)]);
    history.measured("lab", &[("kernel", "6")], &(39..80).collect::<Vec<_>>(), &[("b.time_x", "1", &level)]);
    let document = history.changes(&["--all", "--json"]).json(0);
    let change = &document["changes"][0];
    let number = |hash: &Value| history.commits.iter().position(|commit| hash == commit).unwrap();
    let (good, first) = (number(&change["last_good_subject"]["id"]), number(&change["commit"]));
    assert!(good < 39 && first > 39, "{good} {first}");
    assert_eq!(change["moved"], json!([{"field": "kernel", "before": "5", "after": "6"}]));
}
