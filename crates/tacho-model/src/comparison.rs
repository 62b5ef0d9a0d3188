//! A comparison: two sides of one case and metric, and what may be said of them.

use std::collections::BTreeMap;

use crate::{Case, Metric, Outcome};

/// What a comparison says. `Faster` and `Slower` mean better and worse, whatever the metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The later side is better.
    Faster,
    /// The later side is worse.
    Slower,
    /// The sides differ by less than the band.
    Unchanged,
    /// The evidence does not reach for any of the others.
    Inconclusive,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 4] = [Verdict::Faster, Verdict::Slower, Verdict::Unchanged, Verdict::Inconclusive];

    /// Returns the word used in every format: `faster`, `slower`, `unchanged` or `inconclusive`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Unchanged => "unchanged",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

/// How far the later side is from the earlier one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effect {
    /// Later over earlier: for metrics that are positive on both sides.
    Ratio {
        /// The ratio.
        value: f64,
        /// Its interval, where the evidence gives one.
        interval: Option<(f64, f64)>,
    },
    /// Later minus earlier, in the metric's unit: where a side is zero or negative.
    Difference {
        /// The difference.
        value: f64,
        /// Its interval, where the evidence gives one.
        interval: Option<(f64, f64)>,
    },
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Basis {
    /// The noise between runs, from the series' own past.
    History {
        /// How many differences between neighbours the noise was taken from.
        n_differences: usize,
    },
    /// The processes of the two sides: one experiment, blind to what differs between experiments.
    Processes {
        /// Processes of the earlier side.
        n_before: usize,
        /// Processes of the later side.
        n_after: usize,
    },
    /// A metric in which any difference is real.
    Exact,
    /// asv's rule: a factor, and a test on the samples or intervals.
    Asv,
    /// Too little of anything.
    TooLittle {
        /// Processes of the earlier side.
        n_before: usize,
        /// Processes of the later side.
        n_after: usize,
    },
}

/// A verdict with the effect and what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// How large the change is.
    pub effect: Effect,
    /// What the verdict rests on.
    pub basis: Basis,
    /// True for a real change that lies inside the band: shown, never blocking.
    pub within_band: bool,
}

/// A fact in which two sides differ, so that their numbers are not of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The fact: `version`, `unit`, `method`, `machine`, or the name of an axis.
    pub field: String,
    /// What it is on the earlier side, if it is known there.
    pub before: Option<String>,
    /// What it is on the later side, if it is known there.
    pub after: Option<String>,
}

/// What may be said of two sides of one case and metric.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// Both were measured in the same way.
    Judged(Judgement),
    /// Measured before, failing after.
    NewlyFailing,
    /// Failing before, measured after.
    Fixed,
    /// Failing on both sides.
    StillFailing,
    /// Skipped or not run on a side.
    NotMeasured,
    /// Only the earlier side has it.
    OnlyBefore,
    /// Only the later side has it.
    OnlyAfter,
    /// Both were measured, but not in the same way.
    Incomparable(Vec<Disagreement>),
}

/// Two sides of one case and metric, on one machine and in one environment unless declared otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The case, as the later side has it.
    pub case: Case,
    /// The metric, as the later side has it.
    pub metric: Metric,
    /// The machine: the later side's.
    pub machine: String,
    /// The axes: the later side's.
    pub axes: BTreeMap<String, String>,
    /// The earlier side.
    pub before: Option<Outcome>,
    /// The later side.
    pub after: Option<Outcome>,
    /// What may be said.
    pub standing: Standing,
}
