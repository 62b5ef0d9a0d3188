//! Which benchmarks and cases a user's `--bench` patterns select, by asv's rule.
//!
//! A pattern is a regular expression of Python that is searched for in a case's full name: `name`, or
//! `name(text, text)` with parameters. Beyond asv's rule, a pattern that fits no full name of a benchmark
//! selects all its cases where it fits the bare name (`time_sort$`); patterns with a negative look-around
//! are left out of that, since what they refuse is refused with the parameters in view.

mod name_pattern;
mod python_regex;

use fancy_regex::{Regex, RegexBuilder};
use std::collections::HashSet;

use tacho_model::{Benchmark, Case};
use thiserror::Error;

pub use name_pattern::NamePattern;

/// Steps that one search may take back. Names are short: a pattern that needs more would not end.
const BACKTRACK_LIMIT: usize = 50_000;

/// So many characters of a name are told where its search was given up.
const LONGEST_TOLD: usize = 80;

/// A pattern that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is no regular expression.
    #[error("cannot read the pattern `{pattern}`: {reason} at position {position}")]
    Syntax {
        /// The pattern.
        pattern: String,
        /// What is wrong.
        reason: String,
        /// Where, in characters from 0 as Python counts.
        position: usize,
    },
    /// It is one that our engine does not take.
    #[error("cannot use the pattern `{pattern}`: {reason}")]
    Unsupported {
        /// The pattern.
        pattern: String,
        /// Why not.
        reason: String,
    },
    /// Its search does not come to an end.
    #[error("gave up on the pattern `{pattern}`: it takes too many steps on `{name}`")]
    TooSlow {
        /// The pattern.
        pattern: String,
        /// The name that was searched, or the beginning of a long one.
        name: String,
    },
}

/// A regular expression with Python's syntax and the semantics of `re.search`.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    regex: Regex,
    traits: python_regex::Traits,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Not a regular expression of Python, or one beyond what is supported.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let translated = python_regex::translate(text).map_err(|error| PatternError::Syntax {
            pattern: text.to_owned(),
            reason: error.reason,
            position: error.position,
        })?;
        let built = RegexBuilder::new(&translated.text).backtrack_limit(BACKTRACK_LIMIT).build();
        let regex = built.map_err(|error| PatternError::Unsupported {
            pattern: text.to_owned(),
            reason: error.to_string().replace('\n', " "),
        })?;
        Ok(Pattern { text: text.to_owned(), regex, traits: translated.traits })
    }

    /// Returns the pattern as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true where the pattern is found anywhere in `name`.
    ///
    /// # Errors
    /// [`PatternError::TooSlow`].
    pub fn is_in(&self, name: &str) -> Result<bool, PatternError> {
        self.regex.is_match(name).map_err(|_| self.too_slow(name))
    }

    /// Returns true where the first match at the beginning of `name` reaches to its end: how asv compares.
    ///
    /// That is less than a full match: `a|ab` finds `a` in `ab` and goes no further.
    ///
    /// # Errors
    /// [`PatternError::TooSlow`].
    pub fn reaches_end(&self, name: &str) -> Result<bool, PatternError> {
        let found = self.regex.find(name).map_err(|_| self.too_slow(name))?;
        Ok(found.is_some_and(|found| found.start() == 0 && found.end() == name.len()))
    }

    fn too_slow(&self, name: &str) -> PatternError {
        PatternError::TooSlow { pattern: self.text.clone(), name: shortened(name) }
    }
}

/// Returns the beginning of a name: parameters may be of any length.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST_TOLD) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// All patterns of a command line; without any, everything is selected.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    patterns: Vec<Pattern>,
}

impl Selection {
    /// Reads the patterns.
    ///
    /// # Errors
    /// The first pattern that cannot be used.
    pub fn parse<T: AsRef<str>>(patterns: &[T]) -> Result<Selection, PatternError> {
        let patterns = patterns.iter().map(|text| Pattern::parse(text.as_ref())).collect::<Result<_, _>>()?;
        Ok(Selection { patterns })
    }

    /// Returns true where there are no patterns.
    pub fn is_everything(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns true where a pattern is found in a bare name, such as that of a benchmark that could not be described.
    pub fn finds(&self, name: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.is_in(name).unwrap_or(false))
    }

    /// Returns the indices of a benchmark's cases that any of the patterns selects, ascending.
    ///
    /// # Errors
    /// [`PatternError::TooSlow`].
    pub fn select(&self, benchmark: &Benchmark) -> Result<Vec<usize>, PatternError> {
        let all = || (0..benchmark.n_cases()).collect::<Vec<usize>>();
        if self.is_everything() {
            return Ok(all());
        }
        if benchmark.parameters.is_empty() {
            return Ok(if self.any_in(&benchmark.name)? { all() } else { Vec::new() });
        }
        for pattern in self.patterns.iter().filter(|pattern| pattern.traits.ignores_what_follows) {
            // What is in the name is in every full name too, so that these need not be built.
            if pattern.is_in(&benchmark.name)? {
                return Ok(all());
            }
        }
        self.select_by_full_name(&benchmark.name, benchmark.cases())
    }

    /// Returns the positions of those of one benchmark's `cases` that any of the patterns selects.
    ///
    /// # Errors
    /// [`PatternError::TooSlow`].
    pub fn select_cases(&self, cases: &[&Case]) -> Result<Vec<usize>, PatternError> {
        let Some(first) = cases.first().filter(|_| !self.is_everything()) else { return Ok(indices(cases)) };
        let selected = self.select_by_full_name(&first.benchmark, cases.iter().map(|case| (*case).clone()))?;
        let selected: HashSet<usize> = selected.into_iter().collect();
        Ok((0..cases.len()).filter(|position| selected.contains(&cases[*position].index)).collect())
    }

    fn any_in(&self, name: &str) -> Result<bool, PatternError> {
        for pattern in &self.patterns {
            if pattern.is_in(name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn select_by_full_name(
        &self,
        benchmark: &str,
        cases: impl Iterator<Item = Case>,
    ) -> Result<Vec<usize>, PatternError> {
        let mut all = Vec::new();
        let mut selected = Vec::new();
        let mut fits_some = vec![false; self.patterns.len()];
        for case in cases {
            all.push(case.index);
            let name = case.full_name();
            let mut is_selected = false;
            for (pattern, fits_some) in self.patterns.iter().zip(&mut fits_some) {
                if (!is_selected || !*fits_some) && pattern.is_in(&name)? {
                    (is_selected, *fits_some) = (true, true);
                }
            }
            if is_selected {
                selected.push(case.index);
            }
        }
        for (pattern, fits_some) in self.patterns.iter().zip(fits_some) {
            if !fits_some && !pattern.traits.refuses && pattern.is_in(benchmark)? {
                return Ok(all);
            }
        }
        Ok(selected)
    }
}

fn indices<T>(items: &[T]) -> Vec<usize> {
    (0..items.len()).collect()
}

#[cfg(test)]
mod tests;
