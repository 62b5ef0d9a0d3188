//! The texts that `tacho init` writes.

use std::path::Path;

/// The commands to go on with, and what each is for.
pub(super) const NEXT: [(&str, &str); 3] = [
    ("tacho check", "can every benchmark be set up?"),
    ("tacho run --quick", "does every benchmark run? One call of each"),
    ("tacho run", "measure, and keep every reading"),
];

/// The package file of a suite.
pub(super) const PACKAGE: &str = "";

/// A first module of benchmarks. It needs nothing but Python.
pub(super) const EXAMPLE: &str = include_str!("template/example.py");

const SETTINGS: &str = include_str!("template/tacho.toml");

/// Returns settings for a project of that name with its suite in `dir`.
pub(super) fn settings(name: &str, dir: &Path) -> String {
    let head = "# Settings of tacho for this project.";
    let text = |text: &str| toml::Value::from(text).to_string();
    let name = format!("name = {}", text(name));
    let dir = format!("dir = {}", text(&dir.display().to_string()));
    filled(head, &name, &dir)
}

/// Returns settings that change nothing of asv's until something in them is written out.
pub(super) fn settings_over_asv() -> String {
    let head = "# Settings of tacho for this project. They go over those of asv.conf.json, which is read too.";
    filled(head, "# name = \"project\"", "# dir = \"benchmarks\"")
}

fn filled(head: &str, name: &str, dir: &str) -> String {
    // The name last: it may hold whatever it wants.
    SETTINGS.replacen("{head}", head, 1).replacen("{dir}", dir, 1).replacen("{name}", name, 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::settings::json_schema;

    /// Returns the text with every key that stands behind `# ` in force.
    fn all_in_force() -> String {
        let uncommented = |line: &str| match line.strip_prefix("# ") {
            Some(rest) if rest.contains(" = ") || rest.starts_with('[') => rest.to_owned(),
            _ => line.to_owned(),
        };
        let text = settings("p", Path::new("benchmarks"));
        text.lines().map(uncommented).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_text_with_every_key_in_force_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("tacho.toml");
        std::fs::write(&file, all_in_force()).expect("it can be written");
        let settings = crate::settings::read_file(&file).expect("it is read");
        let labels: Vec<String> =
            crate::settings::combinations(&settings).expect("they multiply").into_iter().map(|one| one.label).collect();
        // 64 by six axes of two values each, less a quarter, and the one that is listed.
        assert_eq!(labels.len(), 49);
        // All at once, some keys say nothing to the tool of the example.
        let others: Vec<&String> =
            settings.warnings.iter().filter(|warning| !warning.starts_with("no effect ")).collect();
        assert!(others.is_empty(), "{others:?}");
    }

    /// Returns all keys below a table as `table.key`.
    fn keys(value: &toml::Value, prefix: &str, found: &mut BTreeSet<String>) {
        match value {
            toml::Value::Table(table) => {
                table.iter().for_each(|(key, value)| keys(value, &format!("{prefix}.{key}"), found))
            }
            toml::Value::Array(items) if items.iter().any(toml::Value::is_table) => {
                items.iter().for_each(|item| keys(item, prefix, found));
            }
            _ => drop(found.insert(prefix.trim_start_matches('.').to_owned())),
        }
    }

    /// Returns all keys of a schema's object, following references.
    fn schema_keys(schema: &serde_json::Value, root: &serde_json::Value, prefix: &str, found: &mut BTreeSet<String>) {
        let referred = schema["$ref"].as_str().and_then(|path| root.pointer(path.trim_start_matches('#')));
        let schema = referred.unwrap_or(schema);
        if let Some(properties) = schema["properties"].as_object() {
            for (key, inner) in properties {
                schema_keys(inner, root, &format!("{prefix}.{key}"), found);
            }
        } else if !schema["items"]["$ref"].is_null() {
            schema_keys(&schema["items"], root, prefix, found);
        } else {
            found.insert(prefix.trim_start_matches('.').to_owned());
        }
    }

    #[test]
    fn every_key_that_is_read_is_explained_and_no_other() {
        let mut written = BTreeSet::new();
        keys(&toml::Value::Table(all_in_force().parse().expect("it is TOML")), "", &mut written);
        // Names of variables and packages are the user's own, and so are the axes that a rule names.
        let own = [
            "environment.variables",
            "environment.exclude",
            "environment.include",
            "axes.req",
            "axes.env",
            "axes.build",
        ];
        let table =
            |key: &str| own.iter().find(|table| key.starts_with(&format!("{table}."))).map(|table| (*table).to_owned());
        let mut written: BTreeSet<String> = written.into_iter().map(|key| table(&key).unwrap_or(key)).collect();
        let (schema, mut known) = (json_schema(), BTreeSet::new());
        schema_keys(&schema, &schema, "", &mut known);
        // A suite is a folder or a file.
        written.insert("suite.file".into());
        assert_eq!(written, known);
    }

    #[test]
    fn a_name_of_any_letters_is_quoted() {
        for name in ["plain", "it's \"quoted\"", "{dir}", "back\\slash"] {
            let table: toml::Table = settings(name, Path::new("b")).parse().expect("it is TOML");
            assert_eq!(table["project"]["name"].as_str(), Some(name));
        }
    }

    #[test]
    fn settings_over_asv_set_nothing() {
        let mut set = BTreeSet::new();
        keys(&toml::Value::Table(settings_over_asv().parse().expect("it is TOML")), "", &mut set);
        assert_eq!(set, BTreeSet::new());
    }
}
