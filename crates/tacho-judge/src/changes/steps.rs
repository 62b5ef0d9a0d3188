//! Steps: change points with the levels about them, what became of them, and small ones that add up.

use std::ops::Range;

use tacho_model::{ChangePoint, ChangeState, Effect, Outlook, Segment};

use super::{History, Point};

/// A change point, or several in a row, with the levels about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The change point; of several the first, with the effect and the doubts of all.
    pub point: ChangePoint,
    /// The median before it, in the metric's unit.
    pub before: f64,
    /// The median after it: before the next step, or before the next event.
    pub after: f64,
    /// The median that the series has come to before the next event.
    pub present: f64,
    /// How many change points it is made of.
    pub n_steps: usize,
    /// The first point after the last of them: an index into the series' points.
    pub last: usize,
    /// How many events lie before it.
    pub n_events: usize,
}

/// Returns the steps of a series, in the order of history; weak change points are none.
pub fn steps(points: &[Point], history: &History) -> Vec<Step> {
    let segments = &history.segments;
    let mut found = Vec::new();
    for (n_events, stretch) in stretches(points, segments) {
        let Some(present) = segments[stretch.clone()].last().map(|segment| segment.level) else { continue };
        for at in stretch.skip(1) {
            let first = segments[at].first;
            let is_it = |point: &&ChangePoint| point.at == first && point.state != ChangeState::Weak;
            let Ok(near) = history.change_points.binary_search_by_key(&first, |point| point.at) else { continue };
            if let Some(point) = history.change_points.get(near).filter(is_it) {
                let (before, after) = (segments[at - 1].level, segments[at].level);
                found.push(Step { point: *point, before, after, present, n_steps: 1, last: point.at, n_events });
            }
        }
    }
    found
}

/// Returns the ranges of segments between which no event lies, each with the number of events before it.
fn stretches(points: &[Point], segments: &[Segment]) -> Vec<(usize, Range<usize>)> {
    let mut found: Vec<(usize, Range<usize>)> = Vec::new();
    let cuts: Vec<usize> = (0..points.len()).filter(|at| points[*at].is_cut).collect();
    for (at, segment) in segments.iter().enumerate() {
        let n_events = cuts.partition_point(|cut| *cut <= segment.first);
        match found.last_mut().filter(|last| last.0 == n_events) {
            Some((_, range)) => range.end = at + 1,
            None => found.push((n_events, at..at + 1)),
        }
    }
    found
}

impl Step {
    /// Returns whether the values rise.
    pub fn is_up(&self) -> bool {
        match self.point.effect {
            Effect::Ratio { value, .. } => value > 1.0,
            Effect::Difference { value, .. } => value > 0.0,
        }
    }

    /// Returns its size as a fraction of the smaller level, without a sign; infinite from or to a level of 0.
    pub fn size(&self) -> f64 {
        super::size(self.point.effect, (self.before, self.after))
    }

    /// Returns what became of it; `is_alive` tells whether the series is still measured.
    pub fn outlook(&self, is_alive: bool) -> Outlook {
        let is_ratio = matches!(self.point.effect, Effect::Ratio { .. });
        let on_scale = |value: f64| if is_ratio { libm::log(value) } else { value };
        let (moved, left) =
            (on_scale(self.after) - on_scale(self.before), on_scale(self.present) - on_scale(self.before));
        // Levels are medians, and may say of a tiny shift the contrary of what all pairs of points do.
        let sign = if self.is_up() { 1.0 } else { -1.0 };
        match (left * sign >= moved.abs() / 2.0 && left * sign > 0.0, is_alive) {
            (_, false) => Outlook::Ended,
            (true, true) => Outlook::Holds,
            (false, true) => Outlook::Undone,
        }
    }

    /// Returns this step with the next one, taken as one.
    fn and(self, next: &Step) -> Step {
        let both = |one: Option<(f64, f64)>, other: Option<(f64, f64)>, add: fn(f64, f64) -> f64| {
            one.zip(other).map(|((low, high), (other_low, other_high))| (add(low, other_low), add(high, other_high)))
        };
        let effect = match (self.point.effect, next.point.effect) {
            (Effect::Ratio { value, interval }, Effect::Ratio { value: other, interval: others }) => {
                Effect::Ratio { value: value * other, interval: both(interval, others, |a, b| a * b) }
            }
            (Effect::Difference { value, interval }, Effect::Difference { value: other, interval: others }) => {
                Effect::Difference { value: value + other, interval: both(interval, others, |a, b| a + b) }
            }
            // A series is on one scale.
            (effect, _) => effect,
        };
        let sigmas = self.point.sigmas.zip(next.point.sigmas).map(|(one, other)| one + other);
        let state = self.point.state.max(next.point.state);
        let point = ChangePoint { effect, sigmas, p: self.point.p.max(next.point.p), state, ..self.point };
        Step { point, after: next.after, n_steps: self.n_steps + next.n_steps, last: next.last, ..self }
    }
}

/// Returns the steps of at least a size, a fraction. Smaller ones in a row and in one direction count as one where together they
/// reach it: it stands at the first of them and counts from the level before it. Any step of an exact metric counts.
pub fn of_size(steps: &[Step], size: f64, is_exact: bool) -> Vec<Step> {
    let is_large = |step: &Step| is_exact || step.size() >= size;
    let mut found = Vec::new();
    for run in steps.chunk_by(|step, next| {
        !is_large(step) && !is_large(next) && step.is_up() == next.is_up() && step.n_events == next.n_events
    }) {
        let together = run[1..].iter().fold(run[0], |whole, step| whole.and(step));
        if is_large(&together) {
            found.push(together);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Options, change_points};
    use super::*;

    /// Returns points about levels, 30 each, with a tenth of a per cent of regular noise.
    fn points(levels: &[f64], cuts: &[usize]) -> Vec<Point> {
        let noise = [0.0, 0.6, -0.4, 0.9, -0.8, 0.2, -0.1, -0.6, 0.5];
        let value = |at: usize, level: f64| level * (1.0 + noise[at * 4 % 9] / 1000.0);
        let values = levels.iter().enumerate().flat_map(|(at, level)| (0..30).map(move |i| value(at * 30 + i, *level)));
        (0..)
            .zip(values)
            .map(|(at, value)| Point { position: at, value, is_cut: cuts.contains(&(at as usize)) })
            .collect()
    }

    /// Checks steps as `first point: number of steps, percent, outlook`.
    fn check(levels: &[f64], cuts: &[usize], size: f64, expected: &[&str]) {
        let points = points(levels, cuts);
        let history = change_points(&points, &Options::default());
        let told = |step: &Step| {
            let Effect::Ratio { value, .. } = step.point.effect else { panic!("{step:?}") };
            let percent = ((value - 1.0) * 100.0).round();
            format!("{}: {}, {percent} %, {}", step.point.at, step.n_steps, step.outlook(true).word())
        };
        let found: Vec<String> = of_size(&steps(&points, &history), size, false).iter().map(told).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn small_losses_are_seen_as_one_at_the_first_of_them() {
        let levels = [1.0, 1.04, 1.08];
        check(&levels, &[], 0.0, &["30: 1, 4 %, holds", "60: 1, 4 %, holds"]);
        check(&levels, &[], 0.05, &["30: 2, 8 %, holds"]);
        check(&levels, &[], 0.10, &[]);
        // A large one stands for itself.
        check(&[1.0, 1.04, 1.2], &[], 0.05, &["60: 1, 15 %, holds"]);
        // There and back is no loss.
        check(&[1.0, 1.04, 1.0], &[], 0.05, &[]);
    }

    #[test]
    fn what_was_taken_back_does_not_hold() {
        check(&[1.0, 1.2, 1.0], &[], 0.05, &["30: 1, 20 %, undone", "60: 1, -17 %, holds"]);
        check(&[1.0, 1.2, 1.15], &[], 0.05, &["30: 1, 20 %, holds"]);
        check(&[1.0, 0.8, 1.0, 1.2], &[], 0.05, &["30: 1, -20 %, undone", "60: 1, 25 %, holds", "90: 1, 20 %, holds"]);
    }

    #[test]
    fn nothing_adds_up_across_an_event() {
        check(&[1.0, 1.04, 1.04, 1.08], &[60], 0.05, &[]);
        check(&[1.0, 1.2, 1.0], &[60], 0.05, &["30: 1, 20 %, holds"]);
    }

    #[test]
    fn of_a_series_that_ended_nobody_knows_more() {
        let points = points(&[1.0, 1.2], &[]);
        let steps = steps(&points, &change_points(&points, &Options::default()));
        assert_eq!(steps[0].outlook(false), Outlook::Ended);
    }
}
