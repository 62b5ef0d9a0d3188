//! `tacho publish`: the history as a static site.

mod csv;
mod gather;
mod inputs;
mod machines;
mod raw;

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use tacho_query::{HistoryReader, ParquetError, RESULTS_SCHEMA, ResultsExport};
use tacho_report::site::{self, Site, SiteRows};
use tacho_store::{SiteFolder, StagedSite};

use crate::context::{Context, quoted};
use crate::error::{CommandError, Result};
use crate::exit;
use crate::history_index::{self, with_way_out};
use crate::mainline::Mainline;
use crate::progress::Progress;
use crate::settings::Settings;

use inputs::Inputs;

/// Where a site goes where nobody says so.
const USUAL_FOLDER: &str = "site";

/// Make a static site of the history
///
/// What changed, every benchmark over history, machines, and all data as Parquet, CSV and raw files: plain files for any web server or
/// `tacho preview`. A site that was published before is replaced as a whole; where nothing changed nothing is written.
#[derive(Debug, Args)]
pub(crate) struct PublishArgs {
    /// The folder of the site: it is new, empty, or was written by this command [default: `site` in the project]
    #[arg(long, short = 'o', value_name = "DIR")]
    output: Option<PathBuf>,
    /// Leave records and asv's result files out
    #[arg(long)]
    no_raw: bool,
    /// Write everything anew, though nothing changed
    #[arg(long)]
    rebuild: bool,
}

pub(crate) fn run(args: &PublishArgs, context: &Context<'_>) -> Result<u8> {
    let settings = context.settings()?;
    let folder = match &args.output {
        Some(folder) => context.cwd.join(folder),
        None => settings.path(USUAL_FOLDER.as_ref()),
    };
    let place = SiteFolder::of(&folder).map_err(told)?;
    let indexed = history_index::up_to_date(Some(&settings), context, false)?;
    let code = if indexed.unread.is_empty() { exit::YES } else { exit::PARTIAL };
    let path = indexed.index.path().to_owned();
    drop(indexed);
    let inputs = Inputs::of(&path, &settings, args.no_raw, &place, &context.store(Some(&settings)))?;
    if inputs.made(&place) && !args.rebuild {
        context.console.talk(&format!("Nothing changed: {} is as it should be", quoted(place.path())));
        return Ok(code);
    }
    let progress = Progress::new(context.console);
    progress.say("searching the history");
    // While it is open nobody changes the index, so that all parts of the site are of one moment.
    let export = ResultsExport::open(&path).map_err(parquet_told)?;
    let reader = HistoryReader::open(&path).map_err(|error| with_way_out(error.into()))?;
    let mainline = Mainline::of(Some(&settings));
    let mut site = gather::site(&path, &reader, &export, &settings, &mainline)?;
    let mut staged = place.stage().map_err(told)?;
    progress.say("writing the site");
    site_rows(&mut site, write_results(&export, &mut staged)?);
    for file in site::files(&site) {
        staged.write(&file.path, &file.content, file.schema).map_err(told)?;
    }
    csv::write(&export, &mut staged)?;
    if !args.no_raw {
        raw::copy(&settings, context, &mut staged)?;
    }
    inputs.remember(&staged.show().map_err(told)?);
    progress.end();
    tell(&site, &place, context)?;
    Ok(code)
}

/// Writes the data set; returns where each benchmark's rows are.
fn write_results(export: &ResultsExport, staged: &mut StagedSite<'_>) -> Result<HashMap<String, SiteRows>> {
    let folder = staged.path_of("data/results/x").map_err(told)?;
    let folder = folder.parent().unwrap_or(&folder).to_owned();
    let written = export.write(&folder, &mut |_, _| {}).map_err(parquet_told)?;
    for file in &written.files {
        staged.wrote(&format!("data/results/{}", file.name), Some(RESULTS_SCHEMA)).map_err(told)?;
    }
    let rows = written.benchmarks.into_iter().map(|one| {
        let rows = SiteRows { file: one.file as u64, first_row: one.first_row, n_rows: one.n_rows };
        (one.benchmark, rows)
    });
    Ok(rows.collect())
}

fn site_rows(site: &mut Site, rows: HashMap<String, SiteRows>) {
    for benchmark in &mut site.benchmarks {
        benchmark.rows = rows.get(&benchmark.name).copied().unwrap_or_default();
    }
}

fn tell(site: &Site, place: &SiteFolder, context: &Context<'_>) -> Result<()> {
    let folder = quoted(place.path());
    let (series, subjects) = (site.changes.n_series, site.subjects.len());
    context.console.data(&format!("{series} series of {subjects} subjects are published in {folder}\n"))?;
    if !site::has_script() {
        context.console.talk("The pages are plain tables: this tacho was built without the page with charts");
        context.console.talk("hint: `cargo xtask web` builds it, and `cargo install --path crates/tacho` takes it in");
    }
    if series == 0 {
        context.console.talk("No results are kept here yet: measure with `tacho run`");
    }
    Ok(())
}

fn told(error: tacho_store::StoreError) -> CommandError {
    CommandError::from(error).hint("choose another folder with `--output DIR`")
}

fn parquet_told(error: ParquetError) -> CommandError {
    with_way_out(error.into())
}

/// The forge's pages of commits, as far as the repository's address tells.
fn addresses(settings: &Settings) -> (Option<String>, Option<String>, Option<String>) {
    let repo = settings.repo.value.trim_start_matches("git+").trim_end_matches('/').trim_end_matches(".git");
    let host = ["https://github.com/", "https://gitlab.com/", "https://codeberg.org/"]
        .iter()
        .find(|host| repo.starts_with(**host));
    match host {
        Some(host) => {
            let dash = if host.contains("gitlab") { "/-" } else { "" };
            let (commit, range) =
                (format!("{repo}{dash}/commit/{{commit}}"), format!("{repo}{dash}/compare/{{from}}...{{to}}"));
            (Some(repo.to_owned()), Some(commit), Some(range))
        }
        None => (None, None, None),
    }
}
