//! Every rule both ways, on small trees of `/proc`, `/sys` and `/run`.

use std::fs;

use tacho_model::FindingState;

use super::*;

type Files<'a> = &'a [(&'a str, &'a str)];

const BARE: Option<&str> = Some("none");
const GUEST: Option<&str> = Some("vm (KVM)");
const CONTAINER: Option<&str> = Some("vm (KVM), container (docker)");

fn tree(files: Files<'_>) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    root
}

/// Looks at a tree before, another afterwards if there is one, and at the files of the first.
fn look(virtualisation: Option<&str>, before: Files<'_>, after: Option<Files<'_>>) -> Vec<Finding> {
    let root = tree(before);
    let surroundings = Surroundings {
        usable_processors: Some(vec![0, 1, 2, 3]),
        folders: vec![(TEMPORARY_FILES, PathBuf::from("/tmp/x")), ("records", PathBuf::from("/home/me/a b/.tacho"))],
        before: Snapshot::below(root.path(), 99),
        after: after.map(|after| Snapshot::below(tree(after).path(), 99)),
        own_cpu_ns: 500_000_000,
    };
    findings_below(root.path(), virtualisation.map(str::to_owned), &surroundings)
}

fn text(finding: &Finding) -> String {
    let observed = finding.observed.as_deref().unwrap_or("");
    let fix = finding.fix.as_ref().map_or(String::new(), |fix| format!(" | {}", fix.command));
    format!("{}: {observed}{fix}", finding.state.word())
}

fn check_in(virtualisation: Option<&str>, condition: Condition, files: Files<'_>, expected: &str) {
    let findings = look(virtualisation, files, None);
    let finding = findings.iter().find(|finding| finding.condition == condition).unwrap();
    assert_eq!(text(finding), expected, "{files:?}");
}

fn check(condition: Condition, files: Files<'_>, expected: &str) {
    check_in(BARE, condition, files, expected);
}

fn check_watched(condition: Condition, before: Files<'_>, after: Files<'_>, expected: &str) {
    let findings = look(BARE, before, Some(after));
    let finding = findings.iter().find(|finding| finding.condition == condition).unwrap();
    assert_eq!(text(finding), expected, "{before:?} {after:?}");
}

#[test]
fn an_empty_tree_is_unknown_and_nothing_is_wrong() {
    let findings = look(None, &[], None);
    let conditions: Vec<Condition> = findings.iter().map(|finding| finding.condition).collect();
    assert_eq!(conditions, Condition::ALL);
    for finding in findings {
        // How many processors may be used was passed in.
        let expected =
            if finding.condition == Condition::Processors { FindingState::Ok } else { FindingState::Unknown };
        assert_eq!(finding.state, expected, "{finding:?}");
        assert_eq!(finding.fix, None, "{finding:?}");
    }
}

const CPU0: &str = "sys/devices/system/cpu/cpu0/cpufreq";

#[test]
fn governor() {
    let at = |name: &str| format!("{CPU0}/{name}");
    let (governor, driver, offered) = (at("scaling_governor"), at("scaling_driver"), at("scaling_available_governors"));
    check(
        Condition::Governor,
        &[(&governor, "performance\n"), (&driver, "intel_pstate\n")],
        "ok: performance (intel_pstate)",
    );
    let fix = "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";
    let powersave = [(&governor[..], "powersave\n"), (&driver[..], "intel_pstate\n")];
    check(Condition::Governor, &powersave, &format!("warn: powersave (intel_pstate) | {fix}"));
    check_in(CONTAINER, Condition::Governor, &powersave, "warn: powersave (intel_pstate)");
    let without = [(&governor[..], "ondemand\n"), (&offered[..], "ondemand powersave\n")];
    check(Condition::Governor, &without, "warn: ondemand");
    let other = "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor";
    check(
        Condition::Governor,
        &[(&governor, "performance\n"), (other, "schedutil\n")],
        &format!("warn: performance, schedutil | {fix}"),
    );
}

#[test]
fn turbo() {
    let intel = "sys/devices/system/cpu/intel_pstate/no_turbo";
    check(Condition::Turbo, &[(intel, "1\n")], "ok: off");
    check(
        Condition::Turbo,
        &[(intel, "0\n")],
        "warn: on | echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo",
    );
    let boost = "sys/devices/system/cpu/cpufreq/boost";
    check(Condition::Turbo, &[(boost, "0\n")], "ok: off");
    check(Condition::Turbo, &[(boost, "1\n")], "warn: on | echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost");
    check_in(CONTAINER, Condition::Turbo, &[(boost, "1\n")], "warn: on");
}

#[test]
fn smt() {
    let (active, control) = ("sys/devices/system/cpu/smt/active", "sys/devices/system/cpu/smt/control");
    check(Condition::Smt, &[(active, "0\n"), (control, "notsupported\n")], "ok: off");
    let on = [(active, "1\n"), (control, "on\n")];
    check(Condition::Smt, &on, "warn: on | echo off | sudo tee /sys/devices/system/cpu/smt/control");
    check(Condition::Smt, &[(active, "1\n"), (control, "notimplemented\n")], "warn: on");
    check_in(CONTAINER, Condition::Smt, &on, "note: on, as the hypervisor tells it");
    check_in(
        GUEST,
        Condition::Smt,
        &on,
        "note: on, as the hypervisor tells it | echo off | sudo tee /sys/devices/system/cpu/smt/control",
    );
}

const CORE: &str = "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count";
const PACKAGE: &str = "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count";

#[test]
fn throttling_by_counters() {
    check(Condition::Throttling, &[(CORE, "0\n"), (PACKAGE, "0\n")], "ok: never since the machine started");
    check(
        Condition::Throttling,
        &[(CORE, "2\n"), (PACKAGE, "5\n")],
        "note: slowed down 7 times since the machine started",
    );
    let before = [(CORE, "2\n"), (PACKAGE, "5\n")];
    check_watched(
        Condition::Throttling,
        &before,
        &[(CORE, "3\n"), (PACKAGE, "5\n")],
        "warn: slowed down 1 time while measuring",
    );
    check_watched(Condition::Throttling, &before, &before, "note: slowed down 7 times since the machine started");
}

#[test]
fn throttling_by_temperature() {
    let zone = |name: &str| format!("sys/class/thermal/thermal_zone0/{name}");
    let (kind, temp) = (zone("type"), zone("temp"));
    let trips = [
        (zone("trip_point_0_type"), zone("trip_point_0_temp")),
        (zone("trip_point_1_type"), zone("trip_point_1_temp")),
    ];
    let at = |milli: &'static str| -> Vec<(&str, &str)> {
        vec![
            (&kind, "x86_pkg_temp\n"),
            (&temp, milli),
            // A fan may start at any temperature.
            (&trips[0].0, "active\n"),
            (&trips[0].1, "50000\n"),
            (&trips[1].0, "passive\n"),
            (&trips[1].1, "95000\n"),
        ]
    };
    check(Condition::Throttling, &at("61000\n"), "ok: no zone is near its limit");
    check(Condition::Throttling, &at("91000\n"), "warn: x86_pkg_temp at 91 °C, slowed down from 95 °C");
    check(Condition::Throttling, &[(&kind, "acpitz\n"), (&temp, "91000\n")], "unknown: ");
}

#[test]
fn power() {
    let (mains, online) = ("sys/class/power_supply/AC/type", "sys/class/power_supply/AC/online");
    let (battery, status) = ("sys/class/power_supply/BAT0/type", "sys/class/power_supply/BAT0/status");
    let on_mains = [(mains, "Mains\n"), (online, "1\n"), (battery, "Battery\n"), (status, "Charging\n")];
    check(Condition::Power, &on_mains, "ok: mains");
    let unplugged = [(mains, "Mains\n"), (online, "0\n"), (battery, "Battery\n"), (status, "Discharging\n")];
    check(Condition::Power, &unplugged, "warn: on battery");
    check(Condition::Power, &[(mains, "Mains\n"), (online, "1\n")], "ok: no battery");
    let mouse = [
        ("sys/class/power_supply/hid/type", "Battery\n"),
        ("sys/class/power_supply/hid/status", "Discharging\n"),
        ("sys/class/power_supply/hid/scope", "Device\n"),
    ];
    check(Condition::Power, &mouse, "ok: no battery");
}

#[test]
fn load() {
    let at = |line: &'static str| [("proc/loadavg", line)];
    check(Condition::Load, &at("0.08 1.20 2.30 1/234 5678\n"), "ok: 0.08 in the last minute, 4 processors");
    check(Condition::Load, &at("0.51 1.20 2.30 1/234 5678\n"), "warn: 0.51 in the last minute, 4 processors");
}

/// `/proc` of a machine of two processors after so many seconds, of which others and the hypervisor took these ticks.
fn counters(seconds: u64, busy: u64, steal: u64) -> Vec<(&'static str, String)> {
    let idle = 200 * seconds - busy - steal;
    vec![
        ("proc/uptime", format!("{seconds}.00 1.00\n")),
        ("proc/stat", format!("cpu  {busy} 0 0 {idle} 0 0 0 {steal} 0 0\ncpu0 0 0 0\ncpu1 0 0 0\nintr 1\n")),
    ]
}

fn check_counters(condition: Condition, before: &[(&str, String)], after: &[(&str, String)], expected: &str) {
    fn files<'a>(of: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
        of.iter().map(|(path, content)| (*path, content.as_str())).collect()
    }
    check_watched(condition, &files(before), &files(after), expected);
}

#[test]
fn steal() {
    let check = |steal: u64, expected: &str| {
        check_counters(Condition::Steal, &counters(100, 50, 1000), &counters(102, 150, 1000 + steal), expected);
    };
    check(0, "ok: 0.0 % of processor time");
    check(8, "ok: 2.0 % of processor time");
    check(9, "warn: 2.2 % of processor time");
    // A tenth of a second is too short to tell.
    check_counters(Condition::Steal, &[], &counters(100, 50, 0), "unknown: ");
}

#[test]
fn busy_processes() {
    let process = |number: u32, name: &str, ticks: u64| {
        let path: &'static str = Box::leak(format!("proc/{number}/stat").into_boxed_str());
        let fields = format!("S 1 1 1 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0 1 0 777 0 0");
        (path, format!("{number} ({name}) {fields}\n"))
    };
    let with = |mut counters: Vec<(&'static str, String)>, processes: &[(&'static str, String)]| {
        counters.extend(processes.to_vec());
        counters
    };
    // Half a second of one processor in two seconds is measuring itself: 50 of 400 ticks.
    let idle = with(counters(100, 50, 0), &[process(7, "sleepy", 20), process(99, "tacho", 5)]);
    let later = with(counters(102, 103, 0), &[process(7, "sleepy", 21), process(99, "tacho", 55)]);
    check_counters(Condition::BusyProcesses, &idle, &later, "ok: 0.02 processors used by others");
    let later = with(
        counters(102, 300, 0),
        &[process(7, "cc1 (x) y", 120), process(8, "new", 40), process(9, "new", 40), process(99, "tacho", 50)],
    );
    let expected = "warn: 1.00 processors used by others: cc1 (x) y 0.50, new 0.40";
    check_counters(Condition::BusyProcesses, &idle, &later, expected);
}

#[test]
fn users_of_sessions() {
    let session = |n: &str| format!("run/systemd/sessions/{n}");
    let (one, two, three) = (session("1"), session("2"), session("c1"));
    let me = "# This is private data.\nUID=1000\nUSER=me\nACTIVE=1\nCLASS=user\n";
    check(Condition::Users, &[(&one, me), (&two, me)], "ok: 1 user");
    check(Condition::Users, &[(&one, me), (&two, "UID=1001\nCLASS=user\n")], "note: 2 users");
    check(Condition::Users, &[(&three, "UID=42\nCLASS=greeter\n")], "ok: nobody is logged in");
}

#[test]
fn the_pipe_beside_a_session_is_not_waited_for() {
    let root = tree(&[("run/systemd/sessions/1", "UID=1000\nCLASS=user\n")]);
    let pipe = root.path().join("run/systemd/sessions/1.ref");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success() && pipe.exists());
    let (said, asked) = std::sync::mpsc::channel();
    // Beside this thread, so that a reader who waits for ever fails the test instead of stopping all of them.
    std::thread::spawn(move || {
        let before = Snapshot::default();
        let surroundings =
            Surroundings { usable_processors: None, folders: vec![], before, after: None, own_cpu_ns: 0 };
        let findings = findings_below(root.path(), None, &surroundings);
        let users = findings.iter().find(|finding| finding.condition == Condition::Users).map(text);
        said.send(users).unwrap();
    });
    let users = asked.recv_timeout(std::time::Duration::from_secs(60));
    assert_eq!(users, Ok(Some("ok: 1 user".to_owned())));
}

#[test]
fn users_of_terminals() {
    let record = |kind: i16, name: &str| {
        let mut record = vec![0u8; 384];
        record[..2].copy_from_slice(&kind.to_ne_bytes());
        record[44..44 + name.len()].copy_from_slice(name.as_bytes());
        String::from_utf8(record).unwrap()
    };
    let table = |records: &[(i16, &str)]| records.iter().map(|(kind, name)| record(*kind, name)).collect::<String>();
    check(Condition::Users, &[("run/utmp", &table(&[(2, "reboot"), (7, "me"), (7, "me")]))], "ok: 1 user");
    check(Condition::Users, &[("run/utmp", &table(&[(7, "me"), (7, "you"), (8, "gone")]))], "note: 2 users");
    check(Condition::Users, &[("run/utmp", &table(&[(2, "reboot")]))], "ok: nobody is logged in");
}

#[test]
fn quota_of_either_version() {
    let own = ("proc/self/cgroup", "0::/system.slice/ci.service\n");
    let max = "sys/fs/cgroup/system.slice/ci.service/cpu.max";
    check(Condition::CpuQuota, &[own, (max, "max 100000\n")], "ok: none");
    let fix = "sudo systemctl set-property --runtime ci.service CPUQuota=";
    let limited = [own, (max, "150000 100000\n")];
    check(Condition::CpuQuota, &limited, &format!("note: 1.5 processors | {fix}"));
    check_in(CONTAINER, Condition::CpuQuota, &limited, "note: 1.5 processors");
    check(Condition::CpuQuota, &[own, (max, "50000 100000\n")], &format!("warn: 0.5 processors | {fix}"));
    let parent = ("sys/fs/cgroup/system.slice/cpu.max", "300000 100000\n");
    check(
        Condition::CpuQuota,
        &[own, (max, "max 100000\n"), parent],
        "note: 3.0 processors | sudo systemctl set-property --runtime system.slice CPUQuota=",
    );
    // The first version, in a container that does not see its own group's folder.
    let own = ("proc/self/cgroup", "4:cpu,cpuacct:/docker/abc\n0::/\n");
    let quota = ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n");
    let period = ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    check_in(CONTAINER, Condition::CpuQuota, &[own, quota, period], "note: 2.0 processors");
    let none = ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    check_in(CONTAINER, Condition::CpuQuota, &[own, none, period], "ok: none");
}

#[test]
fn quota_that_stopped_something() {
    let files = |stops: &'static str| {
        [
            ("proc/self/cgroup", "0::/\n"),
            ("proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\n"),
            ("sys/fs/cgroup/cpu.max", "200000 100000\n"),
            ("sys/fs/cgroup/cpu.stat", stops),
        ]
    };
    let (few, more) = (files("nr_periods 9\nnr_throttled 2\n"), files("nr_periods 30\nnr_throttled 5\n"));
    check_watched(Condition::CpuQuota, &few, &more, "warn: 2.0 processors, stopped 3 times while measuring");
    check_watched(Condition::CpuQuota, &few, &few, "note: 2.0 processors");
}

#[test]
fn usable_processors() {
    let online = ("sys/devices/system/cpu/online", "0-7\n");
    let isolated = "sys/devices/system/cpu/isolated";
    check(Condition::Processors, &[online, (isolated, "\n")], "ok: 4 of 8, none isolated");
    check(Condition::Processors, &[online, (isolated, "0-3,6\n")], "ok: 4 of 8, isolated: 0-3,6");
    check(
        Condition::Processors,
        &[online, (isolated, "6-7\n")],
        "warn: 6-7 are isolated and not used | tacho run --cpu-affinity 6-7",
    );
}

#[test]
fn one_processor_is_shared_with_the_harness() {
    let surroundings = Surroundings {
        usable_processors: Some(vec![5]),
        folders: vec![],
        before: Snapshot::default(),
        after: None,
        own_cpu_ns: 0,
    };
    let findings = findings_below(tree(&[]).path(), None, &surroundings);
    let finding = findings.iter().find(|finding| finding.condition == Condition::Processors).unwrap();
    assert_eq!(text(finding), "warn: 1, none isolated");
}

#[test]
fn memory_pressure() {
    let memory = |available: &str| format!("MemTotal:       16000000 kB\nMemAvailable:   {available} kB\n");
    let plenty = memory("12000000");
    check(Condition::MemoryPressure, &[("proc/meminfo", &plenty)], "ok: 75.0 % available");
    check(Condition::MemoryPressure, &[("proc/meminfo", &memory("1500000"))], "warn: 9.4 % available");
    let stalled = |percent: &str| format!("some avg10={percent} avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00\n");
    let files = [("proc/meminfo", &plenty[..]), ("proc/pressure/memory", &stalled("0.40"))];
    check(Condition::MemoryPressure, &files, "ok: 75.0 % available, 0.4 % of time stalled");
    let files = [("proc/meminfo", &plenty[..]), ("proc/pressure/memory", &stalled("3.10"))];
    check(Condition::MemoryPressure, &files, "warn: 75.0 % available, 3.1 % of time stalled");
}

#[test]
fn swap() {
    let memory = |free: &str, available: &str| {
        format!("MemAvailable: {available} kB\nSwapTotal:       8000000 kB\nSwapFree:   {free} kB\n")
    };
    check(Condition::Swap, &[("proc/meminfo", "SwapTotal: 0 kB\nSwapFree: 0 kB\n")], "ok: none");
    check(Condition::Swap, &[("proc/meminfo", &memory("8000000", "9000000"))], "ok: not in use");
    let fix = "sudo swapoff -a && sudo swapon -a";
    let used = memory("7000000", "9000000");
    check(Condition::Swap, &[("proc/meminfo", &used)], &format!("note: 1.02 GB of 8.19 GB in use | {fix}"));
    check(Condition::Swap, &[("proc/meminfo", &memory("7000000", "1500000"))], "note: 1.02 GB of 8.19 GB in use");
    let moved = |pages: &'static str| [("proc/meminfo", &used[..]), ("proc/vmstat", pages)];
    let (before, after) = (moved("pswpin 4\npswpout 10\n"), moved("pswpin 4\npswpout 15\n"));
    check_watched(Condition::Swap, &before, &after, &format!("warn: 5 pages moved while measuring | {fix}"));
    check_watched(Condition::Swap, &before, &before, &format!("note: 1.02 GB of 8.19 GB in use | {fix}"));
}

#[test]
fn huge_pages() {
    let file = "sys/kernel/mm/transparent_hugepage/enabled";
    check(Condition::HugePages, &[(file, "always [madvise] never\n")], "ok: madvise");
    let always = [(file, "[always] madvise never\n")];
    check(
        Condition::HugePages,
        &always,
        "note: always | echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
    );
    check_in(CONTAINER, Condition::HugePages, &always, "note: always");
}

#[test]
fn address_layout() {
    let file = "proc/sys/kernel/randomize_va_space";
    check(Condition::AddressLayout, &[(file, "2\n")], "ok: random");
    check(Condition::AddressLayout, &[(file, "1\n")], "ok: random, but for the heap");
    let off = [(file, "0\n")];
    check(Condition::AddressLayout, &off, "warn: the same for every process | sudo sysctl kernel.randomize_va_space=2");
    check_in(CONTAINER, Condition::AddressLayout, &off, "warn: the same for every process");
    let personality = "proc/self/personality";
    check(Condition::AddressLayout, &[(file, "2\n"), (personality, "00000000\n")], "ok: random");
    check(
        Condition::AddressLayout,
        &[(file, "2\n"), (personality, "00040000\n")],
        "warn: the same for every process started from here",
    );
}

#[test]
fn clock_source() {
    let current = "sys/devices/system/clocksource/clocksource0/current_clocksource";
    let available = "sys/devices/system/clocksource/clocksource0/available_clocksource";
    for good in ["tsc", "kvm-clock", "arch_sys_counter", "timebase", "tod", "riscv_clocksource"] {
        check(Condition::ClockSource, &[(current, good)], &format!("ok: {good}"));
    }
    let slow = [(current, "hpet\n"), (available, "hpet acpi_pm\n")];
    check(Condition::ClockSource, &slow, "warn: hpet");
    let xen = [(current, "xen\n"), (available, "xen tsc hpet acpi_pm\n")];
    check_in(
        GUEST,
        Condition::ClockSource,
        &xen,
        "warn: xen | echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource",
    );
}

#[test]
fn perf_events_are_never_wrong() {
    let file = "proc/sys/kernel/perf_event_paranoid";
    check(Condition::PerfEvents, &[(file, "-1\n")], "ok: -1: everybody may read all");
    check(Condition::PerfEvents, &[(file, "2\n")], "ok: 2: everybody may read own processes'");
    check(Condition::PerfEvents, &[(file, "4\n")], "ok: 4: the superuser alone may read them");
}

const ROOT_MOUNT: &str = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n";
const SHM: &str = "30 25 0:27 / /dev/shm rw - tmpfs tmpfs rw\n";

#[test]
fn file_systems() {
    let check = |more: &str, expected: &str| {
        let table = format!("{ROOT_MOUNT}{more}");
        check(Condition::FileSystems, &[("proc/self/mountinfo", &table)], expected);
    };
    check("", "ok: temporary files on ext4, records on ext4");
    check("28 27 0:3 / /tmp rw shared:5 - tmpfs tmpfs rw\n", "ok: temporary files on tmpfs, records on ext4");
    let home = "29 27 0:9 / /home/me/a\\040b rw shared:7 master:1 - nfs4 server:/export rw\n";
    check(home, "warn: temporary files on ext4, records on nfs4");
    // Not below `/tmp`, although its name begins with it.
    check("28 27 0:3 / /tm rw - nfs server:/x rw\n", "ok: temporary files on ext4, records on ext4");
    let temporary = format!("28 27 0:3 / /tmp rw - nfs server:/x rw\n{SHM}");
    check(&temporary, "warn: temporary files on nfs, records on ext4 | export TMPDIR=/dev/shm");
    check("40 27 0:3 / / rw - overlay overlay rw\n", "note: temporary files on overlay, records on overlay");
}

#[test]
fn virtualisation_is_told_and_never_wrong() {
    check_in(BARE, Condition::Virtualisation, &[], "ok: none");
    check_in(GUEST, Condition::Virtualisation, &[], "note: vm (KVM)");
    check_in(None, Condition::Virtualisation, &[], "unknown: ");
}

#[test]
fn every_condition_has_a_word_of_its_own() {
    let words: std::collections::BTreeSet<&str> = Condition::ALL.iter().map(|condition| condition.word()).collect();
    assert_eq!(words.len(), Condition::ALL.len());
}

#[test]
fn this_machine_is_looked_at_without_harm() {
    let before = Snapshot::take();
    let surroundings =
        Surroundings { usable_processors: None, folders: vec![], before, after: Some(Snapshot::take()), own_cpu_ns: 0 };
    assert_eq!(findings(&surroundings).len(), Condition::ALL.len());
}
