//! `tacho config`: what the settings are and where each came from.

use clap::{Args, Subcommand};
use serde_json::json;

use crate::context::Context;
use crate::error::Result;
use crate::exit;
use crate::settings::{Settings, combinations, json_schema};

/// Show settings and where they come from
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print each setting, its value and its origin
    Show {
        /// Print JSON (schema tacho.config/1)
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON schema of tacho.toml, for editors
    Schema,
}

pub(crate) fn run(args: ConfigArgs, context: &Context<'_>) -> Result<u8> {
    match args.command {
        ConfigCommand::Show { json: true } => context.console.data(&as_json(&context.settings()?)?)?,
        ConfigCommand::Show { json: false } => context.console.data(&as_text(&context.settings()?))?,
        ConfigCommand::Schema => context.console.data(&serde_json::to_string_pretty(&json_schema())?)?,
    }
    Ok(exit::YES)
}

fn as_json(settings: &Settings) -> Result<String> {
    let rows = settings.rows().into_iter();
    let rows: Vec<_> =
        rows.map(|(name, value, origin)| json!({"name": name, "value": value, "origin": origin.to_string()})).collect();
    let files: Vec<String> = settings.files.iter().map(|file| file.display().to_string()).collect();
    let root = settings.root.display().to_string();
    // What cannot be told is told by the command that needs it; settings are shown all the same.
    let environments = combinations(settings).ok();
    let environments = environments.map(|all| all.into_iter().map(|one| one.label).collect::<Vec<_>>());
    Ok(serde_json::to_string_pretty(&json!({
        "schema": "tacho.config/1", "root": root, "files": files, "settings": rows, "environments": environments,
    }))?)
}

fn as_text(settings: &Settings) -> String {
    let rows: Vec<(String, String)> = settings
        .rows()
        .into_iter()
        .map(|(name, value, origin)| {
            let value = if value.is_null() { "(not set)".to_owned() } else { value.to_string() };
            (format!("{name} = {value}"), origin.to_string())
        })
        .collect();
    let width = rows.iter().map(|(left, _)| left.chars().count()).max().unwrap_or(0).min(60);
    let files = settings.files.iter().map(|file| format!("# read: {}\n", file.display()));
    let lines = rows.iter().map(|(left, origin)| format!("{left:<width$}  # {origin}\n"));
    files.chain(lines).collect()
}
