//! Tests of what is rehearsed together, and in which order it is told.

use tacho_model::State;

use super::*;
use crate::fixture;

fn plan(module: &str, name: &str, n_cases: usize, cache: Option<&str>) -> Planned {
    fixture::planned(module, &format!("{module}.{name}"), n_cases, 1, cache)
}

fn check(planned: &[Planned], expected: &[&[(&str, usize)]]) {
    let found: Vec<Vec<(String, usize)>> = portions(planned)
        .iter()
        .map(|portion| {
            let mut counts: Vec<(String, usize)> = Vec::new();
            for (benchmark, _) in &portion.cases {
                match counts.last_mut().filter(|(name, _)| *name == benchmark.name) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((benchmark.name.clone(), 1)),
                }
            }
            counts
        })
        .collect();
    let expected: Vec<Vec<(String, usize)>> =
        expected.iter().map(|counts| counts.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect()).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_portion_is_of_one_module_and_no_longer_than_pays() {
    check(&[], &[]);
    check(
        &[plan("a", "x", 1, None), plan("b", "x", 40, None), plan("a", "y", 2, None)],
        &[&[("a.x", 1), ("a.y", 2)], &[("b.x", 32)], &[("b.x", 8)]],
    );
}

#[test]
fn cases_that_share_a_cache_stay_together() {
    check(
        &[plan("a", "x", 30, Some("a:1")), plan("a", "y", 30, Some("a:1")), plan("a", "z", 1, Some("a:9"))],
        &[&[("a.x", 30), ("a.y", 30)], &[("a.z", 1)]],
    );
}

#[test]
fn results_are_in_the_order_of_the_plan() {
    let planned = [plan("b", "x", 2, None), plan("a", "x", 1, None)];
    let rehearsal = |plan: &Planned, index| Rehearsal {
        case: plan.benchmark.case(index).expect("it is there"),
        state: State::Measured,
        phase: None,
        message: None,
        detail: None,
        duration_ns: 0,
    };
    let mut found = vec![rehearsal(&planned[1], 0), rehearsal(&planned[0], 1), rehearsal(&planned[0], 0)];
    sort(&mut found, &planned);
    let names: Vec<String> = found.iter().map(|rehearsal| rehearsal.case.full_name()).collect();
    assert_eq!(names, ["b.x(0)", "b.x(1)", "a.x(0)"]);
}
