//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::{StoreError, draw_run_id};

/// Replaces `path` by a file with these bytes; a reader sees the old file or the new one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_with(path, |file| file.write_all(bytes)).map(drop)
}

/// Replaces `path` by what `fill` writes, once it is safely on disk, and returns the file: at its end, read
/// and added to, and locked by this process.
pub(crate) fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> Result<File, StoreError> {
    let file = write_hidden(path, fill).map_err(StoreError::io("write", path))?;
    sync_folder_of(path)?;
    Ok(file)
}

fn write_hidden(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<File> {
    let mut hidden = Hidden::beside(path)?;
    fill(&mut hidden.file)?;
    hidden.file.sync_all()?;
    hidden.show_as(path)
}

/// Makes sure that the names in the folder of `path` survive a power failure.
pub(crate) fn sync_folder_of(path: &Path) -> Result<(), StoreError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(StoreError::io("sync", folder))
}

/// Creates a folder with all folders above it.
pub(crate) fn create_folder(path: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(path).map_err(StoreError::io("create", path))
}

/// Removes the hidden files that writers in `folder` left behind when they were killed.
///
/// One that is still being written is locked by its writer.
pub(crate) fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_hidden_file(&entry.file_name().to_string_lossy())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // What cannot be removed is passed over by all readers.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns true where `path` leads to the very file that is open.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    let id = |meta: fs::Metadata| (meta.dev(), meta.ino());
    file.metadata().map(id).ok() == fs::metadata(path).map(id).ok()
}

/// A file with a name that readers pass over, gone with its value unless it is shown.
struct Hidden {
    path: PathBuf,
    file: File,
}

impl Hidden {
    // In the same folder, because a rename is atomic only within one file system.
    fn beside(path: &Path) -> io::Result<Hidden> {
        loop {
            let hidden_path = hidden_name(path);
            let file = OpenOptions::new().read(true).append(true).create_new(true).open(&hidden_path)?;
            // Where a file system has no locks there is nobody who would take the file for a leftover.
            let _ = file.lock();
            // Until it was locked it looked like one.
            if hidden_path.exists() {
                return Ok(Hidden { path: hidden_path, file });
            }
        }
    }

    fn show_as(self, path: &Path) -> io::Result<File> {
        fs::rename(&self.path, path)?;
        self.file.try_clone()
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // It is not there any more where it was shown; nothing more can be done where it cannot be removed.
        let _ = fs::remove_file(&self.path);
    }
}

fn hidden_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", draw_run_id()))
}

fn is_hidden_file(name: &str) -> bool {
    let random =
        name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".tmp")).and_then(|rest| rest.rsplit_once('.'));
    random.is_some_and(|(_, digits)| digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_are_told_by_their_names() {
        let made = hidden_name(Path::new("folder/a.jsonl.zst"));
        assert!(is_hidden_file(made.file_name().and_then(|name| name.to_str()).expect("a name of ours")));
        for other in
            [".gitignore", ".a.tmp", "a.0123456789abcdef.tmp", ".a.0123456789abcdeg.tmp", ".a.0123456789abcdef"]
        {
            assert!(!is_hidden_file(other), "{other}");
        }
    }

    #[test]
    fn a_file_that_is_being_written_is_no_leftover() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        let hidden = Hidden::beside(&path).expect("a hidden file");
        sweep(folder.path());
        assert!(hidden.path.exists(), "its writer holds it");
        let left_behind = folder.path().join(".b.json.0123456789abcdef.tmp");
        File::create(&left_behind).expect("a leftover");
        sweep(folder.path());
        assert!(!left_behind.exists());
        drop(hidden);
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "a file that is given up is gone");
    }
}
