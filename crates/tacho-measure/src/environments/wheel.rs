//! Wheels: found where a build has left them, and what their names say.

use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tacho_model::Wheel;

use super::workshop::MakeError;
use crate::suite_digest::hex;

/// What the name of a wheel says (`name-version[-build]-python-abi-platform.whl`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WheelName {
    pub(super) distribution: String,
    pub(super) version: String,
    /// Whether it holds nothing that was compiled.
    pub(super) is_pure: bool,
}

impl WheelName {
    pub(super) fn parse(file: &str) -> Option<WheelName> {
        let parts: Vec<&str> = file.strip_suffix(".whl")?.split('-').collect();
        let (5 | 6, [distribution, version, .., abi, platform]) = (parts.len(), parts.as_slice()) else { return None };
        let is_pure = *abi == "none" && *platform == "any";
        Some(WheelName { distribution: (*distribution).into(), version: (*version).into(), is_pure })
    }
}

/// Returns the wheels in a folder, in the order of their names.
pub(super) fn found_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut wheels: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "whl")).collect();
    wheels.sort();
    wheels
}

/// Returns the one wheel of a folder, or in words why there is not one.
pub(super) fn only_one(folder: &Path) -> Result<PathBuf, String> {
    match found_in(folder).as_slice() {
        [wheel] => Ok(wheel.clone()),
        [] => Err("the build has left no wheel".into()),
        several => {
            let names: Vec<String> = several.iter().map(|path| format!("`{}`", file_name(path))).collect();
            Err(format!("the build has left {} wheels where one is expected: {}", names.len(), names.join(", ")))
        }
    }
}

/// Returns a wheel's name and digest.
pub(super) fn described(path: &Path) -> Result<Wheel, MakeError> {
    let digested = || {
        let (mut file, mut hasher) = (std::fs::File::open(path)?, Sha256::new());
        let mut chunk = vec![0_u8; 1 << 16];
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(hex(hasher)),
                n => hasher.update(&chunk[..n]),
            }
        }
    };
    let sha256 = digested().map_err(MakeError::io("read", path))?;
    Ok(Wheel { name: file_name(path), sha256 })
}

pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
