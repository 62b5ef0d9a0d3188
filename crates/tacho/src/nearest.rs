//! Names that may have been meant by one that is none.

/// How alike a name has to be to be offered: 1 is the same.
const ALIKE: f64 = 0.7;

/// So many names are offered at most.
const MOST: usize = 3;

/// Returns the names that a pattern which finds none of them may have meant, the most alike first.
///
/// The pattern is a regular expression: what it says of a name in plain letters is compared with the name's end.
pub(crate) fn names<'a>(pattern: &str, names: &[&'a str]) -> Vec<&'a str> {
    let plain = plain_part(pattern);
    let likeness = |name: &str| ends(name).map(|end| alike(&plain, end)).fold(0.0, f64::max);
    let mut scored: Vec<(f64, &str)> = names.iter().map(|name| (likeness(name), *name)).collect();
    scored.retain(|(score, _)| *score >= ALIKE);
    // Of equals, the order of the suite holds.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// Returns the letters, digits, dots and underscores before any parameters.
fn plain_part(pattern: &str) -> String {
    let before = pattern.split('(').find(|part| !part.is_empty()).unwrap_or_default();
    before.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '.')).collect::<String>().to_lowercase()
}

/// Returns the name and what follows each of its dots.
fn ends(name: &str) -> impl Iterator<Item = &str> {
    std::iter::once(name).chain(name.match_indices('.').map(|(at, _)| &name[at + 1..]))
}

fn alike(plain: &str, name: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(plain, &name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["sorts.Sorts.time_sort", "sorts.time_plain", "sorts.track_size", "io.time_read"];

    fn check(pattern: &str, expected: &[&str]) {
        assert_eq!(names(pattern, &NAMES), expected, "{pattern}");
    }

    #[test]
    fn the_nearest_names_come_first() {
        check("time_srot", &["sorts.Sorts.time_sort"]);
        check(r"^sorts\.time_plian$", &["sorts.time_plain"]);
        check(r"sorts.Sorts.time_sor\(10, 'a'\)", &["sorts.Sorts.time_sort"]);
        check("TRACK_SIZE", &["sorts.track_size"]);
        check("time_rea", &["io.time_read"]);
    }

    #[test]
    fn what_is_like_none_brings_none() {
        check("no_such", &[]);
        check("", &[]);
        check("((((", &[]);
        check("time_", &[]);
    }
}
