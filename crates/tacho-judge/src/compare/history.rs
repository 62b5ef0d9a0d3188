//! What the past of a series says of the noise between its runs.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use tacho_model::{Outcome, PastPoint, PastSeries, Provenance, Results};

use super::sides::{CaseKey, Place};
use super::steps::steps;
use crate::quantile::{MAD_TO_SD, median};

/// How many differences between neighbours count at most, the newest first: older noise is another machine's.
const MOST_DIFFERENCES: usize = 50;
/// How many are needed to say anything.
const FEWEST_DIFFERENCES: usize = 8;

/// The past of many series: values by subject, in the order of history.
#[derive(Debug, Default)]
pub struct History {
    places: HashMap<Place, HashMap<CaseKey, Vec<Point>>>,
}

/// What a series had at one subject.
#[derive(Debug)]
struct Point {
    subject: Arc<str>,
    values: Vec<f64>,
    version: Option<Arc<str>>,
    unit: Arc<str>,
    method: Option<Arc<str>>,
}

impl Point {
    fn value(&self) -> f64 {
        median(self.values.clone()).unwrap_or(f64::NAN)
    }

    /// Tells whether the line is cut between two points; what one of them does not know cuts nothing.
    fn is_cut_from(&self, other: &Point) -> bool {
        self.unit != other.unit || differ(&self.version, &other.version) || differ(&self.method, &other.method)
    }
}

fn differ(a: &Option<Arc<str>>, b: &Option<Arc<str>>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

impl History {
    /// Takes in what one run says. Runs come in the order of history, those of one subject next to each other; `--quick`
    /// runs and runs of no subject in history do not belong here.
    pub fn push(&mut self, results: &Results) {
        let subject = results.provenance.subject.id();
        let series = self.places.entry(Place::of(&results.provenance)).or_default();
        for outcome in &results.outcomes {
            let Some(value) = outcome.value else { continue };
            let points = series.entry(CaseKey::of(outcome)).or_default();
            match points.last_mut() {
                Some(last) if *last.subject == subject => last.values.push(value),
                _ => points.push(point(&subject, value, outcome)),
            }
        }
    }

    /// Takes in what is known already of whole series, one point for each subject, at the place of a run.
    pub fn take(&mut self, at: &Provenance, past: Vec<PastSeries>) {
        let known = self.places.entry(Place::of(at)).or_default();
        for PastSeries { benchmark, texts, metric, points } in past {
            let point = |PastPoint { subject, value, unit, version, method }| Point {
                subject,
                values: vec![value],
                version,
                unit,
                method,
            };
            known.insert(CaseKey { benchmark, texts, metric }, points.into_iter().map(point).collect());
        }
    }

    /// Returns the noise between runs of a series as it was at `outcome`: of the stretch that no event cuts, without the
    /// differences that lasting shifts made.
    ///
    /// `pair` names the two subjects that are compared: the difference between them is what is asked, so it is no noise. Where
    /// others lie between, all differences that it is made of are left out, if enough remain.
    pub(super) fn noise(&self, place: &Place, outcome: &Outcome, pair: [&str; 2], scale: Scale) -> Option<Noise> {
        let points = self.places.get(place)?.get(&CaseKey::of(outcome))?;
        let segment = segment(points, outcome);
        let values: Vec<f64> = segment.iter().map(|point| scale.position(point.value())).collect();
        let steps: HashSet<usize> = steps(&values).into_iter().collect();
        let neighbours = (1..values.len()).rev().filter(|at| !steps.contains(at));
        let sized = neighbours.map(|at| (at, values[at] - values[at - 1])).filter(|(_, size)| size.is_finite());
        let sized: Vec<(usize, f64)> = sized.collect();
        let newest = |is_left_out: &dyn Fn(usize) -> bool| -> Option<Noise> {
            let kept = sized.iter().filter(|(at, _)| !is_left_out(*at)).map(|(_, size)| *size);
            Noise::of_differences(&kept.take(MOST_DIFFERENCES).collect::<Vec<f64>>())
        };
        let between = between(segment, pair);
        // Between neighbours there is one difference, which never counts.
        newest(&|at| between.contains(&at)).or_else(|| newest(&|at| between.len() == 1 && between.contains(&at)))
    }
}

/// Returns the positions of the differences that lead from one of a pair of subjects to the other; none where one of them is
/// not among the points.
fn between(segment: &[Point], pair: [&str; 2]) -> Range<usize> {
    let [one, other] = pair.map(|subject| segment.iter().position(|point| *point.subject == *subject));
    one.zip(other).map_or(0..0, |(one, other)| one.min(other) + 1..one.max(other) + 1)
}

fn point(subject: &str, value: f64, outcome: &Outcome) -> Point {
    Point {
        subject: subject.into(),
        values: vec![value],
        version: outcome.version.as_deref().map(Arc::from),
        unit: outcome.metric.unit.as_str().into(),
        method: outcome.method.as_deref().map(Arc::from),
    }
}

/// Returns the newest uncut stretch of points that are of one kind with `outcome`.
fn segment<'a>(points: &'a [Point], outcome: &Outcome) -> &'a [Point] {
    let like = point("", 0.0, outcome);
    let Some(last) = points.iter().rposition(|point| !point.is_cut_from(&like)) else { return &[] };
    let cut = (1..=last).rev().find(|index| points[*index].is_cut_from(&points[index - 1]));
    &points[cut.unwrap_or(0)..=last]
}

/// How differences are counted: as logarithms of ratios, or in the metric's unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// ln(after / before), where both are positive.
    Logarithmic,
    /// after - before.
    Linear,
}

impl Scale {
    /// Returns the scale for two values.
    pub(super) fn of(before: f64, after: f64) -> Scale {
        if before > 0.0 && after > 0.0 { Scale::Logarithmic } else { Scale::Linear }
    }

    /// Returns the place of a value on the scale; no number where it has none.
    pub(super) fn position(self, value: f64) -> f64 {
        match self {
            Scale::Logarithmic => libm::log(value),
            Scale::Linear => value,
        }
    }

    /// Returns how far `after` is from `before`; `None` where this scale has no answer.
    pub(super) fn difference(self, before: f64, after: f64) -> Option<f64> {
        let difference = match self {
            Scale::Logarithmic => log_ratio(before, after),
            Scale::Linear => after - before,
        };
        difference.is_finite().then_some(difference)
    }
}

/// Exact where the ratio is; one that is too large or too small for a number has a logarithm all the same.
fn log_ratio(before: f64, after: f64) -> f64 {
    let ratio = after / before;
    if ratio.is_normal() { libm::log(ratio) } else { libm::log(after) - libm::log(before) }
}

/// The noise between runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noise {
    /// The standard deviation of a difference between two runs.
    pub(super) sigma: f64,
    /// The second largest difference that was seen. A passing spike makes two, and may come again; a step makes one.
    pub(super) spike: f64,
    /// How many differences these were taken from.
    pub(super) n_differences: usize,
}

impl Noise {
    /// The larger of a robust and the ordinary estimate: one is blind to rare jumps, the other to none.
    pub(super) fn of_differences(differences: &[f64]) -> Option<Noise> {
        if differences.len() < FEWEST_DIFFERENCES {
            return None;
        }
        let sigma = (MAD_TO_SD * median_deviation(differences)).max(standard_deviation(differences));
        let mut sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        Some(Noise { sigma, spike: sizes[sizes.len() - 2], n_differences: differences.len() })
    }

    /// Returns the noise of a difference between runs of two series: half of each one's variance.
    pub(super) fn between(a: Noise, b: Noise) -> Noise {
        let sigma = ((a.sigma * a.sigma + b.sigma * b.sigma) / 2.0).sqrt();
        Noise { sigma, spike: a.spike.max(b.spike), n_differences: a.n_differences.min(b.n_differences) }
    }
}

fn median_deviation(values: &[f64]) -> f64 {
    let middle = median(values.to_vec()).unwrap_or(0.0);
    median(values.iter().map(|value| (value - middle).abs()).collect()).unwrap_or(0.0)
}

fn standard_deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

#[cfg(test)]
mod tests;
