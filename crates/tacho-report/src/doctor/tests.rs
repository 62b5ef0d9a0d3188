//! The page, as a person reads it.

use insta::assert_snapshot;
use tacho_model::{Clock, Fix, Workload};

use super::*;
use crate::Screen;
use crate::fixture::machine;

pub(crate) fn findings() -> Vec<Finding> {
    let fix = |command: &str| Some(Fix { command: command.into(), needs_root: command.contains("sudo") });
    let told = |condition| match condition {
        Condition::Governor => (
            FindingState::Warn,
            "powersave (intel_pstate)",
            fix("echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"),
        ),
        Condition::Steal => (FindingState::Warn, "4.1 % of processor time", None),
        Condition::BusyProcesses => {
            (FindingState::Warn, "0.85 processors used by others: rustc 0.60, e\u{1b}[31mvil 0.20, z 0.05", None)
        }
        Condition::Virtualisation => (FindingState::Note, "vm (KVM)", None),
        Condition::HugePages => {
            (FindingState::Note, "always", fix("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"))
        }
        Condition::Turbo | Condition::Power | Condition::Users => (FindingState::Unknown, "", None),
        _ => (FindingState::Ok, "as it should be", None),
    };
    let finding = |condition| {
        let (state, observed, fix) = told(condition);
        let observed = (state != FindingState::Unknown).then(|| observed.to_owned());
        Finding { condition, state, observed, fix }
    };
    Condition::ALL.map(finding).to_vec()
}

pub(crate) fn floors(differs: bool) -> Vec<NoiseFloor> {
    let floor = |workload, clock, scale: f64| NoiseFloor {
        workload,
        clock,
        n_rounds: 10,
        ratio: if differs && clock == Clock::Cpu { 1.021 } else { 1.0012 },
        interval: Some((1.0 - 0.004 * scale, 1.0 + 0.006 * scale)),
        spread: 0.008 * scale,
        smallest_change: Some(0.0128 * scale),
        rounds_for_one_percent: Some((11.0 * scale * scale).max(10.0) as u64),
        differs: Some(differs && clock == Clock::Cpu),
    };
    vec![
        floor(Workload::Cpu, Clock::Cpu, 0.5),
        floor(Workload::Cpu, Clock::Wall, 1.0),
        floor(Workload::Memory, Clock::Cpu, 2.0),
        floor(Workload::Memory, Clock::Wall, 10.0),
    ]
}

fn control(floors: &[NoiseFloor], is_valid: Option<bool>) -> Option<MeasuredControl<'_>> {
    Some(MeasuredControl { floors, is_valid, n_rounds: 10, duration_ns: 1_400_000_000 })
}

fn page(findings: &[Finding], control: Option<MeasuredControl<'_>>, width: usize) -> String {
    let machine = machine();
    doctor(&Diagnosis { machine: &machine, findings, control }).terminal(&Screen { width, colour: false })
}

#[test]
fn a_machine_that_disturbs_is_told_what_mends_it() {
    assert_snapshot!(page(&findings(), control(&floors(false), Some(true)), 100));
}

#[test]
fn sixty_columns_are_enough() {
    let text = page(&findings(), control(&floors(true), Some(false)), 60);
    assert_snapshot!(text);
    // A command is never broken, so that it can be copied.
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 60 && !line.contains("sudo tee")).collect();
    assert_eq!(wide, [""; 0]);
}

#[test]
fn a_quiet_machine_gets_no_advice() {
    let quiet: Vec<Finding> = Condition::ALL
        .map(|condition| Finding {
            condition,
            state: FindingState::Ok,
            observed: Some("as it should be".into()),
            fix: None,
        })
        .to_vec();
    let text = page(&quiet, None, 80);
    assert!(!text.contains("What to do") && !text.contains("Unknown"), "{text}");
    assert!(text.ends_with("Noise floor\nNot measured.\n"), "{text}");
}

#[test]
fn too_few_rounds_say_how_many_are_enough() {
    let few: Vec<NoiseFloor> = floors(false)
        .into_iter()
        .map(|floor| NoiseFloor { interval: None, smallest_change: None, differs: None, ..floor })
        .collect();
    for (n_rounds, expected) in [(3, "3 rounds tell too little"), (1, "1 round tells too little")] {
        let text = page(&[], Some(MeasuredControl { n_rounds, ..control(&few, None).unwrap() }), 80);
        assert!(text.contains(&format!("{expected} of what can be seen: take 8 at least.")), "{text}");
    }
}

#[test]
fn every_condition_says_why_and_what_in_one_line() {
    for condition in Condition::ALL {
        for sentence in [why(condition), advice(condition)] {
            assert!(sentence.len() < 100 && !sentence.ends_with('.'), "{condition:?}");
            assert!(sentence.starts_with(|c: char| c.is_ascii_uppercase()), "{condition:?}");
        }
    }
}
