//! A machine and its facts.

use tacho_model::Machine;

use crate::page::{Fact, Page};

/// Returns the machine's name and what is known of it.
pub fn machine(machine: &Machine) -> Page {
    let mut page = Page::default();
    let mut facts = vec![Fact::new("machine", &machine.name)];
    facts.extend(machine.facts.iter().map(|(name, value)| Fact::new(name, value)));
    page.facts(facts);
    page
}
