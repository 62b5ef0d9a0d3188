//! Finding the configuration: beside the user, or above.

use std::path::{Path, PathBuf};

use crate::error::{CommandError, Result};

/// The names that asv reads.
const ASV_NAMES: [&str; 2] = ["asv.conf.json", "asv.conf.jsonc"];
const TACHO_NAME: &str = "tacho.toml";

/// The configuration files of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigFile {
    /// The folder that relative paths start from.
    pub(crate) root: PathBuf,
    pub(crate) tacho_toml: Option<PathBuf>,
    pub(crate) asv_conf: Option<PathBuf>,
}

/// Returns the configuration that `--config` names, or the nearest one at or above `cwd`; `None` if there is none.
pub(crate) fn find_config(cwd: &Path, flag: Option<&Path>) -> Result<Option<ConfigFile>> {
    if let Some(path) = flag {
        let mut config = named(&cwd.join(path))?;
        // `..` has no name of its own, and a project is called after its folder.
        config.root = config.root.canonicalize().unwrap_or(config.root);
        return Ok(Some(config));
    }
    for folder in cwd.ancestors() {
        if let Some(config) = in_folder(folder)? {
            return Ok(Some(config));
        }
        // A repository is the outer wall of a project.
        if folder.join(".git").exists() {
            break;
        }
    }
    Ok(None)
}

fn named(path: &Path) -> Result<ConfigFile> {
    if path.is_dir() {
        return in_folder(path)?
            .ok_or_else(|| CommandError::new(format!("no `tacho.toml` or `asv.conf.json` in `{}`", path.display())));
    }
    if !path.is_file() {
        return Err(CommandError::new(format!("no configuration file `{}`", path.display())));
    }
    let root = path.parent().unwrap_or(Path::new("/")).to_owned();
    if path.extension().is_some_and(|extension| extension == "toml") {
        let beside = in_folder(&root)?.and_then(|config| config.asv_conf);
        Ok(ConfigFile { root, tacho_toml: Some(path.to_owned()), asv_conf: beside })
    } else {
        Ok(ConfigFile { root, tacho_toml: None, asv_conf: Some(path.to_owned()) })
    }
}

fn in_folder(folder: &Path) -> Result<Option<ConfigFile>> {
    let found: Vec<PathBuf> = ASV_NAMES.iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect();
    if let [first, second] = &found[..] {
        let message = format!("`{}` and `{}` are both there", first.display(), second.display());
        return Err(CommandError::new(message).hint("remove one of them, or name one with --config"));
    }
    let tacho_toml = Some(folder.join(TACHO_NAME)).filter(|path| path.is_file());
    let asv_conf = found.into_iter().next();
    if tacho_toml.is_none() && asv_conf.is_none() {
        return Ok(None);
    }
    Ok(Some(ConfigFile { root: folder.to_owned(), tacho_toml, asv_conf }))
}

/// Returns configurations one folder below `cwd`, for the hint that no configuration was found here.
pub(crate) fn below(cwd: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(cwd) else { return vec![] };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .filter_map(|folder| {
            let names = ASV_NAMES.iter().chain([&TACHO_NAME]);
            names.map(|name| folder.join(name)).find(|path| path.is_file())
        })
        .filter_map(|path| path.strip_prefix(cwd).ok().map(Path::to_owned))
        .collect();
    found.sort();
    found
}
