//! The device tree: what the firmware of boards and of POWER machines tells, as properties in files.

use std::fs;
use std::path::{Path, PathBuf};

use super::text;

/// Where the kernel shows the tree; the first is a link to the second where both are there.
const ROOTS: [&str; 2] = ["proc/device-tree", "sys/firmware/devicetree/base"];

/// Returns the processor as the tree calls it (`thead,c910`), several joined by ` + `.
pub(super) fn processor(root: &Path) -> Option<String> {
    let mut names: Vec<String> = processor_nodes(root)
        .iter()
        .filter_map(|node| strings(&node.join("compatible"))?.into_iter().find(|name| !is_generic(name)))
        .collect();
    names.sort();
    names.dedup();
    (!names.is_empty()).then(|| names.join(" + "))
}

/// Returns the board's name (`Raspberry Pi 4 Model B Rev 1.4`), else the chip on it (`brcm,bcm2711`).
pub(super) fn board(root: &Path) -> Option<String> {
    let chip = || property(root, "compatible")?.pop();
    property(root, "model").and_then(|model| model.into_iter().next()).or_else(chip).filter(|name| !is_generic(name))
}

/// Returns the texts of a property of the root, or of a node below it (`hypervisor/compatible`).
pub(super) fn property(root: &Path, path: &str) -> Option<Vec<String>> {
    ROOTS.iter().find_map(|tree| strings(&root.join(tree).join(path)))
}

/// Returns true where the root of the tree has this property, whatever it says.
pub(super) fn has(root: &Path, path: &str) -> bool {
    ROOTS.iter().any(|tree| root.join(tree).join(path).exists())
}

fn processor_nodes(root: &Path) -> Vec<PathBuf> {
    let nodes = |tree: &&str| {
        let entries = fs::read_dir(root.join(tree).join("cpus")).ok()?;
        let nodes: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        (!nodes.is_empty()).then_some(nodes)
    };
    ROOTS.iter().find_map(nodes).unwrap_or_default()
}

/// Reads a property that is a list of texts, each ended by a NUL.
fn strings(path: &Path) -> Option<Vec<String>> {
    let parent = path.parent()?;
    let content = text(parent, path.file_name()?.to_str()?)?;
    Some(content.split('\0').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect())
}

/// Names that fit any machine of an architecture.
fn is_generic(name: &str) -> bool {
    matches!(name, "riscv" | "arm,armv8" | "linux,dummy-virt" | "riscv-virtio" | "cache" | "simple-bus")
}
