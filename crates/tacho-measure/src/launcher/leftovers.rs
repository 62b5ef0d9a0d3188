//! Finds and ends what a command leaves behind.
//!
//! Where the kernel knows subreapers (Linux), it hands every process of a command whose parent ends to this one, however
//! far it went: out of the process group, out of the session. So what is left over is what this process has for children.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

/// How long the end of what was killed is waited for; some may not be killed at all.
const PATIENCE: Duration = Duration::from_secs(5);

const PAUSE: Duration = Duration::from_micros(200);

/// Makes this process the one that orphans among its descendants are handed to.
pub(super) fn adopt() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Kills and reaps all children of this process; returns how many lived that were not of the killed `group`.
///
/// Each that ends may hand on children of its own, so this goes on until there are none.
pub(super) fn end_all(group: Pid) -> u64 {
    let mut outside = BTreeSet::new();
    let deadline = Instant::now() + PATIENCE;
    loop {
        match rustix::process::waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => continue,
            Ok(None) => {}
            // There are no children.
            Err(_) => break,
        }
        for pid in children() {
            if rustix::process::getpgid(Some(pid)) != Ok(group) {
                outside.insert(pid.as_raw_nonzero());
            }
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
        if Instant::now() > deadline {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    outside.len() as u64
}

/// Returns the children of this process, which has one thread.
fn children() -> Vec<Pid> {
    match fs::read_to_string("/proc/thread-self/children") {
        Ok(listed) => listed.split_ascii_whitespace().filter_map(pid).collect(),
        // Not every kernel is built with that file.
        Err(_) => processes().filter(|pid| parent(*pid) == Some(rustix::process::getpid())).collect(),
    }
}

pub(super) fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| pid(entry.file_name().to_str()?))
}

pub(super) fn parent(child: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero())).ok()?;
    // The name before it is in parentheses and may hold anything: the state, then the parent.
    pid(stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?)
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_a_child() {
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let expected = Pid::from_raw(child.id() as i32).unwrap();
        assert!(children().contains(&expected));
        assert!(processes().any(|pid| pid == expected));
        assert_eq!(parent(expected), Some(rustix::process::getpid()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!children().contains(&expected));
    }
}
