//! What a series' history shows: levels, lasting shifts between them, and spikes.

use crate::Effect;

/// How sure a change point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeState {
    /// Points on both sides agree beyond doubt.
    Confirmed,
    /// Something is there, but noise does as much now and then: for those who look closer.
    Weak,
    /// The newest points alone say so; more of them will confirm or refute it.
    Provisional,
}

impl ChangeState {
    /// Every state.
    pub const ALL: [ChangeState; 3] = [ChangeState::Confirmed, ChangeState::Weak, ChangeState::Provisional];

    /// Returns the word used in every format: `confirmed`, `weak` or `provisional`.
    pub fn word(self) -> &'static str {
        match self {
            ChangeState::Confirmed => "confirmed",
            ChangeState::Weak => "weak",
            ChangeState::Provisional => "provisional",
        }
    }
}

/// A lasting shift in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// The first point of the new level: an index into the series' points.
    pub at: usize,
    /// The earliest position of history that can be to blame, whether or not it was measured.
    pub earliest: u64,
    /// The latest position of history that can be to blame.
    pub latest: u64,
    /// How far the new level is from the one before, with its interval of 99 %.
    pub effect: Effect,
    /// The size of the shift in standard deviations of one point; none for an exact metric. Of a provisional one it is less where the
    /// series has strayed for three points or more before.
    pub sigmas: Option<f64>,
    /// The two-sided chance of such a difference between two sides of one level; as the place was chosen for it, it
    /// ranks and does not measure. 0 for an exact metric.
    pub p: f64,
    /// How sure it is.
    pub state: ChangeState,
}

/// A stretch of a series on one level, or on one line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Its first point: an index into the series' points.
    pub first: usize,
    /// Its last point.
    pub last: usize,
    /// The median of its values, in the metric's unit.
    pub level: f64,
    /// How far the values move from its first point to its last, where a line describes them better than a level does.
    pub drift: Option<Effect>,
}

/// One point, or two in a row, far from their segment: gone again, so no change point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spike {
    /// Its first point: an index into the series' points.
    pub first: usize,
    /// Its last point.
    pub last: usize,
    /// How far its farthest point is from the segment.
    pub effect: Effect,
    /// The same in standard deviations of one point, without a sign; none for an exact metric.
    pub sigmas: Option<f64>,
}
