//! What a run that has no time for everything says of what it was asked for: all benchmarks but some.

use std::collections::BTreeSet;

/// How the pattern of such a run begins and ends. Nobody types that.
const BEGINS: &str = r"\A(?!(?:";
const ENDS: &str = r")(?:\(|\Z))";

/// Returns the patterns that select what `bench` selects without the benchmarks that are left out.
pub(super) fn limited(bench: &[String], left_out: &BTreeSet<String>) -> Vec<String> {
    if left_out.is_empty() {
        return bench.to_vec();
    }
    let names: Vec<String> = left_out.iter().map(|name| escaped(name)).collect();
    let others = if bench.is_empty() { String::new() } else { format!("(?s:.*?)(?:{})", bench.join("|")) };
    vec![format!("{BEGINS}{}{ENDS}{others}", names.join("|"))]
}

/// Tells whether patterns are those of a run that had no time for everything.
pub(super) fn is_limited(bench: &[String]) -> bool {
    matches!(bench, [pattern] if pattern.starts_with(BEGINS) && pattern.contains(ENDS))
}

fn escaped(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || !c.is_ascii();
    name.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use tacho_measure::matching::Selection;

    use super::*;

    fn check(bench: &[&str], left_out: &[&str], name: &str, expected: bool) {
        let bench: Vec<String> = bench.iter().map(|pattern| (*pattern).to_owned()).collect();
        let patterns = limited(&bench, &left_out.iter().map(|name| (*name).to_owned()).collect());
        let benchmark = tacho_model::Benchmark {
            name: name.into(),
            module: "m".into(),
            kind: tacho_model::Kind::Time,
            version: "1".into(),
            code: None,
            metrics: vec![],
            parameters: vec![tacho_model::ParameterAxis { name: "n".into(), texts: vec!["1".into()] }],
            timeout_s: None,
            settings: tacho_model::Settings::default(),
            setup_cache: None,
            pretty_name: None,
            extra: std::collections::BTreeMap::new(),
        };
        let selected = Selection::parse(&patterns).unwrap().select(&benchmark).unwrap();
        assert_eq!(!selected.is_empty(), expected, "{patterns:?} {name}");
        assert_eq!(is_limited(&patterns), !left_out.is_empty());
    }

    #[test]
    fn what_is_left_out_is_not_selected() {
        check(&[], &["m.time_a"], "m.time_a", false);
        check(&[], &["m.time_a"], "m.time_ab", true);
        check(&[], &["m.time_a"], "mxtime_a", true);
        check(&["time_"], &["m.time_a", "m.time_b"], "m.time_b", false);
        check(&["^m", "other"], &["m.time_a"], "m.time_c", true);
        check(&["time_c$", "other"], &["m.time_a"], "m.track_d", false);
        check(&["time_a"], &[], "m.time_a", true);
    }
}
