//! The words by which settings and flags name tools.

use super::Tool;

/// The words of `environment.tool` in `tacho.toml`.
pub const TOOLS: [&str; 8] = ["existing", "uv", "venv", "conda", "mamba", "micromamba", "pixi", "command"];

impl Tool {
    /// Returns the word for what made an environment, as records have it.
    pub fn word(&self) -> &'static str {
        match self {
            Tool::Existing => "existing",
            Tool::Uv => "uv",
            Tool::Venv => "venv",
            Tool::Conda { .. } => "conda",
            Tool::Command => "command",
        }
    }

    /// Returns the tool of that name; `program` is what a conda-like one is started by.
    ///
    /// asv's `virtualenv` is made by `uv`, or by `venv` where that is missing; asv's `rattler` by a conda-like program.
    pub fn parse(word: &str, program: Option<&str>) -> Option<Tool> {
        let conda = |usual: &str| Tool::Conda { program: program.unwrap_or(usual).to_owned() };
        match word {
            "existing" => Some(Tool::Existing),
            "uv" | "virtualenv" => Some(Tool::Uv),
            "venv" => Some(Tool::Venv),
            "conda" | "mamba" | "micromamba" | "pixi" => Some(conda(word)),
            "rattler" => Some(conda("conda")),
            "command" => Some(Tool::Command),
            _ => None,
        }
    }
}
