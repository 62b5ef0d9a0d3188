//! What a series' history shows: levels, lasting shifts between them, and spikes.

use std::collections::BTreeMap;

use crate::{Case, Disagreement, Effect, Metric, Subject};

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

/// A series as a reader names it: what sets it apart, as its newest definition calls it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesKey {
    /// The case.
    pub case: Case,
    /// The metric.
    pub metric: Metric,
    /// The machine's name.
    pub machine: String,
    /// The declared axes of the environment.
    pub axes: BTreeMap<String, String>,
}

/// A break in a series: from this point on it measures something else, or elsewhere, so that no change is seen across.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The first point of the other kind: an index into the series' points.
    pub at: usize,
    /// In what it differs from the points before: `version`, `unit`, `method`, `cpu`, `num_cpu`.
    pub fields: Vec<Disagreement>,
}

/// What became of a change since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outlook {
    /// The newest level still has it.
    Holds,
    /// A later change took at least half of it back.
    Undone,
    /// The series is measured no more.
    Ended,
}

impl Outlook {
    /// Returns the word used in every format: `holds`, `undone` or `ended`.
    pub fn word(self) -> &'static str {
        match self {
            Outlook::Holds => "holds",
            Outlook::Undone => "undone",
            Outlook::Ended => "ended",
        }
    }
}

/// A change point of a series with everything that a reader has to know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Digest of the series and the subject at which the new level begins: 16 hexadecimal digits.
    pub id: String,
    /// The series.
    pub series: SeriesKey,
    /// The last subject that was measured on the old level.
    pub previous: Subject,
    /// The first subject that was measured on the new level.
    pub first: Subject,
    /// Where `first` stands in the order of history.
    pub position: u64,
    /// The last subject that is certainly not to blame; none where the series' stretch begins with the candidates.
    pub innocent: Option<Subject>,
    /// The last subject that can be to blame.
    pub latest: Subject,
    /// The earliest and latest position that can be to blame.
    pub range: (u64, u64),
    /// How far the new level is from the one before, with its interval of 99 %.
    pub effect: Effect,
    /// The medians of the levels before and after it, in the metric's unit.
    pub levels: (f64, f64),
    /// Better or worse; `None` for a metric without a direction.
    pub is_worse: Option<bool>,
    /// The size in standard deviations of one point; none for an exact metric.
    pub sigmas: Option<f64>,
    /// See [`ChangePoint::p`].
    pub p: f64,
    /// How sure it is.
    pub state: ChangeState,
    /// How many steps in a row it is made of, each too small to be listed by itself.
    pub n_steps: usize,
    /// The position of the last of these steps.
    pub last_position: u64,
    /// What became of it.
    pub outlook: Outlook,
    /// What else is not the same at `first` as it was at `previous`.
    pub moved: Vec<Disagreement>,
}

/// A segment that is a line rather than a level: what no commit did.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// The series.
    pub series: SeriesKey,
    /// Where it begins.
    pub from: Subject,
    /// Where it ends.
    pub to: Subject,
    /// How far the values move on the way.
    pub effect: Effect,
    /// Better or worse; `None` for a metric without a direction.
    pub is_worse: Option<bool>,
}

/// Changes that one commit, or the same few, can explain.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeGroup {
    /// The changes, the largest losses first.
    pub changes: Vec<Change>,
    /// Machines on which most series moved by much the same factor: the machine changed, or what all of them rest on.
    pub moved_as_one: Vec<String>,
    /// The title of the last commit that can be to blame, where the repository knows it.
    pub title: Option<String>,
    /// How many commits can be to blame, measured or not, where the repository tells.
    pub n_candidates: Option<usize>,
}

impl ChangeGroup {
    /// Returns the last subject that can be to blame for all changes; of the surest one where there is none for all.
    ///
    /// # Panics
    /// There is no change in it.
    pub fn latest(&self) -> &Subject {
        &self.ends().1.latest
    }

    /// Returns the last subject before all that can be to blame for all changes, likewise.
    ///
    /// # Panics
    /// There is no change in it.
    pub fn innocent(&self) -> Option<&Subject> {
        self.ends().0.innocent.as_ref()
    }

    /// Returns the earliest and latest position that can be to blame for all changes, likewise.
    ///
    /// # Panics
    /// There is no change in it.
    pub fn range(&self) -> (u64, u64) {
        let (first, last) = self.ends();
        (first.range.0, last.range.1)
    }

    /// The changes that bound from below and above what can be to blame.
    fn ends(&self) -> (&Change, &Change) {
        let by = |key: fn(&Change) -> u64| {
            self.changes.iter().min_by_key(|change| key(change)).expect("a group has changes")
        };
        let (first, last) = (by(|change| u64::MAX - change.range.0), by(|change| change.range.1));
        if first.range.0 <= last.range.1 {
            return (first, last);
        }
        let sigmas = |change: &Change| change.sigmas.unwrap_or(f64::INFINITY);
        let surest = self.changes.iter().max_by(|a, b| sigmas(a).total_cmp(&sigmas(b))).unwrap_or(first);
        (surest, surest)
    }
}
