//! A round as it stands in a record.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finite;
use super::provenance::Load;
use super::time::Instant;
use super::words::{Isolation, State};
use crate::error::Misfit;

/// One fresh process of one case, and the readings it gave.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Round {
    /// The benchmark's name.
    benchmark: String,
    /// The case's parameter texts, Python literals in the order of the benchmark's parameters.
    parameters: Vec<String>,
    /// Which round of the case this is, from 0.
    round: u32,
    /// Position in the order of everything that was run, from 0.
    slot: u64,
    /// When it began.
    started_at: Instant,
    /// Only in the first round after the run had been interrupted and was taken up again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resumed: Option<Resumption>,
    /// How long the process took in nanoseconds, set-up and warm-up included.
    duration_ns: u64,
    /// How it ended.
    state: State,
    /// The named, versioned way of measuring that gave the samples.
    method: String,
    /// How its process was made.
    isolation: Isolation,
    /// The readings by the name of their metric; empty unless measured.
    samples: BTreeMap<String, Samples>,
    /// What came for free by name; annotates, and is never a series.
    observed: BTreeMap<String, f64>,
    /// One line that says why it is not measured.
    message: Option<String>,
    /// Traceback and the end of what was printed, for a failure.
    detail: Option<String>,
}

/// That an interrupted run was taken up again.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Resumption {
    /// When.
    at: Instant,
    /// Load of the machine just before.
    load: Option<Load>,
}

/// The readings of one metric in one round.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Samples {
    /// Times of whole inner loops.
    Loops {
        /// Calls in each sample.
        #[schemars(range(min = 1))]
        number: u64,
        /// Nanoseconds for all calls of one sample together.
        loop_ns: Vec<u64>,
    },
    /// Values in the metric's unit.
    Values {
        /// The values, always finite.
        values: Vec<f64>,
    },
}

impl Round {
    pub(crate) fn from_model(round: &tacho_model::Round) -> Result<Round, Misfit> {
        let tacho_model::Round {
            benchmark,
            parameters,
            round,
            slot,
            started_at,
            resumed,
            duration_ns,
            state,
            method,
            isolation,
            samples,
            observed,
            message,
            detail,
        } = round;
        let place = || format!("round {round} of `{benchmark}`");
        for (name, value) in observed {
            finite(*value, || format!("{}, observation `{name}`", place()))?;
        }
        let twin = |(name, samples): (&String, &tacho_model::Samples)| {
            let found = Samples::from_model(samples);
            let twin = found.map_err(|Misfit(why)| Misfit(format!("{}, metric `{name}`: {why}", place())))?;
            Ok((name.clone(), twin))
        };
        Ok(Round {
            benchmark: benchmark.clone(),
            parameters: parameters.clone(),
            round: *round,
            slot: *slot,
            started_at: Instant::from_model(*started_at)?,
            resumed: resumed.map(Resumption::from_model).transpose()?,
            duration_ns: *duration_ns,
            state: (*state).into(),
            method: method.clone(),
            isolation: (*isolation).into(),
            samples: samples.iter().map(twin).collect::<Result<_, Misfit>>()?,
            observed: observed.clone(),
            message: message.clone(),
            detail: detail.clone(),
        })
    }

    pub(crate) fn into_model(self) -> Result<tacho_model::Round, Misfit> {
        let Round {
            benchmark,
            parameters,
            round,
            slot,
            started_at,
            resumed,
            duration_ns,
            state,
            method,
            isolation,
            samples,
            observed,
            message,
            detail,
        } = self;
        let noun = |(name, samples): (String, Samples)| Ok((name, samples.into_model()?));
        Ok(tacho_model::Round {
            benchmark,
            parameters,
            round,
            slot,
            started_at: started_at.into_model()?,
            resumed: resumed.map(Resumption::into_model).transpose()?,
            duration_ns,
            state: state.into(),
            method,
            isolation: isolation.into(),
            samples: samples.into_iter().map(noun).collect::<Result<_, Misfit>>()?,
            observed,
            message,
            detail,
        })
    }
}

impl Resumption {
    fn from_model(resumption: tacho_model::Resumption) -> Result<Resumption, Misfit> {
        let tacho_model::Resumption { at, load } = resumption;
        Ok(Resumption { at: Instant::from_model(at)?, load: load.map(Load::from_model).transpose()? })
    }

    fn into_model(self) -> Result<tacho_model::Resumption, Misfit> {
        let Resumption { at, load } = self;
        Ok(tacho_model::Resumption { at: at.into_model()?, load: load.map(Load::into_model) })
    }
}

impl Samples {
    fn from_model(samples: &tacho_model::Samples) -> Result<Samples, Misfit> {
        match samples {
            tacho_model::Samples::Loops { number, loop_ns } => {
                at_least_one(*number)?;
                Ok(Samples::Loops { number: *number, loop_ns: loop_ns.clone() })
            }
            tacho_model::Samples::Values(values) => {
                values.iter().try_for_each(|value| finite(*value, || "a sample".into()).map(drop))?;
                Ok(Samples::Values { values: values.clone() })
            }
        }
    }

    fn into_model(self) -> Result<tacho_model::Samples, Misfit> {
        match self {
            Samples::Loops { number, loop_ns } => {
                at_least_one(number)?;
                Ok(tacho_model::Samples::Loops { number, loop_ns })
            }
            Samples::Values { values } => Ok(tacho_model::Samples::Values(values)),
        }
    }
}

fn at_least_one(number: u64) -> Result<(), Misfit> {
    if number == 0 { Err(Misfit("samples of no calls".into())) } else { Ok(()) }
}
