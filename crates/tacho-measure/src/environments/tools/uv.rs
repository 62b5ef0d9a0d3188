//! `uv`'s words. Its cache and the user's settings of it (`UV_…`, its user file) hold as anywhere.

use std::path::{Path, PathBuf};

use super::{Environment, Wanted};
use crate::environments::job::{Job, Step, Trouble};

/// Makes an empty environment.
pub(super) fn create(job: &mut Job<'_>, uv: &Path, environment: &Environment<'_>) -> Result<(), Trouble> {
    let Environment { dir, interpreter, with_pip, spec: _ } = environment;
    let parent = dir.parent().unwrap_or(dir);
    let mut step = Step::new("uv venv", uv, parent).with(["venv", "--no-project"]);
    if let Some(interpreter) = interpreter {
        step = step.with(["--python".as_ref(), interpreter.path()]);
    }
    if *with_pip {
        step = step.with(["--seed"]);
    }
    job.run(step.with([dir]))
}

/// Builds a wheel, isolated as the project asks for it.
pub(super) fn build(job: &mut Job<'_>, uv: &Path, python: &Path, source: &Path, out: &Path) -> Result<(), Trouble> {
    let step = Step::new("uv build", uv, source).with(["build", "--wheel", "--python"]).with([python]);
    job.run(step.with(["--out-dir"]).with([out, source]))
}

/// Installs in one resolution. Bytecode is written now, not by the first import that is measured.
pub(super) fn install(
    job: &mut Job<'_>,
    uv: &Path,
    environment: &Environment<'_>,
    wanted: &Wanted,
) -> Result<(), Trouble> {
    let Wanted { lines, lock, wheel } = wanted;
    let dir = environment.dir;
    let parent = dir.parent().unwrap_or(dir);
    let mut step = Step::new("uv pip install", uv, parent).with(["pip", "install", "--compile-bytecode", "--python"]);
    step = step.with([dir.join("bin/python")]);
    if let Some(lock) = lock {
        step = step.with(["-r".as_ref(), lock.as_path()]);
    }
    // A requirement never becomes an option.
    step = step.with(["--"]).with(lines);
    job.run(step.with(wheel.iter().map(|(path, _)| from(parent, path))))
}

/// Writes what `uv.lock` has locked for the project, without its own code and its development groups.
pub(super) fn export(job: &mut Job<'_>, uv: &Path, lock: &Path, to: &Path) -> Result<(), Trouble> {
    let project = lock.parent().unwrap_or(lock);
    let words = ["export", "--frozen", "--no-emit-project", "--no-default-groups", "--quiet", "--output-file"];
    job.run(Step::new("uv export", uv, project).with(words).with([to]))
}

/// Returns the way to a wheel from the folder of environments: `uv` stumbles over signs such as `#` in whole paths.
fn from(environments: &Path, wheel: &Path) -> PathBuf {
    let inner = environments.parent().and_then(|cache| wheel.strip_prefix(cache).ok());
    inner.map_or_else(|| wheel.to_owned(), |inner| Path::new("..").join(inner))
}
