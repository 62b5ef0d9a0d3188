//! What is said of a data set.

use super::*;
use crate::fixture::WIDE;

fn written(folder: &str) -> DataSetWritten {
    let part = |n_rows: u64, size_bytes: u64, name: &str| DataSetPart {
        path: PathBuf::from(folder).join(name),
        n_rows,
        size_bytes,
    };
    DataSetWritten {
        folder: folder.into(),
        files: vec![part(3, 2_000_000, "results-00.parquet"), part(1, 1000, "results-01.parquet")],
        n_benchmarks: 2,
        n_series: 3,
        schema: "tacho.results/1".into(),
    }
}

#[test]
fn what_was_written_is_told_with_how_to_read_it() {
    insta::assert_snapshot!(data_set(&written("/p/out")).terminal(&WIDE));
}

#[test]
fn a_folder_with_any_name_stays_one_text() {
    insta::assert_snapshot!(data_set(&written("/p/o'u\\t\u{1b}")).terminal(&WIDE));
}

#[test]
fn json_tells_of_every_file() {
    insta::assert_snapshot!(crate::json::data_set(&written("/p/out")));
}
