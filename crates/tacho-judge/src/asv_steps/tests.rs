//! The steps of asv 0.6.6 itself: `golden.json` holds what its `detect_steps` says of the same input.

use serde_json::Value;

use super::*;

fn numbers(value: &Value) -> Vec<Option<f64>> {
    value.as_array().unwrap().iter().map(Value::as_f64).collect()
}

fn step(value: &Value) -> Step {
    let index = |key: &str| value[key].as_u64().unwrap() as usize;
    let number = |key: &str| value[key].as_f64().unwrap();
    let (level, least, error) = (number("level"), number("least"), number("error"));
    Step { first: index("first"), end: index("end"), level, least, error }
}

#[test]
fn steps_are_those_of_asv() {
    let cases: Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 14);
    for case in cases {
        let expected: Vec<Step> = case["steps"].as_array().unwrap().iter().map(step).collect();
        assert_eq!(asv_steps(&numbers(&case["values"]), &numbers(&case["weights"])), expected, "{}", case["name"]);
    }
}

#[test]
fn what_is_not_finite_is_missing() {
    let values = [Some(f64::NAN), Some(1.0), Some(1.0), Some(f64::INFINITY)];
    let step = Step { first: 1, end: 3, level: 1.0, least: 1.0, error: 0.0 };
    assert_eq!(asv_steps(&values, &[]), [step]);
    assert_eq!(asv_steps(&values, &[None, Some(0.0), Some(f64::NAN)]), [Step { first: 2, ..step }]);
}
