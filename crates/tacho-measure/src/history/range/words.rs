//! The words of a range: asv's keywords, revisions, git's ranges, and those options of git's that choose commits.

use std::io;

use super::Range;
use crate::history::{Branch, HistoryError, Repository};

/// Options without a value.
const FLAGS: [&str; 20] = [
    "--all",
    "--all-match",
    "--ancestry-path",
    "--basic-regexp",
    "--branches",
    "--extended-regexp",
    "--first-parent",
    "--fixed-strings",
    "--invert-grep",
    "--merges",
    "--no-merges",
    "--not",
    "--perl-regexp",
    "--regexp-ignore-case",
    "--remotes",
    "--tags",
    "-E",
    "-F",
    "-P",
    "-i",
];

/// Options with a value, after `=` or as the next word.
const VALUED: [&str; 12] = [
    "--after",
    "--author",
    "--before",
    "--committer",
    "--grep",
    "--max-count",
    "--max-parents",
    "--min-parents",
    "--since",
    "--since-as-filter",
    "--skip",
    "--until",
];

/// Options whose value comes after `=`.
const JOINED: [&str; 6] = ["--ancestry-path", "--branches", "--exclude", "--glob", "--remotes", "--tags"];

/// Options that say where to begin, so that no branch needs to be named.
const BEGINNINGS: [&str; 5] = ["--all", "--branches", "--glob", "--remotes", "--tags"];

/// What asv calls some ranges.
const KEYWORDS: [(&str, Range); 6] = [
    ("NEW", Range::New),
    ("ALL", Range::All),
    ("EXISTING", Range::Existing),
    ("MISSING", Range::Missing),
    ("LATEST", Range::Latest),
    ("TAGS", Range::Tags),
];

pub(super) fn parse(text: &str, read: impl FnOnce(&str) -> io::Result<String>) -> Result<Range, HistoryError> {
    let text = text.trim();
    let wrong = |reason: String| HistoryError::Words { range: text.to_owned(), reason };
    if let Some(path) = text.strip_prefix("HASHFILE:") {
        return Ok(Range::Commits(listed(path, read)?));
    }
    let words = shlex::split(text).ok_or_else(|| wrong("a quotation mark has no partner".to_owned()))?;
    if words.is_empty() || words.iter().any(|word| word.is_empty() || word.contains('\0')) {
        return Err(wrong("it is empty".to_owned()));
    }
    let keyword = |word: &str| KEYWORDS.iter().find(|(name, _)| *name == word).map(|(_, range)| range.clone());
    match (words.iter().find_map(|word| Some((word, keyword(word)?))), words.len()) {
        (Some((_, range)), 1) => return Ok(range),
        (Some((word, _)), _) => return Err(wrong(format!("`{word}` stands alone"))),
        _ => {}
    }
    if words.iter().all(|word| names_one(word)) {
        return Ok(Range::Commits(words.iter().map(|word| alone(word).to_owned()).collect()));
    }
    Ok(Range::Walk(checked(&words).map_err(wrong)?))
}

/// Returns the first word of each line that has one and is no comment.
pub(in crate::history) fn listed(
    path: &str,
    read: impl FnOnce(&str) -> io::Result<String>,
) -> Result<Vec<String>, HistoryError> {
    let text = read(path).map_err(|source| HistoryError::HashFile { path: path.to_owned(), source })?;
    let first = |line: &str| line.split_whitespace().next().filter(|word| !word.starts_with('#')).map(str::to_owned);
    Ok(text.trim_start_matches('\u{feff}').lines().filter_map(first).collect())
}

/// Returns true for a word that stands for one commit: `v1.0`, `main~3`, `NAME^!`.
fn names_one(word: &str) -> bool {
    !word.starts_with(['-', '^']) && (is_quoted(word) || (ends(alone(word)).is_none() && !has_parents_suffix(word)))
}

/// Returns true where dots inside the word belong to a pattern or a date.
fn is_quoted(word: &str) -> bool {
    word.starts_with(":/") || word.contains('{')
}

fn alone(word: &str) -> &str {
    word.strip_suffix("^!").unwrap_or(word)
}

/// Returns true for git's other short forms, `NAME^@`, `NAME^-` and `NAME^-2`.
fn has_parents_suffix(word: &str) -> bool {
    let base = word.trim_end_matches(|c: char| c.is_ascii_digit());
    word.ends_with("^@") || base.ends_with("^-")
}

/// Returns the two sides of `A..B` or `A...B` with the dots between them.
fn ends(word: &str) -> Option<(&str, &str, &str)> {
    let at = word.find("..")?;
    let dots = if word[at..].starts_with("...") { 3 } else { 2 };
    Some((&word[..at], &word[at..at + dots], &word[at + dots..]))
}

/// Returns the words with every option and its value in one, or what is wrong with them.
fn checked(words: &[String]) -> Result<Vec<String>, String> {
    let mut checked = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            checked.push(word.clone());
            checked.extend(words.by_ref().cloned());
        } else if !word.starts_with('-') {
            checked.push(word.clone());
        } else if let Some(number) = word.strip_prefix("-n").or(word.strip_prefix('-')).filter(|rest| is_number(rest)) {
            checked.push(format!("--max-count={number}"));
        } else if VALUED.contains(&word.as_str()) || word == "-n" {
            let name = if word == "-n" { "--max-count" } else { word };
            let value = words.next().ok_or_else(|| format!("`{word}` needs a value"))?;
            checked.push(format!("{name}={value}"));
        } else if is_allowed(word) {
            checked.push(word.clone());
        } else {
            let all = FLAGS.iter().chain(&VALUED).filter(|option| option.starts_with("--"));
            let all: Vec<&str> = all.copied().collect();
            return Err(format!("`{word}` is no option that chooses commits; those are {}", all.join(", ")));
        }
    }
    Ok(checked)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_allowed(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    FLAGS.contains(&word) || name.is_some_and(|name| VALUED.contains(&name) || JOINED.contains(&name))
}

/// Returns how many commits the words ask for at most.
pub(super) fn limit(words: &[String]) -> Option<usize> {
    words.iter().rev().find_map(|word| word.strip_prefix("--max-count=")?.parse().ok())
}

/// Returns the words with hashes for names, so that an unknown name is told as such, and with the branches where
/// no word says where to begin.
pub(super) fn question(
    repository: &Repository,
    branches: &[Branch],
    words: &[String],
) -> Result<Vec<String>, HistoryError> {
    let mut question = Vec::new();
    let mut begins = false;
    let mut paths: &[String] = &[];
    for (at, word) in words.iter().enumerate() {
        if word == "--" {
            paths = &words[at + 1..];
            break;
        }
        begins |= !word.starts_with(['-', '^']) || BEGINNINGS.contains(&word.split('=').next().unwrap_or_default());
        question.push(if word.starts_with('-') { word.clone() } else { with_hashes(repository, word)? });
    }
    if !begins {
        question.extend(branches.iter().map(|branch| branch.tip.clone()));
    }
    question.push("--".to_owned());
    question.extend(paths.iter().cloned());
    Ok(question)
}

fn with_hashes(repository: &Repository, word: &str) -> Result<String, HistoryError> {
    if is_quoted(word) {
        return repository.resolve(word);
    }
    if let Some(excluded) = word.strip_prefix('^') {
        return Ok(format!("^{}", with_hashes(repository, excluded)?));
    }
    if let Some((from, dots, to)) = ends(word) {
        let end = |name: &str| repository.resolve(if name.is_empty() { "HEAD" } else { name });
        return Ok(format!("{}{dots}{}", end(from)?, end(to)?));
    }
    let short = ["^@", "^!"].iter().find_map(|suffix| Some((word.strip_suffix(suffix)?, *suffix)));
    let short = short.or_else(|| word.rfind("^-").filter(|_| has_parents_suffix(word)).map(|at| word.split_at(at)));
    match short {
        Some((name, suffix)) => Ok(format!("{}{suffix}", repository.resolve(name)?)),
        None => repository.resolve(word),
    }
}
