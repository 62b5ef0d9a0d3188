//! Records that earlier versions wrote are read for ever.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tacho_model::{Machine, Run};
use tacho_store::{Machines, Store};

use crate::runs::{TestStore, texts};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/record-1").join(name)
}

/// Returns what a reader needs to see that nothing was lost.
fn summary(run: &Run) -> String {
    let mut out = String::new();
    let source = &run.provenance;
    writeln!(out, "{:?} {}", run.completeness, source.run_id).unwrap();
    writeln!(out, "{:?} on {} at {}", source.subject, source.machine.name, source.started_at.unix_us).unwrap();
    writeln!(out, "{:?} {:?}", source.environment.axes, source.environment.variables).unwrap();
    for planned in &run.planned {
        let cases: Vec<String> = planned
            .cases
            .iter()
            .filter_map(|index| planned.benchmark.case(*index))
            .map(|case| case.full_name())
            .collect();
        writeln!(out, "{} x {} {:?}", planned.rounds, cases.join(" "), planned.benchmark.extra).unwrap();
    }
    for problem in &run.problems {
        writeln!(out, "problem {}: {}", problem.module, problem.error).unwrap();
    }
    for round in &run.rounds {
        let name = format!("{}({})", round.benchmark, round.parameters.join(", "));
        let message = round.message.as_ref().map(|text| format!(" {text}")).unwrap_or_default();
        if let Some(resumption) = &round.resumed {
            writeln!(out, "resumed at {} {:?}", resumption.at.unix_us, resumption.load).unwrap();
        }
        writeln!(out, "{} {name} {} {:?}{message}", round.slot, round.state.word(), round.samples).unwrap();
    }
    out
}

fn read(name: &str) -> String {
    summary(&run(name))
}

fn run(name: &str) -> Run {
    Store::open(Path::new("/no-such")).read(&fixture(name)).unwrap()
}

#[test]
fn a_sealed_record_of_version_1() {
    insta::assert_snapshot!(read("20261130T083537Z-0123abcd-146a73ac-0123456789abcdef.jsonl.zst"), @r#"
    Sealed 0123456789abcdef
    Commit { hash: "0123abcd0123abcd0123abcd0123abcd0123abcd", date: Some(Timestamp { unix_us: 1700000000000000 }) } on m at 1796027737123456
    {"env.OMP_NUM_THREADS": "1", "python": "3.11"} {"A": Some("1"), "B": None}
    2 x m.time_x(10, 'a') m.time_x(1e-05, <function f>) {"tags": "[\"a\",{\"b\":null}]", "weight": "1.5"}
    1 x m.track_y {}
    problem broken: ImportError: no module named x
    0 m.time_x(10, 'a') measured {"time": Loops { number: 3, loop_ns: [0, 17, 18446744073709551615] }}
    1 m.time_x(10, 'a') failed {} ZeroDivisionError: division by zero
    2 m.time_x(10, 'a') timed_out {}
    3 m.time_x(10, 'a') measured {"value": Values([0.1, -0.0, 5e-324, 1.7976931348623157e308, 0.30000000000000004])}
    "#);
}

#[test]
fn a_record_of_version_1_from_before_there_were_builds_has_none() {
    let run = run("20261130T083537Z-0123abcd-146a73ac-0123456789abcdef.jsonl.zst");
    assert_eq!((run.provenance.build, run.provenance.environment.threads.memory_node), (None, None));
}

#[test]
fn a_record_of_version_1_of_what_could_not_be_built() {
    let name = "20261130T083537Z-0123abcd-146a73ac-00000000000000a4.jsonl";
    assert_eq!(read("20261130T083537Z-0123abcd-146a73ac-00000000000000a4.jsonl").lines().count(), 3);
    let build = run(name).provenance.build.unwrap();
    assert_eq!(build.failure.as_deref(), Some("`uv build` exited with status 1: error: no compiler `cc`"));
    assert_eq!(build.commands, ["uv build --wheel", "uv pip install example-1.whl"]);
    assert_eq!((build.variables, build.wheel, build.reused), (texts([("CFLAGS", "-O3")]), None, false));
    assert_eq!(build.compilers, texts([("cc", "gcc (Debian 12.2.0-14) 12.2.0")]));
    assert_eq!((build.started_at.unix_us, build.duration_ns), (1_796_027_717_123_456, 13_250_000_001));
    assert_eq!(build.log_tail, "compiling\n\u{1b}[31mlinking\u{1b}[0m\n");
}

#[test]
fn an_unpacked_record_of_version_1() {
    insta::assert_snapshot!(read("20261130T083537Z-numpy__1.26.0-146a73ac-00000000000000a1.jsonl"), @r#"
    Sealed 00000000000000a1
    Version { package: "numpy", version: "1.26.0" } on m at 1796027737123456
    {"env.OMP_NUM_THREADS": "1", "python": "3.11"} {"A": Some("1"), "B": None}
    2 x m.time_x(10, 'a') m.time_x(1e-05, <function f>) {"tags": "[\"a\",{\"b\":null}]", "weight": "1.5"}
    1 x m.track_y {}
    problem broken: ImportError: no module named x
    0 m.time_x(10, 'a') skipped {} NotImplementedError: not on this platform
    1 m.time_x(10, 'a') killed {} killed by SIGKILL
    2 m.time_x(10, 'a') not_run {}
    "#);
}

#[test]
fn an_interrupted_record_of_version_1() {
    insta::assert_snapshot!(read("20261130T083537Z-0123abcd-146a73ac-00000000000000a2.jsonl.open"), @r#"
    Interrupted 00000000000000a2
    Commit { hash: "0123abcd0123abcd0123abcd0123abcd0123abcd", date: Some(Timestamp { unix_us: 1700000000000000 }) } on m at 1796027737123456
    {"env.OMP_NUM_THREADS": "1", "python": "3.11"} {"A": Some("1"), "B": None}
    2 x m.time_x(10, 'a') m.time_x(1e-05, <function f>) {"tags": "[\"a\",{\"b\":null}]", "weight": "1.5"}
    1 x m.track_y {}
    problem broken: ImportError: no module named x
    0 m.time_x(10, 'a') measured {"time": Loops { number: 3, loop_ns: [0, 17, 18446744073709551615] }}
    1 m.time_x(10, 'a') failed {} ZeroDivisionError: division by zero
    2 m.time_x(10, 'a') timed_out {}
    "#);
}

#[test]
fn a_resumed_record_of_version_1() {
    insta::assert_snapshot!(read("20261130T083537Z-numpy__1.26.0-146a73ac-00000000000000a3.jsonl"), @r#"
    Sealed 00000000000000a3
    Version { package: "numpy", version: "1.26.0" } on m at 1796027737123456
    {"env.OMP_NUM_THREADS": "1", "python": "3.11"} {"A": Some("1"), "B": None}
    2 x m.time_x(10, 'a') m.time_x(1e-05, <function f>) {"tags": "[\"a\",{\"b\":null}]", "weight": "1.5"}
    1 x m.track_y {}
    problem broken: ImportError: no module named x
    0 m.time_x(10, 'a') skipped {} NotImplementedError: not on this platform
    resumed at 1796029200000001 Some(Load { one_minute: 0.5, five_minutes: 1.0, fifteen_minutes: 2.25 })
    1 m.time_x(10, 'a') killed {} killed by SIGKILL
    resumed at 1796032800000000 None
    2 m.time_x(10, 'a') not_run {}
    "#);
}

#[test]
fn machine_files_of_version_1() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/machine-1");
    let machines = Machines::load(&folder.join("machines.json")).unwrap();
    let names: Vec<&str> = machines.iter().map(|machine| machine.name.as_str()).collect();
    assert_eq!(names, ["lab-7", "laptop"]);
    let test = TestStore::new();
    test.put("machine.json", &std::fs::read(folder.join("machine.json")).unwrap());
    let facts = texts([("arch", "x86_64"), ("ram", "135GB")]);
    assert_eq!(test.store.read_machine("m").unwrap(), Some(Machine { name: "lab-7".into(), facts }));
}

#[test]
fn the_example_of_the_format_page() {
    let page = include_str!("../../../../docs/formats/record.md");
    let example = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let test = TestStore::new();
    let path = test.put("example.jsonl", example.as_bytes());
    insta::assert_snapshot!(summary(&test.store.read(&path).unwrap()), @r#"
    Sealed 5f2b9c0d11e4a873
    Commit { hash: "3c9d1f0e7b5a4c2d8e6f9a0b1c2d3e4f5a6b7c8d", date: Some(Timestamp { unix_us: 1795971731000000 }) } on lab-7 at 1796027737123456
    {"python": "3.11"} {"MKL_NUM_THREADS": None, "OMP_NUM_THREADS": Some("1")}
    1 x sort.time_sort(100) sort.time_sort(10000) {}
    problem plot: ModuleNotFoundError: No module named 'matplotlib'
    0 sort.time_sort(100) measured {"time": Loops { number: 2048, loop_ns: [10116224, 10098304, 10121472] }}
    1 sort.time_sort(10000) timed_out {} no answer within 60 s
    "#);
}

#[test]
fn fixtures_are_never_made_anew() {
    let digest = |name: std::ffi::OsString| {
        let record = Store::open(Path::new("/no-such")).read_record(&fixture(name.to_str().unwrap())).unwrap();
        format!("{} {}", record.run.provenance.run_id, record.digest)
    };
    let files = std::fs::read_dir(fixture("")).unwrap();
    let mut digests: Vec<String> = files.map(|file| digest(file.unwrap().file_name())).collect();
    digests.sort();
    insta::assert_snapshot!(digests.join("\n"), @"
    00000000000000a1 f00b1f699b868153f17fd28f2c891166e3fe1eaaf5613c458344ab416b2796b8
    00000000000000a2 95d61611e3fcd64d84b4ccb0c16e5fcb54503ce65e1d496745b17e8f667e627b
    00000000000000a3 5d9393b9d1dfd80f72171ef2b0d9d8b8a21ef0ef77efa45908640d524c4676ce
    00000000000000a4 eb54dd63335f00a26eb7e6588b7971b764c1ff528687605f84f5ba1996c11a14
    0123456789abcdef a1ed65a2b52809077a30a0b899c9370d802aec5d6fcca43cab82bad7e2be6584
    ");
}

#[test]
fn every_fixture_is_read_by_a_test_above() {
    let text = include_str!("fixtures.rs");
    for entry in std::fs::read_dir(fixture("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(text.contains(&format!("read(\"{name}\")")), "{name}");
    }
}
