//! What a run measures: the commit that is checked out, a dirty work tree, a released version, a date.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tacho_measure::git::{Git, GitError};
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
}

/// Returns the project's repository where its files are at hand, without what measuring itself writes; `None` where they are
/// not: it is an address, or bare.
///
/// # Errors
/// Git failed, or there is no such repository.
pub(crate) fn checked_out(settings: &Settings) -> Result<Option<Git>> {
    match repository(settings) {
        Ok(git) => Ok(git.map(|git| leaving_out(git, settings))),
        Err(Found::Bare(_)) => Ok(None),
        Err(Found::Error(error)) => Err(error),
    }
}

/// Decides what is measured where that is what is checked out.
///
/// # Errors
/// A dirty work tree where a clean one is asked for, or no work tree.
pub(crate) fn choose(settings: &Settings, git: Option<&Git>, wish: &Wish<'_>, console: &Console) -> Result<Choice> {
    let changes = git.map(Git::changes).transpose()?.unwrap_or_default();
    if wish.clean || wish.range.is_some() {
        refuse_changes(&changes)?;
    }
    if let Some(label) = wish.set_commit_hash {
        return Ok(Choice { subject: Some(labelled(git, label)?), branch: None });
    }
    let Some(git) = git else {
        if let Err(Found::Bare(error)) = repository(settings) {
            return Err(error);
        }
        warn_of_another(settings, console);
        return match (wish.range, wish.clean) {
            (Some(range), _) => Err(CommandError::new(format!("no repository to find `{range}` in"))
                .hint("say what is measured with --set-commit-hash, or give no commit")),
            (None, true) => Err(CommandError::new("no repository that could be clean")
                .hint("`tacho config show` tells where it is looked for")),
            (None, false) => Ok(Choice { subject: None, branch: None }),
        };
    };
    let subject = match (git.head()?, changes.is_empty()) {
        (Some(hash), true) => Subject::Commit { date: Some(git.author_date(&hash)?), hash },
        (parent, _) => Subject::Tree { tree: git.tree_id()?, parent },
    };
    Ok(Choice { subject: Some(subject), branch: git.branch()? })
}

pub(crate) fn refuse_changes(changes: &[PathBuf]) -> Result<()> {
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
    let installed = packages.iter().find(|(name, _)| same_package(name, project));
    match installed {
        Some((package, version)) => Subject::Version { package: package.clone(), version: version.clone() },
        None => Subject::Date { date: tacho_measure::now() },
    }
}

/// Returns true where two names are those of one package.
pub(crate) fn same_package(one: &str, other: &str) -> bool {
    normal(one) == normal(other)
}

/// Package names differ in case and separators and are the same (PEP 503).
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

/// Why there is no repository with its files at hand.
enum Found {
    /// It has none.
    Bare(CommandError),
    Error(CommandError),
}

/// Returns the project's repository: a local one where the configuration points, else the one around the
/// configuration if it is a clone, or a fork, of the address that the configuration names.
fn repository(settings: &Settings) -> std::result::Result<Option<Git>, Found> {
    if let Some(local) = settings.local_repo() {
        return discover(&local);
    }
    let repo = settings.repo.value.trim_start_matches("git+");
    if !is_address(repo) {
        let message = format!("no repository `{}`", settings.path(Path::new(repo)).display());
        let hint = format!("the place comes from {}: see `tacho config show`", settings.repo.origin);
        return Err(Found::Error(CommandError::new(message).hint(hint)));
    }
    let Some(git) = discover(&settings.root)? else { return Ok(None) };
    let remotes = git.remotes().map_err(|error| Found::Error(error.into()))?;
    Ok(remotes.iter().any(|remote| name_of(remote) == name_of(repo)).then_some(git))
}

/// Says where the files around the configuration are those of another repository.
fn warn_of_another(settings: &Settings, console: &Console) {
    let is_elsewhere = settings.local_repo().is_none();
    if let Ok(Some(git)) = discover(&settings.root)
        && is_elsewhere
    {
        let (root, repo) = (git.root().display(), settings.repo.value.trim_start_matches("git+"));
        console.warn(&format!("`{root}` is no clone of `{repo}`, so its commit is not what is measured"));
    }
}

fn discover(folder: &Path) -> std::result::Result<Option<Git>, Found> {
    Git::discover(folder).map_err(|error| {
        let is_bare = matches!(error, GitError::Bare { .. });
        let told = match error.hint() {
            Some(hint) => CommandError::from(error).hint(hint),
            None => error.into(),
        };
        if is_bare { Found::Bare(told) } else { Found::Error(told) }
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
