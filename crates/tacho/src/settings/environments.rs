//! From settings to the combinations of environments and runs that they ask for.

use std::collections::BTreeMap;
use std::path::Path;

use tacho_measure::environments::{
    Axis, AxisKind, ChoiceError, Combination, Commands, EnvironmentSpec, MatrixError, PLACEHOLDERS, Request, TOOLS,
    Tool, bare, choose, parse_line, split_words, word_of_python,
};

use super::{Origin, Setting, Settings};
use crate::error::{CommandError, Result};

/// So many names are listed where none of them was meant.
const MOST_LISTED: usize = 20;

impl Settings {
    /// Returns the word of the tool that makes environments: the declared one, else `uv` where anything declared
    /// needs an environment of its own, else `existing`.
    pub(crate) fn tool_name(&self) -> &str {
        match &self.environment.tool.value {
            Some(word) => word,
            None if self.needs_environments() => "uv",
            None => "existing",
        }
    }

    /// Returns true where the settings ask for environments that are made, rather than for what is there.
    pub(crate) fn manages_environments(&self) -> bool {
        self.tool_name() != "existing"
    }

    /// Returns the project's package, which is called as the project unless it has a name of its own.
    pub(crate) fn package(&self) -> &str {
        self.package.value.as_deref().unwrap_or(&self.project.value)
    }

    /// Returns true where what is measured are released versions that have to be installed.
    fn installs_releases(&self) -> bool {
        self.history.value == "versions" && self.version_command.value.is_none()
    }

    fn needs_environments(&self) -> bool {
        let made = &self.environment;
        let included = made.include.value.iter().flat_map(|entry| entry.meaning.axes.iter().map(|(kind, _)| kind));
        let mut kinds = made.axes.iter().map(|axis| &axis.value.kind).chain(included);
        let commands = [&made.build, &made.install, &made.uninstall];
        self.installs_releases()
            || kinds.any(AxisKind::needs_build)
            || !made.requirements.value.is_empty()
            || made.lock.value.is_some()
            || commands.iter().any(|lines| lines.value.is_some())
    }
}

/// Which of the combinations are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EnvironmentWish<'a> {
    /// The words of `-E`; without any, and without `python`, all are wanted.
    pub(crate) words: &'a [String],
    /// The word of `--python`.
    pub(crate) python: Option<&'a str>,
    /// The version of the active interpreter, where it is known: what labels and rules take where none is declared.
    pub(crate) active_python: Option<&'a str>,
}

/// Returns all combinations that the settings ask for, in the order of the axes.
///
/// # Errors
/// Axes that multiply to too many, rules that leave nothing, and command lines that are none.
pub(crate) fn combinations(settings: &Settings) -> Result<Vec<Combination>> {
    chosen(settings, &EnvironmentWish::default())
}

/// Returns the combinations that `-E` and `--python` choose; all without them.
///
/// # Errors
/// As [`combinations`], and a word that chooses nothing.
pub(crate) fn chosen(settings: &Settings, wish: &EnvironmentWish<'_>) -> Result<Vec<Combination>> {
    let request = Request { active_python: wish.active_python.map(str::to_owned), ..request(settings)? };
    let mut words = wish.words.to_vec();
    words.extend(wish.python.map(|python| word_of_python(python, &request)));
    let program = settings.environment.program.value.as_deref();
    let chosen = choose(&words, &request, program).map_err(explained)?;
    if chosen.is_empty() {
        let origin = &settings.environment.exclude.origin;
        return Err(CommandError::new("no environment is left").hint(format!("all are left out by {origin}")));
    }
    if settings.installs_releases() && chosen.iter().any(|one| one.environment.tool == Tool::Existing) {
        // Else whatever is installed there would be measured as each of the versions.
        return Err(CommandError::new("an existing environment holds none of the versions that are asked for")
            .hint("have them installed: `-E uv`, or another tool")
            .hint("or let `version_command` in [project] tell which version is there"));
    }
    Ok(chosen)
}

/// Adds what is worth a word before anything is made of it.
pub(super) fn warn(settings: &mut Settings) {
    let Ok(request) = request(settings) else { return };
    let mut warnings = Vec::new();
    let lost = request.not_in_place();
    if request.common.tool == Tool::Existing && !lost.is_empty() {
        let origin = &settings.environment.tool.origin;
        let names: Vec<String> = lost.iter().map(|name| format!("`{name}`")).collect();
        warnings.push(format!(
            "nothing is installed into an existing environment ({origin}), so these axes are left out: {}",
            names.join(", ")
        ));
    }
    warnings.extend(without_effect(settings, &request.common.tool));
    let declared: Vec<String> = request.axes.iter().map(|axis| axis.kind.name()).collect();
    let included = request.include.iter().flat_map(|entry| entry.axes.iter().map(|(kind, _)| kind.name()));
    let known: Vec<String> = declared.into_iter().chain(included).chain(["python".to_owned()]).collect();
    for name in settings.environment.exclude.value.iter().flat_map(|rule| rule.meaning.axis_names()) {
        if !known.contains(&name) {
            let near = super::tacho_toml::nearest(&name, known.iter().map(String::as_str));
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            warnings.push(format!("`environment.exclude` names the axis `{name}`, which is not declared{near}"));
        }
    }
    settings.warnings.extend(warnings);
}

/// Returns a warning for the keys of a `tacho.toml` that say nothing to the tool, or to the kind of history. asv's file may
/// hold what other tools need.
fn without_effect(settings: &Settings, tool: &Tool) -> Vec<String> {
    let made = &settings.environment;
    let is_conda = matches!(tool, Tool::Conda { .. });
    let installs = !matches!(tool, Tool::Existing | Tool::Command);
    let to_tool = [
        (is_conda, &made.program.origin, "program"),
        (is_conda, &made.environment_file.origin, "environment_file"),
        (is_conda, &made.channels.origin, "channels"),
        (installs, &made.requirements.origin, "requirements"),
        (installs, &made.lock.origin, "lock"),
        (*tool != Tool::Existing, &made.build.origin, "build"),
        (*tool != Tool::Existing, &made.install.origin, "install"),
        (is_conda, &made.uninstall.origin, "uninstall"),
    ];
    let is_version = settings.history.value == "versions";
    let to_history = [(&settings.versions.origin, "versions"), (&settings.version_command.origin, "version_command")];
    let idle = |has_effect: bool, origin: &Origin| !has_effect && is_of_tacho_toml(origin);
    let tool_keys = to_tool.iter().filter(|(has_effect, origin, _)| idle(*has_effect, origin));
    let tool_keys: Vec<String> = tool_keys.map(|(_, _, key)| format!("`environment.{key}`")).collect();
    let history_keys = to_history.iter().filter(|(origin, _)| idle(is_version, origin));
    let history_keys: Vec<String> = history_keys.map(|(_, key)| format!("`project.{key}`")).collect();
    let (tool, history) = (settings.tool_name(), &settings.history.value);
    let tool_keys =
        (!tool_keys.is_empty()).then(|| format!("no effect with the tool `{tool}`: {}", tool_keys.join(", ")));
    let history_keys =
        (!history_keys.is_empty()).then(|| format!("no effect on a history of {history}: {}", history_keys.join(", ")));
    tool_keys.into_iter().chain(history_keys).collect()
}

fn is_of_tacho_toml(origin: &Origin) -> bool {
    matches!(origin, Origin::File { path, .. } if path.extension().is_some_and(|end| end == "toml"))
}

fn request(settings: &Settings) -> Result<Request> {
    let made = &settings.environment;
    let tool_name = settings.tool_name().to_owned();
    let Some(tool) = Tool::parse(&tool_name, made.program.value.as_deref()) else {
        return Err(
            CommandError::new(format!("no tool `{tool_name}`")).hint(format!("it is one of {}", TOOLS.join(", ")))
        );
    };
    let axes = axes(settings)?;
    check_lines(settings, &axes)?;
    let commands = Commands {
        build: made.build.value.clone(),
        install: made.install.value.clone(),
        uninstall: made.uninstall.value.clone(),
    };
    let common = EnvironmentSpec {
        packages: made.requirements.value.clone(),
        lock: made.lock.value.clone(),
        environment_file: made.environment_file.value.clone(),
        channels: made.channels.value.clone(),
        commands,
        run_line: made.run.value.clone(),
        ..bare(tool)
    };
    let exclude = made.exclude.value.iter().map(|rule| rule.meaning.clone()).collect();
    let include = made.include.value.iter().map(|entry| entry.meaning.clone()).collect();
    Ok(Request { common, tool_name, platform: platform().to_owned(), active_python: None, axes, exclude, include })
}

/// What Python calls this platform.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

/// Returns the declared axes, and each single value of the settings as an axis that is common to all.
fn axes(settings: &Settings) -> Result<Vec<Axis>> {
    let mut axes = settings.environment.axes.clone();
    let mut take = |kind: AxisKind, value: Option<String>, origin: &Origin, at_front: bool| -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        let same = |known: &Setting<Axis>| known.value.kind.name() == kind.name();
        if axes.iter().any(|known| same(known) && !goes_over(settings, origin, &known.origin)) {
            return Ok(());
        }
        axes.retain(|known| !same(known));
        let wrong = |error| CommandError::new(format!("{error} ({origin})"));
        let axis = Axis { is_common: true, ..Axis::new(kind.clone(), &[Some(value)]).map_err(wrong)? };
        let at = if at_front { 0 } else { axes.len() };
        axes.insert(at, Setting { value: axis, origin: origin.clone() });
        Ok(())
    };
    let python = settings.python.value.clone().filter(|word| word != "same");
    take(AxisKind::Python, python, &settings.python.origin, true)?;
    for (name, value) in &settings.variables.value {
        let kind = AxisKind::RunVariable(name.clone());
        take(kind, Some(value.clone()), &settings.variables.origin, false)?;
    }
    let threads = settings.threads.value.map(|threads| threads.to_string());
    take(AxisKind::Threads, threads, &settings.threads.origin, false)?;
    take(AxisKind::Cpus, settings.cpu_affinity.value.clone(), &settings.cpu_affinity.origin, false)?;
    Ok(axes.into_iter().map(|axis| axis.value).collect())
}

/// Whether a single value counts more than an axis: a flag does, and a more important file. In one file the axis holds.
fn goes_over(settings: &Settings, single: &Origin, axis: &Origin) -> bool {
    let rank = |path: &Path| settings.files.iter().position(|file| file == path).unwrap_or(usize::MAX);
    match (single, axis) {
        (Origin::Flag(_) | Origin::Variable(_), _) => true,
        (Origin::File { path: single, .. }, Origin::File { path: axis, .. }) => rank(single) < rank(axis),
        _ => false,
    }
}

/// Reads every command line once, with anything in the place of its placeholders.
fn check_lines(settings: &Settings, axes: &[Axis]) -> Result<()> {
    let made = &settings.environment;
    let names: Vec<String> = axes.iter().map(|axis| axis.kind.name()).collect();
    let known = PLACEHOLDERS.into_iter().chain(names.iter().map(String::as_str));
    let placeholders: BTreeMap<&str, String> = known.map(|name| (name, "x".to_owned())).collect();
    for lines in [&made.build, &made.install, &made.uninstall] {
        for line in lines.value.iter().flatten() {
            parse_line(line, &placeholders).map_err(|error| not_a_line(&lines.origin, &error))?;
        }
    }
    for words in [&made.run, &made.rebuild, &settings.version_command] {
        let Some(line) = &words.value else { continue };
        let found = split_words(line).map_err(|error| not_a_line(&words.origin, &error))?;
        if found.is_empty() {
            return Err(not_a_line(&words.origin, &"there are no words in it"));
        }
    }
    Ok(())
}

fn not_a_line(origin: &Origin, error: &impl std::fmt::Display) -> CommandError {
    CommandError::new(format!("no command line ({origin}): {error}"))
        .hint("it is words as in a shell, run without one: for pipes and variables write `sh -c '…'`")
}

fn explained(error: ChoiceError) -> CommandError {
    let told = CommandError::new(&error);
    match error {
        ChoiceError::Unknown { word, labels } => {
            let forms = format!("or a tool with an interpreter (`TOOL:PYTHON`), of {}", TOOLS.join(", "));
            told.hint(format!("there are {}", nearest_first(&word, labels))).hint(forms)
        }
        ChoiceError::NoMatch { word, values } => told.hint(format!("there are {}", nearest_first(&word, values))),
        ChoiceError::Matrix(MatrixError::TooMany { .. }) => {
            told.hint("give the axes fewer values, and list single combinations under `environment.include`")
        }
        _ => told,
    }
}

/// Returns names for a hint, those most like the word first.
fn nearest_first(word: &str, mut names: Vec<String>) -> String {
    names.sort_by(|a, b| {
        let likeness = |name: &str| strsim::normalized_damerau_levenshtein(word, name);
        likeness(b).total_cmp(&likeness(a))
    });
    let more = names.len().saturating_sub(MOST_LISTED);
    names.truncate(MOST_LISTED);
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{listed} and {more} more") } else { listed }
}

#[cfg(test)]
mod tests;
