//! The levels that explain a series best: optimal partitioning with functional pruning.

use std::ops::Range;

/// The fewest points of a level. Fewer are a spike.
pub(super) const LEAST_POINTS: usize = 3;

/// Returns the indices at which a new level begins: the segmentation with the least sum of squares about the segments' means
/// plus `penalty` for each of them, among all whose segments have [`LEAST_POINTS`] points.
///
/// R. Maidstone, T. Hocking, G. Rigaill and P. Fearnhead, "On optimal multiple changepoint algorithms for large data",
/// Statistics and Computing 27 (2017) 519-533 (FPOP). What keeps a segment from being too short is that a start becomes a candidate
/// only with the exact cost of its first points. Unlike pruning by inequality (PELT) it is as fast where nothing changes.
pub(super) fn segment(values: &[f64], penalty: f64) -> Vec<usize> {
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
    if values.len() < 2 * LEAST_POINTS || low >= high {
        return vec![];
    }
    let mut search = Search::new(values, penalty);
    let mut pieces = vec![Piece { low, high, start: 0 }];
    let mut spare = Vec::new();
    for end in LEAST_POINTS..=values.len() {
        let start = end - LEAST_POINTS;
        if start >= LEAST_POINTS {
            search.enter(start, end, &pieces, &mut spare);
            std::mem::swap(&mut pieces, &mut spare);
        }
        search.close(end, &pieces);
    }
    search.starts()
}

/// An interval of levels, and the start of the last segment that is cheapest for each of them.
#[derive(Debug, Clone, Copy)]
struct Piece {
    low: f64,
    high: f64,
    start: usize,
}

/// Sums that give the cost of any segment at any level, and the best segmentation of every beginning of the series.
struct Search {
    penalty: f64,
    /// Sums of the first values.
    sums: Vec<f64>,
    /// Sums of the squares of the first values.
    squares: Vec<f64>,
    /// The least cost of the first points.
    best: Vec<f64>,
    /// Where the last segment of that begins.
    last_start: Vec<usize>,
}

/// The cost of a last segment by its level: `n·level² - 2·sum·level + rest`.
struct Cost {
    n: f64,
    sum: f64,
    rest: f64,
}

impl Search {
    fn new(values: &[f64], penalty: f64) -> Search {
        let sums = prefix_sums(values.iter().copied());
        let squares = prefix_sums(values.iter().map(|value| value * value));
        // The first segment costs no penalty.
        let mut best = vec![f64::INFINITY; values.len() + 1];
        best[0] = -penalty;
        Search { penalty, sums, squares, best, last_start: vec![0; values.len() + 1] }
    }

    fn cost(&self, start: usize, end: usize) -> Cost {
        let rest = self.best[start] + self.penalty + self.squares[end] - self.squares[start];
        Cost { n: (end - start) as f64, sum: self.sums[end] - self.sums[start], rest }
    }

    /// Writes into `into` what is cheapest once a segment may also have begun at `start`.
    fn enter(&self, start: usize, end: usize, pieces: &[Piece], into: &mut Vec<Piece>) {
        into.clear();
        let new = self.cost(start, end);
        for piece in pieces {
            let old = self.cost(piece.start, end);
            let (from, to) = kept(&old, &new);
            let (from, to) = (from.clamp(piece.low, piece.high), to.clamp(piece.low, piece.high));
            if from < to {
                push(into, Piece { low: piece.low, high: from, start });
                push(into, Piece { low: from, high: to, start: piece.start });
                push(into, Piece { low: to, high: piece.high, start });
            } else {
                push(into, Piece { start, ..*piece });
            }
        }
    }

    /// Finds the best segmentation of the first `end` points.
    fn close(&mut self, end: usize, pieces: &[Piece]) {
        for piece in pieces {
            let cost = self.cost(piece.start, end);
            let level = (cost.sum / cost.n).clamp(piece.low, piece.high);
            let total = level * (level * cost.n - 2.0 * cost.sum) + cost.rest;
            if total < self.best[end] {
                (self.best[end], self.last_start[end]) = (total, piece.start);
            }
        }
    }

    fn starts(&self) -> Vec<usize> {
        let mut end = self.last_start.len() - 1;
        let mut starts = Vec::new();
        while self.last_start[end] > 0 {
            end = self.last_start[end];
            starts.push(end);
        }
        starts.reverse();
        starts
    }
}

/// Returns the levels between which an old start stays cheaper than a new one, which has fewer points; an empty interval where it
/// never does.
fn kept(old: &Cost, new: &Cost) -> (f64, f64) {
    let (n, sum, rest) = (old.n - new.n, old.sum - new.sum, old.rest - new.rest);
    let discriminant = sum * sum - n * rest;
    if discriminant > 0.0 {
        let root = discriminant.sqrt();
        ((sum - root) / n, (sum + root) / n)
    } else {
        (0.0, 0.0)
    }
}

/// Appends a piece; one that goes on where the last has the same start makes that longer.
fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    match pieces.last_mut() {
        Some(last) if last.start == piece.start => last.high = piece.high,
        _ if piece.low < piece.high => pieces.push(piece),
        _ => {}
    }
}

/// Returns the sums of the first 0, 1, … values.
pub(super) fn prefix_sums(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut total = 0.0;
    let sums = values.map(|value| {
        total += value;
        total
    });
    std::iter::once(0.0).chain(sums).collect()
}

/// Returns the segments of `n` points that begin at 0 and at each of `starts`.
pub(super) fn ranges(starts: &[usize], n: usize) -> impl Iterator<Item = Range<usize>> {
    let firsts = std::iter::once(0).chain(starts.iter().copied());
    firsts.zip(starts.iter().copied().chain([n])).map(|(first, end)| first..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Random;

    /// The same minimum by trying every last segment: quadratic, and without any pruning.
    fn plain(values: &[f64], penalty: f64) -> (f64, Vec<usize>) {
        let cost = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
        };
        let mut best = vec![(f64::INFINITY, vec![]); values.len() + 1];
        best[0] = (-penalty, vec![]);
        for end in LEAST_POINTS..=values.len() {
            for start in 0..=end - LEAST_POINTS {
                let total = best[start].0 + penalty + cost(&values[start..end]);
                if total < best[end].0 {
                    let mut starts = best[start].1.clone();
                    starts.extend((start > 0).then_some(start));
                    best[end] = (total, starts);
                }
            }
        }
        best.pop().expect("there is always a first entry")
    }

    #[test]
    fn the_segmentation_is_the_best_of_all() {
        let mut random = Random(11);
        for round in 0..300 {
            let n = 6 + round % 60;
            let mut level = 0.0;
            let mut value = || {
                level += if random.uniform() < 0.15 { 4.0 * random.normal() } else { 0.0 };
                level + random.normal()
            };
            let values: Vec<f64> = (0..n).map(|_| value()).collect();
            let penalty = [0.5, 3.0, 12.0][round % 3];
            assert_eq!(segment(&values, penalty), plain(&values, penalty).1, "{penalty}: {values:?}");
        }
    }

    #[test]
    fn no_level_is_shorter_than_three_points() {
        assert_eq!(segment(&[0.0, 0.0, 0.0, 9.0, 9.0, 9.0], 1.0), [3]);
        assert_eq!(segment(&[0.0, 0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 0.0, 0.0, 0.0], 1.0), [4, 7]);
        assert!(segment(&[0.0, 0.0, 9.0, 9.0, 9.0], 1.0).is_empty());
        assert!(segment(&[0.0, 0.0, 0.0, 0.0, 9.0, 9.0], 1.0).iter().all(|start| *start == 3));
        assert!(segment(&[7.0; 30], 1.0).is_empty());
        assert!(segment(&[], 1.0).is_empty());
    }

    #[test]
    fn ranges_cover_all_points() {
        assert_eq!(ranges(&[2, 5], 7).collect::<Vec<_>>(), [0..2, 2..5, 5..7]);
        assert_eq!(ranges(&[], 7).collect::<Vec<_>>(), vec![0..7; 1]);
    }
}
