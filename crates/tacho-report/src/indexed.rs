//! What the index holds.

use crate::page::{Fact, Page};

/// How much is in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// The file.
    pub path: String,
    /// Files of runs that were read.
    pub n_files: u64,
    /// Series.
    pub n_series: u64,
    /// Points of all series.
    pub n_points: u64,
    /// Files that could not be read, each with the reason.
    pub unread: Vec<(String, String)>,
}

/// Returns how much there is, for people.
pub fn indexed(indexed: &Indexed) -> Page {
    let Indexed { path, n_files, n_series, n_points, unread } = indexed;
    let mut page = Page::default();
    let mut facts = vec![
        Fact::new("index", path.as_str()),
        Fact::new("files", n_files.to_string()),
        Fact::new("series", n_series.to_string()),
        Fact::new("points", n_points.to_string()),
    ];
    if !unread.is_empty() {
        facts.push(Fact::new("left out", unread.len().to_string()));
    }
    page.facts(facts);
    page
}
