//! What is installed in an environment: distributions with their versions and a digest of their files.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::suite_digest::hex;

/// Files of a distribution's folder that tell how it was installed, and not what.
const ABOUT_INSTALLING: [&str; 6] =
    ["RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json", "uv_build.json"];

/// A distribution that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Distribution {
    /// Its name as its metadata write it.
    pub(super) name: String,
    pub(super) version: String,
    /// The SHA-256 of what it installed, where it has written that down.
    pub(super) sha256: Option<String>,
}

/// Returns the distributions below the prefix of an environment, by name.
pub(super) fn distributions(prefix: &Path) -> Vec<Distribution> {
    let mut found: Vec<Distribution> = site_packages(prefix).iter().flat_map(|folder| in_folder(folder)).collect();
    found.sort_by_key(|distribution| normal_name(&distribution.name));
    found
}

fn site_packages(prefix: &Path) -> Vec<PathBuf> {
    let libraries = std::fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten().map(|entry| entry.path());
    libraries.map(|folder| folder.join("site-packages")).filter(|folder| folder.is_dir()).collect()
}

/// Returns true where something that is installed below a prefix is taken from a folder outside of it: a path in a `.pth`
/// or `.egg-link` file, or in the module that an editable installation leaves.
pub(super) fn is_taken_from(prefix: &Path, folder: &Path) -> bool {
    let words = folder.as_os_str().as_encoded_bytes();
    let names_it = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let text = matches!(ending, Some("pth" | "egg-link" | "py")).then(|| std::fs::read(path).ok()).flatten();
        text.is_some_and(|text| text.windows(words.len()).any(|part| part == words))
    };
    let entries = |folder: &PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
    site_packages(prefix).iter().flat_map(entries).any(|entry| names_it(&entry.path()))
}

fn in_folder(folder: &Path) -> Vec<Distribution> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .filter(|path| path.extension().is_some_and(|end| end == "dist-info"))
        .filter_map(|path| read(&path))
        .collect()
}

fn read(folder: &Path) -> Option<Distribution> {
    let metadata = std::fs::read(folder.join("METADATA")).ok()?;
    let metadata = String::from_utf8_lossy(&metadata);
    let headers = || metadata.lines().take_while(|line| !line.is_empty());
    let header = |name: &str| {
        headers().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(|value| value.trim().to_owned())
    };
    let record = std::fs::read(folder.join("RECORD")).ok();
    let sha256 = record.map(|record| record_digest(&String::from_utf8_lossy(&record)));
    Some(Distribution { name: header("Name")?, version: header("Version")?, sha256 })
}

/// Returns a digest of the lines of a `RECORD` that does not depend on where and by what it was installed: scripts hold
/// the environment's folder, bytecode times, and some files of metadata say where it came from.
fn record_digest(record: &str) -> String {
    let mut lines: Vec<&str> = record.lines().filter_map(line_of_content).collect();
    lines.sort_unstable();
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line);
        hasher.update("\n");
    }
    hex(hasher)
}

/// Returns path and hash of a line, `path,hash,size`, unless the file depends on the installation.
fn line_of_content(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let (content, _size) = line.rsplit_once(',')?;
    let (path, _hash) = content.rsplit_once(',')?;
    let path = path.trim_matches('"');
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_outside = path.starts_with("../") || path.starts_with('/');
    let is_bytecode = path.ends_with(".pyc");
    let is_about_installing = folder.ends_with(".dist-info") && ABOUT_INSTALLING.contains(&file);
    (!is_outside && !is_bytecode && !is_about_installing).then_some(content)
}

/// Returns the name of a distribution as names are compared (PEP 503).
pub(super) fn normal_name(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// Returns true where two texts are the same version: names of wheels write some signs otherwise, and zeros at the end
/// say nothing (PEP 440).
pub(super) fn is_same_version(one: &str, other: &str) -> bool {
    let normal = |version: &str| {
        let version = version.trim().trim_start_matches(['v', 'V']).to_lowercase().replace(['-', '_'], ".");
        let (public, local) = version.split_once('+').map_or((version.as_str(), ""), |(public, local)| (public, local));
        let mut public = public;
        while let Some(shorter) = public.strip_suffix(".0") {
            public = shorter;
        }
        format!("{public}+{local}")
    };
    normal(one) == normal(other)
}

#[cfg(test)]
mod tests;
