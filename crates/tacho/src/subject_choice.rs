//! What a run measures: the commit that is checked out, a dirty work tree, a released version, a date.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tacho_measure::git::Git;
use tacho_model::{Subject, Timestamp};

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
pub(crate) fn choose(settings: &Settings, wish: &Wish<'_>) -> Result<Choice> {
    let git = repository(settings)?.map(|git| git.without(&own_folders(settings)));
    if let Some(label) = wish.set_commit_hash {
        let subject = Some(labelled(git.as_ref(), label)?);
        return Ok(Choice { subject, branch: None, git });
    }
    let Some(git) = git else {
        return match wish.range {
            Some(range) => Err(CommandError::new(format!("no repository to find `{range}` in"))
                .hint("say what this is with --set-commit-hash, or leave the range out")),
            None => Ok(Choice { subject: None, branch: None, git: None }),
        };
    };
    let head = git.head()?;
    if let Some(range) = wish.range {
        only_head(&git, range, head.as_deref())?;
    }
    let dirty = git.is_dirty()?;
    if dirty && (wish.clean || wish.range.is_some()) {
        return Err(CommandError::new("the work tree has changes that no commit holds")
            .hint("commit first, or measure the work tree as it is with a plain `tacho run`"));
    }
    let subject = match (head, dirty) {
        (Some(hash), false) => Subject::Commit { date: Some(git.author_date(&hash)?), hash },
        (parent, _) => Subject::Tree { tree: git.tree_id()?, parent },
    };
    Ok(Choice { subject: Some(subject), branch: git.branch()?, git: Some(git) })
}

/// Returns the subject of a run that no repository speaks for: the installed version of the project's
/// package, else the moment.
pub(crate) fn without_repository(project: &str, packages: &BTreeMap<String, String>) -> Subject {
    let same = |name: &str| normal(name) == normal(project);
    let installed = packages.iter().find(|(name, _)| same(name));
    match installed {
        Some((package, version)) => Subject::Version { package: package.clone(), version: version.clone() },
        None => Subject::Date { date: now() },
    }
}

/// Package names differ in case and separators and are the same (PEP 503).
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

/// Returns the present moment.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp { unix_us: since.as_micros() as i64 }
}

/// Returns the project's repository: a local one where the configuration points, else the one around the
/// configuration if it is a clone of the address that the configuration names.
fn repository(settings: &Settings) -> Result<Option<Git>> {
    let repo = settings.repo.value.trim_start_matches("git+");
    let local = settings.path(Path::new(repo));
    if local.is_dir() {
        return discover(&local);
    }
    let Some(git) = discover(&settings.root)? else { return Ok(None) };
    let clone = git.remotes()?.iter().any(|remote| same_address(remote, repo));
    Ok(clone.then_some(git))
}

fn discover(folder: &Path) -> Result<Option<Git>> {
    Git::discover(folder).map_err(|error| match error.hint() {
        Some(hint) => CommandError::from(error).hint(hint),
        None => error.into(),
    })
}

fn same_address(a: &str, b: &str) -> bool {
    let essence = |address: &str| {
        let address = address.trim_end_matches('/').trim_end_matches(".git");
        let address = address.split_once("://").map_or(address, |(_, rest)| rest);
        let address = address.split_once('@').map_or(address, |(_, rest)| rest);
        address.replacen(':', "/", 1).to_lowercase()
    };
    essence(a) == essence(b)
}

/// Folders that measuring itself writes to: never a change of the project.
fn own_folders(settings: &Settings) -> Vec<PathBuf> {
    let asv = settings.asv_folders.iter().map(|folder| settings.path(folder));
    asv.chain([settings.path(&settings.store.value)]).collect()
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
    fn addresses_of_one_repository_are_the_same() {
        for (a, b, same) in [
            ("https://example.org/a/b.git", "https://example.org/a/b", true),
            ("git@example.org:a/b.git", "https://example.org/A/b/", true),
            ("https://example.org/a/b", "https://example.org/a/c", false),
        ] {
            assert_eq!(same_address(a, b), same, "{a} and {b}");
        }
    }
}
