//! Names of IBM Z machines, which tell the system only their type.
//!
//! Machine types are IBM's, as its list of platforms tested for Linux names them.

use super::cpuinfo::Cpuinfo;

/// Returns the machine's name from a line such as `processor 0: version = FF,  identification = …,  machine = 3906`.
pub(super) fn model(cpuinfo: Cpuinfo<'_>) -> Option<String> {
    if cpuinfo.first("vendor_id")? != "IBM/S390" {
        return None;
    }
    let (_, rest) = cpuinfo.0.split_once("machine = ")?;
    let machine: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    let name = TYPES.iter().find(|(number, _)| *number == machine).map(|(_, name)| *name);
    match name {
        Some(name) => Some(format!("IBM {name}")),
        // What identifies the one machine stays out; its type does not.
        None => (!machine.is_empty()).then(|| format!("IBM Z machine {machine}")),
    }
}

const TYPES: [(&str, &str); 20] = [
    ("2064", "z900"),
    ("2066", "z800"),
    ("2084", "z990"),
    ("2086", "z890"),
    ("2094", "z9 EC"),
    ("2096", "z9 BC"),
    ("2097", "z10 EC"),
    ("2098", "z10 BC"),
    ("2817", "z196"),
    ("2818", "z114"),
    ("2827", "zEC12"),
    ("2828", "zBC12"),
    ("2964", "z13"),
    ("2965", "z13s"),
    ("3906", "z14"),
    ("3907", "z14 ZR1"),
    ("8561", "z15"),
    ("8562", "z15 T02"),
    ("3931", "z16"),
    ("9175", "z17"),
];
