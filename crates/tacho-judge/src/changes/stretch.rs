//! One stretch of a series that no event cuts: its segments, its boundaries and its spikes, as indices and differences.

use std::ops::Range;

use tacho_model::ChangeState;

use super::{Options, autocorrelation, drift, exact, localise, scale, segment, spikes, tail, verify, winsor};

/// What weighs against a segment more, times the logarithm of the number of points.
const PENALTY: f64 = 3.0;

/// What was found in a stretch; values are on the scale on which differences are taken.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Found {
    /// The segments, without regard to weak boundaries.
    pub(super) segments: Vec<Stroke>,
    /// Where new levels begin, in order.
    pub(super) boundaries: Vec<Boundary>,
    /// The spikes, in order.
    pub(super) spikes: Vec<Outlier>,
}

/// One segment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stroke {
    pub(super) range: Range<usize>,
    /// How far a line rises, where the segment is one.
    pub(super) rise: Option<f64>,
}

/// Where a new level begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Boundary {
    pub(super) at: usize,
    /// The first and the last index at which the new level may begin.
    pub(super) candidates: (usize, usize),
    pub(super) shift: verify::Shift,
    pub(super) sigmas: Option<f64>,
    pub(super) p: f64,
    pub(super) state: ChangeState,
}

/// Points that stand out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outlier {
    pub(super) range: Range<usize>,
    /// How far the farthest is from its segment.
    pub(super) distance: f64,
    pub(super) sigmas: Option<f64>,
}

/// Searches a stretch.
pub(super) fn search(values: &[f64], options: &Options) -> Found {
    let levels = if options.is_exact { exact::levels(values) } else { None };
    match levels {
        Some(levels) => exactly(values, &levels),
        None => noisily(values, options),
    }
}

/// A place, its `p` and its state, before more is known of it.
type Place = (usize, f64, ChangeState);

fn noisily(values: &[f64], options: &Options) -> Found {
    let sigma = scale::sigma(values);
    if !(sigma > 0.0 && sigma.is_finite()) {
        return Found { segments: strokes(&[], &[None], values.len()), ..Found::default() };
    }
    let centre = scale::middle(&mut values.to_vec());
    let tame = standardised(&winsor::winsorised(values, sigma), centre, sigma);
    let raw = standardised(values, centre, sigma);
    let (starts, inflation) = starts(&tame);
    let starts = localise::settled(&raw, &tame, &starts);
    let noise = tail::Noise { sigma, inflation };
    let (firm, weak) = places(values, &starts, noise, options);
    let firm_starts: Vec<usize> = firm.iter().map(|place| place.0).collect();
    let shape = drift::shape(&tame, &firm_starts, inflation.of_means);
    let rises: Vec<Option<f64>> = shape.rises.iter().map(|rise| rise.map(|rise| rise * sigma)).collect();
    let segments = strokes(&shape.starts, &rises, values.len());
    let is_left = |place: &Place| shape.starts.contains(&place.0);
    let on_a_level = |place: &Place| segments.iter().any(|s| s.rise.is_none() && s.range.contains(&place.0));
    let firm: Vec<Place> = firm.into_iter().filter(is_left).collect();
    let mut all = firm.clone();
    all.extend(weak.into_iter().filter(on_a_level));
    all.sort_by_key(|place| place.0);
    let view = View { values, raw: &raw, tame: &tame, starts: &starts, noise };
    let boundaries = all.iter().map(|place| {
        let others = if place.2 == ChangeState::Weak { &all } else { &firm };
        view.boundary(place, others)
    });
    Found { boundaries: boundaries.collect(), spikes: outliers(values, &segments, sigma), segments }
}

/// Returns where new levels begin at most, and by how much less points say than independent ones.
fn starts(tame: &[f64]) -> (Vec<usize>, autocorrelation::Inflation) {
    let penalty = PENALTY * libm::log(tame.len() as f64);
    let starts = segment::segment(tame, penalty);
    let inflation = autocorrelation::inflation(tame, &starts, 1.0);
    let of_means = inflation.of_means;
    if of_means > 1.0 { (segment::segment(tame, penalty * of_means), inflation) } else { (starts, inflation) }
}

/// Returns the places that count, and the weak ones.
fn places(values: &[f64], starts: &[usize], noise: tail::Noise, options: &Options) -> (Vec<Place>, Vec<Place>) {
    let weak = verify::verified(values, starts, noise, options.weak_alpha);
    let weak_starts: Vec<usize> = weak.iter().map(|(at, _)| *at).collect();
    let confirmed = verify::verified(values, &weak_starts, noise, options.alpha);
    let before = confirmed.last().map_or(0, |(at, _)| *at);
    // Few points may be split once more than they can bear: the split that is least like chance counts, of equals the older.
    let newest = starts.iter().filter(|start| **start > before);
    let tails = newest.filter_map(|start| tail::provisional(values, before, *start, noise, options.alpha));
    let tail = tails.min_by(|a, b| a.p.total_cmp(&b.p));
    let mut firm: Vec<Place> = confirmed.into_iter().map(|(at, p)| (at, p, ChangeState::Confirmed)).collect();
    firm.extend(tail.map(|tail| (tail.start, tail.p, ChangeState::Provisional)));
    let is_new = |(at, _): &(usize, f64)| firm.iter().all(|place| place.0 != *at);
    let weak = weak.into_iter().filter(is_new).map(|(at, p)| (at, p, ChangeState::Weak)).collect();
    (firm, weak)
}

/// Returns the values about a centre and in standard deviations.
fn standardised(values: &[f64], centre: f64, sigma: f64) -> Vec<f64> {
    values.iter().map(|value| (value - centre) / sigma).collect()
}

fn strokes(starts: &[usize], rises: &[Option<f64>], n: usize) -> Vec<Stroke> {
    segment::ranges(starts, n).zip(rises).map(|(range, rise)| Stroke { range, rise: *rise }).collect()
}

/// A stretch as boundaries are described in it.
struct View<'a> {
    values: &'a [f64],
    /// In standard deviations.
    raw: &'a [f64],
    tame: &'a [f64],
    /// All places of the segmentation.
    starts: &'a [usize],
    noise: tail::Noise,
}

impl View<'_> {
    /// Describes a place by the points up to the nearest of `others` on either side.
    fn boundary(&self, &(at, p, state): &Place, others: &[Place]) -> Boundary {
        let before_first = others.iter().map(|other| other.0).rfind(|other| *other < at).unwrap_or(0);
        let end = others.iter().map(|other| other.0).find(|other| *other > at).unwrap_or(self.values.len());
        let (before, after) = verify::around(self.values, before_first, at, end);
        let shift = verify::shift(before, after, self.noise.inflation.of_ranks);
        // Up to the next place of any kind, verified or not: what lies behind it is not about this one.
        let first = self.starts.iter().copied().rfind(|start| *start < at).unwrap_or(0);
        let end = self.starts.iter().copied().find(|start| *start > at).unwrap_or(self.values.len());
        let mended = localise::mended(&self.raw[first..end], &self.tame[first..end], at - first);
        let near = localise::candidates(&mended, at - first, self.noise.inflation.of_means);
        let candidates = (first + near.start(), first + near.end());
        let unit = match state {
            ChangeState::Provisional => tail::unit(self.values, before_first, at, self.noise.sigma),
            ChangeState::Confirmed | ChangeState::Weak => self.noise.sigma,
        };
        Boundary { at, candidates, shift, sigmas: Some(shift.value.abs() / unit), p, state }
    }
}

fn outliers(values: &[f64], segments: &[Stroke], sigma: f64) -> Vec<Outlier> {
    let of_segment = |segment: &Stroke| {
        let residuals = drift::residuals(&values[segment.range.clone()], segment.rise);
        let found = spikes::spikes(&residuals, sigma).into_iter();
        let outlier = |range: Range<usize>| {
            let distance = farthest(&residuals[range.clone()]);
            let range = segment.range.start + range.start..segment.range.start + range.end;
            Outlier { range, distance, sigmas: Some(distance.abs() / sigma) }
        };
        found.map(outlier).collect::<Vec<Outlier>>()
    };
    segments.iter().flat_map(of_segment).collect()
}

fn farthest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, |far: f64, value| if value.abs() > far.abs() { value } else { far })
}

fn exactly(values: &[f64], found: &exact::Levels) -> Found {
    let mut boundaries: Vec<Boundary> =
        found.levels.windows(2).map(|pair| certain(values, &pair[0], pair[1].start, ChangeState::Confirmed)).collect();
    let newest = found.levels.last().zip(found.provisional);
    boundaries.extend(newest.map(|(level, start)| certain(values, level, start, ChangeState::Provisional)));
    let starts: Vec<usize> = boundaries.iter().map(|boundary| boundary.at).collect();
    let level_of = |at: usize| found.levels.iter().rfind(|level| level.start <= at).unwrap_or(&found.levels[0]);
    let outlier = |range: &Range<usize>| {
        let level = values[level_of(range.start).start];
        let residuals: Vec<f64> = values[range.clone()].iter().map(|value| value - level).collect();
        Outlier { range: range.clone(), distance: farthest(&residuals), sigmas: None }
    };
    let segments = strokes(&starts, &vec![None; starts.len() + 1], values.len());
    Found { segments, boundaries, spikes: found.spikes.iter().map(outlier).collect() }
}

/// A step of an exact metric: it began with the level, or with what lies between the levels.
fn certain(values: &[f64], before: &Range<usize>, at: usize, state: ChangeState) -> Boundary {
    let value = values[at] - values[before.start];
    let shift = verify::Shift { value, interval: Some((value, value)) };
    Boundary { at, candidates: (before.end, at), shift, sigmas: None, p: 0.0, state }
}
