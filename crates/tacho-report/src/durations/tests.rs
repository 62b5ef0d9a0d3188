//! Tests of the table of durations.

use insta::assert_snapshot;

use super::*;
use crate::fixture::NARROW;

fn found() -> Vec<(String, u64)> {
    vec![("m.slow".into(), 200_000_000_000), ("m.quick".into(), 420_000_000)]
}

#[test]
fn durations_are_told_with_their_total() {
    assert_snapshot!(durations(&found(), None).terminal(&NARROW), @r"
            took  benchmark
      ─────────────────────
      3 min 20 s  m.slow
           0.4 s  m.quick

    2 benchmarks took 3 min 20 s, set-up included
    ");
    assert_snapshot!(durations(&found(), Some(1)).terminal(&NARROW), @r"
            took  benchmark
      ─────────────────────
      3 min 20 s  m.slow

    2 benchmarks took 3 min 20 s, set-up included, the slowest 1
    shown
    ");
}
