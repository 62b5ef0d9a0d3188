//! The machine's counters at one moment, and what happened between two of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tacho_model::Load;

use super::cgroup;
use crate::machine::{self, cpu, load_below, text};

/// Counters of the machine at one moment. What the system does not tell is absent.
#[derive(Debug, Default)]
pub struct Snapshot {
    pub(super) load: Option<Load>,
    uptime_s: Option<f64>,
    ticks: Option<Ticks>,
    n_throttles: Option<u64>,
    n_swapped_pages: Option<u64>,
    n_quota_throttles: Option<u64>,
    processes: BTreeMap<ProcessKey, Process>,
}

/// A number of a process is given away again; with its start it is one process.
type ProcessKey = (u32, u64);

#[derive(Debug)]
struct Process {
    name: String,
    ticks: u64,
}

/// Processor time since the machine started, over all processors, in ticks.
#[derive(Debug, Clone, Copy)]
struct Ticks {
    busy: u64,
    steal: u64,
    all: u64,
    n_processors: usize,
}

/// What happened between two snapshots.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Processors that others kept busy, on average.
    pub(super) others: Option<f64>,
    /// The processes among them that used most, and how many processors each did.
    pub(super) busiest: Vec<(String, f64)>,
    /// The share of all processor time that the hypervisor gave to others.
    pub(super) steal: Option<f64>,
    pub(super) n_throttles: Option<u64>,
    pub(super) n_swapped_pages: Option<u64>,
    pub(super) n_quota_throttles: Option<u64>,
}

/// Fewer ticks than these tell shares too coarsely: a tenth of a second of two processors.
const LEAST_TICKS: u64 = 20;
/// Processes that are named.
const N_BUSIEST: usize = 3;
/// What a process must use of one processor to be named.
const WORTH_NAMING: f64 = 0.05;

impl Snapshot {
    /// Reads the machine's counters.
    pub fn take() -> Snapshot {
        let load = machine::load();
        Snapshot { load, ..Snapshot::below(Path::new("/"), std::process::id()) }
    }

    /// Reads the counters below `root`; the process `own` is nobody else's.
    pub(super) fn below(root: &Path, own: u32) -> Snapshot {
        Snapshot {
            load: load_below(root),
            uptime_s: text(root, "proc/uptime").and_then(|line| line.split_whitespace().next()?.parse().ok()),
            ticks: text(root, "proc/stat").and_then(|stat| ticks(&stat)),
            n_throttles: throttles(root),
            n_swapped_pages: swapped_pages(root),
            n_quota_throttles: cgroup::n_throttled(root),
            processes: processes(root, own),
        }
    }

    /// Returns what happened until a later snapshot, less the processor time that measuring itself used.
    pub(super) fn until(&self, after: &Snapshot, own_cpu_ns: u64) -> Watched {
        let since = |before: Option<u64>, after: Option<u64>| Some(after?.saturating_sub(before?));
        let mut watched = Watched {
            n_throttles: since(self.n_throttles, after.n_throttles),
            n_swapped_pages: since(self.n_swapped_pages, after.n_swapped_pages),
            n_quota_throttles: since(self.n_quota_throttles, after.n_quota_throttles),
            ..Watched::default()
        };
        let (Some(from), Some(to)) = (self.ticks, after.ticks) else { return watched };
        let all = to.all.saturating_sub(from.all);
        let elapsed_s = after.uptime_s.zip(self.uptime_s).map_or(0.0, |(to, from)| to - from);
        if all < LEAST_TICKS || elapsed_s <= 0.0 {
            return watched;
        }
        let processors = |ticks: u64| ticks as f64 / all as f64 * to.n_processors as f64;
        let own = own_cpu_ns as f64 / 1e9 / elapsed_s;
        watched.steal = Some(to.steal.saturating_sub(from.steal) as f64 / all as f64);
        watched.others = Some((processors(to.busy.saturating_sub(from.busy)) - own).max(0.0));
        watched.busiest = busiest(&self.processes, &after.processes, processors);
        watched
    }
}

fn busiest(
    before: &BTreeMap<ProcessKey, Process>,
    after: &BTreeMap<ProcessKey, Process>,
    processors: impl Fn(u64) -> f64,
) -> Vec<(String, f64)> {
    let mut by_name: BTreeMap<&str, u64> = BTreeMap::new();
    for (key, process) in after {
        let ticks = process.ticks.saturating_sub(before.get(key).map_or(0, |process| process.ticks));
        *by_name.entry(&process.name).or_default() += ticks;
    }
    let mut used: Vec<(String, f64)> =
        by_name.into_iter().map(|(name, ticks)| (name.to_owned(), processors(ticks))).collect();
    used.retain(|(_, used)| *used >= WORTH_NAMING);
    used.sort_by(|a, b| b.1.total_cmp(&a.1));
    used.truncate(N_BUSIEST);
    used
}

/// Reads the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal (see `proc_stat(5)`).
fn ticks(stat: &str) -> Option<Ticks> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let numbers: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).take(8).collect();
    let [user, nice, system, idle, iowait, irq, softirq, steal] = numbers[..].try_into().ok()?;
    let busy = user + nice + system + irq + softirq;
    let of_one =
        |line: &&str| line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let n_processors = stat.lines().filter(of_one).count().max(1);
    Some(Ticks { busy, steal, all: busy + idle + iowait + steal, n_processors })
}

fn throttles(root: &Path) -> Option<u64> {
    let counts = cpu::cpu_folders(root).into_iter().flat_map(|cpu| {
        ["core_throttle_count", "package_throttle_count"]
            .map(|name| text(&cpu, &format!("thermal_throttle/{name}"))?.parse::<u64>().ok())
    });
    counts.flatten().fold(None, |sum, count| Some(sum.unwrap_or(0) + count))
}

impl Snapshot {
    /// Returns how often processors were slowed down by heat since the machine started.
    pub(super) fn throttles_since_start(&self) -> Option<u64> {
        self.n_throttles
    }
}

fn swapped_pages(root: &Path) -> Option<u64> {
    let vmstat = text(root, "proc/vmstat")?;
    let count = |name: &str| vmstat.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    Some(count("pswpin ")? + count("pswpout ")?)
}

fn processes(root: &Path, own: u32) -> BTreeMap<ProcessKey, Process> {
    let Ok(entries) = fs::read_dir(root.join("proc")) else { return BTreeMap::new() };
    let number = |entry: std::io::Result<fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse::<u32>().ok();
    let others = entries.filter_map(number).filter(|number| *number != own);
    others.filter_map(|number| process(number, &text(root, &format!("proc/{number}/stat"))?)).collect()
}

/// Reads `/proc/PID/stat`: the name in parentheses, which may hold anything, then fields from the third on.
fn process(number: u32, stat: &str) -> Option<(ProcessKey, Process)> {
    let (before, fields) = stat.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let field = |position: usize| fields.split_whitespace().nth(position - 3)?.parse::<u64>().ok();
    Some(((number, field(22)?), Process { name: name.to_owned(), ticks: field(14)? + field(15)? }))
}
