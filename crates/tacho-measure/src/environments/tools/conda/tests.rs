//! Tests of the words for programs like conda.

use super::*;
use crate::environments::spec::{Commands, Tool};

fn spec() -> EnvironmentSpec {
    let requirement =
        |name: &str, version: &str, by_pip| Requirement { name: name.into(), version: version.into(), by_pip };
    EnvironmentSpec {
        tool: Tool::Conda { program: "conda".into() },
        python: Some("3.12".into()),
        requirements: vec![
            requirement("numpy", "1.26", false),
            requirement("scipy", ">=1.11,<2", false),
            requirement("six", "", false),
            requirement("tomli", "2.0", true),
        ],
        packages: vec!["pip+build".into(), "cython".into()],
        lock: None,
        environment_file: None,
        channels: vec!["conda-forge".into(), "file:///a \"b\"".into()],
        build_variables: Default::default(),
        commands: Commands::default(),
        run_line: None,
        label: String::new(),
        axes: Default::default(),
    }
}

#[test]
fn packages_are_named_as_conda_does() {
    assert_eq!(packages(&spec()), ["python=3.12", "pip", "numpy=1.26", "scipy>=1.11,<2", "six", "cython"]);
}

#[test]
fn the_manifest_of_pixi_is_toml() {
    let read: toml::Table = manifest(&spec()).parse().expect("TOML");
    let expected = "
        [workspace]
        name = 'tacho'
        channels = ['conda-forge', 'file:///a \"b\"']
        platforms = ['PLATFORM']
        [dependencies]
        python = '3.12.*'
        pip = '*'
        numpy = '1.26.*'
        scipy = '>=1.11,<2'
        six = '*'
        cython = '*'
    ";
    let expected: toml::Table = expected.replace("PLATFORM", platform()).parse().expect("TOML");
    assert_eq!(read, expected);
}
