//! `tidy`: the habits that a program can hold.
//!
//! Each rule returns what breaks it, one line each. `tests/tidy.rs` makes a test of every rule.

pub mod crates;
pub mod glossary;
pub mod text;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, root, say};

/// A rule: its name, and what looks for breaches.
pub type Rule = (&'static str, fn(&Tree) -> Result<Vec<String>>);

/// All rules.
pub const RULES: [Rule; 12] = [
    ("source files begin with `//!`", text::first_lines),
    ("source files are shorter than 600 lines", text::lengths),
    ("nothing is left to fix later", text::leftovers),
    ("plain punctuation", text::dashes),
    ("no paths of somebody's machine", text::machine_paths),
    ("folder name = crate name", crates::names),
    ("ARCHITECTURE.md names the crates there are", crates::architecture),
    ("edges between crates", crates::edges),
    ("the nouns know no formats", crates::plain_nouns),
    ("pure crates are walled", crates::walls),
    ("`.ci/run` calls the README's command", text::ci),
    ("the glossary has every noun", glossary::nouns),
];

/// The files of the repository that git knows or would take.
#[derive(Debug)]
pub struct Tree {
    /// Top of the repository.
    pub root: PathBuf,
    /// Paths from the root.
    pub files: Vec<String>,
}

impl Tree {
    /// Lists the files of the repository.
    ///
    /// # Errors
    /// Git failed.
    pub fn load(root: PathBuf) -> Result<Tree> {
        let mut list = Command::new("git");
        list.current_dir(&root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listing = process::output(&mut list)?;
        let mut files: Vec<String> = listing
            .split('\0')
            .filter(|file| !file.is_empty() && root.join(file).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        files.dedup();
        Ok(Tree { root, files })
    }

    /// Returns the files whose names end in one of `endings`.
    pub fn with_endings<'a>(&'a self, endings: &'a [&str]) -> impl Iterator<Item = &'a str> + 'a {
        self.files.iter().map(String::as_str).filter(|file| endings.iter().any(|ending| file.ends_with(ending)))
    }

    /// Returns a file's text.
    ///
    /// # Errors
    /// It cannot be read as text.
    pub fn text(&self, file: &str) -> Result<String> {
        let path: &Path = &self.root.join(file);
        fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
    }
}

/// Prints every breach; false where there is one.
///
/// # Errors
/// A file could not be read.
pub fn run() -> Result<bool> {
    let tree = Tree::load(root())?;
    let mut n_breaches = 0;
    for (name, rule) in RULES {
        for breach in rule(&tree)? {
            say(format_args!("{name}: {breach}"));
            n_breaches += 1;
        }
    }
    say(format_args!("{} rules, {n_breaches} breaches", RULES.len()));
    Ok(n_breaches == 0)
}
