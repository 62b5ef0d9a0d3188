//! The loop over a fake executor: order, numbers, giving up, stopping.

use std::collections::BTreeMap;

use tacho_model::{Isolation, Samples, Timestamp};

use super::*;
use crate::fixture;

/// Answers from a script and writes down what it was asked.
#[derive(Default)]
struct Fake {
    log: Vec<String>,
    failing: Vec<String>,
}

impl Executor for Fake {
    fn begin_round(&mut self, round: u32) -> Result<(), SessionError> {
        self.log.push(format!("round {round}"));
        Ok(())
    }

    fn measure(&mut self, task: &Task<'_>) -> Result<Round, SessionError> {
        let name = task.case.full_name();
        let number = task.settings.get("number").map(|n| format!(" number={n}")).unwrap_or_default();
        self.log.push(format!("  {}: {name}{number}", task.slot));
        let state = if self.failing.contains(&name) { State::Failed } else { State::Measured };
        let samples = Samples::Loops { number: 7, loop_ns: vec![70] };
        Ok(Round {
            benchmark: task.case.benchmark.clone(),
            parameters: task.case.texts(),
            round: task.round,
            slot: task.slot,
            started_at: Timestamp { unix_us: 0 },
            resumed: None,
            duration_ns: 1,
            state,
            method: "fake/1".into(),
            isolation: Isolation::Fork,
            samples: if state == State::Measured {
                BTreeMap::from([("time".into(), samples)])
            } else {
                BTreeMap::new()
            },
            observed: BTreeMap::new(),
            message: None,
            detail: None,
        })
    }
}

fn planned(name: &str, n_values: usize, rounds: u32, cache: Option<&str>) -> Planned {
    fixture::planned("m", name, n_values, rounds, cache)
}

fn check(planned: &[Planned], failing: &[&str], options: &ExecuteOptions, expected: &str) {
    let mut fake = Fake { failing: failing.iter().map(|name| (*name).to_owned()).collect(), ..Fake::default() };
    let mut last_steps = (0, 0);
    let mut sink = |event: Event<'_>| {
        if let Event::Started { step, n_steps, .. } = event {
            last_steps = (step, n_steps);
        }
        ControlFlow::Continue(())
    };
    let finish = execute(planned, options, &mut fake, &mut sink).expect("the fake never errs");
    assert_eq!(finish, Finish::Complete);
    assert_eq!(last_steps.0 + 1, last_steps.1, "the last step is announced as the last");
    assert_eq!(fake.log.join("\n"), expected.trim_matches('\n'));
}

#[test]
fn rounds_are_outermost_and_reuse_the_number() {
    check(
        &[planned("b", 2, 2, None), planned("a", 1, 1, None)],
        &[],
        &ExecuteOptions::default(),
        "
round 0
  0: a(0)
  1: b(0)
  2: b(1)
round 1
  3: b(0) number=7
  4: b(1) number=7",
    );
}

#[test]
fn a_failed_case_is_not_tried_again_and_others_are() {
    check(
        &[planned("a", 2, 2, None)],
        &["a(0)"],
        &ExecuteOptions::default(),
        "
round 0
  0: a(0)
  1: a(1)
round 1
  2: a(1) number=7",
    );
}

#[test]
fn benchmarks_with_one_cache_run_side_by_side() {
    check(
        &[planned("a", 1, 1, Some("k")), planned("b", 1, 1, None), planned("c", 1, 1, Some("k"))],
        &[],
        &ExecuteOptions::default(),
        "
round 0
  0: b(0)
  1: a(0)
  2: c(0)",
    );
}

#[test]
fn given_settings_win_over_remembered_numbers() {
    let settings = Map::from_iter([("number".to_owned(), Value::from(1))]);
    check(
        &[planned("a", 1, 2, None)],
        &[],
        &ExecuteOptions { settings, ..ExecuteOptions::default() },
        "
round 0
  0: a(0) number=1
round 1
  1: a(0) number=1",
    );
}

#[test]
fn the_sink_can_stop_the_loop() {
    let mut fake = Fake::default();
    let mut n_finished = 0;
    let mut sink = |event: Event<'_>| match event {
        Event::Started { .. } => ControlFlow::Continue(()),
        Event::Finished { .. } => {
            n_finished += 1;
            ControlFlow::Break(())
        }
    };
    let plans = [planned("a", 3, 1, None)];
    let finish = execute(&plans, &ExecuteOptions::default(), &mut fake, &mut sink).expect("the fake never errs");
    assert_eq!((finish, n_finished), (Finish::Stopped, 1));
}

/// Measures with `earlier` and returns what was asked of the executor, the rounds, and the last steps.
fn measured(
    planned: &[Planned],
    failing: &[&str],
    earlier: Vec<Round>,
) -> (Vec<String>, Vec<Round>, Option<(u64, u64)>) {
    let mut fake = Fake { failing: failing.iter().map(|name| (*name).to_owned()).collect(), ..Fake::default() };
    let (mut rounds, mut last_steps) = (vec![], None);
    let mut sink = |event: Event<'_>| {
        match event {
            Event::Started { step, n_steps, .. } => last_steps = Some((step, n_steps)),
            Event::Finished { round, .. } => rounds.push(round.clone()),
        }
        ControlFlow::Continue(())
    };
    let options = ExecuteOptions { earlier, ..ExecuteOptions::default() };
    execute(planned, &options, &mut fake, &mut sink).expect("the fake never errs");
    let log = fake.log.into_iter().filter(|line| !line.starts_with("round")).collect();
    (log, rounds, last_steps)
}

#[test]
fn a_run_that_goes_on_does_what_it_would_have_done() {
    let plans = [planned("b", 3, 3, None), planned("a", 2, 2, None), planned("c", 1, 1, None)];
    let failing = ["b(1)", "a(0)"];
    let (log, rounds, _) = measured(&plans, &failing, vec![]);
    assert_eq!(log.len(), 11);
    for n_earlier in 0..=rounds.len() {
        let (rest, added, last_steps) = measured(&plans, &failing, rounds[..n_earlier].to_vec());
        assert_eq!(rest, log[n_earlier..], "after {n_earlier} rounds");
        assert_eq!(added, rounds[n_earlier..]);
        assert!(last_steps.is_none_or(|(step, n_steps)| (step + 1, n_steps) == (11, 11)), "{last_steps:?}");
    }
}

#[test]
fn rounds_of_an_earlier_part_that_make_no_sense_do_no_harm() {
    let plans = [planned("a", 1, 2, None)];
    let (_, rounds, _) = measured(&plans, &[], vec![]);
    let stray = Round { benchmark: "gone".into(), slot: u64::MAX - 9, ..rounds[0].clone() };
    let late = Round { round: u32::MAX, slot: 7, state: State::Failed, ..rounds[0].clone() };
    let twice = vec![rounds[0].clone(), rounds[0].clone(), stray];
    assert_eq!(measured(&plans, &[], twice).0, [format!("  {}: a(0) number=7", u64::MAX - 8)]);
    assert!(measured(&plans, &[], vec![late]).0.is_empty(), "the case was given up");
}

#[test]
fn rounds_of_several_sides_take_turns_and_slots_count_across_them() {
    let (one, two) = ([planned("a", 1, 3, None)], [planned("a", 1, 2, None), planned("b", 1, 1, None)]);
    let options = ExecuteOptions::default();
    let (mut first, mut second) = (Fake::default(), Fake { failing: vec!["b(0)".into()], ..Fake::default() });
    let mut sides = [
        Side { planned: &one, options: &options, executor: &mut first },
        Side { planned: &two, options: &options, executor: &mut second },
    ];
    let mut order = Vec::new();
    let mut sink = |side, event: Event<'_>| {
        if let Event::Finished { round, .. } = event {
            order.push((side, round.round, round.slot));
        }
        ControlFlow::Continue(())
    };
    assert_eq!(execute_interleaved(&mut sides, &mut sink).expect("the fakes never err"), Finish::Complete);
    assert_eq!(order, [(0, 0, 0), (1, 0, 1), (1, 0, 2), (1, 1, 3), (0, 1, 4), (0, 2, 5)]);
}
