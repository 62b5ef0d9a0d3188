//! What a machine tells about itself: facts, a name to start with, and its present load.
//!
//! A fact that cannot be read is left out; nothing here guesses. Readers take the root folder of the
//! `/proc`, `/sys` and `/etc` they read, so that tests give them trees of their own.

mod arm;
pub(crate) mod cpu;
mod cpuinfo;
mod darwin;
mod device_tree;
mod ibm_z;
mod model;
mod name;
mod virtualisation;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use tacho_model::{CPU_FACT, Load, RAM_FACT, ram_text};

pub use name::default_name;

/// Returns everything that this machine tells about itself, by the fact's name.
///
/// Names: `arch`, `cpu`, `num_cpu` (logical processors that this process may use), `cores` (physical),
/// `ram`, `os`, `kernel`, `governor`, `turbo`, `smt`, `virtualisation`.
pub fn facts() -> BTreeMap<String, String> {
    if cfg!(target_os = "macos") {
        return darwin::facts(&command_output);
    }
    let arch = rustix::system::uname().machine().to_string_lossy().into_owned();
    let usable_cpus = std::thread::available_parallelism().ok().map(usize::from);
    linux_facts(Path::new("/"), &arch, usable_cpus, &command_output)
}

/// Runs a command line and gives what it printed.
type Ask<'a> = &'a dyn Fn(&[&str]) -> Option<String>;

/// Returns the output of a program, without surrounding white space; `None` unless it succeeds and says something.
fn command_output(words: &[&str]) -> Option<String> {
    let (program, arguments) = words.split_first()?;
    // Labels are looked for in English.
    let output = Command::new(program).args(arguments).env("LC_ALL", "C").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// Returns the processors that this process may use, ascending; `None` where the system does not tell.
#[cfg(target_os = "linux")]
pub fn processors() -> Option<Vec<u32>> {
    let set = rustix::thread::sched_getaffinity(None).ok()?;
    let highest = rustix::thread::CpuSet::MAX_CPU;
    Some((0..highest).filter(|cpu| set.is_set(*cpu)).map(|cpu| cpu as u32).collect())
}

/// Returns `None`: this system does not tell.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> Option<Vec<u32>> {
    None
}

/// Returns the load averages of this machine; `None` where the system does not tell them.
pub fn load() -> Option<Load> {
    if cfg!(target_os = "macos") {
        return darwin::load(&command_output);
    }
    load_below(Path::new("/"))
}

/// Returns what lies between this process and the hardware, as the fact `virtualisation` tells it.
pub(crate) fn virtualisation() -> Option<String> {
    facts().remove("virtualisation")
}

fn linux_facts(root: &Path, arch: &str, usable_cpus: Option<usize>, ask: Ask<'_>) -> BTreeMap<String, String> {
    let cpuinfo = text(root, "proc/cpuinfo").unwrap_or_default();
    let found = [
        ("arch", Some(arch.to_owned()).filter(|arch| !arch.is_empty())),
        (CPU_FACT, model::model(root, &cpuinfo, ask)),
        ("num_cpu", usable_cpus.map(|n| n.to_string())),
        ("cores", cpu::cores(root, &cpuinfo).map(|n| n.to_string())),
        (RAM_FACT, ram_bytes(root).map(|bytes| ram_text(&bytes.to_string()))),
        ("os", os_name(root)),
        ("kernel", text(root, "proc/sys/kernel/osrelease")),
        ("governor", cpu::governor(root)),
        ("turbo", cpu::turbo(root)),
        ("smt", cpu::smt(root)),
        ("virtualisation", virtualisation::found(root, arch, &cpuinfo)),
    ];
    found.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

pub(crate) fn load_below(root: &Path) -> Option<Load> {
    let line = text(root, "proc/loadavg")?;
    let mut numbers = line.split_whitespace().map(|word| word.parse::<f64>().ok());
    Some(Load { one_minute: numbers.next()??, five_minutes: numbers.next()??, fifteen_minutes: numbers.next()?? })
}

fn ram_bytes(root: &Path) -> Option<u64> {
    let meminfo = text(root, "proc/meminfo")?;
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

fn os_name(root: &Path) -> Option<String> {
    let release = text(root, "etc/os-release").or_else(|| text(root, "usr/lib/os-release"))?;
    let value = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    let plain = value.trim().trim_matches(['"', '\'']);
    (!plain.is_empty()).then(|| plain.to_owned())
}

/// Returns a file's text without surrounding white space and NULs; `None` where it cannot be read or is empty.
pub(crate) fn text(root: &Path, path: &str) -> Option<String> {
    let bytes = fs::read(root.join(path)).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let trimmed = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

#[cfg(test)]
pub(crate) mod captures;
#[cfg(test)]
mod tests;
