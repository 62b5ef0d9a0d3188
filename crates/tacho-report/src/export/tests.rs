//! What is said of an export.

use super::*;
use crate::fixture::WIDE;

fn rich() -> Exported {
    Exported {
        folder: "/p/results".into(),
        n_runs: 3,
        written: vec!["/p/results/m/a-e.json".into(), "/p/results/benchmarks.json".into()],
        unchanged: vec!["/p/results/m/b-e.json".into()],
        not_ours: vec!["/p/results/m/\u{1b}c-e.json".into()],
        unlisted: vec!["m.time_x".into()],
        left_out: LeftOut { work_trees: 1, quick: 2, unbuilt: 1, ..LeftOut::default() },
    }
}

#[test]
fn what_was_written_and_left_out_is_counted() {
    insta::assert_snapshot!(exported(&rich()).terminal(&WIDE), @r"
    3 runs in `/p/results`: 2 files written, 1 unchanged, 1 not ours, and left as they are
    4 runs left out: 1 of work trees, 2 quick, 1 not built
    ");
    let nothing_left_out = Exported { left_out: LeftOut::default(), not_ours: vec![], unchanged: vec![], ..rich() };
    insta::assert_snapshot!(exported(&nothing_left_out).terminal(&WIDE), @"3 runs in `/p/results`: 2 files written");
}

#[test]
fn json_names_the_files() {
    insta::assert_snapshot!(crate::json::export(&rich()));
}
