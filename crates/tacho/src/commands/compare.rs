//! `tacho compare`: what changed between two sides of what is kept.

pub(crate) mod library;
mod past;
mod side_word;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use clap::Args;
use tacho_judge::{History, Rule};
use tacho_measure::history::version_order;
use tacho_measure::matching::Selection;
use tacho_model::{Comparison, Provenance, Results, Standing, Subject, Verdict};
use tacho_report::{Compared, Order, Side};

use crate::commands::show::fits_environment;
use crate::console::Console;
use crate::context::{Context, shell_word};
use crate::error::{CommandError, Result};
use crate::exit;
use crate::suite_problems;

use library::{Kept, Library};
use side_word::SideWord;

/// The factor that asv takes where none is given.
const ASV_FACTOR: f64 = 1.1;

/// Compare two sides of what is kept, with a verdict for each case
///
/// A side is a commit (revision or prefix of a hash), `.` for the checkout with its changes, a work tree's id, a version, a run's id, or a file (a record, or a
/// result file of asv's). `name=value` narrows it to a machine or a value of an axis: `HEAD,python=3.12`, or just
/// `machine=lab-7` for the newest commit that both sides have. A difference counts as real where it exceeds the noise between runs of
/// the same series.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The earlier side
    #[arg(value_name = "BEFORE")]
    before: String,
    /// The later side
    #[arg(value_name = "AFTER")]
    after: String,
    /// Only benchmarks or cases that this Python regular expression finds (can be repeated)
    #[arg(long, short = 'b', value_name = "REGEX")]
    bench: Vec<String>,
    /// Only runs of this machine
    #[arg(long, short = 'm', value_name = "NAME")]
    machine: Option<String>,
    /// Only runs in these environments: values of axes (`python=3.12,req.numpy=2.*`), a label, a tool, `existing:PROGRAM`, or a
    /// version of Python
    #[arg(long, short = 'E', value_name = "SPEC")]
    environment: Option<String>,
    /// Compare although this field differs: machine, version, unit, method, quick, or an axis such as python (can be repeated)
    #[arg(long, value_name = "FIELD")]
    across: Vec<String>,
    /// By which statistics: tacho's own, or asv's rule
    #[arg(long, value_name = "RULE", value_parser = ["own", "asv"], default_value = "own")]
    stats: String,
    /// asv's rule without a test on the samples: the factor alone
    #[arg(long)]
    no_stats: bool,
    /// How many times larger or smaller a value must be to matter [default: the band of `judge.band_percent`; with asv's rule 1.1]
    #[arg(long, short = 'f', value_name = "FACTOR", value_parser = factor, allow_negative_numbers = true)]
    factor: Option<f64>,
    /// A table for each kind of answer
    #[arg(long, short = 's')]
    split: bool,
    /// Only what is faster, slower, newly failing or fixed
    #[arg(long)]
    only_changed: bool,
    /// Tell where the noise of each machine and environment was learnt
    #[arg(long)]
    details: bool,
    /// Order of the rows
    #[arg(long, value_name = "ORDER", value_parser = ["default", "name", "ratio"], default_value = "default")]
    sort: String,
    /// Exit with 1 if anything is slower or newly failing
    #[arg(long, value_name = "VERDICT", value_parser = ["slower"])]
    fail_on: Option<String>,
    /// Print JSON (schema tacho.compare/1)
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn factor(text: &str) -> std::result::Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| *factor >= 1.0 && factor.is_finite());
    factor.ok_or_else(|| "it is a number from 1 on, such as 1.05".to_owned())
}

pub(crate) fn run(args: CompareArgs, context: &Context<'_>) -> Result<u8> {
    let selection = Selection::parse(&args.bench)?;
    let settings = context.settings_if_any()?;
    let library = Library::open(settings.as_ref(), context)?;
    let words = [SideWord::parse(&args.before, &context.cwd)?, SideWord::parse(&args.after, &context.cwd)?];
    let [before, after] = sides(&library, &words, &args)?;
    refuse_the_same(&words, [&before, &after])?;
    let index = library.index();
    let (history, noise) = match rule(&args) {
        Rule::Own => past::history(&library, [&before, &after], Some(&index), context.console),
        Rule::Asv { .. } => (History::default(), vec![]),
    };
    let fraction = args.factor.map(|factor| factor - 1.0);
    let band =
        |benchmark: &str| fraction.unwrap_or_else(|| settings.as_ref().map_or(DEFAULT_BAND, |s| s.band(benchmark)));
    let options = tacho_judge::CompareOptions { rule: rule(&args), across: across(&args, &words), band: &band };
    warn_of_unknown_fields(&options.across, [&before, &after], context.console);
    let comparisons = tacho_judge::compare(&before, &after, &history, &options);
    let comparisons = selected(comparisons, &selection, &args)?;
    let compared = Compared {
        before: Side { word: &args.before, results: &before },
        after: Side { word: &args.after, results: &after },
        comparisons: &comparisons,
        noise: &noise,
    };
    show(&compared, &args, context)?;
    Ok(match code(&args, &comparisons) {
        exit::YES if library.is_partial() => exit::PARTIAL,
        code => code,
    })
}

/// The band where there is no project to set it: ± 2 %.
pub(crate) const DEFAULT_BAND: f64 = 0.02;

fn rule(args: &CompareArgs) -> Rule {
    let factor = args.factor.unwrap_or(ASV_FACTOR);
    match (args.stats.as_str(), args.no_stats) {
        ("asv", _) | (_, true) => Rule::Asv { factor, use_stats: !args.no_stats },
        _ => Rule::Own,
    }
}

/// What is declared to differ: by `--across`, and by naming two values of one field.
fn across(args: &CompareArgs, words: &[SideWord; 2]) -> BTreeSet<String> {
    let mut fields: BTreeSet<String> = args.across.iter().cloned().collect();
    for (name, value) in &words[0].facts {
        if words[1].facts.get(name).is_some_and(|other| other != value) {
            fields.insert(name.clone());
        }
    }
    fields
}

/// Fields of every comparison; others are axes.
const FIELDS: [&str; 5] = ["machine", "method", "quick", "unit", "version"];

/// A field that nothing has declares nothing, which a mistyped one should not do unnoticed.
fn warn_of_unknown_fields(across: &BTreeSet<String>, sides: [&[Results]; 2], console: &Console) {
    let runs = || sides.into_iter().flatten();
    for field in across.iter().filter(|field| !FIELDS.contains(&field.as_str())) {
        if !runs().any(|run| run.provenance.environment.axes.contains_key(field)) {
            let known: BTreeSet<&str> = runs()
                .flat_map(|run| run.provenance.environment.axes.keys())
                .map(String::as_str)
                .chain(FIELDS)
                .collect();
            let known: Vec<&str> = known.into_iter().collect();
            console
                .warn(&format!("nothing here has a field `{field}` to compare across; there are {}", known.join(", ")));
        }
    }
}

fn sides(library: &Library<'_>, words: &[SideWord; 2], args: &CompareArgs) -> Result<[Vec<Results>; 2]> {
    let subject = match [words[0].subject.as_deref(), words[1].subject.as_deref()] {
        [None, None] if words.iter().all(|word| word.file.is_none()) => Some(newest_of_both(library, words, args)?),
        [Some(one), None] | [None, Some(one)] if words.iter().all(|word| word.file.is_none()) => Some(one.to_owned()),
        _ => None,
    };
    let side = |word: &SideWord| -> Result<Vec<Results>> {
        if let Some(path) = &word.file {
            return built_only(word, vec![library.read_file(path)?], library.console());
        }
        let name = word.subject.as_deref().or(subject.as_deref()).ok_or_else(|| {
            CommandError::new(format!("`{}` names no commit to hold against a file", word.text))
                .hint("name one, as in `HEAD,machine=lab-7`")
        })?;
        let all = library.at_subject(name)?;
        let kept: Vec<Kept> = all.iter().filter(|kept| fits(kept, word, args)).cloned().collect();
        if kept.is_empty() {
            return Err(nothing_fits(word, &all));
        }
        built_only(word, library.side(kept)?, library.console())
    };
    Ok([side(&words[0])?, side(&words[1])?])
}

/// Leaves out what could not be built, and says so.
///
/// # Errors
/// Nothing of the side could be built.
fn built_only(word: &SideWord, results: Vec<Results>, console: &Console) -> Result<Vec<Results>> {
    let is_built = |run: &Results| run.provenance.build_failure().is_none();
    let (built, unbuilt): (Vec<Results>, Vec<Results>) = results.into_iter().partition(is_built);
    let Some(first) = unbuilt.first() else { return Ok(built) };
    let reason = |run: &Results| tacho_report::harmless_line(run.provenance.build_failure().unwrap_or_default());
    if built.is_empty() {
        let run: String = first.provenance.run_id.chars().take(8).collect();
        return Err(CommandError::new(format!("`{}` was not built: {}", word.text, reason(first)))
            .hint(format!("see the end of its log with `tacho show {run}`")));
    }
    for run in &unbuilt {
        let place = place_words(&run.provenance);
        console.warn(&format!("`{}` was not built with {place}: {}", word.text, reason(run)));
    }
    Ok(built)
}

/// The error where a side's machine, axes, `-m` or `-E` leave none of `kept`.
fn nothing_fits(word: &SideWord, kept: &[Kept]) -> CommandError {
    let error = CommandError::new(format!("no results of `{}` on these machines and environments", word.text));
    let there: BTreeSet<String> = kept.iter().map(|kept| place_words(&kept.provenance)).collect();
    let some: Vec<&str> = there.iter().map(String::as_str).take(5).collect();
    let more = if there.len() > some.len() { ", …" } else { "" };
    match some.is_empty() {
        true => error.hint("nothing is kept yet; measure with `tacho run`"),
        false => error.hint(format!("there are results of `{}`{more}", some.join("`, `"))),
    }
}

/// Returns the place of a run as a side would name it.
fn place_words(provenance: &Provenance) -> String {
    let axes = provenance.environment.axes.iter().map(|(name, value)| format!(",{name}={value}"));
    format!("machine={}{}", provenance.machine.name, axes.collect::<String>())
}

fn fits(kept: &Kept, word: &SideWord, args: &CompareArgs) -> bool {
    let provenance = &kept.provenance;
    word.fits(provenance)
        && args.machine.as_ref().is_none_or(|name| provenance.machine.name == *name)
        && args.environment.as_ref().is_none_or(|wanted| fits_environment(&provenance.environment, wanted))
}

/// Two sides that name no subject are held at the newest one that both have.
fn newest_of_both(library: &Library<'_>, words: &[SideWord; 2], args: &CompareArgs) -> Result<String> {
    let has_results =
        |provenance: &Provenance| provenance.subject.enters_history() && provenance.build_failure().is_none();
    let kept = library.all(has_results);
    let of = |word: &SideWord| kept.iter().filter(|kept| fits(kept, word, args)).collect::<Vec<&Kept>>();
    let (left, right) = (of(&words[0]), of(&words[1]));
    for (word, fitting) in words.iter().zip([&left, &right]) {
        if fitting.is_empty() {
            return Err(nothing_fits(word, &kept));
        }
    }
    let theirs: BTreeSet<String> = right.iter().map(|kept| kept.provenance.subject.id()).collect();
    let both = left.iter().filter(|kept| theirs.contains(&kept.provenance.subject.id()));
    let newest = both.max_by(|one, other| in_history(&one.provenance, &other.provenance));
    newest.map(|kept| kept.provenance.subject.id()).ok_or_else(|| {
        let (one, other) = (&words[0].text, &words[1].text);
        CommandError::new(format!("`{one}` and `{other}` have no commit in common"))
            .hint("name a commit on each side, as in `HEAD,machine=lab-7`; `tacho show --list` tells what there is")
    })
}

/// Versions are as new as PEP 440 says, whenever they were measured; everything else by its moment.
fn in_history(one: &Provenance, other: &Provenance) -> Ordering {
    match (&one.subject, &other.subject) {
        (Subject::Version { version, .. }, Subject::Version { version: other, .. }) => version_order(version, other),
        _ => past::moment(one).cmp(&past::moment(other)),
    }
}

/// A run's id tells runs apart, but not two of asv's files of one name in folders of one name: those are told by their paths.
fn refuse_the_same(words: &[SideWord; 2], [before, after]: [&[Results]; 2]) -> Result<()> {
    let ids = |side: &[Results]| side.iter().map(|run| run.provenance.run_id.clone()).collect::<Vec<String>>();
    let path = |word: &SideWord| word.file.as_ref().and_then(|path| path.canonicalize().ok());
    let are_other_files = match (path(&words[0]), path(&words[1])) {
        (Some(one), Some(other)) => one.extension().is_some_and(|extension| extension == "json") && one != other,
        _ => false,
    };
    if are_other_files || ids(before) != ids(after) {
        return Ok(());
    }
    Err(CommandError::new("both sides are the same runs")
        .hint("name two commits, or two machines, environments or files"))
}

fn selected(comparisons: Vec<Comparison>, selection: &Selection, args: &CompareArgs) -> Result<Vec<Comparison>> {
    if selection.is_everything() {
        return Ok(comparisons);
    }
    let mut kept = Vec::new();
    for group in comparisons.chunk_by(|a, b| a.case.benchmark == b.case.benchmark) {
        let cases: Vec<_> = group.iter().map(|comparison| &comparison.case).collect();
        kept.extend(selection.select_cases(&cases)?.into_iter().map(|position| group[position].clone()));
    }
    if kept.is_empty() {
        let names: BTreeSet<&str> = comparisons.iter().map(|one| one.case.benchmark.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let command = format!("tacho compare {} {}", shell_word(&args.before), shell_word(&args.after));
        return Err(suite_problems::not_found(&args.bench, &names, &command));
    }
    Ok(kept)
}

fn show(compared: &Compared<'_>, args: &CompareArgs, context: &Context<'_>) -> Result<()> {
    if args.json {
        return context.console.data(&tacho_report::json::compare(compared));
    }
    let order = match args.sort.as_str() {
        "name" => Order::Name,
        "ratio" => Order::Ratio,
        _ => Order::Suite,
    };
    let more = "measure more at both sides with `tacho run -a rounds=5`".to_owned();
    // Who reads a pasted table has nothing to type.
    let more = Some(more).filter(|_| !args.markdown);
    let options = tacho_report::CompareOptions {
        split: args.split,
        only_changed: args.only_changed,
        details: args.details,
        order,
        more,
    };
    let page = tacho_report::compare(compared, &options);
    let text = if args.markdown { page.markdown() } else { page.terminal(&context.console.screen()) };
    context.console.data(&text)
}

fn code(args: &CompareArgs, comparisons: &[Comparison]) -> u8 {
    let is_worse = |comparison: &Comparison| match &comparison.standing {
        Standing::Judged(judgement) => judgement.verdict == Verdict::Slower && !judgement.within_band,
        Standing::NewlyFailing => true,
        _ => false,
    };
    if args.fail_on.is_some() && comparisons.iter().any(is_worse) { exit::NO } else { exit::YES }
}
