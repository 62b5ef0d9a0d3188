//! A machine and its facts.

use tacho_model::{CPU_FACT, Machine};

use crate::page::{Fact, Page};

/// Returns the machine's name and what is known of it.
pub fn machine(machine: &Machine) -> Page {
    let mut page = Page::default();
    let mut facts = vec![Fact::new("machine", &machine.name)];
    facts.extend(machine_facts(machine));
    page.facts(facts);
    page
}

/// Returns what is known of a machine by the facts' names; that the processor is unknown where it is.
pub(crate) fn machine_facts(machine: &Machine) -> Vec<Fact> {
    let mut facts = machine.facts.clone();
    facts.insert(CPU_FACT.to_owned(), machine.cpu().to_owned());
    facts.iter().map(|(name, value)| Fact::new(name, value)).collect()
}

#[cfg(test)]
mod tests {
    use crate::Screen;

    #[test]
    fn an_unknown_processor_is_said_to_be_unknown() {
        let facts = [("arch", "riscv64"), ("num_cpu", "4")];
        let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
        let board = tacho_model::Machine { name: "board".into(), facts };
        let text = super::machine(&board).terminal(&Screen { width: 60, colour: false });
        assert_eq!(text, "machine  board\narch     riscv64\ncpu      unknown CPU\nnum_cpu  4\n");
    }
}
