//! An order thought through: which tool and interpreter, and the keys that say whether anything is to be done.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::interpreters::{self, Interpreter};
use super::spec::{Commands, EnvironmentSpec, Requirement, Tool};
use super::tools::{Maker, chosen};
use super::variables;
use super::workshop::{MakeError, Order, Source, Workshop};
use crate::suite_digest::hex;

/// Another number, and everything is made anew.
const VERSION: u32 = 1;

/// An order and what follows from it.
pub(super) struct Plan<'a> {
    pub(super) order: Order<'a>,
    pub(super) maker: Maker,
    /// What the environment is made of; `None` where the tool brings an interpreter of its own.
    pub(super) interpreter: Option<Interpreter>,
    /// Variables that decide what a build gives.
    pub(super) variables: BTreeMap<String, String>,
    /// The environment's key.
    pub(super) key: String,
    /// The wheel's key, where one is built of the source.
    pub(super) wheel_key: Option<String>,
    /// The key without the source, of an environment that takes one build after another.
    pub(super) base_key: Option<String>,
}

impl<'a> Plan<'a> {
    /// Thinks an order through.
    pub(super) fn of(workshop: &Workshop, order: &Order<'a>, say: &dyn Fn(&str)) -> Result<Plan<'a>, MakeError> {
        let spec = order.spec;
        let maker = chosen(workshop, spec, say)?;
        let interpreter = match &maker {
            Maker::Uv(program) => Some(interpreters::resolve(workshop, spec.python.as_deref(), Some(program))?),
            Maker::Venv => Some(interpreters::resolve(workshop, spec.python.as_deref(), None)?),
            Maker::Command if !has_own_interpreter(spec) => {
                Some(interpreters::resolve(workshop, spec.python.as_deref(), None)?)
            }
            Maker::Command | Maker::Conda(_) => None,
        };
        let variables = variables::of_build(&spec.build_variables);
        let environment = environment_words(workshop, order, &maker, interpreter.as_ref(), &variables)?;
        let key = digest(&json!([VERSION, &environment, source_words(&order.source), lock_words(workshop, order)?]));
        let base_key = matches!(maker, Maker::Conda(_)).then(|| digest(&json!([VERSION, "base", &environment])));
        let isolated = || {
            let interpreter = interpreter.as_ref().map(Interpreter::words);
            digest(&json!([VERSION, "wheel", source_words(&order.source), maker.word(), interpreter, variables]))
        };
        let wheel_key = match (&order.source, &maker) {
            (Source::Code(_), Maker::Command) if spec.commands.build.is_none() => None,
            (Source::Code(_), Maker::Uv(_) | Maker::Venv) if spec.commands.build.is_none() => Some(isolated()),
            // Built inside of the environment, so everything about that decides.
            (Source::Code(_), _) => Some(key.clone()),
            _ => None,
        };
        Ok(Plan { order: *order, maker, interpreter, variables, key, wheel_key, base_key })
    }

    /// Returns true where the wheel is built apart from the environment, and may serve others.
    pub(super) fn is_isolated(&self) -> bool {
        self.wheel_key.as_ref().is_some_and(|key| *key != self.key)
    }
}

/// Returns true where the settings name an interpreter that is there only once the environment is.
pub(super) fn has_own_interpreter(spec: &EnvironmentSpec) -> bool {
    spec.python.as_ref().is_some_and(|python| python.contains("{env_dir}"))
}

/// Returns a requirement as pip and `uv` read it.
pub(super) fn requirement_line(requirement: &Requirement) -> String {
    let Requirement { name, version, by_pip: _ } = requirement;
    match version.trim() {
        "" => name.clone(),
        address if address.starts_with('@') => format!("{name} {address}"),
        range if range.starts_with(['=', '<', '>', '!', '~']) => format!("{name}{range}"),
        version => format!("{name}=={version}"),
    }
}

fn digest(words: &Value) -> String {
    let mut hasher = Sha256::new();
    hasher.update(words.to_string());
    hex(hasher)
}

fn environment_words(
    workshop: &Workshop,
    order: &Order<'_>,
    maker: &Maker,
    interpreter: Option<&Interpreter>,
    variables: &BTreeMap<String, String>,
) -> Result<Value, MakeError> {
    let EnvironmentSpec {
        tool,
        python,
        requirements,
        packages,
        lock: _,
        environment_file,
        channels,
        build_variables: _,
        commands,
        run_line: _,
        label,
        axes,
    } = order.spec;
    let requirements: Vec<Value> =
        requirements.iter().map(|Requirement { name, version, by_pip }| json!([name, version, by_pip])).collect();
    let program = match tool {
        Tool::Conda { program } => Some(program),
        _ => None,
    };
    let file = environment_file.as_ref().map(|path| file_digest(&workshop.conf_dir.join(path))).transpose()?;
    let Commands { build, install, uninstall } = commands;
    // Lines of the project's own may hold any of these.
    let is_own = build.is_some() || install.is_some() || *tool == Tool::Command;
    let conf_dir = workshop.conf_dir.display().to_string();
    let of_lines = is_own.then(|| json!([build, install, uninstall, label, axes, conf_dir]));
    Ok(json!([
        order.project,
        maker.word(),
        program,
        python.as_deref().filter(|_| interpreter.is_none()),
        interpreter.map(Interpreter::words),
        requirements,
        packages,
        file,
        channels,
        variables,
        of_lines,
    ]))
}

fn source_words(source: &Source<'_>) -> Value {
    match source {
        Source::Code(code) => json!(["code", code.id, code.subdir]),
        Source::Release { package, version } => json!(["release", package, version]),
        Source::Nothing => json!(["nothing"]),
    }
}

/// A lock file of the source is told by the source, any other by what it says.
fn lock_words(workshop: &Workshop, order: &Order<'_>) -> Result<Value, MakeError> {
    let Some(lock) = &order.spec.lock else { return Ok(Value::Null) };
    let text = match order.source {
        Source::Code(_) => None,
        _ => Some(file_digest(&workshop.conf_dir.join(lock))?),
    };
    Ok(json!([lock.display().to_string(), text]))
}

fn file_digest(path: &Path) -> Result<String, MakeError> {
    let bytes = std::fs::read(path).map_err(MakeError::io("read", path))?;
    let mut hasher = Sha256::new();
    hasher.update(bytes);
    Ok(hex(hasher))
}

#[cfg(test)]
mod tests;
