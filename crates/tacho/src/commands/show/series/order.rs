//! The order of history: commits along the first-parent line, versions by PEP 440, dates by time.

use std::collections::HashMap;

use tacho_measure::history::version_order;
use tacho_model::{Subject, Timestamp};

/// A subject with when it was first measured, and whatever goes with it.
#[derive(Debug, Clone)]
pub(crate) struct Dated<T> {
    pub(crate) subject: Subject,
    pub(crate) began: Timestamp,
    pub(crate) content: T,
}

/// Returns subjects in the order of history; `line` are the commits of the first-parent line, oldest first.
///
/// A commit of the line stands at its position. Any other stands by its date, after the last commit of the line that is no
/// later; commits of one moment by their hashes. Versions follow commits, dates follow versions: one history rarely has two kinds.
pub(crate) fn in_history<T>(subjects: Vec<Dated<T>>, line: &[String]) -> Vec<Dated<T>> {
    let positions: HashMap<&str, usize> = line.iter().enumerate().map(|(at, hash)| (hash.as_str(), at)).collect();
    let position = |dated: &Dated<T>| match &dated.subject {
        Subject::Commit { hash, .. } => positions.get(hash.as_str()).copied(),
        _ => None,
    };
    let mut placed: Vec<(usize, i64)> =
        subjects.iter().filter_map(|dated| Some((position(dated)?, moment(dated)))).collect();
    placed.sort_unstable();
    let placed = longest_rising(&placed);
    let place = |dated: &Dated<T>| match position(dated) {
        Some(at) => (at + 1, false),
        None => {
            let n_before = placed.partition_point(|(_, at)| *at <= moment(dated));
            (n_before.checked_sub(1).map_or(0, |last| placed[last].0 + 1), true)
        }
    };
    let mut subjects: Vec<((usize, bool), Dated<T>)> =
        subjects.into_iter().map(|dated| (place(&dated), dated)).collect();
    subjects.sort_by(|(a_place, a), (b_place, b)| {
        let kinds = kind(&a.subject).cmp(&kind(&b.subject));
        kinds.then_with(|| match (&a.subject, &b.subject) {
            (
                Subject::Version { package, version },
                Subject::Version { package: other_package, version: other_version },
            ) => package.cmp(other_package).then_with(|| version_order(version, other_version)),
            _ => a_place.cmp(b_place).then(moment(a).cmp(&moment(b))).then_with(|| a.subject.id().cmp(&b.subject.id())),
        })
    });
    subjects.into_iter().map(|(_, dated)| dated).collect()
}

/// Returns the longest part of a line whose moments never go back: a clock that was wrong once says nothing of the others.
///
/// Patience sorting, by which the longest non-decreasing subsequence is found in n log n steps.
fn longest_rising(line: &[(usize, i64)]) -> Vec<(usize, i64)> {
    let mut before: Vec<Option<usize>> = Vec::with_capacity(line.len());
    // For each length, which entry ends the sequence of that length that ends earliest.
    let mut ends: Vec<usize> = Vec::new();
    for (at, (_, moment)) in line.iter().enumerate() {
        let length = ends.partition_point(|end| line[*end].1 <= *moment);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut found: Vec<(usize, i64)> =
        std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| line[at]).collect();
    found.reverse();
    found
}

fn kind(subject: &Subject) -> u8 {
    match subject {
        Subject::Commit { .. } => 0,
        Subject::Version { .. } => 1,
        Subject::Date { .. } => 2,
        Subject::Tree { .. } => 3,
    }
}

fn moment<T>(dated: &Dated<T>) -> i64 {
    dated.subject.date().unwrap_or(dated.began).unix_us
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(hash: &str, second: Option<i64>) -> Subject {
        Subject::Commit { hash: hash.into(), date: second.map(|second| Timestamp { unix_us: second }) }
    }

    fn version(text: &str) -> Subject {
        Subject::Version { package: "p".into(), version: text.into() }
    }

    fn check(subjects: &[Subject], line: &[&str], expected: &[&str]) {
        let dated =
            |subject: &Subject| Dated { subject: subject.clone(), began: Timestamp { unix_us: 5 }, content: () };
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        // In whatever order they come.
        for turn in 0..subjects.len() {
            let mut turned = subjects.to_vec();
            turned.rotate_left(turn);
            let ordered = in_history(turned.iter().map(dated).collect(), &line);
            let found: Vec<String> = ordered.iter().map(|dated| dated.subject.id()).collect();
            assert_eq!(found, expected, "{turned:?}");
        }
    }

    #[test]
    fn commits_stand_at_their_position_whatever_their_dates() {
        let commits = [commit("a", Some(9)), commit("b", Some(3)), commit("c", Some(6))];
        check(&commits, &["a", "b", "c"], &["a", "b", "c"]);
        check(&commits, &[], &["b", "c", "a"]);
    }

    #[test]
    fn commits_off_the_line_stand_by_their_dates() {
        let commits = [
            commit("a", Some(1)),
            commit("b", Some(3)),
            commit("y", Some(2)),
            commit("x", Some(2)),
            commit("w", Some(0)),
            commit("z", None),
        ];
        check(&commits, &["a", "b"], &["w", "a", "x", "y", "b", "z"]);
    }

    #[test]
    fn a_clock_that_was_wrong_once_moves_nothing_else() {
        let on_line = [("a", 1), ("b", 3), ("far", 99), ("c", 5), ("past", 0), ("d", 7)];
        let mut commits: Vec<Subject> = on_line.map(|(hash, second)| commit(hash, Some(second))).into();
        commits.extend([commit("x", Some(2)), commit("y", Some(6)), commit("z", Some(100))]);
        let line = on_line.map(|(hash, _)| hash);
        check(&commits, &line, &["a", "x", "b", "far", "c", "y", "past", "d", "z"]);
    }

    #[test]
    fn many_commits_off_the_line_take_no_longer_each() {
        // A scan of the line for each comparison would be some 10^11 steps.
        let n = 100_000;
        let line: Vec<String> = (0..n).map(|at| format!("on{at}")).collect();
        let dated = |hash: String, second: i64| Dated {
            subject: commit(&hash, Some(second)),
            began: Timestamp { unix_us: 0 },
            content: (),
        };
        let mut subjects: Vec<Dated<()>> = (0..n).map(|at| dated(format!("off{at}"), 2 * at + 1)).collect();
        subjects.extend((0..n).map(|at| dated(format!("on{at}"), 2 * at)));
        let found = in_history(subjects, &line);
        let is_alternating = |(at, dated): (usize, &Dated<()>)| moment(dated) == at as i64;
        assert!(found.iter().enumerate().all(is_alternating));
    }

    #[test]
    fn versions_are_in_version_order_and_not_in_that_of_text() {
        let versions = ["1.10.0", "1.9.0", "1.10.0rc1", "odd", "2", "1.10.0.post1"].map(version);
        let expected = ["p==odd", "p==1.9.0", "p==1.10.0rc1", "p==1.10.0", "p==1.10.0.post1", "p==2"];
        check(&versions, &[], &expected);
    }

    #[test]
    fn kinds_stand_apart() {
        let date = Subject::Date { date: Timestamp { unix_us: 7 } };
        check(&[date, version("1"), commit("a", Some(9))], &[], &["a", "p==1", "7"]);
    }
}
