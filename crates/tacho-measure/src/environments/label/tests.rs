//! Labels and digests: the same today as in the records of yesterday.

use super::*;
use crate::environments::{Requirement, bare};

fn point(pairs: &[(AxisKind, &str)]) -> Point {
    pairs.iter().map(|(kind, value)| (kind.clone(), (*value).to_owned())).collect()
}

fn check(tool: &str, pairs: &[(AxisKind, &str)], expected: &str) {
    assert_eq!(of(tool, &point(pairs)), expected);
}

// Expected names are those that `get_env_name` of asv 0.6.6 gives.
#[test]
fn labels_are_asvs() {
    use AxisKind::{Python, Requirement, RunVariable, SharedVariable};
    let req = |name: &str| Requirement(name.into());
    check("virtualenv", &[(Python, "3.12")], "virtualenv-py3.12");
    check(
        "conda",
        &[(Python, "3.9"), (req("six"), ""), (req("pip+emcee"), "1.0"), (req("Cython"), "3")],
        "conda-py3.9-Cython3-pip+emcee1.0-six",
    );
    check(
        "uv",
        &[
            (Python, "pypy3"),
            (RunVariable("B".into()), "1"),
            (SharedVariable("C".into()), "/x:y"),
            (RunVariable("A".into()), ""),
        ],
        "uv-pypypy3-A-B1-C_x_y",
    );
    check("existing", &[(Python, "/usr/bin/python3")], "existing-py_usr_bin_python3");
}

#[test]
fn what_files_cannot_hold_is_replaced() {
    use AxisKind::{BuildVariable, Cpus, Threads};
    check("uv", &[(BuildVariable("CFLAGS".into()), "a\\b\u{7f}?")], "uv-CFLAGSa_b__");
    check("uv", &[(Threads, "2"), (Cpus, "0,1")], "uv-threads2-cpus0,1");
}

#[test]
fn long_labels_are_a_digest() {
    let packages: Vec<(AxisKind, &str)> =
        (0..40).map(|n| (AxisKind::Requirement(format!("package{n:02}")), "1.0")).collect();
    check("uv", &packages, "uv-a6f2381ff55df7db");
    let exactly = |n: usize| of("uv", &point(&[(AxisKind::RunVariable("A".into()), &"x".repeat(n - 4))]));
    assert_eq!((exactly(127).len(), exactly(128).len()), (127, 19));
    // Characters of several bytes count as many.
    assert_eq!(of("uv", &point(&[(AxisKind::RunVariable("A".into()), &"ü".repeat(70))])).len(), 19);
}

#[test]
fn the_digest_is_of_what_is_made_and_of_nothing_else() {
    let base = || EnvironmentSpec { python: Some("3.12".into()), ..bare(Tool::Uv) };
    let digest = base().digest();
    assert_eq!(digest.len(), 64);
    let check = |same: bool, change: &dyn Fn(&mut EnvironmentSpec)| {
        let mut spec = base();
        change(&mut spec);
        assert_eq!(spec.digest() == digest, same, "{spec:?}");
    };
    check(true, &|spec| spec.label = "other".into());
    check(true, &|spec| drop(spec.axes.insert("req.a".into(), "1".into())));
    check(true, &|spec| spec.run_line = Some("taskset 1 python3".into()));
    check(false, &|spec| spec.python = None);
    check(false, &|spec| spec.tool = Tool::Venv);
    check(false, &|spec| spec.packages = vec!["six".into()]);
    check(false, &|spec| spec.lock = Some("uv.lock".into()));
    check(false, &|spec| spec.environment_file = Some("environment.yml".into()));
    check(false, &|spec| spec.channels = vec!["conda-forge".into()]);
    check(false, &|spec| drop(spec.build_variables.insert("CC".into(), "clang".into())));
    check(false, &|spec| spec.commands.build = Some(vec![]));
    check(false, &|spec| spec.commands.install = Some(vec![]));
    let conda = |program: &str| bare(Tool::Conda { program: program.into() }).digest();
    assert_ne!(conda("conda"), conda("mamba"));
}

#[test]
fn the_order_of_requirements_does_not_matter_to_the_digest() {
    let one = |name: &str| Requirement { name: name.into(), version: "1".into(), by_pip: false };
    let digest = |names: [&str; 2]| {
        let requirements = names.iter().map(|name| one(name)).collect();
        EnvironmentSpec { requirements, ..bare(Tool::Uv) }.digest()
    };
    assert_eq!(digest(["a", "b"]), digest(["b", "a"]));
}
