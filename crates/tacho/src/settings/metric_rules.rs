//! `[[metric]]`: what the project says of a metric's unit and direction.

use tacho_measure::matching::NamePattern;
use tacho_model::{Benchmark, Direction, Metric};

/// Declares unit, direction or exactness of the metrics of some benchmarks.
#[derive(Debug, Clone)]
pub(crate) struct MetricRule {
    benchmark: NamePattern,
    name: Option<String>,
    unit: Option<String>,
    better: Option<Direction>,
    exact: Option<bool>,
}

impl MetricRule {
    /// Returns a rule for the benchmarks that `pattern` matches: a glob, or a regular expression in slashes.
    pub(crate) fn new(
        pattern: &str,
        name: Option<String>,
        unit: Option<String>,
        better: Option<&str>,
        exact: Option<bool>,
    ) -> std::result::Result<MetricRule, String> {
        let benchmark = NamePattern::parse(pattern)?;
        Ok(MetricRule { benchmark, name, unit, better: better.and_then(Direction::parse), exact })
    }

    /// Applies the rule to a benchmark's metrics.
    pub(crate) fn apply(&self, benchmark: &mut Benchmark) {
        for metric in &mut benchmark.metrics {
            self.apply_to(&benchmark.name, metric);
        }
    }

    /// Applies the rule to one metric of the benchmark of that name.
    pub(crate) fn apply_to(&self, benchmark: &str, metric: &mut Metric) {
        let is_meant = self.name.as_ref().is_none_or(|name| *name == metric.name);
        if !is_meant || !self.benchmark.matches(benchmark) {
            return;
        }
        if let Some(unit) = &self.unit {
            metric.unit.clone_from(unit);
        }
        let known = self.better.or_else(|| Direction::of_unit(&metric.unit).filter(|_| metric.direction_assumed));
        if let Some(direction) = known {
            metric.direction = direction;
            metric.direction_assumed = false;
        }
        metric.exact = self.exact.unwrap_or(metric.exact);
    }
}
