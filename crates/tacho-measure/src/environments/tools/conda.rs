//! The words of programs like conda: one table of what differs between them.

use std::path::{Path, PathBuf};

use super::Environment;
use crate::environments::job::{Job, Step, Trouble};
use crate::environments::programs::{self, Search};
use crate::environments::spec::{EnvironmentSpec, Requirement};
use crate::environments::workshop::MakeError;

/// A program like conda, and how it talks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::environments) struct Conda {
    program: PathBuf,
    dialect: Dialect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// `conda`, `mamba`: an environment file is read by `env create`.
    Conda,
    /// `micromamba`: it is read by `create`.
    Micromamba,
    /// `pixi`: a manifest in the folder.
    Pixi,
}

impl Conda {
    /// Finds the program; its name tells how it talks.
    pub(in crate::environments) fn find(search: &Search, name: &str) -> Result<Conda, MakeError> {
        let path = PathBuf::from(name);
        let found = if name.contains('/') {
            Some(path).filter(|path| programs::is_executable(path))
        } else {
            search.tool(name)
        };
        let program = found.ok_or_else(|| MakeError::Tool {
            problem: format!("no program `{name}`"),
            hint: "install it, or name another that takes conda's words (`conda`, `mamba`, `micromamba`, `pixi`); \
                   `-E uv` needs none"
                .into(),
        })?;
        let own_name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let dialect = match own_name {
            name if name.contains("micromamba") => Dialect::Micromamba,
            name if name.contains("pixi") => Dialect::Pixi,
            _ => Dialect::Conda,
        };
        Ok(Conda { program, dialect })
    }

    /// Returns where in its folder an environment lies.
    pub(in crate::environments) fn prefix(&self, dir: &Path) -> PathBuf {
        match self.dialect {
            Dialect::Pixi => dir.join(".pixi/envs/default"),
            _ => dir.to_owned(),
        }
    }

    /// Makes an environment with the interpreter, pip and the requirements that are the tool's.
    pub(super) fn create(&self, job: &mut Job<'_>, environment: &Environment<'_>) -> Result<(), Trouble> {
        let Environment { dir, spec, .. } = environment;
        let file = spec.environment_file.as_ref().map(|file| job.workshop.conf_dir.join(file));
        match (self.dialect, file) {
            (Dialect::Pixi, Some(file)) => Err(pixi_takes_no_file(&file)),
            (Dialect::Pixi, None) => self.create_by_manifest(job, dir, spec),
            (dialect, Some(file)) => {
                let (name, words): (_, &[&str]) = match dialect {
                    Dialect::Micromamba => ("create", &["create", "--yes", "--prefix"]),
                    _ => ("env create", &["env", "create", "--prefix"]),
                };
                job.run(self.step(name, dir).with(words).with([dir]).with(["--file".as_ref(), file.as_path()]))?;
                self.add(job, "install", dir, spec)
            }
            (_, None) => self.add(job, "create", dir, spec),
        }
    }

    fn add(&self, job: &mut Job<'_>, verb: &str, dir: &Path, spec: &EnvironmentSpec) -> Result<(), Trouble> {
        let channels = spec.channels.iter().flat_map(|channel| ["--channel", channel]);
        let step = self.step(verb, dir).with([verb, "--yes", "--prefix"]).with([dir]).with(channels);
        job.run(step.with(packages(spec)))
    }

    fn create_by_manifest(&self, job: &mut Job<'_>, dir: &Path, spec: &EnvironmentSpec) -> Result<(), Trouble> {
        std::fs::create_dir_all(dir).map_err(MakeError::io("create", dir))?;
        let path = dir.join("pixi.toml");
        std::fs::write(&path, manifest(spec)).map_err(MakeError::io("write", &path))?;
        job.run(self.step("install", dir).with(["install", "--manifest-path"]).with([path]))
    }

    fn step<'s>(&self, verb: &str, dir: &'s Path) -> Step<'s> {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy();
        Step::new(&format!("{name} {verb}"), &self.program, dir.parent().unwrap_or(dir))
    }
}

fn pixi_takes_no_file(file: &Path) -> Trouble {
    Trouble::Other(MakeError::Tool {
        problem: format!("pixi makes no environment from `{}`", file.display()),
        hint: "name the packages as requirements, or use conda, mamba or micromamba".into(),
    })
}

/// Returns the packages in the tool's words: `python=3.12 pip numpy=1.26 scipy>=1.11`.
fn packages(spec: &EnvironmentSpec) -> Vec<String> {
    let python = match &spec.python {
        Some(version) if version.starts_with(|c: char| c.is_ascii_digit()) => format!("python={version}"),
        _ => "python".to_owned(),
    };
    let own = spec.requirements.iter().filter(|requirement| !requirement.by_pip).map(package);
    let fixed = spec.packages.iter().filter(|line| !line.starts_with("pip+")).cloned();
    [python, "pip".to_owned()].into_iter().chain(own).chain(fixed).collect()
}

fn package(requirement: &Requirement) -> String {
    let Requirement { name, version, by_pip: _ } = requirement;
    match version.trim() {
        "" => name.clone(),
        range if range.starts_with(['=', '<', '>', '!', '~']) => format!("{name}{range}"),
        version => format!("{name}={version}"),
    }
}

/// Returns the manifest that `pixi` installs from.
fn manifest(spec: &EnvironmentSpec) -> String {
    let split = |package: String| match package.find(['=', '<', '>', '!', '~']) {
        Some(at) => {
            let (name, version) = package.split_at(at);
            let exact = version.strip_prefix('=').filter(|rest| !rest.starts_with('='));
            (name.to_owned(), exact.map_or_else(|| version.to_owned(), |exact| format!("{exact}.*")))
        }
        None => (package, "*".to_owned()),
    };
    let dependencies = packages(spec).into_iter().map(split);
    let lines: Vec<String> =
        dependencies.map(|(name, version)| format!("{} = {}", text(&name), text(&version))).collect();
    let channels = match spec.channels.as_slice() {
        [] => text("conda-forge"),
        channels => channels.iter().map(|channel| text(channel)).collect::<Vec<_>>().join(", "),
    };
    format!(
        "[workspace]\nname = \"tacho\"\nchannels = [{channels}]\nplatforms = [{}]\n\n[dependencies]\n{}\n",
        text(platform()),
        lines.join("\n"),
    )
}

/// Returns a string of TOML, which takes JSON's.
fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

fn platform() -> &'static str {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("macos", "aarch64") => "osx-arm64",
        ("macos", _) => "osx-64",
        (_, "aarch64") => "linux-aarch64",
        (_, "powerpc64") => "linux-ppc64le",
        _ => "linux-64",
    }
}

#[cfg(test)]
mod tests;
