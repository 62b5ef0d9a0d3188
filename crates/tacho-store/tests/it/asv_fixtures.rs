//! Result folders in both format versions of asv, read whole.

use std::fmt::Write;
use std::path::Path;

use tacho_model::{Outcome, Results};
use tacho_store::{AsvResults, read_asv_file};

fn read(fixture: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture);
    let results = AsvResults::open(&folder).unwrap();
    assert!(results.unreadable().is_empty());
    let files = results.files().unwrap();
    let [file] = &files[..] else { panic!("there is one result file") };
    let read = results.read(file, "example").unwrap();
    assert_eq!(read_asv_file(&file.path, "example").unwrap(), read, "by its path alone");
    assert_eq!(results.head(file, "example").unwrap(), read.provenance, "by its head alone");
    summary(&read)
}

/// Returns everything that is not always the same.
fn summary(results: &Results) -> String {
    let mut out = String::new();
    let source = &results.provenance;
    let environment = &source.environment;
    writeln!(out, "{} of {} by {}, {:?}", source.run_id, source.project, source.runner, results.completeness).unwrap();
    writeln!(out, "{:?} at {}", source.subject, source.started_at.unix_us).unwrap();
    writeln!(out, "{} {:?}", source.machine.name, source.machine.facts).unwrap();
    writeln!(out, "{} by `{}` {:?}", environment.label, environment.tool, environment.axes).unwrap();
    writeln!(out, "{:?}", environment.variables).unwrap();
    results.outcomes.iter().for_each(|outcome| write_outcome(&mut out, outcome));
    out
}

fn write_outcome(out: &mut String, outcome: &Outcome) {
    let metric = &outcome.metric;
    let direction = format!("{}{}", metric.direction.word(), if metric.direction_assumed { "?" } else { "" });
    let names: Vec<&str> = outcome.case.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let version = outcome.version.as_deref().unwrap_or("-");
    writeln!(
        out,
        "{} {names:?} version {version}: {} {} ({direction}) {} {:?} in {} ns",
        outcome.case.full_name(),
        metric.name,
        metric.unit,
        outcome.state.word(),
        outcome.value,
        outcome.duration_ns,
    )
    .unwrap();
    if outcome.n_samples > 0 {
        let Outcome { quartiles, interval, spread, samples, n_samples, number, .. } = outcome;
        writeln!(out, "  {quartiles:?} ± {spread:?} {interval:?} {n_samples} x {number:?} {samples:?}").unwrap();
    }
}

#[test]
fn format_version_1() {
    insta::assert_snapshot!(read("asv-results-1"), @r#"
    96c3a38a76dcd4c4 of example by asv (version unknown), Sealed
    Commit { hash: "0123abcd0123abcd0123abcd0123abcd0123abcd", date: Some(Timestamp { unix_us: 1533601947000000 }) } at 1540327850000000
    old-box {"arch": "i686", "num_cpu": "4", "os": "Linux 4.15", "ram": "17GB"}
    py3.6-numpy1.14-scipy by `` {"python": "3.6", "req.numpy": "1.14", "req.scipy": ""}
    {}
    solve.peakmem_solve [] version 1: peak_memory bytes (lower) measured Some(54321152.0) in 0 ns
    solve.time_broken [] version -: time seconds (lower) failed None in 0 ns
    solve.time_once [] version -: time seconds (lower) measured Some(0.25) in 0 ns
      Some((0.2, 0.3)) ± Some(0.04999999999999999) Some((0.125, 0.5)) 9 x Some(1) []
    solve.time_skipped [] version -: time seconds (lower) skipped None in 0 ns
    solve.time_solve(10) ["n"] version 5eed: time seconds (lower) measured Some(11.5) in 1250000000 ns
      Some((11.375, 11.625)) ± Some(0.125) None 2 x Some(3) [11.25, 11.75]
    solve.time_solve(100) ["n"] version 5eed: time seconds (lower) failed None in 1250000000 ns
    "#);
}

#[test]
fn format_version_2() {
    insta::assert_snapshot!(read("asv-results-2"), @r#"
    89857fc3d7856310 of example by asv (version unknown), Sealed
    Commit { hash: "89abcdef89abcdef89abcdef89abcdef89abcdef", date: Some(Timestamp { unix_us: 1700000000000000 }) } at 1700000100500000
    lab-7 {"arch": "x86_64", "cpu": "A processor", "num_cpu": "16", "os": "Linux 6.8", "ram": "135GB"}
    conda-py3.11-numpy1.26-pip+pkg-OMP_NUM_THREADS1 by `conda` {"env.OMP_NUM_THREADS": "1", "python": "3.11", "req.numpy": "1.26", "req.pkg": ""}
    {"OMP_NUM_THREADS": Some("1")}
    gone.time_old('x') ["param1"] version -: time seconds (lower) failed None in 0 ns
    gone.time_old('y') ["param1"] version -: time seconds (lower) failed None in 0 ns
    solver.Suite.time_step(10, 'a') ["n", "kind"] version beef: time seconds (lower) measured Some(0.0625) in 1000000000 ns
      Some((0.0611, 0.0651)) ± Some(0.0020000000000000018) Some((0.0603, 0.0711)) 10 x Some(4) [0.0611, 0.0625, 0.0651]
    solver.Suite.time_step(10, <function f>) ["n", "kind"] version beef: time seconds (lower) failed None in 1000000000 ns
    solver.Suite.time_step(1e-05, 'a') ["n", "kind"] version beef: time seconds (lower) skipped None in 1000000000 ns
    solver.Suite.time_step(1e-05, <function f>) ["n", "kind"] version beef: time seconds (lower) measured Some(2.0000000000000005e-5) in 1000000000 ns
      Some((1.8e-5, 2.2e-5)) ± Some(1.9999999999999995e-6) None 2 x Some(1000) []
    solver.mem_mesh [] version -: memory bytes (lower) measured Some(72.0) in 0 ns
    solver.track_rate(1) ["n"] version 2: value steps (higher) measured Some(5.0) in 250000000 ns
    solver.track_rate(2) ["n"] version 2: value steps (higher) skipped None in 250000000 ns
    solver.track_rate(3) ["n"] version 2: value steps (higher) failed None in 250000000 ns
    "#);
}
