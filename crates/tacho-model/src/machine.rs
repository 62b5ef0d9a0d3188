//! A machine: a declared name, with facts that annotate and never identify.

use std::collections::BTreeMap;

/// The fact that holds the processor's name.
pub const CPU_FACT: &str = "cpu";

/// What a processor is called that has no name; where its numbers are known they follow in parentheses.
pub const UNKNOWN_CPU: &str = "unknown CPU";

/// The fact that holds the machine's memory, as [`ram_text`] writes it.
pub const RAM_FACT: &str = "ram";

/// A machine that measures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The declared name: the machine part of every series key.
    pub name: String,
    /// Observed facts by name (`arch`, `cpu`, `num_cpu`, `ram`, `os`, `kernel`, `governor`, …), as texts.
    pub facts: BTreeMap<String, String>,
}

impl Machine {
    /// Returns the processor's name, [`UNKNOWN_CPU`] where nobody has told one: never an empty text.
    pub fn cpu(&self) -> &str {
        self.facts.get(CPU_FACT).map(|name| name.trim()).filter(|name| !name.is_empty()).unwrap_or(UNKNOWN_CPU)
    }
}

/// Returns a memory size in bytes as whole decimal gigabytes (`135GB`), so that the few kilobytes by
/// which kernels disagree are no new machine. A text that is no number stays as it is.
pub fn ram_text(raw: &str) -> String {
    match raw.trim().parse::<u64>() {
        Ok(bytes) => format!("{}GB", (bytes as f64 / 1e9).round() as u64),
        Err(_) => raw.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expected: &str) {
        assert_eq!(ram_text(raw), expected);
    }

    #[test]
    fn a_processor_without_a_name_is_unknown() {
        let machine = |facts: &[(&str, &str)]| {
            let facts = facts.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Machine { name: "m".into(), facts: facts.collect() }
        };
        assert_eq!(machine(&[]).cpu(), "unknown CPU");
        // asv writes an empty text on Arm.
        assert_eq!(machine(&[("cpu", " ")]).cpu(), "unknown CPU");
        assert_eq!(machine(&[("cpu", "Neoverse-V1")]).cpu(), "Neoverse-V1");
    }

    #[test]
    fn ram_is_decimal_whole_and_stays_when_it_is_text() {
        check("134807384064", "135GB");
        check("134807396352", "135GB");
        check("135GB", "135GB");
        check("a lot", "a lot");
        check("", "");
        check("400000000", "0GB");
    }
}
