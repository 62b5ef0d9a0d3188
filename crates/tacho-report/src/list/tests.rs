//! Tests of the suite's listing.

use insta::assert_snapshot;

use super::*;
use crate::fixture::{NARROW, benchmark, planned};

fn suite() -> Vec<Planned> {
    let mut plain = benchmark("core.time_plain", &[]);
    plain.version = "2".into();
    let all =
        [plain, benchmark("linalg.Norms.time_norm_of_something_longer", &[("n", &["1", "2"]), ("order", &["'l1'"])])];
    all.into_iter().map(planned).collect()
}

#[test]
fn benchmarks_are_listed_with_their_cases_counted() {
    assert_snapshot!(list(&suite()).terminal(&NARROW), @r"
      benchmark                          kind  cases  version
      ──────────────────────────────────────────────────────────
      core.time_plain                    time      1  2
      linalg.Norms.tim…something_longer  time      2  3f3f3f3f3f

    2 benchmarks, 3 cases
    ");
    assert_snapshot!(list(&suite()).markdown(), @r"
    | benchmark | kind | cases | version |
    | --- | --- | ---: | --- |
    | `core.time_plain` | time | 1 | 2 |
    | `linalg.Norms.time_norm_of_something_longer` | time | 2 | 3f3f3f3f3f |

    2 benchmarks, 3 cases
    ");
    assert_eq!(list(&[]).terminal(&NARROW), "0 benchmarks, 0 cases\n");
}

#[test]
fn names_of_cases_stand_alone_and_whole() {
    assert_snapshot!(case_names(&suite()).terminal(&NARROW), @r"
    core.time_plain
    linalg.Norms.time_norm_of_something_longer(1, 'l1')
    linalg.Norms.time_norm_of_something_longer(2, 'l1')
    ");
    assert!(case_names(&[]).is_empty());
}
