//! Grouping: changes of many series that one commit, or the same few, can explain.

use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

/// Points this far apart can be of one change: a place is found exactly only where the change is large.
const REACH: u64 = 2;
/// A change whose place is less certain than this joins others only near the end of what it can be.
const WIDEST: u64 = 50;
/// A machine moved as one where this share of its series did.
const MOST: f64 = 0.6;
/// Of fewer series no share is taken.
const LEAST_SERIES: usize = 10;

/// Where a change can lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The position of the first point of the new level.
    pub at: u64,
    /// The earliest position that can be to blame.
    pub earliest: u64,
    /// The latest one.
    pub latest: u64,
}

impl Place {
    fn reach(&self) -> RangeInclusive<u64> {
        // Half of the reach on either side: two ranges meet where the points are within it.
        let (low, high) = (self.at.saturating_sub(REACH / 2), self.at + REACH / 2);
        self.earliest.clamp(self.at.saturating_sub(WIDEST), low)..=self.latest.clamp(high, self.at + WIDEST)
    }
}

/// Puts changes together that can be of one commit: as few groups as going by the position that explains most gives. Returns the
/// indices of each group's members in order; groups are in no order that means anything, but always in the same one.
pub fn grouped(places: &[Place]) -> Vec<Vec<usize>> {
    let mut over = Covering::of(places);
    let mut is_taken = vec![false; places.len()];
    let mut groups = Vec::new();
    while let Some(members) = over.most() {
        let members: Vec<usize> = members.into_iter().filter(|index| !is_taken[*index]).collect();
        for index in &members {
            is_taken[*index] = true;
            over.remove(&places[*index]);
        }
        groups.push(members);
    }
    groups
}

/// Which changes can lie at each position, and how many of them are left.
struct Covering {
    first: u64,
    members: Vec<Vec<usize>>,
    n_left: Vec<usize>,
    /// Positions by how many were left when it was last looked at.
    heap: BinaryHeap<(usize, u64)>,
}

impl Covering {
    fn of(places: &[Place]) -> Covering {
        let first = places.iter().map(|place| *place.reach().start()).min().unwrap_or(0);
        let end = places.iter().map(|place| *place.reach().end() + 1).max().unwrap_or(0);
        let mut members = vec![vec![]; (end - first) as usize];
        for (index, place) in places.iter().enumerate() {
            place.reach().for_each(|position| members[(position - first) as usize].push(index));
        }
        let n_left: Vec<usize> = members.iter().map(Vec::len).collect();
        // Of positions that explain as many the latest comes first.
        let heap = n_left.iter().zip(first..).filter(|(n, _)| **n > 0).map(|(n, position)| (*n, position)).collect();
        Covering { first, members, n_left, heap }
    }

    fn at(&self, position: u64) -> usize {
        (position - self.first) as usize
    }

    /// Returns all changes at the position that explains most of those that are left.
    fn most(&mut self) -> Option<Vec<usize>> {
        while let Some((n, position)) = self.heap.pop() {
            match self.n_left[self.at(position)] {
                0 => {}
                left if left == n => return Some(std::mem::take(&mut self.members[(position - self.first) as usize])),
                left => self.heap.push((left, position)),
            }
        }
        None
    }

    fn remove(&mut self, place: &Place) {
        for position in place.reach() {
            let at = self.at(position);
            self.n_left[at] -= 1;
        }
    }
}

/// Returns whether series moved as one: most of all of a machine's series, by much the same factor. `ratios` are
/// those of the series that moved, `n_series` counts all that were measured before and after.
pub fn moved_as_one(ratios: &[f64], n_series: usize) -> bool {
    let mut moves: Vec<f64> = ratios.iter().map(|ratio| libm::log(*ratio)).filter(|x| x.is_finite()).collect();
    if n_series < LEAST_SERIES || moves.is_empty() {
        return false;
    }
    let middle = super::scale::middle(&mut moves);
    // Between half of the usual move and half as much again.
    let n_alike = moves.iter().filter(|x| (*x - middle).abs() <= middle.abs() / 2.0).count();
    n_alike as f64 > MOST * n_series as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks groups of changes given as (point, earliest, latest).
    fn check(places: &[(u64, u64, u64)], expected: &[&[usize]]) {
        let place = |(at, earliest, latest): &(u64, u64, u64)| Place { at: *at, earliest: *earliest, latest: *latest };
        let mut found = grouped(&places.iter().map(place).collect::<Vec<_>>());
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn neighbours_belong_together() {
        check(&[], &[]);
        check(&[(5, 5, 5)], &[&[0]]);
        check(&[(5, 5, 5), (7, 7, 7), (9, 9, 9)], &[&[0], &[1, 2]]);
        check(&[(5, 5, 5), (8, 8, 8)], &[&[0], &[1]]);
    }

    #[test]
    fn the_position_that_explains_most_comes_first() {
        // A chain would join all; the crowd at 10 takes its neighbours, and the ends stay alone.
        let mut places = vec![(7, 7, 7), (9, 9, 9), (13, 13, 13)];
        places.extend([(10, 10, 10); 4]);
        check(&places, &[&[0], &[1, 3, 4, 5, 6], &[2]]);
    }

    #[test]
    fn what_is_uncertain_joins_what_it_can_be() {
        check(&[(10, 2, 10), (4, 4, 4), (30, 30, 30)], &[&[0, 1], &[2]]);
        // Beyond what anybody would call a place.
        check(&[(1000, 0, 1000), (4, 4, 4)], &[&[0], &[1]]);
        check(&[(0, 0, 0), (u64::MAX / 2, u64::MAX / 2, u64::MAX / 2)][..1], &[&[0]]);
    }

    #[test]
    fn a_machine_moves_as_one_where_most_series_move_alike() {
        assert!(moved_as_one(&[1.1; 8], 10));
        assert!(!moved_as_one(&[1.1; 6], 10));
        assert!(!moved_as_one(&[1.1; 3], 3));
        assert!(!moved_as_one(&[1.1, 1.1, 1.1, 1.1, 3.0, 0.5, 0.5, 2.0], 10));
        assert!(!moved_as_one(&[], 10));
    }
}
