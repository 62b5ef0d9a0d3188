//! What is written is what is read, private paths aside.

use std::collections::BTreeMap;
use std::path::Path;

use tacho_model::{Completeness, Round, Run, Samples, State, Subject, Timestamp};
use tacho_store::{Prefixes, StoreError, draw_run_id, folder_name};

use crate::runs::{START, TestStore, provenance, rich_run, round, unbuilt_run};

#[test]
fn an_open_record_reads_back_as_it_was() {
    let test = TestStore::new();
    let run = rich_run();
    let path = test.write_open(&run);
    assert_eq!(test.store.read(&path).unwrap(), run);
}

#[test]
fn a_sealed_record_reads_back_as_it_was() {
    let test = TestStore::new();
    let run = rich_run();
    let path = test.write_sealed(&run);
    assert_eq!(test.store.read(&path).unwrap(), Run { completeness: Completeness::Sealed, ..run });
}

#[test]
fn a_run_that_could_not_be_built_is_kept_with_its_log() {
    let test = TestStore::new();
    let run = unbuilt_run("0123456789abcdef");
    let path = test.write_sealed(&run);
    assert_eq!(test.store.read(&path).unwrap(), Run { completeness: Completeness::Sealed, ..run });
    let entry = test.store.entries().unwrap().entries.remove(0);
    assert_eq!((entry.n_cases, entry.completeness), (0, Completeness::Sealed));
    let failure = entry.provenance.build_failure();
    assert_eq!(failure, Some("`uv build` exited with status 1: error: no compiler `cc`"));
    // Many records are listed at once.
    assert_eq!(entry.provenance.build.unwrap().log_tail, "");
}

#[test]
fn a_build_tells_no_private_path() {
    let test = TestStore::new();
    let mut run = unbuilt_run("0123456789abcdef");
    let build = run.provenance.build.as_mut().unwrap();
    build.failure = Some("cannot read `/no-such/home/x`".into());
    build.commands = vec!["cc -I/no-such/home/include a.c".into()];
    build.variables.insert("CC".into(), "/no-such/home/bin/cc".into());
    build.log_tail = "in /no-such/home/x: error\n".into();
    let prefixes = Prefixes::default().home(Path::new("/no-such/home"));
    let writer = test.store.create(&run.provenance, &[], &[], &prefixes).unwrap();
    let path = writer.seal().unwrap();
    let build = test.store.read(&path).unwrap().provenance.build.unwrap();
    assert_eq!(build.failure.as_deref(), Some("cannot read `{home}/x`"));
    assert_eq!(build.commands, ["cc -I{home}/include a.c"]);
    assert_eq!(build.variables["CC"], "{home}/bin/cc");
    assert_eq!(build.log_tail, "in {home}/x: error\n");
}

#[test]
fn rounds_are_readable_while_others_are_written() {
    let test = TestStore::new();
    let run = rich_run();
    let mut writer = test.store.create(&run.provenance, &run.planned, &run.problems, &Prefixes::default()).unwrap();
    for (n, round) in run.rounds.iter().enumerate() {
        assert_eq!(test.store.read(writer.path()).unwrap().rounds, run.rounds[..n]);
        writer.append(round).unwrap();
    }
    // The path of the open record leads to the sealed one.
    let open = writer.path().to_owned();
    writer.seal().unwrap();
    assert_eq!(test.store.read(&open).unwrap().completeness, Completeness::Sealed);
}

#[test]
fn names_tell_start_subject_environment_and_run() {
    let test = TestStore::new();
    test.write_sealed(&rich_run());
    test.write_open(&Run { provenance: provenance("m", "fedcba9876543210"), ..rich_run() });
    insta::assert_snapshot!(test.files().join("\n"), @"
    project/.tacho/.gitignore
    project/.tacho/records/m/20261130T083537Z-0123abcd-146a73ac-0123456789abcdef.jsonl.zst
    project/.tacho/records/m/20261130T083537Z-0123abcd-146a73ac-fedcba9876543210.jsonl.open
    project/.tacho/records/m/machine.json
    ");
    let ignored = std::fs::read_to_string(test.store.root().join(".gitignore")).unwrap();
    assert_eq!(ignored, "cache/\n");
}

#[test]
fn every_kind_of_subject_is_kept() {
    let test = TestStore::new();
    let date = Timestamp { unix_us: -1 };
    for subject in [
        Subject::Commit { hash: "../../x".into(), date: None },
        Subject::Tree { tree: "t".into(), parent: None },
        Subject::Tree { tree: "t".into(), parent: Some("p".into()) },
        Subject::Version { package: "a/b".into(), version: "1.0+x".into() },
        Subject::Date { date },
    ] {
        let mut run = rich_run();
        run.provenance.run_id = draw_run_id();
        run.provenance.subject = subject;
        let path = test.write_open(&run);
        assert_eq!(path.parent(), Some(test.store.machine_folder("m").as_path()));
        assert_eq!(test.store.read(&path).unwrap(), run);
    }
}

#[test]
fn machines_with_hostile_names_stay_in_the_folder() {
    let test = TestStore::new();
    let long = "x".repeat(10_000);
    for machine in ["../../x", "..", ".", "a/b", "", "/etc", "a\0b", "\n", &long] {
        let run = Run { provenance: provenance(machine, &draw_run_id()), ..rich_run() };
        let path = test.write_sealed(&run);
        assert_eq!(path.parent().unwrap().parent(), Some(test.store.root().join("records").as_path()), "{machine:?}");
        assert_eq!(test.store.read(&path).unwrap().provenance.machine.name, machine);
        assert_eq!(test.store.read_machine(machine).unwrap(), Some(run.provenance.machine));
    }
    assert_eq!(test.store.entries().unwrap().entries.len(), 9);
    assert!(test.files().iter().all(|file| file.starts_with("project/.tacho/")));
    assert_ne!(folder_name("a/b"), folder_name("a%2Fb"));
}

#[test]
fn two_writers_never_share_a_file() {
    let test = TestStore::new();
    let run = rich_run();
    let path = test.write_open(&run);
    let second = test.store.create(&run.provenance, &[], &[], &Prefixes::default());
    assert!(matches!(second, Err(StoreError::Exists { .. })));
    assert_eq!(test.store.read(&path).unwrap(), run);
    test.write_open(&Run { provenance: provenance("m", &draw_run_id()), ..rich_run() });
    assert_eq!(test.store.entries().unwrap().entries.len(), 2);
}

#[test]
fn a_run_is_not_written_over_its_sealed_record() {
    let test = TestStore::new();
    let run = rich_run();
    test.write_sealed(&run);
    let second = test.store.create(&run.provenance, &[], &[], &Prefixes::default());
    assert!(matches!(second, Err(StoreError::Exists { .. })));
}

fn check_refused(change: impl FnOnce(&mut Run), expected: &str) {
    let test = TestStore::new();
    let mut run = rich_run();
    change(&mut run);
    let error = test.store.create(&run.provenance, &run.planned, &run.problems, &Prefixes::default()).unwrap_err();
    assert_eq!(error.line(), expected);
    assert_eq!(test.files(), Vec::<String>::new());
}

#[test]
fn what_must_not_stand_in_a_header_is_refused_before_there_is_a_file() {
    check_refused(
        |run| run.planned[0].benchmark.timeout_s = Some(f64::INFINITY),
        "cannot store `m.time_x`, time limit: `inf` is not finite",
    );
    check_refused(
        |run| run.provenance.load.as_mut().unwrap().one_minute = f64::NAN,
        "cannot store the load of the machine: `NaN` is not finite",
    );
    check_refused(
        |run| run.planned[0].benchmark.extra.insert("x".into(), "NaN".into()).map_or((), drop),
        "cannot store `m.time_x`, attribute `x`: `NaN` is not JSON: expected value at line 1 column 1",
    );
    check_refused(
        |run| run.provenance.run_id = "../x".into(),
        "cannot store a run with the id `../x`: an id is sixteen hexadecimal digits",
    );
}

fn check_round_refused(change: impl FnOnce(&mut Round), expected: &str) {
    let test = TestStore::new();
    let run = rich_run();
    let mut writer = test.store.create(&run.provenance, &run.planned, &run.problems, &Prefixes::default()).unwrap();
    let mut bad = round(0, State::Measured, BTreeMap::new());
    change(&mut bad);
    assert_eq!(writer.append(&bad).unwrap_err().line(), expected);
    writer.append(&run.rounds[0]).unwrap();
    let path = writer.seal().unwrap();
    assert_eq!(test.store.read(&path).unwrap().rounds, run.rounds[..1]);
}

#[test]
fn a_refused_round_leaves_the_record_as_it_was() {
    let with = |samples: Samples| move |round: &mut Round| drop(round.samples.insert("v".into(), samples));
    check_round_refused(
        with(Samples::Values(vec![1.0, f64::NAN])),
        "cannot store round 7 of `m.time_x`, metric `v`: a sample: `NaN` is not finite",
    );
    check_round_refused(
        with(Samples::Values(vec![f64::NEG_INFINITY])),
        "cannot store round 7 of `m.time_x`, metric `v`: a sample: `-inf` is not finite",
    );
    check_round_refused(
        with(Samples::Loops { number: 0, loop_ns: vec![] }),
        "cannot store round 7 of `m.time_x`, metric `v`: samples of no calls",
    );
    check_round_refused(
        |round| round.observed.extend([("o".into(), f64::INFINITY)]),
        "cannot store round 7 of `m.time_x`, observation `o`: `inf` is not finite",
    );
}

#[test]
fn private_paths_and_names_are_replaced_everywhere() {
    let test = TestStore::new();
    let home = Path::new("/no-such/alice");
    let prefixes = Prefixes::default().home(home).project(&home.join("p")).env(&home.join("p/env")).user("alice");
    let private = |end: &str| format!("/no-such/alice/p/{end}");
    let mut run = rich_run();
    run.provenance.environment.executable = private("env/bin/python");
    run.provenance.environment.variables.insert("A".into(), Some("/x/alice:/no-such/alice".into()));
    run.provenance.settings.bench = vec![private("b.py")];
    run.planned[0].benchmark.code = Some(private("code.py"));
    run.planned[0].benchmark.extra.insert("data".into(), format!("[\"{}\"]", private("data")));
    run.planned[0].benchmark.parameters[0].texts[0] = format!("'{}'", private("d"));
    run.problems[0].place = Some(private("b.py:3"));
    run.problems[0].traceback = format!("File \"{}\", line 3", private("b.py"));
    run.rounds[1].message = Some(private("m"));
    run.rounds[1].detail = Some(private("d"));
    let mut writer = test.store.create(&run.provenance, &run.planned, &run.problems, &prefixes).unwrap();
    run.rounds.iter().for_each(|round| writer.append(round).unwrap());
    let text = std::fs::read_to_string(writer.path()).unwrap();
    assert!(!text.contains("alice"), "{text}");
    let read = test.store.read(writer.path()).unwrap();
    assert_eq!(read.provenance.environment.executable, "{env}/bin/python");
    assert_eq!(read.provenance.environment.variables["A"].as_deref(), Some("/x/{user}:{home}"));
    assert_eq!(read.planned[0].benchmark.extra["data"], r#"["{project}/data"]"#);
    assert_eq!(read.problems[0].traceback, "File \"{project}/b.py\", line 3");
    assert_eq!(read.rounds[1].detail.as_deref(), Some("{project}/d"));
}

/// Returns a run in which every text that identifies is a file of the environment, `/no-such/usr`.
fn run_about_files_of_its_environment() -> Run {
    let file = || "/no-such/usr/words".to_owned();
    let mut run = rich_run();
    run.provenance.project = file();
    run.provenance.machine.name = file();
    run.provenance.environment.axes = BTreeMap::from([(file(), file())]);
    let benchmark = &mut run.planned[0].benchmark;
    benchmark.name = file();
    benchmark.module = file();
    (benchmark.metrics[0].name, benchmark.metrics[0].unit) = (file(), file());
    (benchmark.parameters[0].name, benchmark.parameters[0].texts[0]) = (file(), file());
    (run.problems[0].module, run.problems[0].benchmark) = (file(), Some(file()));
    run.rounds[0].benchmark = file();
    run.rounds[0].parameters[0] = file();
    run.rounds[0].samples = BTreeMap::from([(file(), Samples::Values(vec![1.0]))]);
    run
}

#[test]
fn what_identifies_a_series_does_not_tell_the_environments_folder() {
    let test = TestStore::new();
    let mut run = run_about_files_of_its_environment();
    // What does not identify tells it as `{env}`.
    run.planned[0].benchmark.version = "<module from '/no-such/usr/words'>".into();
    run.rounds[0].message = Some("/no-such/usr/words".into());
    let prefixes = Prefixes::default().env(Path::new("/no-such/usr"));
    let mut writer = test.store.create(&run.provenance, &run.planned, &run.problems, &prefixes).unwrap();
    run.rounds.iter().for_each(|round| writer.append(round).unwrap());
    let name = writer.path().file_name().unwrap().to_owned();
    let read = test.store.read(writer.path()).unwrap();
    assert_eq!(read.planned[0].benchmark.version, "<module from '{env}/words'>");
    assert_eq!(read.rounds[0].message.as_deref(), Some("{env}/words"));
    run.planned[0].benchmark.version = read.planned[0].benchmark.version.clone();
    run.rounds[0].message = read.rounds[0].message.clone();
    assert_eq!(read, run);
    // The file's name has a digest of the axes: those that the record tells.
    let elsewhere = TestStore::new();
    assert_eq!(elsewhere.write_open(&read).file_name().unwrap(), name);
}

#[test]
fn times_keep_their_microseconds() {
    let test = TestStore::new();
    let path = test.write_open(&rich_run());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"started_at\":\"2026-11-30T08:35:37.123456Z\""));
    assert_eq!(test.store.read(&path).unwrap().provenance.started_at, START);
}
