//! What compilers call themselves.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use super::programs;
use super::quiet;
use super::workshop::Workshop;

/// The variable that names a compiler, and what is called without it.
const COMPILERS: [(&str, &str); 3] = [("CC", "cc"), ("CXX", "c++"), ("FC", "gfortran")];

/// Returns the first line of each compiler's `--version` by the words it is called by; those that are not there are
/// left out.
pub(super) fn versions(
    workshop: &Workshop,
    variables: &BTreeMap<String, String>,
    source: &Path,
) -> BTreeMap<String, String> {
    let mut called: Vec<String> =
        COMPILERS.iter().map(|(name, word)| variables.get(*name).map_or(*word, String::as_str).to_owned()).collect();
    if ["Cargo.toml", "rust/Cargo.toml", "src/Cargo.toml"].iter().any(|path| source.join(path).is_file()) {
        called.push("rustc".into());
    }
    let set: Vec<_> = variables.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
    called.into_iter().filter_map(|words| Some((words.clone(), version(workshop, &words, &set)?))).collect()
}

fn version(workshop: &Workshop, words: &str, set: &[(String, Option<String>)]) -> Option<String> {
    // `CC="ccache gcc -m64"` is common.
    let words = shlex::split(words)?;
    let (program, rest) = words.split_first()?;
    let path = if program.contains('/') { Some(program.into()) } else { workshop.search.on_path(program) };
    let path = path.filter(|path| programs::is_executable(path))?;
    let arguments: Vec<OsString> = rest.iter().map(Into::into).chain(["--version".into()]).collect();
    let answer = quiet::ask_with(workshop, &path, &arguments, set).ok().filter(quiet::Answer::is_ok)?;
    answer.stdout_line().map(str::to_owned)
}
