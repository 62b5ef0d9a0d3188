//! Clocks and counters.

use super::place::{Place, Told};

const CLOCK: &str = "sys/devices/system/clocksource/clocksource0";

/// What the kernel reads the time from. Those that are not read in the process itself cost a system call or
/// worse, a slow device, each time.
pub(super) fn clock_source(place: &Place<'_>) -> Told {
    let Some(current) = place.text(&format!("{CLOCK}/current_clocksource")) else { return Told::unknown() };
    if !matches!(current.as_str(), "hpet" | "acpi_pm" | "pit" | "jiffies" | "refined-jiffies" | "xen") {
        return Told::ok(current);
    }
    let offered = place.text(&format!("{CLOCK}/available_clocksource")).unwrap_or_default();
    let has_tsc = offered.split_whitespace().any(|name| name == "tsc");
    let fix = place.write_fix("tsc", &format!("{CLOCK}/current_clocksource"));
    Told::warn(current).mended_by(fix.filter(|_| has_tsc))
}

/// Who may read the processors' counters. Nothing here needs them, so this is never wrong.
pub(super) fn perf_events(place: &Place<'_>) -> Told {
    let Some(level) = place.number("proc/sys/kernel/perf_event_paranoid") else { return Told::unknown() };
    let who = match level {
        ..=-1 => "everybody may read all",
        0 | 1 => "everybody may read own processes' and the kernel's",
        2 => "everybody may read own processes'",
        3.. => "the superuser alone may read them",
    };
    Told::ok(format!("{level}: {who}"))
}
