//! The Python runner that the binary carries, unpacked to the cache under its digest.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::suite_digest::hex;

const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/runner_files.rs"));

/// Unpacks the runner below `cache` unless it is there already, whole and unchanged, and returns its folder.
///
/// The folder's name holds the digest of the files, so an old runner is never started by a new binary.
///
/// # Errors
/// Whatever the file system says.
pub fn unpack_runner(cache: &Path) -> std::io::Result<PathBuf> {
    let folder = cache.join("runner").join(&digest()[..16]);
    let package = folder.join("tacho_runner");
    if is_whole(&package) {
        return Ok(package);
    }
    std::fs::create_dir_all(cache.join("runner"))?;
    // Two processes may unpack at once: each fills a folder of its own, and one rename wins.
    let fresh = tempfile::Builder::new().prefix(".unpack-").tempdir_in(cache.join("runner"))?;
    for (name, bytes) in FILES {
        let path = fresh.path().join("tacho_runner").join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, bytes)?;
    }
    if folder.exists() && !is_whole(&package) {
        // Damaged: out of the way with it, in one step.
        std::fs::rename(&folder, fresh.path().join("damaged"))?;
    }
    let renamed = std::fs::rename(fresh.path(), &folder);
    if is_whole(&package) {
        let _ = std::fs::remove_dir_all(folder.join("damaged"));
        return Ok(package);
    }
    renamed.map(|()| package)
}

/// What is in the cache is run as the user, so it is compared rather than trusted.
fn is_whole(package: &Path) -> bool {
    FILES.iter().all(|(name, bytes)| std::fs::read(package.join(name)).is_ok_and(|found| found == *bytes))
}

fn digest() -> String {
    let mut hasher = Sha256::new();
    for (name, bytes) in FILES {
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name);
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    hex(hasher)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_twice_gives_the_same_folder() {
        let cache = tempfile::tempdir().expect("a temp folder");
        let first = unpack_runner(cache.path()).expect("unpacks");
        let second = unpack_runner(cache.path()).expect("finds it again");
        assert_eq!(first, second);
        assert!(is_whole(&first));
        let left: Vec<_> = std::fs::read_dir(cache.path().join("runner")).expect("lists").collect();
        assert_eq!(left.len(), 1, "no half-unpacked folder stays");
    }

    #[test]
    fn a_damaged_runner_is_unpacked_again() {
        let cache = tempfile::tempdir().expect("a temp folder");
        let folder = unpack_runner(cache.path()).expect("unpacks");
        std::fs::write(folder.join("__main__.py"), "print('changed')").expect("writes");
        let again = unpack_runner(cache.path()).expect("unpacks again");
        assert_eq!(again, folder);
        assert!(is_whole(&again));
    }
}
