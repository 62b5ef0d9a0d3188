//! Weighted medians of stretches, and how far the values are from them.

use std::collections::HashMap;
use std::ops::Range;

/// The median of a stretch and the weighted sum of the distances from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    pub(super) median: f64,
    pub(super) distance: f64,
}

/// The values and weights of a series; what was computed for a stretch is kept, as every price asks for nearly the same.
pub(super) struct Levels {
    pub(super) points: Vec<(f64, f64)>,
    known: HashMap<(usize, usize), Level>,
    sorted: Vec<(f64, f64)>,
}

impl Levels {
    pub(super) fn new(points: Vec<(f64, f64)>) -> Levels {
        Levels { points, known: HashMap::new(), sorted: Vec::new() }
    }

    /// Returns the level of a stretch with at least one value.
    pub(super) fn of(&mut self, range: Range<usize>) -> Level {
        let key = (range.start, range.end);
        if let Some(level) = self.known.get(&key) {
            return *level;
        }
        let median = self.median(range.clone());
        // In the order of the series, which decides the rounding.
        let distance = self.points[range].iter().map(|(value, weight)| weight * (value - median).abs()).sum();
        let level = Level { median, distance };
        self.known.insert(key, level);
        level
    }

    /// Returns the value at which half of the weight is reached, or the middle of two when it is reached exactly.
    fn median(&mut self, range: Range<usize>) -> f64 {
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.points[range]);
        self.sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let half = self.sorted.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
        let mut reached = 0.0;
        let is_half = |(_, weight): &(f64, f64)| {
            reached += weight;
            reached >= half
        };
        let at = self.sorted.iter().position(is_half).unwrap_or(self.sorted.len() - 1);
        let value = self.sorted[at].0;
        match self.sorted.get(at + 1) {
            Some((next, _)) if reached == half => (next + value) / 2.0,
            _ => value,
        }
    }
}
