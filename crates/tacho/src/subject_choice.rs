//! What a run measures: the commit that is checked out, a dirty work tree, a released version, a date.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tacho_measure::git::Git;
use tacho_model::Subject;

use crate::console::Console;
use crate::error::{CommandError, Result};
use crate::settings::Settings;

/// What the user said about the subject.
#[derive(Debug, Default)]
pub(crate) struct Wish<'a> {
    /// The commits asked for.
    pub(crate) range: Option<&'a str>,
    /// A label for whatever is measured.
    pub(crate) set_commit_hash: Option<&'a str>,
    /// Refuse a dirty work tree.
    pub(crate) clean: bool,
}

/// What is measured, as far as the repository tells.
pub(crate) struct Choice {
    /// `None` until the installed packages are known: there is no repository.
    pub(crate) subject: Option<Subject>,
    pub(crate) branch: Option<String>,
    /// The repository of the project.
    pub(crate) git: Option<Git>,
}

/// Ranges of asv that need environments which are built commit by commit.
const ASV_RANGES: [&str; 7] = ["NEW", "ALL", "EXISTING", "MISSING", "LATEST", "TAGS", "HASHFILE"];

/// Decides what is measured, before anything is started.
///
/// # Errors
/// A dirty work tree where a clean one is asked for, and a range beyond the commit that is checked out.
pub(crate) fn choose(settings: &Settings, wish: &Wish<'_>, console: &Console) -> Result<Choice> {
    let git = repository(settings, console, wish.set_commit_hash.is_some())?.map(|git| leaving_out(git, settings));
    let changes = git.as_ref().map(Git::changes).transpose()?.unwrap_or_default();
    if wish.clean || wish.range.is_some() {
        refuse_changes(&changes)?;
    }
    if let Some(label) = wish.set_commit_hash {
        let subject = Some(labelled(git.as_ref(), label)?);
        return Ok(Choice { subject, branch: None, git });
    }
    let Some(git) = git else {
        return match (wish.range, wish.clean) {
            (Some(range), _) => Err(CommandError::new(format!("no repository to find `{range}` in"))
                .hint("say what is measured with --set-commit-hash, or give no commit")),
            (None, true) => Err(CommandError::new("no repository that could be clean")
                .hint("`tacho config show` tells where it is looked for")),
            (None, false) => Ok(Choice { subject: None, branch: None, git: None }),
        };
    };
    let head = git.head()?;
    if let Some(range) = wish.range {
        only_head(&git, range, head.as_deref())?;
    }
    let subject = match (head, changes.is_empty()) {
        (Some(hash), true) => Subject::Commit { date: Some(git.author_date(&hash)?), hash },
        (parent, _) => Subject::Tree { tree: git.tree_id()?, parent },
    };
    Ok(Choice { subject: Some(subject), branch: git.branch()?, git: Some(git) })
}

fn refuse_changes(changes: &[PathBuf]) -> Result<()> {
    let Some(first) = changes.first() else { return Ok(()) };
    let others = match changes.len() - 1 {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let message = format!("the work tree has changes that no commit holds: `{}`{others}", first.display());
    Err(CommandError::new(message).hint("commit first, or measure the work tree as it is with a plain `tacho run`"))
}

/// Returns the subject of a run that no repository speaks for: the installed version of the project's
/// package, else the moment.
pub(crate) fn without_repository(project: &str, packages: &BTreeMap<String, String>) -> Subject {
    let same = |name: &str| normal(name) == normal(project);
    let installed = packages.iter().find(|(name, _)| same(name));
    match installed {
        Some((package, version)) => Subject::Version { package: package.clone(), version: version.clone() },
        None => Subject::Date { date: tacho_measure::now() },
    }
}

/// Package names differ in case and separators and are the same (PEP 503).
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

/// Returns the project's repository: a local one where the configuration points, else the one around the
/// configuration if it is a clone, or a fork, of the address that the configuration names.
fn repository(settings: &Settings, console: &Console, labelled: bool) -> Result<Option<Git>> {
    if let Some(local) = settings.local_repo() {
        return discover(&local);
    }
    let repo = settings.repo.value.trim_start_matches("git+");
    if !is_address(repo) {
        return Err(CommandError::new(format!("no repository `{}`", settings.path(Path::new(repo)).display()))
            .hint(format!("the place comes from {}: see `tacho config show`", settings.repo.origin)));
    }
    let Some(git) = discover(&settings.root)? else { return Ok(None) };
    if git.remotes()?.iter().any(|remote| name_of(remote) == name_of(repo)) {
        return Ok(Some(git));
    }
    if !labelled {
        let root = git.root().display();
        console.warn(&format!("`{root}` is no clone of `{repo}`, so its commit is not what is measured"));
    }
    Ok(None)
}

fn discover(folder: &Path) -> Result<Option<Git>> {
    Git::discover(folder).map_err(|error| match error.hint() {
        Some(hint) => CommandError::from(error).hint(hint),
        None => error.into(),
    })
}

fn is_address(repo: &str) -> bool {
    repo.contains("://") || repo.split_once(':').is_some_and(|(host, _)| host.contains('@') || host.contains('.'))
}

/// Returns the last part of an address, which a fork shares with its origin.
fn name_of(address: &str) -> String {
    let address = address.trim_end_matches('/').trim_end_matches(".git");
    address.rsplit(['/', ':']).next().unwrap_or(address).to_lowercase()
}

/// What measuring itself writes is no change of the project; files in asv's folders are none unless git tracks them.
fn leaving_out(git: Git, settings: &Settings) -> Git {
    let store = settings.path(&settings.store.value);
    let own: Vec<PathBuf> = ["records", "cache", ".gitignore"].iter().map(|name| store.join(name)).collect();
    let asv: Vec<PathBuf> = settings.asv_folders.iter().map(|folder| settings.path(folder)).collect();
    git.without(&own).without_untracked(&asv)
}

fn labelled(git: Option<&Git>, label: &str) -> Result<Subject> {
    let known = git.and_then(|git| Some((git.resolve(label).ok()?, git)));
    if let Some((hash, git)) = known {
        return Ok(Subject::Commit { date: Some(git.author_date(&hash)?), hash });
    }
    let is_hash = label.len() == 40 && label.chars().all(|c| c.is_ascii_hexdigit());
    if is_hash {
        return Ok(Subject::Commit { hash: label.to_lowercase(), date: None });
    }
    Err(CommandError::new(format!("`{label}` names no commit here"))
        .hint("--set-commit-hash takes a revision of the project's repository, or a full hash of 40 digits"))
}

fn only_head(git: &Git, range: &str, head: Option<&str>) -> Result<()> {
    let word = range.split(':').next().unwrap_or(range);
    if ASV_RANGES.contains(&word) || range.contains("..") {
        return Err(beyond_head(range));
    }
    let revision = range.strip_suffix("^!").unwrap_or(range);
    if Some(git.resolve(revision)?.as_str()) == head { Ok(()) } else { Err(beyond_head(range)) }
}

fn beyond_head(range: &str) -> CommandError {
    CommandError::new(format!("`{range}` asks for commits that are not checked out, and this version builds none"))
        .hint("check the commit out, install it, and measure it with `tacho run`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_version(project: &str, expected: Option<&str>) {
        let packages = BTreeMap::from([("PyWavelets".to_owned(), "1.8.0".to_owned()), ("a_b".into(), "2".into())]);
        let expected = expected.map(str::to_owned);
        match without_repository(project, &packages) {
            Subject::Version { package, version } => assert_eq!(Some(format!("{package}=={version}")), expected),
            other => assert_eq!((other.kind(), expected), ("date", None)),
        }
    }

    #[test]
    fn an_installed_package_is_found_whatever_its_spelling() {
        check_version("pywavelets", Some("PyWavelets==1.8.0"));
        check_version("A.B", Some("a_b==2"));
        check_version("numpy", None);
    }

    #[test]
    fn a_fork_shares_the_name_of_its_origin() {
        for (a, b, same) in [
            ("https://example.org/a/b.git", "https://example.org/a/b", true),
            ("git@example.org:me/b.git", "https://example.org/a/B/", true),
            ("https://example.org/a/b", "https://example.org/a/c", false),
        ] {
            assert_eq!(name_of(a) == name_of(b), same, "{a} and {b}");
        }
    }

    #[test]
    fn addresses_are_told_from_paths() {
        for (repo, expected) in
            [("https://x.org/a", true), ("git@x.org:a/b", true), ("x.org:a", true), ("../a", false), ("a:b", false)]
        {
            assert_eq!(is_address(repo), expected, "{repo}");
        }
    }
}
