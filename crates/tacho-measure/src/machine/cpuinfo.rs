//! `/proc/cpuinfo`: lines of `name : value`, a block for each processor on most architectures.

use std::collections::BTreeSet;

/// The text of `/proc/cpuinfo`.
#[derive(Clone, Copy)]
pub(super) struct Cpuinfo<'a>(pub(super) &'a str);

impl<'a> Cpuinfo<'a> {
    /// Returns the first value of this name that says something.
    pub(super) fn first(self, name: &str) -> Option<&'a str> {
        self.values(name).next()
    }

    /// Returns the different values of this name, sorted: one, or several where processors differ.
    pub(super) fn different(self, name: &str) -> BTreeSet<&'a str> {
        self.values(name).collect()
    }

    /// Returns one block for each processor, or the whole text where it is not divided.
    pub(super) fn blocks(self) -> impl Iterator<Item = Cpuinfo<'a>> {
        self.0.split("\n\n").map(Cpuinfo)
    }

    fn values(self, name: &str) -> impl Iterator<Item = &'a str> {
        let pairs = self.0.lines().filter_map(|line| line.split_once(':'));
        let named = pairs.filter(move |(found, _)| found.trim() == name).map(|(_, value)| value.trim());
        named.filter(|value| says_something(value))
    }
}

/// Returns false for what programs and hypervisors write where they do not tell.
pub(super) fn says_something(value: &str) -> bool {
    !matches!(value.to_ascii_lowercase().as_str(), "" | "-" | "unknown" | "none" | "not specified")
}
