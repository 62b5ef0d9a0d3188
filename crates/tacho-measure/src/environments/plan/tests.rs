//! Tests of the words that requirements become.

use super::*;

#[test]
fn a_requirement_is_written_as_pip_reads_it() {
    let check = |version: &str, expected: &str| {
        let requirement = Requirement { name: "numpy".into(), version: version.into(), by_pip: false };
        assert_eq!(requirement_line(&requirement), expected);
    };
    check("", "numpy");
    check("1.26", "numpy==1.26");
    check(">=2,<3", "numpy>=2,<3");
    check("==2.*", "numpy==2.*");
    check("~=2.1", "numpy~=2.1");
    check("@ git+https://e.org/numpy", "numpy @ git+https://e.org/numpy");
}
