//! `tacho man`: manual pages, made from the same words as the help.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::Cli;
use crate::context::Context;
use crate::error::{CommandError, Result};
use crate::exit;

/// Print a manual page, or write all of them
///
/// `tacho man run | man -l -` reads a page at once. For a package, `tacho man --dir DIR` writes `tacho.1`, `tacho-run.1`
/// and so on, the same bytes each time.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command whose page is printed, such as `run` or `config show` [default: tacho itself]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands to this folder instead, and print their paths
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: ManArgs, context: &Context<'_>) -> Result<u8> {
    // As everywhere but in `help`, that command's own page would only say what `--help` does.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    match args.dir {
        Some(dir) => write_all(&command, &context.cwd.join(dir), context)?,
        None => {
            let page = page(found(&command, &args.command)?)?;
            context.console.data(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(exit::YES)
}

fn found<'a>(top: &'a Command, words: &[String]) -> Result<&'a Command> {
    let mut command = top;
    for word in words {
        command = command.find_subcommand(word).ok_or_else(|| {
            let name = command.get_bin_name().unwrap_or("tacho");
            CommandError::new(format!("`{name}` has no command `{word}`"))
                .hint(format!("see them all with `{name} --help`"))
        })?;
    }
    Ok(command)
}

fn page(command: &Command) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let source = format!("tacho {}", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone())
        .source(source)
        .manual("Tachograph")
        .render(&mut text)
        .context("cannot make a manual page")?;
    Ok(text)
}

fn write_all(command: &Command, dir: &Path, context: &Context<'_>) -> Result<()> {
    std::fs::create_dir_all(dir).with_context(|| format!("cannot make the folder `{}`", dir.display()))?;
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = dir.join(format!("{name}.1"));
    replace(&path, &page(command)?).with_context(|| format!("cannot write `{}`", path.display()))?;
    context.console.data(&path.display().to_string())?;
    let mut visible = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    visible.try_for_each(|inner| write_all(inner, dir, context))
}

/// A page is there whole, the old one or the new one.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let readable = std::fs::Permissions::from_mode(0o666);
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".tacho-man-").permissions(readable).tempfile_in(dir)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
