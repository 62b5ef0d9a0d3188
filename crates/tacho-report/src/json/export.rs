//! `tacho.export/1`.

use serde::Serialize;

use crate::{Exported, LeftOut};

#[derive(Serialize)]
pub(super) struct ExportDocument<'a> {
    format: &'static str,
    folder: String,
    n_runs: usize,
    written: Vec<String>,
    unchanged: Vec<String>,
    not_ours: Vec<String>,
    unlisted: &'a [String],
    left_out: LeftOutTwin,
}

#[derive(Serialize)]
struct LeftOutTwin {
    work_trees: usize,
    versions: usize,
    quick: usize,
    pairs_and_gates: usize,
    unbuilt: usize,
    other_methods: usize,
    unreadable: usize,
}

impl ExportDocument<'_> {
    pub(super) fn of(exported: &Exported) -> ExportDocument<'_> {
        let Exported { folder, n_runs, written, unchanged, not_ours, unlisted, left_out } = exported;
        let LeftOut { work_trees, versions, quick, pairs_and_gates, unbuilt, other_methods, unreadable } = *left_out;
        let texts = |paths: &[std::path::PathBuf]| paths.iter().map(|path| path.display().to_string()).collect();
        ExportDocument {
            format: "asv",
            folder: folder.display().to_string(),
            n_runs: *n_runs,
            written: texts(written),
            unchanged: texts(unchanged),
            not_ours: texts(not_ours),
            unlisted,
            left_out: LeftOutTwin { work_trees, versions, quick, pairs_and_gates, unbuilt, other_methods, unreadable },
        }
    }
}
