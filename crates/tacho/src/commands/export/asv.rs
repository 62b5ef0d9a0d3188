//! `tacho export asv`: asv's results folder, written from records.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use tacho_model::{Provenance, Purpose, Run, Subject};
use tacho_report::{Exported, LeftOut};
use tacho_store::{AsvRun, AsvWriter, Entry, Record, Store, StoreError};

use crate::commands::compare::library::{Place, place};
use crate::commands::show::tell_of_unreadable;
use crate::context::Context;
use crate::error::{CommandError, Result, WithHint, way_out};
use crate::exit;
use crate::settings::Settings;

/// Write asv's results folder: `asv show`, `asv compare` and `asv publish` read it
///
/// Every commit that was measured gets a file for each machine and environment. Several runs of one of them are
/// one result, as in `tacho compare`. What asv or somebody else wrote stays as it is.
#[derive(Debug, Args)]
pub(crate) struct AsvArgs {
    /// The results folder [default: `results_dir` of asv.conf.json]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Quick runs too, where a commit has no others
    #[arg(long)]
    quick: bool,
    /// Replace files that tacho did not write
    #[arg(long)]
    force: bool,
    /// Print JSON (schema tacho.export/1)
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &AsvArgs, context: &Context<'_>) -> Result<u8> {
    let settings = context.settings_if_any()?;
    let folder = folder(args, settings.as_ref(), context)?;
    let store = context.store(settings.as_ref());
    let found = store.entries().hint("records are looked for where `store.dir` says: see `tacho config show`")?;
    tell_of_unreadable(&found.unreadable, context);
    if found.entries.is_empty() {
        return Err(CommandError::new(format!("no runs are kept in `{}`", store.root().display()))
            .hint("measure with `tacho run`, and see what is kept with `tacho show --list`"));
    }
    let mut left_out = LeftOut { unreadable: found.unreadable.len(), ..LeftOut::default() };
    let groups = groups(&found.entries, args.quick, &mut left_out);
    let mut exported = Exported { folder: folder.clone(), left_out, ..Exported::default() };
    let mut writer = AsvWriter::new(&folder, args.force);
    for group in groups {
        let records = readable(&store, &group, &mut exported.left_out, context);
        if !records.is_empty() {
            exported.n_runs += records.len();
            add(&mut writer, records, settings.as_ref()).hint(WRITABLE)?;
        }
    }
    let written = writer.finish().hint(WRITABLE)?;
    exported.written = written.written;
    exported.unchanged = written.unchanged;
    exported.not_ours = written.not_ours;
    exported.unlisted = written.unlisted;
    tell(args, &exported, context)
}

const WRITABLE: &str = "choose another folder with `--dir`, or make this one writable";

fn folder(args: &AsvArgs, settings: Option<&Settings>, context: &Context<'_>) -> Result<PathBuf> {
    if let Some(dir) = &args.dir {
        return Ok(context.cwd.join(dir));
    }
    let configured = settings.and_then(|settings| Some(settings.path(settings.asv_results.value.as_ref()?)));
    configured.ok_or_else(|| {
        CommandError::new("no results folder of asv's is configured here")
            .hint("name one with `--dir DIR`, or in asv.conf.json as `results_dir`")
    })
}

/// Runs of one commit, machine and combination of axes, oldest first.
type Group<'a> = Vec<&'a Entry>;

/// Puts together what belongs into one file, in the order of commits, machines and axes.
fn groups<'a>(entries: &'a [Entry], with_quick: bool, left_out: &mut LeftOut) -> Vec<Group<'a>> {
    let mut by_place: BTreeMap<(String, Place), Group<'a>> = BTreeMap::new();
    for entry in entries {
        if let Some(count) = reason(&entry.provenance, with_quick, left_out) {
            *count += 1;
            continue;
        }
        let key = (entry.provenance.subject.id(), place(&entry.provenance));
        by_place.entry(key).or_default().push(entry);
    }
    by_place.into_values().map(|group| of_one_kind(group, left_out)).collect()
}

/// Returns the count that a run belongs to if it is left out on its own account.
fn reason<'a>(provenance: &Provenance, with_quick: bool, left_out: &'a mut LeftOut) -> Option<&'a mut usize> {
    match &provenance.subject {
        Subject::Tree { .. } => return Some(&mut left_out.work_trees),
        Subject::Version { .. } | Subject::Date { .. } => return Some(&mut left_out.versions),
        Subject::Commit { .. } => {}
    }
    if provenance.purpose != Purpose::History {
        return Some(&mut left_out.pairs_and_gates);
    }
    if provenance.build_failure().is_some() {
        return Some(&mut left_out.unbuilt);
    }
    (provenance.settings.quick && !with_quick).then_some(&mut left_out.quick)
}

/// Leaves out quick runs beside whole ones, and what was measured in another way than the newest run was.
fn of_one_kind<'a>(mut group: Group<'a>, left_out: &mut LeftOut) -> Group<'a> {
    let is_whole = |entry: &Entry| !entry.provenance.settings.quick;
    if group.iter().any(|entry| is_whole(entry)) {
        let n_all = group.len();
        group.retain(|entry| is_whole(entry));
        left_out.quick += n_all - group.len();
    }
    if let Some(method) = group.last().map(|newest| newest.provenance.method.clone()) {
        let n_all = group.len();
        group.retain(|entry| entry.provenance.method == method);
        left_out.other_methods += n_all - group.len();
    }
    group
}

/// Reads a group. A record that is damaged hides no other.
fn readable(store: &Store, group: &Group<'_>, left_out: &mut LeftOut, context: &Context<'_>) -> Vec<Record> {
    let mut tell = |error: &StoreError| {
        left_out.unreadable += 1;
        context.console.warn(&format!("left out: {}", error.line()));
        if let Some(hint) = way_out(error) {
            context.console.talk(&format!("hint: {hint}"));
        }
    };
    let read = group.iter().map(|entry| store.read_record(&entry.path));
    read.filter_map(|read| read.inspect_err(&mut tell).ok()).collect()
}

fn add(writer: &mut AsvWriter, records: Vec<Record>, settings: Option<&Settings>) -> Result<()> {
    let names: Vec<(String, String)> =
        records.iter().map(|record| (record.run.provenance.run_id.clone(), record.digest.clone())).collect();
    let runs: Vec<Run> = records.into_iter().map(|record| record.run).collect();
    let Some(mut run) = tacho_judge::merged(runs) else { return Ok(()) };
    for rule in settings.iter().flat_map(|settings| &settings.metrics) {
        run.planned.iter_mut().for_each(|planned| rule.apply(&mut planned.benchmark));
    }
    let mut outcomes = tacho_judge::outcomes(&run);
    for outcome in &mut outcomes {
        outcome.interval = tacho_judge::asv_interval(&outcome.samples);
    }
    writer.add(&AsvRun { run: &run, outcomes: &outcomes, records: &names })?;
    Ok(())
}

fn tell(args: &AsvArgs, exported: &Exported, context: &Context<'_>) -> Result<u8> {
    let text = match args.json {
        true => tacho_report::json::export(exported),
        false => tacho_report::exported(exported).terminal(&context.console.screen()),
    };
    context.console.data(&text)?;
    for path in exported.not_ours.iter().take(MOST_NAMED) {
        context.console.warn(&format!("`{}` was not written by tacho and stays as it is", path.display()));
    }
    if !exported.unlisted.is_empty() {
        let names: Vec<&str> = exported.unlisted.iter().take(MOST_NAMED).map(String::as_str).collect();
        let more = if exported.unlisted.len() > names.len() { ", …" } else { "" };
        context.console.warn(&format!(
            "asv's own benchmarks.json lacks {} of these benchmarks or has them in another version, and asv will pass over \
             them: {}{more}",
            exported.unlisted.len(),
            names.join(", ")
        ));
    }
    if !exported.not_ours.is_empty() {
        context.console.talk("hint: `--force` replaces files of others, `--dir DIR` writes into a folder of its own");
    }
    let is_whole = exported.not_ours.is_empty() && exported.left_out.unreadable == 0;
    Ok(if is_whole { exit::YES } else { exit::PARTIAL })
}

/// So many files or benchmarks are named in a warning.
const MOST_NAMED: usize = 5;
