//! A workshop in a folder of its own, with a package to build in it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tacho_measure::Launchers;
use tacho_measure::environments::{
    Code, EnvironmentSpec, Made, MakeError, Order, Requirement, Search, Source, Tool, Workshop, bare,
};

/// A build backend that needs nothing but the standard library: it packs the folder `tiny_pkg`, and does what the tests
/// ask of it in variables.
pub(crate) const BACKEND: &str = r#"
import os, subprocess, sys, time, zipfile

def build_wheel(directory, config_settings=None, metadata_directory=None):
    with open(os.environ.get("TINY_LOG", os.devnull), "a") as log:
        log.write(os.environ.get("FLAGS", "") + "\n")
    if os.path.exists("refuse.txt"):
        print("compiling tiny")
        raise RuntimeError(open("refuse.txt").read().strip())
    if os.path.exists("hang.txt"):
        subprocess.Popen(["sleep", "600"])
        open(open("hang.txt").read().strip(), "w").close()
        time.sleep(600)
    version = open("version.txt").read().strip()
    tag = open("tag.txt").read().strip() if os.path.exists("tag.txt") else "py3-none-any"
    requires = open("requires.txt").read() if os.path.exists("requires.txt") else ""
    name = "tiny_pkg-%s-%s.whl" % (version, tag)
    info = "tiny_pkg-%s.dist-info" % version
    files = {
        "tiny_pkg/__init__.py": open("tiny_pkg.py").read() + "FLAGS = %r\n" % os.environ.get("FLAGS"),
        info + "/METADATA": "Metadata-Version: 2.1\nName: tiny-pkg\nVersion: %s\n%s\n" % (version, requires),
        info + "/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: %s\n" % tag,
    }
    record = "".join("%s,,\n" % file for file in files) + info + "/RECORD,,\n"
    files[info + "/RECORD"] = record
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        for file, text in files.items():
            wheel.writestr(file, text)
    return name
"#;

pub(crate) const PYPROJECT: &str =
    "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\".\"]\n";

/// A folder with a cache, a project and the code of a package.
pub(super) struct Bench {
    folder: PathBuf,
    _temporary: Option<tempfile::TempDir>,
    pub(super) interrupted: Arc<AtomicBool>,
    pub(super) spec: EnvironmentSpec,
    /// How often the code was checked out.
    pub(super) n_checkouts: Cell<u32>,
}

impl Bench {
    pub(super) fn new(tool: Tool) -> Bench {
        Bench::named("tacho-test-", tool)
    }

    /// Makes one in a folder whose name begins so.
    pub(super) fn named(prefix: &str, tool: Tool) -> Bench {
        let folder = tempfile::Builder::new().prefix(prefix).tempdir().unwrap();
        let bench = Bench { _temporary: None, ..Bench::at(folder.path(), tool) };
        bench.write("code/pyproject.toml", PYPROJECT);
        bench.write("code/backend.py", BACKEND);
        bench.write("code/version.txt", "1.0");
        bench.write("code/tiny_pkg.py", "VALUE = 1\n");
        std::fs::create_dir(bench.path("conf")).unwrap();
        Bench { _temporary: Some(folder), ..bench }
    }

    /// Takes up a folder that is there already.
    pub(super) fn at(folder: &Path, tool: Tool) -> Bench {
        let folder = folder.canonicalize().unwrap();
        Bench { folder, _temporary: None, interrupted: Arc::default(), spec: spec(tool), n_checkouts: Cell::new(0) }
    }

    pub(super) fn path(&self, inner: &str) -> PathBuf {
        self.folder.join(inner)
    }

    pub(super) fn write(&self, inner: &str, text: &str) {
        let path = self.path(inner);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Writes a program into the folder `bin`, which a search of the tests may begin with.
    pub(super) fn program(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        self.write(&format!("bin/{name}"), text);
        let path = self.path("bin").join(name);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(super) fn workshop(&self) -> Workshop {
        self.workshop_with(Duration::from_secs(120), search())
    }

    pub(super) fn workshop_with(&self, limit: Duration, search: Search) -> Workshop {
        let launchers = Launchers::new(PathBuf::from(env!("CARGO_BIN_EXE_tacho")));
        let interrupted = Arc::clone(&self.interrupted);
        Workshop::new(&self.path("cache"), launchers, interrupted, limit, &self.path("conf")).searching(search)
    }

    /// Makes the environment of the code under an id.
    pub(super) fn make(&self, workshop: &Workshop, id: &str) -> Result<Made, MakeError> {
        self.with_order(id, |order| workshop.make(order, &|_| {}))
    }

    pub(super) fn with_order<R>(&self, id: &str, body: impl FnOnce(&Order<'_>) -> R) -> R {
        let check_out = |_slot: &str| {
            self.n_checkouts.set(self.n_checkouts.get() + 1);
            Ok(self.path("code").into())
        };
        let code = Code { id, commit: Some(id), check_out: &check_out, subdir: None };
        body(&Order { project: "tiny.pkg", spec: &self.spec, source: Source::Code(code) })
    }

    /// Returns what a program prints.
    pub(super) fn run(&self, python: &Path, code: &str) -> String {
        let output = std::process::Command::new(python).args(["-c", code]).output().unwrap();
        assert!(output.status.success(), "{code}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Returns the names below a folder of the cache.
    pub(super) fn names(&self, inner: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(inner)).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Returns the folders of environments that are there.
    pub(super) fn environments(&self) -> Vec<String> {
        let names = self.names("cache/envs").into_iter();
        names.filter(|name| self.path("cache/envs").join(name).is_dir()).collect()
    }
}

/// Returns the specification of an environment with nothing in it.
pub(super) fn spec(tool: Tool) -> EnvironmentSpec {
    EnvironmentSpec {
        // The index is never asked, whatever the user's settings.
        build_variables: BTreeMap::from([
            ("PIP_NO_INDEX".to_owned(), "1".to_owned()),
            ("UV_OFFLINE".to_owned(), "1".to_owned()),
        ]),
        label: "test".into(),
        ..bare(tool)
    }
}

pub(super) fn requirement(name: &str, version: &str) -> Requirement {
    Requirement { name: name.into(), version: version.into(), by_pip: false }
}

/// Returns where tests look for programs: the environment that `cargo xtask setup` made, then the user's.
pub(super) fn search() -> Search {
    let prepared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin");
    let asked = std::env::var_os("TACHO_TEST_PYTHON").map(PathBuf::from);
    let asked = asked.and_then(|python| Some(python.parent()?.to_owned()));
    let own = std::env::var_os("PATH").unwrap_or_default();
    Search::of(asked.into_iter().chain([prepared]).chain(std::env::split_paths(&own)).collect())
}

/// Returns the same without `uv`: a folder with nothing but links to `python3` and what builds need.
pub(super) fn search_without_uv(bench: &Bench) -> Search {
    let folder = bench.path("no-uv");
    std::fs::create_dir_all(&folder).unwrap();
    let python = real_python();
    for (name, program) in [("python3", python.as_path()), ("sleep", Path::new("/bin/sleep"))] {
        std::os::unix::fs::symlink(program, folder.join(name)).unwrap();
    }
    Search::of(vec![folder])
}

/// Returns the interpreter that environments of the tests are made of.
pub(super) fn real_python() -> PathBuf {
    let prepared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python3");
    let asked = std::env::var_os("TACHO_TEST_PYTHON").map_or(prepared, PathBuf::from);
    let program = if asked.exists() { asked } else { "python3".into() };
    let script = "import os, sys; print(os.path.realpath(sys._base_executable))";
    let output = std::process::Command::new(program).args(["-c", script]).output().unwrap();
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}
