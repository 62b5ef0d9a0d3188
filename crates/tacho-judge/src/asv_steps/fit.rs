//! The fit of levels for one price of a jump.

use std::ops::Range;

use super::levels::Levels;

/// The longest stretch of the first fit; longer ones come from merging.
const LONGEST: usize = 20;

/// Returns where stretches end: the best fit with stretches of at most [`LONGEST`], then merged and moved while that is cheaper.
pub(super) fn ends(levels: &mut Levels, price: f64) -> Vec<usize> {
    let mut ends = best_short(levels, price);
    while let Some(index) = cheapest_merge(levels, price, &ends) {
        ends.remove(index);
    }
    move_ends(levels, &mut ends);
    ends
}

/// Returns the stretches between ends.
pub(super) fn ranges(ends: &[usize]) -> impl Iterator<Item = Range<usize>> {
    std::iter::once(0).chain(ends.iter().copied()).zip(ends.iter().copied()).map(|(first, end)| first..end)
}

/// Returns the best partition of all into short stretches.
fn best_short(levels: &mut Levels, price: f64) -> Vec<usize> {
    let n = levels.points.len();
    let mut cost = vec![-price; n + 1];
    let mut first_of = vec![0; n + 1];
    for end in 1..=n {
        cost[end] = f64::INFINITY;
        for first in end.saturating_sub(LONGEST)..end {
            let total = cost[first] + price + levels.of(first..end).distance;
            // Of equals the shorter one.
            if total <= cost[end] {
                (cost[end], first_of[end]) = (total, first);
            }
        }
    }
    let mut ends = Vec::new();
    let mut end = n;
    while end > 0 {
        ends.push(end);
        end = first_of[end];
    }
    ends.reverse();
    ends
}

/// Returns the index of an end whose removal makes the fit cheaper, the best of three in a row: asv looks no farther once it has one.
fn cheapest_merge(levels: &mut Levels, price: f64, ends: &[usize]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    let mut first = 0;
    for (index, pair) in ends.windows(2).enumerate() {
        if best.is_some_and(|(at, _)| at + 1 < index) {
            break;
        }
        let apart = levels.of(first..pair[0]).distance + levels.of(pair[0]..pair[1]).distance + price;
        let change = levels.of(first..pair[1]).distance - apart;
        if change <= best.map_or(0.0, |(_, change)| change) {
            best = Some((index, change));
        }
        first = pair[0];
    }
    best.map(|(index, _)| index)
}

/// Moves each end to where the two stretches beside it fit best, from the first to the last.
fn move_ends(levels: &mut Levels, ends: &mut [usize]) {
    let mut first = 0;
    for index in 1..ends.len() {
        let (middle, end) = (ends[index - 1], ends[index]);
        let mut split = |at: usize| levels.of(first..at).distance + levels.of(at..end).distance;
        let (mut best, mut least) = (middle, split(middle));
        for at in (first + 1).max(middle.saturating_sub(LONGEST))..end.min(middle + LONGEST + 1) {
            let distance = if at == middle { continue } else { split(at) };
            if distance < least {
                (best, least) = (at, distance);
            }
        }
        ends[index - 1] = best;
        first = best;
    }
}
