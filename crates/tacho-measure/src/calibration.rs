//! Calibration programs: fixed amounts of work, run in fresh processes of this program itself.

use std::hint::black_box;

use tacho_model::Workload;

/// About 25 ms of a processor of 2020: each step waits for the one before.
const CPU_STEPS: u64 = 15_000_000;
/// Entries of 4 bytes: 32 MiB, more than the caches of a core.
const MEMORY_ENTRIES: usize = 8 << 20;
/// Reads of which each waits for the one before: with the making of the memory about 35 ms.
const MEMORY_STEPS: u64 = 160_000;

/// Does the work of a calibration program and returns the line that tells what it took: processor time in nanoseconds,
/// and a number that depends on every step.
pub fn calibrate(workload: Workload) -> String {
    let result = match workload {
        Workload::Cpu => shift_and_mix(black_box(CPU_STEPS)),
        Workload::Memory => walk(black_box(MEMORY_STEPS)),
    };
    format!("{} {}", cpu_time_ns(), black_box(result))
}

/// The processor time of this process so far, the time before `main` included.
fn cpu_time_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

/// Arithmetic in registers: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003).
fn shift_and_mix(steps: u64) -> u64 {
    let mut state: u64 = 0x2545_f491_4f6c_dd1d;
    for _ in 0..steps {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    state
}

/// Reads all over the memory; where to read next depends on what was read.
fn walk(steps: u64) -> u64 {
    let memory: Vec<u32> = (0..MEMORY_ENTRIES as u32).collect();
    let mut state: u64 = 1;
    for _ in 0..steps {
        // Constants of D. E. Knuth's MMIX generator.
        let mixed = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (mixed >> 40) as usize % MEMORY_ENTRIES;
        state = mixed ^ u64::from(memory[at]);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_the_same_each_time() {
        // The third state of the generator from this seed, worked out step by step in Python.
        assert_eq!(shift_and_mix(3), 3_825_608_052_996_350_135);
        assert_eq!(walk(100), walk(100));
        assert_ne!(walk(100), walk(101));
    }
}
