//! The command line: global options, the subcommands, and what happens to their errors.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands;
use crate::console::Console;
use crate::context::Context;
use crate::error::Result;
use crate::exit;

/// Records the speed of software over time.
///
/// Measures any benchmark on any machine, writes every reading down with where it came from, and reads it back.
#[derive(Debug, Parser)]
#[command(name = "tacho", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    /// Configuration file, or the folder that holds one [default: the nearest tacho.toml or asv.conf.json]
    #[arg(long, global = true, value_name = "PATH")]
    config: Option<PathBuf>,

    /// Say less: only results, warnings and errors
    #[arg(long, global = true)]
    quiet: bool,

    /// Never use colours (also the NO_COLOR variable)
    #[arg(long, global = true)]
    no_color: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(commands::init::InitArgs),
    Run(Box<commands::run::RunArgs>),
    Show(commands::show::ShowArgs),
    Compare(commands::compare::CompareArgs),
    Changes(Box<commands::changes::ChangesArgs>),
    Query(commands::query::QueryArgs),
    Publish(commands::publish::PublishArgs),
    Index(commands::index::IndexArgs),
    List(commands::list::ListArgs),
    Check(commands::check::CheckArgs),
    Export(commands::export::ExportArgs),
    Clean(commands::clean::CleanArgs),
    Machine(commands::machine::MachineArgs),
    Doctor(commands::doctor::DoctorArgs),
    Config(commands::config::ConfigArgs),
    Completions(commands::completions::CompletionsArgs),
    Man(commands::man::ManArgs),
}

/// Runs the program and returns its exit code.
pub(crate) fn main() -> u8 {
    if let Some(code) = commands::doctor::calibration(std::env::args_os().skip(1)) {
        return code;
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers; a broken pipe here is nobody's fault.
            let _ = error.print();
            return if error.use_stderr() { exit::NO_ANSWER } else { exit::YES };
        }
    };
    let console = Console::new(cli.quiet, cli.no_color);
    match dispatch(cli, &console) {
        Ok(code) => code,
        Err(error) if error.is_broken_pipe() => exit::YES,
        Err(error) => {
            console.complain(&error.text());
            error.code()
        }
    }
}

fn dispatch(cli: Cli, console: &Console) -> Result<u8> {
    let context = Context::new(console, cli.config)?;
    match cli.command {
        Command::Init(args) => commands::init::run(args, &context),
        Command::Run(args) => commands::run::run(*args, &context),
        Command::Show(args) => commands::show::run(args, &context),
        Command::Compare(args) => commands::compare::run(args, &context),
        Command::Changes(args) => commands::changes::run(*args, &context),
        Command::Query(args) => commands::query::run(args, &context),
        Command::Publish(args) => commands::publish::run(&args, &context),
        Command::Index(args) => commands::index::run(args, &context),
        Command::List(args) => commands::list::run(args, &context),
        Command::Check(args) => commands::check::run(args, &context),
        Command::Export(args) => commands::export::run(args, &context),
        Command::Clean(args) => commands::clean::run(args, &context),
        Command::Machine(args) => commands::machine::run(args, &context),
        Command::Doctor(args) => commands::doctor::run(args, &context),
        Command::Config(args) => commands::config::run(args, &context),
        Command::Completions(args) => commands::completions::run(args, &context),
        Command::Man(args) => commands::man::run(args, &context),
    }
}
