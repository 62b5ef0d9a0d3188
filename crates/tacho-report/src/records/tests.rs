//! Tests of the listing of runs.

use insta::assert_snapshot;

use super::*;
use crate::fixture::{NARROW, NOON, WIDE, commit, tree};

pub(crate) fn entry(id: &str, minutes: i64, subject: Subject) -> RecordEntry {
    RecordEntry {
        run_id: id.into(),
        started_at: Timestamp { unix_us: NOON.unix_us + minutes * 60_000_000 },
        subject,
        machine: "bench1".into(),
        environment_label: "existing-py3.11".into(),
        axes: BTreeMap::from([("python".into(), "3.11".into())]),
        n_cases: Some(412),
        build_failure: None,
        completeness: Completeness::Sealed,
        purpose: Purpose::History,
        quick: false,
        by_asv: false,
        file: ".tacho/records/bench1/x.jsonl.zst".into(),
    }
}

fn entries() -> Vec<RecordEntry> {
    let release = Subject::Version { package: "numpy".into(), version: "1.26.4".into() };
    let interrupted = RecordEntry {
        completeness: Completeness::Interrupted,
        quick: true,
        n_cases: Some(7),
        ..entry("d0123456789abcde", 2, tree())
    };
    vec![
        entry("a0123456789abcde", 0, commit()),
        entry("b0123456789abcde", 1, release),
        interrupted,
        entry("c0123456789abcde", 3, commit()),
    ]
}

#[test]
fn runs_of_a_subject_stand_together_and_the_newest_come_first() {
    let order: Vec<String> = newest_first(&entries()).iter().map(|entry| entry.run_id[..1].to_owned()).collect();
    assert_eq!(order, ["c", "a", "d", "b"]);
}

#[test]
fn the_listing_says_what_was_not_built() {
    let unbuilt = RecordEntry {
        n_cases: Some(0),
        build_failure: Some("`uv build` exited with status 1".into()),
        ..entry("e0123456789abcde", 4, commit())
    };
    assert_snapshot!(records(&[unbuilt]).terminal(&WIDE), @"
    run       measured (UTC)    subject   machine  environment      cases  state
    ────────────────────────────────────────────────────────────────────────────────
    e0123456  2024-05-01 12:04  1a2b3c4d  bench1   existing-py3.11      0  not built
    ");
}

#[test]
fn the_listing_says_what_is_partial_quick_or_local_only() {
    assert_snapshot!(records(&entries()).terminal(&WIDE), @"
    run       measured (UTC)    subject       machine  environment      cases  state
    ─────────────────────────────────────────────────────────────────────────────────────────────────
    c0123456  2024-05-01 12:03  1a2b3c4d      bench1   existing-py3.11    412  complete
    a0123456  2024-05-01 12:00  1a2b3c4d      bench1   existing-py3.11    412  complete
    d0123456  2024-05-01 12:02  1a2b3c4d      bench1   existing-py3.11      7  partial, quick, local…
    b0123456  2024-05-01 12:01  numpy 1.26.4  bench1   existing-py3.11    412  complete
    ");
    assert_snapshot!(records(&entries()).terminal(&NARROW), @"
    - run             c0123456
      measured (UTC)  2024-05-01 12:03
      subject         1a2b3c4d
      machine         bench1
      environment     existing-py3.11
      cases           412
      state           complete
    - run             a0123456
      measured (UTC)  2024-05-01 12:00
      subject         1a2b3c4d
      machine         bench1
      environment     existing-py3.11
      cases           412
      state           complete
    - run             d0123456
      measured (UTC)  2024-05-01 12:02
      subject         1a2b3c4d
      machine         bench1
      environment     existing-py3.11
      cases           7
      state           partial, quick, local only
    - run             b0123456
      measured (UTC)  2024-05-01 12:01
      subject         numpy 1.26.4
      machine         bench1
      environment     existing-py3.11
      cases           412
      state           complete
    ");
    assert_snapshot!(records(&entries()).markdown(), @"
    | run | measured (UTC) | subject | machine | environment | cases | state |
    | --- | --- | --- | --- | --- | ---: | --- |
    | c0123456 | 2024-05-01 12:03 | 1a2b3c4d | `bench1` | `existing-py3.11` | 412 | complete |
    | a0123456 | 2024-05-01 12:00 | 1a2b3c4d | `bench1` | `existing-py3.11` | 412 | complete |
    | d0123456 | 2024-05-01 12:02 | 1a2b3c4d | `bench1` | `existing-py3.11` | 7 | partial, quick, local only |
    | b0123456 | 2024-05-01 12:01 | numpy 1.26.4 | `bench1` | `existing-py3.11` | 412 | complete |
    ");
    assert_eq!(records(&[]).terminal(&WIDE), "no runs are kept here\n");
}
