//! The rule that every noun has an entry in the glossary.

use anyhow::Result;

use super::Tree;

const GLOSSARY: &str = "docs/glossary.md";

/// Every public type of `tacho-model` is explained in the glossary.
///
/// # Errors
/// A file could not be read.
pub fn nouns(tree: &Tree) -> Result<Vec<String>> {
    let entries = entries(&tree.text(GLOSSARY)?);
    let mut breaches = Vec::new();
    for file in tree.with_endings(&[".rs"]).filter(|file| file.starts_with("crates/tacho-model/src/")) {
        let text = tree.text(file)?;
        let missing = text.lines().filter_map(public_type).filter(|name| !entries.contains(&name.to_lowercase()));
        breaches.extend(missing.map(|name| format!("{GLOSSARY} does not explain `{name}` ({file})")));
    }
    Ok(breaches)
}

/// Returns the names that an entry begins with: `**Name**` at the start of a line, several by commas.
fn entries(glossary: &str) -> Vec<String> {
    let heads = glossary.lines().filter_map(|line| line.trim_start_matches("- ").strip_prefix("**")?.split_once("**"));
    // A type's name is its entry's words without the spaces: `Setup cache` explains `SetupCache`.
    heads.flat_map(|(head, _)| head.split(", ").map(|name| name.to_lowercase().replace(' ', ""))).collect()
}

fn public_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))?;
    rest.split(|c: char| !c.is_alphanumeric()).next()
}
