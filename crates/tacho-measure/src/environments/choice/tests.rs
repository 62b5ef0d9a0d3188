//! `-E` in all its forms.

use super::*;
use crate::environments::{Axis, Inclusion, Rule, RuleKey, ValuePattern, bare};

fn axis(name: &str, values: &[&str]) -> Axis {
    let values: Vec<Option<String>> = values.iter().map(|value| Some((*value).to_owned())).collect();
    Axis::new(AxisKind::parse(name).unwrap(), &values).unwrap()
}

fn request() -> Request {
    Request {
        common: bare(Tool::Uv),
        tool_name: "virtualenv".into(),
        platform: "linux".into(),
        active_python: None,
        axes: vec![
            axis("python", &["3.12", "3.13"]),
            axis("req.numpy", &["1.26", ">=2,<3"]),
            axis("threads", &["1", "2"]),
        ],
        exclude: vec![],
        include: vec![Inclusion {
            only_where: Rule { conditions: vec![], is_asvs: false },
            axes: vec![(AxisKind::Python, Some("3.9".into()))],
        }],
    }
}

fn check(words: &[&str], expected: &[&str]) {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let chosen = choose(&words, &request(), None).unwrap_or_else(|error| panic!("{words:?}: {error}"));
    let labels: Vec<&str> = chosen.iter().map(|one| one.label.as_str()).collect();
    assert_eq!(labels, expected, "{words:?}");
}

fn check_error(word: &str, expected: &str) {
    let error = choose(&[word.to_owned()], &request(), None).expect_err(word);
    assert_eq!(error.to_string(), expected);
}

#[test]
fn without_a_word_all_are_chosen() {
    assert_eq!(choose(&[], &request(), None).unwrap().len(), 9);
}

#[test]
fn a_label_chooses_one_and_that_of_an_environment_all_ways_to_run_in_it() {
    check(&["virtualenv-py3.13-numpy1.26-threads2"], &["virtualenv-py3.13-numpy1.26-threads2"]);
    check(
        &["virtualenv-py3.12-numpy_=2,_3"],
        &["virtualenv-py3.12-numpy_=2,_3-threads1", "virtualenv-py3.12-numpy_=2,_3-threads2"],
    );
}

#[test]
fn axes_choose_by_their_values() {
    check(
        &["threads=1,python=3.1*,req.numpy=>=2,<3"],
        &["virtualenv-py3.12-numpy_=2,_3-threads1", "virtualenv-py3.13-numpy_=2,_3-threads1"],
    );
    check(&["python=3.9"], &["virtualenv-py3.9"]);
    check(&["python=3.9", "python=3.?"], &["virtualenv-py3.9"]);
    check_error("threads=3", "no environment has `threads=3`");
    check_error("python=[", "cannot read `python=[`: error parsing glob '[': unclosed character class; missing ']'");
    check_error("thread=3", "there is no environment `thread=3`");
}

#[test]
fn asvs_words_choose_tool_and_interpreter() {
    check(
        &[":3.11"],
        &[
            "virtualenv-py3.11-numpy1.26-threads1",
            "virtualenv-py3.11-numpy1.26-threads2",
            "virtualenv-py3.11-numpy_=2,_3-threads1",
            "virtualenv-py3.11-numpy_=2,_3-threads2",
        ],
    );
    assert_eq!(choose(&["conda:3.11".into()], &request(), Some("micromamba")).unwrap().len(), 4);
    let conda = choose(&["conda".into()], &request(), Some("micromamba")).unwrap();
    assert_eq!((conda.len(), conda[8].label.as_str()), (9, "conda-py3.9"));
    assert_eq!(conda[0].environment.tool, Tool::Conda { program: "micromamba".into() });
    check_error("venvs:3.11", "there is no environment `venvs:3.11`");
    check_error("", "there is no environment ``");
}

#[test]
fn what_is_there_is_measured_in_place() {
    check(&["existing"], &["existing-threads1", "existing-threads2"]);
    check(&["existing:same"], &["existing-threads1", "existing-threads2"]);
    check(&["existing:/bin/python3"], &["existing-py_bin_python3-threads1", "existing-py_bin_python3-threads2"]);
}

#[test]
fn an_interpreter_that_is_asked_for_is_measured_in_whatever_is_left_out() {
    let mut request = request();
    let any = ValuePattern::Name(NamePattern::parse("*").unwrap());
    let conditions = vec![(RuleKey::Name("python".into()), super::super::Condition::Fits(vec![any]))];
    request.exclude = vec![Rule { conditions, is_asvs: true }];
    let chosen = choose(&["uv:3.12".into()], &request, None).unwrap();
    assert_eq!((chosen.len(), chosen[0].label.as_str()), (1, "uv-py3.12"));
}

#[test]
fn python_is_a_version_to_build_for_or_a_program_that_is_there() {
    let made = request();
    let mut there = request();
    there.common.tool = Tool::Existing;
    for (python, in_made, in_there) in [
        ("3.12", ":3.12", "existing:3.12"),
        ("pypy3.10", ":pypy3.10", "existing:pypy3.10"),
        ("same", "existing:same", "existing:same"),
        ("python3.12", "existing:python3.12", "existing:python3.12"),
        ("3/bin/python", "existing:3/bin/python", "existing:3/bin/python"),
    ] {
        assert_eq!(word_of_python(python, &made), in_made);
        assert_eq!(word_of_python(python, &there), in_there);
    }
}
