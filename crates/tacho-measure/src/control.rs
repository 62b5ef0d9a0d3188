//! Controls: a calibration program against itself, in pairs of fresh processes.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use tacho_model::{ControlRound, Timing, Workload};
use thiserror::Error;

/// Why a calibration program could not be measured.
#[derive(Debug, Error)]
pub enum CalibrationError {
    /// The program could not be started or waited for.
    #[error("cannot start the calibration program `{program}`: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// It did not say what it took.
    #[error("the calibration program ended with {how} and did not say what it took")]
    Silent {
        /// How it ended.
        how: String,
    },
}

/// Measures `n_rounds` of every calibration program against itself: both sides once in each round, in blocks of two
/// rounds in opposite order, so that a steady drift falls on both sides alike.
///
/// `run` starts a fresh process and says what it took. Before the rounds each program runs once and is
/// not counted. `began` is told the number of each round. The lowest bits of `seed` draw the order of each block.
///
/// # Errors
/// What `run` returns.
pub fn measure_control<E>(
    n_rounds: usize,
    seed: u64,
    run: &mut dyn FnMut(Workload) -> Result<Timing, E>,
    began: &mut dyn FnMut(usize),
) -> Result<Vec<ControlRound>, E> {
    for workload in Workload::ALL {
        run(workload)?;
    }
    let mut rounds = Vec::with_capacity(n_rounds * Workload::ALL.len());
    for round in 0..n_rounds {
        began(round);
        for workload in Workload::ALL {
            let (first, second) = (run(workload)?, run(workload)?);
            let (a, b) = if a_is_first(round, seed) { (first, second) } else { (second, first) };
            rounds.push(ControlRound { workload, a, b });
        }
    }
    Ok(rounds)
}

/// Blocks of two rounds are AB BA or BA AB.
fn a_is_first(round: usize, seed: u64) -> bool {
    let drawn = seed.rotate_right((round / 2 % 64) as u32) & 1 == 1;
    drawn == round.is_multiple_of(2)
}

/// Runs one calibration program in a fresh process: `program` with `arguments` and the workload's word, which
/// prints what [`crate::calibrate`] returns.
///
/// # Errors
/// The program could not be started, or did not say what it took.
pub fn measure_calibration(program: &Path, arguments: &[&str], workload: Workload) -> Result<Timing, CalibrationError> {
    let mut command = Command::new(program);
    command.args(arguments).arg(workload.word()).stdin(Stdio::null()).stderr(Stdio::null());
    let began = Instant::now();
    let output = command.output();
    let wall_ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let output = output.map_err(|source| CalibrationError::Start { program: program.display().to_string(), source })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let cpu_ns = text.split_whitespace().next().and_then(|word| word.parse().ok());
    match cpu_ns.filter(|_| output.status.success()) {
        Some(cpu_ns) => Ok(Timing { wall_ns, cpu_ns }),
        None => Err(CalibrationError::Silent { how: output.status.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures with a clock that says the number of the process.
    fn order(n_rounds: usize, seed: u64) -> Vec<(u64, u64)> {
        let mut n = 0;
        let mut run = |_: Workload| -> Result<Timing, ()> {
            n += 1;
            Ok(Timing { wall_ns: n, cpu_ns: n })
        };
        let rounds = measure_control(n_rounds, seed, &mut run, &mut |_| {}).unwrap();
        rounds
            .iter()
            .filter(|round| round.workload == Workload::Cpu)
            .map(|round| (round.a.cpu_ns, round.b.cpu_ns))
            .collect()
    }

    #[test]
    fn sides_take_turns_in_blocks_of_two_rounds() {
        // Processes 1 and 2 warm up; each round has two of each program.
        assert_eq!(order(4, 0b11), [(3, 4), (8, 7), (11, 12), (16, 15)]);
        assert_eq!(order(4, 0b00), [(4, 3), (7, 8), (12, 11), (15, 16)]);
        assert_eq!(order(4, 0b10), [(4, 3), (7, 8), (11, 12), (16, 15)]);
    }

    #[test]
    fn drift_falls_on_both_sides_alike() {
        for seed in [0, 0x5555, u64::MAX] {
            let sum: i64 = order(10, seed).iter().map(|(a, b)| *b as i64 - *a as i64).sum();
            assert_eq!(sum, 0, "{seed:x}");
        }
    }

    #[test]
    fn a_program_that_says_nothing_is_an_error() {
        let said = measure_calibration(Path::new("true"), &[], Workload::Cpu).unwrap_err();
        assert!(said.to_string().contains("did not say"), "{said}");
        let said = measure_calibration(Path::new("no-such-program"), &[], Workload::Cpu).unwrap_err();
        assert!(said.to_string().starts_with("cannot start the calibration program `no-such-program`"), "{said}");
        let said = measure_calibration(Path::new("echo"), &["123"], Workload::Memory).unwrap();
        assert_eq!(said.cpu_ns, 123);
    }
}
