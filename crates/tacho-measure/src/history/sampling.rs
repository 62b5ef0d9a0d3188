//! Fewer commits: so many steps, or one a period.

use super::Commit;

/// Seconds of a day.
const DAY_S: f64 = 24.0 * 60.0 * 60.0;

/// The least time between two commits, in asv's words: `1d`, `1w`, `1M`, `1q`, `1y`, and multiples of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// Its length in seconds. A year is 52 weeks, a quarter 13, a month a twelfth of a year, as asv has it.
    pub length_s: i64,
}

impl Period {
    /// Returns the period that a text such as `2w` names; `None` for any other. A bare number counts days.
    pub fn parse(text: &str) -> Option<Period> {
        let units = [("d", 1.0), ("w", 7.0), ("M", 364.0 / 12.0), ("q", 91.0), ("y", 364.0), ("", 1.0)];
        let (number, n_days) = units.iter().find_map(|(unit, n_days)| Some((text.strip_suffix(unit)?, n_days)))?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let length_s = number.parse::<f64>().ok().filter(|_| is_number)? * n_days * DAY_S;
        // Longer than a history can be is no mistake of units any more.
        (1.0..1e12).contains(&length_s).then(|| Period { length_s: length_s.round() as i64 })
    }
}

/// Returns at most `n` of the items, evenly spread by their position, with both ends among them; with `n` = 1 the first.
///
/// Leave out what exists already before, or the steps never advance.
pub fn steps<T>(items: Vec<T>, n: usize) -> Vec<T> {
    let length = items.len();
    if n >= length {
        return items;
    }
    let mut wanted =
        (0..n).map(|step| if n < 2 { 0 } else { (step * (length - 1) + (n - 1) / 2) / (n - 1) }).peekable();
    let chosen = items.into_iter().enumerate().filter(|(at, _)| wanted.next_if_eq(at).is_some());
    chosen.map(|(_, item)| item).collect()
}

/// Returns the commits that lie at least a period apart by their author's date, counted from the oldest, in their order.
///
/// Counting from the oldest keeps the choice as it is when newer commits come (asv's rule).
pub fn date_period(commits: Vec<Commit>, period: Period) -> Vec<Commit> {
    let mut by_date: Vec<usize> = (0..commits.len()).collect();
    // Of two at one moment the later in the list is the older.
    by_date.sort_by_key(|at| (commits[*at].author_date, std::cmp::Reverse(*at)));
    let mut chosen = vec![false; commits.len()];
    let mut last_us = None;
    for at in by_date {
        let date_us = commits[at].author_date.unix_us;
        if last_us.is_none_or(|last_us: i64| date_us.saturating_sub(last_us) / 1_000_000 >= period.length_s) {
            last_us = Some(date_us);
            chosen[at] = true;
        }
    }
    commits.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(commit, _)| commit).collect()
}

#[cfg(test)]
mod tests {
    use tacho_model::Timestamp;

    use super::*;

    #[test]
    fn steps_are_even_and_hold_both_ends() {
        let check = |length: usize, n, expected: &[usize]| assert_eq!(steps((0..length).collect(), n), expected);
        check(5, 0, &[]);
        check(5, 1, &[0]);
        check(5, 2, &[0, 4]);
        check(5, 3, &[0, 2, 4]);
        check(10, 4, &[0, 3, 6, 9]);
        check(4, 3, &[0, 2, 3]);
        check(3, 3, &[0, 1, 2]);
        check(3, 9, &[0, 1, 2]);
        check(0, 2, &[]);
    }

    #[test]
    fn every_number_of_steps_is_reached() {
        for length in 1..40 {
            for n in 1..=length {
                assert_eq!(steps((0..length).collect::<Vec<_>>(), n).len(), n, "{n} of {length}");
            }
        }
    }

    fn check_period(text: &str, days: &[i64], expected: &[i64]) {
        let commit = |day: &i64| Commit {
            hash: day.to_string(),
            author_date: Timestamp::from_unix_seconds(*day as f64 * DAY_S),
            tags: Vec::new(),
        };
        let chosen = date_period(days.iter().map(commit).collect(), Period::parse(text).unwrap());
        let days: Vec<i64> = chosen.iter().map(|commit| commit.hash.parse().unwrap()).collect();
        assert_eq!(days, expected);
    }

    #[test]
    fn one_commit_a_period_is_counted_from_the_oldest() {
        check_period("1w", &[20, 15, 14, 8, 7, 3, 0], &[14, 7, 0]);
        // A newer commit leaves the choice of the older ones as it was.
        check_period("1w", &[21, 20, 15, 14, 8, 7, 3, 0], &[21, 14, 7, 0]);
        check_period("2d", &[3, 2, 1, 0], &[2, 0]);
        check_period("1y", &[], &[]);
    }

    #[test]
    fn periods_are_asvs() {
        let hours = |text| Period::parse(text).map(|period| period.length_s / 3600);
        let expected = [24, 14 * 24, 728, 91 * 24, 364 * 24, 48, 12].map(Some);
        assert_eq!(["1d", "2w", "1M", "1q", "1y", "2", "0.5d"].map(hours), expected);
        assert_eq!(["", "d", "1x", "0d", "-1d", "1m", "9999999999y", "1é", "inf", "1e3d"].map(hours), [None; 10]);
    }
}
