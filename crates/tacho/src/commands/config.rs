//! `tacho config`: what the settings are and where each came from.

use clap::{Args, Subcommand};
use serde_json::json;
use tacho_report::harmless_line;

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

/// So many environments are named among the settings.
const MOST_LISTED: usize = 100;

pub(crate) fn run(args: ConfigArgs, context: &Context<'_>) -> Result<u8> {
    match args.command {
        ConfigCommand::Show { json } => {
            let settings = context.settings()?;
            let environments = environments(&settings, context);
            let text =
                if json { as_json(&settings, environments)? } else { as_text(&settings, environments.as_deref()) };
            context.console.data(&text)?;
        }
        ConfigCommand::Schema => context.console.data(&serde_json::to_string_pretty(&json_schema())?)?,
    }
    Ok(exit::YES)
}

/// Returns the labels of the environments. Where there are none it is said why, and settings are shown all the same.
fn environments(settings: &Settings, context: &Context<'_>) -> Option<Vec<String>> {
    match combinations(settings) {
        Ok(all) => Some(all.into_iter().map(|one| one.label).collect()),
        Err(error) => {
            context.console.warn(&error.message());
            None
        }
    }
}

fn as_json(settings: &Settings, environments: Option<Vec<String>>) -> Result<String> {
    let rows = settings.rows().into_iter();
    let rows: Vec<_> =
        rows.map(|(name, value, origin)| json!({"name": name, "value": value, "origin": origin.to_string()})).collect();
    let files: Vec<String> = settings.files.iter().map(|file| file.display().to_string()).collect();
    let root = settings.root.display().to_string();
    Ok(serde_json::to_string_pretty(&json!({
        "schema": "tacho.config/1", "root": root, "files": files, "settings": rows, "environments": environments,
    }))?)
}

/// The settings, a line each, and the environments they come to.
fn as_text(settings: &Settings, environments: Option<&[String]>) -> String {
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
    let environments = environments.unwrap_or_default();
    let labels =
        environments.iter().take(MOST_LISTED).map(|label| format!("# environment: {}\n", harmless_line(label)));
    let more = environments.len().saturating_sub(MOST_LISTED);
    let more = (more > 0).then(|| format!("# and {more} more: see them with --json\n"));
    files.chain(lines).chain(labels).chain(more).collect()
}
