//! What is measured of a way of finding change points, without a clock.

use std::collections::BTreeMap;

use tacho_judge::changes::{History, Options, Point, change_points, is_crowd, is_large, size};
use tacho_model::{ChangePoint, ChangeState};

use super::pools::Pool;
use super::random::Random;
use super::score::{Counts, ratio};
use super::series::{self, Labelled};

/// Points of the series with one late step, or with none.
const N_SHORT: usize = 100;
/// How many points after a late step are there.
pub const LATE: [usize; 4] = [3, 5, 8, 12];
/// How far off a late step may be found.
const LATE_MARGIN: usize = 2;
/// The noisiest series in which a late step is looked for.
const LATE_SIGMA: f64 = 0.02;
/// From which commit on new alarms are counted, so that there is a history.
const FIRST_COMMIT: usize = 40;
/// Commits at which new alarms are counted.
const N_COMMITS: usize = 120;
/// How near in history two change points are one.
const SAME: usize = 3;

/// The method as it is shipped.
pub fn search(points: &[Point]) -> History {
    change_points(points, &Options::default())
}

/// Returns where change points are that `counts` takes.
pub fn places(history: &History, counts: impl Fn(ChangeState) -> bool) -> Vec<usize> {
    history.change_points.iter().filter(|point| counts(point.state)).map(|point| point.at).collect()
}

/// Returns where confirmed change points are.
pub fn confirmed(points: &[Point]) -> Vec<usize> {
    places(&search(points), |state| state == ChangeState::Confirmed)
}

/// Returns where change points are that are shown when they are new.
fn alarms(points: &[Point]) -> Vec<usize> {
    places(&search(points), |state| state != ChangeState::Weak)
}

/// What was found in a set with steps of all sizes.
#[derive(Debug, Default)]
pub struct Mixed {
    /// Over all series.
    pub all: Counts,
    /// Over the series of each size; 0 has no steps.
    pub by_size: BTreeMap<u32, Counts>,
    /// Over the series of each pool.
    pub by_pool: BTreeMap<usize, Counts>,
    /// The same of the series without steps.
    pub quiet_by_pool: BTreeMap<usize, Counts>,
    /// Over the series with steps of 2 % and noise below 1 %.
    pub clear_2: Counts,
    /// Over the series with steps of 1 % and noise below 0.5 %.
    pub clear_1: Counts,
}

impl Mixed {
    /// Scores what `found` says of each series.
    pub fn of<'a>(found: impl IntoIterator<Item = (&'a Labelled, Vec<usize>)>) -> Mixed {
        let mut mixed = Mixed::default();
        for (one, found) in found {
            let push = |counts: &mut Counts| counts.push(one.points.len(), &one.steps, &found);
            push(&mut mixed.all);
            push(mixed.by_size.entry(one.size).or_default());
            push(mixed.by_pool.entry(one.pool).or_default());
            if one.size == 0 {
                push(mixed.quiet_by_pool.entry(one.pool).or_default());
            }
            if one.size == 2 && one.sigma < 0.01 {
                push(&mut mixed.clear_2);
            }
            if one.size == 1 && one.sigma < 0.005 {
                push(&mut mixed.clear_1);
            }
        }
        mixed
    }

    /// What was found in series of one size.
    pub fn size(&self, size: u32) -> Counts {
        self.by_size.get(&size).cloned().unwrap_or_default()
    }
}

/// Returns series of 100 points with little noise and one step, `late` points before the end; none for a size of 0.
pub fn late(pools: &[Pool], seed: u64, n_series: usize, size: u32, late: usize) -> Vec<Labelled> {
    let places = if size == 0 { vec![] } else { vec![N_SHORT - late] };
    let one = |number: usize| {
        let mut random = Random::new(seed, "late", number);
        loop {
            let series = series::stepped(pools, &mut random, N_SHORT, &places, size);
            if series.sigma < LATE_SIGMA {
                return series;
            }
        }
    };
    (0..n_series).map(one).collect()
}

/// Returns the share of series whose late step is among what `found` says, within two points.
pub fn share_found(series: &[Labelled], found: impl Fn(&[Point]) -> Vec<usize>) -> f64 {
    let is_found = |one: &&Labelled| {
        let found = found(&one.points);
        one.steps.iter().all(|step| found.iter().any(|at| at.abs_diff(*step) <= LATE_MARGIN))
    };
    ratio(series.iter().filter(is_found).count(), series.len())
}

/// Returns the share of late steps that are provisional or confirmed.
pub fn share_alarmed(series: &[Labelled]) -> f64 {
    share_found(series, alarms)
}

/// New provisional alarms in series in which nothing changes, for 1,000 series and commit.
#[derive(Debug, Clone, Copy)]
pub struct Alarms {
    /// All of them: those in the index.
    pub new: f64,
    /// Those listed by themselves.
    pub listed: f64,
}

/// Walks a suite of quiet series commit by commit, and counts the alarms that were not there a commit before.
///
/// What is listed by itself is what `tacho changes` lists: a large alarm, or one of a crowd.
pub fn alarms_of_suites(pools: &[Pool], seed: u64, n_suites: usize, n_series: usize) -> Alarms {
    let (mut n_new, mut n_listed) = (0, 0);
    for suite in 0..n_suites {
        let at_commit = |number: usize| new_alarms(pools, seed, suite * n_series + number);
        let mut by_commit: Vec<Vec<ChangePoint>> = vec![vec![]; N_COMMITS];
        for (commit, alarm) in (0..n_series).flat_map(at_commit) {
            by_commit[commit].push(alarm);
        }
        for alarms in &by_commit {
            n_new += alarms.len();
            n_listed += n_listed_of(alarms, n_series);
        }
    }
    let rate = |count: usize| 1000.0 * ratio(count, n_suites * n_series * N_COMMITS);
    Alarms { new: rate(n_new), listed: rate(n_listed) }
}

/// Counts the alarms of one commit that are large, or of which so many begin at one point.
fn n_listed_of(alarms: &[ChangePoint], n_series: usize) -> usize {
    let together = |alarm: &ChangePoint| alarms.iter().filter(|other| other.at == alarm.at).count();
    // Levels are positive here, so that every effect is a ratio.
    let is_large = |alarm: &ChangePoint| is_large(size(alarm.effect, (1.0, 1.0)), alarm.sigmas);
    alarms.iter().filter(|alarm| is_large(alarm) || is_crowd(together(alarm), n_series)).count()
}

/// Returns the provisional alarms of one series with the commits at which they are new.
fn new_alarms(pools: &[Pool], seed: u64, number: usize) -> Vec<(usize, ChangePoint)> {
    let mut random = Random::new(seed, "quiet", number);
    let series = series::stepped(pools, &mut random, FIRST_COMMIT + N_COMMITS, &[], 0);
    let known = |n_points: usize| search(&series.points[..n_points]).change_points;
    let mut before = known(FIRST_COMMIT);
    let mut new = Vec::new();
    for commit in 0..N_COMMITS {
        let now = known(FIRST_COMMIT + commit + 1);
        let is_new = |point: &&ChangePoint| {
            let is_known = |old: &ChangePoint| old.state != ChangeState::Weak && old.at.abs_diff(point.at) <= SAME;
            point.state == ChangeState::Provisional && !before.iter().any(is_known)
        };
        new.extend(now.iter().filter(is_new).map(|point| (commit, *point)));
        before = now;
    }
    new
}

/// Returns what was confirmed in series of drawn noise of one kind without steps.
pub fn drawn(noise: series::Noise, seed: u64, n_series: usize) -> Counts {
    let mut counts = Counts::default();
    for number in 0..n_series {
        let mut random = Random::new(seed, "drawn", number);
        let points = series::drawn(noise, &mut random, series::N_POINTS, 0.0);
        counts.push(points.len(), &[], &confirmed(&points));
    }
    counts
}

/// Returns in which share of steady rises of 15 % no step is confirmed, and one segment is called a drift.
pub fn share_of_drifts(seed: u64, n_series: usize) -> f64 {
    let is_drift = |number: &usize| {
        let mut random = Random::new(seed, "drift", *number);
        let history = search(&series::drawn(series::NOISES[0].1, &mut random, series::N_POINTS, 0.15));
        let steps = places(&history, |state| state == ChangeState::Confirmed);
        steps.is_empty() && history.segments.iter().any(|segment| segment.drift.is_some())
    };
    ratio((0..n_series).filter(is_drift).count(), n_series)
}

/// True if any number of threads finds the same, to the last digit.
pub fn is_same_for_any_threads(series: &[Labelled]) -> bool {
    let alone = told(series, 1);
    [2, 3, 7].into_iter().all(|n_threads| told(series, n_threads) == alone)
}

fn told(series: &[Labelled], n_threads: usize) -> Vec<String> {
    let share = series.len().div_ceil(n_threads).max(1);
    let each = |part: &[Labelled]| part.iter().map(|one| format!("{:?}", search(&one.points))).collect::<Vec<String>>();
    std::thread::scope(|scope| {
        let threads: Vec<_> = series.chunks(share).map(|part| scope.spawn(move || each(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("the judge does not panic")).collect()
    })
}
