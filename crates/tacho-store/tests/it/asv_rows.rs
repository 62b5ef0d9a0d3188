//! What the rows of asv's result files become, whatever they hold.

use tacho_model::{Outcome, State, Subject, Timestamp};
use tacho_store::StoreError;

use crate::asv::{AsvFolder, COLUMNS, read_results, read_text, version_2};

fn states(outcomes: &[Outcome]) -> Vec<(String, State)> {
    outcomes.iter().map(|outcome| (outcome.case.full_name(), outcome.state)).collect()
}

/// `cases` are full names and states.
fn check(results: &str, cases: &[(&str, State)]) {
    let expected: Vec<(String, State)> = cases.iter().map(|(name, state)| (name.to_string(), *state)).collect();
    assert_eq!(states(&read_results(results).outcomes), expected, "{results}");
}

fn only(results: &str) -> Outcome {
    let [outcome] = &read_results(results).outcomes[..] else { panic!("there is one outcome: {results}") };
    outcome.clone()
}

#[test]
fn null_failed_and_nan_was_skipped() {
    use State::{Failed, Measured, Skipped};
    check(
        r#"{"time_x": [[1.5, null, NaN], [["1", "2", "3"]]]}"#,
        &[("time_x(1)", Measured), ("time_x(2)", Failed), ("time_x(3)", Skipped)],
    );
    check(r#"{"time_x": [null, [["1", "2"], ["'a'"]]]}"#, &[("time_x(1, 'a')", Failed), ("time_x(2, 'a')", Failed)]);
}

#[test]
fn the_last_parameter_is_fastest_and_the_index_is_the_position() {
    let read = read_results(r#"{"time_x": [[0, 1, 2, 3], [["1", "2"], ["'a'", "'b'"]]]}"#);
    for (position, outcome) in read.outcomes.iter().enumerate() {
        assert_eq!(outcome.value, Some(position as f64));
        assert_eq!(outcome.case.index, position);
    }
    assert_eq!(read.outcomes[2].case.full_name(), "time_x(2, 'a')");
}

#[test]
fn lists_may_be_too_short_or_too_long() {
    use State::Measured;
    check(r#"{"time_x": [[1, 2], [["1", "2", "3"]]]}"#, &[("time_x(1)", Measured), ("time_x(2)", Measured)]);
    check(r#"{"time_x": [[1, 2, 3], [["1"]]]}"#, &[("time_x(1)", Measured)]);
    check(r#"{"time_x": [[1, 2], []]}"#, &[("time_x", Measured)]);
    check(r#"{"time_x": [[1, 2], [["1"], []]]}"#, &[]);
    check(r#"{"time_x": [[], []]}"#, &[]);
    let short = only(r#"{"time_x": [[1], [], "v", 1, 1, [], [], [0.5], [], null, []]}"#);
    assert_eq!((short.quartiles, short.interval, short.number, short.n_samples), (None, None, None, 0));
}

#[test]
fn columns_may_be_absent() {
    let read = read_results(r#"{"time_a": [], "time_b": [null], "time_c": [[2.5]]}"#).outcomes;
    let expected =
        [("time_a", State::Failed), ("time_b", State::Failed), ("time_c", State::Measured)].map(|(n, s)| (n.into(), s));
    assert_eq!(states(&read), expected);
    assert_eq!((read[2].version.clone(), read[2].duration_ns, read[2].n_rounds), (None, 0, 0));
}

#[test]
fn columns_are_known_by_name_and_may_come_after_the_results() {
    let text = version_2(r#"{"time_x": [7, "future", [4.5], [["1"]]]}"#);
    let columns = r#"["number_of_the_beast", "version", "result", "params"]"#;
    let text = text.replace(&format!(r#""result_columns": {COLUMNS}, "#), "");
    let text = text.replace(r#""durations": {}"#, &format!(r#""result_columns": {columns}"#));
    let outcome = &read_text(&text).unwrap().outcomes[0];
    assert_eq!((outcome.value, outcome.version.as_deref()), (Some(4.5), Some("future")));
    assert_eq!(outcome.case.full_name(), "time_x(1)");
}

#[test]
fn what_is_no_number_failed_and_says_why() {
    for (value, message) in [
        ("\"NaN\"", "its value is not a number"),
        ("{\"a\": 1}", "its value is not a number"),
        ("[1, 2]", "its value is not a number"),
        ("Infinity", "its value is infinite"),
        ("-Infinity", "its value is infinite"),
    ] {
        let outcome = only(&format!(r#"{{"track_x": [[{value}], []]}}"#));
        assert_eq!((outcome.state, outcome.value), (State::Failed, None), "{value}");
        assert_eq!(outcome.message.as_deref(), Some(message), "{value}");
    }
    assert_eq!(only(r#"{"track_x": [[true]]}"#).value, Some(1.0));
    assert_eq!(only(r#"{"track_x": [3]}"#).value, Some(3.0));
}

#[test]
fn statistics_are_those_of_the_file() {
    let row = r#"[[0.5], [], "v", 1, 2, [0.25], [0.75], [0.375], [0.625], [3], [12]]"#;
    let outcome = only(&format!(r#"{{"time_x": {row}}}"#));
    assert_eq!(outcome.interval, Some((0.25, 0.75)));
    assert_eq!(outcome.quartiles, Some((0.375, 0.625)));
    assert_eq!(outcome.spread, Some(0.125));
    assert_eq!((outcome.number, outcome.n_samples), (Some(3), 12));
    assert_eq!((outcome.duration_ns, outcome.version.as_deref()), (2_000_000_000, Some("v")));
    assert_eq!((outcome.samples.len(), outcome.round_values.len(), outcome.method), (0, 0, None));
}

#[test]
fn an_interval_has_two_finite_ends_in_order() {
    for (low, high) in
        [("-Infinity", "Infinity"), ("0.25", "Infinity"), ("-Infinity", "1"), ("NaN", "1"), ("null", "1"), ("2", "1")]
    {
        let row = format!(r#"[[0.5], [], "v", 1, 2, [{low}], [{high}], [{low}], [{high}]]"#);
        let outcome = only(&format!(r#"{{"time_x": {row}}}"#));
        assert_eq!((outcome.interval, outcome.quartiles, outcome.spread), (None, None, None), "{low} {high}");
    }
}

#[test]
fn samples_are_kept_and_counted() {
    let row = |repeat: &str| {
        format!(r#"[[0.5], [], "v", 1, 2, null, null, null, null, [1], [{repeat}], [[0.25, NaN, 0.5, 0.75]]]"#)
    };
    let outcome = only(&format!(r#"{{"time_x": {}}}"#, row("null")));
    assert_eq!((outcome.samples.clone(), outcome.n_samples), (vec![0.25, 0.5, 0.75], 3));
    assert_eq!(only(&format!(r#"{{"time_x": {}}}"#, row("4"))).n_samples, 4);
}

#[test]
fn what_was_not_measured_has_no_statistics() {
    let row = r#"[[null], [], "v", 1, 2, [0.25], [0.75], [0.375], [0.625], [3], [12], [[1, 2]]]"#;
    let outcome = only(&format!(r#"{{"time_x": {row}}}"#));
    assert_eq!((outcome.interval, outcome.quartiles, outcome.spread, outcome.number), (None, None, None, None));
    assert_eq!((outcome.n_samples, outcome.samples.len()), (0, 0));
}

#[test]
fn parameters_are_texts_whatever_stands_there() {
    let names = |params: &str| read_results(&format!(r#"{{"time_x": [[1], {params}]}}"#)).outcomes[0].case.full_name();
    assert_eq!(names(r#"[["'NaN \"quoted\"'"]]"#), r#"time_x('NaN "quoted"')"#);
    assert_eq!(names(r#"[[1, 2], [null]]"#), "time_x(1, None)");
    assert_eq!(names(r#"["1", "2"]"#), "time_x(1)");
    assert_eq!(names("7"), "time_x");
}

#[test]
fn a_giant_product_costs_nothing_where_few_results_are_told() {
    let axis = format!("[{}]", vec!["\"1\""; 100].join(","));
    let params = format!("[{}]", vec![axis.as_str(); 40].join(","));
    let read = read_results(&format!(r#"{{"time_x": [[1, 2], {params}]}}"#));
    assert_eq!(read.outcomes.len(), 2);
    let error = read_text(&version_2(&format!(r#"{{"time_x": [null, {params}]}}"#))).unwrap_err();
    assert!(matches!(error, StoreError::TooLarge { .. }), "{error}");
}

#[test]
fn many_long_texts_are_refused_before_they_are_made() {
    let values = vec!["1"; 100_000].join(",");
    let axis = vec![format!("\"{}\"", "x".repeat(10_000)); 1].join(",");
    let numbers = (0..100_000).map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(",");
    let error = read_text(&version_2(&format!(r#"{{"time_x": [[{values}], [[{axis}], [{numbers}]]]}}"#))).unwrap_err();
    assert!(error.to_string().contains("with the 100000 cases of `time_x`"), "{error}");
}

#[test]
fn metrics_are_told_by_definitions_and_else_by_names() {
    let folder = AsvFolder::new();
    folder.put(
        "benchmarks.json",
        r#"{"a.time_x": {"type": "time", "unit": "seconds", "param_names": ["n", "too many"]},
            "a.speed": {"type": "track", "unit": "GFLOP/s", "param_names": ["n"]},
            "a.odd": {"type": "odd", "unit": "points", "better": "none"}, "a.none": 3, "version": 2}"#,
    );
    let names =
        ["a.time_x", "a.speed", "a.odd", "B.time_x", "B.TimeX", "B.Timeless", "timeraw_y", "mem_z", "peakmem_z"];
    let row = |name: &&str| format!(r#""{name}": [[1], [["1"]]]"#);
    let rows: Vec<String> = names.iter().map(row).collect();
    folder.put("m/0123abcd-e.json", version_2(&format!("{{{}}}", rows.join(","))));
    let results = folder.open();
    let read = results.read(&results.files().unwrap()[0], "example").unwrap();
    let found = |outcome: &Outcome| {
        let metric = &outcome.metric;
        let assumed = if metric.direction_assumed { "?" } else { "" };
        let name = &outcome.case.parameters[0].name;
        format!(
            "{}({name}) {} {} {}{assumed}",
            outcome.case.benchmark,
            metric.name,
            metric.unit,
            metric.direction.word()
        )
    };
    let lines: Vec<String> = read.outcomes.iter().map(found).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    B.TimeX(param1) time seconds lower
    B.Timeless(param1) value unit lower?
    B.time_x(param1) time seconds lower
    a.odd(param1) value points none
    a.speed(n) value GFLOP/s higher
    a.time_x(param1) time seconds lower
    mem_z(param1) memory bytes lower
    peakmem_z(param1) peak_memory bytes lower
    timeraw_y(param1) time seconds lower
    "#);
}

#[test]
fn two_versions_of_a_benchmark_stay_apart_from_none() {
    let read = read_results(r#"{"time_a": [[1], [], "1"], "time_b": [[1], [], null], "time_c": [[1], [], 2]}"#);
    let versions: Vec<Option<&str>> = read.outcomes.iter().map(|outcome| outcome.version.as_deref()).collect();
    assert_eq!(versions, [Some("1"), None, Some("2")]);
}

#[test]
fn a_run_began_when_its_first_benchmark_did() {
    let start = |results: &str| read_results(results).provenance.started_at;
    let ms = |unix_ms: i64| Timestamp { unix_us: unix_ms * 1000 };
    assert_eq!(
        start(r#"{"time_a": [[1], [], "1", 1700000002001], "time_b": [[1], [], "1", 1700000001999]}"#),
        ms(1_700_000_001_999)
    );
    assert_eq!(start(r#"{"time_a": [[1], [], "1", null], "time_b": [[1]]}"#), ms(1_700_000_000_000));
    assert_eq!(start(r#"{"time_a": [[1], [], "1", NaN], "time_b": [[1], [], "1", 1e300]}"#), ms(1_700_000_000_000));
}

#[test]
fn a_date_that_is_none_is_left_out() {
    for date in ["null", "NaN", "-5", "1e300", "\"yesterday\""] {
        let read = read_text(&version_2("{}").replace("1700000000000", date)).unwrap().provenance;
        assert!(matches!(read.subject, Subject::Commit { date: None, .. }), "{date}");
        assert_eq!(read.started_at, Timestamp { unix_us: 0 });
    }
}

#[test]
fn axes_are_interpreter_requirements_and_variables() {
    let axes = |from: &str, to: &str| {
        let text = version_2("{}").replace(from, to);
        format!("{:?}", read_text(&text).unwrap().provenance.environment.axes)
    };
    assert_eq!(axes("", ""), r#"{"python": "3.11"}"#);
    let requirements = r#""requirements": {"numpy": "", "pip+pip": "24", "pip+scipy": "1", "scipy": null, "n": 2}"#;
    assert_eq!(
        axes(r#""requirements": {}"#, requirements),
        r#"{"python": "3.11", "req.n": "2", "req.numpy": "", "req.pip": "24", "req.scipy": "1"}"#
    );
    assert_eq!(
        axes(r#""requirements": {}"#, r#""requirements": {"pip+scipy": "1", "scipy": "2"}"#),
        r#"{"python": "3.11", "req.pip+scipy": "1", "req.scipy": "2"}"#
    );
    assert_eq!(
        axes(r#""env_vars": {}"#, r#""env_vars": {"A": "1", "B": null}"#),
        r#"{"env.A": "1", "python": "3.11"}"#
    );
    assert_eq!(axes(r#""env_vars": {}"#, r#""env_vars": null"#), r#"{"python": "3.11"}"#);
}

#[test]
fn the_tool_is_the_front_of_the_environments_name() {
    for (label, tool) in [
        ("virtualenv-py3.11", "virtualenv"),
        ("conda-py3.6-numpy", "conda"),
        ("existing-py_usr_bin_python", "existing"),
        ("uv-py3.12", "uv"),
        ("rattler-pypypy3", "rattler"),
        ("py3.6-numpy", ""),
        ("own-tool-py3.6", ""),
        ("", ""),
    ] {
        let text = version_2("{}").replace("virtualenv-py3.11", label);
        let environment = read_text(&text).unwrap().provenance.environment;
        assert_eq!((environment.label.as_str(), environment.tool.as_str()), (label, tool));
    }
}
