//! Axes in words: what is empty and what is absent read differently.

use std::collections::BTreeMap;

/// What stands for an axis that a combination does not have.
pub(crate) const ABSENT: &str = "absent";

/// Returns the value of an axis as people read it: an empty one is the newest version of a package, else `""`.
pub(crate) fn value_text<'a>(name: &str, value: &'a str) -> &'a str {
    match value {
        "" if name.starts_with("req.") => "newest",
        "" => "\"\"",
        _ => value,
    }
}

/// Returns the axes as one text: `python 3.12, req.numpy 2.1`.
pub(crate) fn axes_text(axes: &BTreeMap<String, String>) -> String {
    let axis = |(name, value): (&String, &String)| format!("{name} {}", value_text(name, value));
    axes.iter().map(axis).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_value_is_told_in_words() {
        let axes = [("env.MODE", ""), ("python", "3.12"), ("req.numpy", ""), ("req.scipy", "1.11")];
        let axes = axes.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(axes_text(&axes), "env.MODE \"\", python 3.12, req.numpy newest, req.scipy 1.11");
    }
}
