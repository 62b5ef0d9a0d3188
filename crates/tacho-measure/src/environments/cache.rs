//! What the cache holds, how much room it takes, and its removal. Everything in it can be made anew.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tacho_model::{Cached, CachedKind, Cleaning, Timestamp};

use super::lock::Held;
use super::marker::Marker;
use super::places::{NAME_DIGITS, Place, Places};
use super::workshop::MakeError;

/// The folder of repositories and checkouts.
const REPOSITORIES: &str = "repos";

/// What a repository's files end with, beside its name.
const OF_REPOSITORIES: [&str; 5] = [".git.lock", ".trees.lock", ".lock", ".trees", ".git"];

/// The cache of a store.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

/// A cached thing and its folders and files.
#[derive(Debug)]
struct Entry {
    cached: Cached,
    paths: Vec<PathBuf>,
}

impl Cache {
    /// Makes a value for a store's folder `cache`, which need not be there.
    pub fn new(folder: &Path) -> Cache {
        Cache { folder: folder.to_owned() }
    }

    /// Returns all that it holds, the most recently used first.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn list(&self) -> Result<Vec<Cached>, MakeError> {
        Ok(self.entries()?.into_iter().map(|entry| entry.cached).collect())
    }

    /// Removes what was not used for the longest time until environments and builds take no more than so many bytes.
    /// Repositories stay: they cost most to make anew.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn prune(&self, limit_bytes: u64) -> Result<Cleaning, MakeError> {
        let prunable = |entry: &Entry| matches!(entry.cached.kind, CachedKind::Environment | CachedKind::Build);
        let entries = self.entries()?.into_iter().filter(prunable).collect();
        self.cleaned(entries, limit_bytes, |entry| self.remove(entry))
    }

    /// Removes everything, but for so many bytes of what was used last.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn clean(&self, keep_bytes: u64) -> Result<Cleaning, MakeError> {
        self.cleaned(self.entries()?, keep_bytes, |entry| self.remove(entry))
    }

    /// Returns what [`Cache::clean`] would do.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn would_clean(&self, keep_bytes: u64) -> Result<Cleaning, MakeError> {
        self.cleaned(self.entries()?, keep_bytes, |entry| Ok(self.locks(entry)?.is_some()))
    }

    /// Goes through entries, the most recently used first, and removes those that do not fit in so many bytes.
    fn cleaned(
        &self,
        entries: Vec<Entry>,
        keep_bytes: u64,
        remove: impl Fn(&Entry) -> Result<bool, MakeError>,
    ) -> Result<Cleaning, MakeError> {
        let (mut cleaning, mut taken, mut is_full) = (Cleaning::default(), 0_u64, keep_bytes == 0);
        for entry in entries {
            if entry.cached.size_bytes == 0 {
                // An empty lock of nothing: no news to anybody.
                remove(&entry)?;
                continue;
            }
            let with_it = taken.saturating_add(entry.cached.size_bytes);
            // What is older than the first that does not fit goes too, however small.
            is_full |= with_it > keep_bytes;
            if !is_full {
                taken = with_it;
                cleaning.kept.push(entry.cached);
            } else if remove(&entry)? {
                cleaning.removed.push(entry.cached);
            } else {
                taken = with_it;
                cleaning.in_use.push(entry.cached);
            }
        }
        Ok(cleaning)
    }

    fn entries(&self) -> Result<Vec<Entry>, MakeError> {
        let mut all = Vec::new();
        for path in entries(&self.folder)? {
            let name = file_name(&path);
            match name.as_str() {
                "envs" => all.extend(grouped(&path, CachedKind::Environment)?),
                "builds" => all.extend(grouped(&path, CachedKind::Build)?),
                REPOSITORIES => all.extend(grouped(&path, CachedKind::Repository)?),
                _ => all.push(entry(name, vec![path], CachedKind::Other)),
            }
        }
        // By name where times are equal, so that two listings are the same.
        let order = |entry: &Entry| (std::cmp::Reverse(entry.cached.used_at), entry.cached.name.clone());
        all.sort_by_cached_key(order);
        let mut seen = HashSet::new();
        for Entry { cached, paths } in &mut all {
            cached.size_bytes = paths.iter().map(|path| size_bytes(path, &mut seen)).sum();
        }
        Ok(all)
    }

    /// Removes one thing; returns false where somebody uses it.
    fn remove(&self, entry: &Entry) -> Result<bool, MakeError> {
        let Some(locks) = self.locks(entry)? else { return Ok(false) };
        // The marker goes first, so that what is half removed is no environment.
        for path in &entry.paths {
            let place = Place { folder: path.clone() };
            for marker in [place.marker(), place.base_marker()] {
                removed(&marker, fs::remove_file(&marker))?;
            }
        }
        let (locked, others): (Vec<&PathBuf>, Vec<&PathBuf>) = entry.paths.iter().partition(|path| is_lock(path));
        // The locks go last: whoever waits for one sees that it is gone and takes a new one.
        for path in others.into_iter().chain(locked) {
            remove(path)?;
        }
        drop(locks);
        Ok(true)
    }

    /// Takes all locks of a thing; `None` where somebody holds one.
    fn locks(&self, entry: &Entry) -> Result<Option<Vec<Held>>, MakeError> {
        let mut paths: Vec<PathBuf> = entry.paths.iter().filter(|path| is_lock(path)).cloned().collect();
        if entry.cached.kind == CachedKind::Repository {
            for folder in entry.paths.iter().filter(|path| path.is_dir()) {
                paths.extend(entries(folder)?.into_iter().filter(|path| is_lock(path) && path.is_file()));
            }
            // A build that is under way works in a checkout.
            let slots = entries(&Places::new(&self.folder).builds)?;
            paths.extend(slots.into_iter().filter(|path| is_lock(path) && file_name(path).starts_with("slot-")));
        }
        // Whatever was made has its lock, and only looking makes no files.
        paths.retain(|path| path.exists());
        paths.sort();
        paths.dedup();
        let mut held = Vec::new();
        for path in paths {
            match Held::try_exclusive(&path).map_err(MakeError::io("lock", &path))? {
                Some(lock) => held.push(lock),
                None => return Ok(None),
            }
        }
        Ok(Some(held))
    }
}

/// Returns what a folder holds, files beside a folder with those that share its name.
fn grouped(folder: &Path, kind: CachedKind) -> Result<Vec<Entry>, MakeError> {
    let mut groups: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in entries(folder)? {
        let name = file_name(&entry);
        groups.entry(stem(&name, kind).to_owned()).or_default().push(entry);
    }
    let above = file_name(folder);
    let of_kind = |stem: &str| if kind == CachedKind::Repository || is_key(stem) { kind } else { CachedKind::Other };
    Ok(groups.into_iter().map(|(stem, paths)| entry(format!("{above}/{stem}"), paths, of_kind(&stem))).collect())
}

/// Returns true for the digits that name environments and builds, with or without a number behind them. What is known of
/// interpreters and locks of slots have other names.
fn is_key(stem: &str) -> bool {
    let digits = stem.split_once('-').map_or(stem, |(digits, _)| digits);
    digits.len() == NAME_DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn stem(name: &str, kind: CachedKind) -> &str {
    match kind {
        CachedKind::Repository => OF_REPOSITORIES.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name),
        _ => name.split_once('.').map_or(name, |(stem, _)| stem),
    }
}

/// Returns a thing that takes no room yet.
fn entry(name: String, paths: Vec<PathBuf>, kind: CachedKind) -> Entry {
    let marker = paths.iter().find_map(|path| {
        let place = Place { folder: path.clone() };
        let failure = Some(path.clone()).filter(|path| file_name(path).ends_with(".failed.json"));
        let mut files = [place.marker(), place.base_marker()].into_iter().chain(failure);
        files.find_map(|file| Some((Marker::read(&file)?, modified(&file))))
    });
    let newest = paths.iter().map(|path| modified(path)).max().unwrap_or(Timestamp { unix_us: 0 });
    let (label, used_at) = marker.map_or((None, newest), |(marker, used_at)| (Some(marker.label), used_at));
    Entry { cached: Cached { kind, name, label, size_bytes: 0, used_at }, paths }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, MakeError> {
    let read = || fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    match read() {
        Ok(mut paths) => {
            paths.sort();
            Ok(paths)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(MakeError::io("read", folder)(error)),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_lock(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "lock")
}

fn modified(path: &Path) -> Timestamp {
    let meta = fs::symlink_metadata(path);
    Timestamp { unix_us: meta.map_or(0, |meta| meta.mtime() * 1_000_000 + meta.mtime_nsec() / 1000) }
}

/// Returns the room that a path takes on the disk with all below it, without following links and without what was
/// counted before: `uv` installs hard links.
fn size_bytes(path: &Path, seen: &mut HashSet<(u64, u64)>) -> u64 {
    let Ok(meta) = fs::symlink_metadata(path) else { return 0 };
    if meta.nlink() > 1 && !meta.is_dir() && !seen.insert((meta.dev(), meta.ino())) {
        return 0;
    }
    let own = meta.blocks() * 512;
    if !meta.is_dir() {
        return own;
    }
    let inner = fs::read_dir(path).into_iter().flatten().flatten();
    own + inner.map(|entry| size_bytes(&entry.path(), seen)).sum::<u64>()
}

fn remove(path: &Path) -> Result<(), MakeError> {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let done = if is_folder { remove_folder(path) } else { fs::remove_file(path) };
    removed(path, done)
}

/// Removes a folder; a tool may have left folders in it that nobody can write to.
fn remove_folder(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            make_writable(path);
            fs::remove_dir_all(path)
        }
        done => done,
    }
}

fn make_writable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

fn removed(path: &Path, done: io::Result<()>) -> Result<(), MakeError> {
    match done {
        Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(MakeError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}
