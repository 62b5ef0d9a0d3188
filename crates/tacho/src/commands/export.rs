//! `tacho export`: hands what was measured on to other programs.

mod asv;
mod parquet;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::error::Result;

/// Write what was measured in a format that other programs read
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    command: ExportCommand,
}

#[derive(Debug, Subcommand)]
enum ExportCommand {
    Asv(asv::AsvArgs),
    Parquet(parquet::ParquetArgs),
}

pub(crate) fn run(args: ExportArgs, context: &Context<'_>) -> Result<u8> {
    match args.command {
        ExportCommand::Asv(args) => asv::run(&args, context),
        ExportCommand::Parquet(args) => parquet::run(&args, context),
    }
}
