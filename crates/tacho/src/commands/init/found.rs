//! What a folder tells of the project in it: its name, and whether it has benchmarks already.

use std::path::{Component, Path, PathBuf};

/// Where projects keep asv's benchmarks.
const USUAL: [&str; 7] = [
    "benchmarks",
    "asv_bench/benchmarks",
    "asv_benchmarks/benchmarks",
    "benchmarks/benchmarks",
    "asv_benchmarks",
    "benchmark",
    "bench",
];

/// Where a new suite goes: the first that is free.
const NEW: [&str; 3] = ["benchmarks", "asv_benchmarks", "tacho_benchmarks"];

/// How deep and how wide a folder is looked at.
const DEEPEST: usize = 6;
const MOST_FILES: usize = 20_000;

/// Returns the project's name: that of its package or crate, else the folder's.
pub(super) fn project_name(folder: &Path) -> String {
    let of_file = |file: &str, keys: &[&str]| {
        let text = std::fs::read_to_string(folder.join(file)).ok()?;
        let table: toml::Table = text.parse().ok()?;
        let (last, tables) = keys.split_last()?;
        let mut table = &table;
        for key in tables {
            table = table.get(*key)?.as_table()?;
        }
        table.get(*last)?.as_str().map(str::to_owned)
    };
    of_file("pyproject.toml", &["project", "name"])
        .or_else(|| of_file("pyproject.toml", &["tool", "poetry", "name"]))
        .or_else(|| of_file("Cargo.toml", &["package", "name"]))
        .filter(|name| is_name(name).is_ok())
        .unwrap_or_else(|| folder.file_name().map_or("project".into(), |name| name.to_string_lossy().into_owned()))
}

/// Takes whatever is a name at all.
pub(super) fn is_name(text: &str) -> Result<(), String> {
    let is_fine = !text.trim().is_empty() && !text.chars().any(char::is_control);
    is_fine.then_some(()).ok_or_else(|| "that is no name".to_owned())
}

/// A folder, and how much in it looks like asv's benchmarks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SuiteFolder {
    /// The folder, from the project's.
    pub(super) dir: PathBuf,
    pub(super) n_functions: usize,
    pub(super) n_files: usize,
}

impl SuiteFolder {
    /// Reads the Python files of a folder, as text.
    pub(super) fn scan(root: &Path, dir: &Path) -> SuiteFolder {
        let mut suite = SuiteFolder { dir: dir.to_owned(), n_functions: 0, n_files: 0 };
        suite.add(&root.join(dir), 0);
        suite
    }

    fn add(&mut self, folder: &Path, depth: usize) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries.take(MOST_FILES) {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if kind.is_dir() && depth < DEEPEST && !is_hidden {
                self.add(&path, depth + 1);
            } else if kind.is_file() && path.extension().is_some_and(|end| end == "py") {
                let text = std::fs::read(&path).unwrap_or_default();
                let found = String::from_utf8_lossy(&text).lines().filter(|line| defines_a_benchmark(line)).count();
                self.n_functions += found;
                self.n_files += usize::from(found > 0);
            }
        }
    }

    /// Returns `benchmarks (12 functions in 3 files look like benchmarks)`.
    pub(super) fn words(&self) -> String {
        use tacho_model::unit::counted;
        let (functions, files) = (counted(self.n_functions, "function"), counted(self.n_files, "file"));
        let dir = tacho_report::harmless_line(&self.dir.display().to_string());
        let verb = if self.n_functions == 1 { "looks like a benchmark" } else { "look like benchmarks" };
        format!("{dir} ({functions} in {files} {verb})")
    }
}

/// By the names alone: what is really a benchmark is known once the suite is imported.
fn defines_a_benchmark(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("async ").unwrap_or(line);
    let Some(name) = line.strip_prefix("def ") else { return false };
    ["time_", "timeraw_", "mem_", "peakmem_", "track_"].iter().any(|prefix| name.trim_start().starts_with(prefix))
}

/// Returns the suite of asv's that a project has already, in one of the usual places.
pub(super) fn suite_below(root: &Path) -> Option<SuiteFolder> {
    let scanned = USUAL.iter().map(|dir| SuiteFolder::scan(root, Path::new(dir)));
    scanned.into_iter().find(|suite| {
        // A folder of folders is no suite; the suite is in it.
        suite.n_functions > 0 && (root.join(&suite.dir).join("__init__.py").is_file() || !has_inner(root, &suite.dir))
    })
}

fn has_inner(root: &Path, dir: &Path) -> bool {
    root.join(dir).join("benchmarks").is_dir()
}

/// Returns a folder for a new suite that nothing stands in the way of.
pub(super) fn free_folder(root: &Path) -> PathBuf {
    let is_free = |dir: &&str| !root.join(dir).exists() && !root.join(format!("{dir}.py")).exists();
    PathBuf::from(NEW.iter().copied().find(is_free).unwrap_or(NEW[0]))
}

/// Takes a folder of benchmarks, or one that can be made: a package's name below the project.
pub(super) fn usable_as_suite(root: &Path, text: &str) -> Result<(), String> {
    let path = Path::new(text);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_identifier = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_below || !is_identifier {
        return Err(format!("`{text}` is no folder below this one whose name Python can import"));
    }
    if root.join(path).exists() && SuiteFolder::scan(root, path).n_functions == 0 {
        return Err(format!("`{text}` is there already and holds no benchmarks: name another folder"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temp folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("makes folders");
            std::fs::write(path, text).expect("writes");
        }
        folder
    }

    #[test]
    fn names_come_from_the_package_or_crate() {
        let check = |file: &str, text: &str, expected: &str| {
            assert_eq!(project_name(folder(&[(file, text)]).path()), expected, "{text}");
        };
        check("pyproject.toml", "[project]\nname = 'waypoint'\n", "waypoint");
        check("pyproject.toml", "[tool.poetry]\nname = 'poem'\n", "poem");
        check("Cargo.toml", "[package]\nname = 'rusty'\n", "rusty");
        for useless in ["[project]\nname = 3\n", "[project\n", "[project]\nname = '  '\n"] {
            let folder = folder(&[("pyproject.toml", useless)]);
            assert_eq!(project_name(folder.path()), folder.path().file_name().expect("named").to_string_lossy());
        }
    }

    #[test]
    fn suites_are_found_in_the_usual_places() {
        let suite = "class A:\n    def time_a(self): pass\n    async def track_b(self): pass\ndef timely(): pass\n";
        let check = |files: &[(&str, &str)], expected: Option<(&str, usize, usize)>| {
            let found = suite_below(folder(files).path());
            let found = found.map(|suite| (suite.dir.display().to_string(), suite.n_functions, suite.n_files));
            assert_eq!(found, expected.map(|(dir, functions, files)| (dir.to_owned(), functions, files)));
        };
        check(&[("benchmarks/__init__.py", ""), ("benchmarks/a.py", suite)], Some(("benchmarks", 2, 1)));
        check(&[("benchmarks/a.py", suite)], Some(("benchmarks", 2, 1)));
        check(
            &[("benchmarks/asv.txt", ""), ("benchmarks/benchmarks/sub/a.py", suite)],
            Some(("benchmarks/benchmarks", 2, 1)),
        );
        check(&[("benchmarks/test_it.py", "def test_it(benchmark): pass\n")], None);
        check(&[], None);
    }

    #[test]
    fn a_new_suite_goes_where_nothing_is() {
        let check = |files: &[(&str, &str)], expected: &str| {
            assert_eq!(free_folder(folder(files).path()), Path::new(expected));
        };
        check(&[], "benchmarks");
        check(&[("benchmarks/notes.txt", "")], "asv_benchmarks");
        check(&[("benchmarks.py", ""), ("asv_benchmarks", "a file")], "tacho_benchmarks");
    }

    #[test]
    fn a_suite_has_the_name_of_a_package_below_the_project() {
        let folder = folder(&[("taken/a.txt", ""), ("suite/a.py", "def time_a(): pass\n")]);
        for fine in ["benchmarks", "perf/suite_2", "suite"] {
            assert_eq!(usable_as_suite(folder.path(), fine), Ok(()), "{fine}");
        }
        for wrong in ["", "../up", "/abs", "my-suite", "1st", "taken", "a.b"] {
            assert!(usable_as_suite(folder.path(), wrong).is_err(), "{wrong}");
        }
    }
}
