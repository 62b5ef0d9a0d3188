//! Who else is at work: load, busy processes, users.

use std::collections::BTreeSet;
use std::fs;

use super::place::{Place, Told};
use tacho_model::unit::counted;

/// Load of the machine before anything was measured.
///
/// Half a process on a small machine, an eighth of the processors on a large one: what disturbs is a neighbour on the
/// same core, and beyond that shared caches, memory and power.
pub(super) fn load(place: &Place<'_>) -> Told {
    let Some(load) = place.surroundings.before.load else { return Told::unknown() };
    let n_processors = place.surroundings.usable_processors.as_ref().map_or(1, Vec::len);
    let allowed = (n_processors as f64 / 8.0).max(0.5);
    let observed = format!("{:.2} in the last minute, {}", load.one_minute, counted(n_processors, "processor"));
    Told::warn_if(load.one_minute > allowed, observed)
}

/// What others may use of one processor before it counts.
const TOLERABLE_PROCESSORS: f64 = 0.2;

/// What other processes used while measuring.
pub(super) fn busy_processes(place: &Place<'_>) -> Told {
    let Some(watched) = &place.watched else { return Told::unknown() };
    let Some(others) = watched.others else { return Told::unknown() };
    let named: Vec<String> = watched.busiest.iter().map(|(name, used)| format!("{name} {used:.2}")).collect();
    let names = if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) };
    Told::warn_if(others > TOLERABLE_PROCESSORS, format!("{others:.2} processors used by others{names}"))
}

/// Users who are logged in.
pub(super) fn users(place: &Place<'_>) -> Told {
    let found = session_users(place).or_else(|| terminal_users(place));
    match found.map(|users| users.len()) {
        Some(0) => Told::ok("nobody is logged in"),
        Some(1) => Told::ok("1 user"),
        Some(n) => Told::note(counted(n, "user")),
        None => Told::unknown(),
    }
}

/// Returns the users of systemd's sessions, by number.
fn session_users(place: &Place<'_>) -> Option<BTreeSet<String>> {
    let entries = fs::read_dir(place.root.join("run/systemd/sessions")).ok()?;
    let user = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        // Beside each session lies the pipe that ends it: as the superuser one could wait there for ever.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let session = is_file.then(|| fs::read_to_string(entry.path()).ok()).flatten()?;
        let value = |name: &str| session.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        // Greeters and managers are no people.
        let is_person = value("CLASS").is_none_or(|class| class == "user" || class == "user-early");
        value("UID").filter(|_| is_person).map(str::to_owned)
    };
    Some(entries.filter_map(user).collect())
}

/// Returns the users of `utmp(5)`, by name.
fn terminal_users(place: &Place<'_>) -> Option<BTreeSet<String>> {
    const USER_PROCESS: i16 = 7;
    let bytes = ["run/utmp", "var/run/utmp"].iter().find_map(|path| fs::read(place.root.join(path)).ok())?;
    // A record has 384 bytes where times are kept in 32 bits, and 400 elsewhere.
    let size = [384, 400].into_iter().find(|size| bytes.len() % size == 0)?;
    let user = |record: &[u8]| {
        let kind = i16::from_ne_bytes([record[0], record[1]]);
        let name = record[44..76].split(|byte| *byte == 0).next().unwrap_or_default();
        (kind == USER_PROCESS && !name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
    };
    Some(bytes.chunks_exact(size).filter_map(user).collect())
}
