//! Whom a signal is for: the command itself, or what it has started, where the command only stands before that.
//!
//! A shell or `setsid` that stays the parent of the interpreter would be ended by a signal that is meant to be handled.

use std::collections::BTreeMap;
use std::fs;

use rustix::process::Pid;

use super::leftovers::{parent, processes};

/// Returns the process itself where it handles the signal, else those of its descendants that do; where the system does
/// not tell who handles what, the process itself.
pub(super) fn of(pid: Pid, signal: i32) -> Vec<Pid> {
    match handles(pid, signal) {
        Some(false) => descendants(pid).into_iter().filter(|pid| handles(*pid, signal) == Some(true)).collect(),
        Some(true) | None => vec![pid],
    }
}

/// Tells whether a process has a handler for a signal; `None` where that cannot be read.
fn handles(pid: Pid, signal: i32) -> Option<bool> {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
    let caught = u64::from_str_radix(caught.trim(), 16).ok()?;
    let bit = u32::try_from(signal).ok()?.checked_sub(1)?;
    Some(caught.checked_shr(bit)? & 1 == 1)
}

fn descendants(ancestor: Pid) -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<Pid>> = BTreeMap::new();
    for pid in processes() {
        if let Some(parent) = parent(pid) {
            children.entry(parent.as_raw_nonzero().get()).or_default().push(pid);
        }
    }
    let mut found = vec![ancestor];
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        found.extend(children.remove(&pid.as_raw_nonzero().get()).unwrap_or_default());
        next += 1;
    }
    found.split_off(1)
}
