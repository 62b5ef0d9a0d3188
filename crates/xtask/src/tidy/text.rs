//! Rules about the text of files.

use anyhow::Result;

use super::Tree;

const MAX_LINES: usize = 600;

/// Every Rust file says in its first line what it is for.
///
/// # Errors
/// A file could not be read.
pub fn first_lines(tree: &Tree) -> Result<Vec<String>> {
    let missing = |file: &str, text: &str| (!text.starts_with("//! ")).then(|| file.to_owned());
    each(tree, &[".rs"], missing)
}

/// Source files stay readable in one go.
///
/// # Errors
/// A file could not be read.
pub fn lengths(tree: &Tree) -> Result<Vec<String>> {
    each(tree, &[".rs", ".py", ".ts"], |file, text| {
        let n_lines = text.lines().count();
        (n_lines >= MAX_LINES).then(|| format!("{file} has {n_lines} lines"))
    })
}

/// What is to be done later is an issue, not a comment.
///
/// # Errors
/// A file could not be read.
pub fn leftovers(tree: &Tree) -> Result<Vec<String>> {
    // Put together here, so that this file does not break its own rule.
    let words = [["FIX", "ME"].concat(), ["TO", "DO"].concat()];
    lines(tree, &[".rs", ".py", ".toml", ".md", ".ts"], |line| {
        words.iter().any(|word| line.split(|c: char| !c.is_alphanumeric()).any(|part| part == word))
    })
}

/// Prose uses the punctuation of a keyboard.
///
/// # Errors
/// A file could not be read.
pub fn dashes(tree: &Tree) -> Result<Vec<String>> {
    lines(tree, &[".rs", ".py", ".toml", ".md", ".json", ".txt"], |line| line.contains('\u{2014}'))
}

/// Nothing outside tests names a folder of the machine it was written on.
///
/// # Errors
/// A file could not be read.
pub fn machine_paths(tree: &Tree) -> Result<Vec<String>> {
    let prefixes: Vec<String> = ["root/", "work/", "tmp/real"].iter().map(|path| ["/", path].concat()).collect();
    let names_machine = |line: &str| {
        prefixes.iter().any(|prefix| {
            line.match_indices(prefix.as_str()).any(|(at, _)| {
                // A path of the project may have such a folder in its middle; a machine's begins with it.
                !line[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '}' | '_' | '-' | '*' | '>'))
            })
        })
    };
    let found = lines(tree, &[".rs", ".py", ".toml", ".md", ".json", ".txt"], names_machine)?;
    Ok(found.into_iter().filter(|breach| !is_test(breach)).collect())
}

/// CI runs what the README tells a person to run, and nothing else.
///
/// # Errors
/// A file could not be read.
pub fn ci(tree: &Tree) -> Result<Vec<String>> {
    let script = tree.text(".ci/run")?;
    let commands: Vec<&str> =
        script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let [.., last] = commands[..] else { return Ok(vec![".ci/run is empty".to_owned()]) };
    let command = last.trim_start_matches("exec ");
    let mut breaches: Vec<String> = commands[..commands.len() - 1]
        .iter()
        .filter(|line| !line.starts_with("set ") && !line.starts_with("cd "))
        .map(|line| format!(".ci/run does something of its own: `{line}`"))
        .collect();
    if !tree.text("README.md")?.lines().any(|line| line.trim() == command) {
        breaches.push(format!("README.md has no line `{command}`"));
    }
    Ok(breaches)
}

fn is_test(file: &str) -> bool {
    file.starts_with("tests/") || file.contains("/tests/") || file.contains("/tests.rs") || file.contains("/golden/")
}

fn each(tree: &Tree, endings: &[&str], rule: impl Fn(&str, &str) -> Option<String>) -> Result<Vec<String>> {
    let mut breaches = Vec::new();
    for file in tree.with_endings(endings) {
        breaches.extend(rule(file, &tree.text(file)?));
    }
    Ok(breaches)
}

fn lines(tree: &Tree, endings: &[&str], breaks: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let mut breaches = Vec::new();
    for file in tree.with_endings(endings) {
        let text = tree.text(file)?;
        let found = text.lines().enumerate().filter(|(_, line)| breaks(line));
        breaches.extend(found.map(|(k, line)| format!("{file}:{}: {}", k + 1, line.trim())));
    }
    Ok(breaches)
}
