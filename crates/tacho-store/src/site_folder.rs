//! A site in a folder: written beside its place and shown as a whole, so that a reader finds the old one or the new one.
//!
//! `data/index.json` lists every file below `data/` and `raw/` and tells that the folder is ours. What has not changed since is linked, not
//! copied.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::StoreError;

/// The schema of the list, and its path.
const SCHEMA: &str = "tacho.files/1";
const INDEX: &str = "data/index.json";

/// So much of a file is read at a time.
const CHUNK_BYTES: usize = 1 << 18;

/// What ends the name of a folder that is being written.
const ENDING: &str = ".tmp";

/// The place of a site.
#[derive(Debug)]
pub struct SiteFolder {
    path: PathBuf,
    old: Option<Index>,
}

/// A site that is being written. Dropped, it is gone.
#[derive(Debug)]
pub struct StagedSite<'a> {
    place: &'a SiteFolder,
    folder: TempDir,
    files: BTreeMap<String, FileEntry>,
    /// Locked: this is no leftover.
    _lock: File,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Index {
    schema: String,
    files: Vec<FileEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct FileEntry {
    path: String,
    bytes: u64,
    sha256: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    schema: Option<String>,
}

impl SiteFolder {
    /// Looks at a folder that a site is to be written to, and makes those above it.
    ///
    /// # Errors
    /// It holds something else, or cannot be read.
    pub fn of(folder: &Path) -> Result<SiteFolder, StoreError> {
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(above).map_err(io_error("create", above))?;
        let name = folder.file_name().ok_or_else(|| io_error("write", folder)(io::ErrorKind::InvalidInput.into()))?;
        let path = above.canonicalize().map_err(io_error("read", above))?.join(name);
        let old = fs::read(path.join(INDEX)).ok().and_then(|text| serde_json::from_slice::<Index>(&text).ok());
        let old = old.filter(|index| index.schema.starts_with("tacho.files/"));
        let is_empty = || Ok(fs::read_dir(&path)?.next().is_none());
        match path.symlink_metadata() {
            Err(_) => {}
            Ok(_) if old.is_some() || is_empty().map_err(io_error("read", &path))? => {}
            Ok(_) => {
                let why = format!("it holds other things and no `{INDEX}`");
                return Err(StoreError::NotOurs { path: folder.to_owned(), kind: "site of tacho's", why });
            }
        }
        Ok(SiteFolder { path, old })
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the digest of the list of the site that is there, which tells it apart from any other.
    pub fn digest(&self) -> Option<String> {
        self.old.as_ref()?;
        Some(digest(&fs::read(self.path.join(INDEX)).ok()?))
    }

    /// Begins a new site, and removes what killed writers left.
    ///
    /// # Errors
    /// The folder above cannot be written.
    pub fn stage(&self) -> Result<StagedSite<'_>, StoreError> {
        let above = self.path.parent().unwrap_or(Path::new("/"));
        let prefix = format!(".{}.", self.path.file_name().unwrap_or_default().to_string_lossy());
        sweep(above, &prefix);
        let staged = || {
            let mut builder = tempfile::Builder::new();
            builder.prefix(&prefix).suffix(ENDING).rand_bytes(16).permissions(Permissions::from_mode(0o755));
            loop {
                let folder = builder.tempdir_in(above)?;
                let lock = File::open(folder.path())?;
                // Where a file system has no locks there is nobody who would take the folder for a leftover.
                let _ = lock.lock();
                // Until it was locked it looked like one.
                if folder.path().exists() {
                    return Ok((folder, lock));
                }
            }
        };
        let (folder, lock) = staged().map_err(io_error("write", &self.path))?;
        Ok(StagedSite { place: self, folder, files: BTreeMap::new(), _lock: lock })
    }
}

impl StagedSite<'_> {
    /// Returns where a file of the site is while it is being written; its folder is made.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn path_of(&self, path: &str) -> Result<PathBuf, StoreError> {
        let full = self.folder.path().join(path);
        let folder = full.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(folder).map_err(io_error("create", folder))?;
        Ok(full)
    }

    /// Writes a file. `schema` is what it says it is.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&mut self, path: &str, content: &[u8], schema: Option<&str>) -> Result<(), StoreError> {
        let full = self.path_of(path)?;
        fs::write(&full, content).map_err(io_error("write", &full))?;
        self.list(path, content.len() as u64, digest(content), schema);
        Ok(())
    }

    /// Takes up a file that was written to [`StagedSite::path_of`].
    ///
    /// # Errors
    /// It cannot be read.
    pub fn wrote(&mut self, path: &str, schema: Option<&str>) -> Result<(), StoreError> {
        let full = self.folder.path().join(path);
        let (bytes, sha256) = digest_of(&full).map_err(io_error("read", &full))?;
        self.list(path, bytes, sha256, schema);
        Ok(())
    }

    /// Copies a file as it is. What the site that is there has of it, of the same size and time, is linked.
    ///
    /// # Errors
    /// It cannot be read or written.
    pub fn copy(&mut self, path: &str, from: &Path, schema: Option<&str>) -> Result<(), StoreError> {
        let full = self.path_of(path)?;
        let stamp = stamp(from).map_err(io_error("read", from))?;
        let old = self.place.path.join(path);
        let known = self.place.old.iter().flat_map(|index| &index.files).find(|file| file.path == path).cloned();
        let is_same = known.is_some() && self::stamp(&old).is_ok_and(|old| old == stamp);
        if let Some(entry) = known.filter(|_| is_same && fs::hard_link(&old, &full).is_ok()) {
            self.list(path, entry.bytes, entry.sha256, schema);
            return Ok(());
        }
        let copied = fs::copy(from, &full).and_then(|_| File::options().write(true).open(&full)?.set_modified(stamp.1));
        copied.map_err(io_error("write", &full))?;
        self.wrote(path, schema)
    }

    fn list(&mut self, path: &str, bytes: u64, sha256: String, schema: Option<&str>) {
        if path.starts_with("data/") || path.starts_with("raw/") {
            let schema = schema.map(str::to_owned);
            self.files.insert(path.to_owned(), FileEntry { path: path.to_owned(), bytes, sha256, schema });
        }
    }

    /// Writes the list of all files and puts the site in its place. Returns the list's digest.
    ///
    /// # Errors
    /// It cannot be written; the old site stays then.
    pub fn show(self) -> Result<String, StoreError> {
        let index = Index { schema: SCHEMA.into(), files: self.files.values().cloned().collect() };
        let mut text = serde_json::to_vec_pretty(&index).unwrap_or_default();
        text.push(b'\n');
        let full = self.path_of(INDEX)?;
        let place = &self.place.path;
        let show = || {
            let mut file = File::create(&full)?;
            file.write_all(&text)?;
            file.sync_all()?;
            match place.symlink_metadata().is_ok() {
                true => exchange(self.folder.path(), place)?,
                false => fs::rename(self.folder.path(), place)?,
            }
            File::open(place.parent().unwrap_or(Path::new("/")))?.sync_all()
        };
        // What lies in the staged folder now is the old site, which goes with it.
        show().map_err(io_error("write", place))?;
        Ok(digest(&text))
    }
}

fn io_error(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { verb, path, source }
}

fn stamp(path: &Path) -> io::Result<(u64, SystemTime)> {
    let metadata = path.metadata()?;
    Ok((metadata.len(), metadata.modified()?))
}

fn digest(content: &[u8]) -> String {
    hexadecimal(&Sha256::digest(content))
}

fn digest_of(path: &Path) -> io::Result<(u64, String)> {
    let mut hasher = Sha256::new();
    let (mut file, mut chunk, mut bytes) = (File::open(path)?, vec![0; CHUNK_BYTES], 0);
    loop {
        let n = file.read(&mut chunk)?;
        if n == 0 {
            return Ok((bytes, hexadecimal(&hasher.finalize())));
        }
        hasher.update(&chunk[..n]);
        bytes += n as u64;
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Removes the folders that writers left behind when they were killed. One that is still being written is locked.
fn sweep(above: &Path, prefix: &str) {
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let random = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(ENDING));
        if random.is_some_and(|random| random.len() == 16 && random.bytes().all(|b| b.is_ascii_alphanumeric()))
            && let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Lets two folders change places.
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    match renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        // Some file systems cannot do it at once.
        Err(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => {
            let mut aside = new.as_os_str().to_owned();
            aside.push(".old");
            fs::rename(old, &aside)?;
            if let Err(error) = fs::rename(new, old) {
                fs::rename(&aside, old)?;
                return Err(error);
            }
            fs::rename(&aside, new)
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn publish(place: &Path, raw: &Path, text: &str) -> String {
        let site = SiteFolder::of(place).unwrap();
        let mut staged = site.stage().unwrap();
        staged.write("index.html", text.as_bytes(), None).unwrap();
        staged.write("data/site.json", b"{}", Some("tacho.site/1")).unwrap();
        staged.copy("raw/a.json", raw, None).unwrap();
        staged.show().unwrap()
    }

    #[test]
    fn a_site_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (place, raw) = (folder.path().join("out/site"), folder.path().join("a.json"));
        fs::write(&raw, "raw").unwrap();
        publish(&place, &raw, "one");
        fs::write(place.join("old.html"), "gone").unwrap();
        publish(&place, &raw, "two");
        assert_eq!(names(&place), ["data", "index.html", "raw"]);
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "two");
        assert_eq!(names(&folder.path().join("out")), ["site"]);
        let index: serde_json::Value = serde_json::from_slice(&fs::read(place.join(INDEX)).unwrap()).unwrap();
        assert_eq!(index["files"][0]["path"], "data/site.json");
        assert_eq!(index["files"][1]["sha256"], digest(b"raw"));
        // The same to the byte, whenever it is made.
        let digest = SiteFolder::of(&place).unwrap().digest().unwrap();
        assert_eq!(publish(&place, &raw, "two"), digest);
        // What has changed is read again.
        fs::write(&raw, "another").unwrap();
        publish(&place, &raw, "two");
        assert_eq!(fs::read_to_string(place.join("raw/a.json")).unwrap(), "another");
    }

    #[test]
    fn what_is_not_ours_stays() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("precious"), "x").unwrap();
        assert!(matches!(SiteFolder::of(folder.path()), Err(StoreError::NotOurs { .. })));
    }

    #[test]
    fn a_site_that_was_not_finished_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let (place, raw) = (folder.path().join("site"), folder.path().join("a.json"));
        fs::write(&raw, "raw").unwrap();
        publish(&place, &raw, "one");
        let site = SiteFolder::of(&place).unwrap();
        let mut staged = site.stage().unwrap();
        staged.write("index.html", b"two", None).unwrap();
        let leftover = staged.folder.path().to_owned();
        drop(staged);
        assert!(!leftover.exists());
        fs::create_dir(folder.path().join(".site.0123456789abcdef.tmp")).unwrap();
        drop(site.stage().unwrap());
        assert_eq!(names(folder.path()), ["a.json", "site"]);
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "one");
    }
}
