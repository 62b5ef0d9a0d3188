//! Real suites of real projects, held against what asv made of them.
//!
//! `cargo xtask test` prepares the suites and names their folder in `TACHO_REAL`; `tests/real` says what they
//! are and what asv 0.6.6 measured. A figure of a single call on a shared machine is rough, so values are
//! held to a median and to a share within a factor of two, scaled by how fast this machine is.

mod builds;
mod readers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::env::TestEnv;

/// A suite whose source and environment are prepared, and what asv said of it.
struct Suite {
    env: TestEnv,
    python: PathBuf,
    part: Vec<String>,
    expected: Value,
}

/// Returns the suite, or nothing where it is not prepared.
fn suite(name: &str) -> Option<Suite> {
    let Some(folder) = std::env::var_os("TACHO_REAL").map(|folder| Path::new(&folder).join(name)) else {
        eprintln!("skipped: {name} is not prepared; `cargo xtask test` does it");
        return None;
    };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/real");
    let read = |path: PathBuf| -> Value { serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap() };
    let all = read(tests.join("suites.json"));
    let entry = all["suites"].as_array().unwrap().iter().find(|suite| suite["name"] == name).unwrap().clone();
    let python = folder.join("venv/bin/python");
    assert!(python.exists(), "{} is prepared by `cargo xtask setup --real {name}`", python.display());
    let env = TestEnv::new();
    let dir = folder.join("source").join(entry["benchmark_dir"].as_str().unwrap());
    let text = |value: &str| toml_text(value);
    env.write(
        "tacho.toml",
        &format!(
            "[project]\nname = {}\nrepo = \"https://example.org/project\"\n[[suite]]\ndir = {}\n[environment]\npython = {}\n",
            text(name),
            text(&dir.display().to_string()),
            text(&python.display().to_string()),
        ),
    );
    let part = entry["part"].as_array().unwrap().iter().map(|regex| regex.as_str().unwrap().to_owned()).collect();
    Some(Suite { env, python, part, expected: read(tests.join("expectations").join(format!("{name}.json"))) })
}

fn toml_text(value: &str) -> String {
    format!("'{value}'")
}

impl Suite {
    fn tacho(&self, arguments: &[&str]) -> crate::env::Said {
        self.env.tacho_with(arguments, |command| {
            // Numeric libraries are to choose the same code as when asv measured.
            let libraries = std::env::vars().filter(|(name, _)| name.starts_with("OPENBLAS_"));
            command.env("PYTHONDONTWRITEBYTECODE", "1").envs(libraries);
        })
    }

    fn benchmarks(&self) -> &serde_json::Map<String, Value> {
        self.expected["benchmarks"].as_object().unwrap()
    }

    /// The same benchmarks, cases and versions as asv found.
    fn check_discovery(&self) {
        let listed = self.tacho(&["list", "--json"]).json(0);
        let prefix = self.python.parent().unwrap().parent().unwrap().display().to_string();
        let ours: BTreeMap<String, Value> = listed["benchmarks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|b| (b["benchmark"].as_str().unwrap().to_owned(), described(b, &prefix)))
            .collect();
        let theirs: BTreeMap<String, Value> = self
            .benchmarks()
            .iter()
            .map(|(name, b)| {
                let fields = ["type", "unit", "version", "params", "param_names"].map(|field| b[field].clone());
                (name.clone(), sorted_sets(name, Value::from(fields.to_vec())))
            })
            .collect();
        for (name, theirs) in &theirs {
            assert_eq!(ours.get(name), Some(theirs), "{name}");
        }
        assert_eq!(ours.len(), theirs.len(), "no benchmark beyond asv's");
    }

    /// The same outcome for every case of the declared part, and values that asv would have measured.
    fn check_part(&self) {
        let mut flags = vec!["run", "--quick", "--quiet"];
        flags.extend(self.part.iter().flat_map(|regex| ["-b", regex]));
        let mut shares = Vec::new();
        for _ in 0..3 {
            let said = self.tacho(&flags);
            assert!(matches!(said.code, Some(0 | 3)), "{}", said.all());
            let run = self.tacho(&["show", "--json"]).json(0)["runs"][0].clone();
            let n_expected: usize = self.benchmarks().values().map(|b| recorded_cases(b).len()).sum();
            assert_eq!(run["counts"]["cases"], n_expected, "no case beyond the declared part");
            let ratios = self.ratios(&run);
            let (median, share) = (median(&ratios), share_within_two(&ratios, median(&ratios)));
            shares.push((ratios.len(), median, share));
            // A burst of other work on the machine spoils one run, not three.
            if (0.8..=1.25).contains(&median) && share >= 0.9 {
                eprintln!("{} cases, median ratio {median:.3}, {share:.3} within a factor two", ratios.len());
                return;
            }
        }
        panic!("(cases, median ratio, share within a factor two) of three runs: {shares:?}");
    }

    /// The whole suite runs to its end, and every case that asv measured has asv's outcome.
    fn check_whole(&self, name: &str) {
        let began = std::time::Instant::now();
        let said = self.tacho(&["run", "--quick", "--quiet"]);
        assert!(matches!(said.code, Some(0 | 3)), "{}", said.all());
        let run = self.tacho(&["show", "--json"]).json(0)["runs"][0].clone();
        let ratios = self.ratios(&run);
        let (median, share) = (median(&ratios), share_within_two(&ratios, median(&ratios)));
        let (counts, took_s) = (&run["counts"], began.elapsed().as_secs());
        eprintln!(
            "{name}: {counts} in {took_s} s; {} compared, median ratio {median:.3}, {share:.3} within a factor two",
            ratios.len()
        );
        assert_eq!(run["complete"], true);
    }

    /// Asserts each case's outcome and returns ours/asv's value for the measured times, scaled to this machine.
    fn ratios(&self, run: &Value) -> Vec<f64> {
        let scale = self.machine_scale();
        let mut ours: BTreeMap<(String, Vec<String>), &Value> = BTreeMap::new();
        for result in run["results"].as_array().unwrap() {
            let parameters = result["parameters"].as_array().unwrap().iter();
            let texts = parameters.map(|p| p["value"].as_str().unwrap().to_owned()).collect();
            ours.insert((result["benchmark"].as_str().unwrap().to_owned(), texts), result);
        }
        let mut ratios = Vec::new();
        for (name, benchmark) in self.benchmarks() {
            for (texts, case) in recorded_cases(benchmark) {
                let ours = ours.get(&(name.clone(), texts.clone()));
                let ours = ours.unwrap_or_else(|| panic!("{name}({texts:?}) was not run"));
                assert_eq!(asv_state(ours), case[0], "{name}({texts:?}): {ours}");
                if let (Some(value), "seconds") = (ours["value"].as_f64(), benchmark["unit"].as_str().unwrap()) {
                    ratios.push(value / geometric_mean(&case.as_array().unwrap()[1..]) / scale);
                }
            }
        }
        ratios
    }

    /// How much slower than the recording machine this one is, by the recorder's own probe.
    fn machine_scale(&self) -> f64 {
        let recorder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/real/record_expectation.py");
        let output = Command::new(&self.python).arg(recorder).arg("--probe").output().unwrap();
        let probe: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("no probe: {}", String::from_utf8_lossy(&output.stderr)));
        let recorded = &self.expected["made_with"]["speed_probe"];
        let ratio = |name: &str| probe[name].as_f64().unwrap() / recorded[name].as_f64().unwrap();
        (ratio("loop_s") * ratio("sort_s")).sqrt()
    }
}

/// Returns kind, unit, version and parameters as asv writes them.
fn described(benchmark: &Value, prefix: &str) -> Value {
    let axes = benchmark["parameters"].as_array().unwrap();
    let params: Vec<&Value> = axes.iter().map(|axis| &axis["values"]).collect();
    let names: Vec<&Value> = axes.iter().map(|axis| &axis["name"]).collect();
    let kind = match benchmark["kind"].as_str().unwrap() {
        "timeraw" => "time",
        "mem" => "memory",
        "peakmem" => "peakmemory",
        other => other,
    };
    let version = benchmark["version"].as_str().unwrap().replace(prefix, "{prefix}");
    let name = benchmark["benchmark"].as_str().unwrap();
    sorted_sets(name, serde_json::json!([kind, benchmark["metrics"][0]["unit"], version, params, names]))
}

/// xarray makes a parameter of one benchmark from a set: its order is another one in every process.
fn sorted_sets(name: &str, mut fields: Value) -> Value {
    if name == "dataset_io.IOReadSingleFile.time_read_dataset" {
        for values in fields[3].as_array_mut().unwrap() {
            let values = values.as_array_mut().unwrap();
            values.sort_by_key(|value| value.to_string());
        }
    }
    fields
}

/// Returns parameter texts and `[state, value…]` of each recorded case.
fn recorded_cases(benchmark: &Value) -> Vec<(Vec<String>, &Value)> {
    let Some(cases) = benchmark["cases"].as_array() else { return vec![] };
    let mut combinations: Vec<Vec<String>> = vec![vec![]];
    for values in benchmark["params"].as_array().unwrap() {
        let longer = |texts: &Vec<String>| -> Vec<Vec<String>> {
            let with = |value: &Value| [texts.clone(), vec![value.as_str().unwrap().to_owned()]].concat();
            values.as_array().unwrap().iter().map(with).collect()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    combinations.into_iter().zip(cases).filter(|(_, case)| !case.is_null()).collect()
}

/// asv knows measured, failed and skipped.
fn asv_state(result: &Value) -> &str {
    match result["state"].as_str().unwrap() {
        "timed_out" | "killed" => "failed",
        other => other,
    }
}

fn geometric_mean(values: &[Value]) -> f64 {
    let logs: Vec<f64> = values.iter().map(|value| value.as_f64().unwrap().ln()).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn share_within_two(ratios: &[f64], median: f64) -> f64 {
    let near = ratios.iter().filter(|ratio| (0.5..=2.0).contains(&(**ratio / median))).count();
    near as f64 / ratios.len() as f64
}

fn check(name: &str) {
    if let Some(suite) = suite(name) {
        suite.check_discovery();
        suite.check_part();
    }
}

#[test]
fn numpy_is_measured_as_asv_measures_it() {
    check("numpy");
}

#[test]
fn pywavelets_is_measured_as_asv_measures_it() {
    check("pywavelets");
}

#[test]
fn whole_suites_run_to_their_end() {
    if std::env::var("TACHO_REAL_WHOLE").as_deref() != Ok("1") {
        eprintln!("skipped: whole suites take hours; `cargo xtask test --real` runs them");
        return;
    }
    for name in ["h5py", "pywavelets", "xarray", "scikit-image", "numpy", "scipy"] {
        if let Some(suite) = suite(name) {
            suite.check_discovery();
            suite.check_whole(name);
        }
    }
}
