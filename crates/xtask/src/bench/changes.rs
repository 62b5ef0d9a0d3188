//! `bench changes`: how well changes are found, how rarely where there are none, and how fast; beside others on the same series.

pub(super) mod asv_folders;
mod peers;
pub mod pools;
pub mod quality;
pub mod random;
pub mod score;
pub mod series;
pub(super) mod speed;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};

use self::pools::{Pool, Wanted};
use self::quality::Mixed;
use self::random::Random;
use self::series::Labelled;
use super::machine;
use super::report::{
    Row,
    Target::{self, AtLeast, AtMost},
};
use crate::{process, root, say};

/// Nothing was ever tuned on this seed. Look at others while you change the method.
pub const SEED: u64 = 20_261_130;

/// What is asked for.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Also write everything to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw other series
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Only the residuals of this name; may be repeated
    #[arg(long, value_name = "NAME")]
    pool: Vec<String>,
    /// A tenth of the series: a glance, too few for a judgement
    #[arg(long)]
    quick: bool,
    /// Do not compare with others
    #[arg(long)]
    alone: bool,
}

/// Measures everything; false where a target is missed. A debug build builds and asks an optimised one.
///
/// # Errors
/// A pool cannot be read, or a peer that is there failed.
pub fn run(arguments: &Arguments) -> Result<bool> {
    if cfg!(debug_assertions) {
        return optimised();
    }
    let root = root();
    let mut pools = pools::all(&root.join("../shared/data"), Wanted::Steady)?;
    pools.retain(|pool| arguments.pool.is_empty() || arguments.pool.contains(&pool.name));
    anyhow::ensure!(!pools.is_empty(), "there are no residuals of these names");
    say(format_args!("machine: {}", machine()));
    say(format_args!(
        "seed: {}{}",
        arguments.seed,
        if arguments.seed == SEED { ", on which nothing was tuned" } else { "" }
    ));
    say(format_args!("residuals, with their numbers of series: {}", told(&pools)));
    say(format_args!("not obtained: the Turing Change Point Dataset and the labelled series of Mozilla"));
    let size = if arguments.quick { Size::QUICK } else { Size::FULL };
    let (mut rows, sets) = measured(&pools, arguments.seed, size);
    let wandering = pools::all(&root.join("../shared/data"), Wanted::Wandering)?;
    rows.extend(of_wandering(&wandering, arguments.seed, size.mixed / 5));
    let others = if arguments.alone { vec![] } else { peers::compare(&root, &sets)? };
    let is_met = rows.iter().all(|row| row.is_met() != Some(false));
    if let Some(file) = &arguments.json {
        let document = document(arguments, &pools, &rows, others);
        fs::write(file, format!("{document:#}\n")).with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    Ok(is_met)
}

/// The same by an optimised build.
pub(super) fn optimised() -> Result<bool> {
    let mut command = process::cargo(&std::env::current_dir()?);
    command
        .args(["run", "--quiet", "--release", "--package", "xtask", "--manifest-path"])
        .arg(root().join("Cargo.toml"));
    let status = command.arg("--").args(std::env::args_os().skip(1)).status().context("cannot start cargo")?;
    Ok(status.success())
}

fn told(pools: &[Pool]) -> String {
    pools.iter().map(|pool| format!("{} {}", pool.name, pool.residuals.len())).collect::<Vec<_>>().join(", ")
}

fn document(arguments: &Arguments, pools: &[Pool], rows: &[Row], others: Vec<Value>) -> Value {
    let pools: Vec<Value> = pools
        .iter()
        .map(|pool| json!({ "name": pool.name, "n_series": pool.residuals.len(), "n_left_out": pool.n_wandering }))
        .collect();
    let command = std::env::args().skip(1).collect::<Vec<String>>().join(" ");
    json!({ "schema": "tacho.bench-changes/1", "machine": machine(), "command": format!("cargo xtask {command}"),
        "seed": arguments.seed, "pools": pools, "not_obtained": ["TCPD", "Mozilla 174 series"],
        "rows": rows.iter().map(Row::json).collect::<Vec<Value>>(), "detectors": others })
}

/// How many series of each kind there are.
#[derive(Debug, Clone, Copy)]
struct Size {
    mixed: usize,
    late: usize,
    suites: usize,
    large_suites: usize,
    drawn: usize,
    peers: usize,
}

impl Size {
    const FULL: Size = Size { mixed: 6000, late: 1500, suites: 20, large_suites: 2, drawn: 1000, peers: 600 };
    const QUICK: Size = Size { mixed: 600, late: 150, suites: 2, large_suites: 0, drawn: 100, peers: 60 };
}

/// Series of a suite of which three must move together.
const N_OF_SUITE: usize = 100;
/// The same in a large one.
const N_OF_LARGE_SUITE: usize = 1000;

/// Measures and prints every row; returns the sets as well.
fn measured(pools: &[Pool], seed: u64, size: Size) -> (Vec<Row>, peers::Sets) {
    let mut rows = Vec::new();
    let mut push = |more: Vec<Row>| {
        more.iter().for_each(Row::print);
        rows.extend(more);
    };
    let each = |set: &[Labelled], change: fn(&Labelled, &mut Random) -> Labelled, purpose: &str| -> Vec<Labelled> {
        let one = |(number, one): (usize, &Labelled)| change(one, &mut Random::new(seed, purpose, number));
        set.iter().enumerate().map(one).collect()
    };
    let mixed = series::mixed(pools, seed, size.mixed);
    let spiky = each(&mixed, series::spiky, "spiky");
    let thinned = each(&mixed, series::thinned, "thinned");
    let plain = scored(&mixed);
    push(of_mixed(&plain));
    push(of_pools(pools, &plain));
    push(of_disturbed(&plain, &scored(&spiky), &scored(&thinned)));
    push(of_late(pools, seed, size.late));
    push(of_alarms(pools, seed, size));
    push(of_drawn(seed, size.drawn));
    push(of_speed(pools, seed));
    let is_same = quality::is_same_for_any_threads(&mixed[..size.mixed / 10]);
    push(vec![Row::new("the same for 1, 2, 3 and 7 threads (1: yes)", "", AtLeast(1.0), f64::from(u8::from(is_same)))]);
    let sets = peers::Sets::first([&mixed, &spiky, &thinned], pools, seed, size.peers);
    (rows, sets)
}

fn scored(set: &[Labelled]) -> Mixed {
    Mixed::of(set.iter().map(|one| (one, quality::confirmed(&one.points))))
}

fn of_mixed(plain: &Mixed) -> Vec<Row> {
    let quiet = plain.size(0);
    let least = [(1, 0.55), (2, 0.80), (5, 0.97), (10, 0.97)];
    let mut rows = vec![
        Row::new("nothing there: confirmed points", "per 1,000", AtMost(0.1), quiet.false_per_1000()),
        Row::new("nothing there: series of 300 points with any", "%", AtMost(1.0), 100.0 * quiet.share_with_false()),
        Row::new("F1, all (within 5 points)", "", AtLeast(0.85), plain.all.f1()),
    ];
    rows.extend(
        least.map(|(size, f1)| Row::new(format!("F1 of steps of {size} %"), "", AtLeast(f1), plain.size(size).f1())),
    );
    rows.push(Row::new("recall, 2 %, standard deviation below 1 %", "", AtLeast(0.93), plain.clear_2.recall()));
    rows.push(Row::new("recall, 1 %, standard deviation below 0.5 %", "", AtLeast(0.93), plain.clear_1.recall()));
    rows.push(Row::new("precision, all", "", Target::None, plain.all.precision()));
    rows.push(Row::new("place of 5 % steps: half are off by", "points", AtMost(0.0), plain.size(5).miss(0.5)));
    rows.push(Row::new("place of 5 % steps: nine in ten are off by", "points", AtMost(1.0), plain.size(5).miss(0.9)));
    rows
}

fn of_pools(pools: &[Pool], plain: &Mixed) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, pool) in pools.iter().enumerate() {
        let (Some(all), Some(quiet)) = (plain.by_pool.get(&number), plain.quiet_by_pool.get(&number)) else { continue };
        rows.push(Row::new(format!("F1, noise of {}", pool.name), "", Target::None, all.f1()));
        rows.push(Row::new(
            format!("nothing there, noise of {}", pool.name),
            "per 1,000",
            Target::None,
            quiet.false_per_1000(),
        ));
    }
    rows
}

/// What is found where the noise itself has changes that nobody has labelled: no target can be held against that.
fn of_wandering(pools: &[Pool], seed: u64, n_series: usize) -> Vec<Row> {
    if pools.is_empty() {
        return vec![];
    }
    let mixed = scored(&series::mixed(pools, seed, n_series));
    let name = |what: &str| format!("{what}, residuals that wander ({})", told(pools));
    let rows = vec![
        Row::new(name("F1"), "", Target::None, mixed.all.f1()),
        Row::new(name("nothing put in"), "per 1,000", Target::None, mixed.size(0).false_per_1000()),
    ];
    rows.iter().for_each(Row::print);
    rows
}

fn of_disturbed(plain: &Mixed, spiky: &Mixed, thinned: &Mixed) -> Vec<Row> {
    let drop = |other: &Mixed| plain.all.f1() - other.all.f1();
    vec![
        Row::new("5 % of points threefold: F1 falls by", "", AtMost(0.05), drop(spiky)),
        Row::new("5 % of points threefold, nothing there", "per 1,000", AtMost(0.1), spiky.size(0).false_per_1000()),
        Row::new("30 % of points missing: F1 falls by", "", AtMost(0.02), drop(thinned)),
        Row::new("30 % of points missing, nothing there", "per 1,000", Target::None, thinned.size(0).false_per_1000()),
    ]
}

fn of_late(pools: &[Pool], seed: u64, n_series: usize) -> Vec<Row> {
    let share = |size, late| quality::share_alarmed(&quality::late(pools, seed, n_series, size, late));
    let mut rows = Vec::new();
    for (size, least) in [(5, 0.75), (10, 0.97)] {
        for late in quality::LATE {
            // What more points show is for whoever looks at how the provisional gives way to the confirmed.
            let target = if late == quality::LATE[0] { AtLeast(least) } else { Target::None };
            let name = format!("{size} % step, standard deviation below 2 %: seen after {late} points");
            rows.push(Row::new(name, "", target, share(size, late)));
        }
    }
    rows
}

fn of_alarms(pools: &[Pool], seed: u64, size: Size) -> Vec<Row> {
    let alarms = quality::alarms_of_suites(pools, seed, size.suites, N_OF_SUITE);
    let unit = "per 1,000";
    let mut rows = vec![
        Row::new("new provisional alarms, quiet series and commit", unit, AtMost(5.0), alarms.new),
        Row::new("of them listed, suites of 100 series", unit, AtMost(0.5), alarms.listed),
    ];
    if size.large_suites > 0 {
        let alarms = quality::alarms_of_suites(pools, seed, size.large_suites, N_OF_LARGE_SUITE);
        rows.push(Row::new("of them listed, suites of 1,000 series", unit, AtMost(0.5), alarms.listed));
    }
    rows
}

fn of_drawn(seed: u64, n_series: usize) -> Vec<Row> {
    let of = |(name, noise): (&str, series::Noise)| {
        let rate = quality::drawn(noise, seed, n_series).false_per_1000();
        Row::new(format!("nothing there, drawn noise, {name}"), "per 1,000", AtMost(0.1), rate)
    };
    let mut rows: Vec<Row> = series::NOISES.into_iter().map(of).collect();
    let drifts = quality::share_of_drifts(seed, n_series / 5);
    rows.push(Row::new("a rise of 15 % is called a drift, and no step", "", Target::None, drifts));
    rows
}

fn of_speed(pools: &[Pool], seed: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (n_points, most_ms) in [(1000, 1.0), (10_000, 15.0)] {
        for (what, step_every) in [("no step", None), ("a step at every 100", Some(100))] {
            let name = format!("search of {n_points} points, {what}");
            rows.push(Row::new(name, "ms", AtMost(most_ms), speed::search_ms(pools, seed, n_points, step_every)));
        }
    }
    rows
}
