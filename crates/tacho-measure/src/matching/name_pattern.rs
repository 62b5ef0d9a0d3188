//! Names in configuration: globs, or regular expressions between slashes.

use globset::{GlobBuilder, GlobMatcher};

/// Steps that one search may take back. Names are short: a pattern that needs more would not end.
const BACKTRACK_LIMIT: usize = 50_000;

/// A pattern for names.
#[derive(Debug, Clone)]
pub enum NamePattern {
    /// A glob over the whole name.
    Glob(GlobMatcher),
    /// A regular expression, found anywhere in the name.
    Regex(Box<fancy_regex::Regex>),
}

impl NamePattern {
    /// Reads `/…/` as a regular expression and everything else as a glob.
    ///
    /// # Errors
    /// Neither of them, in the words of the engine.
    pub fn parse(text: &str) -> Result<NamePattern, String> {
        if let Some(regex) = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
            let mut builder = fancy_regex::RegexBuilder::new(regex);
            let regex = builder.backtrack_limit(BACKTRACK_LIMIT).build().map_err(|error| error.to_string())?;
            return Ok(NamePattern::Regex(Box::new(regex)));
        }
        let glob = GlobBuilder::new(text).literal_separator(false).build().map_err(|error| error.to_string())?;
        Ok(NamePattern::Glob(glob.compile_matcher()))
    }

    /// Returns true where the pattern fits the name. A pattern that gives up fits nothing.
    pub fn matches(&self, name: &str) -> bool {
        match self {
            NamePattern::Glob(glob) => glob.is_match(name),
            NamePattern::Regex(regex) => regex.is_match(name).unwrap_or(false),
        }
    }
}
