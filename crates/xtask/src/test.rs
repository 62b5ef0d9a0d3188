//! `test`: every check and every test, with one count at the end.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::tally::{Counter, Tally};
use crate::{cross, process, real, root, say, setup};

/// Runs everything; false where something failed.
///
/// # Errors
/// A step could not be started.
pub fn run(whole_suites: bool) -> Result<bool> {
    let root = root();
    let python = setup::test_environment(&root)?;
    prepare_suites(&root, &python, whole_suites)?;
    let mut steps = vec![
        ("format", cargo(&root, &["fmt", "--all", "--check"])),
        ("clippy", cargo(&root, &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])),
        ("rust", cargo(&root, &["test", "--quiet", "--workspace", "--no-fail-fast"])),
        ("python", unittest(&root, &python)),
        ("real", real_suites(&root, whole_suites)),
    ];
    match cross::check(&root) {
        Some(check) => steps.insert(2, ("arm", check)),
        None => say(format_args!("arm is not checked: rustup target add {}", cross::TARGET)),
    }
    let mut total = Tally::default();
    let mut lines = Vec::new();
    for (name, command) in &mut steps {
        command.env("TACHO_TEST_PYTHON", &python);
        say(format_args!("== {name}: {}", process::text(command)));
        let started = Instant::now();
        let tally = step(command)?;
        lines.push(line(name, tally, started.elapsed()));
        total.add(tally);
    }
    say(format_args!("\n{}", lines.join("\n")));
    say(format_args!("{} passed, {} failed", total.passed, total.failed));
    Ok(total.failed == 0)
}

fn prepare_suites(root: &Path, python: &Path, all: bool) -> Result<()> {
    let asked: Vec<String> = if all { vec!["all".into()] } else { real::ALWAYS.map(str::to_owned).to_vec() };
    for name in real::chosen(root, &asked)? {
        real::prepare(root, python, &name)?;
    }
    real::prepare_history(root, python)?;
    real::prepare_readers(root)?;
    Ok(())
}

fn line(name: &str, tally: Tally, took: Duration) -> String {
    let skipped = if tally.skipped > 0 { format!(", {} skipped", tally.skipped) } else { String::new() };
    format!("{name:<8} {:>5.0} s  {} passed, {} failed{skipped}", took.as_secs_f64(), tally.passed, tally.failed)
}

fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = process::cargo(root);
    command.args(arguments);
    command
}

/// Real suites are measured after everything else and one at a time: their values are held against asv's.
fn real_suites(root: &Path, whole: bool) -> Command {
    let mut command = cargo(root, &["test", "--quiet", "--package", "tacho", "--test", "it", "--"]);
    command.args(["real::", "--test-threads=1", "--nocapture"]);
    command.env("TACHO_REAL", real::folder(root)).env("TACHO_REAL_WHOLE", if whole { "1" } else { "0" });
    command
}

fn unittest(root: &Path, python: &Path) -> Command {
    let mut command = Command::new(python);
    command.current_dir(root).args(["-m", "unittest", "discover", "-s", "python/tests", "-t", "python"]);
    command
}

/// Runs one step, shows its output as it comes and counts what it reports.
fn step(command: &mut Command) -> Result<Tally> {
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start `{}`", process::text(command)))?;
    // Our copies of the writing end must go, or the reading end never ends.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut counter = Counter::default();
    let mut lines = BufReader::new(reader);
    let mut bytes = Vec::new();
    while lines.read_until(b'\n', &mut bytes)? > 0 {
        let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        counter.read(&text);
        say(format_args!("{text}"));
        bytes.clear();
    }
    Ok(counter.finish(child.wait()?.success()))
}
