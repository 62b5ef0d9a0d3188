//! A digest of a suite's files: its identity where git knows nothing of it.

use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Returns `sha256:` and a digest of a file, or of all files below a folder with their names.
///
/// Compiled Python files and hidden folders are left out.
///
/// # Errors
/// Whatever the file system says.
pub fn suite_digest(path: &Path) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    if path.is_file() {
        add_file(&mut hasher, path)?;
    } else {
        let mut files = Vec::new();
        collect(path, &mut files)?;
        files.sort();
        for file in files {
            let name = file.strip_prefix(path).unwrap_or(&file).to_string_lossy();
            hasher.update(name.as_bytes());
            hasher.update([0]);
            add_file(&mut hasher, &file)?;
        }
    }
    Ok(format!("sha256:{}", hex(hasher)))
}

/// Returns a digest in hexadecimal.
pub(crate) fn hex(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn add_file(hasher: &mut Sha256, path: &Path) -> std::io::Result<()> {
    let mut file = std::fs::File::open(path)?;
    hasher.update(file.metadata()?.len().to_le_bytes());
    let mut chunk = vec![0_u8; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(()),
            n => hasher.update(&chunk[..n]),
        }
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if name != "__pycache__" && !name.starts_with('.') {
                collect(&entry.path(), files)?;
            }
        } else if kind.is_file() && !name.ends_with(".pyc") {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_contents_count_and_compiled_files_do_not() {
        let folder = tempfile::tempdir().expect("a temp folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("makes folders");
            std::fs::write(path, text).expect("writes");
        };
        let digest = || suite_digest(folder.path()).expect("reads");
        write("a.py", "1");
        let first = digest();
        write("__pycache__/a.pyc", "x");
        write(".tacho/records/x", "x");
        assert_eq!(digest(), first);
        write("a.py", "2");
        assert_ne!(digest(), first);
        write("a.py", "1");
        assert_eq!(digest(), first);
        write("b.py", "");
        assert_ne!(digest(), first);
    }
}
