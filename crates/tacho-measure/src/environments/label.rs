//! Names of environments for people and files, and the digest of what is made.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::rule::Point;
use super::{AxisKind, EnvironmentSpec, Tool};
use crate::suite_digest::hex;

/// A label of so many characters is too long for the name of a file that has more in it: asv's limit.
const TOO_LONG: usize = 128;

/// Returns the label of a combination in asv's manner: tool, interpreter, requirements by name, variables by name;
/// then what asv has not.
///
/// One that is too long is the tool and 16 digits of the SHA-256 of the long one.
pub(super) fn of(tool: &str, point: &Point) -> String {
    let mut parts = vec![tool.to_owned()];
    parts.extend(
        point.get(&AxisKind::Python).map(|python| format!("py{}", python.strip_prefix("python").unwrap_or(python))),
    );
    let mut variables: Vec<(&String, &String)> = Vec::new();
    for (kind, value) in point {
        match kind {
            AxisKind::Requirement(name) => parts.push(format!("{name}{value}")),
            AxisKind::SharedVariable(name) | AxisKind::RunVariable(name) => {
                // The one that only the run sees goes over the other.
                variables.retain(|(known, _)| *known != name);
                variables.push((name, value));
            }
            _ => {}
        }
    }
    variables.sort();
    parts.extend(variables.into_iter().map(|(name, value)| format!("{name}{value}")));
    parts.extend(point.iter().filter_map(|(kind, value)| match kind {
        AxisKind::BuildVariable(name) => Some(format!("{name}{value}")),
        AxisKind::Threads | AxisKind::Cpus => Some(format!("{}{value}", kind.name())),
        _ => None,
    }));
    shortened(tool, &file_safe(&parts.join("-")))
}

/// Puts `_` in the place of what file names cannot hold: asv's rule, and the backslash and control characters beyond it.
fn file_safe(text: &str) -> String {
    let unsafe_in_files =
        |c: char| c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '^' | '|' | '?' | '*');
    text.chars().map(|c| if unsafe_in_files(c) { '_' } else { c }).collect()
}

fn shortened(tool: &str, label: &str) -> String {
    // A character may take four bytes, and a file's name has 255 of them.
    if label.len() < TOO_LONG {
        return label.to_owned();
    }
    format!("{}-{}", file_safe(tool), &sha256(label.as_bytes())[..16])
}

fn sha256(bytes: &[u8]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(bytes);
    hex(hasher)
}

impl EnvironmentSpec {
    /// Returns the SHA-256 of everything that decides what is made, in hexadecimal digits.
    ///
    /// Not in it: label and axes, which only name it; the line that starts the interpreter; what files say (a lock, a
    /// file of the environment) and which interpreter a word such as `3.12` stands for.
    pub fn digest(&self) -> String {
        sha256(self.canonical().to_string().as_bytes())
    }

    fn canonical(&self) -> Value {
        let path = |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let mut requirements: Vec<_> = self.requirements.iter().collect();
        requirements.sort();
        let requirements = requirements.iter().map(|one| json!([one.name, one.version, one.by_pip]));
        let (tool, program) = match &self.tool {
            Tool::Existing => ("existing", None),
            Tool::Uv => ("uv", None),
            Tool::Venv => ("venv", None),
            Tool::Conda { program } => ("conda", Some(program)),
            Tool::Command => ("command", None),
        };
        json!([
            "tacho.environment/1",
            tool,
            program,
            self.python,
            requirements.collect::<Vec<Value>>(),
            self.packages,
            path(&self.lock),
            path(&self.environment_file),
            self.channels,
            self.build_variables,
            [&self.commands.build, &self.commands.install, &self.commands.uninstall],
        ])
    }
}

#[cfg(test)]
mod tests;
