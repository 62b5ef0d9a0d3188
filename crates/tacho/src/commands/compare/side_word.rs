//! A side as the user writes it: `HEAD~3`, `FILE`, `machine=lab-7`, `v1.2,python=3.12`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tacho_model::Provenance;

use crate::error::{CommandError, Result};

/// What one side asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SideWord {
    /// As it was written.
    pub(super) text: String,
    /// The subject, if one is named.
    pub(super) subject: Option<String>,
    /// A file of results instead of what is kept.
    pub(super) file: Option<PathBuf>,
    /// The machine's name and values of axes that the runs must have.
    pub(super) facts: BTreeMap<String, String>,
}

impl SideWord {
    /// Reads a side. What is a file is one, whatever its name.
    pub(super) fn parse(text: &str, cwd: &Path) -> Result<SideWord> {
        let empty = SideWord { text: text.to_owned(), subject: None, file: None, facts: BTreeMap::new() };
        let path = cwd.join(text);
        if path.is_file() && !text.ends_with(".py") {
            return Ok(SideWord { file: Some(path), ..empty });
        }
        let mut word = empty;
        for part in text.split(',') {
            match part.split_once('=') {
                Some((name, value)) if is_fact(name) && !value.starts_with('=') => {
                    word.facts.insert(name.to_owned(), value.to_owned());
                }
                _ if word.subject.is_some() => {
                    return Err(CommandError::new(format!("`{text}` names two subjects")).hint(
                        "a side is a commit, run or file, and name=value for machine and axes: `HEAD,python=3.12`",
                    ));
                }
                _ => word.subject = Some(part.to_owned()),
            }
        }
        word.subject = word.subject.filter(|subject| !subject.is_empty());
        if word.subject.is_none() && word.facts.is_empty() {
            return Err(CommandError::new("a side of the comparison is empty").hint("see `tacho compare --help`"));
        }
        Ok(word)
    }

    /// Tells whether a run has the facts that are asked for.
    pub(super) fn fits(&self, provenance: &Provenance) -> bool {
        let has = |(name, value): (&String, &String)| match name.as_str() {
            "machine" => provenance.machine.name == *value,
            axis => provenance.environment.axes.get(axis) == Some(value),
        };
        self.facts.iter().all(has)
    }
}

/// `machine`, or an axis: a word of letters, digits, dots, dashes and underscores that begins with a letter.
fn is_fact(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.all(|c| c.is_alphanumeric() || "._-".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, subject: Option<&str>, facts: &[(&str, &str)]) {
        let word = SideWord::parse(text, Path::new("/nowhere")).unwrap();
        let facts = facts.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        assert_eq!((word.subject.as_deref(), word.facts), (subject, facts), "{text}");
    }

    #[test]
    fn a_side_is_a_subject_and_facts() {
        check("HEAD~3", Some("HEAD~3"), &[]);
        check("machine=lab-7", None, &[("machine", "lab-7")]);
        check("v1.2,python=3.12", Some("v1.2"), &[("python", "3.12")]);
        check(
            "req.numpy=2.1,env.OMP_NUM_THREADS=1,main",
            Some("main"),
            &[("env.OMP_NUM_THREADS", "1"), ("req.numpy", "2.1")],
        );
        check("numpy==1.26.4", Some("numpy==1.26.4"), &[]);
    }

    #[test]
    fn two_subjects_are_refused() {
        assert!(SideWord::parse("HEAD,main", Path::new("/nowhere")).is_err());
        assert!(SideWord::parse("", Path::new("/nowhere")).is_err());
    }
}
