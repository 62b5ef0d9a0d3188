//! The same facts on macOS, told by `sysctl` and `sw_vers`.

use std::collections::BTreeMap;

use tacho_model::{CPU_FACT, Load, RAM_FACT, ram_text};

use super::Ask;

/// Returns the facts; `ask` runs a command line and gives what it printed.
pub(super) fn facts(ask: Ask<'_>) -> BTreeMap<String, String> {
    let sysctl = |key: &str| ask(&["sysctl", "-n", key]);
    let found = [
        ("arch", sysctl("hw.machine")),
        (CPU_FACT, sysctl("machdep.cpu.brand_string")),
        ("num_cpu", sysctl("hw.logicalcpu")),
        ("cores", sysctl("hw.physicalcpu")),
        (RAM_FACT, sysctl("hw.memsize").map(|bytes| ram_text(&bytes))),
        ("os", ask(&["sw_vers", "-productVersion"]).map(|version| format!("macOS {version}"))),
        ("kernel", sysctl("kern.osrelease")),
        ("virtualisation", guest(sysctl("kern.hv_vmm_present"))),
    ];
    found.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn guest(present: Option<String>) -> Option<String> {
    match present?.as_str() {
        "1" => Some("vm".into()),
        "0" => Some("none".into()),
        _ => None,
    }
}

/// Returns the load averages.
pub(super) fn load(ask: Ask<'_>) -> Option<Load> {
    let line = ask(&["sysctl", "-n", "vm.loadavg"])?;
    let mut numbers = line.split_whitespace().filter_map(|word| word.replace(',', ".").parse::<f64>().ok());
    Some(Load { one_minute: numbers.next()?, five_minutes: numbers.next()?, fifteen_minutes: numbers.next()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(words: &[&str]) -> Option<String> {
        let answer = match words.last().copied()? {
            "machdep.cpu.brand_string" => "Apple M2",
            "hw.memsize" => "17179869184",
            "-productVersion" => "14.5",
            "kern.hv_vmm_present" => "0",
            "vm.loadavg" => "{ 1.50 2.25 3.00 }",
            _ => return None,
        };
        Some(answer.to_owned())
    }

    #[test]
    fn what_sysctl_does_not_tell_is_left_out() {
        let found: Vec<String> = facts(&answers).iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(found, ["cpu=Apple M2", "os=macOS 14.5", "ram=17GB", "virtualisation=none"]);
    }

    #[test]
    fn load_is_read_from_between_braces() {
        let load = load(&answers).expect("three numbers");
        assert_eq!((load.one_minute, load.five_minutes, load.fifteen_minutes), (1.5, 2.25, 3.0));
    }
}
