//! What a search takes of one processor.

use rustix::time::{ClockId, clock_gettime};
use tacho_judge::changes::Point;

use super::pools::Pool;
use super::quality;
use super::random::Random;
use super::series;

/// Returns the processor time of this thread so far, in milliseconds.
pub(in crate::bench) fn thread_ms() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Returns the processor time of the search of a series with `n_points` and a step of 5 % at every `step_every` of them, the mean over
/// many; never a step for `None`.
pub(in crate::bench) fn search_ms(pools: &[Pool], seed: u64, n_points: usize, step_every: Option<usize>) -> f64 {
    let places: Vec<usize> = step_every.map_or(vec![], |every| (every..n_points - 10).step_by(every).collect());
    let n_series = (300_000 / n_points).max(20);
    let one = |number: usize| {
        let mut random = Random::new(seed, "speed", number);
        series::stepped(pools, &mut random, n_points, &places, 5).points
    };
    let all: Vec<Vec<Point>> = (0..n_series).map(one).collect();
    let began = thread_ms();
    let n_found: usize = all.iter().map(|points| quality::search(points).change_points.len()).sum();
    let took = thread_ms() - began;
    std::hint::black_box(n_found);
    took / n_series as f64
}
