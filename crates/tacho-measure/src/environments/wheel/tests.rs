//! Tests of what a wheel's name says.

use super::*;

fn check(name: &str, expected: Option<(&str, &str, bool)>) {
    let read = WheelName::parse(name);
    let read = read.as_ref().map(|name| (name.distribution.as_str(), name.version.as_str(), name.is_pure));
    assert_eq!(read, expected, "{name}");
}

#[test]
fn names_are_read() {
    check("tiny_pkg-1.0-py3-none-any.whl", Some(("tiny_pkg", "1.0", true)));
    check("numpy-2.1.0-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", Some(("numpy", "2.1.0", false)));
    check("a-1.0+g12-1-py3-none-any.whl", Some(("a", "1.0+g12", true)));
    check("a-1-py3-none-linux_x86_64.whl", Some(("a", "1", false)));
    check("a-1.0.tar.gz", None);
    check("a-1-py3-any.whl", None);
}

#[test]
fn one_wheel_is_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| std::fs::write(folder.path().join(name), "").expect("writable");
    assert_eq!(only_one(folder.path()).unwrap_err(), "the build has left no wheel");
    file(".gitignore");
    file("a-1-py3-none-any.whl");
    assert_eq!(only_one(folder.path()).map(|path| file_name(&path)).as_deref(), Ok("a-1-py3-none-any.whl"));
    file("b-1-py3-none-any.whl");
    let told = "the build has left 2 wheels where one is expected: `a-1-py3-none-any.whl`, `b-1-py3-none-any.whl`";
    assert_eq!(only_one(folder.path()).unwrap_err(), told);
}
