//! Names of Arm processors, which tell the system only who made them (implementer) and what they are (part).
//!
//! The numbers are fields of the register MIDR_EL1. Facts from Arm's technical reference manuals, from Linux'
//! `arch/arm64/include/asm/cputype.h` and from the table of util-linux' `lscpu`. Microcontrollers and what
//! runs no Linux of today is left out. Cloud processors are told by their cores: Graviton2 is Neoverse-N1, Graviton3
//! Neoverse-V1, Graviton4 and NVIDIA Grace Neoverse-V2.

use std::collections::BTreeSet;

use super::cpuinfo::Cpuinfo;

/// Returns the names of the different processors, several joined by ` + ` (big.LITTLE); `None` where one has no name.
pub(super) fn model(cpuinfo: Cpuinfo<'_>) -> Option<String> {
    let names: Option<BTreeSet<String>> =
        identities(cpuinfo).into_iter().map(|(implementer, part)| name(implementer, part)).collect();
    let names = names.filter(|names| !names.is_empty())?;
    Some(names.into_iter().collect::<Vec<_>>().join(" + "))
}

/// Returns what is known where a processor has no name here: its numbers.
pub(super) fn numbers(cpuinfo: Cpuinfo<'_>) -> Option<String> {
    let numbers: Vec<String> = identities(cpuinfo)
        .into_iter()
        .map(|(implementer, part)| match maker(implementer) {
            Some((maker, _)) => format!("{maker} part {part:#05x}"),
            None => format!("Arm implementer {implementer:#04x} part {part:#05x}"),
        })
        .collect();
    (!numbers.is_empty()).then(|| numbers.join(" + "))
}

/// Returns true where the system tells numbers only: what it calls `model name` is the architecture then.
pub(super) fn is_arm(cpuinfo: Cpuinfo<'_>) -> bool {
    cpuinfo.first("CPU implementer").is_some()
}

fn identities(cpuinfo: Cpuinfo<'_>) -> BTreeSet<(u32, u32)> {
    let number = |text: &str| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let identity =
        |block: Cpuinfo<'_>| Some((number(block.first("CPU implementer")?)?, number(block.first("CPU part")?)?));
    cpuinfo.blocks().filter_map(identity).collect()
}

fn name(implementer: u32, part: u32) -> Option<String> {
    let (maker, parts) = maker(implementer)?;
    let (_, name) = parts.iter().find(|(number, _)| *number == part)?;
    // Arm's own designs are in everybody's chips: their names stand alone.
    Some(if implementer == ARM { (*name).to_owned() } else { format!("{maker} {name}") })
}

const ARM: u32 = 0x41;

type Parts = &'static [(u32, &'static str)];

fn maker(implementer: u32) -> Option<(&'static str, Parts)> {
    MAKERS.iter().find(|(number, ..)| *number == implementer).map(|(_, maker, parts)| (*maker, *parts))
}

const MAKERS: &[(u32, &str, Parts)] = &[
    (ARM, "Arm", ARM_PARTS),
    (0x42, "Broadcom", &[(0x0f, "Brahma-B15"), (0x100, "Brahma-B53"), (0x516, "ThunderX2")]),
    (0x43, "Cavium", CAVIUM_PARTS),
    (0x46, "Fujitsu", &[(0x001, "A64FX")]),
    (0x48, "HiSilicon", &[(0xd01, "TaiShan-v110"), (0xd02, "HIP09"), (0xd06, "HIP12"), (0xd40, "Cortex-A76")]),
    (0x4e, "NVIDIA", &[(0x000, "Denver"), (0x003, "Denver 2"), (0x004, "Carmel"), (0x010, "Olympus")]),
    (0x50, "APM", &[(0x000, "X-Gene")]),
    (0x51, "Qualcomm", QUALCOMM_PARTS),
    (0x53, "Samsung", &[(0x001, "Exynos-M1"), (0x002, "Exynos-M3"), (0x003, "Exynos-M4"), (0x004, "Exynos-M5")]),
    (0x56, "Marvell", &[(0x131, "Feroceon-88FR131"), (0x581, "PJ4"), (0x584, "PJ4B-MP")]),
    (0x61, "Apple", APPLE_PARTS),
    (0x6d, "Microsoft", &[(0xd49, "Azure Cobalt 100")]),
    (0x70, "Phytium", PHYTIUM_PARTS),
    (0xc0, "Ampere", &[(0xac3, "AmpereOne"), (0xac4, "AmpereOne A")]),
];

const ARM_PARTS: Parts = &[
    (0xb36, "ARM1136"),
    (0xb76, "ARM1176"),
    (0xc05, "Cortex-A5"),
    (0xc07, "Cortex-A7"),
    (0xc08, "Cortex-A8"),
    (0xc09, "Cortex-A9"),
    (0xc0d, "Cortex-A12"),
    (0xc0e, "Cortex-A17"),
    (0xc0f, "Cortex-A15"),
    (0xd01, "Cortex-A32"),
    (0xd02, "Cortex-A34"),
    (0xd03, "Cortex-A53"),
    (0xd04, "Cortex-A35"),
    (0xd05, "Cortex-A55"),
    (0xd06, "Cortex-A65"),
    (0xd07, "Cortex-A57"),
    (0xd08, "Cortex-A72"),
    (0xd09, "Cortex-A73"),
    (0xd0a, "Cortex-A75"),
    (0xd0b, "Cortex-A76"),
    (0xd0c, "Neoverse-N1"),
    (0xd0d, "Cortex-A77"),
    (0xd0e, "Cortex-A76AE"),
    (0xd40, "Neoverse-V1"),
    (0xd41, "Cortex-A78"),
    (0xd42, "Cortex-A78AE"),
    (0xd43, "Cortex-A65AE"),
    (0xd44, "Cortex-X1"),
    (0xd46, "Cortex-A510"),
    (0xd47, "Cortex-A710"),
    (0xd48, "Cortex-X2"),
    (0xd49, "Neoverse-N2"),
    (0xd4a, "Neoverse-E1"),
    (0xd4b, "Cortex-A78C"),
    (0xd4c, "Cortex-X1C"),
    (0xd4d, "Cortex-A715"),
    (0xd4e, "Cortex-X3"),
    (0xd4f, "Neoverse-V2"),
    (0xd80, "Cortex-A520"),
    (0xd81, "Cortex-A720"),
    (0xd82, "Cortex-X4"),
    (0xd83, "Neoverse-V3AE"),
    (0xd84, "Neoverse-V3"),
    (0xd85, "Cortex-X925"),
    (0xd87, "Cortex-A725"),
    (0xd88, "Cortex-A520AE"),
    (0xd89, "Cortex-A720AE"),
    (0xd8e, "Neoverse-N3"),
];

const CAVIUM_PARTS: Parts = &[
    (0x0a0, "ThunderX"),
    (0x0a1, "ThunderX 88XX"),
    (0x0a2, "ThunderX 81XX"),
    (0x0a3, "ThunderX 83XX"),
    (0x0af, "ThunderX2 99xx"),
    (0x0b0, "OcteonTX2"),
    (0x0b1, "OcteonTX2 98XX"),
    (0x0b2, "OcteonTX2 96XX"),
    (0x0b3, "OcteonTX2 95XX"),
    (0x0b8, "ThunderX3 T110"),
];

const QUALCOMM_PARTS: Parts = &[
    (0x001, "Oryon"),
    (0x00f, "Scorpion"),
    (0x02d, "Scorpion"),
    (0x04d, "Krait"),
    (0x06f, "Krait"),
    (0x201, "Kryo"),
    (0x205, "Kryo"),
    (0x211, "Kryo"),
    (0x800, "Kryo 2XX Gold"),
    (0x801, "Kryo 2XX Silver"),
    (0x802, "Kryo 3XX Gold"),
    (0x803, "Kryo 3XX Silver"),
    (0x804, "Kryo 4XX Gold"),
    (0x805, "Kryo 4XX Silver"),
    (0xc00, "Falkor"),
    (0xc01, "Saphira"),
];

const APPLE_PARTS: Parts = &[
    (0x020, "A14 Icestorm"),
    (0x021, "A14 Firestorm"),
    (0x022, "M1 Icestorm"),
    (0x023, "M1 Firestorm"),
    (0x024, "M1 Pro Icestorm"),
    (0x025, "M1 Pro Firestorm"),
    (0x028, "M1 Max Icestorm"),
    (0x029, "M1 Max Firestorm"),
    (0x030, "A15 Blizzard"),
    (0x031, "A15 Avalanche"),
    (0x032, "M2 Blizzard"),
    (0x033, "M2 Avalanche"),
    (0x034, "M2 Pro Blizzard"),
    (0x035, "M2 Pro Avalanche"),
    (0x038, "M2 Max Blizzard"),
    (0x039, "M2 Max Avalanche"),
];

const PHYTIUM_PARTS: Parts = &[
    (0x303, "FTC310"),
    (0x660, "FTC660"),
    (0x661, "FTC661"),
    (0x662, "FTC662"),
    (0x663, "FTC663"),
    (0x664, "FTC664"),
    (0x862, "FTC862"),
];
