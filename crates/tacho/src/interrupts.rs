//! Ctrl-C, and other signals that ask for the end: heard, so that what is measured by then is kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::error::Result;

/// So soon a second signal is no second thought: `timeout` signals a process and then its group.
const SAME_INTERRUPT: Duration = Duration::from_secs(1);

/// One for the whole program, however often it is asked for.
static WATCHED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Sets the returned flag at the first Ctrl-C, SIGTERM or closing of the terminal; a later one ends the process at once.
pub(crate) fn watch() -> Result<Arc<AtomicBool>> {
    if let Some(flag) = WATCHED.get() {
        return Ok(Arc::clone(flag));
    }
    let flag = Arc::clone(WATCHED.get_or_init(Arc::default));
    // A file that grows past a limit is an error of the write that did it, not the end of the program.
    let too_large = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGXFSZ, too_large).context("cannot watch for signals")?;
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot watch for signals")?;
    // `nohup` has it ignored, so that a run outlives its terminal.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP).context("cannot watch for signals")?;
    }
    let set = Arc::clone(&flag);
    std::thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for signal in signals.forever() {
            set.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > SAME_INTERRUPT {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        }
    });
    Ok(flag)
}

/// Returns true once the user has interrupted.
pub(crate) fn is_set() -> bool {
    WATCHED.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// Returns true where this process ignores a signal, as far as the system tells (`proc_pid_status(5)`).
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.unwrap_or(0) >> (signal - 1) & 1 == 1
}
