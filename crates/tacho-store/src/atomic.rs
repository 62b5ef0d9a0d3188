//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::{StoreError, draw_run_id};

/// Replaces `path` by a file with these bytes; a reader sees the old file or the new one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_with(path, |file| file.write_all(bytes))
}

/// Replaces `path` by what `fill` writes, once it is safely on disk.
pub(crate) fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> std::io::Result<()>) -> Result<(), StoreError> {
    let temporary = temporary_beside(path);
    let written = File::create_new(&temporary).and_then(|mut file| {
        fill(&mut file)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // Nothing more can be done for a temporary file that cannot be removed; readers ignore it.
        let _ = fs::remove_file(&temporary);
    }
    renamed.map_err(StoreError::io("write", path))?;
    sync_folder_of(path)
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

// In the same folder, because a rename is atomic only within one file system; hidden, so that lists pass over it.
fn temporary_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", draw_run_id()))
}
