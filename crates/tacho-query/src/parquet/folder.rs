//! The folder of a data set: written beside its place and shown as a whole, never over what is not ours.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use tempfile::TempDir;

use super::results::SCHEMA_NAME;
use super::{ParquetError, ours};

/// Returns the name of a data set's file.
pub(super) fn file_name(number: usize) -> String {
    format!("{BEFORE}{number:02}{AFTER}")
}

const BEFORE: &str = "results-";
const AFTER: &str = ".parquet";

/// A folder that was looked at and may be replaced.
pub(super) struct Target {
    path: PathBuf,
    is_there: bool,
}

/// A folder with a name that readers pass over, gone with its value unless it is shown.
pub(super) struct Staged {
    folder: TempDir,
    /// Locked: this is no leftover.
    _lock: File,
}

impl Staged {
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Target {
    /// Looks at a folder, and makes those above it.
    pub(super) fn of(folder: &Path) -> Result<Target, ParquetError> {
        let path = resolved(folder).map_err(ParquetError::io(folder))?;
        let is_there = path.symlink_metadata().is_ok();
        if is_there {
            if let Some(entry) = foreign(&path).map_err(ParquetError::io(folder))? {
                return Err(ParquetError::HoldsOthers { folder: folder.to_owned(), entry });
            }
            let here = std::env::current_dir().and_then(|here| here.canonicalize());
            if here.is_ok_and(|here| here.starts_with(&path)) {
                return Err(ParquetError::Inside { folder: folder.to_owned() });
            }
        }
        Ok(Target { path, is_there })
    }

    /// Makes a folder to write into, on the same file system, and removes what killed writers left there.
    pub(super) fn stage(&self) -> Result<Staged, ParquetError> {
        let parent = self.path.parent().unwrap_or(Path::new("/"));
        let prefix = format!(".{}.", self.path.file_name().unwrap_or_default().to_string_lossy());
        sweep(parent, &prefix);
        staged(parent, &prefix).map_err(ParquetError::io(&self.path))
    }

    /// Puts what was written in its place: a reader finds the old data set or the new one.
    pub(super) fn show(&self, staged: Staged) -> Result<(), ParquetError> {
        self.put(staged).map_err(ParquetError::io(&self.path))
    }

    fn put(&self, staged: Staged) -> io::Result<()> {
        File::open(staged.path())?.sync_all()?;
        if self.is_there && fs::read_dir(&self.path)?.next().is_some() {
            exchange(staged.path(), &self.path)?;
            // What lies there now is the old one. What somebody has put into it meanwhile is not removed with it.
            remove(&staged.folder.keep())?;
        } else {
            fs::rename(staged.path(), &self.path)?;
            let _ = staged.folder.keep();
        }
        File::open(self.path.parent().unwrap_or(Path::new("/")))?.sync_all()
    }
}

/// Returns the folder without links in its path, so that what lies beside it is on the same file system.
fn resolved(folder: &Path) -> io::Result<PathBuf> {
    if folder.symlink_metadata().is_ok() {
        return folder.canonicalize();
    }
    let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(above)?;
    let name = folder.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(above.canonicalize()?.join(name))
}

/// Returns the first thing in a folder that is not of a data set of ours.
fn foreign(folder: &Path) -> io::Result<Option<String>> {
    let mut entries =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let is_ours = |path: &PathBuf| {
        is_named(path) && ours::schema_of(path).is_some_and(|schema| ours::is_called(&schema, SCHEMA_NAME))
    };
    let foreign = entries.into_iter().find(|path| !is_ours(path));
    Ok(foreign.map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned()))
}

fn is_named(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let number = name.strip_prefix(BEFORE).and_then(|rest| rest.strip_suffix(AFTER));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn staged(parent: &Path, prefix: &str) -> io::Result<Staged> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix).suffix(ENDING).rand_bytes(N_RANDOM).permissions(Permissions::from_mode(0o777));
        let folder = builder.tempdir_in(parent)?;
        let lock = File::open(folder.path())?;
        // Where a file system has no locks there is nobody who would take the folder for a leftover.
        let _ = lock.lock();
        // Until it was locked it looked like one.
        if folder.path().exists() {
            return Ok(Staged { folder, _lock: lock });
        }
    }
}

const ENDING: &str = ".tmp";
const N_RANDOM: usize = 16;

/// Removes the folders that writers left behind when they were killed. One that is still being written is locked.
fn sweep(parent: &Path, prefix: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let random = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(ENDING));
        if random.is_some_and(|random| random.len() == N_RANDOM && random.bytes().all(|b| b.is_ascii_alphanumeric()))
            && let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            // What cannot be removed is passed over by all readers.
            let _ = remove(&entry.path());
        }
    }
}

/// Removes a folder with the files of a data set; one that holds anything else stays.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_named(&path) {
            fs::remove_file(path)?;
        }
    }
    fs::remove_dir(folder)
}

/// Lets two folders change places.
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        // Some file systems cannot do it at once.
        Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => one_by_one(new, old),
        Err(error) => Err(error.into()),
    }
}

fn one_by_one(new: &Path, old: &Path) -> io::Result<()> {
    let mut aside = new.as_os_str().to_owned();
    aside.push(".old");
    fs::rename(old, &aside)?;
    if let Err(error) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(error);
    }
    fs::rename(&aside, new)
}
