//! `tacho.doctor/1`.

use serde::Serialize;
use tacho_model::{Finding, Fix, NoiseFloor};

use super::nouns::MachineTwin;
use super::seconds;
use crate::doctor::{Diagnosis, MeasuredControl, advice, why};

#[derive(Serialize)]
pub(super) struct DoctorTwin<'a> {
    machine: MachineTwin<'a>,
    findings: Vec<FindingTwin<'a>>,
    control: Option<ControlTwin>,
}

impl DoctorTwin<'_> {
    pub(super) fn of<'a>(diagnosis: &Diagnosis<'a>) -> DoctorTwin<'a> {
        let Diagnosis { machine, findings, control } = *diagnosis;
        DoctorTwin {
            machine: MachineTwin::of(machine),
            findings: findings.iter().map(FindingTwin::of).collect(),
            control: control.as_ref().map(ControlTwin::of),
        }
    }
}

#[derive(Serialize)]
struct FindingTwin<'a> {
    condition: &'static str,
    state: &'static str,
    observed: Option<&'a str>,
    why: &'static str,
    fix: Option<FixTwin<'a>>,
    advice: &'static str,
}

impl FindingTwin<'_> {
    fn of(finding: &Finding) -> FindingTwin<'_> {
        let Finding { condition, state, observed, fix } = finding;
        FindingTwin {
            condition: condition.word(),
            state: state.word(),
            observed: observed.as_deref(),
            why: why(*condition),
            fix: fix.as_ref().map(FixTwin::of),
            advice: advice(*condition),
        }
    }
}

#[derive(Serialize)]
struct FixTwin<'a> {
    command: &'a str,
    needs_root: bool,
}

impl FixTwin<'_> {
    fn of(fix: &Fix) -> FixTwin<'_> {
        let Fix { command, needs_root } = fix;
        FixTwin { command, needs_root: *needs_root }
    }
}

#[derive(Serialize)]
struct ControlTwin {
    valid: Option<bool>,
    n_rounds: usize,
    duration_s: f64,
    noise_floor: Vec<NoiseFloorTwin>,
}

impl ControlTwin {
    fn of(control: &MeasuredControl<'_>) -> ControlTwin {
        let MeasuredControl { floors, is_valid, n_rounds, duration_ns } = *control;
        ControlTwin {
            valid: is_valid,
            n_rounds,
            duration_s: seconds(duration_ns),
            noise_floor: floors.iter().map(NoiseFloorTwin::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct NoiseFloorTwin {
    program: &'static str,
    clock: &'static str,
    n_rounds: usize,
    ratio: f64,
    interval_99: Option<(f64, f64)>,
    spread: f64,
    smallest_change: Option<f64>,
    rounds_for_one_percent: Option<u64>,
    differs: Option<bool>,
}

impl NoiseFloorTwin {
    fn of(floor: &NoiseFloor) -> NoiseFloorTwin {
        let NoiseFloor {
            workload,
            clock,
            n_rounds,
            ratio,
            interval,
            spread,
            smallest_change,
            rounds_for_one_percent,
            differs,
        } = *floor;
        NoiseFloorTwin {
            program: workload.word(),
            clock: clock.word(),
            n_rounds,
            ratio,
            interval_99: interval,
            spread,
            smallest_change,
            rounds_for_one_percent,
            differs,
        }
    }
}
