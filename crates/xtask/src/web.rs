//! The site's page: built by npm into `web/dist`, from where the next build of `tacho` takes it in.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{process, root, say};

/// The oldest Node that the page builds with.
const NODE: u32 = 20;

/// Installs what the lock file names, and builds the page.
///
/// # Errors
/// There is no Node 20 or npm, the registry cannot be reached, or the page does not build.
pub fn run() -> Result<()> {
    let web = root().join("web");
    node()?;
    npm(&web, &["ci", "--no-audit", "--no-fund"])?;
    npm(&web, &["run", "build"])?;
    say(format_args!("The page is in web/dist; the next build of tacho takes it in."));
    Ok(())
}

/// Makes sure that there is a Node that is new enough.
fn node() -> Result<()> {
    let told = process::output(Command::new("node").arg("--version"))
        .context("the page needs Node 20 or newer, with npm: install the package `nodejs`")?;
    let major = told.trim_start_matches('v').split('.').next().and_then(|number| number.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE => Ok(()),
        _ => bail!("the page needs Node {NODE} or newer, and this is {told}"),
    }
}

fn npm(web: &Path, arguments: &[&str]) -> Result<()> {
    process::run(Command::new("npm").args(arguments).current_dir(web))
}
