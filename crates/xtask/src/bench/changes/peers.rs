//! The same series given to other detectors: asv's steps, and those of Otava.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tacho_judge::asv_steps;
use tacho_judge::changes::Point;
use tacho_model::ChangeState;

use super::pools::Pool;
use super::quality::{self, Mixed};
use super::series::{self, Labelled};
use super::speed;
use crate::{say, setup};

/// Starts the detectors that are written in Python.
const DRIVER: &str = include_str!("peers.py");
/// The release of Otava that is compared, from the package index.
const OTAVA: &str = "apache-otava==0.8.0\n";
/// Series on which asv itself runs, to see what it takes and that our copy of its method says the same.
const N_OF_ASV: usize = 40;

/// Finds changes in series, one list of places each; what it took of a processor in seconds.
type Find<'a> = dyn Fn(&[Labelled]) -> Result<(Vec<Vec<usize>>, f64)> + 'a;

/// The sets that all detectors get.
#[derive(Debug)]
pub(super) struct Sets {
    mixed: Vec<Labelled>,
    spiky: Vec<Labelled>,
    thinned: Vec<Labelled>,
    late_5: Vec<Labelled>,
    late_none: Vec<Labelled>,
}

impl Sets {
    /// Returns the first of each set.
    pub(super) fn first([mixed, spiky, thinned]: [&[Labelled]; 3], pools: &[Pool], seed: u64, n_series: usize) -> Sets {
        let first = |set: &[Labelled]| set.iter().take(n_series).cloned().collect();
        let late = |size| quality::late(pools, seed, n_series, size, quality::LATE[0]);
        Sets { mixed: first(mixed), spiky: first(spiky), thinned: first(thinned), late_5: late(5), late_none: late(0) }
    }
}

/// Prints and returns one line for each detector; what could not be had is said.
///
/// # Errors
/// A detector that is there failed.
pub(super) fn compare(root: &Path, sets: &Sets) -> Result<Vec<Value>> {
    say(format_args!("\nthe same {} series of each set by others (F1 at 1, 2, 5, 10 % and of all)", sets.mixed.len()));
    let mut lines = vec![
        line("tacho, confirmed", sets, &in_rust(quality::confirmed))?,
        line(
            "tacho, with provisional",
            sets,
            &in_rust(|points| quality::places(&quality::search(points), |state| state != ChangeState::Weak)),
        )?,
        line("asv's steps (in tacho)", sets, &in_rust(steps_of_asv))?,
    ];
    match setup::environment(&root.join("target/bench-otava"), OTAVA) {
        Ok(python) => lines.push(line("Otava 0.8.0", sets, &|set| in_python(&python, "otava", set))?),
        Err(error) => say(format_args!("Otava: not obtained: {error:#}")),
    }
    match setup::test_environment(root) {
        Ok(python) => lines.push(asv_itself(&python, sets)?),
        Err(error) => say(format_args!("asv: not obtained: {error:#}")),
    }
    Ok(lines)
}

fn line(name: &str, sets: &Sets, find: &Find<'_>) -> Result<Value> {
    let score = |set: &[Labelled]| -> Result<(Mixed, f64)> {
        let (found, cpu_s) = find(set)?;
        Ok((Mixed::of(set.iter().zip(found)), cpu_s))
    };
    let late = |set: &[Labelled]| -> Result<f64> {
        let found = find(set)?.0;
        let at =
            |points: &[Point]| set.iter().position(|one| one.points == points).map_or(vec![], |at| found[at].clone());
        Ok(quality::share_found(set, at))
    };
    let (plain, cpu_s) = score(&sets.mixed)?;
    let (spiky, thinned) = (score(&sets.spiky)?.0, score(&sets.thinned)?.0);
    let n_points: usize = sets.mixed.iter().map(|one| one.points.len()).sum();
    let cpu_ms = 1e6 * cpu_s / n_points as f64;
    let f1: Vec<f64> = series::SIZES.iter().map(|size| plain.size(*size).f1()).chain([plain.all.f1()]).collect();
    let quiet = plain.size(0);
    let late_5 = late(&sets.late_5)?;
    let alarmed = find(&sets.late_none)?.0;
    let alarmed = alarmed.iter().filter(|found| !found.is_empty()).count() as f64 / alarmed.len() as f64;
    say(format_args!("{name}"));
    say(format_args!(
        "  F1 {}; precision {:.2}, recall {:.2}; nothing there: {:.2} for 1,000 points, {:.1} % of series",
        f1.iter().map(|f1| format!("{f1:.2}")).collect::<Vec<_>>().join(" "),
        plain.all.precision(),
        plain.all.recall(),
        quiet.false_per_1000(),
        100.0 * quiet.share_with_false()
    ));
    say(format_args!(
        "  F1 with spikes {:.2}, with 30 % missing {:.2}; a step of 5 % seen after 3 points {:.2}, of 100 quiet points alarmed {:.3}; \
         processor {cpu_ms:.2} ms for 1,000 points",
        spiky.all.f1(),
        thinned.all.f1(),
        late_5,
        alarmed
    ));
    Ok(json!({ "detector": name, "f1_by_percent": { "1": f1[0], "2": f1[1], "5": f1[2], "10": f1[3] }, "f1": f1[4],
        "precision": plain.all.precision(), "recall": plain.all.recall(), "quiet_false_per_1000": quiet.false_per_1000(),
        "quiet_share_of_series": quiet.share_with_false(), "spiky_f1": spiky.all.f1(),
        "spiky_quiet_false_per_1000": spiky.size(0).false_per_1000(), "thinned_f1": thinned.all.f1(), "late_5_percent_found": late_5,
        "late_none_alarmed": alarmed, "cpu_ms_per_1000_points": cpu_ms }))
}

fn in_rust(find: impl Fn(&[Point]) -> Vec<usize>) -> impl Fn(&[Labelled]) -> Result<(Vec<Vec<usize>>, f64)> {
    move |set| {
        let began = speed::thread_ms();
        let found = set.iter().map(|one| find(&one.points)).collect();
        Ok((found, (speed::thread_ms() - began) / 1e3))
    }
}

fn steps_of_asv(points: &[Point]) -> Vec<usize> {
    let values: Vec<Option<f64>> = points.iter().map(|point| Some(point.value)).collect();
    asv_steps(&values, &[]).iter().skip(1).map(|step| step.first).collect()
}

/// What asv itself takes on a few of the series, and whether its steps are those of the copy.
fn asv_itself(python: &Path, sets: &Sets) -> Result<Value> {
    let few = &sets.mixed[..N_OF_ASV.min(sets.mixed.len())];
    let (found, cpu_s) = in_python(python, "asv", few)?;
    let is_same = few.iter().zip(&found).all(|(one, found)| steps_of_asv(&one.points) == *found);
    let n_points: usize = few.iter().map(|one| one.points.len()).sum();
    let cpu_ms = 1e6 * cpu_s / n_points as f64;
    let same = if is_same { "the same steps" } else { "OTHER steps than the copy in tacho" };
    say(format_args!("asv itself on {} of them: {same}, processor {cpu_ms:.1} ms for 1,000 points", few.len()));
    Ok(
        json!({ "detector": "asv itself", "n_series": few.len(), "is_same_as_copy": is_same, "cpu_ms_per_1000_points": cpu_ms }),
    )
}

fn in_python(python: &Path, name: &str, set: &[Labelled]) -> Result<(Vec<Vec<usize>>, f64)> {
    let values: Vec<Vec<f64>> = set.iter().map(|one| one.points.iter().map(|point| point.value).collect()).collect();
    let mut command = Command::new(python);
    // One thread, as the others have.
    command.args(["-c", DRIVER, name]).envs(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"].map(|name| (name, "1")));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().context("the detector has no standard input")?;
    stdin.write_all(json!(values).to_string().as_bytes())?;
    drop(stdin);
    let output = child.wait_with_output()?;
    anyhow::ensure!(output.status.success(), "`{name}` failed: {}", output.status);
    let answer: Value = serde_json::from_slice(&output.stdout).with_context(|| format!("in the answer of {name}"))?;
    let list = |value: &Value| {
        value.as_array().into_iter().flatten().filter_map(Value::as_u64).map(|at| at as usize).collect()
    };
    let places = answer["places"].as_array().context("no places")?.iter().map(list).collect();
    Ok((places, answer["cpu_s"].as_f64().context("no processor time")?))
}
