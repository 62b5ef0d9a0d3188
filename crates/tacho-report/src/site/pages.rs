//! The pages: real tables for readers without a script, and the place where the script puts its own.

use maud::{DOCTYPE, Markup, html};
use tacho_model::unit::{counted, human};
use tacho_model::{Change, ChangeGroup};

use super::document::{csv_path, file_stem};
use super::{Site, SiteBenchmark, SiteFile, SiteMachine};
use crate::axes::axes_text;
use crate::changes::{doubt, effect_texts, heading, note, series_name, way};
use crate::moment::{day_in_utc, moment_text};
use crate::records::short_subject;

/// What a page may load: itself. No script, style or request of any third party, no inline script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; \
                      base-uri 'none'; form-action 'none'";

/// So many groups of changes are on the overview.
const MOST_GROUPS: usize = 20;

/// The page's script and its style, where they were built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SiteAssets {
    /// The script's path from the site's folder.
    pub(super) script: Option<String>,
    /// The paths of styles.
    pub(super) styles: Vec<String>,
}

/// A page: its file, what the script knows it by, its title.
struct Page {
    file: &'static str,
    name: &'static str,
    title: &'static str,
}

const OVERVIEW: Page = Page { file: "index.html", name: "overview", title: "Overview" };
const BENCHMARKS: Page = Page { file: "benchmarks.html", name: "benchmarks", title: "Benchmarks" };
const BENCHMARK: Page = Page { file: "benchmark.html", name: "benchmark", title: "Benchmark" };
const COMPARE: Page = Page { file: "compare.html", name: "compare", title: "Compare" };
const MACHINES: Page = Page { file: "machines.html", name: "machines", title: "Machines" };
const RUN: Page = Page { file: "run.html", name: "run", title: "Run" };

/// Those that stand in the line at the top.
const IN_LINE: [&Page; 4] = [&OVERVIEW, &BENCHMARKS, &COMPARE, &MACHINES];

/// Returns every page.
pub(super) fn pages(site: &Site, assets: &SiteAssets) -> Vec<SiteFile> {
    let of = |page: &Page, content: Markup| {
        SiteFile::new(page.file, shell(page, site, assets, content).into_string().into_bytes())
    };
    vec![
        of(&OVERVIEW, overview(site)),
        of(&BENCHMARKS, benchmarks(site)),
        of(
            &BENCHMARK,
            needs_script(
                "A chart needs JavaScript.",
                "The numbers of each benchmark are in the CSV files that the list of benchmarks names.",
            ),
        ),
        of(&COMPARE, needs_script("Comparing needs JavaScript.", "On a terminal, tacho compare does it.")),
        of(&MACHINES, machines(site)),
        of(
            &RUN,
            needs_script(
                "A run's page needs JavaScript.",
                "Records lie below raw/, and on a terminal tacho show reads them.",
            ),
        ),
    ]
}

fn shell(page: &Page, site: &Site, assets: &SiteAssets, content: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (page.title) " · " (site.project) }
                link rel="icon" href="data:,";
                link rel="alternate" type="application/atom+xml" title=(format!("Changes of {}", site.project)) href="feed.xml";
                @for style in &assets.styles { link rel="stylesheet" href=(style); }
                @if let Some(script) = &assets.script { script type="module" src=(script) {} }
            }
            body data-page=(page.name) {
                header class="bar" {
                    a class="brand" href="index.html" { (site.project) }
                    nav aria-label="Pages" {
                        @for other in IN_LINE {
                            a href=(other.file) aria-current=[(other.name == page.name).then_some("page")] { (other.title) }
                        }
                    }
                }
                main id="static" { h1 { (page.title) } (content) }
                footer {
                    p {
                        "Made by tacho " (site.tool_version) ". The data is open: "
                        a href="data/index.json" { "all files" } ", " a href="feed.xml" { "feed of changes" } "."
                    }
                }
            }
        }
    }
}

fn needs_script(what: &str, instead: &str) -> Markup {
    html! { p { (what) } p { (instead) } p { a href=(BENCHMARKS.file) { "Benchmarks" } } }
}

fn overview(site: &Site) -> Markup {
    let changes = &site.changes;
    html! {
        p {
            (counted(site.benchmarks.len(), "benchmark")) ", " (changes.n_series) " series, " (counted(changes.n_points, "point")) " of "
            (counted(site.subjects.len(), "subject")) " on " (counted(site.machines.len(), "machine")) "."
        }
        h2 { "What changed" }
        @if changes.groups.is_empty() { p { "Nothing that holds and is large enough to matter." } }
        @for group in changes.groups.iter().take(MOST_GROUPS) { (group_of(group, site)) }
        h2 { "Machines" }
        (machine_table(site))
    }
}

fn group_of(group: &ChangeGroup, site: &Site) -> Markup {
    html! {
        section {
            h3 { (commit_link(&heading(group), group, site)) " " span class="note" { (note(group)) } }
            @if !group.moved_as_one.is_empty() {
                p { "Most series of " (group.moved_as_one.join(", ")) " moved alike: more likely the machine than the code." }
            }
            table {
                thead { tr { th { "Verdict" } th { "Change" } th { "99 % interval" } th { "Before" } th { "After" } th { "Benchmark" } th { "Where" } th { "Remark" } } }
                tbody { @for change in &group.changes { (change_row(change)) } }
            }
        }
    }
}

/// Links a commit to the forge, where the project says how and there is one to link to.
fn commit_link(text: &str, group: &ChangeGroup, site: &Site) -> Markup {
    let is_one = !text.contains("..");
    let address = site.commit_url.as_ref().filter(|url| is_one && is_web(url));
    match (address, group.latest()) {
        (Some(url), tacho_model::Subject::Commit { hash, .. }) => {
            html! { a href=(url.replace("{commit}", hash)) { (text) } }
        }
        _ => html! { (text) },
    }
}

/// Anything else than an address of the web could do something.
fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

fn change_row(change: &Change) -> Markup {
    let series = &change.series;
    let unit = &series.metric.unit;
    let (effect, interval) = effect_texts(change.effect, unit);
    let (words, _) = way(change.is_worse, series);
    html! {
        tr class=[change.is_worse.map(|is_worse| if is_worse { "worse" } else { "better" })] {
            td { (words) }
            td class="number" { (effect) }
            td class="number" { (interval) }
            td class="number" { (human(change.levels.0, unit)) }
            td class="number" { (human(change.levels.1, unit)) }
            td { code { (series_name(series)) } }
            td { (series.machine) @if !series.axes.is_empty() { ", " (axes_text(&series.axes)) } }
            td { (doubt(change)) }
        }
    }
}

fn benchmarks(site: &Site) -> Markup {
    html! {
        table {
            thead { tr { th { "Benchmark" } th { "Series" } th { "Newest values" } th { "Last measured" } th { "Data" } } }
            tbody { @for benchmark in &site.benchmarks { (benchmark_row(benchmark, site)) } }
        }
    }
}

fn benchmark_row(benchmark: &SiteBenchmark, site: &Site) -> Markup {
    let values = benchmark.series.iter().filter_map(|series| series.last.map(|(_, value)| value));
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), value| (l.min(value), h.max(value)));
    let unit = benchmark.series.first().map_or("", |series| &series.key.metric.unit);
    let range = match low <= high {
        true if low == high => human(low, unit),
        true => format!("{} to {}", human(low, unit), human(high, unit)),
        false => "none".to_owned(),
    };
    let last = benchmark.series.iter().filter_map(|series| series.last).map(|(position, _)| position).max();
    let subject = last.and_then(|position| site.subjects.get(usize::try_from(position).ok()?));
    html! {
        tr id=(file_stem(&benchmark.name)) {
            td { a href=(format!("benchmark.html?name={}", percent_encoded(&benchmark.name))) { code { (benchmark.name) } } }
            td class="number" { (benchmark.series.len()) }
            td class="number" { (range) }
            td { (subject.map(|one| short_subject(&one.subject)).unwrap_or_default()) }
            td { a href=(csv_path(&benchmark.name)) { "CSV (gzip)" } }
        }
    }
}

fn machines(site: &Site) -> Markup {
    html! {
        (machine_table(site))
        @for machine in &site.machines {
            h2 { (machine.name) }
            @for (position, facts) in machine.facts.iter().rev() {
                h3 { "Since " (since(*position, site)) }
                table { tbody { @for (name, value) in facts { tr { th scope="row" { (name) } td { (value) } } } } }
            }
        }
    }
}

fn since(position: u64, site: &Site) -> String {
    let subject = usize::try_from(position).ok().and_then(|at| site.subjects.get(at));
    let day = subject.and_then(|one| one.subject.date()).map(day_in_utc);
    let name = subject.map(|one| short_subject(&one.subject)).unwrap_or_default();
    day.map_or(name.clone(), |day| format!("{name}, {day}"))
}

fn machine_table(site: &Site) -> Markup {
    html! {
        table {
            thead { tr { th { "Machine" } th { "Last run" } th { "State" } th { "Series" } th { "Points" } } }
            tbody { @for machine in &site.machines { (machine_row(machine)) } }
        }
    }
}

fn machine_row(machine: &SiteMachine) -> Markup {
    html! {
        tr {
            td { (machine.name) }
            td { (moment_text(machine.last_run)) }
            td { (if machine.is_stale { "stale: others have measured much since" } else { "up to date" }) }
            td class="number" { (machine.n_series) }
            td class="number" { (machine.n_points) }
        }
    }
}

/// Returns a text as a value in the query of an address (RFC 3986: all but unreserved characters).
fn percent_encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let encoded =
        text.bytes().map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    encoded.collect()
}
