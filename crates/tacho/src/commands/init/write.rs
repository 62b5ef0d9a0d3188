//! Files that are new and whole, or not there: nothing is ever overwritten.

use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use tempfile::Builder;

use crate::error::{CommandError, Result};

/// Writes a file that is not there yet.
///
/// # Errors
/// It is there, or the system refuses.
pub(super) fn new_file(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let failed = || format!("cannot write `{}`", path.display());
    std::fs::create_dir_all(folder).with_context(failed)?;
    let mut file =
        Builder::new().prefix(".tacho-init-").permissions(readable()).tempfile_in(folder).with_context(failed)?;
    file.write_all(text.as_bytes()).with_context(failed)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(there(path)),
        Err(error) => Err(anyhow::Error::from(error.error).context(failed()).into()),
    }
}

/// Makes a folder that is not there yet, with its files.
///
/// # Errors
/// It is there, or the system refuses.
pub(super) fn new_folder(path: &Path, files: &[(&str, &str)]) -> Result<()> {
    if path.exists() {
        return Err(there(path));
    }
    let above = path.parent().unwrap_or(Path::new("."));
    let failed = || format!("cannot write `{}`", path.display());
    std::fs::create_dir_all(above).with_context(failed)?;
    let fresh = Builder::new().prefix(".tacho-init-").tempdir_in(above).with_context(failed)?;
    let inner = fresh.path().join("suite");
    std::fs::create_dir(&inner).with_context(failed)?;
    for (name, text) in files {
        std::fs::write(inner.join(name), text).with_context(failed)?;
    }
    Ok(std::fs::rename(&inner, path).with_context(failed)?)
}

/// Returns the permissions of a file that everybody may read, as far as the user's mask lets them.
fn readable() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    std::fs::Permissions::from_mode(0o666)
}

fn there(path: &Path) -> CommandError {
    CommandError::new(format!("`{}` is there already and stays as it is", path.display()))
}
