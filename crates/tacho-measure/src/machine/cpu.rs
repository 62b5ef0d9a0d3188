//! Processors: model, physical cores, governor, turbo, simultaneous threads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::text;

/// Returns the processor's name as the kernel or the firmware tells it.
pub(super) fn model(root: &Path, cpuinfo: &str) -> Option<String> {
    // x86 and some others say `model name`, POWER says `cpu`; ARM says numbers, boards say `Model`.
    field(cpuinfo, "model name")
        .or_else(|| field(cpuinfo, "cpu"))
        .or_else(|| arm_model(cpuinfo))
        .or_else(|| text(root, "proc/device-tree/model"))
        .map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn field(cpuinfo: &str, key: &str) -> Option<String> {
    let mut pairs = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let value = pairs.find(|(name, _)| name.trim() == key)?.1.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

fn arm_model(cpuinfo: &str) -> Option<String> {
    let implementer = field(cpuinfo, "CPU implementer")?;
    let part = field(cpuinfo, "CPU part")?;
    // Part numbers of Arm Ltd. (implementer 0x41) that run servers and common boards.
    let known = match (implementer.as_str(), part.as_str()) {
        ("0x41", "0xd08") => "ARM Cortex-A72",
        ("0x41", "0xd0b") => "ARM Cortex-A76",
        ("0x41", "0xd0c") => "ARM Neoverse-N1",
        ("0x41", "0xd40") => "ARM Neoverse-V1",
        ("0x41", "0xd49") => "ARM Neoverse-N2",
        ("0x41", "0xd4f") => "ARM Neoverse-V2",
        _ => return Some(format!("ARM implementer {implementer} part {part}")),
    };
    Some(known.to_owned())
}

/// Returns the number of physical cores.
pub(super) fn cores(root: &Path, cpuinfo: &str) -> Option<usize> {
    let topology: Option<BTreeSet<(String, String)>> = cpu_folders(root)
        .iter()
        .map(|folder| {
            let package = text(folder, "topology/physical_package_id")?;
            Some((package, text(folder, "topology/core_id")?))
        })
        .collect();
    let found = topology.filter(|cores| !cores.is_empty()).unwrap_or_else(|| cores_in_cpuinfo(cpuinfo));
    (!found.is_empty()).then_some(found.len())
}

fn cores_in_cpuinfo(cpuinfo: &str) -> BTreeSet<(String, String)> {
    let core = |block: &str| Some((field(block, "physical id")?, field(block, "core id")?));
    cpuinfo.split("\n\n").filter_map(core).collect()
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

fn cpu_folders(root: &Path) -> Vec<PathBuf> {
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
