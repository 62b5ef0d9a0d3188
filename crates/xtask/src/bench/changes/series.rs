//! The series that the judge is evaluated on: real or drawn noise, and steps whose places are known.

use tacho_judge::changes::Point;

use super::pools::Pool;
use super::random::Random;

/// Points of a series.
pub const N_POINTS: usize = 300;
/// How many neighbouring residuals are drawn together, so that what one says of the next is kept.
const BLOCK: usize = 10;
/// The fewest points between two steps, and between a step and an end.
const LEAST_APART: usize = 20;
/// The sizes of steps, in percent.
pub const SIZES: [u32; 4] = [1, 2, 5, 10];

/// The standard deviations of real histories by quantile: that share of them has at most so much. Every pool is scaled to them, so
/// that results do not depend on which are at hand.
const SIGMAS: [(f64, f64); 9] = [
    (0.0, 0.0003),
    (0.05, 0.0015),
    (0.25, 0.0042),
    (0.5, 0.0087),
    (0.75, 0.0155),
    (0.9, 0.024),
    (0.98, 0.033),
    (0.99, 0.04),
    (1.0, 0.06),
];

/// A series with known steps.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// The size of the steps in percent; 0 where there are none.
    pub size: u32,
    /// The standard deviation of one point, as a ratio less 1.
    pub sigma: f64,
    /// Which pool its noise is from.
    pub pool: usize,
    /// The first point of each new level.
    pub steps: Vec<usize>,
    /// What is searched.
    pub points: Vec<Point>,
}

/// Returns values at positions 0, 1, ….
pub fn points(values: impl IntoIterator<Item = f64>) -> Vec<Point> {
    (0..).zip(values).map(|(position, value)| Point { position, value, is_cut: false }).collect()
}

/// Returns the mixed set: of ten series four without steps, the others with one to three of one size.
pub fn mixed(pools: &[Pool], seed: u64, n_series: usize) -> Vec<Labelled> {
    let one = |number: usize| {
        let mut random = Random::new(seed, "mixed", number);
        // Three fifths have steps, a quarter of them of each size.
        let size = if number % 5 < 2 { 0 } else { SIZES[number / 5 % SIZES.len()] };
        let places = if size == 0 { vec![] } else { places(&mut random) };
        stepped(pools, &mut random, N_POINTS, &places, size)
    };
    (0..n_series).map(one).collect()
}

/// Returns one to three places of steps, far enough apart.
fn places(random: &mut Random) -> Vec<usize> {
    let wanted = 1 + random.below(3);
    loop {
        let mut places: Vec<usize> =
            (0..wanted).map(|_| LEAST_APART + random.below(N_POINTS - 2 * LEAST_APART)).collect();
        places.sort_unstable();
        if places.windows(2).all(|pair| pair[1] - pair[0] >= LEAST_APART) {
            return places;
        }
    }
}

/// Returns a series of `n_points` with noise of any series of all pools, each as likely as another, and a step at each of `places`.
pub fn stepped(pools: &[Pool], random: &mut Random, n_points: usize, places: &[usize], size: u32) -> Labelled {
    let (pool, source) = source(pools, random);
    let sigma = sigma(random.uniform());
    let noise = bootstrapped(source, random, n_points);
    let mut level = 0.0;
    let value = |(at, noise): (usize, f64)| {
        if places.contains(&at) {
            level += random.sign() * libm::log1p(f64::from(size) / 100.0);
        }
        libm::exp(level + sigma * noise)
    };
    let points = points(noise.into_iter().enumerate().map(value));
    Labelled { size, sigma, pool, steps: places.to_vec(), points }
}

/// Returns the residuals of one series, and the number of its pool.
fn source<'a>(pools: &'a [Pool], random: &mut Random) -> (usize, &'a [f64]) {
    let all: Vec<(usize, &Vec<f64>)> =
        pools.iter().enumerate().flat_map(|(pool, from)| from.residuals.iter().map(move |one| (pool, one))).collect();
    let (pool, residuals) = all[random.below(all.len())];
    (pool, residuals)
}

/// Returns noise in standard deviations: blocks of the residuals in any order.
fn bootstrapped(source: &[f64], random: &mut Random, n_points: usize) -> Vec<f64> {
    let mut noise = Vec::with_capacity(n_points + BLOCK);
    while noise.len() < n_points {
        let first = random.below(source.len() - BLOCK + 1);
        noise.extend_from_slice(&source[first..first + BLOCK]);
    }
    noise.truncate(n_points);
    noise
}

/// Returns a quantile of the standard deviations, by straight lines between their logarithms.
fn sigma(share: f64) -> f64 {
    let between = SIGMAS.windows(2).find(|pair| share <= pair[1].0).unwrap_or(&SIGMAS[SIGMAS.len() - 2..]);
    let ((low, from), (high, to)) = (between[0], between[1]);
    let part = (share - low) / (high - low);
    libm::exp(libm::log(from) + part * (libm::log(to) - libm::log(from)))
}

/// Returns the series with one point in twenty three times as large.
pub fn spiky(series: &Labelled, random: &mut Random) -> Labelled {
    let mut spiky = series.clone();
    spiky.points.iter_mut().filter(|_| random.uniform() < 0.05).for_each(|point| point.value *= 3.0);
    spiky
}

/// Returns the series without three in ten of its points.
pub fn thinned(series: &Labelled, random: &mut Random) -> Labelled {
    let points: Vec<Point> = series.points.iter().filter(|_| random.uniform() < 0.7).copied().collect();
    // The first point that is left of the new level.
    let place = |step: &usize| points.partition_point(|point| point.position < *step as u64);
    let steps = series.steps.iter().map(place).collect();
    Labelled { points, steps, ..series.clone() }
}

/// Noise of mean 0 and a scale of about 1; the second argument is what it was before.
pub type Noise = fn(&mut Random, &mut f64) -> f64;

/// Kinds of drawn noise.
pub const NOISES: [(&str, Noise); 8] = [
    ("normal", |random, _| random.normal()),
    ("Student's t, 3 degrees", |random, _| {
        let squares: f64 = (0..3).map(|_| random.normal().powi(2)).sum();
        random.normal() / (squares / 3.0).sqrt()
    }),
    ("log-normal", |random, _| libm::exp(0.8 * random.normal())),
    ("autoregressive, 0.3", |random, last| autoregressive(random, last, 0.3)),
    ("autoregressive, 0.6", |random, last| autoregressive(random, last, 0.6)),
    ("of five values", |random, _| (0.7 * random.normal()).round()),
    ("of two modes", |random, _| 0.3 * random.normal() + if random.uniform() < 0.2 { 3.0 } else { 0.0 }),
    ("with spikes", |random, _| random.normal() + if random.uniform() < 0.05 { 200.0 } else { 0.0 }),
];

fn autoregressive(random: &mut Random, last: &mut f64, rho: f64) -> f64 {
    *last = rho * *last + random.normal();
    *last
}

/// Returns a series of drawn noise of 1 % and no steps, on a line that rises by `rise` in all.
pub fn drawn(noise: Noise, random: &mut Random, n_points: usize, rise: f64) -> Vec<Point> {
    let mut last = 0.0;
    let slope = rise / n_points as f64;
    points((0..n_points).map(|at| 1.0 + slope * at as f64 + 0.01 * noise(random, &mut last)).collect::<Vec<f64>>())
}
