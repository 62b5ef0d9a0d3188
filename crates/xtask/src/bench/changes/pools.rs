//! Where noise comes from: residuals of real series, each brought to a standard deviation of one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::asv_folders;

/// The residuals in this repository: `residuals/README.md` says how they were measured.
const OWN: &str = include_str!("../../../residuals/pool.json");
/// The folders of results that are read where they are at hand.
const FOLDERS: [&str; 3] = ["kedro", "conda", "eon"];
/// The most series of one pool, so that none has all the say.
const MOST_SERIES: usize = 80;
/// How far residuals may scatter about their median, as a multiple of what neighbours differ by. What wanders farther has changes of its
/// own: put among steps that are known it would make them false.
const MOST_WANDERING: f64 = 1.4;
/// The fewest points that show what noise is like.
const LEAST_POINTS: usize = 60;
/// The quietest stretch of a longer series: whatever else happened there is no noise.
const STRETCH: usize = 150;
/// How many points on either side a running median looks at.
const REACH: usize = 15;

/// Residuals of one origin.
#[derive(Debug, Clone)]
pub struct Pool {
    /// `own`, the name of a folder, or `train`.
    pub name: String,
    /// For each series its residuals, in standard deviations: differences of logarithms.
    pub residuals: Vec<Vec<f64>>,
    /// How many series were left out because they wander.
    pub n_wandering: usize,
}

impl Pool {
    /// Keeps what does not wander, or only that, and at most so many series.
    fn of(name: &str, all: Vec<Vec<f64>>, wanted: Wanted) -> Pool {
        let n_all = all.len();
        let mut residuals: Vec<Vec<f64>> = all;
        residuals.retain(|one| (spread(one) > MOST_WANDERING) == (wanted == Wanted::Wandering));
        let n_wandering = n_all - residuals.len();
        let step = residuals.len().div_ceil(MOST_SERIES).max(1);
        Pool { name: name.to_owned(), residuals: residuals.into_iter().step_by(step).collect(), n_wandering }
    }
}

/// What a pool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Noise about a level.
    Steady,
    /// What else real histories do.
    Wandering,
}

/// Returns the pool of this repository, which is always there.
///
/// # Errors
/// The file is not what it should be.
pub fn own(wanted: Wanted) -> Result<Pool> {
    let document: Value = serde_json::from_str(OWN).context("in `residuals/pool.json`")?;
    let workloads = document["workloads"].as_object().context("`residuals/pool.json` has no `workloads`")?;
    let residuals = workloads.values().filter_map(|list| standardised(&logarithms(&numbers(list), 1e-5)));
    Ok(Pool::of("own", residuals.collect(), wanted))
}

/// Returns the pool of this repository, those of the result folders in `data`, and that of the labelled series there; what is not at hand
/// is left out.
///
/// # Errors
/// A file that is there cannot be read.
pub fn all(data: &Path, wanted: Wanted) -> Result<Vec<Pool>> {
    let mut pools = vec![own(wanted)?];
    for name in FOLDERS {
        let folder = data.join("asv-results").join(name).join("results");
        let series = asv_folders::series(&folder, LEAST_POINTS)?;
        pools.push(Pool::of(name, series.iter().filter_map(|values| of_values(values)).collect(), wanted));
    }
    pools.push(Pool::of("train", labelled(&data.join("change-points/train.json.gz"))?, wanted));
    pools.retain(|pool| !pool.residuals.is_empty());
    Ok(pools)
}

/// The noise of the labelled series without steps: new series are drawn from it, but it is what the method was tuned on.
fn labelled(path: &Path) -> Result<Vec<Vec<f64>>> {
    let Ok(bytes) = fs::read(path) else { return Ok(vec![]) };
    let json: Value = serde_json::from_reader(flate2::read::GzDecoder::new(&bytes[..]))
        .with_context(|| format!("in `{}`", path.display()))?;
    let quiet = json.as_array().into_iter().flatten().filter(|one| one["kind"] == "none");
    Ok(quiet.filter_map(|one| of_values(&numbers(&one["y"]))).collect())
}

/// Returns the numbers of a JSON list.
pub fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// Returns the logarithms of ratios that are written as multiples of `unit` from 1.
fn logarithms(list: &[f64], unit: f64) -> Vec<f64> {
    list.iter().map(|ratio| libm::log1p(ratio * unit)).collect()
}

/// Returns the standardised residuals of a series about its running median; `None` where it has too few values or no noise.
pub fn of_values(values: &[f64]) -> Option<Vec<f64>> {
    if values.len() < LEAST_POINTS || values.iter().any(|value| *value <= 0.0) {
        return None;
    }
    let logarithms: Vec<f64> = values.iter().map(|value| libm::log(*value)).collect();
    let quietest = logarithms.windows(STRETCH.min(values.len())).step_by(10);
    let stretch = quietest.min_by(|a, b| scale(a).total_cmp(&scale(b)))?;
    standardised(&residuals(stretch))
}

/// Returns how far each value is from the running median.
pub fn residuals(values: &[f64]) -> Vec<f64> {
    let around = |at: usize| &values[at.saturating_sub(REACH)..(at + REACH + 1).min(values.len())];
    (0..values.len()).map(|at| values[at] - median(around(at).to_vec())).collect()
}

/// Returns residuals in standard deviations; `None` where more than half of the neighbours are equal.
fn standardised(residuals: &[f64]) -> Option<Vec<f64>> {
    let sigma = scale(residuals);
    (sigma > 0.0).then(|| residuals.iter().map(|residual| residual / sigma).collect())
}

/// The standard deviation about the median, as robust.
fn spread(values: &[f64]) -> f64 {
    let centre = median(values.to_vec());
    1.4826 * median(values.iter().map(|value| (value - centre).abs()).collect())
}

/// The standard deviation of one point by the differences of neighbours, as the judge takes it.
pub fn scale(values: &[f64]) -> f64 {
    let differences: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let centre = median(differences.clone());
    1.4826 * median(differences.iter().map(|d| (d - centre).abs()).collect()) / std::f64::consts::SQRT_2
}

/// Returns the upper of the two in the middle; 0 where there are no values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
