//! Times the launcher: what it adds to a command that does nothing, over starting and awaiting it directly.
//!
//! `launch_overhead TACHO` with the path of a `tacho` binary prints medians of commands that take turns.

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tacho_measure::{CommandLine, Launcher};

const N_TURNS: usize = 500;
const NOTHING: &str = "/bin/true";

fn main() -> Result<(), Box<dyn Error>> {
    let tacho = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: launch_overhead TACHO")?;
    let (mut bare_us, mut launched_us, mut starts_us, mut wall_us) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut launcher = Launcher::start(&tacho)?;
    let mut max_rss_bytes = 0;
    for turn in 0..N_TURNS {
        bare_us.push(time_us(bare)?);
        launched_us.push(time_us(|| {
            let finished = launcher.run(&nothing(), &AtomicBool::new(false))?;
            wall_us.push(finished.wall_ns as f64 / 1e3);
            max_rss_bytes = finished.usage.max_rss_bytes.max(max_rss_bytes);
            Ok(())
        })?);
        if turn % 10 == 0 {
            starts_us.push(time_us(|| {
                Launcher::start(&tacho)?.run(&nothing(), &AtomicBool::new(false))?;
                Ok(())
            })?);
        }
    }
    let [bare, launched, starts, wall] = [bare_us, launched_us, starts_us, wall_us].map(median);
    writeln!(
        std::io::stdout(),
        "  {NOTHING}: directly {bare:.0} us, launched {launched:.0} us (of which {wall:.0} us measured), overhead {:.0} us; \
         with a launcher of its own {starts:.0} us; peak memory {:.1} MB",
        launched - bare,
        max_rss_bytes as f64 / 1e6,
    )?;
    Ok(())
}

fn time_us(work: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed().as_secs_f64() * 1e6)
}

fn bare() -> Result<(), Box<dyn Error>> {
    Command::new(NOTHING).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(())
}

fn nothing() -> CommandLine {
    CommandLine {
        program: OsString::from(NOTHING),
        arguments: Vec::new(),
        dir: PathBuf::from("/"),
        variables: Vec::new(),
        limit: Duration::from_secs(60),
        stdout_limit_bytes: 65536,
        stderr_limit_bytes: 65536,
        affinity: None,
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
