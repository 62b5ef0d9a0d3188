//! Released versions as a history: their order, and ranges of them in the words for commits.

use std::cmp::Ordering;
use std::io;
use std::str::FromStr;

use pep440_rs::Version;

use super::range::listed;
use super::{HistoryError, nearest};

/// Returns the order of two versions by PEP 440. What does not parse comes first, by its text.
pub fn version_order(one: &str, other: &str) -> Ordering {
    match (Version::from_str(one), Version::from_str(other)) {
        // Two spellings of one version keep an order of their own.
        (Ok(a), Ok(b)) => a.cmp(&b).then_with(|| one.cmp(other)),
        (Ok(_), Err(_)) => Ordering::Greater,
        (Err(_), Ok(_)) => Ordering::Less,
        (Err(_), Err(_)) => one.cmp(other),
    }
}

/// Which versions a run is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionRange {
    /// The newest ones, back to the first that has results.
    New,
    /// Every version.
    All,
    /// Those that have results.
    Existing,
    /// Those that have none.
    Missing,
    /// The newest one that is no pre-release, or the newest where all are.
    Latest,
    /// These, in this order.
    Versions(Vec<String>),
    /// Those after the first, up to and including the second; an absent one is no limit.
    Between(Option<String>, Option<String>),
}

/// The versions of a range.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionSelection {
    /// Each once, the newest first; listed ones in the order of their list.
    pub versions: Vec<String>,
    /// Versions that have results and are not among those to choose from.
    pub lost: Vec<String>,
}

impl VersionRange {
    /// Returns the range that some words name. `read` is asked for the text of `HASHFILE:`'s file; its name is `-`
    /// for standard input.
    ///
    /// # Errors
    /// [`HistoryError::Words`], [`HistoryError::HashFile`].
    pub fn parse(text: &str, read: impl FnOnce(&str) -> io::Result<String>) -> Result<VersionRange, HistoryError> {
        let wrong = |reason: &str| HistoryError::Words { range: text.to_owned(), reason: reason.to_owned() };
        let text = text.trim();
        if let Some(path) = text.strip_prefix("HASHFILE:") {
            return Ok(VersionRange::Versions(listed(path, read)?));
        }
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let range = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => return Err(wrong("it is empty")),
            ["NEW"] => VersionRange::New,
            ["ALL"] => VersionRange::All,
            ["EXISTING"] => VersionRange::Existing,
            ["MISSING"] => VersionRange::Missing,
            ["LATEST"] => VersionRange::Latest,
            [word] if word.contains("..") => {
                let (after, to) = word.split_once("..").unwrap_or_default();
                let end = |end: &str| (!end.is_empty()).then(|| end.to_owned());
                VersionRange::Between(end(after), end(to))
            }
            _ => VersionRange::Versions(words),
        };
        match &range {
            VersionRange::Versions(words) if words.iter().any(|word| word.contains("..") || word.starts_with('-')) => {
                Err(wrong("a range of versions stands alone, without options"))
            }
            _ => Ok(range),
        }
    }

    /// Returns the versions out of `versions`, in whatever order those come. `known` tells whether a version has
    /// results; `existing` lists all that have.
    ///
    /// # Errors
    /// [`HistoryError::UnknownVersion`] for one that is listed and not there. The ends of a range need not be there.
    pub fn select(
        &self,
        versions: &[String],
        known: &dyn Fn(&str) -> bool,
        existing: &[String],
    ) -> Result<VersionSelection, HistoryError> {
        let mut newest_first = versions.to_vec();
        newest_first.sort_by(|one, other| version_order(other, one));
        newest_first.dedup();
        let kept = |keep: &dyn Fn(&String) -> bool| -> Vec<String> {
            newest_first.iter().filter(|version| keep(version)).cloned().collect()
        };
        let mut lost = Vec::new();
        let versions = match self {
            VersionRange::New => newest_first.iter().take_while(|version| !known(version)).cloned().collect(),
            VersionRange::All => newest_first.clone(),
            VersionRange::Missing => kept(&|version| !known(version)),
            VersionRange::Existing => {
                lost.extend(existing.iter().filter(|version| !versions.contains(version)).cloned());
                kept(&|version| existing.contains(version))
            }
            VersionRange::Latest => {
                let latest = newest_first.iter().find(|version| is_final(version)).or(newest_first.first());
                latest.into_iter().cloned().collect()
            }
            VersionRange::Versions(words) => listed_ones(words, &newest_first)?,
            VersionRange::Between(after, to) => {
                let is_after = |version: &str| after.as_ref().is_none_or(|end| compared(version, end).is_gt());
                let is_up_to = |version: &str| to.as_ref().is_none_or(|end| compared(version, end).is_le());
                kept(&|version| is_after(version) && is_up_to(version))
            }
        };
        Ok(VersionSelection { versions, lost })
    }
}

/// Returns the order of a version and the end of a range: `1.0` and `1.0.0` are the same.
fn compared(version: &str, end: &str) -> Ordering {
    match (Version::from_str(version), Version::from_str(end)) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => version_order(version, end),
    }
}

fn is_final(version: &str) -> bool {
    Version::from_str(version).is_ok_and(|version| !version.any_prerelease())
}

fn listed_ones(words: &[String], newest_first: &[String]) -> Result<Vec<String>, HistoryError> {
    let mut found: Vec<String> = Vec::new();
    for word in words {
        let same = newest_first.iter().find(|version| *version == word);
        let same = same.or_else(|| newest_first.iter().find(|version| compared(version, word).is_eq()));
        let unknown = || HistoryError::UnknownVersion {
            version: word.clone(),
            nearest: nearest::near_or_first(word, newest_first.iter().map(String::as_str)),
        };
        let version = same.ok_or_else(unknown)?;
        if !found.contains(version) {
            found.push(version.clone());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASES: [&str; 8] = ["1.10.0", "1.3.5", "1.4.0", "1.3.10", "1.4.0rc1", "2.0.dev1", "1.4.0.post1", "odd"];

    fn check(words: &str, known: &[&str], expected: &[&str]) {
        let range = VersionRange::parse(words, |_| Ok("1.4.0 # a comment\n\n# none\n1.3.5\n".to_owned())).unwrap();
        let existing: Vec<String> = known.iter().map(|version| (*version).to_owned()).collect();
        let known = |version: &str| existing.iter().any(|known| known == version);
        let chosen = range.select(&RELEASES.map(str::to_owned), &known, &existing).unwrap();
        assert_eq!(chosen.versions, expected, "{words}");
    }

    #[test]
    fn versions_are_chosen_in_the_words_for_commits() {
        let all = ["2.0.dev1", "1.10.0", "1.4.0.post1", "1.4.0", "1.4.0rc1", "1.3.10", "1.3.5", "odd"];
        check("ALL", &[], &all);
        check("LATEST", &[], &["1.10.0"]);
        check("NEW", &["1.4.0"], &["2.0.dev1", "1.10.0", "1.4.0.post1"]);
        check("NEW", &[], &all);
        check("EXISTING", &["1.3.5", "1.10.0", "0.1"], &["1.10.0", "1.3.5"]);
        check("MISSING", &["2.0.dev1", "1.10.0", "1.4.0rc1", "1.3.10", "odd"], &["1.4.0.post1", "1.4.0", "1.3.5"]);
        check("1.3.5..1.4.0", &[], &["1.4.0", "1.4.0rc1", "1.3.10"]);
        check("1.3.7..1.4", &[], &["1.4.0", "1.4.0rc1", "1.3.10"]);
        check("1.4.0..", &[], &["2.0.dev1", "1.10.0", "1.4.0.post1"]);
        check("..1.3.5", &[], &["1.3.5", "odd"]);
        check("1.10.0..1.4.0", &[], &[]);
        check("1.4 1.3.5 v1.4.0", &[], &["1.4.0", "1.3.5"]);
        check("HASHFILE:releases", &[], &["1.4.0", "1.3.5"]);
    }

    #[test]
    fn the_order_is_that_of_pep_440() {
        // The example of PEP 440, "Summary of permitted suffixes and relative ordering".
        let order = "1.dev0 1.0.dev456 1.0a1 1.0a2.dev456 1.0a12.dev456 1.0a12 1.0b1.dev456 1.0b2 1.0b2.post345.dev456 \
                     1.0b2.post345 1.0rc1.dev456 1.0rc1 1.0 1.0+abc.5 1.0+abc.7 1.0+5 1.0.post456.dev34 1.0.post456 \
                     1.0.15 1.1.dev1";
        let order: Vec<&str> = order.split_whitespace().collect();
        let mut shuffled = order.clone();
        shuffled.sort_unstable();
        shuffled.sort_by(|one, other| version_order(one, other));
        assert_eq!(shuffled, order);
    }

    #[test]
    fn what_is_lost_and_what_is_unknown_is_told() {
        let releases = ["1.3.5".to_owned(), "1.4.0".to_owned()];
        let parse = |words| VersionRange::parse(words, |_| Ok(String::new()));
        let select = |words| parse(words).unwrap().select(&releases, &|_| true, &["0.9".to_owned()]);
        assert_eq!(select("EXISTING").unwrap().lost, ["0.9"]);
        let check = |words, expected: &str| assert_eq!(select(words).unwrap_err().to_string(), expected);
        check("1.4.1", "there is no version `1.4.1`; there is `1.4.0`");
        check("new", "there is no version `new`; there are `1.4.0`, `1.3.5`");
        let error = parse("1.3.5..1.4.0 1.5").unwrap_err().to_string();
        assert_eq!(error, "cannot use the range `1.3.5..1.4.0 1.5`: a range of versions stands alone, without options");
        assert!(parse(" ").is_err());
    }
}
