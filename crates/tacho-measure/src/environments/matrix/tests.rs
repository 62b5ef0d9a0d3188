//! Axes multiplied out, as asv does and beyond it.

use super::*;
use crate::environments::{Condition, RuleKey, ValuePattern};
use crate::matching::{NamePattern, Pattern};

fn axis(name: &str, values: &[Option<&str>]) -> Axis {
    let values: Vec<Option<String>> = values.iter().map(|value| value.map(str::to_owned)).collect();
    Axis::new(AxisKind::parse(name).unwrap(), &values).unwrap()
}

fn request(axes: Vec<Axis>) -> Request {
    Request {
        common: bare(Tool::Uv),
        tool_name: "uv".into(),
        platform: "linux".into(),
        active_python: None,
        axes,
        exclude: vec![],
        include: vec![],
    }
}

fn glob(text: &str) -> Condition {
    Condition::Fits(vec![ValuePattern::Name(NamePattern::parse(text).unwrap())])
}

fn python(text: &str) -> Condition {
    Condition::Fits(vec![ValuePattern::Python(Pattern::parse(text).unwrap())])
}

fn named(name: &str, condition: Condition) -> (RuleKey, Condition) {
    (RuleKey::Name(name.into()), condition)
}

fn rule(conditions: Vec<(RuleKey, Condition)>) -> Rule {
    Rule { conditions, is_asvs: false }
}

fn labels(request: &Request) -> Vec<String> {
    request.expand().unwrap().into_iter().map(|one| one.label).collect()
}

fn two_by_three() -> Request {
    request(vec![
        axis("python", &[Some("3.12"), Some("3.13")]),
        axis("req.numpy", &[Some("1.26"), Some("2.1"), None]),
        axis("env.OMP_NUM_THREADS", &[Some("1")]),
    ])
}

#[test]
fn the_last_axis_is_the_fastest_and_what_is_absent_is_not_named() {
    assert_eq!(
        labels(&two_by_three()),
        [
            "uv-py3.12-numpy1.26-OMP_NUM_THREADS1",
            "uv-py3.12-numpy2.1-OMP_NUM_THREADS1",
            "uv-py3.12-OMP_NUM_THREADS1",
            "uv-py3.13-numpy1.26-OMP_NUM_THREADS1",
            "uv-py3.13-numpy2.1-OMP_NUM_THREADS1",
            "uv-py3.13-OMP_NUM_THREADS1",
        ]
    );
}

#[test]
fn nothing_declared_is_one_combination() {
    assert_eq!(labels(&request(vec![])), ["uv"]);
}

#[test]
fn what_only_changes_the_run_needs_no_other_environment() {
    let request = request(vec![
        axis("python", &[Some("3.12")]),
        axis("build.CFLAGS", &[Some("-O2"), Some("-O3")]),
        axis("env.MODE", &[Some("a"), None]),
        axis("threads", &[Some("1"), Some("2")]),
        axis("cpus", &[Some("0-1")]),
    ]);
    let all = request.expand().unwrap();
    assert_eq!(all.len(), 8);
    for four in all.chunks(4) {
        assert!(four.iter().all(|one| one.environment == four[0].environment));
        assert!(four.iter().all(|one| one.environment.digest() == four[0].environment.digest()));
    }
    assert_ne!(all[0].environment.digest(), all[4].environment.digest());
    let (first, last) = (&all[0], &all[7]);
    assert_eq!(
        (first.label.as_str(), first.environment.label.as_str()),
        ("uv-py3.12-MODEa-CFLAGS-O2-threads1-cpus0,1", "uv-py3.12-CFLAGS-O2")
    );
    assert_eq!((first.run.threads, first.run.cpus.clone()), (Some(1), Some(vec![0, 1])));
    assert_eq!(first.run.variables["MODE"], Some("a".into()));
    // Absent is not whatever the user's own shell has.
    assert_eq!((last.run.variables["MODE"].clone(), last.run.axes.get("env.MODE")), (None, None));
    assert_eq!(
        last.axes().into_iter().collect::<Vec<_>>(),
        [("build.CFLAGS".into(), "-O3".into()), ("cpus".to_owned(), "0,1".to_owned()), ("threads".into(), "2".into()),]
    );
}

#[test]
fn a_variable_of_asvs_env_is_built_with_and_run_with() {
    let shared = Axis::new(AxisKind::SharedVariable("MODE".into()), &[Some("a".into())]).unwrap();
    let all = request(vec![shared, axis("env.OTHER", &[Some("b")])]).expand().unwrap();
    assert_eq!(all[0].environment.build_variables["MODE"], "a");
    assert_eq!(all[0].run.variables["MODE"], Some("a".into()));
    assert_eq!(all[0].environment.axes["env.MODE"], "a");
    assert_eq!(all[0].run.axes.keys().collect::<Vec<_>>(), ["env.OTHER"]);
    assert_eq!(all[0].environment.label, "uv-MODEa");
}

#[test]
fn requirements_keep_their_words_and_two_ways_are_two_axes() {
    let request = request(vec![
        axis("req.tables", &[Some("3.9")]),
        axis("req.pip+tables", &[Some("")]),
        axis("req.pip+six", &[Some(">=1.15,<2")]),
    ]);
    let one = request.expand().unwrap().remove(0).environment;
    let found: Vec<String> =
        one.requirements.iter().map(|r| format!("{} {} {}", r.name, r.version, r.by_pip)).collect();
    assert_eq!(found, ["six >=1.15,<2 true", "tables  true", "tables 3.9 false"]);
    assert_eq!(one.axes.keys().collect::<Vec<_>>(), ["req.pip+tables", "req.six", "req.tables"]);
    assert_eq!(one.label, "uv-pip+six_=1.15,_2-pip+tables-tables3.9");
}

#[test]
fn rules_leave_combinations_out() {
    let mut request = two_by_three();
    request.exclude = vec![
        rule(vec![named("python", glob("3.13")), named("req.numpy", glob("1.*"))]),
        rule(vec![named("req.numpy", Condition::Absent)]),
        rule(vec![(RuleKey::Platform, glob("win*"))]),
        rule(vec![(RuleKey::Tool, glob("conda"))]),
        rule(vec![named("req.none", glob("*"))]),
    ];
    assert_eq!(
        labels(&request),
        [
            "uv-py3.12-numpy1.26-OMP_NUM_THREADS1",
            "uv-py3.12-numpy2.1-OMP_NUM_THREADS1",
            "uv-py3.13-numpy2.1-OMP_NUM_THREADS1",
        ]
    );
    request.exclude.push(rule(vec![]));
    assert_eq!(labels(&request), Vec::<String>::new());
}

#[test]
fn asvs_patterns_reach_from_the_beginning_to_the_end() {
    // As `re.match(pattern, value)` and its end: a longer alternative that comes later is not tried.
    for (pattern, value, expected) in [
        ("1.26", "1.26", true),
        ("1.2", "1.26", false),
        ("26", "1.26", false),
        ("1.*", "1.26", true),
        ("1|1.26", "1.26", false),
        ("1.26|1", "1.26", true),
        ("(?i)A", "a", true),
        ("", "", true),
    ] {
        let mut request = request(vec![axis("req.numpy", &[Some(value)])]);
        let key = RuleKey::Axis(AxisKind::Requirement("numpy".into()));
        request.exclude = vec![Rule { conditions: vec![(key, python(pattern))], is_asvs: true }];
        assert_eq!(labels(&request).is_empty(), expected, "{pattern} on {value}");
    }
}

#[test]
fn what_is_listed_on_its_own_comes_last_and_nothing_leaves_it_out() {
    let listed = |values: &[(&str, Option<&str>)], only_where| Inclusion {
        only_where: rule(only_where),
        axes: values.iter().map(|(name, value)| (AxisKind::parse(name).unwrap(), value.map(str::to_owned))).collect(),
    };
    let mut request = two_by_three();
    request.axes[2].is_common = true;
    request.exclude = vec![rule(vec![])];
    request.include = vec![
        listed(&[("python", Some("3.9")), ("req.numpy", Some("1.20"))], vec![]),
        listed(&[("python", Some("3.9")), ("env.OMP_NUM_THREADS", None)], vec![]),
        listed(&[("python", Some("3.8"))], vec![(RuleKey::Platform, glob("win32"))]),
        listed(&[("req.numpy", Some("1.20")), ("python", Some("3.9"))], vec![]),
    ];
    assert_eq!(labels(&request), ["uv-py3.9-numpy1.20-OMP_NUM_THREADS1", "uv-py3.9"]);
}

#[test]
fn in_place_only_what_changes_the_run_holds() {
    let mut request = two_by_three();
    request.axes.push(axis("build.CFLAGS", &[Some("-O3")]));
    request.axes.push(Axis { is_asvs: true, ..axis("env.FROM_ASV", &[Some("1"), Some("2")]) });
    request.common.tool = Tool::Existing;
    request.common.packages = vec!["six".into()];
    request.common.run_line = Some("taskset 1 python3".into());
    assert_eq!(labels(&request), ["existing-py3.12-OMP_NUM_THREADS1", "existing-py3.13-OMP_NUM_THREADS1"]);
    assert_eq!(request.not_in_place(), ["req.numpy", "build.CFLAGS"]);
    let one = request.expand().unwrap().remove(0);
    assert_eq!((one.environment.tool, one.environment.packages.len()), (Tool::Existing, 0));
    assert_eq!(one.environment.run_line.as_deref(), Some("taskset 1 python3"));
}

#[test]
fn too_many_are_refused_before_they_are_made() {
    let values: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let values: Vec<Option<&str>> = values.iter().map(|value| Some(value.as_str())).collect();
    let many = |n: usize| request((0..n).map(|k| axis(&format!("req.p{k}"), &values)).collect());
    let error = many(2).expand().unwrap_err();
    let expected = "the axes make 40000 combinations, and 10000 is the most: 200 of req.p0, 200 of req.p1";
    assert_eq!(error.to_string(), expected);
    assert!(matches!(many(40).expand(), Err(MatrixError::TooMany { n: usize::MAX, .. })));
    assert_eq!(many(1).expand().unwrap().len(), 200);
    // What rules leave out does not count.
    let mut sieved = many(2);
    sieved.exclude = vec![rule(vec![named("req.p0", glob("?*")), named("req.p1", glob("[1-9]*"))])];
    assert_eq!(sieved.expand().unwrap().len(), 200);
}

#[test]
fn equal_combinations_are_one() {
    let request = request(vec![axis("cpus", &[Some("0-2"), Some("0,1,2"), Some("2,1,0")])]);
    assert_eq!(labels(&request), ["uv-cpus0,1,2"]);
}

#[test]
fn the_active_interpreter_is_named_and_looked_at_where_none_is_declared() {
    let mut request = request(vec![axis("req.numpy", &[Some("1"), Some("2")])]);
    request.active_python = Some("3.11".into());
    request.exclude = vec![rule(vec![named("python", glob("3.11")), named("req.numpy", glob("1"))])];
    assert_eq!(labels(&request), ["uv-py3.11-numpy2"]);
    // It is still whatever is active, and no declared version.
    assert_eq!(request.expand().unwrap()[0].environment.python, None);
    request.axes.push(axis("python", &[Some("3.12")]));
    assert_eq!(labels(&request), ["uv-py3.12-numpy1", "uv-py3.12-numpy2"]);
}
