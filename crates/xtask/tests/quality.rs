//! A small `bench changes`: how well changes are found in noise of our own, without a clock.

use xtask::bench::changes::pools::{self, Wanted};
use xtask::bench::changes::quality::{self, Mixed};
use xtask::bench::changes::random::Random;
use xtask::bench::changes::series::{self, Labelled};
use xtask::bench::changes::{SEED, pools::Pool};

const N_SERIES: usize = 400;

fn own() -> Vec<Pool> {
    vec![pools::own(Wanted::Steady).expect("the pool is in the repository")]
}

fn mixed() -> Vec<Labelled> {
    series::mixed(&own(), SEED, N_SERIES)
}

fn scored(set: &[Labelled]) -> Mixed {
    Mixed::of(set.iter().map(|one| (one, quality::confirmed(&one.points))))
}

#[test]
fn the_pool_is_noise_of_many_workloads() {
    let pool = &own()[0];
    assert!(pool.residuals.len() >= 15, "{}", pool.residuals.len());
    assert!(pool.residuals.iter().all(|one| one.len() >= 100 && (pools::scale(one) - 1.0).abs() < 1e-9));
}

#[test]
fn the_same_seed_gives_the_same_series() {
    let sum = |set: &[Labelled]| set.iter().flat_map(|one| &one.points).map(|point| point.value).sum::<f64>();
    assert_eq!(sum(&mixed()), sum(&mixed()));
    assert_ne!(sum(&mixed()), sum(&series::mixed(&own(), SEED + 1, N_SERIES)));
}

#[test]
fn steps_are_found_and_quiet_series_are_quiet() {
    let set = mixed();
    let plain = scored(&set);
    let quiet = plain.size(0);
    assert!(quiet.false_per_1000() <= 0.15 && quiet.share_with_false() <= 0.02, "{quiet:?}");
    // This noise is wilder than most: the figures are what it allows, less a little.
    let least = [(1, 0.45), (2, 0.65), (5, 0.85), (10, 0.93)];
    for (size, least) in least {
        assert!(plain.size(size).f1() >= least, "F1 {} of steps of {size} %", plain.size(size).f1());
    }
    assert!(plain.all.f1() >= 0.75, "{}", plain.all.f1());
    assert!(plain.size(10).miss(0.5) == 0.0 && plain.size(10).miss(0.9) <= 1.0);
}

#[test]
fn spikes_and_gaps_cost_little() {
    let set = mixed();
    let each = |change: fn(&Labelled, &mut Random) -> Labelled| -> Vec<Labelled> {
        set.iter().enumerate().map(|(number, one)| change(one, &mut Random::new(SEED, "test", number))).collect()
    };
    let f1 = scored(&set).all.f1();
    let (spiky, thinned) = (scored(&each(series::spiky)), scored(&each(series::thinned)));
    assert!(spiky.all.f1() >= f1 - 0.07 && spiky.size(0).false_per_1000() <= 0.15, "{} of {f1}", spiky.all.f1());
    assert!(thinned.all.f1() >= f1 - 0.05, "{} of {f1}", thinned.all.f1());
}

#[test]
fn a_late_step_is_seen_after_three_points_and_quiet_series_hardly_ever_alarm() {
    let late = |size| quality::share_alarmed(&quality::late(&own(), SEED, 150, size, 3));
    assert!(late(5) >= 0.65 && late(10) >= 0.90, "{} {}", late(5), late(10));
    let alarms = quality::alarms_of_suites(&own(), SEED, 1, 20);
    assert!(alarms.new <= 10.0, "{alarms:?}");
}

#[test]
fn any_number_of_threads_finds_the_same() {
    assert!(quality::is_same_for_any_threads(&mixed()[..60]));
}
