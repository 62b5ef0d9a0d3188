//! What changes the processors' speed: governor, turbo, heat, power.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::place::{Place, Told};
use crate::machine::{cpu, text};
use tacho_model::unit::counted;

/// The policy that sets the frequency.
pub(super) fn governor(place: &Place<'_>) -> Told {
    let folders = cpu::cpu_folders(place.root);
    let all = |file: &str| -> BTreeSet<String> {
        folders.iter().filter_map(|cpu| text(cpu, &format!("cpufreq/{file}"))).collect()
    };
    let (governors, drivers) = (all("scaling_governor"), all("scaling_driver"));
    if governors.is_empty() {
        return Told::unknown();
    }
    let joined = |texts: &BTreeSet<String>| texts.iter().cloned().collect::<Vec<_>>().join(", ");
    let driver = if drivers.is_empty() { String::new() } else { format!(" ({})", joined(&drivers)) };
    let observed = format!("{}{driver}", joined(&governors));
    // `userspace` holds the frequency that somebody has set.
    if governors.iter().all(|governor| matches!(governor.as_str(), "performance" | "userspace")) {
        return Told::ok(observed);
    }
    let offered = all("scaling_available_governors");
    let has_performance = offered.is_empty() || offered.iter().any(|list| list.contains("performance"));
    let fix = place.write_fix("performance", "sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
    Told::warn(observed).mended_by(fix.filter(|_| has_performance))
}

const NO_TURBO: &str = "sys/devices/system/cpu/intel_pstate/no_turbo";
const BOOST: &str = "sys/devices/system/cpu/cpufreq/boost";

/// Frequencies above the nominal one.
pub(super) fn turbo(place: &Place<'_>) -> Told {
    if let Some(no_turbo) = place.number(NO_TURBO) {
        let is_on = no_turbo == 0;
        let told = Told::warn_if(is_on, if is_on { "on" } else { "off" });
        return told.mended_by(place.write_fix("1", NO_TURBO).filter(|_| is_on));
    }
    match place.number(BOOST) {
        Some(0) => Told::ok("off"),
        Some(_) => Told::warn("on").mended_by(place.write_fix("0", BOOST)),
        None => Told::unknown(),
    }
}

/// A zone this close to a trip point, in thousandths of a degree, is about to slow the processors down.
const NEAR_MILLI_DEGREES: i64 = 5_000;

/// Processors slowed down by heat, or about to be.
pub(super) fn throttling(place: &Place<'_>) -> Told {
    let during = place.watched.as_ref().and_then(|watched| watched.n_throttles);
    if let Some(n) = during.filter(|n| *n > 0) {
        return Told::warn(format!("slowed down {} while measuring", counted_times(n)));
    }
    let zones = hot_zones(place);
    if let Some(hot) = zones.iter().find(|zone| zone.is_near) {
        return Told::warn(format!("{} at {} °C, slowed down from {} °C", hot.name, hot.degrees, hot.trip_degrees));
    }
    match place.surroundings.before.throttles_since_start() {
        Some(n) if n > 0 => Told::note(format!("slowed down {} since the machine started", counted_times(n))),
        Some(_) => Told::ok("never since the machine started"),
        None if zones.is_empty() => Told::unknown(),
        None => Told::ok("no zone is near its limit"),
    }
}

fn counted_times(n: u64) -> String {
    counted(usize::try_from(n).unwrap_or(usize::MAX), "time")
}

struct Zone {
    name: String,
    degrees: i64,
    trip_degrees: i64,
    is_near: bool,
}

fn hot_zones(place: &Place<'_>) -> Vec<Zone> {
    let folders = children(place, "sys/class/thermal");
    folders.into_iter().filter(|folder| is_named(folder, "thermal_zone")).filter_map(zone).collect()
}

/// Returns a zone with its lowest point that slows processors down or switches the machine off; fans do neither.
fn zone(folder: PathBuf) -> Option<Zone> {
    let temperature: i64 = text(&folder, "temp")?.parse().ok()?;
    let trip = |index: u32| {
        let kind = text(&folder, &format!("trip_point_{index}_type"))?;
        let degrees: i64 = text(&folder, &format!("trip_point_{index}_temp"))?.parse().ok()?;
        Some((kind, degrees))
    };
    let slowing = (0..16).map_while(trip).filter(|(kind, _)| matches!(kind.as_str(), "passive" | "hot" | "critical"));
    let lowest = slowing.map(|(_, degrees)| degrees).filter(|degrees| *degrees > 0).min()?;
    Some(Zone {
        name: text(&folder, "type").unwrap_or_else(|| "a zone".into()),
        degrees: temperature / 1000,
        trip_degrees: lowest / 1000,
        is_near: temperature >= lowest - NEAR_MILLI_DEGREES,
    })
}

/// Mains or battery.
pub(super) fn power(place: &Place<'_>) -> Told {
    if !place.root.join("sys/class/power_supply").is_dir() {
        return Told::unknown();
    }
    // Batteries of mice and keyboards have a scope of their own.
    let supplies: Vec<PathBuf> = children(place, "sys/class/power_supply")
        .into_iter()
        .filter(|supply| text(supply, "scope").as_deref() != Some("Device"))
        .collect();
    let is = |supply: &PathBuf, file: &str, value: &str| text(supply, file).as_deref() == Some(value);
    let batteries: Vec<&PathBuf> = supplies.iter().filter(|supply| is(supply, "type", "Battery")).collect();
    let is_plugged = supplies.iter().any(|supply| !is(supply, "type", "Battery") && is(supply, "online", "1"));
    let is_draining = batteries.iter().any(|battery| is(battery, "status", "Discharging"));
    match (batteries.is_empty(), is_plugged, is_draining) {
        (true, ..) => Told::ok("no battery"),
        (false, false, true) => Told::warn("on battery"),
        (false, ..) => Told::ok("mains"),
    }
}

fn children(place: &Place<'_>, folder: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(place.root.join(folder)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

fn is_named(path: &std::path::Path, beginning: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(beginning))
}
