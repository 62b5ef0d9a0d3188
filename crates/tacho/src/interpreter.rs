//! Which interpreter measures, and with which environment variables it is started.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tacho_measure::environments::RunSpec;
use tacho_measure::threads;

use crate::context::quoted;
use crate::error::{CommandError, Result};

/// Variables beside those that rule threads that choose the code of numeric libraries, or the order of sets: recorded as
/// they are, since a number means little without them.
const CHOOSING_VARIABLES: [&str; 2] = ["OPENBLAS_CORETYPE", "PYTHONHASHSEED"];

/// Returns what `--python` or `-E` ask for, in the words of `--python`.
///
/// `-E existing`, `-E existing:same` and `-E existing:PROGRAM` name an interpreter that is there.
pub(crate) fn from_flags(python: Option<&str>, environments: &[String]) -> Result<Option<String>> {
    let [first, rest @ ..] = environments else { return Ok(python.map(str::to_owned)) };
    if !rest.is_empty() || python.is_some() {
        return Err(CommandError::new("this is done in one environment")
            .hint("name it once, with --python PROGRAM or -E existing:PROGRAM"));
    }
    let (kind, program) = first.split_once(':').unwrap_or((first, "same"));
    match kind {
        "existing" => Ok(Some(if program.is_empty() { "same".into() } else { program.to_owned() })),
        "" => Ok(Some(program.to_owned())),
        _ => Err(CommandError::new(format!("`-E {first}` is no environment that is there"))
            .hint("only `tacho run` makes environments; name one with `-E existing:PROGRAM`, or `--python PROGRAM`")),
    }
}

/// Returns the interpreter's path.
///
/// `None` and `same` are the active `python3`; a path starts from `base`; a version (`3.12`, `pypy3`) or a
/// name is looked for on the search path.
pub(crate) fn find(asked: Option<&str>, base: &Path) -> Result<PathBuf> {
    let asked = asked.filter(|word| *word != "same");
    let Some(word) = asked else {
        return on_path("python3").or_else(|| on_path("python")).ok_or_else(|| {
            CommandError::new("no `python3` on the search path").hint("name one with --python PROGRAM")
        });
    };
    if word.contains('/') {
        let path = base.join(word);
        return match path.is_dir() {
            true => Err(folder(word, &path)),
            false => path.is_file().then_some(path).ok_or_else(|| missing(word)),
        };
    }
    let versioned = word.starts_with(|c: char| c.is_ascii_digit()).then(|| on_path(&format!("python{word}"))).flatten();
    versioned.or_else(|| on_path(word)).ok_or_else(|| missing(word))
}

/// An environment's folder is easily given for the interpreter in it.
fn folder(word: &str, path: &Path) -> CommandError {
    let error = CommandError::new(format!("`{word}` is a folder, not an interpreter"));
    let inner = Path::new(word).join("bin/python");
    match path.join("bin/python").is_file() {
        true => error.hint(format!("name the interpreter in it: --python {}", quoted(&inner))),
        false => error.hint("name a program: --python PROGRAM"),
    }
}

fn missing(word: &str) -> CommandError {
    CommandError::new(format!("no interpreter `{word}`")).hint("name a program that is there: --python PROGRAM")
}

fn on_path(name: &str) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let path = std::env::var_os("PATH")?;
    let executable = |path: &PathBuf| {
        std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(executable)
}

/// Returns the variables that a record keeps: those that a run declares, and those that rule threads.
pub(crate) fn recorded_variables(set: &[(String, Option<String>)], run: &RunSpec) -> BTreeMap<String, Option<String>> {
    let known = threads::ruling().chain(CHOOSING_VARIABLES).filter_map(|name| {
        let set = set.iter().rev().find(|(set, _)| set == name).map(|(_, value)| value.clone());
        let value = set.or_else(|| Some(Some(std::env::var(name).ok()?)))?;
        Some((name.to_owned(), value))
    });
    let known = known.filter(|(name, value)| value.is_some() || std::env::var_os(name).is_some());
    known.chain(run.variables.clone()).collect()
}
