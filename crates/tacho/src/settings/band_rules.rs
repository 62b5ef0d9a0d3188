//! `[judge]`: the differences that do not matter.

use tacho_measure::matching::NamePattern;

/// The band of some benchmarks.
#[derive(Debug, Clone)]
pub(crate) struct BandRule {
    benchmark: NamePattern,
    percent: f64,
}

impl BandRule {
    /// Returns a rule for the benchmarks that `pattern` matches: a glob, or a regular expression in slashes.
    pub(crate) fn new(pattern: &str, percent: f64) -> std::result::Result<BandRule, String> {
        Ok(BandRule { benchmark: NamePattern::parse(pattern)?, percent })
    }

    /// Returns the band where the rule is about this benchmark.
    pub(crate) fn percent_of(&self, benchmark: &str) -> Option<f64> {
        self.benchmark.matches(benchmark).then_some(self.percent)
    }
}

/// A band is a share of the value: not negative, and less than the whole.
pub(crate) fn is_band(percent: f64) -> bool {
    (0.0..100.0).contains(&percent)
}
