//! Facts of machines of every kind, from shortened captures of what their systems say.
//!
//! A capture is a text: a line that says what it is, then each file below a line `=== PATH`. `\0` stands for NUL.

use std::fs;

use super::linux_facts;

/// Makes a folder with the files of a capture.
pub(crate) fn unpacked(capture: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for file in capture.split("\n=== ").skip(1) {
        let (path, content) = file.split_once('\n').unwrap();
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content.replace("\\0", "\0") + "\n").unwrap();
    }
    root
}

fn check(arch: &str, capture: &str, expected: &[&str]) {
    check_with(arch, capture, |_| None, expected);
}

fn check_with(arch: &str, capture: &str, ask: impl Fn(&[&str]) -> Option<String>, expected: &[&str]) {
    let root = unpacked(capture);
    let facts = linux_facts(root.path(), arch, None, &ask);
    let found: Vec<String> = facts.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(found[1..], *expected, "{capture}");
}

#[test]
fn arm_servers_are_named_by_their_cores() {
    let facts = [
        "cores=2",
        "cpu=Neoverse-V1",
        "kernel=6.1.79-99.167.amzn2023.aarch64",
        "os=Amazon Linux 2023",
        "ram=4GB",
        "virtualisation=vm (Amazon EC2 c7g.large)",
    ];
    check("aarch64", include_str!("fixtures/graviton3.txt"), &facts);
    let facts = [
        "cores=2",
        "cpu=Neoverse-V2",
        "governor=performance",
        "kernel=6.5.0-1019-nvidia-64k",
        "os=Ubuntu 22.04.4 LTS",
        "ram=513GB",
    ];
    check("aarch64", include_str!("fixtures/grace.txt"), &facts);
}

#[test]
fn different_cores_of_one_machine_are_named_together() {
    let facts = [
        "cores=6",
        "cpu=Cortex-A53 + Cortex-A72",
        "governor=schedutil",
        "kernel=6.6.28-current-rockchip64",
        "os=Armbian 24.2.1 bookworm",
        "ram=4GB",
    ];
    check("aarch64", include_str!("fixtures/rk3399.txt"), &facts);
    let facts = [
        "cores=2",
        "cpu=Apple M1 Firestorm + Apple M1 Icestorm",
        "kernel=6.8.9-asahi",
        "os=Fedora Linux 39 (Asahi Remix)",
        "ram=8GB",
    ];
    check("aarch64", include_str!("fixtures/m1.txt"), &facts);
}

#[test]
fn the_architecture_is_not_taken_for_a_model() {
    let facts = ["cores=1", "cpu=ARM1176", "kernel=6.1.21+", "os=Raspbian GNU/Linux 11 (bullseye)", "ram=0GB"];
    check("armv6l", include_str!("fixtures/raspberry-pi-1.txt"), &facts);
}

#[test]
fn numbers_without_a_name_are_an_unknown_processor_unless_somebody_else_tells() {
    check("aarch64", include_str!("fixtures/new-arm-board.txt"), &["cpu=Example Board 7"]);
    let server = include_str!("fixtures/new-arm-server.txt");
    check("aarch64", server, &["cpu=unknown CPU (Arm implementer 0x99 part 0x123)"]);
    let lscpu = |words: &[&str]| {
        assert_eq!(words, ["lscpu"]);
        Some("Architecture:        aarch64\nVendor ID:           Example\nModel name:          Big-9\n".to_owned())
    };
    check_with("aarch64", server, lscpu, &["cpu=Big-9"]);
    let no_name = |_: &[&str]| Some("Vendor ID:           0x99\nModel name:          -\n".to_owned());
    check_with("aarch64", server, no_name, &["cpu=unknown CPU (Arm implementer 0x99 part 0x123)"]);
}

#[test]
fn power_tells_its_processor_and_what_lies_below() {
    let facts = [
        "cores=2",
        "cpu=POWER9",
        "governor=ondemand",
        "kernel=4.18.0-477.10.1.el8_8.ppc64le",
        "os=Red Hat Enterprise Linux 8.8 (Ootpa)",
        "ram=274GB",
        "virtualisation=none",
    ];
    check("ppc64le", include_str!("fixtures/power9.txt"), &facts);
    let facts = [
        "cores=1",
        "cpu=POWER10 (architected)",
        "kernel=5.14.0-362.8.1.el9_3.ppc64le",
        "ram=34GB",
        "virtualisation=vm (PowerVM)",
    ];
    check("ppc64le", include_str!("fixtures/power10-lpar.txt"), &facts);
}

#[test]
fn mainframes_are_named_by_their_type_and_never_by_their_serial_number() {
    let facts = [
        "cores=2",
        "cpu=IBM z14",
        "kernel=5.15.0-107-generic",
        "os=Ubuntu 22.04.4 LTS",
        "ram=8GB",
        "virtualisation=vm (PR/SM)",
    ];
    check("s390x", include_str!("fixtures/z14.txt"), &facts);
    check("s390x", include_str!("fixtures/z16-kvm.txt"), &["cores=1", "cpu=IBM z16", "virtualisation=vm (KVM/Linux)"]);
    let cpuinfo = "x\n=== proc/cpuinfo\nvendor_id       : IBM/S390\n\
                   processor 0: version = 00,  identification = 7654321,  machine = 9999\n";
    check("s390x", cpuinfo, &["cpu=IBM Z machine 9999"]);
}

#[test]
fn risc_v_is_named_by_its_architecture_or_its_device_tree() {
    let facts = [
        "cores=4",
        "cpu=sifive,u74-mc",
        "governor=ondemand",
        "kernel=6.6.20-starfive",
        "os=Debian GNU/Linux trixie/sid",
        "ram=8GB",
    ];
    check("riscv64", include_str!("fixtures/visionfive2.txt"), &facts);
    check("riscv64", include_str!("fixtures/licheepi4a.txt"), &["cores=4", "cpu=thead,c910"]);
    let emulated = include_str!("fixtures/riscv-qemu.txt");
    check("riscv64", emulated, &["cpu=riscv-virtio,qemu", "virtualisation=vm (QEMU)"]);
}

#[test]
fn loongarch_and_mips_tell_their_model_in_their_own_words() {
    let facts = ["cores=2", "cpu=Loongson-3A5000", "ram=17GB"];
    check("loongarch64", include_str!("fixtures/loongson-3a5000.txt"), &facts);
    let facts = ["cores=2", "cpu=Cavium Octeon+ V0.1", "ram=1GB"];
    check("mips64", include_str!("fixtures/octeon.txt"), &facts);
}

#[test]
fn guests_on_x86_are_told_with_what_their_hypervisor_lets_through() {
    let facts = [
        "cores=1",
        "cpu=unknown CPU (GenuineIntel family 6 model 143)",
        "ram=4GB",
        "virtualisation=vm (QEMU Standard PC (Q35 + ICH9, 2009))",
    ];
    check("x86_64", include_str!("fixtures/hidden-model.txt"), &facts);
    let facts = [
        "cores=1",
        "cpu=AMD EPYC 7763 64-Core Processor",
        "kernel=6.8.0-1021-azure",
        "os=Ubuntu 24.04.1 LTS",
        "ram=8GB",
        "smt=on",
        "virtualisation=vm (Microsoft Corporation Virtual Machine)",
    ];
    check("x86_64", include_str!("fixtures/github-runner.txt"), &facts);
}

#[test]
fn parts_have_the_names_of_their_makers() {
    let check = |implementer: &str, part: &str, expected: &str| {
        let cpuinfo = format!("CPU implementer\t: {implementer}\nCPU part\t: {part}\n");
        let root = unpacked(&format!("x\n=== proc/cpuinfo\n{cpuinfo}"));
        let facts = linux_facts(root.path(), "aarch64", None, &|_| None);
        assert_eq!(facts.get("cpu").map(String::as_str), Some(expected), "{implementer} {part}");
    };
    check("0x41", "0xd0c", "Neoverse-N1");
    check("0x41", "0xd40", "Neoverse-V1");
    check("0x43", "0x0a1", "Cavium ThunderX 88XX");
    check("0x43", "0x0af", "Cavium ThunderX2 99xx");
    check("0x46", "0x001", "Fujitsu A64FX");
    check("0x48", "0xd01", "HiSilicon TaiShan-v110");
    check("0x51", "0x001", "Qualcomm Oryon");
    check("0x51", "0xc00", "Qualcomm Falkor");
    check("0x53", "0x001", "Samsung Exynos-M1");
    check("0x4e", "0x004", "NVIDIA Carmel");
    check("0x42", "0x516", "Broadcom ThunderX2");
    check("0x61", "0x039", "Apple M2 Max Avalanche");
    check("0x6d", "0xd49", "Microsoft Azure Cobalt 100");
    check("0x70", "0x663", "Phytium FTC663");
    check("0xc0", "0xac3", "Ampere AmpereOne");
    check("0x51", "0x7ff", "unknown CPU (Qualcomm part 0x7ff)");
}
