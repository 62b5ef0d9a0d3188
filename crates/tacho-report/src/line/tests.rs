//! Tests of the line for a finished case.

use insta::assert_snapshot;

use super::*;
use crate::fixture::{NARROW, WIDE, measured, outcomes, unmeasured};

fn lines(screen: &Screen) -> String {
    outcomes().iter().map(|outcome| case_line(std::slice::from_ref(outcome), screen) + "\n").collect()
}

#[test]
fn results_stand_below_each_other() {
    assert_snapshot!(lines(&WIDE), @"
    core.time_plain                                     1.25 ± 0.02 ms
    core.peakmem_plain                                  45.0 MB
    core.time_crash                                     killed: signal 11 (SIGSEGV)
    linalg.Norms.time_norm(100, 'l1')                   1.60 ± 0.03 μs
    linalg.Norms.time_norm(100, 'l2')                   12.5 ± 0.2 μs
    linalg.Norms.time_norm(1000, 'l1')                  failed: ValueError: operands could not be bro…
    linalg.Norms.time_norm(1000, 'l2')                  timed out: no answer within 60 s
    linalg.Norms.time_norm(10000, 'l1')                 skipped: NotImplementedError: too large
    linalg.Norms.time_norm(10000, 'l2')                 not run
    zeta.time_last                                      2.00 ± 0.03 s
    ");
}

#[test]
fn lines_fit_a_narrow_terminal() {
    assert_snapshot!(lines(&NARROW), @"
    core.time_plain                   1.25 ± 0.02 ms
    core.peakmem_plain                45.0 MB
    core.time_crash                   killed: signal 11 (SIGS…
    linalg.Norms.time_norm(100, 'l1')  1.60 ± 0.03 μs
    linalg.Norms.time_norm(100, 'l2')  12.5 ± 0.2 μs
    linalg.Norms.ti…norm(1000, 'l1')  failed: ValueError: ope…
    linalg.Norms.ti…norm(1000, 'l2')  timed out: no answer wi…
    linalg.Norms.ti…orm(10000, 'l1')  skipped: NotImplemented…
    linalg.Norms.time_norm(10000, 'l2')  not run
    zeta.time_last                    2.00 ± 0.03 s
    ");
    assert!(lines(&NARROW).lines().all(|line| width(line) <= NARROW.width));
}

#[test]
fn metrics_of_a_case_share_its_line() {
    let mut memory = measured("m.f", &["1"], 4e6);
    memory.metric = tacho_model::Metric::new("memory", "bytes", None);
    assert_snapshot!(case_line(&[measured("m.f", &["1"], 0.5), memory], &WIDE), @"  m.f(1)                                              time 500 ± 8 ms, memory 4.00 ± 0.06 MB");
    let failed = unmeasured("m.f", &["1"], State::Failed, "ValueError: x");
    assert_snapshot!(case_line(&[failed.clone(), failed], &WIDE), @r"  m.f(1)                                              failed: ValueError: x");
}

#[test]
fn hostile_names_reach_no_terminal() {
    let line = case_line(&[unmeasured("m.\u{1b}[2Jf", &["'a\nb'"], State::Failed, "x\u{7}\r\ny")], &WIDE);
    assert_snapshot!(line, @r"  m.\u{1b}[2Jf('a b')                                 failed: x\u{7} y");
}
