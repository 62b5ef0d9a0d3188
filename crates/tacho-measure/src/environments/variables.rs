//! The variables that builds are run with, and those of the user's that change what a build gives.

use std::collections::BTreeMap;

/// What would have another interpreter, other packages, another place, colours, or a build that is not isolated used.
const REMOVED: [&str; 32] = [
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONINSPECT",
    "PYTHONOPTIMIZE",
    "PYTHONPLATLIBDIR",
    "PYTHONPYCACHEPREFIX",
    "PYTHONWARNINGS",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "__PYVENV_LAUNCHER__",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_PYTHON",
    "PIP_EDITABLE",
    "PIP_REQUIREMENT",
    "PIP_REQUIRE_HASHES",
    "PIP_DRY_RUN",
    "PIP_NO_COMPILE",
    "PIP_NO_BUILD_ISOLATION",
    "UV_PROJECT_ENVIRONMENT",
    "UV_PROJECT",
    "UV_PYTHON",
    "UV_WORKING_DIR",
    "UV_WORKING_DIRECTORY",
    "UV_REQUIRE_HASHES",
    "UV_NO_BUILD_ISOLATION",
    "UV_DRY_RUN",
    "FORCE_COLOR",
    "PY_COLORS",
    "CLICOLOR_FORCE",
];

/// Variables of the user's that compilers and build tools read, and those that have other versions chosen: another value
/// is another build. Addresses of indexes are none of them, as they may hold passwords.
const DECISIVE: [&str; 38] = [
    "AR",
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
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "RUSTFLAGS",
    "ARCHFLAGS",
    "MACOSX_DEPLOYMENT_TARGET",
    "SETUPTOOLS_USE_DISTUTILS",
    "PIP_CONFIG_SETTINGS",
    "PIP_NO_BINARY",
    "PIP_NO_DEPS",
    "PIP_ONLY_BINARY",
    "PIP_PREFER_BINARY",
    "PIP_PRE",
    "UV_EXCLUDE_NEWER",
    "UV_FORK_STRATEGY",
    "UV_INDEX_STRATEGY",
    "UV_NO_SOURCES",
    "UV_NO_DEPS",
    "UV_OVERRIDE",
    "UV_PRERELEASE",
    "UV_RESOLUTION",
    "UV_TORCH_BACKEND",
];

/// So begin the names of others.
const DECISIVE_PREFIXES: [&str; 9] = [
    "SETUPTOOLS_SCM_PRETEND_VERSION",
    "CARGO_PROFILE_",
    "CMAKE_",
    "SKBUILD_",
    "PIP_CONSTRAINT",
    "PIP_BUILD_CONSTRAINT",
    "UV_BUILD_CONSTRAINT",
    "UV_CONSTRAINT",
    "UV_NO_B",
];

/// Returns what every command gets: nothing of the user's Python leaks in, and nobody is asked anything.
pub(super) fn hermetic() -> Vec<(String, Option<String>)> {
    let set = [
        ("PIP_USER", "false"),
        ("PIP_REQUIRE_VIRTUALENV", "false"),
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
