//! `bench history`: what a large history of asv's result files takes: to index, to ask, to show, to compare, to search for changes.

mod generate;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::changes::{asv_folders, optimised, quality, series, speed};
use super::report::{
    Row,
    Target::{self, AtLeast, AtMost},
};
use super::{at_home, machine, median};
use crate::{history as repository, process, real, root, say, setup};

/// Times that a quick command runs, in turn with the other tool's.
const N_TURNS: usize = 5;
/// Files that are added one by one to an index that is there.
const N_NEW_FILES: usize = 3;
/// The machine of the data that is shown and compared.
const MACHINE: &str = "machine0";
const MB: f64 = 1e6;

/// What is asked for.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// How large the history is
    #[arg(long, value_enum, default_value = "medium")]
    preset: Preset,
    /// Also write everything to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// How large a history is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// 1,000 files, 0.9 million values
    Medium,
    /// 3,000 files, 5 million values
    Large,
    /// As many values as SciPy has measured: 7 million
    Scipy,
}

impl Preset {
    fn name(self) -> &'static str {
        match self {
            Preset::Medium => "medium",
            Preset::Large => "large",
            Preset::Scipy => "scipy",
        }
    }

    /// Commits and benchmarks, on each of two machines.
    fn size(self) -> (usize, usize) {
        match self {
            Preset::Medium => (500, 200),
            Preset::Large => (1500, 400),
            Preset::Scipy => (1600, 525),
        }
    }
}

/// Measures everything; false where a target is missed or a command is not there.
///
/// # Errors
/// Something did not build, or a command that is there failed.
pub fn run(arguments: &Arguments) -> Result<bool> {
    if cfg!(debug_assertions) {
        return optimised();
    }
    let bench = Bench::prepare(arguments.preset)?;
    let mut rows = Vec::new();
    let mut push = |more: Vec<Row>| {
        more.iter().for_each(Row::print);
        rows.extend(more);
    };
    let (n_files, json_bytes) = bench.size()?;
    say(format_args!("machine: {}", machine()));
    say(format_args!("data: {}; {n_files} files, {:.0} MB of JSON", bench.origin, json_bytes as f64 / MB));
    push(bench.index(json_bytes)?);
    push(bench.query()?);
    push(bench.against_asv()?);
    push(bench.changes()?);
    if let Some(file) = &arguments.json {
        let command = std::env::args().skip(1).collect::<Vec<String>>().join(" ");
        let document = json!({ "schema": "tacho.bench-history/1", "machine": machine(), "command": format!("cargo xtask {command}"),
            "preset": arguments.preset.name(), "data": bench.origin, "n_files": n_files, "json_bytes": json_bytes,
            "rows": rows.iter().map(Row::json).collect::<Vec<Value>>() });
        fs::write(file, format!("{document:#}\n")).with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    Ok(rows.iter().all(|row| row.is_met() != Some(false)))
}

/// What a command took, with all its children.
#[derive(Debug, Clone, Copy)]
struct Took {
    cpu_s: f64,
    wall_s: f64,
    peak_bytes: f64,
}

impl Took {
    fn median(all: &[Took]) -> Took {
        let of = |part: fn(&Took) -> f64| median(all.iter().map(part).collect());
        Took { cpu_s: of(|took| took.cpu_s), wall_s: of(|took| took.wall_s), peak_bytes: of(|took| took.peak_bytes) }
    }
}

/// Both tools, and the data.
struct Bench {
    tacho: PathBuf,
    python: PathBuf,
    /// Holds `suite`, which is the data.
    folder: PathBuf,
    origin: &'static str,
}

impl Bench {
    fn prepare(preset: Preset) -> Result<Bench> {
        let root = root();
        let python = setup::test_environment(&root)?;
        let tacho = process::build_tacho(&root, true)?;
        let folder = root.join("target/bench-history").join(preset.name());
        let data = folder.join("suite");
        real::remove(&data.join(".tacho"))?;
        let generator = root.join("../shared/data/make_asv_dataset.py");
        let origin = if generator.exists() { "make_asv_dataset.py, seed 1" } else { "made by xtask" };
        let stamp = folder.join("made");
        if fs::read_to_string(&stamp).is_ok_and(|found| found == origin) {
            return Ok(Bench { tacho, python, folder, origin });
        }
        say(format_args!("making {} ...", data.display()));
        real::remove(&folder)?;
        let (n_commits, n_benchmarks) = preset.size();
        if generator.exists() {
            let mut make = Command::new(&python);
            make.arg(generator).arg("--out").arg(&data).args(["--machines", "2", "--commits", &n_commits.to_string()]);
            process::run(make.args(["--benchmarks", &n_benchmarks.to_string()]).stdout(Stdio::null()))?;
        } else {
            generate::write(&data, n_commits, n_benchmarks)?;
        }
        fs::write(&stamp, origin)?;
        Ok(Bench { tacho, python, folder, origin })
    }

    fn data(&self) -> PathBuf {
        self.folder.join("suite")
    }

    fn tacho(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.tacho);
        command.args(words);
        at_home(command, &self.folder)
    }

    fn asv(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.args(["-m", "asv"]).args(words);
        at_home(command, &self.folder)
    }

    /// Returns how many result files there are, and their size.
    fn size(&self) -> Result<(usize, u64)> {
        let files = result_files(&self.data().join("results"))?;
        let bytes = files.iter().map(|file| Ok(fs::metadata(file)?.len())).sum::<Result<u64>>()?;
        Ok((files.len(), bytes))
    }

    /// Makes the index without a few files, then adds them one at a time.
    fn index(&self, json_bytes: u64) -> Result<Vec<Row>> {
        let all = result_files(&self.data().join("results"))?;
        let late: Vec<PathBuf> = all.into_iter().rev().take(N_NEW_FILES).collect();
        let aside = |file: &Path| self.folder.join(file.file_name().unwrap_or_default());
        for file in &late {
            fs::rename(file, aside(file))?;
        }
        let first = took(self.tacho(&["index"]));
        let again = |file: &PathBuf| {
            fs::rename(aside(file), file)?;
            took(self.tacho(&["index"]))
        };
        // All files go back, whatever became of the first.
        let again: Vec<Result<Option<Took>>> = late.iter().map(again).collect();
        let first = first?.map(|first| (json_bytes as f64 / MB / first.cpu_s, first));
        let again = again.into_iter().collect::<Result<Option<Vec<Took>>>>()?.map(|again| Took::median(&again));
        Ok(vec![
            Row::new(
                "first index, of one processor",
                "MB of JSON/s",
                AtLeast(60.0),
                first.map_or(f64::NAN, |first| first.0),
            ),
            Row::new("first index, on the wall", "s", Target::None, first.map_or(f64::NAN, |first| first.1.wall_s)),
            Row::new(
                "first index, peak memory",
                "MB",
                AtMost(700.0),
                first.map_or(f64::NAN, |first| first.1.peak_bytes / MB),
            ),
            Row::new("index with one new file", "s", AtMost(0.2), again.map_or(f64::NAN, |again| again.wall_s)),
        ])
    }

    fn query(&self) -> Result<Vec<Row>> {
        let benchmark = "SELECT benchmark FROM results ORDER BY benchmark LIMIT 1";
        let name = process::output(&mut self.tacho(&["query", "--csv", benchmark]))?;
        let name = name.lines().last().unwrap_or_default().to_owned();
        let one = format!("SELECT position, value FROM results WHERE benchmark = '{name}' AND machine = '{MACHINE}'");
        let all = "SELECT benchmark, avg(value) FROM results GROUP BY benchmark";
        let wall_ms = |sql: &str| -> Result<f64> {
            let turns = (0..N_TURNS).map(|_| took(self.tacho(&["query", "--csv", sql])));
            let turns = turns.collect::<Result<Option<Vec<Took>>>>()?;
            Ok(turns.map_or(f64::NAN, |turns| Took::median(&turns).wall_s * 1e3))
        };
        Ok(vec![
            Row::new("query of one benchmark, on the wall", "ms", Target::None, wall_ms(&one)?),
            Row::new("query of the mean of every benchmark, on the wall", "ms", Target::None, wall_ms(all)?),
        ])
    }

    /// Shows a commit, and compares two, with both tools in turn.
    fn against_asv(&self) -> Result<Vec<Row>> {
        let repository = self.data().join("repo");
        let commit = |name: &str| repository::git(&repository, &["rev-parse", name]);
        let (a, b) = (commit("main~100")?, commit("main~10")?);
        let mut rows =
            self.in_turn("show", &["show", &a, "--machine", MACHINE], &["show", "--machine", MACHINE, &a])?;
        let ours = ["compare", &a, &b, "--machine", MACHINE];
        rows.extend(self.in_turn("compare", &ours, &["compare", "--machine", MACHINE, &a, &b])?);
        Ok(rows)
    }

    fn in_turn(&self, name: &str, ours: &[&str], theirs: &[&str]) -> Result<Vec<Row>> {
        let (mut tacho, mut asv) = (Vec::new(), Vec::new());
        for _ in 0..N_TURNS {
            // What does not answer is asked once.
            if tacho.len() == asv.len() {
                tacho.extend(took(self.tacho(ours))?);
            }
            asv.push(took(self.asv(theirs))?.with_context(|| format!("asv {name} failed"))?);
        }
        let asv = Took::median(&asv);
        let tacho = if tacho.len() == N_TURNS { Took::median(&tacho).cpu_s } else { f64::NAN };
        Ok(vec![
            Row::new(format!("{name}: processor, tacho"), "s", Target::None, tacho),
            Row::new(format!("{name}: processor, asv"), "s", Target::None, asv.cpu_s),
            Row::new(format!("{name}: processor, tacho / asv"), "", AtMost(1.0 / 20.0), tacho / asv.cpu_s),
        ])
    }

    /// Searches every series: by the command, from the index to its list, and by the judge alone.
    fn changes(&self) -> Result<Vec<Row>> {
        let all = asv_folders::series(&self.data().join("results"), 1)?;
        let n_points: usize = all.iter().map(Vec::len).sum();
        let points: Vec<_> = all.into_iter().map(series::points).collect();
        let began = speed::thread_ms();
        let n_found: usize = points.iter().map(|points| quality::search(points).change_points.len()).sum();
        let judge_ms = 1000.0 * (speed::thread_ms() - began) / n_points as f64;
        drop(points);
        say(format_args!("change points of {n_points} values: {n_found}"));
        let command = took(self.tacho(&["changes", "--all", "--json"]))?;
        let per_1000 = command.map_or(f64::NAN, |took| 1e6 * took.cpu_s / n_points as f64);
        let peak_mb = command.map_or(f64::NAN, |took| took.peak_bytes / MB);
        Ok(vec![
            Row::new("change points of every series, the judge alone", "ms/1,000", AtMost(1.0), judge_ms),
            Row::new("tacho changes --all, processor", "ms/1,000", AtMost(1.0), per_1000),
            Row::new("tacho changes --all, peak memory", "MB", AtMost(700.0), peak_mb),
        ])
    }
}

/// Runs a command to its end; `None`, with its message, where it does not answer.
fn took(mut command: Command) -> Result<Option<Took>> {
    use wait4::Wait4;
    let text = process::text(&command);
    let began = Instant::now();
    let (mut reader, writer) = std::io::pipe()?;
    let child = command.stdout(Stdio::null()).stderr(writer).spawn()?;
    // Our copy of the writing end must go, or the message never ends.
    drop(command);
    let mut message = String::new();
    std::io::Read::read_to_string(&mut reader, &mut message)?;
    let used = child.wait4()?;
    if !used.status.success() {
        let first = message.lines().next().unwrap_or_default();
        say(format_args!("not there: `{text}` ({}): {first}", used.status));
        return Ok(None);
    }
    let cpu_s = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok(Some(Took { cpu_s, wall_s: began.elapsed().as_secs_f64(), peak_bytes: used.rusage.maxrss as f64 }))
}

/// Returns asv's result files, of all machines.
fn result_files(results: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for machine in asv_folders::entries(results)?.into_iter().filter(|path| path.is_dir()) {
        files.extend(asv_folders::entries(&machine)?.into_iter().filter(|file| !file.ends_with("machine.json")));
    }
    Ok(files)
}
