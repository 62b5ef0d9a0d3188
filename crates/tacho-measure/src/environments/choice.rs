//! Which of a project's combinations `-E` and `--python` ask for.

use std::collections::HashSet;

use thiserror::Error;

use super::{AxisKind, Combination, MatrixError, Request, Tool};
use crate::matching::NamePattern;

/// Why a word chooses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// It names neither an environment nor a tool nor an axis.
    #[error("there is no environment `{word}`")]
    Unknown {
        /// The word.
        word: String,
        /// The labels that there are.
        labels: Vec<String>,
    },
    /// Its axes have other values.
    #[error("no environment has `{word}`")]
    NoMatch {
        /// The word.
        word: String,
        /// The axes that there are, as `name=value`.
        values: Vec<String>,
    },
    /// It is a pattern that cannot be read.
    #[error("cannot read `{word}`: {reason}")]
    Pattern {
        /// The word.
        word: String,
        /// Why not.
        reason: String,
    },
    /// There is nothing to choose from.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

/// Returns the combinations that any of the words asks for, in the order of the words and each once; all without words.
///
/// A word is a label, `name=value[,name=value]` on axes (with globs), `existing`, `existing:PROGRAM`, `TOOL`,
/// `TOOL:PYTHON` or `:PYTHON`, asv's forms. `program` is what a conda-like tool is started by.
///
/// # Errors
/// A word that chooses nothing.
pub fn choose(words: &[String], request: &Request, program: Option<&str>) -> Result<Vec<Combination>, ChoiceError> {
    let all = request.expand()?;
    if words.is_empty() {
        return Ok(all);
    }
    let mut chosen = Vec::new();
    for word in words {
        chosen.extend(chosen_by(word, &all, request, program)?);
    }
    let mut seen = HashSet::new();
    chosen.retain(|one| seen.insert((one.label.clone(), one.environment.digest(), one.axes())));
    Ok(chosen)
}

/// Returns what `--python` asks for, as a word of [`choose`].
///
/// A version is asv's `:VERSION` where the project's environments are made; a program or a path is one that is there.
pub fn word_of_python(python: &str, request: &Request) -> String {
    let is_version = python.strip_prefix("pypy").unwrap_or(python).starts_with(|c: char| c.is_ascii_digit());
    if is_version && !python.contains('/') && request.common.tool != Tool::Existing {
        format!(":{python}")
    } else {
        format!("existing:{python}")
    }
}

fn chosen_by(
    word: &str,
    all: &[Combination],
    request: &Request,
    program: Option<&str>,
) -> Result<Vec<Combination>, ChoiceError> {
    let labelled: Vec<Combination> =
        all.iter().filter(|one| one.label == word || one.environment.label == word).cloned().collect();
    if !labelled.is_empty() {
        return Ok(labelled);
    }
    if let Some(conditions) = conditions(word, all)? {
        let chosen: Vec<Combination> =
            all.iter().filter(|one| conditions.iter().all(|c| c.holds(one))).cloned().collect();
        return if chosen.is_empty() { Err(no_match(word, all)) } else { Ok(chosen) };
    }
    let (tool, python) = word.split_once(':').map_or((word, None), |(tool, python)| (tool, Some(python)));
    let unknown = || unknown(word, all);
    let request = match tool {
        "" if python == Some("same") => request.in_place(),
        "" => request.clone(),
        "existing" => request.in_place(),
        name => with_tool(request, name, program).ok_or_else(unknown)?,
    };
    match python.filter(|python| !python.is_empty()) {
        Some("same") => Ok(request.with_python(None).expand()?),
        Some(python) => explicit(&request, python),
        None if tool.is_empty() => Err(unknown()),
        None if tool == "existing" => Ok(request.with_python(None).expand()?),
        None => Ok(request.expand()?),
    }
}

/// asv's rule for an interpreter that is asked for by name: it is measured in, whatever is left out.
fn explicit(request: &Request, python: &str) -> Result<Vec<Combination>, ChoiceError> {
    let combinations = request.with_python(Some(python)).expand()?;
    Ok(if combinations.is_empty() { vec![request.plain(python)] } else { combinations })
}

fn with_tool(request: &Request, name: &str, program: Option<&str>) -> Option<Request> {
    if name == request.tool_name {
        return Some(request.clone());
    }
    let mut request = Request { tool_name: name.to_owned(), ..request.clone() };
    request.common.tool = Tool::parse(name, program)?;
    Some(request)
}

/// One `name=value` of a filter.
struct AxisCondition {
    name: String,
    value: NamePattern,
    text: String,
}

impl AxisCondition {
    fn holds(&self, one: &Combination) -> bool {
        let value = value_of(one, &self.name);
        value.is_some_and(|value| value == self.text || self.value.matches(&value))
    }
}

fn value_of(one: &Combination, name: &str) -> Option<String> {
    match name {
        "python" => one.environment.python.clone(),
        name => one.axes().remove(name),
    }
}

/// Reads `name=value,name=value`; `None` where the word does not begin with the name of an axis.
///
/// Values hold commas and signs of equality (`>=2,<3`): a comma ends one only before the name of an axis.
fn conditions(word: &str, all: &[Combination]) -> Result<Option<Vec<AxisCondition>>, ChoiceError> {
    let mut found: Vec<(String, String)> = Vec::new();
    for part in word.split(',') {
        let head = part.split_once('=').filter(|(name, _)| is_axis(name, all));
        match (head, found.last_mut()) {
            (Some((name, value)), _) => found.push((name.to_owned(), value.to_owned())),
            (None, Some((_, value))) => value.push_str(&format!(",{part}")),
            (None, None) => return Ok(None),
        }
    }
    let read = |(name, text): (String, String)| match NamePattern::parse(&text) {
        Ok(value) => Ok(AxisCondition { name, value, text }),
        Err(reason) => Err(ChoiceError::Pattern { word: word.to_owned(), reason }),
    };
    found.into_iter().map(read).collect::<Result<_, _>>().map(Some)
}

fn is_axis(name: &str, all: &[Combination]) -> bool {
    name == AxisKind::Python.name() || all.iter().any(|one| value_of(one, name).is_some())
}

fn unknown(word: &str, all: &[Combination]) -> ChoiceError {
    ChoiceError::Unknown { word: word.to_owned(), labels: all.iter().map(|one| one.label.clone()).collect() }
}

fn no_match(word: &str, all: &[Combination]) -> ChoiceError {
    let mut values: Vec<String> = Vec::new();
    for one in all {
        let python = one.environment.python.iter().map(|python| format!("python={python}"));
        for value in python.chain(one.axes().into_iter().map(|(name, value)| format!("{name}={value}"))) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    ChoiceError::NoMatch { word: word.to_owned(), values }
}

#[cfg(test)]
mod tests;
