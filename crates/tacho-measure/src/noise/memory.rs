//! Memory: whether it is short, moved to disk, given in large pages, and where processes have it.

use tacho_model::unit::human;

use super::place::{Place, Told, percent};

/// Memory that is short.
pub(super) fn pressure(place: &Place<'_>) -> Told {
    let available = available_share(place);
    let stalled = stalled_share(place);
    let texts = [
        available.map(|share| format!("{} available", percent(share))),
        stalled.map(|share| format!("{} of time stalled", percent(share))),
    ];
    let observed = texts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if observed.is_empty() {
        return Told::unknown();
    }
    let is_short = available.is_some_and(|share| share < 0.1) || stalled.is_some_and(|share| share >= 0.01);
    Told::warn_if(is_short, observed)
}

fn available_share(place: &Place<'_>) -> Option<f64> {
    let total = memory(place, "MemTotal:")?;
    Some(memory(place, "MemAvailable:")? as f64 / total as f64).filter(|share| share.is_finite())
}

/// Returns the share of the last ten seconds in which something waited for memory.
fn stalled_share(place: &Place<'_>) -> Option<f64> {
    let pressure = place.text("proc/pressure/memory")?;
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    let percent: f64 = some.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?.parse().ok()?;
    Some(percent / 100.0)
}

/// Returns a line of `/proc/meminfo` in bytes.
fn memory(place: &Place<'_>, name: &str) -> Option<u64> {
    let meminfo = place.text("proc/meminfo")?;
    let kibibytes = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
    kibibytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Memory moved to disk.
pub(super) fn swap(place: &Place<'_>) -> Told {
    let (Some(total), Some(free)) = (memory(place, "SwapTotal:"), memory(place, "SwapFree:")) else {
        return Told::unknown();
    };
    let n_pages = place.watched.as_ref().and_then(|watched| watched.n_swapped_pages).unwrap_or(0);
    let used = total.saturating_sub(free);
    let size = |bytes: u64| human(bytes as f64, "bytes");
    // Everything has to come back to memory, with room to spare.
    let fits = memory(place, "MemAvailable:").is_some_and(|available| available / 2 > used);
    let fix = place.kernel_fix("sudo swapoff -a && sudo swapon -a").filter(|_| fits && used > 0);
    if n_pages > 0 {
        return Told::warn(format!("{n_pages} pages moved while measuring")).mended_by(fix);
    }
    match (total, used) {
        (0, _) => Told::ok("none"),
        (_, 0) => Told::ok("not in use"),
        _ => Told::note(format!("{} of {} in use", size(used), size(total))).mended_by(fix),
    }
}

const HUGE_PAGES: &str = "sys/kernel/mm/transparent_hugepage/enabled";

/// Large pages for programs that did not ask.
pub(super) fn huge_pages(place: &Place<'_>) -> Told {
    let Some(choices) = place.text(HUGE_PAGES) else { return Told::unknown() };
    let chosen = choices.split_whitespace().find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
    match chosen {
        Some("always") => Told::note("always").mended_by(place.write_fix("madvise", HUGE_PAGES)),
        Some(chosen) => Told::ok(chosen),
        None => Told::unknown(),
    }
}

/// The flag of `personality(2)` that turns random addresses off for one process and its children.
const ADDR_NO_RANDOMIZE: u32 = 0x0004_0000;

/// Whether each process has its memory at other addresses.
pub(super) fn address_layout(place: &Place<'_>) -> Told {
    let personality = place.text("proc/self/personality").and_then(|text| u32::from_str_radix(&text, 16).ok());
    if personality.is_some_and(|flags| flags & ADDR_NO_RANDOMIZE != 0) {
        return Told::warn("the same for every process started from here");
    }
    let fix = || place.kernel_fix("sudo sysctl kernel.randomize_va_space=2");
    match place.number("proc/sys/kernel/randomize_va_space") {
        Some(0) => Told::warn("the same for every process").mended_by(fix()),
        Some(1) => Told::ok("random, but for the heap"),
        Some(_) => Told::ok("random"),
        None => Told::unknown(),
    }
}
