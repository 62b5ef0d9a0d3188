//! The user's folders: configuration, state, cache. Taken from the environment once.

use std::path::{Path, PathBuf};

/// The folders that belong to the user rather than to a project.
#[derive(Debug, Clone)]
pub(crate) struct Dirs {
    pub(crate) home: Option<PathBuf>,
    pub(crate) config: PathBuf,
    pub(crate) state: PathBuf,
    pub(crate) cache: PathBuf,
}

impl Dirs {
    /// Follows the XDG variables, else the usual folders below the home folder; without a home, a private folder
    /// among the temporary ones.
    pub(crate) fn from_env() -> Dirs {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME").or_else(std::env::home_dir).filter(|home| home.is_absolute());
        let base = home.clone().unwrap_or_else(private_folder);
        let folder = |name: &str, usual: &str| absolute(name).unwrap_or_else(|| base.join(usual)).join("tacho");
        Dirs {
            config: folder("XDG_CONFIG_HOME", ".config"),
            state: folder("XDG_STATE_HOME", ".local/state"),
            cache: folder("XDG_CACHE_HOME", ".cache"),
            home,
        }
    }

    /// Returns the file that asv keeps its machines in.
    pub(crate) fn asv_machine_file(&self) -> Option<PathBuf> {
        self.home.as_deref().map(|home: &Path| home.join(".asv-machine.json"))
    }

    /// Returns the user's own configuration: a `tacho.toml` for all projects.
    pub(crate) fn user_config_file(&self) -> PathBuf {
        self.config.join("tacho.toml")
    }

    /// Returns the file that holds the user's machines.
    pub(crate) fn machines_file(&self) -> PathBuf {
        self.config.join("machines.json")
    }
}

/// What to do where a folder of the user's cannot be written.
pub(crate) const UNWRITABLE_HINT: &str =
    "set XDG_STATE_HOME, XDG_CACHE_HOME and XDG_CONFIG_HOME to folders that you may write to";

/// A folder below the temporary one that no other user can have prepared: it is made for this process alone.
fn private_folder() -> PathBuf {
    let made = tempfile::Builder::new().prefix("tacho-home-").tempdir();
    made.map_or_else(|_| std::env::temp_dir(), tempfile::TempDir::keep)
}
