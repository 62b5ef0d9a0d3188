//! Patterns as users of asv write them, and what they select.

use std::collections::BTreeMap;

use tacho_model::{Kind, ParameterAxis, Settings};

use super::*;

fn benchmark(name: &str, axes: &[&[&str]]) -> Benchmark {
    let axis = |(k, texts): (usize, &&[&str])| ParameterAxis {
        name: format!("param{k}"),
        texts: texts.iter().map(|text| (*text).to_owned()).collect(),
    };
    Benchmark {
        name: name.into(),
        module: "m".into(),
        kind: Kind::Track,
        version: "1".into(),
        code: None,
        metrics: vec![],
        parameters: axes.iter().enumerate().map(axis).collect(),
        timeout_s: None,
        settings: Settings::default(),
        setup_cache: None,
        pretty_name: None,
        extra: BTreeMap::new(),
    }
}

fn check(patterns: &[&str], name: &str, axes: &[&[&str]], expected: &[usize]) {
    let selection = Selection::parse(patterns).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(selection.select(&benchmark(name, axes)).unwrap(), expected, "{patterns:?} on {name}");
}

const AXES: &[&[&str]] = &[&["1", "2"], &["3", "5"]];

#[test]
fn without_patterns_everything_is_selected() {
    check(&[], "m.time_x", &[], &[0]);
    check(&[], "m.time_x", AXES, &[0, 1, 2, 3]);
    check(&[], "m.time_x", &[&[]], &[]);
}

#[test]
fn parameters_are_searched_in_parentheses() {
    check(&[r"track_param_selection\(.*, 3\)"], "m.track_param_selection", AXES, &[0, 2]);
    check(&["track_param"], "m.track_param_selection", AXES, &[0, 1, 2, 3]);
    check(&[r"\(1, ", r", 5\)"], "m.time_x", AXES, &[0, 1, 3]);
    check(&["time_y"], "m.time_x", AXES, &[]);
    check(&[r"x\('a b', None\)"], "m.time_x", &[&["'a b'", "'c'"], &["None"]], &[0]);
}

#[test]
fn a_name_alone_selects_all_cases() {
    check(&["time_x$"], "m.time_x", AXES, &[0, 1, 2, 3]);
    check(&[r"^m\.time_x\Z"], "m.time_x", AXES, &[0, 1, 2, 3]);
    // What names cases keeps to them, whatever other patterns say.
    check(&[r"3\)$", "time_y"], "m.time_x", AXES, &[0, 2]);
    check(&[r"3\)$", "time_x$"], "m.time_x", AXES, &[0, 1, 2, 3]);
}

#[test]
fn a_look_ahead_refuses_what_it_names() {
    let pattern = "^(?!.*AcaBaselineDebugLog)";
    check(&[pattern], "m.AcaBaseline.time_x", &[], &[0]);
    check(&[pattern], "m.AcaBaseline.time_x", AXES, &[0, 1, 2, 3]);
    check(&[pattern], "m.AcaBaselineDebugLog.time_x", &[], &[]);
    check(&[pattern], "m.AcaBaselineDebugLog.time_x", AXES, &[]);
    check(&[r"^(?!.*\(.*, 3\))"], "m.time_x", AXES, &[1, 3]);
    check(&[r"^(?!.*time_x\()"], "m.time_x", AXES, &[]);
}

fn check_search(pattern: &str, text: &str, expected: bool) {
    let parsed = Pattern::parse(pattern).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(parsed.is_in(text), Ok(expected), "{pattern:?} in {text:?}");
}

/// Answers of Python 3.11: `bool(re.search(pattern, text))`.
#[test]
fn patterns_mean_what_they_mean_in_python() {
    let cases = [
        (r"(?P<a>x)y(?P=a)", "xyx", true),
        (r"(?P<a>x)y(?P=a)", "xyz", false),
        (r"(a)(b)\2\1", "abba", true),
        (r"(a)\1[0]", "aa0", true),
        (r"a\Z", "a\n", false),
        ("a$", "a\n", true),
        ("a$", "a\nb", false),
        ("(?m)a$", "a\nb", true),
        ("(?s)a.b", "a\nb", true),
        ("a.b", "a\nb", false),
        ("(?i)TIME", "m.time_x", true),
        ("(?i:TIME)_X", "m.time_x", false),
        ("(?x) t i m e # words\n _x", "m.time_x", true),
        ("(?x)[ #]", "a#b", true),
        ("(?a)^\\w+$", "é", false),
        ("^\\w+$", "é", true),
        ("[[]a", "[a", true),
        ("[]a]+$", "]]", true),
        ("[^]]", "]]", false),
        ("[a&&b]", "&", true),
        ("[a\\-z]+$", "-z", true),
        ("[+--]", ",", true),
        ("[a-]", "-", true),
        ("[\\w-]", "-", true),
        ("[\\]]", "]", true),
        ("[\\b]", "\u{8}", true),
        ("{", "a{b", true),
        ("a{x}", "a{x}", true),
        ("a{,2}b", "aab", true),
        ("^a{,2}b", "aaab", false),
        ("^a{2}$", "aa", true),
        ("a}", "a}", true),
        ("a]", "a]", true),
        (r"\<x\>", "<x>", true),
        (r"\x41\u0042\103", "ABC", true),
        (r"\-\ \/", "- /", true),
        ("(?<=a)b", "ab", true),
        ("(?<!a)b", "ab", false),
        ("(a)?(?(1)b|c)$", "ab", true),
        ("^(?P<q>a)?(?(q)b|c)$", "c", true),
        ("(?>a+)ab", "aaab", false),
        ("a++ab", "aaab", false),
        ("a(?#no word)b", "ab", true),
        (r"\bx\b", "m.x(1)", true),
        ("", "anything", true),
        ("a|", "b", true),
        ("é", "caf\u{e9}", true),
        (" ", "a b", true),
        ("(?x)a\\ b", "a b", true),
    ];
    for (pattern, text, expected) in cases {
        check_search(pattern, text, expected);
    }
}

fn check_error(pattern: &str, expected: &str) {
    let error = Pattern::parse(pattern).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot read the pattern `{pattern}`: {expected}"));
}

#[test]
fn what_is_no_pattern_is_told_with_its_place() {
    check_error("a(b", "missing ), unterminated subpattern at position 1");
    check_error("ab)", "unbalanced parenthesis at position 2");
    check_error("a[b", "unterminated character set at position 1");
    check_error("[b-a]", "bad character range at position 1");
    check_error("[a-", "unterminated character set at position 0");
    check_error("*a", "nothing to repeat at position 0");
    check_error("a**", "multiple repeat at position 2");
    check_error("^*", "nothing to repeat at position 1");
    check_error("a{3,2}", "min repeat greater than max repeat at position 1");
    check_error(r"\p{L}", r"bad escape \p at position 0");
    check_error("a\\", "bad escape (end of pattern) at position 1");
    check_error("(?<n>a)", "unknown extension ?< at position 0");
    check_error("a(?i)b", "global flags not at the start of the expression at position 1");
    check_error(r"\1", "invalid group reference 1 at position 0");
    check_error(r"(a)\10", "invalid group reference 10 at position 3");
    check_error("(?P=n)", "unknown group name `n` at position 0");
    check_error("(?P<1>a)", "bad character in group name `1` at position 0");
    check_error(r"\x4", "incomplete escape at position 0");
}

#[test]
fn a_pattern_that_would_not_end_is_given_up() {
    let selection = Selection::parse(&[r"(?:(a+)\1?)+[xb]b"]).unwrap();
    let name = format!("m.{}b", "a".repeat(60));
    let error = selection.select(&benchmark(&name, &[])).unwrap_err().to_string();
    assert_eq!(error, format!(r"gave up on the pattern `(?:(a+)\1?)+[xb]b`: it takes too many steps on `{name}`"));
    check_error("(((?=a)a{1000}){1000}){1000}", "repeats too often at position 15");
    check_error(&"(".repeat(5000), "groups are nested too deeply at position 100");
}

#[test]
fn a_search_that_does_not_end_is_given_up() {
    let name = format!("m.time_it({})", "a".repeat(5_000_000));
    for endless in [r"(.*)\1\1\1b", r"(?:(?=a)(a|a))+b", r"((a+)+)\2b"] {
        let error = Pattern::parse(endless).and_then(|pattern| pattern.is_in(&name)).expect_err(endless);
        assert!(matches!(&error, PatternError::TooSlow { .. }), "{error}");
        assert!(error.to_string().len() < 500, "a long name is cut: {} bytes", error.to_string().len());
    }
    // Without look-around or references a search takes as long as the name.
    for linear in [r"(a+)+$", r"(a|aa)+$", r"(.*)*x"] {
        assert_eq!(Pattern::parse(linear).and_then(|pattern| pattern.is_in(&name)), Ok(false), "{linear}");
    }
}
