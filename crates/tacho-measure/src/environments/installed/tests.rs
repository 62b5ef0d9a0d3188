//! Tests of what is read of installed distributions.

use super::*;

fn install(prefix: &Path, name: &str, record: &str) {
    let folder = prefix.join("lib/python3.12/site-packages").join(format!("{name}-1.0.dist-info"));
    std::fs::create_dir_all(&folder).expect("writable");
    std::fs::write(folder.join("METADATA"), format!("Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n\nName: no\n"))
        .expect("writable");
    std::fs::write(folder.join("RECORD"), record).expect("writable");
}

fn digest(record: &str) -> String {
    let prefix = tempfile::tempdir().expect("a folder");
    install(prefix.path(), "a", record);
    let found = distributions(prefix.path());
    assert_eq!((found[0].name.as_str(), found[0].version.as_str()), ("a", "1.0"));
    found[0].sha256.clone().expect("a digest")
}

const RECORD: &str = "a/__init__.py,sha256=AAA,10\n\"a/b,c.py\",sha256=BBB,5\na-1.0.dist-info/METADATA,sha256=CCC,7\na-1.0.dist-info/RECORD,,\n";

#[test]
fn a_digest_does_not_depend_on_the_installation() {
    let elsewhere = "../../../bin/a,sha256=XXX,200\na/__pycache__/__init__.cpython-312.pyc,,\na-1.0.dist-info/INSTALLER,sha256=UUU,3\na-1.0.dist-info/direct_url.json,sha256=DDD,70\na-1.0.dist-info/uv_cache.json,sha256=EEE,70\na-1.0.dist-info/REQUESTED,sha256=FFF,0\n\"a/b,c.py\",sha256=BBB,5\na-1.0.dist-info/METADATA,sha256=CCC,7\na/__init__.py,sha256=AAA,10\n";
    assert_eq!(digest(RECORD), digest(elsewhere));
    assert_ne!(digest(RECORD), digest(&RECORD.replace("BBB", "BB2")), "another file is another digest");
    // printf 'a-1.0.dist-info/METADATA,sha256=CCC\na/__init__.py,sha256=AAA\n' | sha256sum
    let short = "a/__init__.py,sha256=AAA,10\na-1.0.dist-info/METADATA,sha256=CCC,7\n";
    assert_eq!(digest(short), "1ef374589ba3f3f7127d2fb38f34d59ef9e1ce6aa6873a3943c81164a6764477");
}

#[test]
fn names_and_versions_are_compared_as_python_does() {
    let check = |one: &str, other: &str, same: bool| assert_eq!(is_same_version(one, other), same, "{one} {other}");
    check("1.0", "1.0.0", true);
    check("1.0+g12.d2026", "1.0+g12_d2026", true);
    check("v1.2", "1.2", true);
    check("1.0rc1", "1.0RC1", true);
    check("1.0", "1.0.1", false);
    check("1.0+a", "1.0+b", false);
    check("10", "1", false);
    assert_eq!(normal_name("Tiny_pkg.Core"), "tiny-pkg-core");
}
