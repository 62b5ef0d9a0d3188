//! Error rates on simulated experiments: processes in the order of time, two a round, in blocks of AB and BA.
//!
//! Seeds are fixed, so these tests say the same each time; bounds are the promised rates and three standard errors.

use super::*;
use crate::fixture::Random;

/// What one process is slowed down by, as a logarithm, at its share of the whole run.
#[derive(Debug, Clone, Copy)]
enum Noise {
    Gaussian,
    LogNormal,
    Bimodal,
    /// 10 % over the run.
    Drift,
    /// One process in twenty takes three times as long.
    Spikes,
    /// Clock ticks: many differences are equal, many are zero.
    Ticks,
}

const ALL: [Noise; 6] = [Noise::Gaussian, Noise::LogNormal, Noise::Bimodal, Noise::Drift, Noise::Spikes, Noise::Ticks];

impl Noise {
    fn draw(self, random: &mut Random, share: f64) -> f64 {
        match self {
            Noise::Gaussian => 0.008 * random.normal(),
            Noise::LogNormal => 0.01 * random.normal().exp(),
            Noise::Bimodal if random.uniform() < 0.3 => 0.05 + 0.004 * random.normal(),
            Noise::Bimodal => 0.004 * random.normal(),
            Noise::Drift => 0.1 * share + 0.008 * random.normal(),
            Noise::Spikes if random.uniform() < 0.05 => 3f64.ln() + 0.008 * random.normal(),
            Noise::Spikes => 0.008 * random.normal(),
            Noise::Ticks => 0.01 * random.normal().round(),
        }
    }
}

/// Returns the differences of an experiment of `n` rounds whose later side is slower by `effect`.
fn experiment(noise: Noise, n: usize, effect: f64, random: &mut Random) -> Vec<f64> {
    let mut begins_with_a = false;
    let mut differences = Vec::new();
    for round in 0..n {
        // Blocks of two rounds: AB BA or BA AB.
        begins_with_a = if round % 2 == 0 { random.next() & 1 == 0 } else { !begins_with_a };
        let share = |process: usize| (2 * round + process) as f64 / (2 * n) as f64;
        let (first, second) = (noise.draw(random, share(0)), noise.draw(random, share(1)));
        let (a, b) = if begins_with_a { (first, second) } else { (second, first) };
        differences.push(b + effect - a);
    }
    differences
}

/// Returns how often intervals of `alpha` missed the effect, in `experiments` of `n` rounds.
fn miss_rate(noise: Noise, n: usize, effect: f64, alpha: f64, experiments: usize) -> f64 {
    let null = SignedRank::new(n);
    let mut random = Random(20_240_229);
    let mut misses = 0;
    for _ in 0..experiments {
        let paired = Paired::of(&experiment(noise, n, effect, &mut random)).unwrap();
        let (low, high) = paired.interval(&null, alpha).unwrap();
        misses += usize::from(effect < low - 1e-12 || high + 1e-12 < effect);
    }
    misses as f64 / experiments as f64
}

fn check_miss_rate(noise: Noise, n: usize, effect: f64, alpha: f64, experiments: usize) {
    let rate = miss_rate(noise, n, effect, alpha, experiments);
    let allowed = alpha + 3.0 * (alpha * (1.0 - alpha) / experiments as f64).sqrt();
    assert!(rate <= allowed, "{noise:?}, n = {n}, effect {effect}: {rate} above {allowed}");
}

#[test]
fn identical_sides_are_told_apart_no_oftener_than_promised() {
    for noise in ALL {
        check_miss_rate(noise, 10, 0.0, 0.05, 4000);
        check_miss_rate(noise, 10, 0.0, 0.01, 4000);
        check_miss_rate(noise, 24, 0.0, 0.01, 500);
    }
}

#[test]
fn intervals_hold_a_true_effect_as_often_as_promised() {
    for noise in ALL {
        check_miss_rate(noise, 10, 0.02, 0.05, 4000);
    }
}

#[test]
fn without_ties_the_level_is_used_up() {
    // 10 rounds reach 4.88 % of 5 %, 39 of 1024 signs a side.
    for noise in [Noise::Gaussian, Noise::LogNormal, Noise::Bimodal] {
        let rate = miss_rate(noise, 10, 0.0, 0.05, 4000);
        assert!(rate > 0.038, "{noise:?}: {rate}");
    }
}

/// Runs through the looks as an experiment does; true if any interval excludes zero.
fn is_ever_told_apart(noise: Noise, effect: f64, nulls: &[(Look, SignedRank)], random: &mut Random) -> bool {
    let all = experiment(noise, LOOKS[LOOKS.len() - 1], effect, random);
    nulls.iter().any(|(look, null)| {
        let paired = Paired::of(&all[..look.n]).unwrap();
        let level = look.level.unwrap_or(0.0);
        paired.p_value(null, 0.0) <= level
    })
}

#[test]
fn looking_several_times_does_not_raise_the_rate() {
    let nulls: Vec<(Look, SignedRank)> = looks(0.05).into_iter().map(|look| (look, SignedRank::new(look.n))).collect();
    for noise in [Noise::Gaussian, Noise::Bimodal] {
        let mut random = Random(7);
        let told = (0..200).filter(|_| is_ever_told_apart(noise, 0.0, &nulls, &mut random)).count();
        // 5 % of 200 is 10, three standard errors are 9.
        assert!(told <= 19, "{noise:?}: {told} of 200");
    }
}

#[test]
fn an_effect_of_the_detectable_size_is_found_about_as_often_as_promised() {
    for n in [10, 20] {
        let null = SignedRank::new(n);
        let mut random = Random(11);
        let detectable = |random: &mut Random| {
            Paired::of(&experiment(Noise::Gaussian, n, 0.0, random)).unwrap().detectable(&null, 0.01).unwrap()
        };
        let effect = (0..400).map(|_| detectable(&mut random)).sum::<f64>() / 400.0;
        let finds = |random: &mut Random| {
            let paired = Paired::of(&experiment(Noise::Gaussian, n, effect, random)).unwrap();
            paired.p_value(&null, 0.0) <= 0.01
        };
        let found = (0..400).filter(|_| finds(&mut random)).count();
        assert!((280..=370).contains(&found), "n = {n}: {found} of 400 at {effect}");
    }
}

#[test]
fn the_scale_is_the_standard_deviation_of_normal_noise() {
    for n in [5, 10, 11, 30] {
        let mut random = Random(3);
        let scale = |random: &mut Random| Paired::of(&experiment(Noise::Gaussian, n, 0.0, random)).unwrap().scale();
        let mean = (0..2000).map(|_| scale(&mut random)).sum::<f64>() / 2000.0;
        let expected = 0.008 * std::f64::consts::SQRT_2;
        assert!((mean / expected - 1.0).abs() < 0.05, "n = {n}: {mean} for {expected}");
    }
}
