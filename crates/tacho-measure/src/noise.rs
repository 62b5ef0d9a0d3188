//! What on this machine makes measurements noisy or one-sided: looked at, never changed, and never as the superuser.
//!
//! Everything is read from `/proc`, `/sys` and `/run` below a root folder, so that tests give trees of their own.
//! Where a system has no such files (macOS) conditions are unknown. A fix is told only where its command can work: what
//! a kernel is set to cannot be changed from a container.

mod cgroup;
mod clocks;
mod frequency;
mod memory;
mod others;
mod place;
mod processors;
mod snapshot;
mod storage;

use std::path::{Path, PathBuf};

use tacho_model::{Condition, Finding};

use place::Place;

use crate::machine;
pub use snapshot::Snapshot;
pub use storage::TEMPORARY_FILES;

/// What findings are made from beside the machine's own files.
#[derive(Debug)]
pub struct Surroundings {
    /// The processors that this process may use, ascending, where the system tells.
    pub usable_processors: Option<Vec<u32>>,
    /// Folders that measurements write to, by what they are for.
    pub folders: Vec<(&'static str, PathBuf)>,
    /// The machine before anything was measured.
    pub before: Snapshot,
    /// The machine afterwards, if something was.
    pub after: Option<Snapshot>,
    /// Processor time that was used between the two for measuring.
    pub own_cpu_ns: u64,
}

/// Returns one finding for each condition, in the order of [`Condition::ALL`].
pub fn findings(surroundings: &Surroundings) -> Vec<Finding> {
    findings_below(Path::new("/"), machine::virtualisation(), surroundings)
}

fn findings_below(root: &Path, virtualisation: Option<String>, surroundings: &Surroundings) -> Vec<Finding> {
    let place = Place::new(root, virtualisation, surroundings);
    Condition::ALL.map(|condition| finding(condition, &place)).to_vec()
}

fn finding(condition: Condition, place: &Place<'_>) -> Finding {
    let told = match condition {
        Condition::Governor => frequency::governor(place),
        Condition::Turbo => frequency::turbo(place),
        Condition::Smt => processors::smt(place),
        Condition::Throttling => frequency::throttling(place),
        Condition::Power => frequency::power(place),
        Condition::Load => others::load(place),
        Condition::BusyProcesses => others::busy_processes(place),
        Condition::Users => others::users(place),
        Condition::Steal => processors::steal(place),
        Condition::CpuQuota => processors::cpu_quota(place),
        Condition::Processors => processors::usable(place),
        Condition::MemoryPressure => memory::pressure(place),
        Condition::Swap => memory::swap(place),
        Condition::HugePages => memory::huge_pages(place),
        Condition::AddressLayout => memory::address_layout(place),
        Condition::ClockSource => clocks::clock_source(place),
        Condition::FileSystems => storage::file_systems(place),
        Condition::Virtualisation => place.virtualisation_told(),
        Condition::PerfEvents => clocks::perf_events(place),
    };
    told.finding(condition)
}

#[cfg(test)]
mod tests;
