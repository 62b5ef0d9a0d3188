//! Command lines of a project's settings, by asv's rules: words of a shell, run without one.
//!
//! A line may begin with variables (`CC=clang`), with the exit codes that are no failure (`return-code=0,1`,
//! `return-code=any`) and with a folder (`in-dir=DIR`). `{name}` stands for a value; `{{` and `}}` for braces.
//! Source: "build_command, install_command, uninstall_command" in asv's documentation of `asv.conf.json`.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

/// The placeholders that asv has, and `python`, which is the environment's interpreter.
///
/// Axes are placeholders beside these, by their names: `{build.CFLAGS}`.
pub const PLACEHOLDERS: [&str; 10] = [
    "project",
    "env_name",
    "env_type",
    "env_dir",
    "conf_dir",
    "build_dir",
    "build_cache_dir",
    "commit",
    "wheel_file",
    "python",
];

/// A command line as it is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildLine {
    /// Variables that are set for this command only.
    pub variables: BTreeMap<String, String>,
    /// The exit codes that are no failure.
    pub accepted_codes: AcceptedCodes,
    /// The folder it is run in, where the line names one.
    pub dir: Option<String>,
    /// The program and its arguments: at least one word.
    pub words: Vec<String>,
}

/// Exit codes that are no failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcceptedCodes {
    /// Every one.
    Any,
    /// These.
    Only(BTreeSet<i32>),
}

impl AcceptedCodes {
    /// Returns true where a command that ends with `code` has not failed.
    pub fn accepts(&self, code: i32) -> bool {
        match self {
            AcceptedCodes::Any => true,
            AcceptedCodes::Only(codes) => codes.contains(&code),
        }
    }
}

/// Why a text is no command line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// A quote or a backslash at the end has no counterpart.
    #[error("`{line}` has a quote that is not closed")]
    Quotes {
        /// The line.
        line: String,
    },
    /// There is no program to run.
    #[error("`{line}` names no program")]
    NoProgram {
        /// The line.
        line: String,
    },
    /// A brace that belongs to no placeholder.
    #[error("`{line}` has a single `{brace}`: a brace itself is written twice")]
    Brace {
        /// The line.
        line: String,
        /// The brace.
        brace: char,
    },
    /// A placeholder that there is not.
    #[error("`{line}` has `{{{name}}}`, which stands for nothing; there are {known}")]
    Unknown {
        /// The line.
        line: String,
        /// The placeholder's name.
        name: String,
        /// Those that there are, in words.
        known: String,
    },
    /// A placeholder that has no value for this command.
    #[error("`{line}` has `{{{name}}}`, which has no value here")]
    NotHere {
        /// The line.
        line: String,
        /// The placeholder's name.
        name: String,
    },
    /// Exit codes that are none.
    #[error("`{line}` has `{word}`: it is `return-code=any`, or numbers as in `return-code=0,1`")]
    ReturnCode {
        /// The line.
        line: String,
        /// The word.
        word: String,
    },
    /// The same said twice.
    #[error("`{line}` has `{what}` twice")]
    Twice {
        /// The line.
        line: String,
        /// Of what there is one too many.
        what: &'static str,
    },
    /// A sign that no program can be given.
    #[error("a command line has a zero byte")]
    ZeroByte,
}

/// Reads a command line and puts values in the place of its placeholders.
///
/// Placeholders are looked for in each word by itself, so that a value with spaces stays one word, and a value
/// never becomes a variable, an exit code or a folder.
///
/// # Errors
/// The text is no command line, or has a placeholder without a value in `placeholders`.
pub fn parse_line(line: &str, placeholders: &BTreeMap<&str, String>) -> Result<BuildLine, LineError> {
    let mut words = split_words(line)?.into_iter().peekable();
    let fill = |text: &str| filled(line, text, placeholders);
    let (mut variables, mut codes, mut dir) = (BTreeMap::new(), None, None);
    while let Some(head) = words.peek().and_then(|word| Head::of(word)) {
        match head {
            Head::Variable(name, value) => drop(variables.insert(name.to_owned(), fill(value)?)),
            Head::Codes(text) => once(line, "return-code", &mut codes, read_codes(line, &fill(text)?)?)?,
            Head::Dir(text) => once(line, "in-dir", &mut dir, fill(text)?)?,
        }
        words.next();
    }
    let words = words.map(|word| fill(&word)).collect::<Result<Vec<String>, LineError>>()?;
    if words.first().is_none_or(String::is_empty) {
        return Err(LineError::NoProgram { line: line.to_owned() });
    }
    let accepted_codes = codes.unwrap_or_else(|| AcceptedCodes::Only(BTreeSet::from([0])));
    Ok(BuildLine { variables, accepted_codes, dir, words })
}

/// Splits a text into words as a POSIX shell does: quotes and backslashes hold, `# …` is a comment, nothing is
/// expanded.
///
/// # Errors
/// A quote that is not closed, or a zero byte.
pub fn split_words(line: &str) -> Result<Vec<String>, LineError> {
    if line.contains('\0') {
        return Err(LineError::ZeroByte);
    }
    shlex::split(line).ok_or_else(|| LineError::Quotes { line: line.to_owned() })
}

/// What a word before the program says.
enum Head<'a> {
    Variable(&'a str, &'a str),
    Codes(&'a str),
    Dir(&'a str),
}

impl Head<'_> {
    fn of(word: &str) -> Option<Head<'_>> {
        let (name, value) = word.split_once('=')?;
        match name {
            "return-code" => Some(Head::Codes(value)),
            "in-dir" => Some(Head::Dir(value)),
            name if is_variable(name) => Some(Head::Variable(name, value)),
            _ => None,
        }
    }
}

/// Returns true for what a shell takes for the name of a variable.
pub(super) fn is_variable(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

fn once<T>(line: &str, what: &'static str, place: &mut Option<T>, value: T) -> Result<(), LineError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(LineError::Twice { line: line.to_owned(), what }),
    }
}

fn read_codes(line: &str, text: &str) -> Result<AcceptedCodes, LineError> {
    if text == "any" {
        return Ok(AcceptedCodes::Any);
    }
    let codes: Option<BTreeSet<i32>> = text.split(',').map(|code| code.parse().ok()).collect();
    let wrong = || LineError::ReturnCode { line: line.to_owned(), word: format!("return-code={text}") };
    codes.map(AcceptedCodes::Only).ok_or_else(wrong)
}

/// Puts values in the place of placeholders.
fn filled(line: &str, word: &str, placeholders: &BTreeMap<&str, String>) -> Result<String, LineError> {
    let brace = |brace: char| LineError::Brace { line: line.to_owned(), brace };
    let (mut rest, mut out) = (word, String::new());
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
            out.push_str(&rest[..1]);
            rest = after;
            continue;
        }
        let inner = rest.strip_prefix('{').ok_or_else(|| brace('}'))?;
        let (name, after) = inner.split_once('}').ok_or_else(|| brace('{'))?;
        out.push_str(placeholders.get(name).ok_or_else(|| no_value(line, name, placeholders))?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

fn no_value(line: &str, name: &str, placeholders: &BTreeMap<&str, String>) -> LineError {
    let (line, name) = (line.to_owned(), name.to_owned());
    if PLACEHOLDERS.contains(&name.as_str()) {
        return LineError::NotHere { line, name };
    }
    let axes = placeholders.keys().filter(|key| !PLACEHOLDERS.contains(key));
    let known: Vec<String> = PLACEHOLDERS.iter().chain(axes).map(|name| format!("{{{name}}}")).collect();
    LineError::Unknown { line, name, known: known.join(" ") }
}

#[cfg(test)]
mod tests;
