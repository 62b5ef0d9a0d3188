//! The words of Python's own `venv`, and of pip.

use std::path::Path;

use super::{Environment, Wanted, address};
use crate::environments::job::{Job, Step, Trouble};
use crate::environments::workshop::MakeError;

/// Makes an empty environment; without pip where the interpreter's own can serve it, as copying one in takes seconds.
pub(super) fn create(job: &mut Job<'_>, environment: &Environment<'_>) -> Result<(), Trouble> {
    let Environment { dir, interpreter, with_pip, spec: _ } = environment;
    let Some(interpreter) = interpreter else { return Ok(()) };
    let parent = dir.parent().unwrap_or(dir);
    let mut step = Step::new("python -m venv", interpreter.path(), parent).with(["-m", "venv"]);
    if interpreter.has_pip_for_others() && !with_pip {
        step = step.with(["--without-pip"]);
    }
    job.run(step.with([dir]))
}

/// Builds a wheel, isolated as the project asks for it.
pub(super) fn build(job: &mut Job<'_>, python: &Path, source: &Path, out: &Path) -> Result<(), Trouble> {
    let step = Step::new("pip wheel", python, source).with(["-m", "pip", "wheel", "--no-deps", "--wheel-dir"]);
    // Absolute, since pip takes the bare name of a folder for that of a package.
    job.run(step.with([out, source]))
}

/// Installs in one resolution.
pub(super) fn install(
    job: &mut Job<'_>,
    environment: &Environment<'_>,
    python: &Path,
    wanted: &Wanted,
) -> Result<(), Trouble> {
    let dir = environment.dir;
    // Beside the environment: where conda-like tools make it, the folder is theirs.
    let list = dir.with_extension("requirements.txt");
    std::fs::write(&list, requirements(wanted)).map_err(MakeError::io("write", &list))?;
    let parent = dir.parent().unwrap_or(dir);
    let other = environment.interpreter.filter(|interpreter| interpreter.has_pip_for_others());
    let step = match other {
        Some(interpreter) if dir.join("bin/python") == python => {
            let step = Step::new("pip install", interpreter.path(), parent);
            step.with(["-m", "pip", "--python"]).with([python])
        }
        _ => Step::new("pip install", python, parent).with(["-m", "pip"]),
    };
    let step = step.with(["install", "--no-warn-script-location", "--requirement"]).with([&list]);
    let done = job.run(step);
    let _ = std::fs::remove_file(&list);
    done
}

/// Returns everything as one file. Where the lock has hashes, pip wants one of the wheel too.
fn requirements(wanted: &Wanted) -> String {
    let Wanted { lines, lock, wheel } = wanted;
    let hashed =
        lock.as_ref().is_some_and(|lock| std::fs::read_to_string(lock).is_ok_and(|text| text.contains("--hash=")));
    let mut all: Vec<String> = lock.iter().map(|lock| format!("--requirement {}", address(lock))).collect();
    all.extend(lines.iter().cloned());
    all.extend(wheel.iter().map(|(path, sha256)| match hashed {
        true => format!("{} --hash=sha256:{sha256}", address(path)),
        false => address(path),
    }));
    all.join("\n") + "\n"
}
