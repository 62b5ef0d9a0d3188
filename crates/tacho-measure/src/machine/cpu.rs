//! Processors: physical cores, governor, turbo, simultaneous threads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::cpuinfo::Cpuinfo;
use super::text;

/// Returns the number of physical cores that are in use.
pub(super) fn cores(root: &Path, cpuinfo: &str) -> Option<usize> {
    let folders = cpu_folders(root);
    let by_threads = || each(&folders, |cpu| Some((String::new(), threads_of_core(cpu)?)));
    let by_number = || each(&folders, |cpu| Some((package(cpu)?, text(cpu, "topology/core_id")?)));
    let found = by_threads().or_else(by_number).unwrap_or_else(|| cores_in_cpuinfo(Cpuinfo(cpuinfo)));
    (!found.is_empty()).then_some(found.len())
}

/// Returns the processors that share a core with this one. Core numbers repeat in each cluster of many Arm
/// machines and are -1 on some boards, so threads tell cores apart where the kernel shows them.
pub(crate) fn threads_of_core(cpu: &Path) -> Option<String> {
    text(cpu, "topology/core_cpus_list").or_else(|| text(cpu, "topology/thread_siblings_list"))
}

fn package(cpu: &Path) -> Option<String> {
    text(cpu, "topology/physical_package_id")
}

type Cores = BTreeSet<(String, String)>;

/// Returns the different cores; `None` where a processor does not tell its own, or there is none.
fn each(folders: &[PathBuf], core: impl Fn(&Path) -> Option<(String, String)>) -> Option<Cores> {
    let cores: Option<Cores> = folders.iter().map(|folder| core(folder)).collect();
    cores.filter(|cores| !cores.is_empty())
}

fn cores_in_cpuinfo(cpuinfo: Cpuinfo<'_>) -> Cores {
    let either =
        |block: Cpuinfo<'_>, names: [&str; 2]| names.iter().find_map(|name| block.first(name)).map(str::to_owned);
    // LoongArch says `package` and `core`.
    let core = |block| Some((either(block, ["physical id", "package"])?, either(block, ["core id", "core"])?));
    cpuinfo.blocks().filter_map(core).collect()
}

/// Returns the frequency governors in use, usually one.
pub(super) fn governor(root: &Path) -> Option<String> {
    let governors: BTreeSet<String> =
        cpu_folders(root).iter().filter_map(|folder| text(folder, "cpufreq/scaling_governor")).collect();
    (!governors.is_empty()).then(|| governors.into_iter().collect::<Vec<_>>().join(", "))
}

/// Returns `on` or `off` for frequencies above the nominal one.
pub(super) fn turbo(root: &Path) -> Option<String> {
    match text(root, "sys/devices/system/cpu/intel_pstate/no_turbo").as_deref() {
        Some("0") => return Some("on".into()),
        Some("1") => return Some("off".into()),
        _ => {}
    }
    switch(text(root, "sys/devices/system/cpu/cpufreq/boost"))
}

/// Returns `on` or `off` for several hardware threads in a core.
pub(super) fn smt(root: &Path) -> Option<String> {
    switch(text(root, "sys/devices/system/cpu/smt/active"))
}

fn switch(text: Option<String>) -> Option<String> {
    match text?.as_str() {
        "1" => Some("on".into()),
        "0" => Some("off".into()),
        _ => None,
    }
}

/// Returns the folders of the processors that are online, in no order.
pub(crate) fn cpu_folders(root: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root.join("sys/devices/system/cpu")) else { return Vec::new() };
    let is_cpu = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let number = name.strip_prefix("cpu").unwrap_or_default();
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    };
    // A processor that is offline has no topology and measures nothing.
    let is_online = |path: &PathBuf| text(path, "online").as_deref() != Some("0");
    entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_cpu).filter(is_online).collect()
}
