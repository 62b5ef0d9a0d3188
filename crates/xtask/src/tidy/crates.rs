//! Rules about the crates and what they may know of one another.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Tree;
use crate::process;

/// Every crate, and the crates of ours that it may use. A new edge is a design decision.
pub const EDGES: [(&str, &[&str]); 8] = [
    ("tacho", &["tacho-judge", "tacho-measure", "tacho-model", "tacho-query", "tacho-report", "tacho-store"]),
    ("tacho-judge", &["tacho-model"]),
    ("tacho-measure", &["tacho-model"]),
    ("tacho-model", &[]),
    ("tacho-query", &["tacho-model"]),
    ("tacho-report", &["tacho-model"]),
    ("tacho-store", &["tacho-model"]),
    ("xtask", &["tacho-judge", "tacho-model"]),
];

/// Crates that touch no files, processes, clocks or environment.
const PURE: [&str; 3] = ["tacho-judge", "tacho-model", "tacho-report"];

/// What a `clippy.toml` has to disallow for a crate to be walled.
const WALLS: [&str; 6] = [
    "std::fs::read",
    "std::fs::write",
    "std::process::Command::new",
    "std::env::var",
    "std::time::SystemTime::now",
    "std::time::Instant::now",
];

/// Crates lie flat in `crates/`, each in a folder of its own name.
///
/// # Errors
/// A file could not be read.
pub fn names(tree: &Tree) -> Result<Vec<String>> {
    let mut breaches = Vec::new();
    for folder in folders(tree) {
        let manifest = tree.text(&format!("crates/{folder}/Cargo.toml"))?;
        if !manifest.lines().any(|line| line.trim() == format!("name = \"{folder}\"")) {
            breaches.push(format!("crates/{folder} is not named `{folder}`"));
        }
    }
    let strays = tree.with_endings(&["/Cargo.toml"]).filter(|file| file.matches('/').count() != 2);
    breaches.extend(strays.map(|file| format!("{file} is not in a folder of `crates/`")));
    Ok(breaches)
}

/// The map of the code shows the rooms there are, and no others.
///
/// # Errors
/// There is no ARCHITECTURE.md.
pub fn architecture(tree: &Tree) -> Result<Vec<String>> {
    let text = tree.text("ARCHITECTURE.md")?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let named: Vec<&str> = text.split(|c: char| !is_word(c)).collect();
    let folders = folders(tree);
    let absent = folders.iter().filter(|folder| !named.contains(&folder.as_str()));
    let mut breaches: Vec<String> = absent.map(|folder| format!("it does not name `{folder}`")).collect();
    for name in named.iter().filter(|name| name.starts_with("tacho-")) {
        if !folders.iter().any(|folder| folder == name) {
            breaches.push(format!("it names `{name}`, which is no crate"));
        }
    }
    Ok(breaches)
}

/// The crates use one another as the list says.
///
/// # Errors
/// Cargo failed.
pub fn edges(tree: &Tree) -> Result<Vec<String>> {
    let allowed: BTreeMap<&str, &[&str]> = EDGES.into_iter().collect();
    let mut breaches = Vec::new();
    for (name, uses) in dependencies(tree)? {
        let Some(may_use) = allowed.get(name.as_str()) else {
            breaches.push(format!("`{name}` is not in the list of edges"));
            continue;
        };
        let ours = uses.iter().filter(|used| allowed.contains_key(used.as_str()));
        let new = ours.filter(|used| !may_use.contains(&used.as_str()));
        breaches.extend(new.map(|used| format!("`{name}` uses `{used}`")));
    }
    Ok(breaches)
}

/// Nouns cannot be serialised: every format has twins of its own.
///
/// # Errors
/// Cargo failed.
pub fn plain_nouns(tree: &Tree) -> Result<Vec<String>> {
    let all = dependencies(tree)?;
    let uses = all.get("tacho-model").context("there is no crate `tacho-model`")?;
    // What only tests use (insta) makes no noun serialisable.
    Ok(uses.iter().map(|used| format!("`tacho-model` uses `{used}`")).collect())
}

/// Pure crates are proven pure by a `clippy.toml` of their own.
///
/// # Errors
/// A file could not be read.
pub fn walls(tree: &Tree) -> Result<Vec<String>> {
    let mut breaches = Vec::new();
    for name in PURE {
        let file = format!("crates/{name}/clippy.toml");
        if !tree.files.contains(&file) {
            breaches.push(format!("{file} is missing"));
            continue;
        }
        let text = tree.text(&file)?;
        let open = WALLS.iter().filter(|path| !text.contains(&format!("\"{path}\"")));
        breaches.extend(open.map(|path| format!("{file} does not disallow `{path}`")));
    }
    Ok(breaches)
}

fn folders(tree: &Tree) -> Vec<String> {
    let manifests = tree.files.iter().filter_map(|file| file.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"));
    manifests.filter(|folder| !folder.contains('/')).map(str::to_owned).collect()
}

/// Returns what each crate uses outside its tests, by the crate's name.
fn dependencies(tree: &Tree) -> Result<BTreeMap<String, Vec<String>>> {
    let mut metadata = process::cargo(&tree.root);
    metadata.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let document: Value = serde_json::from_str(&process::output(&mut metadata)?)?;
    let packages = document["packages"].as_array().context("cargo told of no packages")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let uses = |package: &Value| {
        let all = package["dependencies"].as_array().into_iter().flatten();
        all.filter(|used| used["kind"] != "dev").map(|used| text(&used["name"])).collect()
    };
    Ok(packages.iter().map(|package| (text(&package["name"]), uses(package))).collect())
}
