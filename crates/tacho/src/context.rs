//! What every command is handed: the console, the folders, the project's settings when asked for.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tacho_store::Store;

use crate::console::Console;
use crate::dirs::Dirs;
use crate::error::{CommandError, Result};
use crate::settings::{Settings, below, find_config};

/// What a command works with.
pub(crate) struct Context<'a> {
    pub(crate) console: &'a Console,
    pub(crate) dirs: Dirs,
    pub(crate) cwd: PathBuf,
    pub(crate) config_flag: Option<PathBuf>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(console: &'a Console, config_flag: Option<PathBuf>) -> Result<Context<'a>> {
        let cwd = std::env::current_dir().context("cannot tell the current folder")?;
        Ok(Context { console, dirs: Dirs::from_env(), cwd, config_flag })
    }

    /// Returns the settings of the project at hand; an error with the way out where there is none.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let settings = self.settings_if_any()?.ok_or_else(|| self.no_project())?;
        for warning in &settings.warnings {
            self.console.warn(warning);
        }
        Ok(settings)
    }

    /// Returns the settings of the project at hand, if there is one.
    pub(crate) fn settings_if_any(&self) -> Result<Option<Settings>> {
        let Some(config) = find_config(&self.cwd, self.config_flag.as_deref())? else { return Ok(None) };
        Ok(Some(Settings::load(&config, &self.dirs)?))
    }

    /// Returns the store of a project, or the user's own where there is no project.
    pub(crate) fn store(&self, settings: Option<&Settings>) -> Store {
        match settings {
            Some(settings) => Store::open(&settings.path(&settings.store.value)),
            None => Store::open(&self.dirs.state.join("store")),
        }
    }

    fn no_project(&self) -> CommandError {
        let here = format!("no `tacho.toml` or `asv.conf.json` in `{}` or above", self.cwd.display());
        let error = CommandError::new(here);
        match below(&self.cwd).first() {
            Some(found) => error.hint(format!("one is in a folder below: add `--config {}`", quoted(found))),
            None => error
                .hint("begin with `tacho init`, measure a single file with `tacho run FILE.py`, or name the configuration with --config"),
        }
    }
}

/// Returns a path as one word of a shell command.
pub(crate) fn quoted(path: &Path) -> String {
    shell_word(&path.display().to_string())
}

/// Returns a text as one word of a shell command.
pub(crate) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
