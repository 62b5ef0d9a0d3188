//! The agenda of `run`: the cells that it measures, in order.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use tacho_measure::environments::Combination;
use tacho_measure::git::Git;
use tacho_measure::history::{self, Commit, HistoryError, Period, Range, Repository, VersionRange};
use tacho_model::{Build, Subject, Timestamp};

use super::builds::{Builds, needs_build};
use super::cell::{Cell, Fate, Work};
use super::existing::Existing;
use super::{Wanted, chosen, commands};
use crate::context::{Context, shell_word};
use crate::error::{CommandError, Result};
use crate::interpreter;
use crate::subject_choice::{self, Choice};

/// What is to be measured.
pub(super) struct Agenda {
    pub(super) cells: Vec<Cell>,
    pub(super) builds: Builds,
    /// How the work tree was rebuilt in place.
    pub(super) rebuilt: Option<Build>,
    /// Why there is nothing in it, where that needs a word.
    pub(super) empty_because: Option<String>,
}

/// Subjects, and where their code comes from.
struct Subjects {
    of: Vec<(Option<Subject>, Work)>,
    branch: Option<String>,
    repository: Option<Repository>,
    work_tree: Option<tacho_measure::git::WorkTree>,
}

/// Decides what is measured, before anything is started. What an interrupted run has `chosen` is not chosen anew.
///
/// # Errors
/// What is asked for cannot be measured.
pub(super) fn draw_up(
    wanted: &Wanted,
    git: Option<&Git>,
    existing: &Existing,
    chosen: Option<&[String]>,
    context: &Context<'_>,
) -> Result<Agenda> {
    let mut rebuilt = None;
    let mut combinations = wanted.combinations(&wanted.args.environment, &context.cwd)?;
    refuse_range_of_one(wanted)?;
    let subjects = match wanted.settings.history.value.as_str() {
        "versions" => of_versions(wanted, existing, chosen, context)?,
        "dates" => alone(Some(Subject::Date { date: tacho_measure::now() }), Work::Nothing),
        _ => {
            if is_beyond_checkout(wanted, git)? && wanted.may_choose_tool() {
                combinations = wanted.combinations(&["uv".to_owned()], &context.cwd)?;
                context
                    .console
                    .talk("Other commits than the one that is checked out are built, in environments of their own.");
            }
            if has_nothing_to_build(wanted, git, &combinations) {
                combinations = wanted.combinations(&["existing".to_owned()], &context.cwd)?;
                context.console.talk("There is no repository to build from: what is installed is measured.");
            }
            rebuilt = rebuilt_in_place(wanted, git, &combinations)?;
            of_commits(wanted, git, &combinations, existing, chosen, context)?
        }
    };
    let Subjects { of, branch, repository, work_tree } = subjects;
    let empty_because = of.is_empty().then(|| wanted.range().map_or_else(String::new, nothing_in));
    let builds = Builds::new(&wanted.settings, repository, work_tree, wanted.args.dry_run, context)?;
    let combinations: Vec<Arc<Combination>> = combinations.into_iter().map(Arc::new).collect();
    let mut cells = Vec::with_capacity(of.len() * combinations.len());
    for (subject, work) in of {
        for combination in &combinations {
            let work = if needs_build(combination) { work } else { Work::Here };
            cells.push(Cell::new(subject.clone(), branch.clone(), work, Arc::clone(combination)));
        }
    }
    refuse_elsewhere(&cells, git, wanted)?;
    Ok(Agenda { cells, builds, rebuilt, empty_because })
}

/// Tells whether environments would be made and there is nothing to make them of, nor anybody who asks for one: an unpacked
/// source distribution, say, beside the released package.
fn has_nothing_to_build(wanted: &Wanted, git: Option<&Git>, combinations: &[Combination]) -> bool {
    let args = &wanted.args;
    let is_asked = wanted.range().is_some() || !args.environment.is_empty() || args.python.is_some() || args.clean;
    let is_made = combinations.iter().any(needs_build);
    let is_none = |folder: &PathBuf| matches!(Repository::local(folder), Err(HistoryError::NoRepository { .. }));
    !is_asked && is_made && git.is_none() && wanted.settings.local_repo().as_ref().is_some_and(is_none)
}

/// Rebuilds what is checked out where it lies, before it is looked at what that is.
fn rebuilt_in_place(wanted: &Wanted, git: Option<&Git>, combinations: &[Combination]) -> Result<Option<Build>> {
    let settings = &wanted.settings;
    let in_place = combinations.iter().any(|combination| !needs_build(combination));
    match &settings.environment.rebuild.value {
        Some(line) if in_place && !wanted.args.dry_run => {
            commands::rebuild(line, git.map_or(&settings.root, |git| git.root()), settings).map(Some)
        }
        _ => Ok(None),
    }
}

fn nothing_in(range: &str) -> String {
    match range {
        "NEW" | "MISSING" => format!("Nothing to do: no commit of `{range}` is without results."),
        _ => format!("Nothing to do: `{range}` holds nothing."),
    }
}

fn alone(subject: Option<Subject>, work: Work) -> Subjects {
    Subjects { of: vec![(subject, work)], branch: None, repository: None, work_tree: None }
}

/// Tells whether the range asks for more than what is checked out.
fn is_beyond_checkout(wanted: &Wanted, git: Option<&Git>) -> Result<bool> {
    let Some(range) = wanted.range() else { return Ok(false) };
    let Some(git) = git else { return Ok(true) };
    let one = range.strip_suffix("^!").unwrap_or(range);
    Ok(git.resolve(one).ok() != git.head()?)
}

fn of_commits(
    wanted: &Wanted,
    git: Option<&Git>,
    combinations: &[Combination],
    existing: &Existing,
    chosen: Option<&[String]>,
    context: &Context<'_>,
) -> Result<Subjects> {
    let in_place = combinations.iter().all(|combination| !needs_build(combination));
    if let Some(label) = wanted.args.set_commit_hash.as_deref().filter(|_| !in_place) {
        let message = format!("what is built has a commit of its own, and is not to be called `{label}`");
        return Err(CommandError::new(message)
            .hint(format!("have that commit built: `tacho run {}`", shell_word(label)))
            .hint("or measure what is installed: `-E existing`"));
    }
    if in_place {
        let choice = subject_choice::choose(&wanted.settings, git, &wanted.wish(), context.console)?;
        return Ok(here(choice));
    }
    let repository = repository(wanted, git, context)?;
    let Some(words) = wanted.range() else { return checkout(wanted, git, repository) };
    let range = match chosen {
        Some(ids) if chosen::is_standard_input(words) => Range::Commits(ids.to_vec()),
        chosen => match Range::parse(words, |path| read_listed(path, context))? {
            Range::New | Range::Missing if chosen.is_some() => Range::All,
            range => range,
        },
    };
    let branches = repository.branches(&wanted.settings.branches.value)?;
    let mut known_hashes: Vec<String> = existing.subjects().filter_map(commit_hash).collect();
    if range == Range::Existing && existing.has_asv() {
        // Of a commit that asv has results of only the first digits are known.
        let all = Range::All.select(&repository, &branches, &|_| false, &[])?.commits;
        known_hashes.extend(all.into_iter().map(|commit| commit.hash).filter(|hash| existing.knows_commit(hash)));
    }
    let selection = range.select(&repository, &branches, &|hash| existing.knows_commit(hash), &known_hashes)?;
    if !selection.lost.is_empty() {
        let n = tacho_model::unit::counted(selection.lost.len(), "commit");
        context.console.warn(&format!("{n} with results are not in the repository (any more)"));
    }
    let is_chosen = among(chosen);
    let commits = selection.commits.into_iter().filter(|commit| is_chosen(&commit.hash));
    let of = commits.map(|commit| (Some(subject_of(commit)), Work::Commit));
    Ok(Subjects { of: of.collect(), branch: None, repository: Some(repository), work_tree: None })
}

/// Returns whether an id is among those that were chosen; all are where nothing was.
fn among(chosen: Option<&[String]>) -> impl Fn(&str) -> bool + '_ {
    let ids: Option<HashSet<&str>> = chosen.map(|ids| ids.iter().map(String::as_str).collect());
    move |id| ids.as_ref().is_none_or(|ids| ids.contains(id))
}

fn here(choice: Choice) -> Subjects {
    Subjects { of: vec![(choice.subject, Work::Here)], branch: choice.branch, repository: None, work_tree: None }
}

/// Returns what is checked out: HEAD, or the work tree where it has changes; of a repository that is not checked out, its
/// HEAD.
fn checkout(wanted: &Wanted, git: Option<&Git>, repository: Repository) -> Result<Subjects> {
    let Some(git) = git else {
        let hash = repository.default_branch()?.tip;
        let commits = Range::Commits(vec![hash]).select(&repository, &[], &|_| false, &[])?.commits;
        let of = commits.into_iter().map(|commit| (Some(subject_of(commit)), Work::Commit)).collect();
        return Ok(Subjects { of, branch: None, repository: Some(repository), work_tree: None });
    };
    let changes = git.changes()?;
    if wanted.args.clean {
        subject_choice::refuse_changes(&changes)?;
    }
    let (head, branch) = (git.head()?, git.branch()?);
    let (of, work_tree) = match head {
        Some(hash) if changes.is_empty() => {
            let date = Some(git.author_date(&hash)?);
            (vec![(Some(Subject::Commit { hash, date }), Work::Commit)], None)
        }
        parent => {
            let tree = git.work_tree()?;
            (vec![(Some(Subject::Tree { tree: tree.id().to_owned(), parent }), Work::Tree)], Some(tree))
        }
    };
    Ok(Subjects { of, branch, repository: Some(repository), work_tree })
}

/// Returns the repository that commits are read from: the one that is checked out, a local one, or a mirror of an address.
fn repository(wanted: &Wanted, git: Option<&Git>, context: &Context<'_>) -> Result<Repository> {
    let settings = &wanted.settings;
    let local = git.map(|git| git.root().to_owned()).or_else(|| settings.local_repo());
    if let Some(folder) = local {
        return Repository::local(&folder).map_err(|error| {
            let is_none = matches!(error, HistoryError::NoRepository { .. });
            let told = CommandError::from(error);
            if is_none { told.hint("measure what is installed with `-E existing`") } else { told }
        });
    }
    let repos = context.store(Some(settings)).root().join("cache/repos");
    let address = settings.repo.value.trim_start_matches("git+");
    // A plan asks nobody: where there is a mirror it is of what that has.
    let pull = !wanted.args.no_pull && !wanted.args.dry_run;
    let mirrored = Repository::mirror(address, &repos, pull)?;
    if let Some(warning) = mirrored.warning {
        context.console.warn(&warning);
    }
    Ok(mirrored.repository)
}

fn of_versions(
    wanted: &Wanted,
    existing: &Existing,
    chosen: Option<&[String]>,
    context: &Context<'_>,
) -> Result<Subjects> {
    let settings = &wanted.settings;
    let package = settings.package().to_owned();
    if let Some(line) = &settings.version_command.value {
        let version = commands::version_told(line, settings)?;
        return Ok(alone(Some(Subject::Version { package, version }), Work::Nothing));
    }
    let words = wanted.range().unwrap_or("LATEST");
    let range = match chosen {
        Some(_) if chosen::is_standard_input(words) => VersionRange::All,
        chosen => match VersionRange::parse(words, |path| read_listed(path, context))? {
            VersionRange::New | VersionRange::Missing if chosen.is_some() => VersionRange::All,
            range => range,
        },
    };
    let versions = match settings.versions.value.is_empty() {
        false => settings.versions.value.clone(),
        true => commands::versions(&package, &interpreter::find(None, &context.cwd)?, settings)?,
    };
    let known: Vec<String> = existing.subjects().filter_map(|subject| version_of(subject, &package)).collect();
    let is_known = |version: &str| known.iter().any(|known| known == version);
    let selection = range.select(&versions, &is_known, &known)?;
    let subject = |version| Subject::Version { package: package.clone(), version };
    let of = selection.versions.into_iter().map(|version| (Some(subject(version)), Work::Release));
    let is_chosen = among(chosen);
    let of = of.filter(|(subject, _)| subject.as_ref().is_some_and(|subject| is_chosen(&subject.id()))).collect();
    Ok(Subjects { of, branch: None, repository: None, work_tree: None })
}

fn read_listed(path: &str, context: &Context<'_>) -> std::io::Result<String> {
    match path {
        "-" => std::io::read_to_string(std::io::stdin()),
        path => std::fs::read_to_string(context.cwd.join(path)),
    }
}

fn subject_of(commit: Commit) -> Subject {
    Subject::Commit { hash: commit.hash, date: Some(commit.author_date) }
}

fn commit_hash(subject: &Subject) -> Option<String> {
    match subject {
        Subject::Commit { hash, .. } => Some(hash.clone()),
        _ => None,
    }
}

fn version_of(subject: &Subject, package: &str) -> Option<String> {
    match subject {
        Subject::Version { package: found, version } if subject_choice::same_package(found, package) => {
            Some(version.clone())
        }
        _ => None,
    }
}

/// A moment, and a version that a command tells, are what they are.
fn refuse_range_of_one(wanted: &Wanted) -> Result<()> {
    let settings = &wanted.settings;
    let why = match settings.history.value.as_str() {
        "dates" => "`history = \"dates\"` measures what is there now",
        "versions" if settings.version_command.value.is_some() => {
            "`version_command` tells the version that is there now"
        }
        _ => return Ok(()),
    };
    match wanted.range() {
        Some(range) => Err(CommandError::new(format!("`{range}` cannot be chosen: {why}")).hint("leave it out")),
        None => Ok(()),
    }
}

/// In an interpreter that is there only what is checked out can be measured.
fn refuse_elsewhere(cells: &[Cell], git: Option<&Git>, wanted: &Wanted) -> Result<()> {
    let is_here = cells.iter().any(|cell| cell.work == Work::Here);
    if !is_here || !is_beyond_checkout(wanted, git)? || wanted.settings.history.value != "commits" {
        return Ok(());
    }
    let range = wanted.range().unwrap_or_default();
    let message =
        format!("`{range}` asks for commits that are not checked out, and an existing environment holds none of them");
    let build = match &wanted.args.python {
        Some(_) => "have them built: `-E uv:VERSION`, where `--python PROGRAM` measures in that program as it is",
        None => "have them built: `-E uv`, or another tool",
    };
    Err(CommandError::new(message)
        .hint(build)
        .hint("or check the commit out, install it, and measure it with `tacho run`"))
}

impl Agenda {
    /// Returns true where what is checked out is measured in what is there, once.
    pub(super) fn is_one_in_place(&self) -> bool {
        matches!(&self.cells[..], [cell] if cell.work == Work::Here)
    }

    /// Marks the cells that need not be measured.
    pub(super) fn pass_over(&mut self, is_there: impl Fn(&Cell) -> bool) {
        for cell in self.cells.iter_mut().filter(|cell| cell.fate == Fate::Measure) {
            if is_there(cell) {
                cell.fate = Fate::Exists;
            }
        }
    }

    /// Marks the cells of which a failed build is kept, if that is the one that they would be given now.
    ///
    /// # Errors
    /// There is no interpreter or tool to build with.
    pub(super) fn pass_over_failed(&mut self, failed: impl Fn(&Cell) -> Option<Build>) -> Result<()> {
        for cell in self.cells.iter_mut().filter(|cell| cell.fate == Fate::Measure) {
            if let Some(build) = failed(cell)
                && self.builds.key(cell).map_err(super::made::told)? == Some(build.key)
            {
                cell.fate = Fate::Exists;
            }
        }
        Ok(())
    }

    /// Returns the subjects that are measured, each once.
    pub(super) fn open_ids(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let open = self.cells.iter().filter(|cell| cell.fate == Fate::Measure);
        open.filter_map(|cell| cell.subject.as_ref().map(Subject::id)).filter(|id| seen.insert(id.clone())).collect()
    }

    /// Takes samples of the subjects that are measured.
    ///
    /// # Errors
    /// A period that is none.
    pub(super) fn thin_out(&mut self, wanted: &Wanted) -> Result<()> {
        let period = wanted.args.date_period.as_deref().map(|text| {
            Period::parse(text).ok_or_else(|| {
                CommandError::new(format!("`{text}` is no period")).hint("it is a number and d, w, M, q or y: 1w")
            })
        });
        let period = period.transpose()?;
        if period.is_none() && wanted.args.steps.is_none() {
            return Ok(());
        }
        let mut open: Vec<Commit> = Vec::new();
        let mut seen = HashSet::new();
        for cell in self.cells.iter().filter(|cell| cell.fate == Fate::Measure) {
            let id = cell.subject.as_ref().map(Subject::id).unwrap_or_default();
            if seen.insert(id.clone()) {
                open.push(Commit { hash: id, author_date: date_of(cell), tags: vec![] });
            }
        }
        if let Some(period) = period {
            open = history::date_period(open, period);
        }
        if let Some(n) = wanted.args.steps {
            open = history::steps(open, n);
        }
        let kept: HashSet<String> = open.into_iter().map(|commit| commit.hash).collect();
        self.cells.retain(|cell| {
            cell.fate == Fate::Exists || cell.subject.as_ref().is_none_or(|subject| kept.contains(&subject.id()))
        });
        Ok(())
    }

    /// Looks up what the cells that are measured need, and whether it is there or could not be built before.
    ///
    /// # Errors
    /// There is no interpreter or tool to build with.
    pub(super) fn look_up_builds(&mut self, failed: impl Fn(&Cell) -> Option<Build>, retry: bool) -> Result<()> {
        let mut last: Option<Cell> = None;
        for cell in self.cells.iter_mut().filter(|cell| cell.fate == Fate::Measure) {
            // Those that only differ in how they are run stand next to each other.
            match last.as_ref().filter(|last| last.has_build_of(cell)) {
                Some(last) => {
                    cell.build_key.clone_from(&last.build_key);
                    cell.is_ready = last.is_ready;
                    cell.fate = last.fate.clone();
                    continue;
                }
                None => last = None,
            }
            let Some(standing) = self.builds.look_up(cell).map_err(super::made::told)? else { continue };
            cell.is_ready = standing.is_ready;
            if !cell.is_ready && !retry {
                let kept = failed(cell).filter(|build| build.key == standing.key);
                let build = kept.or(standing.failed_before);
                cell.fate = build.and_then(|build| build.failure).map_or(Fate::Measure, Fate::Unbuildable);
            }
            cell.build_key = Some(standing.key);
            last = Some(cell.clone());
        }
        Ok(())
    }

    /// Puts the cells of a subject with more to tell first: the newest, then those in the largest gaps.
    pub(super) fn order_by(&mut self, ranks: &[usize]) {
        let mut ranked: Vec<(usize, Cell)> = ranks.iter().copied().zip(std::mem::take(&mut self.cells)).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        self.cells = ranked.into_iter().map(|(_, cell)| cell).collect();
    }

    /// Returns the cells that are measured, in groups whose rounds alternate: one alone, or all subjects of a combination.
    pub(super) fn groups(&self, interleaved: bool) -> Vec<Vec<&Cell>> {
        let measured = self.cells.iter().filter(|cell| cell.fate == Fate::Measure);
        if !interleaved {
            return measured.map(|cell| vec![cell]).collect();
        }
        let mut groups: Vec<Vec<&Cell>> = Vec::new();
        let mut group_of: HashMap<*const Combination, usize> = HashMap::new();
        for cell in measured {
            let group = *group_of.entry(Arc::as_ptr(&cell.combination)).or_insert_with(|| {
                groups.push(vec![]);
                groups.len() - 1
            });
            groups[group].push(cell);
        }
        groups
    }
}

fn date_of(cell: &Cell) -> Timestamp {
    match &cell.subject {
        Some(Subject::Commit { date: Some(date), .. } | Subject::Date { date }) => *date,
        _ => Timestamp { unix_us: 0 },
    }
}
