//! `tacho completions`: completion scripts for shells.

use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::context::Context;
use crate::error::Result;
use crate::exit;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

pub(crate) fn run(args: CompletionsArgs, context: &Context<'_>) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tacho", &mut script);
    context.console.data(&String::from_utf8_lossy(&script))?;
    Ok(exit::YES)
}
