//! The state of a history in a few words: a badge for a README, and a document for scripts.

use maud::html;
use serde::Serialize;

use super::subjects::name;
use super::{Site, SiteFile};
use crate::json::compact;

#[derive(Serialize)]
struct Summary<'a> {
    project: &'a str,
    newest: Option<String>,
    n_benchmarks: usize,
    n_series: usize,
    n_points: usize,
    /// Listed changes for the worse and for the better.
    n_slower: usize,
    n_faster: usize,
    machines: Vec<&'a str>,
    stale_machines: Vec<&'a str>,
}

/// Returns `summary.json` and `badge.svg`.
pub(super) fn files(site: &Site) -> Vec<SiteFile> {
    let count = |wanted: bool| {
        let all = site.changes.groups.iter().flat_map(|group| &group.changes);
        all.filter(|change| change.is_worse == Some(wanted)).count()
    };
    let (n_slower, n_faster) = (count(true), count(false));
    let summary = Summary {
        project: &site.project,
        newest: site.newest().map(|(_, newest)| name(&newest.subject)),
        n_benchmarks: site.benchmarks.len(),
        n_series: site.changes.n_series,
        n_points: site.changes.n_points,
        n_slower,
        n_faster,
        machines: site.machines.iter().map(|machine| machine.name.as_str()).collect(),
        stale_machines: site.machines.iter().filter(|one| one.is_stale).map(|one| one.name.as_str()).collect(),
    };
    let words = match (n_slower, n_faster) {
        (0, 0) => "steady".to_owned(),
        (0, n) => format!("{n} faster"),
        (n, 0) => format!("{n} slower"),
        (slower, faster) => format!("{slower} slower, {faster} faster"),
    };
    let colour = if n_slower > 0 { "#a3371b" } else { "#2c6e49" };
    vec![
        SiteFile::new("summary.json", compact("tacho.summary/1", summary)),
        SiteFile::new("badge.svg", badge("speed", &words, colour)),
    ]
}

/// Room for a character of 11 pixels, and beside each text.
const CHARACTER_PX: usize = 7;
const MARGIN_PX: usize = 8;

fn badge(label: &str, words: &str, colour: &str) -> String {
    let width = |text: &str| text.chars().count() * CHARACTER_PX + 2 * MARGIN_PX;
    let (left, right) = (width(label), width(words));
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(left + right) height="20" role="img" aria-label=(format!("{label}: {words}")) {
            title { (label) ": " (words) }
            rect width=(left) height="20" fill="#444" {}
            rect x=(left) width=(right) height="20" fill=(colour) {}
            g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle" {
                text x=(left / 2) y="14" { (label) }
                text x=(left + right / 2) y="14" { (words) }
            }
        }
    };
    svg.into_string() + "\n"
}
