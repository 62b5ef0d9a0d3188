//! What a machine can see, from a control: two identical programs measured against each other.

use tacho_model::{Clock, ControlRound, NoiseFloor, Workload};

use crate::paired::{Paired, log_differences, rounds_needed};
use crate::signed_rank::SignedRank;

/// The level of intervals, of the smallest change, and of all controls together.
const LEVEL: f64 = 0.01;

/// What identical sides may differ by, as a share, before comparisons suffer: a quarter of the usual band of 2 %.
const TOLERABLE: f64 = 0.02 / 4.0;

/// Returns what the rounds say, for each program by each clock.
///
/// The smallest change is that of one experiment of as many rounds at a level of 1 %
/// ([`Paired::detectable`]). Sides differ where their p-value is within 1 % divided by the number of programs and
/// clocks, so that an innocent machine is accused once in a hundred times at most, and where the ratio is 0.5 % or more away from 1.
pub fn noise_floors(rounds: &[ControlRound]) -> Vec<NoiseFloor> {
    let of = |workload: Workload| -> Vec<ControlRound> {
        rounds.iter().filter(|round| round.workload == workload).copied().collect()
    };
    let by_workload: Vec<Vec<ControlRound>> = Workload::ALL.map(of).into_iter().filter(|of| !of.is_empty()).collect();
    let level = LEVEL / (by_workload.len() * Clock::ALL.len()).max(1) as f64;
    let floors = by_workload.iter().flat_map(|rounds| Clock::ALL.map(|clock| noise_floor(rounds, clock, level)));
    floors.flatten().collect()
}

/// Returns whether identical programs look identical by all of these; `None` where there were too few rounds to tell.
pub fn is_valid(floors: &[NoiseFloor]) -> Option<bool> {
    if floors.iter().any(|floor| floor.differs == Some(true)) {
        return Some(false);
    }
    let is_told = !floors.is_empty() && floors.iter().all(|floor| floor.differs.is_some());
    is_told.then_some(true)
}

/// `None` where a clock stood still.
fn noise_floor(rounds: &[ControlRound], clock: Clock, level: f64) -> Option<NoiseFloor> {
    let side = |of: fn(&ControlRound) -> tacho_model::Timing| -> Vec<f64> {
        rounds.iter().map(|round| clock.of(of(round)) as f64).collect()
    };
    let paired = Paired::of(&log_differences(&side(|round| round.a), &side(|round| round.b))?)?;
    let null = SignedRank::new(paired.n());
    let ratio = libm::exp(paired.effect());
    let interval = paired.interval(&null, LEVEL);
    let differs = paired.p_value(&null, 0.0) <= level && (ratio - 1.0).abs() >= TOLERABLE;
    Some(NoiseFloor {
        workload: rounds.first()?.workload,
        clock,
        n_rounds: paired.n(),
        ratio,
        interval: interval.map(|(low, high)| (libm::exp(low), libm::exp(high))),
        spread: paired.scale(),
        smallest_change: paired.detectable(&null, LEVEL).map(libm::expm1),
        rounds_for_one_percent: rounds_needed(paired.scale(), libm::log1p(0.01)),
        differs: null.rank(level).map(|_| differs),
    })
}

#[cfg(test)]
mod tests {
    use tacho_model::Timing;

    use super::*;

    /// Rounds of 25 ms whose second side is longer by these parts in a thousand; wall time is twice CPU time.
    fn rounds(workload: Workload, per_mille: &[i64]) -> Vec<ControlRound> {
        let timing = |cpu_us: i64| Timing { wall_ns: cpu_us as u64 * 2000, cpu_ns: cpu_us as u64 * 1000 };
        let round = |more: &i64| ControlRound { workload, a: timing(25_000), b: timing(25_000 + 25 * more) };
        per_mille.iter().map(round).collect()
    }

    #[test]
    fn a_quiet_machine_sees_small_changes() {
        let rounds = rounds(Workload::Cpu, &[-4, 3, 1, -2, 0, 5, -5, 2, -1, 4]);
        let floors = noise_floors(&rounds);
        let words: Vec<(&str, &str)> = floors.iter().map(|floor| (floor.workload.word(), floor.clock.word())).collect();
        assert_eq!(words, [("cpu", "cpu_time"), ("cpu", "wall_time")]);
        let floor = floors[0];
        assert_eq!((floor.differs, is_valid(&floors)), (Some(false), Some(true)));
        // From the ends: -5 -4.5 -4 -3.5 and 5 4.5 4 4 parts in a thousand, and 1 % allows for the fourth.
        let (low, high) = floor.interval.unwrap();
        assert!((low - 0.9965).abs() < 1e-5 && (high - 1.004).abs() < 1e-5, "{low} {high}");
        // Half of their distance times 1 + 0.84 / 2.58.
        assert!((floor.smallest_change.unwrap() - 0.00375 * 1.3267).abs() < 3e-5, "{floor:?}");
        assert_eq!(floor.rounds_for_one_percent, Some(10));
    }

    #[test]
    fn sides_that_always_differ_make_the_machine_suspect() {
        let floors = noise_floors(&rounds(Workload::Memory, &[6, 9, 7, 8, 6, 9, 10, 7, 8, 6]));
        assert_eq!(floors.iter().map(|floor| floor.differs).collect::<Vec<_>>(), [Some(true); 2]);
        // Beyond chance, but by less than matters.
        let floors = noise_floors(&rounds(Workload::Memory, &[1, 2, 1, 2, 1, 2, 1, 2, 1, 2]));
        assert_eq!(floors[0].differs, Some(false));
        // By enough, but not beyond chance.
        let floors = noise_floors(&rounds(Workload::Memory, &[20, 20, 20, 20, -1, 20, 20, 20, -2, 20]));
        assert_eq!(floors[0].differs, Some(false));
    }

    #[test]
    fn ten_rounds_can_accuse_all_four_controls() {
        let mut both = rounds(Workload::Cpu, &[9; 10]);
        both.extend(rounds(Workload::Memory, &[9; 10]));
        let floors = noise_floors(&both);
        assert_eq!(floors.len(), 4);
        assert!(floors.iter().all(|floor| floor.differs == Some(true)), "{floors:?}");
        assert_eq!(is_valid(&floors), Some(false));
    }

    #[test]
    fn too_few_rounds_say_so() {
        let floor = noise_floors(&rounds(Workload::Cpu, &[1, 2, 3]))[0];
        assert_eq!((floor.interval, floor.smallest_change, floor.differs), (None, None, None));
        assert_eq!((is_valid(&[floor]), is_valid(&[])), (None, None));
        assert!(floor.spread > 0.0 && floor.ratio > 1.0);
        assert_eq!(noise_floors(&[]), []);
    }

    #[test]
    fn a_clock_that_stood_still_is_left_out() {
        let still = Timing { wall_ns: 5, cpu_ns: 0 };
        let round = ControlRound { workload: Workload::Cpu, a: still, b: still };
        let clocks: Vec<Clock> = noise_floors(&[round]).iter().map(|floor| floor.clock).collect();
        assert_eq!(clocks, [Clock::Wall]);
    }
}
