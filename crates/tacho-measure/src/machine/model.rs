//! The processor's name, from whoever tells it.

use std::path::Path;

use tacho_model::UNKNOWN_CPU;

use super::cpuinfo::{Cpuinfo, says_something};
use super::{Ask, arm, device_tree, ibm_z};

/// Returns the processor's name: as the kernel tells it, by its numbers, as the firmware or `lscpu` tells it.
///
/// Where only numbers are known that have no name here the text begins with [`UNKNOWN_CPU`] and tells them.
pub(super) fn model(root: &Path, cpuinfo: &str, ask: Ask<'_>) -> Option<String> {
    let cpuinfo = Cpuinfo(cpuinfo);
    told_by_kernel(cpuinfo)
        .or_else(|| arm::model(cpuinfo))
        .or_else(|| ibm_z::model(cpuinfo))
        .or_else(|| device_tree::processor(root))
        .or_else(|| device_tree::board(root))
        .or_else(|| told_by_lscpu(ask))
        .or_else(|| numbers(cpuinfo).map(|numbers| format!("{UNKNOWN_CPU} ({numbers})")))
        .map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn told_by_kernel(cpuinfo: Cpuinfo<'_>) -> Option<String> {
    // `ARMv8 Processor rev 1 (v8l)` is the architecture and no model.
    if arm::is_arm(cpuinfo) {
        return None;
    }
    // x86; LoongArch; MIPS and Alpha; POWER and SPARC; RISC-V.
    let names = ["model name", "Model Name", "cpu model", "cpu", "uarch"];
    let different = names.iter().map(|name| cpuinfo.different(name)).find(|values| !values.is_empty())?;
    Some(different.into_iter().map(without_modes).collect::<Vec<_>>().join(" + "))
}

/// `POWER9 (raw), altivec supported` is a POWER9. `(architected)` stays: it is what the machine acts as.
fn without_modes(name: &str) -> &str {
    let name = name.strip_suffix(", altivec supported").unwrap_or(name);
    name.strip_suffix(" (raw)").unwrap_or(name)
}

fn told_by_lscpu(ask: Ask<'_>) -> Option<String> {
    let output = ask(&["lscpu"])?;
    let names = output.lines().filter_map(|line| line.strip_prefix("Model name:"));
    let mut names: Vec<&str> = names.map(str::trim).filter(|name| says_something(name)).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| names.join(" + "))
}

fn numbers(cpuinfo: Cpuinfo<'_>) -> Option<String> {
    arm::numbers(cpuinfo).or_else(|| x86_numbers(cpuinfo)).or_else(|| riscv_numbers(cpuinfo))
}

fn x86_numbers(cpuinfo: Cpuinfo<'_>) -> Option<String> {
    let [vendor, family, model] = ["vendor_id", "cpu family", "model"].map(|name| cpuinfo.first(name));
    Some(format!("{} family {} model {}", vendor?, family?, model?))
}

fn riscv_numbers(cpuinfo: Cpuinfo<'_>) -> Option<String> {
    let vendor = cpuinfo.first("mvendorid")?;
    let architecture = cpuinfo.first("marchid")?;
    Some(format!("RISC-V vendor {vendor} architecture {architecture}"))
}
