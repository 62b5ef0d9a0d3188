//! The site: what a static host serves. Documents for the page's script, pages of real tables for readers without one, feeds, a badge.
//!
//! `docs/formats/site.md` describes all of it. Everything is made of what is handed in, to the byte: no clock, no random names.

use std::collections::BTreeMap;

use tacho_model::{Change, Disagreement, Effect, Metric, SeriesKey, State, Subject, Timestamp};

use crate::Changes;

mod analysis;
mod document;
mod feed;
mod pages;
mod spark;
mod subjects;
mod summary;
mod web;

#[cfg(test)]
pub(crate) mod tests;

pub use spark::spark;
pub use web::has_script;

use pages::SiteAssets;

/// A history as a site shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// The project's name.
    pub project: String,
    /// The project's address, if it has one.
    pub project_url: Option<String>,
    /// The address of a commit, with `{commit}` in it.
    pub commit_url: Option<String>,
    /// The address of a range of commits, with `{from}` and `{to}` in it.
    pub range_url: Option<String>,
    /// The version of Tachograph.
    pub tool_version: String,
    /// What was measured, in the order of history; the index is the position.
    pub subjects: Vec<SiteSubject>,
    /// The machines, by name.
    pub machines: Vec<SiteMachine>,
    /// The benchmarks, by name, each with its series.
    pub benchmarks: Vec<SiteBenchmark>,
    /// What `tacho changes` lists.
    pub changes: Changes,
}

/// A subject with what the repository says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteSubject {
    /// The subject.
    pub subject: Subject,
    /// The first line of the commit's message, where the repository has it.
    pub title: Option<String>,
    /// The tags that name it.
    pub tags: Vec<String>,
}

/// A machine, as it is and as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteMachine {
    /// Its name.
    pub name: String,
    /// When it measured last.
    pub last_run: Timestamp,
    /// The newest position that it has measured.
    pub last_position: u64,
    /// How many series it has.
    pub n_series: usize,
    /// How many points.
    pub n_points: usize,
    /// Whether others have measured much that it has not.
    pub is_stale: bool,
    /// What was observed of it, from each position at which that was something new.
    pub facts: Vec<(u64, BTreeMap<String, String>)>,
}

/// A benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteBenchmark {
    /// Its name.
    pub name: String,
    /// Where its rows are: the number of the Parquet file, the first row and how many there are.
    pub rows: SiteRows,
    /// Its series.
    pub series: Vec<SiteSeries>,
}

/// Where a benchmark's rows are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteRows {
    /// The number of the file.
    pub file: u64,
    /// The first row in it.
    pub first_row: u64,
    /// How many rows.
    pub n_rows: u64,
}

/// A series with what was found in it.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteSeries {
    /// Its number in the Parquet files.
    pub id: u64,
    /// What it is of.
    pub key: SeriesKey,
    /// Its newest value and the position of it.
    pub last: Option<(u64, f64)>,
    /// The level a month before the newest subject of all.
    pub month_ago: Option<f64>,
    /// How the newest attempt to measure it ended.
    pub state: State,
    /// Its course, from 0 to 1: see [`spark`].
    pub spark: Vec<Option<f64>>,
    /// Its levels: first and last position, the median, and how far it drifts.
    pub levels: Vec<(u64, u64, f64, Option<Effect>)>,
    /// Its changes, also those that are not listed.
    pub changes: Vec<Change>,
    /// Its events: the position from which on it is another series, and in what.
    pub events: Vec<(u64, Vec<Disagreement>)>,
    /// The positions of its spikes.
    pub spikes: Vec<u64>,
}

/// A file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// Its path from the site's folder, with `/`.
    pub path: String,
    /// What is in it.
    pub content: Vec<u8>,
    /// The schema that it is of, if it is of one.
    pub schema: Option<&'static str>,
}

impl SiteFile {
    fn new(path: impl Into<String>, content: impl Into<Vec<u8>>) -> SiteFile {
        SiteFile { path: path.into(), content: content.into(), schema: None }
    }

    fn of(self, schema: &'static str) -> SiteFile {
        SiteFile { schema: Some(schema), ..self }
    }
}

impl Site {
    /// Returns the newest subject with its position.
    pub(crate) fn newest(&self) -> Option<(u64, &SiteSubject)> {
        Some((self.subjects.len().checked_sub(1)? as u64, self.subjects.last()?))
    }

    /// Returns all series with the index of their benchmark.
    pub(crate) fn series(&self) -> impl Iterator<Item = (usize, &SiteSeries)> {
        self.benchmarks.iter().enumerate().flat_map(|(at, benchmark)| benchmark.series.iter().map(move |one| (at, one)))
    }

    /// Returns the metrics there are, by name, each as its newest definition says.
    pub(crate) fn metrics(&self) -> BTreeMap<&str, &Metric> {
        self.series().map(|(_, series)| (series.key.metric.name.as_str(), &series.key.metric)).collect()
    }
}

/// Returns all that is made of the site: documents, pages with what they load, feeds, badge and summary.
pub fn files(site: &Site) -> Vec<SiteFile> {
    let (assets, loaded) = web::web();
    let mut files = made_with(site, &assets);
    files.extend(loaded);
    files
}

fn made_with(site: &Site, assets: &SiteAssets) -> Vec<SiteFile> {
    let mut files = documents(site);
    files.extend(pages::pages(site, assets));
    files.extend(feed::feeds(site));
    files.extend(summary::files(site));
    files
}

/// Returns the path of a benchmark's CSV file.
pub fn csv_path(benchmark: &str) -> String {
    document::csv_path(benchmark)
}

/// Returns the documents that the page's script reads.
pub(crate) fn documents(site: &Site) -> Vec<SiteFile> {
    vec![
        SiteFile::new("data/site.json", document::site(site)).of(document::SCHEMA),
        SiteFile::new("data/subjects.json", subjects::subjects(site)).of(subjects::SCHEMA),
        SiteFile::new("data/analysis.json", analysis::analysis(site)).of(analysis::SCHEMA),
        SiteFile::new("data/changes.json", crate::json::changes(&site.changes)).of(crate::json::CHANGES_SCHEMA),
    ]
}
