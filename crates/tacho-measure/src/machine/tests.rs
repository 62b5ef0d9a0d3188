//! Facts from small trees of `/proc`, `/sys` and `/etc`.

use super::*;

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    root
}

fn check(arch: &str, files: &[(&str, &str)], expected: &[&str]) {
    let root = tree(files);
    let facts = linux_facts(root.path(), arch, Some(4), &|_| None);
    let found: Vec<String> = facts.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(found, expected);
}

#[test]
fn an_empty_tree_tells_nothing_it_does_not_know() {
    check("riscv64", &[], &["arch=riscv64", "num_cpu=4"]);
}

#[test]
fn a_workstation_tells_everything() {
    let files = [
        ("proc/cpuinfo", "processor\t: 0\nmodel name\t: Intel(R)  Core(TM) i7-9700K CPU\nflags\t\t: fpu sse\n"),
        ("proc/meminfo", "MemTotal:       131647836 kB\nMemFree: 1 kB\n"),
        ("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n"),
        ("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
        ("sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n"),
        ("sys/devices/system/cpu/cpu0/topology/core_id", "0\n"),
        ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
        ("sys/devices/system/cpu/cpu1/topology/physical_package_id", "0\n"),
        ("sys/devices/system/cpu/cpu1/topology/core_id", "0\n"),
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n"),
        ("sys/devices/system/cpu/cpu2/topology/physical_package_id", "0\n"),
        ("sys/devices/system/cpu/cpu2/topology/core_id", "1\n"),
        ("sys/devices/system/cpu/cpu3/online", "0\n"),
        ("sys/devices/system/cpu/cpufreq/boost", "1\n"),
        ("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"),
        ("sys/devices/system/cpu/smt/active", "1\n"),
    ];
    let expected = [
        "arch=x86_64",
        "cores=2",
        "cpu=Intel(R) Core(TM) i7-9700K CPU",
        "governor=performance, powersave",
        "kernel=6.1.0-18-amd64",
        "num_cpu=4",
        "os=Debian GNU/Linux 12 (bookworm)",
        "ram=135GB",
        "smt=on",
        "turbo=off",
        "virtualisation=none",
    ];
    check("x86_64", &files, &expected);
}

#[test]
fn cores_are_counted_from_cpuinfo_where_there_is_no_topology() {
    let block = |package: u32, core: u32| format!("physical id\t: {package}\ncore id\t\t: {core}\n");
    let cpuinfo = [block(0, 0), block(0, 1), block(0, 0), block(1, 0)].join("\n");
    check("s390x", &[("proc/cpuinfo", &cpuinfo)], &["arch=s390x", "cores=3", "num_cpu=4"]);
}

fn check_virtualisation(arch: &str, files: &[(&str, &str)], expected: Option<&str>) {
    let root = tree(files);
    let found = linux_facts(root.path(), arch, None, &|_| None).remove("virtualisation");
    assert_eq!(found.as_deref(), expected, "{files:?}");
}

const FLAGGED: (&str, &str) = ("proc/cpuinfo", "flags\t\t: fpu hypervisor\n");
const UNFLAGGED: (&str, &str) = ("proc/cpuinfo", "flags\t\t: fpu\n");
const EC2: (&str, &str) = ("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");

#[test]
fn a_guest_is_named_by_its_firmware() {
    check_virtualisation("x86_64", &[FLAGGED], Some("vm"));
    let c5 = ("sys/class/dmi/id/product_name", "c5.large\n");
    check_virtualisation("x86_64", &[FLAGGED, EC2, c5], Some("vm (Amazon EC2 c5.large)"));
    check_virtualisation("aarch64", &[EC2, c5], Some("vm (Amazon EC2 c5.large)"));
    check_virtualisation("x86_64", &[FLAGGED, ("sys/hypervisor/type", "xen\n")], Some("vm (xen)"));
}

#[test]
fn bare_metal_is_said_only_where_it_is_known() {
    let metal = ("sys/class/dmi/id/product_name", "c5.metal\n");
    check_virtualisation("x86_64", &[UNFLAGGED, EC2, metal], Some("none"));
    check_virtualisation("aarch64", &[EC2, metal], None);
    check_virtualisation("aarch64", &[], None);
}

#[test]
fn containers_are_seen_with_and_without_a_guest() {
    check_virtualisation("x86_64", &[FLAGGED, (".dockerenv", "")], Some("vm, container (docker)"));
    check_virtualisation("aarch64", &[("run/.containerenv", "")], Some("container (podman)"));
    check_virtualisation("aarch64", &[("proc/1/cgroup", "0::/kubepods/pod1\n")], Some("container (kubernetes)"));
}

#[test]
fn load_has_three_numbers_or_is_absent() {
    let root = tree(&[("proc/loadavg", "0.10 1.20 2.30 1/234 5678\n")]);
    let load = load_below(root.path()).expect("a load");
    assert_eq!((load.one_minute, load.five_minutes, load.fifteen_minutes), (0.1, 1.2, 2.3));
    assert_eq!(load_below(tree(&[("proc/loadavg", "0.10 x\n")]).path()), None);
    assert_eq!(load_below(tree(&[]).path()), None);
}

#[test]
fn this_machine_answers() {
    let facts = facts();
    assert!(facts.contains_key("num_cpu"), "{facts:?}");
    assert!(!default_name(|_| None, &facts).is_empty());
}
