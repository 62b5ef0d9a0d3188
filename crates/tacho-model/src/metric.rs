//! What is counted: a metric with its unit and the direction that is better.

/// Which way a metric gets better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Less is better: time, memory.
    Lower,
    /// More is better: throughput, a score.
    Higher,
    /// Neither way is better: a change is only a change.
    None,
}

impl Direction {
    /// Returns the word used in every format: `lower`, `higher` or `none`.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Lower => "lower",
            Direction::Higher => "higher",
            Direction::None => "none",
        }
    }

    /// Reads [`Direction::word`] back.
    pub fn parse(word: &str) -> Option<Direction> {
        [Direction::Lower, Direction::Higher, Direction::None].into_iter().find(|d| d.word() == word)
    }

    /// Returns the direction that a unit tells by itself: rates are better when higher, times and
    /// sizes when lower; `None` for a unit that says nothing.
    pub fn of_unit(unit: &str) -> Option<Direction> {
        let unit = unit.trim().to_lowercase();
        // `runtime (s)`: what stands in parentheses is the unit proper.
        let inner = unit.strip_suffix(')').and_then(|unit| unit.rsplit_once('(')).map(|(_, inner)| inner.trim());
        inner.and_then(Direction::of_word).or_else(|| Direction::of_word(&unit))
    }

    fn of_word(unit: &str) -> Option<Direction> {
        if is_rate(unit) || is_per_time(unit) {
            Some(Direction::Higher)
        } else if TIMES_AND_SIZES.contains(&unit) {
            Some(Direction::Lower)
        } else {
            None
        }
    }
}

/// Rates by their own names.
const RATES: [&str; 17] = [
    "flops", "flop/s", "ops", "hz", "iops", "fps", "qps", "rps", "tps", "bps", "ups", "lups", "gups", "teps", "mips",
    "ips", "rpm",
];

/// What is counted in a second, where a unit ends with one `s` more: Devito writes GFLOP/s and Gpoints/s as `gflopss` and `gpointss`.
const COUNTED: [&str; 12] =
    ["flop", "point", "op", "cell", "update", "byte", "bit", "sample", "event", "iteration", "step", "particle"];

/// Returns true for a rate with or without a prefix: `mlups`, `gflops`, `gpointss`.
fn is_rate(unit: &str) -> bool {
    let is_plain = |unit: &str| {
        let counted = unit.strip_suffix("ss").is_some_and(|noun| COUNTED.contains(&noun));
        RATES.contains(&unit) || unit.ends_with("flops") || counted
    };
    is_plain(unit) || unit.strip_prefix(['k', 'm', 'g', 't', 'p', 'e']).is_some_and(is_plain)
}

const TIMES_AND_SIZES: [&str; 33] = [
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "ms",
    "msec",
    "millisecond",
    "milliseconds",
    "us",
    "µs",
    "usec",
    "microsecond",
    "microseconds",
    "ns",
    "nsec",
    "nanosecond",
    "nanoseconds",
    "min",
    "minute",
    "minutes",
    "h",
    "hour",
    "hours",
    "b",
    "byte",
    "bytes",
    "kb",
    "mb",
    "gb",
    "kib",
    "mib",
    "gib",
];

fn is_per_time(unit: &str) -> bool {
    ["/s", "/sec", "/second", "/ms", "/us", "/µs", "/ns", "/min", "/h"].iter().any(|end| unit.ends_with(end))
        || [" per second", " per s", " per minute", " per hour"].iter().any(|end| unit.ends_with(end))
}

/// What is counted by a benchmark, with its unit and direction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Metric {
    /// The metric's name within its benchmark: `time`, `memory`, `peak_memory`, `value`, …
    pub name: String,
    /// The unit's text as the benchmark gives it (`seconds`, `bytes`, `GFLOP/s`).
    pub unit: String,
    /// Which way is better.
    pub direction: Direction,
    /// True where nobody declared the direction and asv's rule (lower) was taken.
    pub direction_assumed: bool,
    /// True where any difference is real: instruction or allocation counts.
    pub exact: bool,
}

impl Metric {
    /// Returns a metric whose direction is taken from `declared`, else from the unit, else assumed lower.
    pub fn new(name: &str, unit: &str, declared: Option<Direction>) -> Metric {
        let known = declared.or_else(|| Direction::of_unit(unit));
        Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            direction: known.unwrap_or(Direction::Lower),
            direction_assumed: known.is_none(),
            exact: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(unit: &str, expected: Option<Direction>) {
        assert_eq!(Direction::of_unit(unit), expected, "unit {unit:?}");
    }

    #[test]
    fn what_hpc_suites_call_their_units_is_understood() {
        for unit in
            ["gflopss", "gpointss", "GFLOPSS", "MLUPS", "GTEPS", "kIOPS", "Throughput (MB/s)", "speed (GFLOP/s)"]
        {
            check(unit, Some(Direction::Higher));
        }
        for unit in ["runtime (s)", "Runtime (ms)", "memory (MiB)"] {
            check(unit, Some(Direction::Lower));
        }
        for unit in ["loss", "glass", "pass", "bass", "points", "f(x)", "ratio ()"] {
            check(unit, None);
        }
    }

    #[test]
    fn rates_are_better_when_higher() {
        for unit in [
            "GFLOP/s",
            "ops/s",
            "MB/s",
            "particles/second",
            "MFlops",
            "requests per second",
            "Hz",
            "gflopss",
            "gpointss",
        ] {
            check(unit, Some(Direction::Higher));
        }
    }

    #[test]
    fn times_and_sizes_are_better_when_lower() {
        for unit in ["seconds", "s", "ms", "bytes", "KiB", " Milliseconds "] {
            check(unit, Some(Direction::Lower));
        }
    }

    #[test]
    fn an_unknown_unit_is_assumed_lower_and_says_so() {
        check("unit", None);
        let metric = Metric::new("value", "unit", None);
        assert_eq!((metric.direction, metric.direction_assumed), (Direction::Lower, true));
        let declared = Metric::new("value", "unit", Some(Direction::Higher));
        assert_eq!((declared.direction, declared.direction_assumed), (Direction::Higher, false));
    }
}
