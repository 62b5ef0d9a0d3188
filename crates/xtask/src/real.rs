//! Suites of real projects: their source distributions and environments, below `target/real`.
//!
//! `target/real/NAME/venv` holds the released wheels, `target/real/NAME/source` the unpacked source
//! distribution. What they are is written in `tests/real/suites.json`. `target/real/readers` holds programs that read Parquet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{process, setup};

/// The suites that every `cargo xtask test` runs a part of.
pub const ALWAYS: [&str; 2] = ["numpy", "pywavelets"];

/// Returns the folder that holds the prepared suites.
pub fn folder(root: &Path) -> PathBuf {
    root.join("target/real")
}

/// Returns the names that are asked for, `all` being every one.
///
/// # Errors
/// A name without an entry.
pub fn chosen(root: &Path, asked: &[String]) -> Result<Vec<String>> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let known: Vec<String> =
        suites(root)?.iter().filter_map(|suite| suite["name"].as_str().map(str::to_owned)).collect();
    if asked.iter().any(|name| name == "all") {
        return Ok(known);
    }
    if let Some(unknown) = asked.iter().find(|name| !known.contains(name)) {
        bail!("there is no real suite `{unknown}`; known: {}", known.join(", "));
    }
    Ok(asked.to_vec())
}

/// Makes one suite ready and returns its folder. `python` is the environment that has `unearth`.
///
/// # Errors
/// The network, pip, or a source distribution with another digest.
pub fn prepare(root: &Path, python: &Path, name: &str) -> Result<PathBuf> {
    let all = suites(root)?;
    let suite = all.iter().find(|suite| suite["name"] == name).with_context(|| format!("no real suite `{name}`"))?;
    let place = folder(root).join(name);
    let requirements = suite["requirements"].as_array().context("`requirements` is missing")?;
    let lines: Vec<&str> = requirements.iter().filter_map(Value::as_str).collect();
    setup::environment(&place.join("venv"), &(lines.join("\n") + "\n"))?;
    unpack(&place, python, name, suite)?;
    Ok(place)
}

/// Makes the releases ready that the tests build from a history: each unpacked in a folder of its version.
///
/// # Errors
/// The network, or a source distribution with another digest.
pub fn prepare_history(root: &Path, python: &Path) -> Result<PathBuf> {
    let path = root.join("tests/real/history.json");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let document: Value = serde_json::from_str(&text).with_context(|| format!("in `{}`", path.display()))?;
    let name = document["package"].as_str().context("`package` is missing")?;
    let place = folder(root).join(name);
    for release in document["releases"].as_array().context("`releases` is missing")? {
        let version = release["version"].as_str().context("a release has no `version`")?;
        let folder = place.join(version);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        unpack(&folder, python, name, release)?;
    }
    Ok(place)
}

/// Makes the programs ready that read what is written for them: DuckDB, pandas and Polars.
///
/// # Errors
/// The network, or pip.
pub fn prepare_readers(root: &Path) -> Result<PathBuf> {
    let list = root.join("tests/real/readers.txt");
    let requirements = fs::read_to_string(&list).with_context(|| format!("cannot read `{}`", list.display()))?;
    setup::environment(&folder(root).join("readers"), &requirements)
}

fn suites(root: &Path) -> Result<Vec<Value>> {
    let path = root.join("tests/real/suites.json");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut document: Value = serde_json::from_str(&text).with_context(|| format!("in `{}`", path.display()))?;
    match document["suites"].take() {
        Value::Array(suites) => Ok(suites),
        _ => bail!("`{}` has no list `suites`", path.display()),
    }
}

fn unpack(place: &Path, python: &Path, name: &str, suite: &Value) -> Result<()> {
    let field = |key: &str| suite[key].as_str().with_context(|| format!("suite `{name}` has no `{key}`"));
    let (sdist, digest) = (field("sdist")?, field("sha256")?);
    let source = place.join("source");
    let stamp = place.join("source-stamp");
    if source.is_dir() && fs::read_to_string(&stamp).is_ok_and(|found| found == digest) {
        return Ok(());
    }
    let archive = place.join(sdist);
    if !archive.exists() {
        let unearth = python.with_file_name("unearth");
        let mut fetch = Command::new(unearth);
        fetch.args(["--no-binary", "--download"]).arg(place);
        process::output(fetch.arg(format!("{name}=={}", field("version")?)))?;
    }
    let found = sha256(&fs::read(&archive).with_context(|| format!("`{sdist}` was not downloaded"))?);
    ensure!(found == digest, "`{}` has the digest {found}, not {digest}", archive.display());
    let scratch = place.join("unpacked");
    for folder in [&scratch, &source] {
        remove(folder)?;
    }
    process::run(Command::new(python).args(["-m", "tarfile", "--extract"]).arg(&archive).arg(&scratch))?;
    // The archive holds one folder that is named after the version.
    let mut inside = fs::read_dir(&scratch)?;
    let top = inside.next().context("the source distribution is empty")??.path();
    fs::rename(top, &source)?;
    remove(&scratch)?;
    Ok(fs::write(&stamp, digest)?)
}

/// Removes a folder, if it is there.
///
/// # Errors
/// It cannot be removed.
pub fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{}`", folder.display()))
        }
        _ => Ok(()),
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
