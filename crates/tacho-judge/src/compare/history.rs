//! What the past of a series says of the noise between its runs.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use tacho_model::{Outcome, PastPoint, PastSeries, Provenance, Results, Sheet};

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
    places: HashMap<Place, Known>,
}

/// The series of one place.
#[derive(Debug, Default)]
struct Known {
    series: Vec<Vec<Point>>,
    by_key: HashMap<CaseKey, usize>,
    /// What the sheets of a benchmark were like that came last: the next one mostly is.
    forms: HashMap<String, Form>,
}

/// Which series the cases of a sheet are of.
#[derive(Debug)]
struct Form {
    metric: String,
    axes: Vec<Vec<String>>,
    cases: Vec<usize>,
}

/// What a series had at one subject.
#[derive(Debug)]
struct Point {
    subject: Arc<str>,
    value: f64,
    /// What further runs of the subject had.
    more: Vec<f64>,
    version: Option<Arc<str>>,
    unit: Arc<str>,
    method: Option<Arc<str>>,
}

impl Point {
    fn value(&self) -> f64 {
        if self.more.is_empty() {
            return self.value;
        }
        let values = self.more.iter().copied().chain([self.value]);
        median(values.collect()).unwrap_or(f64::NAN)
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
        let known = self.places.entry(Place::of(&results.provenance)).or_default();
        for outcome in &results.outcomes {
            let Some(value) = outcome.value else { continue };
            let at = known.at(CaseKey::of(outcome));
            add(&mut known.series[at], point(&subject, value, outcome));
        }
    }

    /// Takes in what the sheets of one run say, as [`History::push`] does with its outcomes.
    pub fn push_sheets(&mut self, provenance: &Provenance, sheets: &[Sheet]) {
        let subject: Arc<str> = provenance.subject.id().into();
        let known = self.places.entry(Place::of(provenance)).or_default();
        for sheet in sheets {
            let (version, unit) = (sheet.version.as_deref().map(Arc::from), Arc::from(sheet.metric.unit.as_str()));
            let method = sheet.method.as_deref().map(Arc::from);
            let cases = known.take_cases(sheet);
            for (at, value) in cases.iter().zip(&sheet.readings).filter_map(|(at, reading)| Some((at, reading.value?)))
            {
                let (subject, more) = (Arc::clone(&subject), Vec::new());
                let (version, unit, method) = (Option::clone(&version), Arc::clone(&unit), Option::clone(&method));
                add(&mut known.series[*at], Point { subject, value, more, version, unit, method });
            }
            known.keep_cases(sheet, cases);
        }
    }

    /// Takes in what is known already of whole series, one point for each subject, at the place of a run.
    pub fn take(&mut self, at: &Provenance, past: Vec<PastSeries>) {
        let known = self.places.entry(Place::of(at)).or_default();
        for PastSeries { benchmark, texts, metric, points } in past {
            let point = |PastPoint { subject, value, unit, version, method }| Point {
                subject,
                value,
                more: Vec::new(),
                version,
                unit,
                method,
            };
            let at = known.at(CaseKey { benchmark, texts, metric });
            known.series[at] = points.into_iter().map(point).collect();
        }
    }

    /// Returns the noise between runs of a series as it was at `outcome`: of the stretch that no event cuts, without the
    /// differences that lasting shifts made.
    ///
    /// `pair` names the two subjects that are compared: the difference between them is what is asked, so it is no noise. Where
    /// others lie between, all differences that it is made of are left out, if enough remain.
    pub(super) fn noise(&self, place: &Place, outcome: &Outcome, pair: [&str; 2], scale: Scale) -> Option<Noise> {
        let known = self.places.get(place)?;
        let points = &known.series[*known.by_key.get(&CaseKey::of(outcome))?];
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

impl Known {
    /// Returns where a series stands, from now on.
    fn at(&mut self, key: CaseKey) -> usize {
        *self.by_key.entry(key).or_insert_with(|| {
            self.series.push(Vec::new());
            self.series.len() - 1
        })
    }

    /// Returns which series the cases of a sheet are of, as many as have readings.
    fn take_cases(&mut self, sheet: &Sheet) -> Vec<usize> {
        let is_like = |form: &Form| form.metric == sheet.metric.name && form.axes == sheet.axes;
        let form = self.forms.remove(&sheet.benchmark).filter(is_like);
        let mut cases = form.map(|form| form.cases).unwrap_or_default();
        for index in cases.len()..sheet.readings.len() {
            let (benchmark, metric) = (sheet.benchmark.clone(), sheet.metric.name.clone());
            cases.push(self.at(CaseKey { benchmark, texts: sheet.case(index).texts(), metric }));
        }
        cases
    }

    fn keep_cases(&mut self, sheet: &Sheet, cases: Vec<usize>) {
        let form = Form { metric: sheet.metric.name.clone(), axes: sheet.axes.clone(), cases };
        self.forms.insert(sheet.benchmark.clone(), form);
    }
}

/// Adds what one run says to the points of a series: several runs of a subject make one.
fn add(points: &mut Vec<Point>, point: Point) {
    match points.last_mut() {
        Some(last) if last.subject == point.subject => last.more.push(point.value),
        _ => points.push(point),
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
        value,
        more: Vec::new(),
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
