//! What an export wrote, and what it left out.

use std::path::PathBuf;

use tacho_model::unit::counted;

use crate::page::Page;
use crate::style::Style;

#[cfg(test)]
mod tests;

/// What an export for asv did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// The results folder.
    pub folder: PathBuf,
    /// How many runs went into result files.
    pub n_runs: usize,
    /// Files that are new or say something else now.
    pub written: Vec<PathBuf>,
    /// Files that said the same already.
    pub unchanged: Vec<PathBuf>,
    /// Files that somebody else wrote, and that stay.
    pub not_ours: Vec<PathBuf>,
    /// Benchmarks that the `benchmarks.json` of somebody else lacks or has in another version.
    pub unlisted: Vec<String>,
    /// Runs that were left out.
    pub left_out: LeftOut,
}

/// How many runs were left out, by why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Of work trees with changes.
    pub work_trees: usize,
    /// Of versions or dates, which asv does not know.
    pub versions: usize,
    /// With one sample only.
    pub quick: usize,
    /// Sides of pairs, and candidates of a gate.
    pub pairs_and_gates: usize,
    /// Whose build failed.
    pub unbuilt: usize,
    /// Measured by another method than the newest run of their commit and environment.
    pub other_methods: usize,
    /// Whose record cannot be read.
    pub unreadable: usize,
}

impl LeftOut {
    fn counts(self) -> [(usize, &'static str); 7] {
        let LeftOut { work_trees, versions, quick, pairs_and_gates, unbuilt, other_methods, unreadable } = self;
        [
            (work_trees, "of work trees"),
            (versions, "of versions or dates"),
            (quick, "quick"),
            (pairs_and_gates, "of pairs or gates"),
            (unbuilt, "not built"),
            (other_methods, "by another method"),
            (unreadable, "unreadable"),
        ]
    }

    /// Returns the number of all of them.
    pub fn n_runs(self) -> usize {
        self.counts().iter().map(|(count, _)| count).sum()
    }
}

/// Returns one line on what was written, and one on what was left out.
pub fn exported(exported: &Exported) -> Page {
    let Exported { folder, n_runs, written, unchanged, not_ours, unlisted: _, left_out } = exported;
    let mut page = Page::default();
    let mut parts = vec![format!("{} written", counted(written.len(), "file"))];
    let counts = [(unchanged.len(), "unchanged"), (not_ours.len(), "not ours, and left as they are")];
    parts.extend(counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    let runs = counted(*n_runs, "run");
    page.line(format!("{runs} in `{}`: {}", folder.display(), parts.join(", ")), Style::Plain);
    if left_out.n_runs() > 0 {
        let counts = left_out.counts().into_iter().filter(|(count, _)| *count > 0);
        let reasons: Vec<String> = counts.map(|(count, why)| format!("{count} {why}")).collect();
        page.line(format!("{} left out: {}", counted(left_out.n_runs(), "run"), reasons.join(", ")), Style::Plain);
    }
    page
}
