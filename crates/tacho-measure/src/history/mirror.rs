//! Mirrors: repositories at an address, kept in the cache and brought up to date.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::{HistoryError, Repository, folder};
use crate::git::command::{self, Answer};

/// What is fetched: a forge's refs for requests would be many times as much.
const REFS: [&str; 2] = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];

/// A repository at an address, as it is in the cache.
#[derive(Debug)]
pub struct Mirrored {
    /// The mirror.
    pub repository: Repository,
    /// Why it could not be brought up to date: one line.
    pub warning: Option<String>,
}

impl Repository {
    /// Returns the mirror of an address that git can clone, made on the first call and brought up to date on
    /// later ones unless `pull` is false.
    ///
    /// It lies in `cache_repos` under a name of its own, and keeps commits that the other side has thrown away.
    ///
    /// # Errors
    /// [`HistoryError::Clone`] where there is no mirror yet and none can be made. Where there is one, what cannot be
    /// fetched is only a warning.
    pub fn mirror(address: &str, cache_repos: &Path, pull: bool) -> Result<Mirrored, HistoryError> {
        mirror_with(address, cache_repos, pull, Vec::new())
    }

    /// Returns the mirror of an address where there is one already; nothing is made, fetched or waited for.
    pub fn mirrored(address: &str, cache_repos: &Path) -> Option<Repository> {
        let path = cache_repos.join(format!("{}.git", folder_name_of(&absolute(address))));
        path.join("HEAD").is_file().then(|| Repository::open(&path, true, Vec::new()).ok())?
    }
}

pub(super) fn mirror_with(
    address: &str,
    cache_repos: &Path,
    pull: bool,
    own_variables: Vec<(OsString, OsString)>,
) -> Result<Mirrored, HistoryError> {
    let cache_repos = folder::made(cache_repos)?;
    let address = &absolute(address);
    let name = folder_name_of(address);
    let path = cache_repos.join(format!("{name}.git"));
    let _lock = folder::lock(&cache_repos.join(format!("{name}.git.lock")))?;
    let mut variables = own_variables.clone();
    variables.extend(quiet_network(&cache_repos, &own_variables)?);
    let failed = |answer: &Answer| without_password(&answer.reason(), address);
    let mut warning = None;
    if !path.join("HEAD").is_file() {
        folder::remove(&path)?;
        clone(address, &cache_repos, &name, &variables)?;
    } else if pull {
        folder::remove_stale_locks(&path);
        folder::remove_stale_packs(&path);
        warning = fetch(&path, address, &variables)?.map(|answer| {
            let address = without_password(address, address);
            format!("cannot fetch from `{address}`, what is in the cache is used: {}", failed(&answer))
        });
    }
    Ok(Mirrored { repository: Repository::open(&path, true, own_variables)?, warning })
}

/// Clones under a name of its own, since a git whose `tacho` was killed may still write to an earlier one.
fn clone(
    address: &str,
    cache_repos: &Path,
    name: &str,
    variables: &[(OsString, OsString)],
) -> Result<(), HistoryError> {
    let failed = |doing| move |source| HistoryError::Cache { doing, path: cache_repos.to_owned(), source };
    let prefix = format!("{name}.git.new-");
    for entry in std::fs::read_dir(cache_repos).map_err(failed("read"))?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            folder::remove(&entry.path())?;
        }
    }
    let made = tempfile::Builder::new().prefix(&prefix).tempdir_in(cache_repos);
    let unfinished = made.map_err(failed("make a folder in"))?;
    let into = format!("{}/mirror", unfinished.path().file_name().unwrap_or_default().to_string_lossy());
    let answer = command::run(cache_repos, variables, clone_words(address, &into), &[])?;
    if !answer.ok() {
        let reason = without_password(&answer.reason(), address);
        return Err(HistoryError::Clone { address: without_password(address, address), reason });
    }
    std::fs::rename(unfinished.path().join("mirror"), cache_repos.join(format!("{name}.git")))
        .map_err(failed("finish a mirror in"))
}

fn clone_words<'a>(address: &'a str, into: &'a str) -> [&'a str; 9] {
    // Without a template there are no hooks.
    ["-c", "clone.defaultRemoteName=origin", "clone", "--quiet", "--bare", "--template=", "--", address, into]
}

/// Fetches, and follows the other side's HEAD; returns git's answer where that failed.
fn fetch(mirror: &Path, address: &str, variables: &[(OsString, OsString)]) -> Result<Option<Answer>, HistoryError> {
    let ask = |words: &[&str]| command::run(mirror, variables, words.iter().copied(), &[]);
    // Collecting garbage would take commits away that have results.
    let quiet = ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "fetch", "--quiet", "--prune", "--force"];
    let more = ["--no-tags", "--no-recurse-submodules", "--", address];
    let answer = ask(&[&quiet[..], &more[..], &REFS[..]].concat())?;
    if !answer.ok() {
        return Ok(Some(answer));
    }
    let head = ask(&["ls-remote", "--symref", "--", address, "HEAD"])?;
    if !head.ok() {
        return Ok(Some(head));
    }
    let head = head.stdout();
    let branch = head.lines().find_map(|line| line.strip_prefix("ref: ")?.split_once('\t'));
    if let Some((branch, _)) = branch.filter(|(branch, _)| branch.starts_with("refs/heads/")) {
        ask(&["symbolic-ref", "HEAD", branch])?.success()?;
    }
    Ok(None)
}

/// Returns variables that keep git and ssh from asking questions, on a terminal or in a window.
pub(super) fn quiet_network(
    folder: &Path,
    variables: &[(OsString, OsString)],
) -> Result<Vec<(OsString, OsString)>, HistoryError> {
    let configured = || -> Result<Option<String>, HistoryError> {
        Ok(command::run(folder, variables, ["config", "--get", "core.sshCommand"], &[])?.success_or_none()?)
    };
    let ssh = match std::env::var("GIT_SSH_COMMAND") {
        Ok(command) => Some(command),
        Err(_) if std::env::var_os("GIT_SSH").is_some() => None,
        Err(_) => Some(configured()?.unwrap_or_else(|| "ssh".to_owned())),
    };
    let mut quiet = vec![("SSH_ASKPASS_REQUIRE", "never".to_owned()), ("GCM_INTERACTIVE", "never".to_owned())];
    if std::env::var_os("GIT_ASKPASS").is_none() {
        // Where it is set, it is how a machine without people says its password; empty, it stands before SSH_ASKPASS.
        quiet.push(("GIT_ASKPASS", String::new()));
    }
    // Another program than OpenSSH may not know the option.
    if let Some(ssh) = ssh.filter(|ssh| is_openssh(ssh)) {
        quiet.push(("GIT_SSH_COMMAND", format!("{ssh} -o BatchMode=yes")));
    }
    Ok(quiet.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
}

fn is_openssh(command: &str) -> bool {
    let program = command.split_whitespace().next().unwrap_or_default();
    Path::new(program).file_name() == Some(OsStr::new("ssh"))
}

/// Returns a path from the root for what is a path here, else the address as it is.
fn absolute(address: &str) -> String {
    let path = Path::new(address).canonicalize().ok();
    path.and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_else(|| address.to_owned())
}

fn folder_name_of(address: &str) -> String {
    // A password that changes makes no other mirror.
    let address = without_password(address, address);
    folder::name(last_part(&address), address.as_bytes())
}

/// Returns what a clone of the address would be called.
fn last_part(address: &str) -> &str {
    let address = address.trim_end_matches('/');
    let address = address.strip_suffix("/.git").unwrap_or(address);
    let last = address.rsplit(['/', ':']).next().unwrap_or(address);
    last.strip_suffix(".git").unwrap_or(last)
}

/// Returns a text with the user and password of an address taken out; a user alone can be a password too, but for ssh.
pub(super) fn without_password(text: &str, address: &str) -> String {
    let parts = address.split_once("://").filter(|(scheme, _)| !scheme.contains("ssh"));
    let user = parts.and_then(|(_, rest)| rest.split('/').next()?.rsplit_once('@')).map(|(user, _)| user);
    user.map_or_else(|| text.to_owned(), |user| text.replace(&format!("{user}@"), ""))
}

#[cfg(test)]
mod tests;
