//! Which processors there are to measure on, and who else may have them.

use tacho_model::Fix;

use super::cgroup;
use super::place::{Place, Told, percent};
use crate::cpu_list::{numbers, ranges};

const SMT_CONTROL: &str = "sys/devices/system/cpu/smt/control";

/// Several hardware threads in a core.
pub(super) fn smt(place: &Place<'_>) -> Told {
    match place.number("sys/devices/system/cpu/smt/active") {
        Some(0) => Told::ok("off"),
        Some(_) => {
            let can_switch = place.text(SMT_CONTROL).as_deref() == Some("on");
            let fix = place.write_fix("off", SMT_CONTROL).filter(|_| can_switch);
            // What a guest sees as threads of one core need not be.
            let told = if place.is_guest() { Told::note("on, as the hypervisor tells it") } else { Told::warn("on") };
            told.mended_by(fix)
        }
        None => Told::unknown(),
    }
}

/// From this share of stolen time on a round is marked.
const STEAL_THAT_DISTURBS: f64 = 0.02;

/// Processor time that the hypervisor gave to others.
pub(super) fn steal(place: &Place<'_>) -> Told {
    match place.watched.as_ref().and_then(|watched| watched.steal) {
        Some(share) => Told::warn_if(share > STEAL_THAT_DISTURBS, format!("{} of processor time", percent(share))),
        None => Told::unknown(),
    }
}

/// A limit on processor time.
pub(super) fn cpu_quota(place: &Place<'_>) -> Told {
    if place.text("proc/self/cgroup").is_none() {
        return Told::unknown();
    }
    let Some(quota) = cgroup::quota(place.root) else { return Told::ok("none") };
    let observed = format!("{:.1} processors", quota.processors);
    let n_stops = place.watched.as_ref().and_then(|watched| watched.n_quota_throttles).unwrap_or(0);
    let told = match n_stops {
        0 if quota.processors >= 1.0 => Told::note(observed),
        0 => Told::warn(observed),
        n => Told::warn(format!("{observed}, stopped {n} times while measuring")),
    };
    told.mended_by(lift(place, &quota.group))
}

/// A unit of systemd's can be told to have no limit; what set another limit is not known here.
fn lift(place: &Place<'_>, group: &str) -> Option<Fix> {
    let unit = group.rsplit('/').next().unwrap_or_default();
    let is_unit = [".service", ".scope", ".slice"].iter().any(|ending| unit.ends_with(ending));
    let is_plain = unit.chars().all(|c| c.is_ascii_alphanumeric() || "-_.@:".contains(c));
    let command = format!("sudo systemctl set-property --runtime {unit} CPUQuota=");
    place.kernel_fix(command).filter(|_| is_unit && is_plain)
}

/// The processors that benchmarks may use, and those kept free for them.
pub(super) fn usable(place: &Place<'_>) -> Told {
    let online = place.text("sys/devices/system/cpu/online").map(|list| numbers(&list));
    let Some(usable) = place.surroundings.usable_processors.as_ref().or(online.as_ref()) else {
        return Told::unknown();
    };
    let isolated = place.text("sys/devices/system/cpu/isolated").map(|list| numbers(&list)).unwrap_or_default();
    let of = online.as_ref().map_or(String::new(), |online| format!(" of {}", online.len()));
    if !isolated.is_empty() {
        let list = ranges(&isolated);
        if usable.iter().all(|cpu| isolated.contains(cpu)) {
            return Told::ok(format!("{}{of}, isolated: {list}", usable.len()));
        }
        let fix = Fix { command: format!("tacho run --cpu-affinity {list}"), needs_root: false };
        return Told::warn(format!("{list} are isolated and not used")).mended_by(Some(fix));
    }
    Told::warn_if(usable.len() < 2, format!("{}{of}, none isolated", usable.len()))
}
