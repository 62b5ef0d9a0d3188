//! What the cache holds, how much room it takes, and its removal. Everything in it can be made anew.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tacho_model::Timestamp;

use super::lock::Held;
use super::marker::Marker;
use super::places::{Place, Places};
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

/// One thing that the cache holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// What it is.
    pub kind: StoredKind,
    /// What it is called: its path from the cache's folder.
    pub name: String,
    /// A label for people: that of the environment.
    pub label: Option<String>,
    /// Its folders and files.
    pub paths: Vec<PathBuf>,
    /// The room that it takes on the disk. What several share is counted for the first of them only.
    pub size_bytes: u64,
    /// When it was last used, as far as that is known.
    pub used_at: Timestamp,
}

/// What a thing in the cache is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoredKind {
    /// An environment, or the note that it could not be made.
    Environment,
    /// A wheel, or the note that it could not be built.
    Build,
    /// A repository with its checkouts.
    Repository,
    /// Anything else.
    Other,
}

impl StoredKind {
    /// Returns the kind as one word.
    pub fn word(self) -> &'static str {
        match self {
            StoredKind::Environment => "environment",
            StoredKind::Build => "build",
            StoredKind::Repository => "repository",
            StoredKind::Other => "other",
        }
    }
}

/// Something that was removed, or would have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freed {
    /// What it was.
    pub stored: Stored,
    /// Whether it is still there, as somebody uses it.
    pub in_use: bool,
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
    pub fn list(&self) -> Result<Vec<Stored>, MakeError> {
        let mut all = Vec::new();
        for entry in entries(&self.folder)? {
            let name = file_name(&entry);
            match name.as_str() {
                "envs" => all.extend(grouped(&entry, StoredKind::Environment)?),
                "builds" => all.extend(grouped(&entry, StoredKind::Build)?),
                REPOSITORIES => all.extend(grouped(&entry, StoredKind::Repository)?),
                _ => all.push(Stored {
                    kind: StoredKind::Other,
                    name,
                    label: None,
                    used_at: modified(&entry),
                    paths: vec![entry],
                    size_bytes: 0,
                }),
            }
        }
        // By name where times are equal, so that two listings are the same.
        all.sort_by(|a, b| b.used_at.cmp(&a.used_at).then_with(|| a.name.cmp(&b.name)));
        let mut seen = HashSet::new();
        for stored in &mut all {
            stored.size_bytes = stored.paths.iter().map(|path| size_bytes(path, &mut seen)).sum();
        }
        Ok(all)
    }

    /// Removes what was not used for the longest time until no more than so many bytes are taken, and returns it with
    /// what would have had to go but is in use. Builds and environments only: repositories cost most to make anew.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn prune(&self, limit_bytes: u64) -> Result<Vec<Freed>, MakeError> {
        let all = self.list()?;
        let mut taken: u64 = all.iter().map(|stored| stored.size_bytes).sum();
        let mut freed = Vec::new();
        let prunable = |stored: &&Stored| matches!(stored.kind, StoredKind::Environment | StoredKind::Build);
        for stored in all.iter().rev().filter(prunable).filter(|stored| stored.size_bytes > 0) {
            if taken <= limit_bytes {
                break;
            }
            let in_use = !self.remove(stored)?;
            if !in_use {
                taken = taken.saturating_sub(stored.size_bytes);
            }
            freed.push(Freed { stored: stored.clone(), in_use });
        }
        Ok(freed)
    }

    /// Returns what would be left out of a listing to keep within so many bytes: the most recently used stay.
    pub fn beyond(all: &[Stored], limit_bytes: u64) -> Vec<Stored> {
        let mut taken = 0_u64;
        let stays = |stored: &&Stored| {
            taken = taken.saturating_add(stored.size_bytes);
            taken > limit_bytes
        };
        all.iter().filter(stays).cloned().collect()
    }

    /// Returns true where somebody makes or uses it at this moment.
    pub fn is_in_use(&self, stored: &Stored) -> bool {
        self.locks(stored).is_ok_and(|locks| locks.is_none())
    }

    /// Removes one thing; returns false where somebody uses it.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn remove(&self, stored: &Stored) -> Result<bool, MakeError> {
        let Some(locks) = self.locks(stored)? else { return Ok(false) };
        // The marker goes first, so that what is half removed is no environment.
        for path in &stored.paths {
            let place = Place { folder: path.clone() };
            for marker in [place.marker(), place.base_marker()] {
                removed(&marker, fs::remove_file(&marker))?;
            }
        }
        let (locked, others): (Vec<&PathBuf>, Vec<&PathBuf>) = stored.paths.iter().partition(|path| is_lock(path));
        // The locks go last: whoever waits for one sees that it is gone and takes a new one.
        for path in others.into_iter().chain(locked) {
            remove(path)?;
        }
        drop(locks);
        Ok(true)
    }

    /// Takes all locks of a thing; `None` where somebody holds one.
    fn locks(&self, stored: &Stored) -> Result<Option<Vec<Held>>, MakeError> {
        let mut paths: Vec<PathBuf> = stored.paths.iter().filter(|path| is_lock(path)).cloned().collect();
        if stored.kind == StoredKind::Repository {
            for folder in stored.paths.iter().filter(|path| path.is_dir()) {
                paths.extend(entries(folder)?.into_iter().filter(|path| is_lock(path) && path.is_file()));
            }
            // A build that is under way works in a checkout.
            let slots = entries(&Places::new(&self.folder).builds)?;
            paths.extend(slots.into_iter().filter(|path| is_lock(path) && file_name(path).starts_with("slot-")));
        }
        if let Some(place) = owner(stored) {
            paths.push(place.lock());
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

/// Returns the place whose lock protects an environment or a build.
fn owner(stored: &Stored) -> Option<Place> {
    let is_kept = matches!(stored.kind, StoredKind::Environment | StoredKind::Build);
    let first = stored.paths.first().filter(|_| is_kept)?;
    let stem = stored.name.rsplit('/').next()?;
    Some(Place { folder: first.with_file_name(stem) })
}

/// Returns what a folder holds, files beside a folder with those that share its name.
fn grouped(folder: &Path, kind: StoredKind) -> Result<Vec<Stored>, MakeError> {
    let mut groups: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in entries(folder)? {
        let name = file_name(&entry);
        groups.entry(stem(&name, kind).to_owned()).or_default().push(entry);
    }
    let above = file_name(folder);
    Ok(groups.into_iter().map(|(stem, paths)| stored(&above, &stem, paths, kind)).collect())
}

fn stem(name: &str, kind: StoredKind) -> &str {
    match kind {
        StoredKind::Repository => OF_REPOSITORIES.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name),
        _ => name.split_once('.').map_or(name, |(stem, _)| stem),
    }
}

fn stored(above: &str, stem: &str, paths: Vec<PathBuf>, kind: StoredKind) -> Stored {
    let marker = paths.iter().find_map(|path| {
        let place = Place { folder: path.clone() };
        let markers = [place.marker(), place.base_marker(), path.clone()];
        markers.into_iter().find_map(|file| Some((Marker::read(&file)?, modified(&file))))
    });
    let newest = paths.iter().map(|path| modified(path)).max().unwrap_or(Timestamp { unix_us: 0 });
    let (label, used_at) = match marker {
        Some((marker, used_at)) => (Some(marker.label), used_at),
        None => (None, newest),
    };
    // What belongs to no environment and no build: what is known of interpreters, locks of slots.
    let is_one = !matches!(kind, StoredKind::Environment | StoredKind::Build)
        || stem.split('-').next().is_some_and(|key| key.len() == 16 && key.bytes().all(|b| b.is_ascii_hexdigit()));
    let kind = if is_one { kind } else { StoredKind::Other };
    Stored { kind, name: format!("{above}/{stem}"), label, paths, size_bytes: 0, used_at }
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
