//! Change points: where a series took another level for good, what only came and went, and what drifts.
//!
//! Deterministic, and the same to the last bit on every platform: no random numbers, logarithms from `libm`. A series is searched
//! whole each time; every part of the method depends on every point, so there is no state to carry on.
//!
//! The significance level is fixed. After the place was chosen for its difference, a `p` is no chance of error, and a correction over
//! all series would take back last month's change point when an unrelated benchmark is added. What it comes to was
//! counted instead: [`FALSE_POINTS_PER_1000`].

mod autocorrelation;
mod drift;
mod events;
mod exact;
mod grouping;
#[cfg(test)]
mod labelled;
mod listing;
mod localise;
mod scale;
mod segment;
mod spikes;
mod steps;
mod stretch;
mod tail;
mod verify;
mod winsor;

use tacho_model::{ChangePoint, Effect, Segment, Spike};

pub use events::{Kind, events};
pub use grouping::{Place, grouped, moved_as_one};
pub use listing::{is_crowd, is_large, size};
pub use steps::{Step, of_size, steps};

/// How many confirmed change points a thousand points of a series that never changes have at most, at the default level.
pub const FALSE_POINTS_PER_1000: f64 = 0.1;

/// One value of a series: that of one subject.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Its place in history, larger than that of the point before. Positions that were not measured have no point.
    pub position: u64,
    /// The value, in the metric's unit; one that is not finite is as good as not measured.
    pub value: f64,
    /// True where an event lies between the point before and this one: the series is another one from here on, and no change is
    /// seen across.
    pub is_cut: bool,
}

/// How a series is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// True for a metric without noise, in which any change that stays is real.
    pub is_exact: bool,
    /// The level of a confirmed and of a provisional change point.
    pub alpha: f64,
    /// The level of a weak one.
    pub weak_alpha: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { is_exact: false, alpha: 1e-4, weak_alpha: 1e-3 }
    }
}

/// What the history of a series shows. Indices are into the points that were searched.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// The segments in order, without regard to weak change points.
    pub segments: Vec<Segment>,
    /// The change points in order.
    pub change_points: Vec<ChangePoint>,
    /// The spikes in order.
    pub spikes: Vec<Spike>,
}

/// Returns the segments, change points and spikes of a series, whose points come in the order of history.
///
/// Differences are ratios where all values are positive, else differences in the metric's unit.
pub fn change_points(points: &[Point], options: &Options) -> History {
    let is_ratio = points.iter().filter(|point| point.value.is_finite()).all(|point| point.value > 0.0);
    let mut history = History::default();
    let mut first = 0;
    for stretch in points.chunk_by(|_, next| !next.is_cut) {
        let indices = (first..first + stretch.len()).filter(|index| points[*index].value.is_finite()).collect();
        first += stretch.len();
        Reading { points, indices, is_ratio }.search(options, &mut history);
    }
    history
}

/// One uncut stretch of a series, and how its differences are taken.
struct Reading<'a> {
    points: &'a [Point],
    /// The points that have a value.
    indices: Vec<usize>,
    is_ratio: bool,
}

impl Reading<'_> {
    fn search(&self, options: &Options, history: &mut History) {
        if self.indices.is_empty() {
            return;
        }
        let on_scale = |value: f64| if self.is_ratio { libm::log(value) } else { value };
        let values: Vec<f64> = self.indices.iter().map(|index| on_scale(self.points[*index].value)).collect();
        let found = stretch::search(&values, options);
        history.segments.extend(found.segments.iter().map(|stroke| self.segment(stroke)));
        history.change_points.extend(found.boundaries.iter().map(|boundary| self.change_point(boundary)));
        history.spikes.extend(found.spikes.iter().map(|outlier| self.spike(outlier)));
    }

    fn segment(&self, stroke: &stretch::Stroke) -> Segment {
        let indices = &self.indices[stroke.range.clone()];
        let mut values: Vec<f64> = indices.iter().map(|index| self.points[*index].value).collect();
        Segment {
            first: indices[0],
            last: indices[indices.len() - 1],
            level: scale::middle(&mut values),
            drift: stroke.rise.map(|rise| self.effect(rise, None)),
        }
    }

    fn change_point(&self, boundary: &stretch::Boundary) -> ChangePoint {
        let position = |index: usize| self.points[self.indices[index]].position;
        let (first, last) = boundary.candidates;
        ChangePoint {
            at: self.indices[boundary.at],
            // What was not measured after the last point of the old level can be to blame as well.
            earliest: position(first - 1).saturating_add(1),
            latest: position(last),
            effect: self.effect(boundary.shift.value, boundary.shift.interval),
            sigmas: boundary.sigmas,
            p: boundary.p,
            state: boundary.state,
        }
    }

    fn spike(&self, outlier: &stretch::Outlier) -> Spike {
        Spike {
            first: self.indices[outlier.range.start],
            last: self.indices[outlier.range.end - 1],
            effect: self.effect(outlier.distance, None),
            sigmas: outlier.sigmas,
        }
    }

    fn effect(&self, value: f64, interval: Option<(f64, f64)>) -> Effect {
        if !self.is_ratio {
            return Effect::Difference { value, interval };
        }
        let interval = interval.map(|(low, high)| (libm::exp(low), libm::exp(high)));
        Effect::Ratio { value: libm::exp(value), interval }
    }
}

#[cfg(test)]
mod tests;
