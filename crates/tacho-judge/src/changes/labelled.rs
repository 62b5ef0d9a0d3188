//! How well change points are found in series whose steps are known, and how rarely in noise.
//!
//! `cargo test -p tacho-judge labelled -- --nocapture` prints the tables.

#![expect(clippy::print_stderr, reason = "the tables are for whoever runs the tests")]

use std::path::Path;

use tacho_model::ChangeState;

use super::*;
use crate::fixture::Random;

/// How far a change point may be from the true one.
const MARGIN: usize = 5;

struct Labelled {
    /// The size of the steps in percent, or `none`.
    kind: String,
    steps: Vec<usize>,
    points: Vec<Point>,
}

fn points(values: impl IntoIterator<Item = f64>) -> Vec<Point> {
    let point = |(position, value)| Point { position, value, is_cut: false };
    (0..).zip(values).map(point).collect()
}

/// Returns the semi-synthetic series: residuals of real histories, with steps put in; `None`, with a message, where they are not at
/// hand.
#[expect(clippy::disallowed_methods, reason = "a test of a pure room may read what it is tested on")]
fn labelled() -> Option<Vec<Labelled>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/change-points/train.json.gz");
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("skipped: there is no `{}`", path.display());
        return None;
    };
    let json: serde_json::Value = serde_json::from_reader(flate2::read::GzDecoder::new(&bytes[..])).unwrap();
    let numbers = |value: &serde_json::Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let series = |value: &serde_json::Value| Labelled {
        kind: value["kind"].as_str().unwrap().to_owned(),
        steps: numbers(&value["cps"]).into_iter().map(|step| step as usize).collect(),
        points: points(numbers(&value["y"])),
    };
    Some(json.as_array().unwrap().iter().map(series).collect())
}

/// Returns where confirmed change points are.
fn confirmed(points: &[Point]) -> Vec<usize> {
    let found = change_points(points, &Options::default()).change_points;
    found.iter().filter(|point| point.state == ChangeState::Confirmed).map(|point| point.at).collect()
}

/// What was found over many series.
#[derive(Debug, Default)]
struct Counts {
    n_points: usize,
    n_series: usize,
    n_series_with_false: usize,
    n_true: usize,
    n_found: usize,
    n_matched: usize,
    /// How far each matched change point is from the true one.
    misses: Vec<usize>,
}

impl Counts {
    /// Takes in one series. Both lists ascend and true steps are far apart, so each is matched by the nearest.
    fn push(&mut self, n_points: usize, steps: &[usize], found: &[usize]) {
        let nearest = |step: &usize| found.iter().map(|at| at.abs_diff(*step)).min().filter(|miss| *miss <= MARGIN);
        let misses: Vec<usize> = steps.iter().filter_map(nearest).collect();
        self.n_points += n_points;
        self.n_series += 1;
        self.n_series_with_false += usize::from(found.len() > misses.len());
        self.n_true += steps.len();
        self.n_found += found.len();
        self.n_matched += misses.len();
        self.misses.extend(misses);
    }

    fn precision(&self) -> f64 {
        self.n_matched as f64 / self.n_found as f64
    }

    fn recall(&self) -> f64 {
        self.n_matched as f64 / self.n_true as f64
    }

    fn f1(&self) -> f64 {
        2.0 * self.n_matched as f64 / (self.n_true + self.n_found) as f64
    }

    fn false_per_1000(&self) -> f64 {
        (self.n_found - self.n_matched) as f64 * 1000.0 / self.n_points as f64
    }

    fn miss(&self, share: f64) -> usize {
        let mut misses = self.misses.clone();
        misses.sort_unstable();
        misses.get((share * misses.len() as f64) as usize).copied().unwrap_or(0)
    }

    fn print(&self, name: &str) {
        let (rate, series) = (self.false_per_1000(), 100.0 * self.n_series_with_false as f64 / self.n_series as f64);
        eprintln!("{name:>20}: {rate:.3} false per 1,000 points, in {series:.2} % of series");
        if self.n_true > 0 {
            let (precision, recall, f1) = (self.precision(), self.recall(), self.f1());
            let (half, most) = (self.miss(0.5), self.miss(0.9));
            eprintln!("{:>20}  precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}; misses {half}, {most}", "");
        }
    }
}

#[test]
fn steps_of_every_size_are_found_as_often_as_they_should_be() {
    let Some(series) = labelled() else { return };
    let mut all = Counts::default();
    for (kind, least_f1) in [("1", 0.55), ("2", 0.80), ("5", 0.97), ("10", 0.97), ("none", 0.0)] {
        let mut counts = Counts::default();
        for one in series.iter().filter(|one| one.kind == kind) {
            let found = confirmed(&one.points);
            counts.push(one.points.len(), &one.steps, &found);
            all.push(one.points.len(), &one.steps, &found);
        }
        counts.print(kind);
        assert!(counts.n_series >= 150, "{} series of `{kind}`", counts.n_series);
        if kind == "none" {
            assert!(counts.false_per_1000() <= FALSE_POINTS_PER_1000 && counts.n_series_with_false <= 4, "{counts:?}");
        } else {
            assert!(counts.f1() >= least_f1, "F1 {} at {kind} %", counts.f1());
        }
        assert!(kind != "5" || (counts.miss(0.5) == 0 && counts.miss(0.9) <= 1), "localisation at 5 %");
    }
    all.print("all");
    assert!(all.f1() >= 0.85, "{}", all.f1());
}

/// Noise of mean 0 and a scale of about 1.
type Noise = fn(&mut Random, &mut f64) -> f64;

const NOISES: [(&str, Noise); 8] = [
    ("normal", |random, _| random.normal()),
    ("student, 3 degrees", |random, _| {
        let squares: f64 = (0..3).map(|_| random.normal().powi(2)).sum();
        random.normal() / (squares / 3.0).sqrt()
    }),
    ("lognormal", |random, _| (0.8 * random.normal()).exp()),
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

#[test]
fn noise_of_many_kinds_hardly_ever_changes() {
    for (name, noise) in NOISES {
        let (mut counts, mut random) = (Counts::default(), Random(5));
        for _ in 0..150 {
            let mut last = 0.0;
            let series = points((0..300).map(|_| 1.0 + 0.01 * noise(&mut random, &mut last)));
            counts.push(series.len(), &[], &confirmed(&series));
        }
        counts.print(name);
        assert!(counts.false_per_1000() <= FALSE_POINTS_PER_1000, "{name}: {counts:?}");
        assert!(counts.n_series_with_false <= 3, "{name}: {counts:?}");
    }
}

#[test]
fn missing_points_and_spikes_cost_little() {
    let Some(series) = labelled() else { return };
    let [mut plain, mut thinned, mut spiky, mut quiet] = std::array::from_fn(|_| Counts::default());
    let mut random = Random(6);
    for one in series.iter().step_by(2) {
        let n = one.points.len();
        plain.push(n, &one.steps, &confirmed(&one.points));
        let kept: Vec<Point> = one.points.iter().filter(|_| random.uniform() < 0.7).copied().collect();
        // The first point that is left of the new level.
        let place = |step: &usize| kept.partition_point(|point| point.position < *step as u64);
        let steps: Vec<usize> = one.steps.iter().map(place).collect();
        thinned.push(kept.len(), &steps, &confirmed(&kept));
        let mut with_spikes = one.points.clone();
        with_spikes.iter_mut().filter(|_| random.uniform() < 0.05).for_each(|point| point.value *= 3.0);
        let found = confirmed(&with_spikes);
        spiky.push(n, &one.steps, &found);
        if one.steps.is_empty() {
            quiet.push(n, &[], &found);
        }
    }
    for (counts, name) in [(&plain, "as it is"), (&thinned, "30 % missing"), (&spiky, "5 % threefold")] {
        counts.print(name);
    }
    // Drops of 0.02 and of 0.05 are aimed at; which points go is chance, and moves each by 0.01 or so.
    assert!(thinned.f1() >= plain.f1() - 0.03, "{} of {}", thinned.f1(), plain.f1());
    assert!(spiky.f1() >= plain.f1() - 0.06, "{} of {}", spiky.f1(), plain.f1());
    assert!(quiet.false_per_1000() <= FALSE_POINTS_PER_1000, "{quiet:?}");
}
