//! Type-checking for an architecture that the tests do not run on.

use std::path::Path;
use std::process::Command;

use crate::process;

/// The second architecture.
pub const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Returns the command that checks every crate for [`TARGET`]; `None` where its standard library is not installed.
pub fn check(root: &Path) -> Option<Command> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut library = Command::new(rustc);
    library.args(["--print", "target-libdir", "--target", TARGET]);
    let folder = process::output(&mut library).ok()?;
    Path::new(&folder).exists().then(|| check_command(root))
}

fn check_command(root: &Path) -> Command {
    let mut command = process::cargo(root);
    command.args(["check", "--quiet", "--workspace", "--target", TARGET]);
    // A check links nothing, so nobody needs a C compiler for that architecture: `true` stands in for it.
    for tool in ["CC", "AR"] {
        let variable = format!("{tool}_{}", TARGET.replace('-', "_"));
        if std::env::var_os(&variable).is_none() {
            command.env(variable, "true");
        }
    }
    command
}
