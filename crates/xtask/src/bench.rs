//! `bench`: what the harness itself costs, as a ratio to asv on benchmarks that do nothing, and for each command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Result;

use crate::{history, process, real, root, say, setup};

/// Benchmarks in the suite.
const N_BENCHMARKS: usize = 50;
/// Times that each tool runs; they take turns, so that both see the same machine.
const N_TURNS: usize = 3;

/// Times both tools and prints commands, machine and ratio.
///
/// # Errors
/// Something did not build, or one of the tools failed.
pub fn run() -> Result<()> {
    let root = root();
    let python = setup::test_environment(&root)?;
    let tacho = process::build_tacho(&root, true)?;
    let folder = root.join("target/bench");
    real::remove(&folder)?;
    suite(&folder.join("suite"))?;
    let mut ready = asv(&folder, &python, &["machine", "--yes"]);
    process::run(ready.stdout(Stdio::null()))?;
    process::run(self::tacho(&folder, &tacho, &["machine", "--yes"]).stdout(Stdio::null()))?;
    say(format_args!("suite: {N_BENCHMARKS} functions that do nothing, each tool {N_TURNS} times in turn"));
    say(format_args!("machine: {}", machine()));
    let existing = format!("existing:{}", python.display());
    let python = python.display().to_string();
    let pairs = [
        ("one call each", asv_words(&existing, true), vec!["run", "--quick", "--python", &python]),
        ("full", asv_words(&existing, false), vec!["run", "--python", &python]),
    ];
    for (name, asv_words, tacho_words) in pairs {
        let make_asv = || asv(&folder, Path::new(&python), &asv_words);
        let make_tacho = || self::tacho(&folder, &tacho, &tacho_words);
        compare(name, &make_asv, &make_tacho)?;
    }
    launch(&root, &tacho)
}

/// Prints what the launcher adds to a command.
fn launch(root: &Path, tacho: &Path) -> Result<()> {
    say(format_args!("\none command"));
    let mut example = process::cargo(root);
    example.args(["run", "--quiet", "--release", "--package", "tacho-measure", "--example", "launch_overhead"]);
    process::run(example.arg("--").arg(tacho))
}

fn asv_words(existing: &str, quick: bool) -> Vec<&str> {
    let mut words = vec!["run", "--environment", existing, "--set-commit-hash", "HEAD"];
    words.extend(quick.then_some("--quick"));
    words
}

fn compare(name: &str, asv: &dyn Fn() -> Command, tacho: &dyn Fn() -> Command) -> Result<()> {
    say(format_args!("\n{name}\n  {}\n  {}", process::text(&asv()), process::text(&tacho())));
    let (mut asv_s, mut tacho_s) = (Vec::new(), Vec::new());
    for _ in 0..N_TURNS {
        asv_s.push(seconds(asv())?);
        tacho_s.push(seconds(tacho())?);
    }
    let (asv_s, tacho_s) = (median(asv_s), median(tacho_s));
    say(format_args!("  asv {asv_s:.2} s, tacho {tacho_s:.2} s, ratio asv / tacho {:.1}", asv_s / tacho_s));
    Ok(())
}

fn seconds(mut command: Command) -> Result<f64> {
    let started = Instant::now();
    process::run(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
    Ok(started.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn suite(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("benchmarks"))?;
    let configuration = r#"{"version": 1, "project": "noop", "repo": ".", "branches": ["main"],
        "environment_type": "virtualenv", "results_dir": ".asv/results", "env_dir": ".asv/env"}"#;
    fs::write(folder.join("asv.conf.json"), configuration)?;
    fs::write(folder.join(".gitignore"), ".asv/\n.tacho/\n__pycache__/\n")?;
    let functions = (0..N_BENCHMARKS).map(|k| format!("def time_nothing_{k}():\n    pass\n\n\n"));
    fs::write(folder.join("benchmarks/__init__.py"), functions.collect::<String>().trim_end().to_owned() + "\n")?;
    history::git(folder, &["init", "--quiet", "--initial-branch", "main"])?;
    history::git(folder, &["add", "--all"])?;
    history::git(folder, &["commit", "--quiet", "--message", "Nothing"])?;
    Ok(())
}

fn asv(folder: &Path, python: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "asv"]).args(words);
    at_home(command, folder)
}

fn tacho(folder: &Path, program: &PathBuf, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words);
    at_home(command, folder)
}

/// Both tools keep what they know of the user in a home of their own.
fn at_home(mut command: Command, folder: &Path) -> Command {
    let home = folder.join("home");
    command.current_dir(folder.join("suite")).env("HOME", &home);
    for (name, inner) in [("XDG_CONFIG_HOME", ".config"), ("XDG_STATE_HOME", ".state"), ("XDG_CACHE_HOME", ".cache")] {
        command.env(name, home.join(inner));
    }
    command
}

fn machine() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let load = load.split(' ').next().unwrap_or_default().to_owned();
    format!("{} ({processors} processors), load {load}", model.map_or("unknown processor", |(_, name)| name))
}
