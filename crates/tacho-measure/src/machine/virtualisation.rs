//! Whether the machine is a guest, and whether this process lives in a container.

use std::path::Path;

use super::cpuinfo::Cpuinfo;
use super::{device_tree, text};

/// Returns `none`, or what lies between this process and the hardware: `vm (NAME)`, `container (NAME)`, both.
///
/// `None` where nothing tells: only x86 and POWER say when there is nothing between.
pub(super) fn found(root: &Path, arch: &str, cpuinfo: &str) -> Option<String> {
    let guest = guest(root, arch, cpuinfo);
    let container = container(root);
    match (guest, container) {
        (Guest::Yes(name), Some(container)) => Some(format!("{name}, container ({container})")),
        (Guest::Yes(name), None) => Some(name),
        (Guest::No | Guest::Unknown, Some(container)) => Some(format!("container ({container})")),
        (Guest::No, None) => Some("none".into()),
        (Guest::Unknown, None) => None,
    }
}

enum Guest {
    Yes(String),
    No,
    Unknown,
}

fn guest(root: &Path, arch: &str, cpuinfo: &str) -> Guest {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"));
    let flagged = flags.map(|line| line.split_whitespace().any(|flag| flag == "hypervisor"));
    let dmi = dmi_name(root);
    let is_x86 = matches!(arch, "x86_64" | "i686" | "i386");
    match (flagged, &dmi) {
        (Some(true), _) => Guest::Yes(described(hypervisor_name(root).or(dmi))),
        // Bare instances of clouds carry the cloud's name in DMI, so the flag decides where there is one.
        (Some(false), _) if is_x86 => Guest::No,
        (_, Some(name)) if is_hypervisor(name) => Guest::Yes(described(dmi)),
        _ => without_dmi(root, cpuinfo),
    }
}

/// Mainframes, POWER machines and boards have no DMI; each has its own way to tell.
fn without_dmi(root: &Path, cpuinfo: &str) -> Guest {
    if let Some(name) = on_ibm_z(root).or_else(|| in_device_tree(root)) {
        return Guest::Yes(described(Some(name)));
    }
    if let Some(kind) = text(root, "sys/hypervisor/type") {
        return Guest::Yes(described(Some(kind)));
    }
    // Linux says so where it runs on a POWER machine with nothing between.
    let is_bare_power = Cpuinfo(cpuinfo).first("platform") == Some("PowerNV");
    if is_bare_power { Guest::No } else { Guest::Unknown }
}

/// A mainframe always runs below a hypervisor, PR/SM if there is no other.
fn on_ibm_z(root: &Path) -> Option<String> {
    let sysinfo = text(root, "proc/sysinfo")?;
    let value = |name: &str| Some(sysinfo.lines().find_map(|line| line.strip_prefix(name))?.trim().to_owned());
    let control_program = value("VM00 Control Program:");
    let spaced = control_program.map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
    spaced.or_else(|| value("LPAR Number:").map(|_| "PR/SM".into()))
}

fn in_device_tree(root: &Path) -> Option<String> {
    if let Some(name) = device_tree::property(root, "hypervisor/compatible").and_then(|names| names.into_iter().next())
    {
        return Some(name.split_once(',').map_or(name.clone(), |(_, kind)| kind.to_owned()));
    }
    if device_tree::has(root, "ibm,partition-name") {
        return Some("PowerVM".into());
    }
    let names = |property: &str| device_tree::property(root, property).unwrap_or_default();
    let mut told = names("model").into_iter().chain(names("compatible"));
    let is_emulated = told.any(|name| name.contains("qemu") || name == "linux,dummy-virt");
    is_emulated.then(|| "QEMU".into())
}

fn described(name: Option<String>) -> String {
    name.map_or_else(|| "vm".to_owned(), |name| format!("vm ({name})"))
}

fn hypervisor_name(root: &Path) -> Option<String> {
    if text(root, "proc/sys/kernel/osrelease").is_some_and(|release| release.to_lowercase().contains("microsoft")) {
        return Some("WSL".into());
    }
    text(root, "sys/hypervisor/type").filter(|_| dmi_name(root).is_none())
}

fn dmi_name(root: &Path) -> Option<String> {
    let vendor = text(root, "sys/class/dmi/id/sys_vendor")?;
    match text(root, "sys/class/dmi/id/product_name") {
        Some(product) if product.starts_with(&vendor) => Some(product),
        Some(product) => Some(format!("{vendor} {product}")),
        None => Some(vendor),
    }
}

fn is_hypervisor(dmi_name: &str) -> bool {
    const MARKS: [&str; 9] =
        ["qemu", "kvm", "vmware", "virtualbox", "xen", "virtual machine", "openstack", "firecracker", "parallels"];
    let name = dmi_name.to_lowercase();
    let is_cloud = name.starts_with("amazon ec2") || name.starts_with("google");
    MARKS.iter().any(|mark| name.contains(mark)) || (is_cloud && !name.contains("metal"))
}

fn container(root: &Path) -> Option<String> {
    if let Some(name) = text(root, "run/systemd/container") {
        return Some(name);
    }
    for (mark, name) in [(".dockerenv", "docker"), ("run/.containerenv", "podman")] {
        if root.join(mark).exists() {
            return Some(name.into());
        }
    }
    let groups = text(root, "proc/1/cgroup").unwrap_or_default();
    let known = [("kubepods", "kubernetes"), ("/docker", "docker"), ("libpod", "podman"), ("/lxc", "lxc")];
    known.iter().find(|(mark, _)| groups.contains(mark)).map(|(_, name)| (*name).to_owned())
}
