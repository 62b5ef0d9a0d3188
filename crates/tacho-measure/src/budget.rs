//! What to measure where there is not time for all of it. Pure.

/// A benchmark that could be measured in a lot.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// What it is called; ties are broken by it.
    pub name: String,
    /// How long it took last time, in seconds.
    pub cost_s: Option<f64>,
    /// How old its newest value is, in seconds; `None` where it was never measured.
    pub age_s: Option<f64>,
    /// The size of its last relative change: `|ln(newest / the one before)|`.
    pub change: Option<f64>,
}

/// Jobs that share a preparation: one subject in one environment.
#[derive(Debug, Clone, PartialEq)]
pub struct Lot {
    /// Lots of a lower rank come first.
    pub rank: usize,
    /// What has to be done before its first job, in seconds: the build.
    pub fixed_s: f64,
    /// The jobs.
    pub jobs: Vec<Job>,
}

/// What a budget is spent on.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// For each lot, whether each of its jobs is taken.
    pub taken: Vec<Vec<bool>>,
    /// What is expected to be spent, in seconds.
    pub spent_s: f64,
}

/// Chooses the jobs that tell most within `budget_s` seconds.
///
/// Lots are taken by rank. Within a rank, what was never measured comes first, then what scores highest: the age of the
/// newest value as a share of the oldest one, plus the last change as a share of the largest. A job that does not
/// fit any more is passed over for the next. A job of unknown cost is taken to cost the median of the known ones.
pub fn share_out(lots: &[Lot], budget_s: f64) -> Share {
    let jobs = || lots.iter().flat_map(|lot| &lot.jobs);
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let oldest = largest(&mut jobs().filter_map(|job| job.age_s));
    let wildest = largest(&mut jobs().filter_map(|job| job.change));
    let typical_s = median(jobs().filter_map(|job| job.cost_s).collect());
    let share = |value: Option<f64>, of: f64| if of > 0.0 { value.unwrap_or(0.0) / of } else { 0.0 };
    let score = |job: &Job| match job.age_s {
        None => f64::INFINITY,
        Some(_) => share(job.age_s, oldest) + share(job.change, wildest),
    };
    let mut order: Vec<(usize, usize)> =
        lots.iter().enumerate().flat_map(|(lot, of)| (0..of.jobs.len()).map(move |job| (lot, job))).collect();
    order.sort_by(|(a_lot, a_job), (b_lot, b_job)| {
        let (a, b) = (&lots[*a_lot], &lots[*b_lot]);
        let (a_job, b_job) = (&a.jobs[*a_job], &b.jobs[*b_job]);
        let by_score = score(b_job).total_cmp(&score(a_job));
        a.rank.cmp(&b.rank).then(by_score).then_with(|| a_job.name.cmp(&b_job.name)).then(a_lot.cmp(b_lot))
    });
    let mut taken: Vec<Vec<bool>> = lots.iter().map(|lot| vec![false; lot.jobs.len()]).collect();
    let mut spent_s = 0.0;
    for (lot, job) in order {
        let is_open = taken[lot].iter().any(|taken| *taken);
        let cost_s = lots[lot].jobs[job].cost_s.unwrap_or(typical_s) + if is_open { 0.0 } else { lots[lot].fixed_s };
        if spent_s + cost_s <= budget_s {
            spent_s += cost_s;
            taken[lot][job] = true;
        }
    }
    Share { taken, spent_s }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Returns positions of a history that have no results yet in the order in which they tell most: the newest first, then
/// always the middle of the largest gap between those that have results or have been chosen.
///
/// `has_results` stands newest first.
pub fn spread(has_results: &[bool]) -> Vec<usize> {
    let mut covered = has_results.to_vec();
    let mut order = Vec::new();
    let mut gaps: std::collections::BinaryHeap<(usize, std::cmp::Reverse<usize>)> = Default::default();
    if covered.first() == Some(&false) {
        order.push(0);
        covered[0] = true;
    }
    let mut start = None;
    for (position, is_covered) in covered.iter().chain([&true]).enumerate() {
        match (is_covered, start) {
            (false, None) => start = Some(position),
            (true, Some(from)) => {
                gaps.push((position - from, std::cmp::Reverse(from)));
                start = None;
            }
            _ => {}
        }
    }
    // At the old end there is nothing to lie between: its gap is as wide as any other and is halved alike.
    while let Some((length, std::cmp::Reverse(from))) = gaps.pop() {
        let middle = from + length / 2;
        order.push(middle);
        for (from, length) in [(from, middle - from), (middle + 1, from + length - middle - 1)] {
            if length > 0 {
                gaps.push((length, std::cmp::Reverse(from)));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(name: &str, cost_s: Option<f64>, age_s: Option<f64>, change: Option<f64>) -> Job {
        Job { name: name.into(), cost_s, age_s, change }
    }

    fn lot(rank: usize, fixed_s: f64, jobs: Vec<Job>) -> Lot {
        Lot { rank, fixed_s, jobs }
    }

    fn check(lots: &[Lot], budget_s: f64, expected: &str, spent_s: f64) {
        let share = share_out(lots, budget_s);
        let names = lots.iter().zip(&share.taken).map(|(lot, taken)| {
            let names = lot.jobs.iter().zip(taken).filter(|(_, taken)| **taken).map(|(job, _)| job.name.as_str());
            names.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(names.collect::<Vec<_>>().join(" | "), expected);
        assert_eq!(share.spent_s, spent_s);
    }

    #[test]
    fn what_was_never_measured_comes_first_then_the_stalest_and_most_changed() {
        let jobs = || {
            vec![
                job("fresh", Some(10.0), Some(1.0), Some(0.0)),
                job("changed", Some(10.0), Some(1.0), Some(0.5)),
                job("stale", Some(10.0), Some(100.0), Some(0.01)),
                job("new", Some(10.0), None, None),
            ]
        };
        check(&[lot(0, 0.0, jobs())], 10.0, "new", 10.0);
        check(&[lot(0, 0.0, jobs())], 20.0, "stale new", 20.0);
        check(&[lot(0, 0.0, jobs())], 30.0, "changed stale new", 30.0);
        check(&[lot(0, 0.0, jobs())], 1000.0, "fresh changed stale new", 40.0);
        check(&[lot(0, 35.0, jobs())], 30.0, "", 0.0);
    }

    #[test]
    fn what_does_not_fit_leaves_room_for_what_does_and_unknown_costs_are_typical() {
        let jobs = vec![
            job("huge", Some(100.0), None, None),
            job("small", Some(4.0), Some(1.0), None),
            job("unknown", None, Some(1.0), None),
            job("usual", Some(5.0), Some(1.0), None),
        ];
        check(&[lot(0, 1.0, jobs)], 11.0, "small unknown", 10.0);
    }

    #[test]
    fn a_build_is_paid_once_and_lots_go_by_rank() {
        let jobs = |names: &[&str]| names.iter().map(|name| job(name, Some(1.0), None, None)).collect::<Vec<_>>();
        let lots = [lot(1, 5.0, jobs(&["a", "b"])), lot(0, 5.0, jobs(&["c", "d"]))];
        check(&lots, 7.0, " | c d", 7.0);
        check(&lots, 13.0, "a | c d", 13.0);
    }

    #[test]
    fn commits_are_taken_where_the_gap_is_largest() {
        for (has_results, expected) in [
            (vec![], vec![]),
            (vec![false; 5], vec![0, 3, 2, 1, 4]),
            (vec![true, false, true, false, false, false, true], vec![4, 1, 3, 5]),
            (vec![true, true], vec![]),
        ] {
            assert_eq!(spread(&has_results), expected, "{has_results:?}");
        }
    }
}
