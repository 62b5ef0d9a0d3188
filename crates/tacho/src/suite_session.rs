//! Opens a suite in an environment: what `run` and `list` have in common.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context as _;
use tacho_measure::git::Git;
use tacho_measure::{
    Discovery, Launch, LaunchMethod, Launcher, Launchers, Places, PythonConfig, PythonExecutor, Scratch, SessionError,
    SuiteSource, suite_digest,
};
use tacho_model::Remark;
use tempfile::TempDir;

use crate::commands::run::ready;
use crate::console::Console;
use crate::context::Context;
use crate::error::{CommandError, Result, WithHint};
use crate::interrupts;
use crate::settings::{Origin, Settings, SuitePath};
use crate::venue::Venue;

/// Of what a process prints, so much is kept.
const OUTPUT_LIMIT_BYTES: usize = 64 * 1024;

/// A suite, discovered and ready to be measured.
pub(crate) struct SuiteSession {
    pub(crate) executor: PythonExecutor,
    pub(crate) discovery: Discovery,
    pub(crate) venue: Venue,
    pub(crate) copy: Rc<SuiteCopy>,
    // Removed after the executor has ended what works in it.
    _folder: TempDir,
}

/// A copy of a suite: all rounds are of the same one, whatever is edited meanwhile.
pub(crate) struct SuiteCopy {
    suite: SuiteSource,
    places: Places,
    /// The identity of the suite that is measured.
    pub(crate) harness: String,
    pub(crate) scratch: Scratch,
}

impl SuiteCopy {
    /// Copies the suite of the settings to a scratch folder.
    ///
    /// # Errors
    /// There is no suite, or it cannot be copied.
    pub(crate) fn make(settings: &Settings, git: Option<&Git>, console: &Console) -> Result<Rc<SuiteCopy>> {
        let original = suite(settings, console)?;
        let scratch = scratch()?;
        let Copied { suite, places, harness } = copied(&original, git, scratch.path())?;
        Ok(Rc::new(SuiteCopy { suite, places, harness, scratch }))
    }
}

/// Starts the venue's interpreter, imports the suite and lists its benchmarks.
///
/// # Errors
/// An interpreter that ends before it answers: with what it printed.
pub(crate) fn open(
    context: &Context<'_>,
    settings: &Settings,
    copy: &Rc<SuiteCopy>,
    venue: Venue,
    affinity: Option<Vec<u32>>,
    commit: Option<&str>,
) -> Result<SuiteSession> {
    let mut prepared = Prepared::of(context, settings, copy, venue, affinity, commit)?;
    let discovery = prepared.executor.discover().map_err(|error| unanswered(&error, &prepared.venue.program))?;
    Ok(prepared.session(discovery))
}

/// Opens a suite where the settings say, to be looked at only.
pub(crate) fn open_to_list(context: &Context<'_>, settings: &Settings) -> Result<Discovery> {
    // Its scratch folder is needed until the suite is listed.
    let mut prepared = Prepared::here(context, settings)?;
    prepared.executor.survey().map_err(|error| unanswered(&error, &prepared.venue.program))
}

/// Opens a suite where the settings say, and looks at how its benchmarks are declared.
pub(crate) fn open_to_check(context: &Context<'_>, settings: &Settings) -> Result<(SuiteSession, Vec<Remark>)> {
    let mut prepared = Prepared::here(context, settings)?;
    let examined = prepared.executor.examine();
    let (discovery, remarks) = examined.map_err(|error| unanswered(&error, &prepared.venue.program))?;
    Ok((prepared.session(discovery), remarks))
}

/// A copy of a suite, and an executor that has not started anything yet.
struct Prepared {
    executor: PythonExecutor,
    venue: Venue,
    copy: Rc<SuiteCopy>,
    folder: TempDir,
}

impl Prepared {
    fn here(context: &Context<'_>, settings: &Settings) -> Result<Prepared> {
        let copy = SuiteCopy::make(settings, None, context.console)?;
        let is_asked = matches!(settings.python.origin, Origin::Flag(_));
        let made = if is_asked { None } else { ready::venue(settings, context) };
        let venue = made.map_or_else(|| Venue::existing(settings, context), Ok)?;
        Prepared::of(context, settings, &copy, venue, None, None)
    }

    fn of(
        context: &Context<'_>,
        settings: &Settings,
        copy: &Rc<SuiteCopy>,
        venue: Venue,
        affinity: Option<Vec<u32>>,
        commit: Option<&str>,
    ) -> Result<Prepared> {
        refuse_missing_processors(affinity.as_deref())?;
        let parent = copy.scratch.path();
        let folder = tempfile::Builder::new().prefix("cases-").tempdir_in(parent);
        let folder = folder.with_context(|| format!("cannot make a folder in `{}`", parent.display()))?;
        let launch = Launch {
            launchers: Launchers::new(Launcher::this_program()),
            prefix: venue.prefix.clone(),
            program: venue.program.clone(),
            runner: runner(context, parent)?,
            variables: venue.variables(settings, commit),
            output_limit_bytes: OUTPUT_LIMIT_BYTES,
            interrupted: interrupts::watch()?,
            places: Some(copy.places.clone()),
        };
        let executor = PythonExecutor::new(PythonConfig {
            launch,
            suite: copy.suite.clone(),
            launch_method: launch_method(&settings.launch_method.value),
            method: settings.method.value.clone(),
            default_timeout_s: settings.timeout_s.value,
            affinity,
            scratch: folder.path().to_owned(),
        });
        Ok(Prepared { executor, venue, copy: Rc::clone(copy), folder })
    }

    fn session(self, discovery: Discovery) -> SuiteSession {
        let Prepared { executor, venue, copy, folder } = self;
        SuiteSession { executor, discovery, venue, copy, _folder: folder }
    }
}

fn scratch() -> Result<Scratch> {
    let parent = std::env::temp_dir();
    let made = Scratch::for_run().with_context(|| format!("cannot make a scratch folder in `{}`", parent.display()));
    made.hint("set TMPDIR to a folder with space that you may write to")
}

fn suite(settings: &Settings, console: &Console) -> Result<SuiteSource> {
    let path = absolute(&settings.path(settings.suite.value.path()));
    match &settings.suite.value {
        SuitePath::File(_) if path.is_file() => Ok(SuiteSource::File(path)),
        SuitePath::File(_) => Err(CommandError::new(format!("no file `{}`", path.display()))
            .hint(format!("the place comes from {}: see `tacho config show`", settings.suite.origin))),
        SuitePath::Package(_) if path.join("__init__.py").is_file() => {
            let twin = with_py(&path);
            if twin.is_file() {
                console.warn(&format!("`{}` is not read: the suite is the folder beside it", twin.display()));
            }
            Ok(SuiteSource::Package(path))
        }
        SuitePath::Package(_) if path.is_dir() => {
            Err(CommandError::new(format!("the suite `{}` has no `__init__.py`", path.display()))
                .hint("a suite is a package: make the file, it may be empty"))
        }
        SuitePath::Package(_) => Err(no_folder(settings, &path)),
    }
}

fn no_folder(settings: &Settings, path: &Path) -> CommandError {
    let error = CommandError::new(format!("no folder of benchmarks `{}`", path.display()));
    let twin = with_py(path);
    if twin.is_file() {
        return error
            .hint(format!("there is a file `{}`: name it as `file` in [[suite]] of tacho.toml", twin.display()));
    }
    if path.is_file() {
        return error.hint("that is a file: name it as `file` in [[suite]] of tacho.toml");
    }
    let error = match settings.suite.origin {
        Origin::Default => {
            error.hint("no setting names one, and that is the default; `tacho init` writes a first one there")
        }
        _ => error.hint(format!("the place comes from {}: see `tacho config show`", settings.suite.origin)),
    };
    // What asv was told to find is not ours to make.
    let has_own_file = settings.files.iter().any(|file| file.extension().is_some_and(|end| end == "toml"));
    if has_own_file { error.hint("write a first one with `tacho init`") } else { error }
}

/// Returns the file that would be imported by the same name as a folder.
fn with_py(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".py");
    folder.with_file_name(name)
}

/// How often the copying begins anew where somebody edits at the same time.
const COPY_TRIES: usize = 5;

/// A suite's copy, and what it is a copy of.
struct Copied {
    suite: SuiteSource,
    places: Places,
    harness: String,
}

/// Copies the suite, so that every round is of the same one whatever is edited meanwhile.
fn copied(suite: &SuiteSource, git: Option<&Git>, scratch: &Path) -> Result<Copied> {
    let (SuiteSource::Package(path) | SuiteSource::File(path)) = suite;
    let repository = path.ancestors().skip(1).find(|folder| folder.join(".git").exists());
    let failed = || format!("cannot copy the suite `{}`", path.display());
    for attempt in 0..COPY_TRIES {
        let mirror = tacho_measure::mirror(path, repository, &scratch.join(format!("suite-{attempt}")));
        let mirror = mirror.with_context(failed)?;
        let harness = harness(suite, git)?;
        // Compared after the identity was taken: both are then of one moment.
        if mirror.is_like(path).with_context(failed)? {
            let copy = mirror.root.display().to_string();
            let places = Places { copy, original: mirror.original_root.display().to_string() };
            let suite = match suite {
                SuiteSource::Package(_) => SuiteSource::Package(mirror.suite),
                SuiteSource::File(_) => SuiteSource::File(mirror.suite),
            };
            return Ok(Copied { suite, places, harness });
        }
    }
    Err(CommandError::new(format!("the suite `{}` changes while it is copied", path.display())))
}

/// The suite's identity: its git tree where it is in the project's repository, else a digest of its files.
fn harness(suite: &SuiteSource, git: Option<&Git>) -> Result<String> {
    if let (Some(git), SuiteSource::Package(path)) = (git, suite)
        && let Ok(Some(tree)) = git.subtree_id(path)
    {
        return Ok(tree);
    }
    let (SuiteSource::Package(path) | SuiteSource::File(path)) = suite;
    suite_digest(path).map_err(|error| CommandError::new(format!("cannot read `{}`: {error}", path.display())))
}

/// Unpacks the runner to the user's cache, else to the scratch folder.
fn runner(context: &Context<'_>, scratch: &Path) -> Result<PathBuf> {
    let unpacked = tacho_measure::unpack_runner(&context.dirs.cache).or_else(|_| tacho_measure::unpack_runner(scratch));
    Ok(unpacked.with_context(|| format!("cannot unpack the runner to `{}`", scratch.display()))?)
}

/// Refuses processors that this process may not use.
pub(crate) fn refuse_missing_processors(asked: Option<&[u32]>) -> Result<()> {
    let (Some(asked), Some(there)) = (asked, tacho_measure::machine::processors()) else { return Ok(()) };
    let missing: Vec<String> = asked.iter().filter(|cpu| !there.contains(cpu)).map(u32::to_string).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let there: Vec<String> = there.iter().map(u32::to_string).collect();
    Err(CommandError::new(format!("no processor {} to run on", missing.join(", ")))
        .hint(format!("this process may use {}", there.join(", "))))
}

/// Follows links and dots on the way to a suite, but not the suite's own name: it is called by that.
fn absolute(path: &Path) -> PathBuf {
    let lexical = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (lexical.parent().map(Path::canonicalize), lexical.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => lexical.canonicalize().unwrap_or(lexical),
    }
}

fn launch_method(word: &str) -> LaunchMethod {
    match word {
        "fork" | "forkserver" => LaunchMethod::Fork,
        "spawn" => LaunchMethod::Spawn,
        _ => LaunchMethod::Auto,
    }
}

/// Returns what the runner says in an interpreter that it cannot run in.
fn too_old(printed: &str) -> Option<&str> {
    printed.lines().find(|line| line.starts_with("Python 3.8 or newer is needed; this is "))
}

/// Returns the error for an interpreter that could not open the suite, with the end of what it printed.
pub(crate) fn unanswered(error: &SessionError, program: &Path) -> CommandError {
    if matches!(error, SessionError::Interrupted) {
        return CommandError::new("interrupted while the suite was loaded; nothing has been measured");
    }
    let printed = match error {
        SessionError::Ended { output, .. }
        | SessionError::NoRunner { output, .. }
        | SessionError::Late { output, .. } => output.trim_end(),
        _ => "",
    };
    if let (SessionError::NoRunner { .. }, Some(why)) = (error, too_old(printed)) {
        return CommandError::new(format!("`{}` cannot measure: {why}", program.display()))
            .hint("name a newer one with --python PROGRAM");
    }
    if let SessionError::Launch(error) = error {
        return CommandError::new(format!("cannot start `{}`: {error}", program.display()))
            .hint("name an interpreter with --python PROGRAM");
    }
    let about = format!("`{}` could not open the suite: {error}", program.display());
    let lines: Vec<&str> = printed.lines().collect();
    // The head names the place in a crash's dump of stacks, the tail the error in a traceback.
    let kept = if lines.len() <= 40 { lines } else { [&lines[..20], &["…"], &lines[lines.len() - 20..]].concat() };
    let tail = kept.join("\n    ");
    let message = if tail.is_empty() { about } else { format!("{about}; it printed:\n    {tail}") };
    CommandError::new(message).hint("try the interpreter by itself, or name another with --python PROGRAM")
}
