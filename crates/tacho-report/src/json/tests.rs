//! Tests of the documents.

use insta::assert_snapshot;
use serde_json::Value;
use tacho_model::{Run, Subject};

use super::*;
use crate::MeasuredControl;
use crate::doctor::tests::{findings, floors};
use crate::fixture::{benchmark, counts, outcomes, planned, resumed_round, run, tree, unbuilt_run};
use crate::records::tests::entry;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_shown_run_has_its_provenance_and_an_object_for_each_outcome() {
    let (run, outcomes) = (run(), outcomes());
    let shown =
        Shown { run: &run, outcomes: &outcomes[3..6], counts: &counts(&outcomes[3..6]), times: &[], by_asv: false };
    assert_snapshot!(super::show(&[shown], false));
}

#[test]
fn samples_stand_there_only_if_asked_for() {
    let (run, outcomes) = (run(), outcomes());
    let shown = Shown { run: &run, outcomes: &outcomes, counts: &counts(&outcomes), times: &[], by_asv: false };
    assert_eq!(parsed(&super::show(&[shown], false))["runs"][0]["results"][0].get("samples"), None);
    let samples = &parsed(&super::show(&[shown], true))["runs"][0]["results"][0]["samples"];
    assert_eq!(samples.as_array().map(Vec::len), Some(3));
}

#[test]
fn resumptions_stand_with_the_run() {
    let mut run = run();
    run.rounds = vec![resumed_round(3)];
    let document = parsed(&super::show(
        &[Shown { run: &run, outcomes: &[], counts: &counts(&[]), times: &[], by_asv: false }],
        false,
    ));
    assert_snapshot!(document["runs"][0]["resumptions"].to_string(), @r#"[{"at":"2024-05-01T12:00:00Z","slot":3,"load":{"one_minute":0.5,"five_minutes":1.0,"fifteen_minutes":2.25}}]"#);
}

#[test]
fn what_is_no_number_is_null() {
    let (run, mut outcomes) = (run(), outcomes());
    outcomes[0].value = Some(f64::NAN);
    outcomes[0].quartiles = Some((f64::NEG_INFINITY, f64::INFINITY));
    let shown = Shown { run: &run, outcomes: &outcomes, counts: &counts(&outcomes), times: &[], by_asv: false };
    let first = &parsed(&super::show(&[shown], true))["runs"][0]["results"][0];
    assert_eq!(first["value"], Value::Null);
    assert_eq!(first["quartiles"], serde_json::json!([null, null]));
}

#[test]
fn the_suite_is_listed_with_cases_if_asked_for() {
    let suite = [planned(benchmark("m.f", &[("n", &["1", "2"])]))];
    assert_snapshot!(super::list(&suite, &run().problems, true));
    assert_eq!(parsed(&super::list(&suite, &[], false))["benchmarks"][0].get("cases"), None);
}

#[test]
fn runs_are_listed_newest_first() {
    let dated = Subject::Date { date: crate::fixture::NOON };
    assert_snapshot!(super::records(&[entry("a", 0, dated), entry("b", 1, tree())]));
}

#[test]
fn a_plan_has_an_object_for_each_run() {
    assert_snapshot!(super::agenda(&crate::agenda::tests::sample()));
}

#[test]
fn small_documents() {
    assert_snapshot!(super::machine(&crate::fixture::machine()), @r#"
    {
      "schema": "tacho.machine/1",
      "machine": {
        "name": "bench1",
        "facts": {
          "arch": "x86_64",
          "num_cpu": "16",
          "ram": "135GB"
        }
      }
    }
    "#);
    assert_snapshot!(super::durations(&[("m.f".into(), 1_500_000_000)]), @r#"
    {
      "schema": "tacho.durations/1",
      "durations": [
        {
          "benchmark": "m.f",
          "duration_s": 1.5
        }
      ],
      "total_s": 1.5
    }
    "#);
}

#[test]
fn a_diagnosis_has_every_condition_and_the_noise_floor() {
    let (machine, findings, floors) = (crate::fixture::machine(), findings(), floors(false));
    let measured =
        MeasuredControl { floors: &floors[..1], is_valid: Some(true), n_rounds: 10, duration_ns: 1_400_000_000 };
    let diagnosis = Diagnosis { machine: &machine, findings: &findings[..2], control: Some(measured) };
    assert_snapshot!(super::doctor(&diagnosis));
    let unmeasured = parsed(&super::doctor(&Diagnosis { control: None, ..diagnosis }));
    assert_eq!(unmeasured["control"], Value::Null);
}

#[test]
fn a_build_is_told_in_full_and_is_null_where_there_was_none() {
    let told = |run: &Run| {
        parsed(&super::show(&[Shown { run, outcomes: &[], counts: &counts(&[]), times: &[], by_asv: false }], false))
    };
    let mut unbuilt = told(&unbuilt_run());
    assert_eq!(unbuilt["runs"][0]["counts"]["cases"], 0);
    let build = &mut unbuilt["runs"][0]["provenance"]["build"];
    build["log_tail"] = build["log_tail"].as_str().unwrap()[..6].into();
    assert_snapshot!(serde_json::to_string_pretty(build).unwrap());
    assert_eq!(told(&run())["runs"][0]["provenance"]["build"], Value::Null);
    let mut built = run();
    built.provenance.build = Some(crate::fixture::build());
    let wheel = &told(&built)["runs"][0]["provenance"]["build"]["wheel"];
    assert_eq!(wheel["name"], "numpy-2.1.0-cp311.whl");
}

#[test]
fn a_series_is_its_key_and_its_points() {
    use crate::series::tests::{one, point};
    let moment = Subject::Date { date: crate::fixture::NOON };
    assert_snapshot!(super::series(&[one("lab", &[("threads", "2")], vec![point(moment, 0.5)])]));
}
