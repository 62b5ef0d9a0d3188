//! A setting and where its value came from.

use std::path::{Path, PathBuf};

use crate::error::{CommandError, Result};

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Built in.
    Default,
    /// A key of a configuration file.
    File { path: PathBuf, key: String },
    /// An environment variable.
    Variable(String),
    /// A flag of the command line.
    Flag(String),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Default => write!(f, "default"),
            Origin::File { path, key } => {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                write!(f, "{name}: {key}")
            }
            Origin::Variable(name) => write!(f, "${name}"),
            Origin::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// A value and its origin.
#[derive(Debug, Clone)]
pub(crate) struct Setting<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

impl<T> Setting<T> {
    pub(crate) fn default_value(value: T) -> Setting<T> {
        Setting { value, origin: Origin::Default }
    }

    /// Takes the value of a file's key over what was there.
    pub(crate) fn take_from_file(&mut self, value: Option<T>, path: &Path, key: &str) {
        if let Some(value) = value {
            *self = Setting { value, origin: Origin::File { path: path.to_owned(), key: key.to_owned() } };
        }
    }

    /// Takes the value of a flag over what was there.
    pub(crate) fn take_from_flag(&mut self, value: Option<T>, flag: &str) {
        if let Some(value) = value {
            *self = Setting { value, origin: Origin::Flag(flag.to_owned()) };
        }
    }

    /// Takes the value of an environment variable over what was there, unless it is empty.
    pub(crate) fn override_from_env(&mut self, name: &str, read: impl Fn(&str) -> Result<T>) -> Result<()> {
        match std::env::var(name) {
            Ok(text) if !text.is_empty() => {
                let value = read(&text)?;
                *self = Setting { value, origin: Origin::Variable(name.to_owned()) };
                Ok(())
            }
            Err(std::env::VarError::NotUnicode(_)) => Err(CommandError::new(format!("`{name}` is not valid text"))),
            _ => Ok(()),
        }
    }
}
