//! The variables that builds are run with, and those of the user's that change what a build gives.

use std::collections::BTreeMap;

/// What would have another interpreter, other packages or colours used.
const REMOVED: [&str; 13] = [
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONDONTWRITEBYTECODE",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "__PYVENV_LAUNCHER__",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "UV_PROJECT_ENVIRONMENT",
    "UV_PYTHON",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
];

/// Variables of the user's that compilers and build tools read: another value is another build.
const DECISIVE: [&str; 19] = [
    "CC",
    "CXX",
    "FC",
    "F77",
    "F90",
    "LD",
    "LDSHARED",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "FFLAGS",
    "FCFLAGS",
    "LDFLAGS",
    "RUSTFLAGS",
    "CMAKE_ARGS",
    "CMAKE_GENERATOR",
    "CMAKE_BUILD_TYPE",
    "ARCHFLAGS",
    "MACOSX_DEPLOYMENT_TARGET",
];

/// So begin the names of others.
const DECISIVE_PREFIXES: [&str; 2] = ["SETUPTOOLS_SCM_PRETEND_VERSION", "CARGO_PROFILE_"];

/// Returns what every command gets: nothing of the user's Python leaks in, and nobody is asked anything.
pub(super) fn hermetic() -> Vec<(String, Option<String>)> {
    let set = [
        ("PIP_USER", "false"),
        ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
        ("PIP_NO_INPUT", "1"),
        ("PYTHONNOUSERSITE", "1"),
        ("NO_COLOR", "1"),
        ("UV_NO_PROGRESS", "1"),
        ("PIP_PROGRESS_BAR", "off"),
    ];
    let removed = REMOVED.iter().map(|name| ((*name).to_owned(), None));
    let set = set.iter().map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())));
    // asv's rule: only what `ASV_PYTHONPATH` says reaches a build.
    let path = std::iter::once(("PYTHONPATH".to_owned(), std::env::var("ASV_PYTHONPATH").ok()));
    removed.chain(set).chain(path).collect()
}

/// Returns the variables that decide what a build gives: those of the user's with the declared ones over them.
pub(super) fn of_build(declared: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| is_decisive(name))
        .collect();
    all.extend(declared.clone());
    all
}

fn is_decisive(name: &str) -> bool {
    DECISIVE.contains(&name) || DECISIVE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
