//! What is written for asv is read back as it was, and no file of somebody else's is touched.

use std::path::Path;

use tacho_model::{
    Completeness, Isolation, Metric, Outcome, Provenance, Purpose, Results, Run, RunSettings, State, Subject,
};
use tacho_store::{AsvResults, AsvRun, AsvWriter, AsvWritten, StoreError};

use crate::asv::AsvFolder;
use crate::runs::{START, rich_run, texts};

fn run() -> Run {
    let mut run = rich_run();
    run.provenance.purpose = Purpose::History;
    run.provenance.settings = RunSettings::default();
    let axes = [("env.A", "1"), ("python", "3.11"), ("req.numpy", "1.26"), ("req.scipy", ""), ("threads", "2")];
    run.provenance.environment.axes = texts(axes);
    run.planned[0].benchmark.metrics.push(Metric::new("page_faults", "faults", None));
    run.completeness = Completeness::Sealed;
    for round in &mut run.rounds {
        round.isolation = Isolation::Fork;
    }
    run
}

fn outcome(run: &Run, plan: usize, case: usize, metric: usize, state: State, samples: &[f64]) -> Outcome {
    let benchmark = &run.planned[plan].benchmark;
    let value = samples.get(samples.len() / 2).copied();
    let quartiles = value.map(|value| (value / 2.0, value * 2.0));
    Outcome {
        case: benchmark.case(case).unwrap(),
        metric: benchmark.metrics[metric].clone(),
        version: Some(benchmark.version.clone()),
        state,
        value,
        spread: quartiles.map(|(low, high)| high / 2.0 - low / 2.0),
        quartiles,
        interval: quartiles.filter(|_| samples.len() > 1),
        samples: samples.to_vec(),
        n_samples: samples.len(),
        round_values: vec![],
        number: (metric == 0 && plan == 0 && value.is_some()).then_some(7),
        n_rounds: 0,
        duration_ns: if metric == 0 { 1_250_000_000 } else { 0 },
        method: value.map(|_| "asv/2".to_owned()),
        message: None,
        detail: None,
    }
}

fn outcomes(run: &Run) -> Vec<Outcome> {
    vec![
        outcome(run, 0, 0, 0, State::Measured, &[0.25, 0.5, 0.75]),
        outcome(run, 0, 1, 0, State::Failed, &[]),
        outcome(run, 0, 2, 0, State::Skipped, &[]),
        outcome(run, 0, 3, 0, State::Measured, &[0.5]),
        outcome(run, 0, 0, 1, State::Measured, &[3.0, 4.0]),
        outcome(run, 0, 1, 1, State::Failed, &[]),
        outcome(run, 0, 2, 1, State::Skipped, &[]),
        outcome(run, 0, 3, 1, State::Measured, &[5.0, 6.0]),
        outcome(run, 1, 0, 0, State::Measured, &[8.0, 16.0]),
    ]
}

fn export(folder: &Path, run: &Run, force: bool) -> Result<AsvWritten, StoreError> {
    let records = [(run.provenance.run_id.clone(), "ab".repeat(32))];
    let mut writer = AsvWriter::new(folder, force);
    writer.add(&AsvRun { run, outcomes: &outcomes(run), records: &records })?;
    writer.finish()
}

fn read_back(folder: &Path) -> Results {
    let results = AsvResults::open(folder).unwrap();
    assert!(results.unreadable().is_empty(), "{:?}", results.unreadable());
    let files = results.files().unwrap();
    results.read(&files[0], "example").unwrap()
}

#[test]
fn outcomes_come_back_as_they_were() {
    let (folder, run) = (AsvFolder::new(), run());
    export(folder.root(), &run, false).unwrap();
    let read = read_back(folder.root());
    let mut wanted = outcomes(&run);
    // In asv's files benchmarks are in the order of their names, and metrics stand apart.
    wanted.sort_by_key(|outcome| (outcome.case.benchmark.clone(), outcome.metric.name != "time", outcome.case.index));
    for outcome in &mut wanted {
        outcome.metric.exact = false;
    }
    assert_eq!(read.outcomes, wanted);
}

#[test]
fn a_run_comes_back_with_its_identity() {
    let (folder, run) = (AsvFolder::new(), run());
    export(folder.root(), &run, false).unwrap();
    let found = read_back(folder.root()).provenance;
    let Provenance { run_id, subject, machine, environment, method, runner, tool_version, .. } = &run.provenance;
    assert_eq!((&found.run_id, &found.subject, &found.method), (run_id, subject, method));
    assert_eq!((&found.runner, &found.tool_version), (runner, tool_version));
    assert_eq!(found.machine.name, machine.name);
    assert_eq!(found.machine.facts, machine.facts);
    assert_eq!((&found.environment.axes, &found.environment.label), (&environment.axes, &environment.label));
    // To the millisecond, and the first round's.
    assert_eq!(found.started_at.unix_us, START.unix_us / 1000 * 1000);
}

#[test]
fn each_benchmark_comes_back_with_its_own_method() {
    let (folder, run) = (AsvFolder::new(), run());
    let mut all = outcomes(&run);
    all.last_mut().unwrap().method = Some("call/1".into());
    let mut writer = AsvWriter::new(folder.root(), false);
    writer
        .add(&AsvRun { run: &run, outcomes: &all, records: &[(run.provenance.run_id.clone(), "ab".repeat(32))] })
        .unwrap();
    writer.finish().unwrap();
    let methods = |outcomes: &[Outcome]| {
        let of = |outcome: &Outcome| {
            (outcome.case.benchmark.clone(), outcome.metric.name.clone(), outcome.case.index, outcome.method.clone())
        };
        outcomes.iter().map(of).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(methods(&read_back(folder.root()).outcomes), methods(&all));
}

#[test]
fn the_file_is_what_asv_writes() {
    let (folder, run) = (AsvFolder::new(), run());
    export(folder.root(), &run, false).unwrap();
    let text = std::fs::read_to_string(folder.root().join("m/0123abcd-py3.11.json")).unwrap();
    insta::assert_snapshot!(text.replace(", \"", ",\n\""));
    insta::assert_snapshot!(std::fs::read_to_string(folder.root().join("m/machine.json")).unwrap());
    insta::assert_snapshot!(std::fs::read_to_string(folder.root().join("benchmarks.json")).unwrap());
}

#[test]
fn a_file_is_passed_over_where_its_record_is() {
    let (folder, run) = (AsvFolder::new(), run());
    export(folder.root(), &run, false).unwrap();
    let read = |known: &str| {
        let results = AsvResults::open(folder.root()).unwrap().beside([known.to_owned()]);
        let file = results.files().unwrap().remove(0);
        let heads = results.head(&file, "example").map(|_| ());
        heads.and(results.read(&file, "example").map(|_| ()))
    };
    let error = read(&run.provenance.run_id).unwrap_err();
    assert!(error.is_foreign());
    insta::assert_snapshot!(folder.text_of(&error), @"`[root]/m/0123abcd-py3.11.json` was exported from the run 0123456789abcdef, whose record is here");
    read("another").unwrap();
}

#[test]
fn a_second_time_nothing_changes() {
    let (folder, run) = (AsvFolder::new(), run());
    let first = export(folder.root(), &run, false).unwrap();
    assert_eq!((first.written.len(), first.unchanged.len()), (3, 0));
    let second = export(folder.root(), &run, false).unwrap();
    assert_eq!((second.written.len(), second.unchanged.len()), (0, 3));
    // What is ours is brought up to date.
    let mut later = run;
    later.provenance.method = "asv/1".into();
    assert_eq!(export(folder.root(), &later, false).unwrap().written.len(), 1);
}

#[test]
fn files_of_others_stay_unless_forced() {
    let (folder, run) = (AsvFolder::new(), run());
    let mut theirs = vec![
        folder.put("m/0123abcd-py3.11.json", crate::asv::version_2("{}")),
        folder.put("m/machine.json", r#"{"machine": "other", "version": 1}"#),
        folder.put("benchmarks.json", r#"{"m.track_y": {"name": "m.track_y", "version": "1"}, "version": 2}"#),
    ];
    let before: Vec<Vec<u8>> = theirs.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let written = export(folder.root(), &run, false).unwrap();
    assert_eq!(written.written, Vec::<std::path::PathBuf>::new());
    assert_eq!(written.not_ours, theirs);
    assert_eq!(written.unlisted, ["m.time_x", "m.time_x@page_faults"]);
    for (path, bytes) in theirs.iter().zip(&before) {
        assert_eq!(&std::fs::read(path).unwrap(), bytes, "{}", path.display());
    }
    let forced = export(folder.root(), &run, true).unwrap();
    theirs.sort();
    let mut replaced = forced.written;
    replaced.sort();
    assert_eq!(replaced, theirs);
}

#[test]
fn a_machine_file_of_asv_is_good_enough() {
    let (folder, run) = (AsvFolder::new(), run());
    let path = folder.put("m/machine.json", r#"{"machine": "m", "version": 1}"#);
    let written = export(folder.root(), &run, false).unwrap();
    assert!(written.not_ours.is_empty());
    assert_eq!(std::fs::read_to_string(path).unwrap(), r#"{"machine": "m", "version": 1}"#);
}

#[test]
fn benchmarks_that_asv_lists_in_their_versions_are_good_enough() {
    let (folder, run) = (AsvFolder::new(), run());
    let text = r#"{"m.track_y": {"version": "1"}, "m.time_x": {"version": "f00d"},
        "m.time_x@page_faults": {"version": "f00d"}, "n.time_z": {"version": "2"}, "version": 2}"#;
    let path = folder.put("benchmarks.json", text);
    let written = export(folder.root(), &run, false).unwrap();
    assert!(written.not_ours.is_empty() && written.unlisted.is_empty(), "{written:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    // Forced, their other benchmarks stay.
    export(folder.root(), &run, true).unwrap();
    let merged = std::fs::read_to_string(&path).unwrap();
    assert!(merged.contains("n.time_z") && merged.contains("GFLOP/s"), "{merged}");
}

#[test]
fn two_environments_of_one_label_have_two_files() {
    let (folder, first) = (AsvFolder::new(), run());
    let mut second = run();
    second.provenance.environment.axes.insert("python".into(), "3.12".into());
    let mut writer = AsvWriter::new(folder.root(), false);
    for run in [&first, &second] {
        writer.add(&AsvRun { run, outcomes: &[], records: &[("0".repeat(16), String::new())] }).unwrap();
    }
    writer.finish().unwrap();
    let results = AsvResults::open(folder.root()).unwrap();
    let files = results.files().unwrap();
    let pythons: Vec<String> =
        files.iter().map(|file| results.head(file, "example").unwrap().environment.axes["python"].clone()).collect();
    assert_eq!(pythons.len(), 2);
    assert_ne!(pythons[0], pythons[1]);
}

#[test]
fn names_never_lead_out_of_the_folder() {
    let folder = AsvFolder::new();
    let inner = folder.root().join("results");
    let mut run = run();
    run.provenance.machine.name = "../../up".into();
    run.provenance.environment.label = "../../../etc/x\0y".into();
    run.provenance.subject = Subject::Commit { hash: "../../../../x".into(), date: None };
    let written = export(&inner, &run, false).unwrap();
    assert_eq!(written.written.len(), 3);
    for path in written.written {
        assert!(path.canonicalize().unwrap().starts_with(inner.canonicalize().unwrap()), "{}", path.display());
    }
    let read = read_back(&inner);
    assert_eq!(read.provenance.machine.name, "../../up");
}

#[test]
fn what_is_no_commit_is_refused_and_so_are_millions_of_cases() {
    let folder = AsvFolder::new();
    let mut tree = run();
    tree.provenance.subject = Subject::Tree { tree: "0".repeat(40), parent: None };
    let error = export(folder.root(), &tree, false).unwrap_err();
    insta::assert_snapshot!(error, @"cannot store a run of a tree as a result of asv's, which knows commits only");
    let mut large = run();
    let axis = large.planned[0].benchmark.parameters[0].clone();
    large.planned[0].benchmark.parameters = vec![axis; 64];
    let mut writer = AsvWriter::new(folder.root(), false);
    let error = writer.add(&AsvRun { run: &large, outcomes: &[], records: &[] }).unwrap_err();
    assert!(error.to_string().starts_with("cannot store the 18446744073709551615 cases of `m.time_x`"), "{error}");
}
