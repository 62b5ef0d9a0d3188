//! Interpreters: which program a word of the settings stands for, and what one process tells of it, remembered.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::file_stamp::FileStamp;
use super::places::Places;
use super::programs::{is_executable, is_script};
use super::quiet::ask;
use super::workshop::{MakeError, Workshop};

/// Asked of an interpreter in one process. The base is what an environment would be made of.
const FACTS: &str = r#"
import json, os, platform, sys
try:
    from importlib.metadata import version
    pip = version("pip")
except Exception:
    pip = None
base = getattr(sys, "_base_executable", None) or sys.executable
print(json.dumps({"is_base": sys.prefix == sys.base_prefix, "program": base, "version": platform.python_version(), "implementation": platform.python_implementation(), "pip": pip}))
"#;

/// An interpreter that environments are made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Interpreter {
    /// The program, links followed.
    pub(super) program: FileStamp,
    /// Its version: `3.12.1`.
    pub(super) version: String,
    /// `CPython`, `PyPy`.
    pub(super) implementation: String,
    /// The version of its own pip, where it has one.
    pub(super) pip: Option<String>,
}

#[derive(Deserialize)]
struct Facts {
    is_base: bool,
    program: PathBuf,
    version: String,
    implementation: String,
    pip: Option<String>,
}

/// What is known of interpreters, by the words that they are asked for with.
#[derive(Debug)]
pub(super) struct Interpreters {
    file: PathBuf,
    known: Mutex<BTreeMap<String, Interpreter>>,
}

impl Interpreters {
    pub(super) fn new(places: &Places) -> Interpreters {
        Interpreters { file: places.interpreters(), known: Mutex::default() }
    }

    fn in_memory(&self, word: &str) -> Option<Interpreter> {
        self.known.lock().ok()?.get(word).cloned()
    }

    /// Returns what an earlier run has learnt, as long as the program is the same.
    fn on_disk(&self, word: &str) -> Option<Interpreter> {
        self.read().remove(word).filter(|interpreter| interpreter.program.holds())
    }

    fn read(&self) -> BTreeMap<String, Interpreter> {
        let text = std::fs::read(&self.file).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    fn remember(&self, word: &str, interpreter: &Interpreter) {
        if let Ok(mut known) = self.known.lock() {
            known.insert(word.to_owned(), interpreter.clone());
        }
    }

    /// Keeps it for later runs. It is found out again where that fails.
    fn keep(&self, word: &str, interpreter: &Interpreter) {
        let mut all = self.read();
        all.insert(word.to_owned(), interpreter.clone());
        let folder = self.file.parent().unwrap_or(Path::new("."));
        let written = || {
            std::fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            serde_json::to_writer(&mut file, &all)?;
            file.persist(&self.file).map_err(|error| error.error)
        };
        let _: std::io::Result<_> = written();
    }
}

impl Interpreter {
    /// Returns it as a part of a key.
    pub(super) fn words(&self) -> String {
        format!("{} {} {}", self.implementation, self.version, self.program.words())
    }

    pub(super) fn path(&self) -> &Path {
        &self.program.path
    }

    /// Returns true where its pip can install into another environment (`--python`, from 22.3 on).
    pub(super) fn has_pip_for_others(&self) -> bool {
        let mut numbers = self.pip.iter().flat_map(|pip| pip.split('.')).map(|part| part.parse::<u32>().unwrap_or(0));
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (22, 3)
    }
}

/// Returns the interpreter that a word of the settings stands for: a path, a name, a version, or none for the active
/// `python3`. A version that is not on the search path is `uv`'s to find, and to download.
pub(super) fn resolve(workshop: &Workshop, word: Option<&str>, uv: Option<&Path>) -> Result<Interpreter, MakeError> {
    let asked = word.filter(|word| *word != "same").unwrap_or("");
    let memory = format!("{}{asked}", if uv.is_some() { "uv " } else { "" });
    if let Some(known) = workshop.interpreters.in_memory(&memory) {
        return Ok(known);
    }
    let found = match program(workshop, asked) {
        // What a script starts may be another interpreter each time.
        Some(path) if is_script(&path) => facts(workshop, &path),
        Some(path) => remembered(workshop, &path.display().to_string(), || facts(workshop, &path)),
        None if uv.is_some() && !asked.contains('/') => {
            let uv = uv.unwrap_or(Path::new("uv"));
            remembered(workshop, &memory, || uv_finds(workshop, uv, asked).and_then(|path| facts(workshop, &path)))
        }
        None => Err(missing(asked)),
    };
    // A name may be that of a script whose interpreter is not there, where `uv` knows one.
    let found = match (found, uv) {
        (Err(MakeError::Tool { .. }), Some(uv)) if is_version(asked) => {
            uv_finds(workshop, uv, asked).and_then(|path| facts(workshop, &path))
        }
        (found, _) => found,
    }?;
    workshop.interpreters.remember(&memory, &found);
    Ok(found)
}

fn remembered(
    workshop: &Workshop,
    word: &str,
    find: impl FnOnce() -> Result<Interpreter, MakeError>,
) -> Result<Interpreter, MakeError> {
    if let Some(known) = workshop.interpreters.on_disk(word) {
        return Ok(known);
    }
    find().inspect(|found| workshop.interpreters.keep(word, found))
}

fn is_version(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn program(workshop: &Workshop, asked: &str) -> Option<PathBuf> {
    let search = &workshop.search;
    match asked {
        "" => search.on_path("python3").or_else(|| search.on_path("python")),
        path if path.contains('/') => Some(workshop.conf_dir.join(path)).filter(|path| is_executable(path)),
        version if is_version(version) => search.on_path(&format!("python{version}")),
        name => search.on_path(name),
    }
}

fn facts(workshop: &Workshop, program: &Path) -> Result<Interpreter, MakeError> {
    let words = [OsString::from("-I"), "-c".into(), FACTS.into()];
    let answer = ask(workshop, program, &words)?;
    let facts: Option<Facts> = answer.stdout_line().and_then(|line| serde_json::from_str(line).ok());
    if let Some(facts) = facts.as_ref().filter(|facts| !facts.is_base && facts.program != program) {
        // An environment's interpreter: what is made is made of the one behind it, with the pip that has.
        return self::facts(workshop, &facts.program);
    }
    let told = facts.and_then(|facts| Some((FileStamp::of(&facts.program)?, facts)));
    let Some((program, Facts { is_base: _, program: _, version, implementation, pip })) = told else {
        return Err(MakeError::Tool {
            problem: format!(
                "`{}` is no Python interpreter that can be used: {}",
                program.display(),
                answer.last_line()
            ),
            hint: "name another one: `python = \"PROGRAM\"` in the settings, or `--python PROGRAM`".into(),
        });
    };
    Ok(Interpreter { program, version, implementation, pip })
}

/// Has `uv` find an interpreter, and download it where it is nowhere and the user has not forbidden that.
fn uv_finds(workshop: &Workshop, uv: &Path, asked: &str) -> Result<PathBuf, MakeError> {
    let find = [OsString::from("python"), "find".into(), "--no-project".into(), "--no-config".into(), asked.into()];
    let mut answer = ask(workshop, uv, &find)?;
    let allowed = !matches!(std::env::var("UV_PYTHON_DOWNLOADS").as_deref(), Ok("never" | "manual"));
    if !answer.is_ok() && allowed {
        let got = ask(workshop, uv, &["python".into(), "install".into(), "--no-bin".into(), asked.into()])?;
        answer = if got.is_ok() { ask(workshop, uv, &find)? } else { got };
    }
    match answer.stdout_line().filter(|_| answer.is_ok()) {
        Some(path) => Ok(PathBuf::from(path)),
        None => Err(MakeError::Tool {
            problem: format!("no interpreter `{asked}`: {}", answer.last_line()),
            hint: format!("`uv python install {asked}` may get it; or name one that is there with --python PROGRAM"),
        }),
    }
}

fn missing(asked: &str) -> MakeError {
    let problem = match asked {
        "" => "no `python3` on the search path".to_owned(),
        asked => format!("no interpreter `{asked}`"),
    };
    MakeError::Tool { problem, hint: "name one that is there: `--python PROGRAM`".into() }
}
