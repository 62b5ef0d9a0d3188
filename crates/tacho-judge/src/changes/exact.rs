//! Metrics without noise, such as instructions or allocations: any value that stays is a level.

use std::ops::Range;

use super::segment::LEAST_POINTS;

/// The levels of an exact metric.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Levels {
    /// The stretches of equal values that are long enough, without those that only take up the level before again.
    pub(super) levels: Vec<Range<usize>>,
    /// The last points, where two of them begin a new level that is still too short.
    pub(super) provisional: Option<usize>,
    /// Short stretches between two of one level.
    pub(super) spikes: Vec<Range<usize>>,
}

/// Returns the levels of values that mostly repeat; `None` where less than half of the points lie on a level, so that the metric is not
/// as exact as it is called.
pub(super) fn levels(values: &[f64]) -> Option<Levels> {
    let runs = runs(values);
    let long: Vec<Range<usize>> = runs.iter().filter(|run| run.len() >= LEAST_POINTS).cloned().collect();
    if long.iter().map(Range::len).sum::<usize>() * 2 < values.len() {
        return None;
    }
    let mut levels: Vec<Range<usize>> = Vec::new();
    let mut spikes = Vec::new();
    for run in long {
        let gap = levels.last().map_or(0, |last| last.end)..run.start;
        match levels.last_mut() {
            Some(last) if values[last.start] == values[run.start] => {
                spikes.push(gap);
                last.end = run.end;
            }
            None => {
                spikes.push(gap);
                levels.push(run);
            }
            Some(_) => levels.push(run),
        }
    }
    let rest = levels.last()?.end..values.len();
    let last = runs.last().filter(|run| run.len() == LEAST_POINTS - 1).filter(|run| run.start >= rest.start);
    let is_new = |run: &&Range<usize>| values[run.start] != values[rest.start - 1];
    let provisional = last.filter(is_new).map(|run| run.start);
    spikes.push(rest.start..provisional.unwrap_or(rest.end));
    spikes.retain(|spike| (1..LEAST_POINTS).contains(&spike.len()));
    Some(Levels { levels, provisional, spikes })
}

fn runs(values: &[f64]) -> Vec<Range<usize>> {
    let mut first = 0;
    let run = |run: &[f64]| {
        first += run.len();
        first - run.len()..first
    };
    values.chunk_by(|a, b| a == b).map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels and spikes as (first, end).
    fn check(values: &[f64], expected: &[(usize, usize)], provisional: Option<usize>, spikes: &[(usize, usize)]) {
        let pairs = |ranges: &[Range<usize>]| ranges.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>();
        let found = levels(values).expect("the values mostly repeat");
        assert_eq!((&pairs(&found.levels)[..], found.provisional), (expected, provisional));
        assert_eq!(pairs(&found.spikes), spikes);
    }

    #[test]
    fn what_stays_is_a_level() {
        check(&[5.0, 5.0, 5.0, 6.0, 6.0, 6.0], &[(0, 3), (3, 6)], None, &[]);
        check(&[5.0, 5.0, 5.0, 9.0, 6.0, 6.0, 6.0], &[(0, 3), (4, 7)], None, &[]);
        check(&[5.0; 4], &[(0, 4)], None, &[]);
    }

    #[test]
    fn what_comes_back_was_a_spike() {
        check(&[5.0, 5.0, 5.0, 9.0, 5.0, 5.0, 5.0], &[(0, 7)], None, &[(3, 4)]);
        check(&[9.0, 5.0, 5.0, 5.0, 7.0], &[(1, 4)], None, &[(0, 1), (4, 5)]);
    }

    #[test]
    fn two_new_points_at_the_end_are_provisional() {
        check(&[5.0, 5.0, 5.0, 6.0, 6.0], &[(0, 3)], Some(3), &[]);
        check(&[5.0, 5.0, 5.0, 9.0, 6.0, 6.0], &[(0, 3)], Some(4), &[(3, 4)]);
        check(&[5.0, 5.0, 5.0, 9.0, 5.0, 5.0], &[(0, 3)], None, &[]);
    }

    #[test]
    fn values_that_never_repeat_are_not_exact() {
        assert_eq!(levels(&[1.0, 2.0, 3.0, 3.0, 3.0, 4.0, 5.0]), None);
        assert_eq!(levels(&[]), None);
    }
}
