//! Conditions of a machine that disturb measurements, and how each stands.

/// Something about a machine that can make its measurements noisy or one-sided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// The policy that sets the processors' frequency.
    Governor,
    /// Frequencies above the nominal one, as long as heat and power allow.
    Turbo,
    /// Several hardware threads in a core.
    Smt,
    /// Processors slowed down by heat.
    Throttling,
    /// Mains or battery.
    Power,
    /// Load of the machine before anything was measured.
    Load,
    /// What other processes used of the processors while measuring.
    BusyProcesses,
    /// Users who are logged in.
    Users,
    /// Processor time that the hypervisor gave to others.
    Steal,
    /// A limit on processor time, as containers have.
    CpuQuota,
    /// The processors that benchmarks may use, and those kept free for them.
    Processors,
    /// Memory that is short.
    MemoryPressure,
    /// Memory moved to disk.
    Swap,
    /// Memory pages of megabytes, given to programs that did not ask.
    HugePages,
    /// Whether each process has its memory at other addresses.
    AddressLayout,
    /// What the kernel reads the time from.
    ClockSource,
    /// Where temporary files and records lie.
    FileSystems,
    /// What lies between this process and the hardware.
    Virtualisation,
    /// Who may read the processors' counters.
    PerfEvents,
}

impl Condition {
    /// Every condition, in the order they are told in.
    pub const ALL: [Condition; 19] = [
        Condition::Governor,
        Condition::Turbo,
        Condition::Smt,
        Condition::Throttling,
        Condition::Power,
        Condition::Load,
        Condition::BusyProcesses,
        Condition::Users,
        Condition::Steal,
        Condition::CpuQuota,
        Condition::Processors,
        Condition::MemoryPressure,
        Condition::Swap,
        Condition::HugePages,
        Condition::AddressLayout,
        Condition::ClockSource,
        Condition::FileSystems,
        Condition::Virtualisation,
        Condition::PerfEvents,
    ];

    /// Returns the word used in every format.
    pub fn word(self) -> &'static str {
        match self {
            Condition::Governor => "governor",
            Condition::Turbo => "turbo",
            Condition::Smt => "smt",
            Condition::Throttling => "throttling",
            Condition::Power => "power",
            Condition::Load => "load",
            Condition::BusyProcesses => "busy_processes",
            Condition::Users => "users",
            Condition::Steal => "steal",
            Condition::CpuQuota => "cpu_quota",
            Condition::Processors => "processors",
            Condition::MemoryPressure => "memory_pressure",
            Condition::Swap => "swap",
            Condition::HugePages => "huge_pages",
            Condition::AddressLayout => "address_layout",
            Condition::ClockSource => "clock_source",
            Condition::FileSystems => "file_systems",
            Condition::Virtualisation => "virtualisation",
            Condition::PerfEvents => "perf_events",
        }
    }
}

/// How a condition stands, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingState {
    /// It does not disturb.
    Ok,
    /// It may disturb, or is good to know; nothing is wrong.
    Note,
    /// It disturbs.
    Warn,
    /// The system does not tell, or nobody has measured it.
    Unknown,
}

impl FindingState {
    /// Returns the word used in every format: `ok`, `note`, `warn` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            FindingState::Ok => "ok",
            FindingState::Note => "note",
            FindingState::Warn => "warn",
            FindingState::Unknown => "unknown",
        }
    }
}

/// A command that mends a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// One line for a shell, with `sudo` where it is needed.
    pub command: String,
    /// Whether only the superuser can run it.
    pub needs_root: bool,
}

/// A condition, how it stands here, and what mends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at.
    pub condition: Condition,
    /// How it stands.
    pub state: FindingState,
    /// What was seen, for people; `None` where nothing was.
    pub observed: Option<String>,
    /// What mends it from here, where something does.
    pub fix: Option<Fix>,
}
