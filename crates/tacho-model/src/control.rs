//! Controls: two identical programs measured against each other, which tells what a machine can see.

/// What one fresh process took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// From its start to its end, as the starter's clock has it.
    pub wall_ns: u64,
    /// On processors, user and system together.
    pub cpu_ns: u64,
}

/// A calibration program: a fixed amount of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Workload {
    /// Arithmetic in registers.
    Cpu,
    /// Dependent reads all over more memory than caches hold.
    Memory,
}

impl Workload {
    /// Every calibration program.
    pub const ALL: [Workload; 2] = [Workload::Cpu, Workload::Memory];

    /// Returns the word used in every format: `cpu` or `memory`.
    pub fn word(self) -> &'static str {
        match self {
            Workload::Cpu => "cpu",
            Workload::Memory => "memory",
        }
    }

    /// Reads [`Workload::word`] back.
    pub fn parse(word: &str) -> Option<Workload> {
        Workload::ALL.into_iter().find(|workload| workload.word() == word)
    }
}

/// Which time of a process is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clock {
    /// Time on processors.
    Cpu,
    /// Time that went by.
    Wall,
}

impl Clock {
    /// Every clock.
    pub const ALL: [Clock; 2] = [Clock::Cpu, Clock::Wall];

    /// Returns the word used in every format: `cpu_time` or `wall_time`.
    pub fn word(self) -> &'static str {
        match self {
            Clock::Cpu => "cpu_time",
            Clock::Wall => "wall_time",
        }
    }

    /// Returns what this clock says of a process, in nanoseconds.
    pub fn of(self, timing: Timing) -> u64 {
        match self {
            Clock::Cpu => timing.cpu_ns,
            Clock::Wall => timing.wall_ns,
        }
    }
}

/// One round of a control: the same program once as either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlRound {
    /// The program.
    pub workload: Workload,
    /// The one side.
    pub a: Timing,
    /// The other, which differs in nothing.
    pub b: Timing,
}

/// What the rounds of one program say by one clock. Ratios are of the second side to the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoiseFloor {
    /// The program.
    pub workload: Workload,
    /// The clock.
    pub clock: Clock,
    /// Rounds.
    pub n_rounds: usize,
    /// The ratio between the sides, 1 for what they are.
    pub ratio: f64,
    /// Its 99 % interval; `None` where there are too few rounds for one.
    pub interval: Option<(f64, f64)>,
    /// The robust standard deviation of a round's logarithmic ratio.
    pub spread: f64,
    /// The smallest change, as a share, that as many rounds find four times in five; `None` where there are too few.
    pub smallest_change: Option<f64>,
    /// Rounds that find a change of 1 %; `None` where no number is large enough to tell.
    pub rounds_for_one_percent: Option<u64>,
    /// Whether the sides differ beyond chance and by enough to matter; `None` where there are too few rounds.
    pub differs: Option<bool>,
}
