//! `tacho machine`: what is known of this machine, and what the user says of it.

use clap::Args;
use tacho_model::{CPU_FACT, Machine, RAM_FACT, ram_text};
use tacho_store::Machines;

use crate::context::Context;
use crate::error::Result;
use crate::exit;
use crate::machine_choice::{self, DECLARED, DECLARED_HOST};

/// Show this machine's name and facts, and store them
///
/// Facts are found by looking; nothing is ever asked. The flags declare a name or a fact by hand.
#[derive(Debug, Args)]
pub(crate) struct MachineArgs {
    /// The name that results of this machine are kept under
    #[arg(long, short = 'm', value_name = "NAME")]
    machine: Option<String>,
    /// The operating system, where what was found is not wanted
    #[arg(long)]
    os: Option<String>,
    /// The architecture
    #[arg(long)]
    arch: Option<String>,
    /// The processor's model
    #[arg(long)]
    cpu: Option<String>,
    /// The number of processors
    #[arg(long, alias = "num_cpu")]
    num_cpu: Option<String>,
    /// The memory: bytes are written as whole decimal gigabytes, other texts stay as they are
    #[arg(long)]
    ram: Option<String>,
    /// Accept what was found (kept for scripts: nothing is ever asked)
    #[arg(long)]
    yes: bool,
    /// Print JSON (schema tacho.machine/1)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: MachineArgs, context: &Context<'_>) -> Result<u8> {
    let path = context.dirs.machines_file();
    let mut machines = Machines::load(&path)?;
    let mut machine = machine_choice::choose(context, &machines, name(&args, context)?.as_deref())?;
    declare(&args, &mut machine);
    if machines.get(&machine.name) != Some(&machine) {
        machines.insert(machine.clone());
        machines.save(&path)?;
        context.console.talk(&format!("Stored machine `{}` in {}.", machine.name, path.display()));
    }
    let shown = machine_choice::for_records(machine);
    let text = if args.json {
        tacho_report::json::machine(&shown)
    } else {
        tacho_report::machine(&shown).terminal(&context.console.screen())
    };
    context.console.data(&text)?;
    Ok(exit::YES)
}

fn name(args: &MachineArgs, context: &Context<'_>) -> Result<Option<String>> {
    if args.machine.is_some() {
        return Ok(args.machine.clone());
    }
    machine_choice::configured_name(context)
}

fn declare(args: &MachineArgs, machine: &mut Machine) {
    let ram = args.ram.as_deref().map(ram_text);
    let declared = [
        ("os", args.os.clone()),
        ("arch", args.arch.clone()),
        (CPU_FACT, args.cpu.clone()),
        ("num_cpu", args.num_cpu.clone()),
        (RAM_FACT, ram),
    ];
    for (name, value) in declared {
        if let Some(value) = value {
            machine.facts.insert(format!("{DECLARED}{name}"), value.clone());
            machine.facts.insert(name.to_owned(), value);
        }
    }
    if args.machine.is_some() {
        machine.facts.insert(DECLARED_HOST.to_owned(), machine_choice::host_name());
    }
}
