//! Result folders of real projects, counted as another reader (in Python) counted them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tacho_model::{Results, State};
use tacho_store::AsvResults;

/// Returns the folder of a set; `None`, with a message, where it is not at hand.
fn set(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/asv-results").join(name);
    if !folder.join("counts.json").is_file() {
        eprintln!("skipped: there is no `{}`", folder.display());
        return None;
    }
    Some(folder)
}

fn number(value: &Value, key: &str) -> usize {
    value[key].as_u64().unwrap_or_else(|| panic!("counts.json has `{key}`")) as usize
}

/// What is counted over a set.
#[derive(Debug, Default)]
struct Counts {
    n_files: usize,
    n_foreign: usize,
    n_measured: usize,
    n_failed: usize,
    n_skipped: usize,
    machines: HashSet<String>,
    commits: HashSet<String>,
    benchmarks: HashSet<String>,
    series: HashSet<(String, String, String, Vec<String>)>,
}

impl Counts {
    fn take(&mut self, results: Results) {
        let provenance = results.provenance;
        self.n_files += 1;
        self.machines.insert(provenance.machine.name.clone());
        self.commits.insert(provenance.subject.id());
        for outcome in results.outcomes {
            self.benchmarks.insert(outcome.case.benchmark.clone());
            match outcome.state {
                State::Measured => self.n_measured += 1,
                State::Failed => self.n_failed += 1,
                State::Skipped => self.n_skipped += 1,
                other => panic!("asv knows no {other:?}"),
            }
            if outcome.value.is_some() {
                let (machine, label) = (provenance.machine.name.clone(), provenance.environment.label.clone());
                self.series.insert((machine, label, outcome.case.benchmark.clone(), outcome.case.texts()));
            }
        }
    }
}

fn count(folder: &Path) -> Counts {
    let results = AsvResults::open(&folder.join("results")).unwrap();
    assert!(results.unreadable().is_empty(), "{:?}", results.unreadable());
    let mut counts = Counts::default();
    for file in results.files().unwrap() {
        match results.read(&file, "project") {
            Ok(read) => {
                assert_eq!(results.head(&file, "project").unwrap(), read.provenance, "{}", file.path.display());
                assert!(read.provenance.subject.id().starts_with(&file.commit_prefix));
                assert_eq!(read.provenance.machine.name, file.machine);
                counts.take(read);
            }
            Err(error) if error.is_foreign() => counts.n_foreign += 1,
            Err(error) => panic!("{}", error.line()),
        }
    }
    counts
}

fn check(name: &str) {
    let Some(folder) = set(name) else { return };
    let expected: Value = serde_json::from_slice(&std::fs::read(folder.join("counts.json")).unwrap()).unwrap();
    let found = count(&folder);
    let pairs = [
        ("files", found.n_files),
        ("not_results", found.n_foreign),
        ("machines", found.machines.len()),
        ("commits", found.commits.len()),
        ("benchmarks", found.benchmarks.len()),
        ("series_with_values", found.series.len()),
        ("values", found.n_measured),
        ("failed", found.n_failed),
        ("skipped", found.n_skipped),
    ];
    for (key, n) in pairs {
        assert_eq!(n, number(&expected, key), "{key} of {name}");
    }
}

#[test]
fn three_architectures_of_one_suite() {
    check("blas");
}

#[test]
fn comparisons_lie_beside_the_results() {
    check("pylcm");
}

#[test]
fn four_operating_systems() {
    check("fastcan");
}

#[test]
fn tracked_rates_on_many_machines() {
    check("thematrix");
}

#[test]
fn recorded_samples() {
    check("eon");
}

#[test]
fn renamed_and_versioned_benchmarks() {
    check("kedro");
}

#[test]
fn many_skipped_cases() {
    check("bartz");
}

#[test]
fn the_first_format_with_failures() {
    check("conda");
}

#[test]
fn a_machine_name_for_every_run() {
    check("cvxpy");
}

#[test]
fn a_glance_tells_what_the_whole_head_does() {
    for name in ["blas", "pylcm", "fastcan", "thematrix", "eon", "kedro", "bartz", "conda", "cvxpy"] {
        let Some(folder) = set(name) else { continue };
        let asv = AsvResults::open(&folder.join("results")).unwrap();
        for file in asv.files().unwrap() {
            let (Ok(glance), Ok(head)) = (asv.glance(&file, name), asv.head(&file, name)) else {
                assert!(asv.glance(&file, name).is_err() && asv.head(&file, name).is_err(), "{file:?}");
                continue;
            };
            // The start is that of a benchmark near the beginning of the file.
            assert!(glance.started_at >= head.started_at, "{file:?}");
            assert_eq!(tacho_model::Provenance { started_at: head.started_at, ..glance }, head, "{file:?}");
        }
    }
}
