//! Axes in words: what is empty and what is absent read differently.

use std::collections::{BTreeMap, BTreeSet};

use crate::page::Fact;

/// What stands for an axis that a combination does not have.
pub(crate) const ABSENT: &str = "absent";

/// Returns the value of an axis as people read it: an empty one is the newest version of a package, else `""`.
pub(crate) fn value_text<'a>(name: &str, value: &'a str) -> &'a str {
    match value {
        "" if name.starts_with("req.") => "newest",
        "" => "\"\"",
        _ => value,
    }
}

/// Returns the axes as one text: `python 3.12, req.numpy 2.1`.
pub(crate) fn axes_text(axes: &BTreeMap<String, String>) -> String {
    let axis = |(name, value): (&String, &String)| format!("{name} {}", value_text(name, value));
    axes.iter().map(axis).collect::<Vec<_>>().join(", ")
}

/// What all series of a page have in common, so that each tells only in what it differs.
pub(crate) struct Common<'a> {
    machine: Option<&'a str>,
    axes: BTreeMap<&'a str, &'a str>,
    /// The axes in which series differ.
    differing: BTreeSet<&'a str>,
}

impl<'a> Common<'a> {
    /// Takes the machine and the axes of each series.
    pub(crate) fn of(places: impl Iterator<Item = (&'a str, &'a BTreeMap<String, String>)>) -> Common<'a> {
        let places: BTreeSet<(&str, &BTreeMap<String, String>)> = places.collect();
        let names: BTreeSet<&str> = places.iter().flat_map(|(_, axes)| axes.keys()).map(String::as_str).collect();
        let (mut axes, mut differing) = (BTreeMap::new(), BTreeSet::new());
        for name in names {
            let values: BTreeSet<Option<&str>> =
                places.iter().map(|(_, axes)| Some(axes.get(name)?.as_str())).collect();
            match values.first() {
                Some(Some(value)) if values.len() == 1 => drop(axes.insert(name, *value)),
                _ => drop(differing.insert(name)),
            }
        }
        let machines: BTreeSet<&str> = places.iter().map(|(machine, _)| *machine).collect();
        let machine = machines.first().copied().filter(|_| machines.len() == 1);
        Common { machine, axes, differing }
    }

    /// Returns it to stand at the top.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self.machine.iter().map(|name| Fact::new("machine", *name)).collect();
        let axes: Vec<String> =
            self.axes.iter().map(|(name, value)| format!("{name} {}", value_text(name, value))).collect();
        if !axes.is_empty() {
            facts.push(Fact::new("environment", axes.join(", ")));
        }
        facts
    }

    /// Returns what sets a place apart: `lab-7, threads 2`.
    pub(crate) fn place(&self, machine: &str, axes: &BTreeMap<String, String>) -> String {
        let mut words: Vec<String> = Some(machine.to_owned()).filter(|_| self.machine.is_none()).into_iter().collect();
        words.extend(self.differing.iter().map(|name| match axes.get(*name) {
            Some(value) => format!("{name} {}", value_text(name, value)),
            None => format!("no {name}"),
        }));
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_value_is_told_in_words() {
        let axes = [("env.MODE", ""), ("python", "3.12"), ("req.numpy", ""), ("req.scipy", "1.11")];
        let axes = axes.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(axes_text(&axes), "env.MODE \"\", python 3.12, req.numpy newest, req.scipy 1.11");
    }
}
