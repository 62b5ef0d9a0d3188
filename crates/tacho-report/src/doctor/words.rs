//! Why each condition matters, and what to do where no command mends it.

use tacho_model::Condition;

/// Returns why a condition matters, as a sentence without its full stop.
pub(crate) fn why(condition: Condition) -> &'static str {
    match condition {
        Condition::Governor => "The frequency follows the load, so the same work takes longer after a pause",
        Condition::Turbo => "How fast turbo is depends on heat and on what the other cores do",
        Condition::Smt => "A neighbour on the same core slows a benchmark down, and nothing shows it",
        Condition::Throttling => "Hot processors slow down in the middle of a run",
        Condition::Power => "On battery the machine saves power at moments of its own choosing",
        Condition::Load => "What else runs takes processors, caches and memory from a benchmark",
        Condition::BusyProcesses => "What others do while a benchmark runs is measured with it",
        Condition::Users => "Whoever is logged in may start work at any moment",
        Condition::Steal => "The host runs others while a benchmark waits",
        Condition::CpuQuota => "At the limit everything in the group stands still for a while",
        Condition::Processors => "A benchmark is quietest on a processor that nothing else uses",
        Condition::MemoryPressure => "A system that is short of memory takes it from benchmarks too",
        Condition::Swap => "What was moved to disk comes back when a benchmark touches it",
        Condition::HugePages => "Whether a process gets large pages depends on how scattered memory is just then",
        Condition::AddressLayout => {
            "With one layout for all processes its luck looks like a change; random ones average it out"
        }
        Condition::ClockSource => "Each look at this clock costs a system call or more, inside what is timed",
        Condition::FileSystems => "Files there wait for a network or for another layer",
        Condition::Virtualisation => "Others share the hardware, and some of it is hidden",
        Condition::PerfEvents => "Nothing here needs the processors' counters",
    }
}

/// Returns what to do where no command from here mends it, as a sentence without its full stop.
pub(crate) fn advice(condition: Condition) -> &'static str {
    match condition {
        Condition::Governor => "Set it to performance where the host allows it",
        Condition::Turbo => "Turn it off on the host or in the firmware",
        Condition::Smt => "Turn it off on the host or in the firmware, or keep the second threads idle",
        Condition::Throttling => "Let the machine cool down, clean its fans, or measure less at a time",
        Condition::Power => "Plug the mains in",
        Condition::Load => "Wait until it has fallen, or end what runs",
        Condition::BusyProcesses => "End them, or measure when they are done",
        Condition::Users => "Agree with them on a time",
        Condition::Steal => "Take an instance that shares no processors, measure at another hour, or compare CPU time",
        Condition::CpuQuota => "Start the container or the job without a limit",
        Condition::Processors => "Allow two processors at least",
        Condition::MemoryPressure => "End what holds memory",
        Condition::Swap => "Free memory first, then bring back what is on disk",
        Condition::HugePages => "Set them to madvise on the host",
        Condition::AddressLayout => {
            "Start this program without `setarch -R` and outside debuggers, or mend it on the host"
        }
        Condition::ClockSource => "Choose another on the kernel's command line (tsc=reliable where it is)",
        Condition::FileSystems => "Put temporary files (TMPDIR) and records on a local file system",
        Condition::Virtualisation => "Measure on hardware of your own where small changes matter",
        Condition::PerfEvents => "Nothing has to be done",
    }
}
