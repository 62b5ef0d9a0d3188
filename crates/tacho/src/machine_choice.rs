//! Which machine this is: its declared name and the facts found by looking.

use tacho_measure::machine;
use tacho_model::Machine;
use tacho_store::{Machines, asv_machine};

use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::settings::Settings;

/// Returns this machine, and stores it with the user's machines when it is new or has changed.
pub(crate) fn this_machine(context: &Context<'_>, name: Option<&str>) -> Result<Machine> {
    let mut machines = Machines::load(&context.dirs.machines_file())?;
    let machine = choose(context, &machines, name)?;
    if machines.get(&machine.name) != Some(&machine) {
        machines.insert(machine.clone());
        if let Err(error) = machines.save(&context.dirs.machines_file()) {
            context.console.warn(&format!("this machine is not remembered: {}", error.line()));
        }
    }
    Ok(machine)
}

/// Returns the name that the settings give this machine, with or without a project around.
pub(crate) fn configured_name(context: &Context<'_>) -> Result<Option<String>> {
    let settings = match context.settings_if_any()? {
        Some(settings) => settings,
        None => Settings::without_project(&context.cwd, &context.dirs)?,
    };
    Ok(settings.machine.value)
}

/// Facts that the user has stated win over found ones; they are stored under this prefix.
pub(crate) const DECLARED: &str = "declared.";

/// The host that a name was given to; kept with the user's machines only.
pub(crate) const DECLARED_HOST: &str = "declared.host";

/// Returns this machine without storing anything.
///
/// The name is the given one, else the one the user has given to this host, else asv's, else the host's.
/// Facts are those found now, under those that the user has declared.
pub(crate) fn choose(context: &Context<'_>, machines: &Machines, name: Option<&str>) -> Result<Machine> {
    if name.is_some_and(|name| name.trim().is_empty()) {
        return Err(CommandError::new("a machine's name cannot be empty")
            .hint("give it one, such as lab-7, or none at all: then the host's name holds"));
    }
    let found = machine::facts();
    let host = host_name();
    let from_asv = match context.dirs.asv_machine_file() {
        Some(path) => asv_machine(&path, name.unwrap_or(&host))?,
        None => None,
    };
    let named = machines.iter().find(|machine| machine.facts.get(DECLARED_HOST) == Some(&host));
    let name = match (name, named, &from_asv) {
        (Some(name), ..) => name.to_owned(),
        (None, Some(named), _) => named.name.clone(),
        (None, None, Some(asv)) => asv.name.clone(),
        (None, None, None) => host,
    };
    let mut facts = from_asv.filter(|asv| asv.name == name).map(|asv| asv.facts).unwrap_or_default();
    facts.extend(found);
    for (key, value) in machines.get(&name).into_iter().flat_map(|machine| &machine.facts) {
        if let Some(fact) = key.strip_prefix(DECLARED) {
            facts.insert(key.clone(), value.clone());
            if key != DECLARED_HOST {
                facts.insert(fact.to_owned(), value.clone());
            }
        }
    }
    Ok(Machine { name, facts })
}

/// Returns the machine as a record keeps it: without the host that its name was given to.
pub(crate) fn for_records(mut machine: Machine) -> Machine {
    machine.facts.remove(DECLARED_HOST);
    machine
}

/// Returns what this host is called where nobody has named it.
pub(crate) fn host_name() -> String {
    machine::default_name(|name| std::env::var(name).ok(), &machine::facts())
}
