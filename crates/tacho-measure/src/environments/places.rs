//! Where things lie in the cache.

use std::path::{Path, PathBuf};

use super::workshop::MakeError;

/// So much of a key names its folder: short, as the path to an interpreter in a script's first line may be cut.
pub(super) const NAME_DIGITS: usize = 16;

/// The folders of the cache that hold environments and builds.
#[derive(Debug, Clone)]
pub(super) struct Places {
    pub(super) cache: PathBuf,
    pub(super) envs: PathBuf,
    pub(super) builds: PathBuf,
}

impl Places {
    pub(super) fn new(cache: &Path) -> Places {
        // Programs that are told a path find it in their own folder too.
        let cache = std::path::absolute(cache).unwrap_or_else(|_| cache.to_owned());
        Places { envs: cache.join("envs"), builds: cache.join("builds"), cache }
    }

    pub(super) fn environment(&self, key: &str) -> Place {
        Place::new(&self.envs, &key[..NAME_DIGITS.min(key.len())])
    }

    /// One of the environments that take one build after the other.
    pub(super) fn shared_environment(&self, base_key: &str, number: u32) -> Place {
        Place::new(&self.envs, &format!("{}-{number}", &base_key[..NAME_DIGITS.min(base_key.len())]))
    }

    /// Makes the folders.
    pub(super) fn prepare(&self) -> Result<(), MakeError> {
        for folder in [&self.envs, &self.builds] {
            std::fs::create_dir_all(folder).map_err(MakeError::io("create", folder))?;
        }
        // `uv` looks for settings in the folders above. Those of the work tree are no part of another commit's build;
        // nor are they where a checkout has none of its own.
        let settings = self.cache.join("uv.toml");
        if !settings.exists() {
            std::fs::write(&settings, "").map_err(MakeError::io("write", &settings))?;
        }
        Ok(())
    }

    pub(super) fn build(&self, key: &str) -> Place {
        Place::new(&self.builds, &key[..NAME_DIGITS.min(key.len())])
    }

    /// The lock on a slot of checkouts.
    pub(super) fn slot_lock(&self, slot: u32) -> PathBuf {
        self.builds.join(format!("slot-{slot}.lock"))
    }

    /// What is known of interpreters.
    pub(super) fn interpreters(&self) -> PathBuf {
        self.envs.join("interpreters.json")
    }
}

/// Something that is made once: its folder, and the files beside it that are there before the folder is whole.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
}

impl Place {
    pub(super) fn new(parent: &Path, name: &str) -> Place {
        Place { folder: parent.join(name) }
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy();
        self.folder.with_file_name(format!("{name}{ending}"))
    }

    /// Held while it is made or used.
    pub(super) fn lock(&self) -> PathBuf {
        self.beside(".lock")
    }

    /// What its commands printed.
    pub(super) fn log(&self) -> PathBuf {
        self.beside(".log")
    }

    /// Why it could not be made.
    pub(super) fn failure(&self) -> PathBuf {
        self.beside(".failed.json")
    }

    /// Written last: without it the folder is the remains of something.
    pub(super) fn marker(&self) -> PathBuf {
        self.folder.join("tacho-made.json")
    }

    /// Written when an environment can take its first build.
    pub(super) fn base_marker(&self) -> PathBuf {
        self.folder.join("tacho-base.json")
    }

    /// Where a build leaves its wheel: asv's `{build_cache_dir}`.
    pub(super) fn wheels(&self) -> PathBuf {
        self.folder.join("wheel")
    }
}
