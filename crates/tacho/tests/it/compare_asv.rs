//! `tacho compare --stats asv` marks the rows that `asv compare` 0.6.6 marks, on real results.
//!
//! The texts lie beside the data and name the command that made them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::env::TestEnv;

/// Rows by (benchmark with parameters, environment where asv names it).
type Rows = BTreeMap<(String, String), Row>;

#[derive(Debug, Clone, PartialEq)]
struct Row {
    mark: String,
    ratio: String,
}

fn sets() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/asv-results");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: no results of real projects in {}", folder.display());
        return vec![];
    };
    let mut sets: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    sets.sort();
    sets.into_iter().filter(|set| set.join("asv-compare").is_dir()).collect()
}

fn texts(set: &Path) -> Vec<PathBuf> {
    let mut texts: Vec<PathBuf> =
        std::fs::read_dir(set.join("asv-compare")).unwrap().map(|entry| entry.unwrap().path()).collect();
    texts.sort();
    texts
}

/// Returns the words of the command that made a text.
fn command(text: &str) -> Vec<String> {
    let line = text.lines().next().unwrap().strip_prefix("$ asv compare ").unwrap();
    line.split_whitespace().map(str::to_owned).collect()
}

/// Returns the rows of all tables of a text, in its order.
fn rows(text: &str) -> Vec<((String, String), Row)> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [mark, _, _, ratio, name @ ..] = &cells[..] else { panic!("{line}") };
        if *mark == "Change" {
            continue;
        }
        let name = name.join(" | ");
        let (name, environment) = match name.rsplit_once(" [") {
            Some((name, environment)) => (name.to_owned(), environment.trim_end_matches(']').to_owned()),
            None => (name, String::new()),
        };
        found.push(((name, environment), Row { mark: (*mark).to_owned(), ratio: (*ratio).to_owned() }));
    }
    found
}

/// Returns our answer to the same question as rows of asv's.
fn our_rows(set: &Path, words: &[String]) -> Rows {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.extend(["--stats", "asv", "--json"]);
    let env = TestEnv::new();
    let mut arguments = vec!["compare"];
    arguments.append(&mut words);
    let said = env.tacho_with(&arguments, |command| {
        command.current_dir(set);
    });
    let answer = said.json(0);
    let labels: Vec<(Value, String)> = ["before", "after"]
        .iter()
        .flat_map(|side| answer[side]["runs"].as_array().unwrap())
        .map(|run| (run["environment"].clone(), run["environment_label"].as_str().unwrap().to_owned()))
        .collect();
    let one_place = labels.iter().all(|(axes, _)| *axes == labels[0].0);
    let comparisons = answer["comparisons"].as_array().unwrap().iter();
    comparisons
        .map(|comparison| {
            let environment = if one_place {
                String::new()
            } else {
                let label = labels.iter().find(|(axes, _)| *axes == comparison["environment"]).unwrap();
                format!("{}/{}", comparison["machine"].as_str().unwrap(), label.1)
            };
            ((full_name(comparison), environment), Row { mark: mark(comparison), ratio: ratio(comparison) })
        })
        .collect()
}

fn full_name(comparison: &Value) -> String {
    let benchmark = comparison["benchmark"].as_str().unwrap();
    let parameters = comparison["parameters"].as_array().unwrap();
    let texts: Vec<&str> = parameters.iter().map(|parameter| parameter["value"].as_str().unwrap()).collect();
    if texts.is_empty() { benchmark.to_owned() } else { format!("{benchmark}({})", texts.join(", ")) }
}

/// asv's mark. Where more is better asv's plus and minus say the opposite of the truth.
fn mark(comparison: &Value) -> String {
    let is_rate = comparison["direction"] == "higher";
    let mark = match (comparison["standing"].as_str().unwrap(), comparison["verdict"].as_str()) {
        (_, Some("slower")) => {
            if is_rate {
                "-"
            } else {
                "+"
            }
        }
        (_, Some("faster")) => {
            if is_rate {
                "+"
            } else {
                "-"
            }
        }
        ("newly_failing", _) => "!",
        ("fixed", _) => "*",
        ("not_compared", _) => "x",
        _ => "",
    };
    mark.to_owned()
}

/// asv's ratio with its tilde; `n/a` without two values.
fn ratio(comparison: &Value) -> String {
    let value = |side: &str| comparison[side]["value"].as_f64();
    let (Some(before), Some(after)) = (value("before"), value("after")) else { return "n/a".into() };
    if before == 0.0 {
        return "n/a".into();
    }
    let tilde = if comparison["verdict"] == "inconclusive" { "~" } else { "" };
    format!("{tilde}{:.2}", after / before)
}

/// asv writes `1` for `1.00` in a column of numbers.
fn same_ratio(ours: &str, theirs: &str) -> bool {
    let number = |text: &str| text.trim_start_matches('~').parse::<f64>().ok();
    let equal = match (number(ours), number(theirs)) {
        (Some(ours), Some(theirs)) => (ours - theirs).abs() < 0.0101,
        (None, None) => true,
        _ => false,
    };
    equal && ours.starts_with('~') == theirs.starts_with('~')
}

#[test]
fn the_same_rows_are_marked() {
    let mut n_rows = 0;
    for set in sets() {
        for path in texts(&set) {
            let text = std::fs::read_to_string(&path).unwrap();
            let ours = our_rows(&set, &command(&text));
            let only_changed = text.contains("--only-changed");
            let theirs = rows(&text);
            for (name, row) in &theirs {
                let found = ours.get(name).unwrap_or_else(|| panic!("{}: no row {name:?}", path.display()));
                assert_eq!(found.mark, row.mark, "{}: {name:?} {found:?} {row:?}", path.display());
                assert!(same_ratio(&found.ratio, &row.ratio), "{}: {name:?} {found:?} {row:?}", path.display());
                n_rows += 1;
            }
            if only_changed {
                let changed = ours.values().filter(|row| matches!(row.mark.as_str(), "+" | "-" | "!")).count();
                assert_eq!(changed, theirs.len(), "{}", path.display());
            } else {
                assert_eq!(ours.len(), theirs.len(), "{}", path.display());
            }
        }
    }
    assert!(n_rows > 2000 || sets().is_empty(), "{n_rows} rows compared");
}
