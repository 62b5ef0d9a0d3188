//! An outcome: what one case says about one metric, folded from its rounds.

use crate::{Case, Metric, State};

/// What one case says about one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The case.
    pub case: Case,
    /// The metric.
    pub metric: Metric,
    /// The benchmark's version; `None` where whoever kept the outcome did not say.
    pub version: Option<String>,
    /// The state of the worst round; not run without rounds.
    pub state: State,
    /// The median of the pooled samples, in the metric's base unit; `None` unless measured.
    pub value: Option<f64>,
    /// Half the distance between the quartiles of the pooled samples.
    pub spread: Option<f64>,
    /// The 25 % and 75 % quantiles.
    pub quartiles: Option<(f64, f64)>,
    /// The 99 % interval of the median by order statistics; `None` where there are too few samples.
    pub interval: Option<(f64, f64)>,
    /// All samples, in the order of the rounds; empty where they were not kept.
    pub samples: Vec<f64>,
    /// How many samples the value was made of, whether they were kept or not; 0 where nobody knows.
    pub n_samples: usize,
    /// The median of each measured round's samples, in the order of the rounds: what tells processes apart.
    pub round_values: Vec<f64>,
    /// Calls in each sample, where that is one number.
    pub number: Option<u64>,
    /// How many rounds were run.
    pub n_rounds: usize,
    /// Time of all rounds together.
    pub duration_ns: u64,
    /// The method that gave the samples.
    pub method: Option<String>,
    /// Why it is not measured.
    pub message: Option<String>,
    /// Traceback and output of the round that decided the state.
    pub detail: Option<String>,
}
